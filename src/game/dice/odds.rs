//! The chance that the side to move wins with its next move: known exactly, so no network need guess it.

use super::{Bits, Board, Side, Width};
use crate::game::Value;

/// Of `open` lines that can be rolled, `winning` hold a cell that completes k in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// Lines with a winning cell.
    pub winning: u32,
    /// Lines with an empty cell.
    pub open: u32,
}

/// The cells on which an opponent's checker makes a side's odds other than they are.
#[derive(Clone, Copy, Debug)]
pub struct Spoils<B> {
    /// Threats that are alone in their line.
    pub(super) blocking: B,
    /// The last empty cells of lines.
    pub(super) closing: B,
}

impl<B: Width> Spoils<B> {
    /// Those of the odds of `side`; none if it has no threats, when odds are [`Odds::NONE`].
    #[inline]
    pub fn of(board: &Board<B>, side: Side) -> Spoils<B> {
        let mut spoils = Spoils { blocking: B::default(), closing: B::default() };
        let (threats, empty) = (board.threats_of(side), board.empty_cells());
        if threats.is_empty() {
            return spoils;
        }
        let alone = |cells: B| if cells.without_lowest().is_empty() { cells } else { B::default() };
        for &line in board.lines(side) {
            spoils.blocking = spoils.blocking | alone(line & threats);
            spoils.closing = spoils.closing | alone(line & empty);
        }
        spoils
    }

    /// Whether a cell is one of them.
    #[inline]
    pub fn has(&self, bit: usize) -> bool {
        (self.blocking | self.closing).has(bit)
    }
}

impl Odds {
    /// Nothing to win.
    pub const NONE: Odds = Odds { winning: 0, open: 1 };

    /// The odds of `side`, were it to roll now.
    #[inline]
    pub fn of<B: Width>(board: &Board<B>, side: Side) -> Odds {
        let (threats, empty) = (board.threats_of(side), board.empty_cells());
        if threats.is_empty() {
            // How many lines are open does not matter.
            return Odds::NONE;
        }
        let mut odds = Odds { winning: 0, open: 0 };
        for line in board.lines(side) {
            odds.open += u32::from(line.meets(empty));
            odds.winning += u32::from(line.meets(threats));
        }
        odds
    }

    /// The odds after the opponent has played on bit `played`, from what cells spoil.
    #[inline]
    pub fn spoilt<B: Bits>(self, spoils: Spoils<B>, played: usize) -> Odds {
        let (blocks, closes) = (spoils.blocking.has(played), spoils.closing.has(played));
        Odds { winning: self.winning - u32::from(blocks), open: self.open - u32::from(closes) }
    }

    /// The worth of rolling now, if `otherwise` (in steps of 2⁻²⁴) is the worth when no win is rolled.
    #[inline]
    pub fn blend(self, otherwise: i32) -> Value {
        let raw = match self.winning {
            0 => otherwise,
            _ => {
                let (winning, open) = (self.winning as i32, self.open.max(1) as i32);
                (winning * Value::WIN.raw() + (open - winning) * otherwise) / open
            }
        };
        Value::from_legal(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::Position;
    use crate::game::{Game, Step};

    #[test]
    fn odds_by_hand() {
        let cases = [
            ("5 4 b -1 - - - - - - - - - - - - - - - - - - - - - - - - -", (0, 1)),
            // Blue completes the row from either end: one line of five.
            ("5 4 b -1 - b b b - r - - r - - r - - - - - - - - - - - - -", (1, 5)),
            // The diagonal's two ends lie in two rows.
            ("5 4 b -1 - - - - - r b - - - r - b - - - - - b - r - - - -", (2, 5)),
        ];
        for (dpn, (winning, open)) in cases {
            let board = Position::from_dpn(dpn).unwrap();
            assert_eq!(Odds::of(&board, Side::Blue), Odds { winning, open }, "{dpn}");
        }
    }

    #[test]
    fn odds_follow_a_move() {
        for seed in 0..200 {
            let mut board = Position::new(crate::game::dice::Shape::new(4, 3).unwrap());
            for ply in 0.. {
                let Some(roll) = crate::game::dice::rolls::roll(seed, ply, &board) else { break };
                board = board.with_roll(roll.into()).unwrap();
                let them = board.side().other();
                let before = Odds::of(&board, them);
                let spoils = Spoils::of(&board, them);
                for mv in board.moves() {
                    let next = board.child(Step::Move(mv));
                    let after = before.spoilt(spoils, usize::from(mv.0));
                    let fresh = Odds::of(&next, them);
                    assert_eq!(after.winning, fresh.winning);
                    assert!(fresh.winning == 0 || after == fresh);
                }
                let moves = board.moves();
                board = board.child(Step::Move(moves[(seed + u64::from(ply)) as usize % moves.len()]));
            }
        }
    }
}
