//! Looking ahead: Ballard's *-minimax family over any game of chance, reporting to a handler and never printing.
//!
//! A node ([`spot`]) is searched by [`worker`] (limits, counts), [`decision`] (alpha-beta) or one of [`chance`]; what is
//! proven of it goes into the [`table`], or, just before the leaves, into [`recent`]; [`iterate`] deepens from the root,
//! [`pv`] follows expected play, [`searcher`] is the face of it all.

mod chance;
mod decision;
mod iterate;
mod limits;
mod memory;
mod ordering;
mod pv;
mod recent;
mod report;
mod searcher;
mod spot;
mod table;
mod threads;
mod window;
mod worker;

pub use limits::{Algorithm, Limits, ProbeOrder, Settings, Stop};
pub use report::{Counters, Iteration, Line, PvPly, Report, RollValue, Verdict};
pub use searcher::{Answer, Finding, Searcher};
pub use table::TableError;
