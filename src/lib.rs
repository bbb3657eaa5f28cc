//! Alea: an engine for two-player games of chance.
//!
//! `game ← eval, sweep ← search ← controller`: each module imports only what stands left of it. [`game`] has the rules,
//! [`eval`] judges positions, [`sweep`] solves small games from the end, [`search`] looks ahead and reports to a handler, [`protocol`] is the language spoken on
//! stdin and stdout, and [`controller`] is the process that joins them. [`files`] reads and replaces files whole.

pub mod controller;
pub mod eval;
pub mod files;
pub mod game;
pub mod games;
pub mod protocol;
pub mod search;
pub mod sweep;
