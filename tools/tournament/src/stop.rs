//! The wish to stop, as a file descriptor: whoever waits for an engine waits for this too, and wakes at once.

use crate::error::Error;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a command that was stopped, as shells have it.
pub const STOPPED: u8 = 128 + 2;

/// Raised once, by Ctrl-C or by a failure; seen by every worker.
pub struct Stop {
    raised: AtomicBool,
    reader: PipeReader,
    writer: PipeWriter,
}

impl Stop {
    /// Not raised yet.
    fn new() -> io::Result<Stop> {
        let (reader, writer) = io::pipe()?;
        Ok(Stop { raised: AtomicBool::new(false), reader, writer })
    }

    /// One that Ctrl-C raises.
    pub fn on_interrupt() -> Result<Arc<Stop>, Error> {
        let stop = Stop::new().map_err(|source| Error::System { what: "make a pipe", source })?;
        let stop = Arc::new(stop);
        let raised = Arc::clone(&stop);
        let caught = ctrlc::set_handler(move || raised.raise());
        caught.map_err(|error| Error::System { what: "catch Ctrl-C", source: io::Error::other(error) })?;
        Ok(stop)
    }

    /// Ask everybody to stop.
    pub fn raise(&self) {
        if !self.raised.swap(true, Ordering::SeqCst) {
            // One byte that nobody reads keeps the pipe readable for ever. An empty pipe always takes it.
            let _ = (&self.writer).write(&[1]);
        }
    }

    /// Whether somebody asked.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }
}

/// Readable once raised.
impl AsFd for Stop {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
