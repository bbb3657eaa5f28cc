//! What is said to the adapter, read on a thread of its own: GoGui interrupts a command that takes long with a comment.

use crate::syntax::{MAX_LINE, Request};
use alea_tools::engine::Stop;
use crossbeam::channel::{Receiver, bounded};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

/// Commands that may wait. Controllers wait for an answer before they say more.
const WAITING: usize = 64;

/// GoGui's wish that a command ends soon.
const INTERRUPT: &str = "# interrupt";

/// A line of the controller, on its way.
pub enum Said {
    /// A command, and the wish that it ends soon.
    Request(Request, Arc<Stop>),
    /// A line that is too long to be one.
    TooLong,
}

/// Read commands until there are no more.
pub fn read(input: impl Read + Send + 'static) -> io::Result<Receiver<Said>> {
    let (sender, receiver) = bounded(WAITING);
    std::thread::Builder::new().name("input".into()).spawn(move || {
        let mut input = BufReader::new(input);
        let mut running: Option<Arc<Stop>> = None;
        while let Some(line) = next_line(&mut input) {
            let said = match line {
                Err(TooLong) => Said::TooLong,
                Ok(line) if line.trim() == INTERRUPT => {
                    running.iter().for_each(|stop| stop.raise());
                    continue;
                }
                Ok(line) => {
                    let (Some(request), Ok(stop)) = (Request::read(&line), Stop::new()) else { continue };
                    let stop = Arc::new(stop);
                    running = Some(Arc::clone(&stop));
                    Said::Request(request, stop)
                }
            };
            if sender.send(said).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

struct TooLong;

/// The next line; `None` at the end. What is not UTF-8 is replaced: no command is spelled with it.
fn next_line(input: &mut impl BufRead) -> Option<Result<String, TooLong>> {
    let mut line = Vec::new();
    let limit = MAX_LINE as u64 + 1;
    let read = input.by_ref().take(limit).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.len() <= MAX_LINE || line.ends_with(b"\n") {
        return Some(Ok(String::from_utf8_lossy(&line).into_owned()));
    }
    // The rest of it, piece by piece.
    while !line.ends_with(b"\n") {
        line.clear();
        if input.by_ref().take(limit).read_until(b'\n', &mut line).ok()? == 0 {
            break;
        }
    }
    Some(Err(TooLong))
}
