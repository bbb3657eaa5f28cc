//! The ways in which an engine fails, and how patient the referee is with it.

pub use alea_tools::records::FaultKind;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// How far beyond the clock a move may be waited for, at most: the answer still tells a late move from none.
const OVERTIME: Duration = Duration::from_secs(5);

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which kind of wrong.
    pub kind: FaultKind,
    /// What exactly, in words that are the same on every run.
    pub detail: String,
}

/// Why an engine did not answer as it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It did something wrong.
    Fault(Fault),
    /// The tournament was told to stop.
    Stopped,
}

/// A fault as the trouble it is.
pub fn fault(kind: FaultKind, detail: impl Into<String>) -> Trouble {
    Trouble::Fault(Fault { kind, detail: detail.into() })
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Fault(fault) => write!(f, "{}: {}", fault.kind, fault.detail),
            Trouble::Stopped => f.write_str("stopped"),
        }
    }
}

impl Error for Trouble {}

/// How patient the referee is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Patience {
    /// Milliseconds for `uciok`, and for `readyok`.
    pub start: u64,
    /// Milliseconds for a move with no clock, before it counts as a stall.
    pub stall: u64,
    /// Milliseconds by which a clock or a `movetime` may be overrun.
    pub margin: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { start: 5_000, stall: 60_000, margin: 100 }
    }
}

/// How long one move may take.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// An answer after this is late.
    pub late: Option<Duration>,
    /// No answer by this is a stall.
    pub stall: Duration,
}

impl Patience {
    /// The allowance of a move that has this much time on the clock, or none.
    pub fn allow(&self, time: Option<Duration>) -> Allowance {
        let stall = Duration::from_millis(self.stall);
        match time {
            Some(time) => {
                let late = time + Duration::from_millis(self.margin);
                Allowance { late: Some(late), stall: late + stall.min(OVERTIME) }
            }
            None => Allowance { late: None, stall },
        }
    }
}
