//! The exact worth of positions on small boards, for targets: from the book where it reaches, beyond it by sweeps.
//!
//! One sweep gives the worth of everything that can come of a position, so many games are played on from each that is swept.

use alea::eval::dice::Incremental;
use alea::game::dice::{Board, Side};
use alea::sweep::dice::book::shipped_book;
use alea::sweep::dice::{DiceSweep, Setup, Solved};
use alea::sweep::value;

/// What is known of a game's positions.
#[derive(Default)]
pub struct Truth {
    swept: Option<Solved>,
}

impl Truth {
    /// Sweep all that can come of a position, if its board is small enough; what was swept before is forgotten.
    pub fn sweep<B: Incremental>(&mut self, board: &Board<B>) {
        self.swept = Setup::of(&board.to_width()).map(|setup| Solved::throughout(DiceSweep::new(setup)));
    }

    /// The worth of a position that has not been rolled to the side to move, if it is known.
    pub fn known<B: Incremental>(&self, board: &Board<B>) -> Option<f64> {
        let setup = Setup::of(&board.to_width())?;
        let in_book = shipped_book().and_then(|book| book.number(&setup));
        let number = in_book.or_else(|| self.swept.as_ref()?.number(&setup))?;
        Some(value(if setup.side == Side::Blue { number } else { -number }).to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endings;
    use alea::game::dice::{Position, Shape};
    use alea::game::{Game, Kind, Step};

    #[test]
    fn agrees_with_the_search() {
        for (shape, empty) in [((5, 4), 7..=11), ((5, 3), 8..=10), ((4, 4), 6..=9)] {
            let shape = Shape::new(shape.0, shape.1).unwrap();
            let positions = endings::positions(shape, empty, 20, 3);
            assert_eq!(positions.len(), 20);
            let mut solver = endings::Solver::new().unwrap();
            for position in positions {
                let mut truth = Truth::default();
                truth.sweep(&position.without_roll());
                for mv in position.moves() {
                    let after: Position = position.child(Step::Move(mv));
                    if after.kind() == Kind::Chance {
                        let (known, worth) = (truth.known(&after).unwrap(), solver.worth(&after).unwrap().to_f64());
                        assert!((known - worth).abs() < 1e-6, "{}: {known} {worth}", after.dpn());
                    }
                }
            }
        }
    }

    /// Wherever a sweep begins: what is learnt from does not depend on what was swept before.
    #[test]
    fn a_position_has_one_worth() {
        for position in endings::positions(Shape::default(), 12..=14, 12, 5) {
            let board = position.without_roll();
            let (mut early, mut late) = (Truth::default(), Truth::default());
            early.sweep(&board);
            for mv in position.moves() {
                let after = position.child(Step::Move(mv));
                if after.kind() == Kind::Chance {
                    late.sweep(&after);
                    assert_eq!(early.known(&after), late.known(&after), "{}", after.dpn());
                }
            }
        }
    }

    #[test]
    fn the_book_knows_the_first_checkers_and_large_boards_are_unknown() {
        let truth = Truth::default();
        let worth = truth.known(&Position::new(Shape::default())).unwrap();
        assert!((worth - 0.136738).abs() < 4e-5, "{worth}");
        let mut truth = Truth::default();
        let large = Position::new(Shape::new(6, 4).unwrap());
        truth.sweep(&large);
        assert_eq!(truth.known(&large), None);
    }
}
