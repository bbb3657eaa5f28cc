//! Backgammon's linear evaluation, taught by itself: temporal differences (Sutton 1988) over games in which it plays both
//! sides at depth 1, as Tesauro taught his networks.

use crate::arena::Score;
use alea::eval::backgammon::linear::{INPUTS, SHIFT, Weights, for_each_input, value_by};
use alea::eval::{Evaluated, Evaluator, Noise, Plain, PositionValue};
use alea::game::backgammon::{Move, Position};
use alea::game::{Game, Kind, Notation, Player, Step, Value};
use alea_tools::greedy::best;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::random::draws;
use rand::Rng;
use std::time::Instant;

/// How far credit reaches back: TD(λ).
const LAMBDA: f64 = 0.5;
/// The step at the first game, and at the last.
const STEPS: (f64, f64) = (0.004, 0.0002);
/// Pairs of games that the result is measured by.
const PAIRS: u64 = 2000;

/// Weights in the making, those of contact first.
struct Student([[f64; INPUTS]; 2]);

impl Student {
    /// The value in (−1, 1), parts of three points, for the mover.
    fn value(&self, position: &Position) -> f64 {
        let weights = &self.0[usize::from(position.is_race())];
        let mut sum = 0.0;
        for_each_input(position, |input, amount| sum += weights[input] * f64::from(amount));
        libm::tanh(sum)
    }

    /// Bring the value of a position nearer to a target.
    fn learn(&mut self, position: &Position, target: f64, step: f64) {
        let value = self.value(position);
        let push = step * (target - value) * (1.0 - value * value);
        let weights = &mut self.0[usize::from(position.is_race())];
        for_each_input(position, |input, amount| weights[input] += push * f64::from(amount));
    }

    /// The move that looks best, the first of several.
    fn choose(&self, position: &Position) -> Move {
        let worth = |mv: Move| {
            let next = position.child(Step::Move(mv));
            match next.kind() {
                Kind::Over(value) => -value.to_f64(),
                _ => -self.value(&next),
            }
        };
        let moves = position.moves();
        let mut best = (moves[0], f64::NEG_INFINITY);
        for &mv in &moves {
            let worth = worth(mv);
            if worth > best.1 {
                best = (mv, worth);
            }
        }
        best.0
    }

    /// Play a game against itself and learn from it, from its end to its beginning.
    fn play(&mut self, dice: u64, step: f64) {
        let mut position = Position::opening();
        let mut seen = Vec::new();
        while position.kind() == Kind::Chance {
            position = rolled(&position, dice, seen.len() as u32);
            seen.push(position.without_roll());
            position = position.child(Step::Move(self.choose(&position)));
        }
        let Kind::Over(end) = position.kind() else { return };
        // What the next position is worth to its mover: what came of the game, and what it looked like.
        let (mut came, mut looked) = (end.to_f64(), end.to_f64());
        for position in seen.iter().rev() {
            let target = -(LAMBDA * came + (1.0 - LAMBDA) * looked);
            looked = self.value(position);
            came = target;
            self.learn(position, target, step);
        }
    }

    /// The weights as the engine has them.
    fn rounded(&self) -> Weights {
        let round = |x: f64| (x * f64::from(1_u32 << SHIFT)).round() as i16;
        [self.0[0].map(round), self.0[1].map(round)]
    }
}

/// The position after the roll that a seed brings.
fn rolled(position: &Position, dice: u64, ply: u32) -> Position {
    Notation::chance(position, dice, ply).map_or(*position, |roll| position.child(Step::Outcome(roll)))
}

/// The dice of a game: a seed of their own.
fn dice(seed: u64, purpose: &str, number: u64) -> u64 {
    draws(seed, purpose, number).next_u64()
}

/// An evaluation by weights of its own.
struct Fitted(Weights);

impl PositionValue<Position> for Fitted {
    fn value(&self, position: &Position) -> Value {
        value_by(&self.0, position)
    }

    fn ignores_outcomes(&self) -> bool {
        true
    }
}

/// Mean points a game of one evaluation against another, over pairs of games on the same dice with the seats swapped, and
/// the 95 % interval over pairs.
fn match_points(one: &impl Evaluator<Position>, other: &impl Evaluator<Position>, seed: u64) -> (f64, f64) {
    let worth = |pair: u64| -> f64 {
        let seats = [Player::First, Player::Second];
        let dice = dice(seed, "linear match", pair);
        seats.iter().map(|&seat| game_points(one, other, seat, dice)).sum::<f64>() / 2.0
    };
    let Score { mean, margin, .. } = Score::of(&(0..PAIRS).map(worth).collect::<Vec<f64>>());
    (mean, margin)
}

/// What a game is worth to `one`, who has a seat.
fn game_points(one: &impl Evaluator<Position>, other: &impl Evaluator<Position>, seat: Player, dice: u64) -> f64 {
    let mut position = Position::opening();
    for ply in 0.. {
        if position.kind() != Kind::Chance {
            break;
        }
        position = rolled(&position, dice, ply);
        let mv = match position.mover() == seat {
            true => best(one, &one.state(&position), &position).0,
            false => best(other, &other.state(&position), &position).0,
        };
        position = position.child(Step::Move(mv));
    }
    position.win().map_or(0.0, |win| f64::from(win.points) * if win.winner == seat { 1.0 } else { -1.0 })
}

/// What a run is to do.
pub struct Order {
    /// Games of self-play.
    pub games: u64,
    /// Which of all possible runs.
    pub seed: u64,
}

/// Teach it. Gives the bytes of the weights, and in words how it plays against `pips`.
pub fn fit(order: &Order) -> (Vec<u8>, String) {
    let mut student = Student([[0.0; INPUTS]; 2]);
    let mut progress = Progress::new("games", order.games as usize);
    let start = Instant::now();
    for number in 0..order.games {
        let done = number as f64 / order.games as f64;
        let step = STEPS.0 * libm::pow(STEPS.1 / STEPS.0, done);
        student.play(dice(order.seed, "linear games", number), step);
        progress.show(number as usize, || at_this_pace(start, number as usize, order.games as usize));
    }
    progress.finish();
    let weights = student.rounded();
    let bytes = weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
    let pips = Position::opening().evaluator("pips", None, Noise::NONE).expect("backgammon has pips");
    let (points, error) = match_points(&Plain(Fitted(weights)), &pips, order.seed);
    let games = 2 * PAIRS;
    (bytes, format!("against pips at depth 1, {games} games: {points:+.3} ± {error:.3} points a game"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few games teach enough to beat a count of pips; the same seed teaches the same, another one something else.
    #[test]
    fn a_short_run_learns_and_is_a_function_of_its_seed() {
        let run = |seed| fit(&Order { games: 6000, seed });
        let (bytes, words) = run(1);
        assert_eq!(bytes.len(), 2 * 2 * INPUTS);
        assert!(words.contains(": +"), "{words}");
        assert_eq!(run(1).0, bytes);
        assert_ne!(run(2).0, bytes);
    }
}
