//! How long an engine may think: the words `depth`, `nodes`, `movetime` and `tc`, alone or together.

use alea_tools::words::WordError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock: `base+increment` in seconds, or `moves/base+increment` with the base given again after so many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves in a session, if there are sessions.
    pub moves: Option<u32>,
    /// Time for the session or the game.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = WordError;
    fn from_str(text: &str) -> Result<TimeControl, WordError> {
        let expected =
            || WordError::new(text, "expected seconds as base+increment or moves/base+increment, as in 1+0.01");
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => {
                let moves = moves.parse().ok().filter(|&moves: &u32| moves > 0).ok_or_else(expected)?;
                (Some(moves), times)
            }
            None => (None, text),
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let base = seconds(base).filter(|base| !base.is_zero()).ok_or_else(expected)?;
        Ok(TimeControl { moves, base, increment: seconds(increment).ok_or_else(expected)? })
    }
}

/// Seconds, whole or with a fraction, up to a day, to the millisecond that the protocol counts in.
fn seconds(text: &str) -> Option<Duration> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds: f64 = text.parse().ok().filter(|&s| plain && s <= 86_400.0)?;
    Some(Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = WordError;
    fn try_from(text: String) -> Result<TimeControl, WordError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(tc: TimeControl) -> String {
        tc.to_string()
    }
}

/// What an engine is told with every `go`; the limits combine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Plies of search.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Nodes a move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
    /// Milliseconds a move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub movetime: Option<u64>,
    /// A clock for the game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tc: Option<TimeControl>,
}

impl Limits {
    /// Whether nothing bounds a search.
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }
}

/// `depth=3 nodes=100`, the words of an engine.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.movetime.map(|ms| format!("movetime={ms}")),
            self.tc.map(|tc| format!("tc={tc}")),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// One engine's clock during a game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    moves_made: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, left: control.base, moves_made: 0 }
    }

    /// Time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Added after each move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the base is given again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|moves| moves - self.moves_made % moves)
    }

    /// A move was made in this time. Running over within the referee's margin leaves a millisecond.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time).max(Duration::from_millis(1)) + self.control.increment;
        self.moves_made += 1;
        if self.control.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
            self.left += self.control.base;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_and_print() {
        let cases = [("1+0.01", "1+0.01"), ("10", "10+0"), ("40/60+0.5", "40/60+0.5"), ("0.25+0", "0.25+0")];
        for (text, printed) in cases {
            let tc: TimeControl = text.parse().unwrap();
            assert_eq!(tc.to_string(), printed);
            assert_eq!(printed.parse(), Ok(tc));
        }
        for text in ["", "x", "1+", "+1", "0+1", "-1+0", "1+-1", "0/1+0", "x/1", "1e9", "inf", "nan+0", "100000"] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.word == text, "{error}");
        }
    }

    #[test]
    fn a_clock_counts_down_and_gives_the_base_again() {
        let mut clock = Clock::new("2/1+0.1".parse().unwrap());
        assert_eq!((clock.left().as_millis(), clock.moves_to_go()), (1000, Some(2)));
        clock.spend(Duration::from_millis(300));
        assert_eq!((clock.left().as_millis(), clock.moves_to_go()), (800, Some(1)));
        clock.spend(Duration::from_millis(900));
        assert_eq!((clock.left().as_millis(), clock.moves_to_go()), (1101, Some(2)));
    }
}
