//! Ctrl-C, as a wish to stop that every worker sees.

use crate::error::Error;
pub use alea_tools::engine::Stop;
use std::io;
use std::sync::Arc;

/// The exit code of a command that was stopped, as shells have it.
pub const STOPPED: u8 = 128 + 2;

/// A wish to stop that Ctrl-C raises.
pub fn on_interrupt() -> Result<Arc<Stop>, Error> {
    let stop = Stop::new().map_err(|source| Error::System { what: "make a pipe", source })?;
    let stop = Arc::new(stop);
    let raised = Arc::clone(&stop);
    let caught = ctrlc::set_handler(move || raised.raise());
    caught.map_err(|error| Error::System { what: "catch Ctrl-C", source: io::Error::other(error) })?;
    Ok(stop)
}
