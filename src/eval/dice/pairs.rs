//! Hauk's evaluation of Dice (2004): the difference of the two sides' pairs.
//!
//! A pair is two of one's own in a line, adjacent or with one empty cell between. The difference goes through a
//! hyperbolic tangent of a fitted scale, so that the value is proportional to the expected outcome.

use crate::eval::nn::squash::squash;
use crate::game::Value;
use crate::game::dice::{Bits, Board, Shape, Side, Width};

/// How many pairs a set of checkers has.
fn count<B: Bits>(own: B, empty: B) -> i32 {
    let directions = [1, B::STRIDE - 1, B::STRIDE, B::STRIDE + 1];
    let pairs = directions.into_iter().map(|step| {
        let near = own & own.down(step);
        let apart = own & empty.down(step) & own.down(step).down(step);
        near.count() + apart.count()
    });
    pairs.sum::<u32>() as i32
}

/// How many pairs `side` has.
pub fn pairs_of<B: Width>(board: &Board<B>, side: Side) -> i32 {
    count(board.checkers_of(side), board.empty_cells())
}

/// Binary digits of a scale.
const SHIFT: u32 = 16;

/// Scales fitted to the outcomes of games that `pairs` played against itself at depth 1, one move in ten at random, by
/// least squares over all their positions: `alea-train fit-pairs` prints this table. 9/8, where almost every game is
/// drawn, is given the least scale that still tells positions apart. Other shapes take the scale of the entry nearest
/// in win length, then in size.
const SCALES: [(u8, u8, f64); 11] = [
    (5, 4, 0.0538),
    (7, 4, 0.0302),
    (9, 4, 0.0373),
    (9, 6, 0.0058),
    (9, 8, 0.002),
    (13, 4, 0.0416),
    (13, 6, 0.0168),
    (13, 8, 0.0025),
    (17, 4, 0.0225),
    (17, 6, 0.0263),
    (17, 8, 0.0107),
];

/// What one pair is worth before the tangent, in steps of 2⁻¹⁶.
pub fn scale(shape: Shape) -> i32 {
    let away = |&&(size, win, _): &&(u8, u8, f64)| {
        (shape.win().abs_diff(usize::from(win)), shape.size().abs_diff(usize::from(size)))
    };
    let nearest = SCALES.iter().min_by_key(away).map_or(0.05, |&(_, _, scale)| scale);
    (nearest * f64::from(1 << SHIFT)) as i32
}

/// The value for the side to move of `lead` more pairs than the opponent.
pub fn value_of(lead: i32, scale: i32) -> Value {
    Value::from_raw(squash(lead.saturating_mul(scale), SHIFT).into())
}

/// The value of an undecided position for the side to move.
pub fn value<B: Width>(board: &Board<B>, scale: i32) -> Value {
    let (own, other) = (board.side(), board.side().other());
    value_of(pairs_of(board, own) - pairs_of(board, other), scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::Position;

    #[test]
    fn pairs_by_hand() {
        let cases = [
            // Two blues a cell apart; nothing for red.
            ("4 3 b -1 b - b - - - - - r - - - - - - r", (1, 0)),
            // The cell between is taken: no pair. Blue's other two are adjacent across a diagonal.
            ("4 3 b -1 b r b - - - - - - - - - - - - r", (0, 0)),
            ("4 3 b -1 b r - - - b - - - - - - - - - r", (1, 0)),
            // Three in a column: two adjacent pairs, none with an empty cell between.
            ("4 3 r -1 b r - - b r - - b - - - - - - -", (2, 1)),
            // No pair round the edge: d1 and a2, d1 and b2.
            ("4 3 b -1 - - - b b b - - - r - - - r - r", (1, 2)),
            // Two apart is no pair.
            ("4 3 b -1 b - - b - - - - r - - r - - - -", (0, 0)),
        ];
        for (dpn, (blue, red)) in cases {
            let board = Position::from_dpn(dpn).unwrap();
            let narrow = board.to_width::<u64>();
            assert_eq!((pairs_of(&board, Side::Blue), pairs_of(&board, Side::Red)), (blue, red), "{dpn}");
            assert_eq!((pairs_of(&narrow, Side::Blue), pairs_of(&narrow, Side::Red)), (blue, red), "{dpn}");
        }
    }

    #[test]
    fn values_are_odd_and_rise() {
        for shape in [(3, 3), (5, 4), (17, 17)] {
            let scale = scale(Shape::new(shape.0, shape.1).unwrap());
            assert!(scale > 0);
            assert_eq!(value_of(0, scale), Value::DRAW);
            for lead in 0..40 {
                assert_eq!(value_of(-lead, scale), -value_of(lead, scale));
                assert!(value_of(lead + 1, scale) >= value_of(lead, scale));
                assert!(value_of(lead, scale) < Value::WIN);
            }
        }
    }
}
