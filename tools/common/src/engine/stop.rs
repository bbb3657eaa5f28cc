//! The wish to stop, as a file descriptor: whoever waits for an engine waits for this too, and wakes at once.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised once, by whoever holds it; seen by everybody who waits for an engine with it. A search that is to be stopped
/// alone has one of its own.
#[derive(Debug)]
pub struct Stop {
    raised: AtomicBool,
    reader: PipeReader,
    writer: PipeWriter,
}

impl Stop {
    /// Not raised yet.
    pub fn new() -> io::Result<Stop> {
        let (reader, writer) = io::pipe()?;
        Ok(Stop { raised: AtomicBool::new(false), reader, writer })
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
