//! The line protocol, as text: what may be said to the engine and what it may answer.
//!
//! Nothing here knows the rules of a game or the search. [`parse`] turns a line into a [`Command`] or a [`SyntaxError`];
//! whether the command makes sense in the position at hand is the controller's question. `protocol.md` is the
//! reference for users.

mod command;
mod parse;
mod reply;

pub use command::{Base, CellName, Clock, Command, Go, Ply, PositionText, Query};
pub use parse::{MAX_MILLISECONDS, SyntaxError, clip, parse};
pub use reply::{Choice, Info, Reply, Score};
