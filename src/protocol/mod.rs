//! The line protocol, as text: what may be said to the engine and what it may answer.
//!
//! Nothing here knows a game or the search: moves, rolls and positions are words. [`parse`] turns a line into a
//! [`Command`] or a [`SyntaxError`]; whether the command makes sense in the game and the position at hand is the
//! controller's question. `protocol.md` is the reference for users.

mod command;
mod nearest;
mod parse;
mod reply;

pub use command::{Base, Clock, Command, Go, PositionText, Query, Words};
pub use nearest::nearest;
pub use parse::{LineKind, MAX_MILLISECONDS, SyntaxError, clip, parse};
pub use reply::{Choice, Info, Reply, Score};
