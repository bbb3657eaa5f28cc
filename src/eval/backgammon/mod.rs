//! The evaluation of backgammon: the lead in the race, or nothing.

use super::formula::{Formula, FormulaEvaluator, zero};
use super::nn::squash::squash;
use super::{Evaluated, NetworkError, Noise, Plain};
use crate::game::backgammon::Position;
use crate::game::{Game, Value};
use std::convert::Infallible;
use std::sync::Arc;

/// Binary digits of the scale.
const SHIFT: u32 = 16;
/// What a pip is worth before the tangent: some 28 of them are a game that is nearly won.
const PIP: i32 = (1 << SHIFT) / 28;
/// The mover is half a roll ahead.
const TURN: i32 = 4;

/// The lead in the race, pips and half a roll for the turn, as the chance of winning a single game.
fn race(position: &Position) -> Value {
    let own = position.pips(position.mover()) as i32;
    let theirs = position.pips(position.mover().other()) as i32;
    let single = squash((theirs - own + TURN) * PIP, SHIFT);
    // A single game is a third of what a backgammon is worth.
    Value::from_raw(i64::from(single) / i64::from(Position::POINTS))
}

/// The key before the roll.
fn noise_hash(position: &Position) -> u64 {
    position.without_roll().key()
}

impl Evaluated for Position {
    type Evaluator = FormulaEvaluator<Position>;
    type Network = Infallible;
    const EVALUATIONS: &'static [&'static str] = &["pips", "zero"];

    fn evaluator(&self, name: &str, _network: Option<&Arc<Infallible>>, noise: Noise) -> Option<Self::Evaluator> {
        let value = match name {
            "pips" => race,
            "zero" => zero,
            _ => return None,
        };
        Some(Plain(Formula { value, noise_hash, ignores_outcomes: true, sees_images_alike: true, noise }))
    }

    fn read_network(&self, _bytes: &[u8]) -> Result<Infallible, NetworkError> {
        Err(NetworkError("backgammon has no networks".into()))
    }

    fn explain(&self, evaluator: &Self::Evaluator) -> String {
        let pips = [self.mover(), self.mover().other()].map(|player| self.pips(player));
        let show = |value: Value| format!("{:.6}", value.to_f64() * f64::from(Position::POINTS));
        format!("pips {} against {}\n{}", pips[0], pips[1], evaluator.0.explain(self, show))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;

    #[test]
    fn the_race_is_seen_alike_from_both_sides() {
        let start = Position::opening();
        assert!(race(&start) > Value::DRAW, "the turn is worth something");
        let rolled = start.child(Step::Outcome(start.outcomes().next().unwrap().id));
        assert_eq!((race(&rolled), noise_hash(&rolled)), (race(&start), noise_hash(&start)));
        let moved = rolled.child(Step::Move(rolled.moves()[0]));
        assert!(race(&moved) < race(&start), "the opponent has moved on");
        assert_ne!(noise_hash(&moved), noise_hash(&start));
    }
}
