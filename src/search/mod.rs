//! Looking ahead.

mod limits;
mod report;

pub use limits::{Algorithm, Limits, ProbeOrder, Settings, Stop};
pub use report::{Counters, Iteration, Line, PvPly, Report, RollValue, Verdict};
