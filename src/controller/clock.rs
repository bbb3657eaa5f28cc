//! How much of the clock one move may take.

use std::time::Duration;

use crate::protocol::Clock;

/// A game seldom lasts until a large board is full: no more moves than this are planned for.
const HORIZON: usize = 20;

/// Milliseconds, where careless clients send negative ones.
pub fn span(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.max(0) as u64)
}

/// The time for one move, from the mover's clock, the moves until it is set again, the empty cells and what is kept
/// back. Never more than four fifths of what is left, so that no clock runs out.
pub fn allot(left: i64, clock: Clock, movestogo: Option<u32>, empty: usize, overhead: Duration) -> Duration {
    let left = span(left).saturating_sub(overhead);
    // Both sides fill the board in turn, so half of the empty cells are the mover's.
    let own_moves = empty.div_ceil(2);
    let to_go = movestogo.map_or(usize::MAX, |moves| moves as usize);
    let planned = own_moves.min(HORIZON).min(to_go).max(1);
    let share = left / planned as u32 + span(clock.increment.unwrap_or(0)).mul_f64(0.9);
    share.min(left.mul_f64(0.8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allotted(left: i64, increment: i64, movestogo: Option<u32>, empty: usize) -> u128 {
        let clock = Clock { time: Some(left), increment: Some(increment) };
        allot(left, clock, movestogo, empty, Duration::from_millis(10)).as_millis()
    }

    #[test]
    fn shares_of_the_clock() {
        let cases = [
            // left, increment, movestogo, empty, allotted
            (10_010, 0, None, 289, 500),
            (10_010, 0, None, 10, 2_000),
            (10_010, 0, Some(4), 289, 2_500),
            (10_010, 0, Some(1), 289, 8_000),
            (10_010, 1_000, None, 289, 1_400),
            (1_010, 60_000, None, 25, 800),
            (10, 1_000, None, 25, 0),
            (0, 0, None, 25, 0),
            (-500, -5, Some(7), 25, 0),
        ];
        for (left, increment, movestogo, empty, expected) in cases {
            assert_eq!(
                allotted(left, increment, movestogo, empty),
                expected,
                "{left} {increment} {movestogo:?} {empty}"
            );
        }
    }

    #[test]
    fn extreme_times_do_no_harm() {
        for left in [i64::MIN, 0, crate::protocol::MAX_MILLISECONDS] {
            for increment in [i64::MIN, 0, crate::protocol::MAX_MILLISECONDS] {
                assert!(allotted(left, increment, Some(u32::MAX), 0) <= left.max(0) as u128);
            }
        }
    }
}
