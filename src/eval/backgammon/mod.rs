//! The evaluations of backgammon: a linear one, the lead in the race with what blots stand to lose, or nothing.

pub mod linear;

use super::formula::{Formula, FormulaEvaluator, zero};
use super::nn::squash::squash;
use super::{Evaluated, NetworkError, Noise, Plain};
use crate::game::backgammon::Position;
use crate::game::{Game, Player, Value};
use std::convert::Infallible;
use std::sync::Arc;

/// Binary digits of the scale.
const SHIFT: u32 = 16;
/// What a pip is worth before the tangent: some 28 of them are a game that is nearly won.
const PIP: i32 = (1 << SHIFT) / 28;
/// The mover is half a roll ahead.
const TURN: i32 = 4;

/// What a checker that has been borne off is worth beyond its pips: dice that take it off often have some to spare.
const OFF_BONUS: i32 = 2;
/// A blot that the opponent has yet to pass stands to lose its way so far; about one in so many is hit.
const HIT_ODDS: i32 = 4;

/// How far a player still has to go, in pips: the way of its checkers, and what its blots stand to lose.
fn distance(position: &Position, player: Player) -> i32 {
    let checkers = position.checkers(player);
    let enemies = position.checkers(player.other());
    let mut lost = 0;
    for point in 1..=24 {
        // The opponent's checkers that have not passed it: on its bar, or on points that are higher from its side.
        let behind = || enemies[25 - point + 1..].iter().any(|&count| count > 0);
        if checkers[point] == 1 && behind() {
            lost += (25 - point) as i32;
        }
    }
    position.pips(player) as i32 + lost / HIT_ODDS - OFF_BONUS * i32::from(checkers[0])
}

/// The lead in the race, and half a roll for the turn, as the chance of winning a single game.
fn race(position: &Position) -> Value {
    let mover = position.mover();
    let single = squash((distance(position, mover.other()) - distance(position, mover) + TURN) * PIP, SHIFT);
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
    const EVALUATIONS: &'static [&'static str] = &["linear", "pips", "zero"];

    fn evaluator(&self, name: &str, _network: Option<&Arc<Infallible>>, noise: Noise) -> Option<Self::Evaluator> {
        let value = match name {
            "linear" => linear::value,
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
