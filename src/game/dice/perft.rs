//! Counting lines of play: the number that shows whether two programs agree on the rules.

use super::{Board, Position, Width};
use crate::game::{Game, Kind};
use crate::with_width;

/// Count the lines of exactly `plies` plies, a roll and a move each counting one; a game that ends sooner adds none.
///
/// `each` is told every root branch and its share as it is counted. `None` if `stopped` came true on the way.
pub fn perft(
    position: &Position,
    plies: u32,
    stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(String, u64),
) -> Option<u64> {
    with_width!(position.shape(), B => divide::<B>(&position.to_width(), plies, stopped, each))
}

fn divide<B: Width>(
    board: &Board<B>,
    plies: u32,
    stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(String, u64),
) -> Option<u64> {
    if plies == 0 {
        return Some(1);
    }
    let branches: Vec<(String, Board<B>)> = match board.kind() {
        Kind::Over(_) => Vec::new(),
        Kind::Chance => board.outcomes().map(|o| (format!("roll {}", o.id), board.rolled(o.id).0)).collect(),
        Kind::Decision => {
            board.moves().iter().map(|&mv| (board.move_cell(mv).to_string(), board.after(mv).0)).collect()
        }
    };
    let mut total = 0;
    for (name, child) in branches {
        let lines = count(&child, plies - 1, stopped)?;
        each(name, lines);
        total += lines;
    }
    Some(total)
}

fn count<B: Width>(board: &Board<B>, plies: u32, stopped: &dyn Fn() -> bool) -> Option<u64> {
    match (board.kind(), plies) {
        (_, 0) => Some(1),
        (Kind::Over(_), _) => Some(0),
        (Kind::Chance, 1) => Some(board.open_lines().len() as u64),
        // Every empty cell lies in exactly one line of the side to move.
        (Kind::Chance, 2) => Some(board.empty_count() as u64),
        (Kind::Decision, 1) => Some(board.moves().len() as u64),
        _ if stopped() => None,
        (Kind::Chance, _) => {
            board.outcomes().try_fold(0, |sum, o| Some(sum + count(&board.rolled(o.id).0, plies - 1, stopped)?))
        }
        (Kind::Decision, _) => {
            board.moves().iter().try_fold(0, |sum, &mv| Some(sum + count(&board.after(mv).0, plies - 1, stopped)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::Shape;

    fn total(position: &Position, plies: u32) -> Option<u64> {
        let mut shares = 0;
        let total = perft(position, plies, &|| false, &mut |_, lines| shares += lines)?;
        assert!(plies == 0 || shares == total);
        Some(total)
    }

    #[test]
    fn the_smallest_board_has_known_counts() {
        let start = Position::new(Shape::new(3, 3).unwrap());
        for (plies, lines) in [(0, 1), (1, 3), (2, 9), (6, 504), (10, 15_120), (14, 148_176)] {
            assert_eq!(total(&start, plies), Some(lines), "{plies} plies");
        }
    }

    /// The first plies of an empty board can be counted by hand: every cell, then every other cell, and so on.
    #[test]
    fn every_size_counts_its_cells() {
        for size in 3..=17_u64 {
            let start = Position::new(Shape::new(size as usize, 3).unwrap());
            let cells = size * size;
            assert_eq!(total(&start, 4), Some(cells * (cells - 1)), "size {size}");
            assert_eq!(total(&start, 3), Some(cells * size), "size {size}");
        }
    }

    #[test]
    fn finished_games_have_no_lines_and_a_stop_is_obeyed() {
        let over = Position::from_dpn("3 3 r -1 b b b r r - - - -").unwrap();
        assert_eq!(total(&over, 1), Some(0));
        let start = Position::new(Shape::default());
        assert_eq!(perft(&start, 30, &|| true, &mut |_, _| ()), None);
    }
}
