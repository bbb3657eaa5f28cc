//! How much of the clock one move may take.

use std::time::Duration;

use crate::protocol::Clock;

/// Few games last as long as they could: no more moves than this are planned for.
const HORIZON: usize = 20;

/// Milliseconds, where careless clients send negative ones.
pub fn span(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.max(0) as u64)
}

/// The time for one move, from the mover's clock, the moves until it is set again, the moves that it is likely to make still,
/// and what is kept back. Never more than four fifths of what is left, so that no clock runs out.
pub fn allot(left: i64, clock: Clock, movestogo: Option<u32>, likely: usize, overhead: Duration) -> Duration {
    let left = span(left).saturating_sub(overhead);
    let to_go = movestogo.map_or(usize::MAX, |moves| moves as usize);
    let planned = likely.min(HORIZON).min(to_go).max(1);
    let share = left / planned as u32 + span(clock.increment.unwrap_or(0)).mul_f64(0.9);
    share.min(left.mul_f64(0.8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allotted(left: i64, increment: i64, movestogo: Option<u32>, likely: usize) -> u128 {
        let clock = Clock { time: Some(left), increment: Some(increment) };
        allot(left, clock, movestogo, likely, Duration::from_millis(10)).as_millis()
    }

    #[test]
    fn shares_of_the_clock() {
        let cases = [
            // left, increment, movestogo, likely, allotted
            (10_010, 0, None, 145, 500),
            (10_010, 0, None, 5, 2_000),
            (10_010, 0, Some(4), 145, 2_500),
            (10_010, 0, Some(1), 145, 8_000),
            (10_010, 1_000, None, 145, 1_400),
            (1_010, 60_000, None, 13, 800),
            (10, 1_000, None, 13, 0),
            (0, 0, None, 13, 0),
            (-500, -5, Some(7), 13, 0),
        ];
        for (left, increment, movestogo, likely, expected) in cases {
            assert_eq!(
                allotted(left, increment, movestogo, likely),
                expected,
                "{left} {increment} {movestogo:?} {likely}"
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
