//! A player's clock as the Go Text Protocol has it: main time, then periods of so many moves each (Canadian byo-yomi).

use std::time::Duration;

/// What is left to a player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Time for a period, and its moves; no moves if there are no periods.
    period: Duration,
    period_moves: u32,
    /// What is left of the main time, or of the period.
    left: Duration,
    /// Moves left in the period; 0 in the main time.
    moves: u32,
}

impl Clock {
    /// A full clock; `None` where there is no limit, which the protocol writes as a period of no moves.
    pub fn new(main: Duration, period: Duration, period_moves: u32) -> Option<Clock> {
        if period_moves == 0 && !period.is_zero() {
            return None;
        }
        let mut clock = Clock { period, period_moves, left: main, moves: 0 };
        if main.is_zero() {
            clock.next_period();
        }
        Some(clock)
    }

    fn next_period(&mut self) {
        (self.left, self.moves) = (self.period, self.period_moves);
    }

    /// What the controller says is left.
    pub fn set(&mut self, left: Duration, moves: u32) {
        (self.left, self.moves) = (left, moves);
    }

    /// A move took this long.
    pub fn spend(&mut self, time: Duration) {
        let (left, spent) = (self.left.saturating_sub(time), time > self.left);
        self.left = left;
        match self.moves {
            0 if spent => self.next_period(),
            0 => {}
            1 => self.next_period(),
            _ => self.moves -= 1,
        }
    }

    /// Milliseconds for the engine, and the moves that they are for.
    pub fn words(&self) -> (u128, Option<u32>) {
        (self.left.as_millis(), (self.moves > 0).then_some(self.moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_time_is_followed_by_periods() {
        let s = Duration::from_secs;
        assert_eq!(Clock::new(s(60), s(10), 0), None);
        let mut clock = Clock::new(s(60), s(0), 0).unwrap();
        clock.spend(s(15));
        assert_eq!(clock.words(), (45_000, None));
        clock.spend(s(50));
        assert_eq!(clock.words(), (0, None));
        let mut clock = Clock::new(s(5), s(10), 2).unwrap();
        clock.spend(s(6));
        assert_eq!(clock.words(), (10_000, Some(2)));
        clock.spend(s(4));
        assert_eq!(clock.words(), (6_000, Some(1)));
        clock.spend(s(1));
        assert_eq!(clock.words(), (10_000, Some(2)));
        clock.set(s(3), 1);
        assert_eq!(clock.words(), (3_000, Some(1)));
        assert_eq!(Clock::new(s(0), s(10), 2).unwrap().words(), (10_000, Some(2)));
    }
}
