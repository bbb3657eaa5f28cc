//! Looking ahead: Ballard's *-minimax family over any game of chance, reporting to a handler and never printing.
//!
//! A [`node`] is searched by [`worker`] (limits, counts), [`decision`] (alpha-beta) or one of [`chance`]; what is proven of it
//! goes into the [`table`], or, just before the leaves, into [`frontier_cache`]; [`iterate`] deepens from the root, [`pv`]
//! follows expected play, [`prune`] leaves out what is unlikely to matter if that is asked for, [`searcher`] is the face of it all.

mod chance;
mod decision;
mod dice;
mod frontier_cache;
mod iterate;
mod limits;
mod mcts;
mod memory;
mod node;
mod ordering;
mod perfect;
mod prune;
mod pv;
mod report;
mod rollout;
mod sampled;
mod searched;
mod searcher;
mod table;
mod threads;
mod window;
mod worker;

pub use limits::{Algorithm, Limits, ProbeOrder, Sampling, Settings, Stop};
pub use prune::{Prune, PruneMargins};
pub use report::{Counters, Iteration, Line, OutcomeValue, Report, Verdict};
pub use rollout::{Branch, Plan, Rollout, roll_out};
pub use searched::Searched;
pub use searcher::{MAX_PLY, Searcher};
pub use table::TableError;
pub use threads::STACK;
