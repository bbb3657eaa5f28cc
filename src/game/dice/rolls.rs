//! The dice of a game of Dice: a pure function of a seed and a ply.

use super::{Board, Width};
use crate::game::{Game, draw};

/// The line that `seed` rolls at `ply` (0 for the first roll of a game), drawn uniformly from the open lines of an
/// unfinished position; `None` where the game is over.
pub fn roll<B: Width>(seed: u64, ply: u32, board: &Board<B>) -> Option<u8> {
    let open: crate::game::ArrayVec<_, { super::MAX_SIZE }> = board.outcomes().collect();
    draw(seed, ply, open.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::{Position, Shape};

    #[test]
    fn rolls_are_fixed_for_ever() {
        let board = Position::new(Shape::new(6, 4).unwrap());
        let rolls: Vec<u8> = (0..12).map(|ply| roll(7, ply, &board).unwrap()).collect();
        assert_eq!(rolls, [4, 2, 0, 1, 2, 2, 2, 1, 3, 5, 3, 3]);
    }

    #[test]
    fn rolls_are_uniform_over_open_lines() {
        let board = Position::from_dpn("3 3 b -1 b r b - - - r - -").unwrap();
        assert_eq!(board.open_lines().as_slice(), [1, 2]);
        let second = (0..10_000).filter(|&seed| roll(seed, 3, &board) == Some(2)).count();
        assert!((4_800..5_200).contains(&second), "{second} of 10000");
    }
}
