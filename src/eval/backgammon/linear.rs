//! A linear evaluation in the manner of Tesauro's `pubeval` (1993): a weighted sum over how many checkers stand on each
//! point, with one set of weights while the sides still have to pass each other and another for the race. What a pocket
//! calculator would play, and so the yardstick of whatever claims to understand the game.
//!
//! The weights are made by `alea-train fit-linear`, from games that the evaluation plays against itself.

use crate::eval::nn::squash::squash;
use crate::game::Value;
use crate::game::backgammon::{BAR, OFF, Position};

/// Inputs of one point: one checker; two or more; three or more; those beyond the third.
const POINT_INPUTS: usize = 4;
/// Inputs of one side: its 24 points, its bar, and what it has borne off.
const SIDE_INPUTS: usize = 24 * POINT_INPUTS + 2;
/// All inputs: the mover's, the opponent's, and one that is always there.
pub const INPUTS: usize = 2 * SIDE_INPUTS + 1;
/// Binary digits of the fractions that weights are.
pub const SHIFT: u32 = 12;

/// The weights, those of contact first.
pub type Weights = [[i16; INPUTS]; 2];

static WEIGHTS: Weights = {
    const BYTES: &[u8; 2 * INPUTS * 2] = include_bytes!("linear.weights");
    let mut weights = [[0; INPUTS]; 2];
    let mut i = 0;
    while i < 2 * INPUTS {
        weights[i / INPUTS][i % INPUTS] = i16::from_le_bytes([BYTES[2 * i], BYTES[2 * i + 1]]);
        i += 1;
    }
    weights
};

/// Tell `take` every input that is not zero, with its amount.
#[inline(always)]
pub fn for_each_input(position: &Position, mut take: impl FnMut(usize, i32)) {
    for (side, player) in [position.mover(), position.mover().other()].into_iter().enumerate() {
        let first = side * SIDE_INPUTS;
        let checkers = position.checkers(player);
        let mut points = position.occupied(player) & !(1 << BAR);
        while points != 0 {
            let point = points.trailing_zeros() as usize;
            points &= points - 1;
            let inputs = first + (point - 1) * POINT_INPUTS;
            match i32::from(checkers[point]) {
                1 => take(inputs, 1),
                count => {
                    take(inputs + 1, 1);
                    if count > 2 {
                        take(inputs + 2, 1);
                        take(inputs + 3, count - 3);
                    }
                }
            }
        }
        for (place, input) in [(BAR, SIDE_INPUTS - 2), (OFF, SIDE_INPUTS - 1)] {
            let count = i32::from(checkers[usize::from(place)]);
            if count > 0 {
                take(first + input, count);
            }
        }
    }
    take(INPUTS - 1, 1);
}

/// The value under some weights.
pub fn value_by(weights: &Weights, position: &Position) -> Value {
    let weights = &weights[usize::from(position.is_race())];
    let mut sum = 0;
    // At most 2 * (15 + 15) + 1 amounts of at most 15: far from the limits of 32 bits.
    for_each_input(position, |input, amount| sum += i32::from(weights[input]) * amount);
    Value::from_legal(squash(sum, SHIFT))
}

/// The value.
pub fn value(position: &Position) -> Value {
    value_by(&WEIGHTS, position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Player, Step};

    /// The inputs as the comments define them, over positions of random games.
    #[test]
    fn inputs_are_as_defined() {
        for seed in 0..30 {
            let mut position = Position::opening();
            for ply in 0.. {
                let mut found = [0; INPUTS];
                for_each_input(&position, |input, amount| found[input] += amount);
                let mut expected = Vec::new();
                for player in [position.mover(), position.mover().other()] {
                    let checkers = position.checkers(player).map(i32::from);
                    for count in &checkers[1..25] {
                        let at_least = |n| i32::from(*count >= n);
                        expected.extend([i32::from(*count == 1), at_least(2), at_least(3), (count - 3).max(0)]);
                    }
                    expected.extend([checkers[25], checkers[0]]);
                }
                expected.push(1);
                assert_eq!(found.as_slice(), expected);
                let meets = |point: usize| {
                    let enemies = position.checkers(Player::Second);
                    position.checkers(Player::First)[point] > 0 && enemies[26 - point..].iter().any(|&n| n > 0)
                };
                assert_eq!(position.is_race(), !(1..=25).any(meets), "{position:?}");
                let Some(roll) = position.chance(seed, ply) else { break };
                position = position.child(Step::Outcome(roll));
                let moves = position.moves();
                let pick = crate::game::mix(seed ^ u64::from(ply) << 32) as usize % moves.len();
                position = position.child(Step::Move(moves[pick]));
            }
            assert!(position.win().is_some());
        }
    }

    #[test]
    fn a_lead_is_worth_something() {
        let value = |id: &str| value(&Position::from_xgid(id).unwrap()).to_f64() * 3.0;
        let race = value("XGID=--BBDDC-----------cddbb---:0:0:1:00:0:0:0:0:10");
        let behind = value("XGID=--BBDDC-----------cddbb---:0:0:-1:00:0:0:0:0:10");
        assert!(race > behind, "{race} {behind}");
        let start = value("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
        assert!((-0.1..0.3).contains(&start), "{start}");
        // A closed board, and two checkers of the opponent's on the bar.
        assert!(value("XGID=bBBBBBBC------------ddda--:0:0:1:00:0:0:0:0:10") > 0.8);
    }
}
