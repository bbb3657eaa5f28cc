//! Engines as processes: what a board, a bridge or a tournament needs to drive one through the protocol.
//!
//! [`Engine`] is the whole conversation for programs that play and analyse: a process is started, its options are known,
//! positions are sent, questions asked, and searches run with their `info` lines handed on as they come. Every wait has a
//! time limit, every line a bound, and an engine that ends says how and with what last words ([`EngineError`]). Dropping
//! it ends the process and all that it started.
//!
//! ```no_run
//! use alea_tools::engine::{Engine, Patience, Stop};
//!
//! let mut engine = Engine::start(&["alea".into()], Patience::default())?;
//! engine.set_game("einstein")?;
//! engine.position("position startpos roll 3")?;
//! let stop = Stop::new()?; // Another thread may raise it.
//! let search = engine.go("go movetime 500", &stop, |info| println!("{:?} {:?}", info.depth, info.value))?;
//! println!("{:?}", search.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`EngineArgs`] and [`Limits`] are how a tool's own command line asks for one.
//!
//! Below it are the process alone ([`process`]), which the referee of a tournament uses with rules of its own, and what
//! ends everything that an engine started ([`family`]).

mod args;
mod client;
mod error;
pub mod family;
mod info;
mod option;
pub mod process;
mod stop;

pub use args::{EngineArgs, Limits, command_line, setting};
pub use client::{Direction, Engine, Patience, Search};
pub use error::EngineError;
pub use info::Info;
pub use option::{OptionKind, OptionLine};
pub use stop::Stop;
