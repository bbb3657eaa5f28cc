//! Alea: an engine for two-player games of chance.
//!
//! `game ← eval ← search ← controller`: each module imports only what stands left of it. [`game`] has the rules,
//! [`eval`] judges positions, [`search`] looks ahead and reports to a handler.

pub mod eval;
pub mod game;
pub mod search;
