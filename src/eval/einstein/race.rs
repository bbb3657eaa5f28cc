//! The plain race: who needs fewer steps to the opponent's corner, whatever the die shows.
//!
//! A side's count is the sum, over the six faces, of the steps that the foremost cube it may move still needs. The
//! difference goes through a hyperbolic tangent of a fitted scale, so that the value is proportional to the expected outcome.

use crate::eval::nn::squash::squash;
use crate::game::einstein::{CUBES, Cube, Position, SIZE, goal, movable};
use crate::game::{Player, Value};

/// Binary digits of the scale.
const SHIFT: u32 = 16;
/// What one step on one face is worth before the tangent, fitted to the outcomes of games that `race` played against itself.
const SCALE: f64 = 0.07;
/// How many of them it is worth to be the next to roll.
const TEMPO: i32 = 2;

/// How many steps a cube needs.
pub fn steps(player: Player, cell: u8) -> i32 {
    let (size, goal) = (SIZE as u8, goal(player));
    (cell % size).abs_diff(goal % size).max((cell / size).abs_diff(goal / size)).into()
}

/// The sum of the steps that the foremost cube each face lets move needs.
pub fn count(position: &Position, player: Player) -> i32 {
    let cubes: [Option<i32>; CUBES] = std::array::from_fn(|cube| {
        position.cell_of(Cube { owner: player, number: cube as u8 + 1 }).map(|cell| steps(player, cell))
    });
    let foremost = |face| {
        let movable = movable(position.left(player), face);
        (0..CUBES).filter(|cube| movable & 1 << cube != 0).filter_map(|cube| cubes[cube]).min().unwrap_or(SIZE as i32)
    };
    (1..=CUBES as u8).map(foremost).sum()
}

/// How far the mover is ahead.
pub fn lead(position: &Position) -> i32 {
    let mover = position.mover();
    count(position, mover.other()) - count(position, mover) + TEMPO
}

/// The value of an undecided position for the mover.
pub fn value(position: &Position) -> Value {
    const RAW: i32 = (SCALE * (1 << SHIFT) as f64) as i32;
    Value::from_raw(squash(lead(position) * RAW, SHIFT).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;
    use crate::game::{Game, Kind};

    fn position(fen: &str) -> Position {
        Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn counts_by_hand() {
        let cases = [
            // Corner, two steps of the outermost row and column, and between: 4 steps, 4, 4, 4, 3 and 4.
            ("123../45.../6...F/...ED/..CBA b -", [23, 23]),
            // One cube each: every face moves it.
            ("...../...../..1../....A/..... b -", [12, 24]),
            // Cube 2 needs 3 steps, cube 5 needs 1: faces 1 and 2 move the one, 3 to 6 may move the other.
            ("...../.2.../...../...5./....A b -", [10, 24]),
        ];
        for (fen, counts) in cases {
            assert_eq!(Player::BOTH.map(|player| count(&position(fen), player)), counts, "{fen}");
        }
    }

    #[test]
    fn a_step_forward_is_better_and_values_are_legal() {
        let start = position("123../45.../6...F/...ED/..CBA b 1");
        for mv in start.moves() {
            let next = start.child(Step::Move(mv));
            assert_eq!(next.kind(), Kind::Chance);
            assert!(value(&next).raw().abs() < Value::WIN.raw());
        }
        let [behind, ahead] = ["1..../...../...../...../.F..A b -", "...../.1.../...../...../.F..A b -"].map(position);
        assert!(value(&behind) < value(&ahead));
        assert_eq!(lead(&behind), count(&behind, Player::Second) - count(&behind, Player::First) + TEMPO);
    }
}
