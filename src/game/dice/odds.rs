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
    blocking: B,
    /// The last empty cells of lines.
    closing: B,
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
        Odds::with(board.lines(side), board.threats_of(side), board.empty_cells())
    }

    /// The odds of a side that plays in `lines` and wins on `threats`.
    #[inline]
    pub fn with<B: Bits>(lines: &[B], threats: B, empty: B) -> Odds {
        if threats.is_empty() {
            // How many lines are open does not matter.
            return Odds::NONE;
        }
        let mut odds = Odds { winning: 0, open: 0 };
        for line in lines {
            odds.open += u32::from(line.meets(empty));
            odds.winning += u32::from(line.meets(threats));
        }
        odds
    }

    /// The odds of `side` after its opponent has played on bit `played` of `board`, from those before: only the line
    /// through that cell is not what it was.
    #[inline]
    pub fn after<B: Width>(self, board: &Board<B>, side: Side, played: usize) -> Odds {
        let threats = board.threats_of(side);
        if threats.is_empty() {
            return self;
        }
        let line = board.line_through(side, played) & !B::bit(played);
        let closes = !line.meets(board.empty_cells());
        let blocks = threats.has(played) && !line.meets(threats);
        Odds { winning: self.winning - u32::from(blocks), open: self.open - u32::from(closes) }
    }

    /// The same for any cell, from what cells spoil.
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

/// What the opponent's threats leave the side to move at best, when it must play in some line and cannot win there: after
/// the best block, the opponent still wins at once with every roll whose line holds a threat.
pub(super) struct Hopes<B> {
    /// The opponent's.
    odds: Odds,
    spoils: Spoils<B>,
    empty: B,
}

impl<B: Width> Hopes<B> {
    /// Those of the side to move; its opponent must have threats.
    pub fn of(board: &Board<B>) -> Hopes<B> {
        let them = board.side().other();
        Hopes { odds: Odds::of(board, them), spoils: Spoils::of(board, them), empty: board.empty_cells() }
    }

    /// The worth of the best cell of a line.
    #[inline]
    pub fn of_line(&self, line: B) -> Value {
        let cells = line & self.empty;
        let Spoils { blocking, closing } = self.spoils;
        // One winning line less is worth more than one line more to roll, and to close a line that does not win is worst.
        let kinds = [blocking & !closing, blocking & closing, !blocking & !closing];
        let (blocks, closes) = match kinds.map(|kind| cells.meets(kind)) {
            [true, ..] => (1, 0),
            [_, true, _] => (1, 1),
            [_, _, true] => (0, 0),
            _ => (0, 1),
        };
        let (lost, open) = (i64::from(self.odds.winning - blocks), i64::from(self.odds.open - closes));
        if open == 0 {
            return Value::DRAW;
        }
        -Value::from_raw((i64::from(Value::WIN.raw()) * (2 * lost - open)).div_euclid(open))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::dice::Position;

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
                    let (next, _) = board.after(mv);
                    let after = before.after(&board, them, usize::from(mv.0));
                    assert_eq!(before.spoilt(spoils, usize::from(mv.0)), after);
                    let fresh = Odds::of(&next, them);
                    assert_eq!(after.winning, fresh.winning);
                    assert!(fresh.winning == 0 || after == fresh);
                }
                let moves = board.moves();
                board = board.after(moves[(seed + u64::from(ply)) as usize % moves.len()]).0;
            }
        }
    }

    /// The worth of a line is that of its best cell, each looked at for itself.
    #[test]
    fn hopes_are_those_of_the_best_cell() {
        let mut kinds = [0; 3];
        for (shape, seed) in
            [(3, 3), (4, 3), (5, 4)].into_iter().flat_map(|shape| (0..300).map(move |seed| (shape, seed)))
        {
            let mut board = Position::new(crate::game::dice::Shape::new(shape.0, shape.1).unwrap());
            for ply in 0.. {
                let Some(roll) = crate::game::dice::rolls::roll(seed, ply, &board) else { break };
                let them = board.side().other();
                if !board.threats_of(them).is_empty() {
                    let hopes = Hopes::of(&board);
                    for &line in board.lines(board.side()).iter().filter(|line| line.meets(board.empty_cells())) {
                        let worth = |bit| match Odds::of(&board, them).after(&board, them, bit) {
                            Odds { open: 0, .. } => Value::DRAW,
                            odds => -Value::from_raw(
                                (i64::from(Value::WIN.raw()) * (2 * i64::from(odds.winning) - i64::from(odds.open)))
                                    .div_euclid(odds.open.into()),
                            ),
                        };
                        let cells = (line & board.empty_cells()).iter();
                        let values: Vec<Value> = cells.map(worth).collect();
                        let best = *values.iter().max().unwrap();
                        assert_eq!(hopes.of_line(line), best, "{}", board.dpn());
                        kinds[0] += usize::from(values.iter().any(|&value| value != best));
                        kinds[1] += usize::from(best == Value::DRAW);
                        kinds[2] += 1;
                    }
                }
                board = board.with_roll(roll.into()).unwrap();
                let moves = board.moves();
                board = board.after(moves[(seed + u64::from(ply)) as usize % moves.len()]).0;
            }
        }
        assert!(kinds.iter().all(|&seen| seen > 20), "{kinds:?}");
    }
}
