//! An upper bound on the value of a line to a side that cannot win at once: the opponent's next roll may.

use super::{Board, Odds, Spoils, Width};
use crate::game::Value;

/// What the opponent's threats leave the side to move at best, when it must play in some line and cannot win there: after
/// the best block, the opponent still wins at once with every roll whose line holds a threat.
pub(super) struct ReplyBounds<B> {
    /// The opponent's.
    odds: Odds,
    spoils: Spoils<B>,
    empty: B,
}

impl<B: Width> ReplyBounds<B> {
    /// For the side to move; its opponent must have threats.
    pub fn of(board: &Board<B>) -> ReplyBounds<B> {
        let them = board.side().other();
        ReplyBounds { odds: Odds::of(board, them), spoils: Spoils::of(board, them), empty: board.empty_cells() }
    }

    /// The bound of a line: that of its best cell.
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
    use crate::game::dice::Move;
    use crate::game::dice::{Bits, Position, Shape, rolls};
    use crate::game::{Game, Step};

    /// The worth of a line is that of its best cell, each looked at for itself: of playing there, and then losing with every
    /// roll that lets the opponent win.
    #[test]
    fn bounds_are_those_of_the_best_cell() {
        let worth = |next: &Position| match Odds::of(next, next.side()) {
            _ if next.empty_count() == 0 => Value::DRAW,
            Odds { winning, open } => {
                let lost = 2 * i64::from(winning) - i64::from(open);
                -Value::from_raw((i64::from(Value::WIN.raw()) * lost).div_euclid(open.into()))
            }
        };
        let (mut unlike, mut last_cells) = (0, 0);
        for (seed, (n, k)) in (0..400).flat_map(|seed| [(3, 3), (4, 3), (5, 4)].map(|shape| (seed, shape))) {
            let mut board = Position::new(Shape::new(n, k).unwrap());
            for ply in 0.. {
                let Some(roll) = rolls::roll(seed, ply, &board) else { break };
                let [own, theirs] = [board.side(), board.side().other()].map(|side| board.threats_of(side));
                let lines = board.lines(board.side()).iter();
                for &line in lines.filter(|line| line.meets(board.empty_cells()) && !line.meets(own)) {
                    if theirs.is_empty() {
                        continue;
                    }
                    let cells = (line & board.empty_cells()).iter();
                    let values: Vec<Value> =
                        cells.map(|bit| worth(&board.child(Step::Move(Move(bit as u16))))).collect();
                    let best = *values.iter().max().unwrap();
                    assert_eq!(ReplyBounds::of(&board).of_line(line), best, "{}", board.dpn());
                    unlike += usize::from(values.iter().any(|&value| value != best));
                    last_cells += usize::from(board.empty_count() == 1);
                }
                board = board.with_roll(roll.into()).unwrap();
                let moves = board.moves();
                board = board.child(Step::Move(moves[(seed + u64::from(ply)) as usize % moves.len()]));
            }
        }
        assert!(unlike > 100 && last_cells > 0, "{unlike} {last_cells}");
    }
}
