//! Counting lines of play: the number that shows whether two programs agree on the rules.

use super::{Kind, Notation, Outcome, Shortcuts, Step};

/// Count the lines of exactly `steps` steps, outcomes as people tell them apart and moves each counting one; a game that
/// ends sooner adds none.
///
/// `each` is told every root branch and its share as it is counted. `None` if `stopped` came true on the way.
pub fn perft<G: Notation + Shortcuts>(
    game: &G,
    steps: u32,
    stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(String, u64),
) -> Option<u64> {
    if steps == 0 {
        return Some(1);
    }
    let mut total = 0;
    for (name, step) in branches(game) {
        let lines = count(&game.child(step), steps - 1, stopped)?;
        each(name, lines);
        total += lines;
    }
    Some(total)
}

fn branches<G: Notation + Shortcuts>(game: &G) -> Vec<(String, Step<G::Move>)> {
    match game.kind() {
        Kind::Over(_) => Vec::new(),
        Kind::Chance => {
            let branch = |face: Outcome| (format!("roll {}", game.outcome_text(face.id)), Step::Outcome(face.id));
            game.faces().into_iter().map(branch).collect()
        }
        Kind::Decision => game.moves().iter().map(|&mv| (game.move_text(mv), Step::Move(mv))).collect(),
    }
}

fn count<G: Notation + Shortcuts>(game: &G, steps: u32, stopped: &dyn Fn() -> bool) -> Option<u64> {
    match (game.kind(), steps) {
        (_, 0) => Some(1),
        (Kind::Over(_), _) => Some(0),
        (Kind::Decision, 1) => Some(game.moves().len() as u64),
        (Kind::Chance, 1) => Some(game.outcomes().map(|outcome| u64::from(game.faces_of(outcome))).sum()),
        _ if stopped() => None,
        // Faces that are one outcome to the search have equally many lines behind them.
        (Kind::Chance, _) => game.outcomes().try_fold(0, |sum, outcome| {
            let lines = count(&game.child(Step::Outcome(outcome.id)), steps - 1, stopped)?;
            Some(sum + u64::from(game.faces_of(outcome)) * lines)
        }),
        (Kind::Decision, _) => {
            let lines = |mv| count(&game.child(Step::Move(mv)), steps - 1, stopped);
            game.moves().iter().try_fold(0, |sum, &mv| Some(sum + lines(mv)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::{Position, Shape};

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
