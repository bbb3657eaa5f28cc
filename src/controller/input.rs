//! Reading what is said to the engine, on a thread of its own.
//!
//! Lines are parsed here, because `stop` and `quit` must act at once and a fresh stop token must be made for each
//! search by whoever reads `stop`: then a `stop` right behind its `go` is not lost, and none reaches a later search.
//! Everything that is kept is bounded: lines by [`MAX_LINE`], waiting commands by [`Room`].

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use std::time::Duration;

use crossbeam::channel::Sender;
use parking_lot::{Condvar, Mutex};

use super::Event;
use crate::protocol::{Command, SyntaxError, clip, parse};
use crate::search::Stop;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// How much memory waiting commands may take, by a generous estimate.
const CAPACITY: usize = 64 * 1024 * 1024;

/// Room for `isready` when there is none for other commands.
const RESERVE: usize = 1024 * 1024;

/// How long the reader waits for room before it begins to drop commands.
const PATIENCE: Duration = Duration::from_secs(1);

/// A line that is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputError {
    /// Longer than [`MAX_LINE`]; its beginning is kept for the message.
    TooLong(String),
    /// Not UTF-8; what it looks like is kept for the message.
    NotText(String),
    /// No command.
    Syntax(SyntaxError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::TooLong(start) => write!(f, "'{start}': expected a line of at most {MAX_LINE} bytes"),
            InputError::NotText(start) => write!(f, "'{start}': expected UTF-8 text"),
            InputError::Syntax(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InputError {}

/// A command, or what was wrong with a line, on its way to the loop.
#[derive(Debug)]
pub struct Input {
    /// What was read.
    pub command: Result<Command, InputError>,
    /// For a command that can be stopped: its token.
    pub stop: Option<Stop>,
    /// What it takes of the [`Room`], to be given back when it has been dealt with.
    pub cost: usize,
}

/// What the reader and the loop share.
#[derive(Default)]
pub struct Shared {
    /// Tokens of the work that was asked for and is not finished, oldest first.
    outstanding: Mutex<VecDeque<Outstanding>>,
    /// What waiting commands may still take.
    pub room: Room,
}

struct Outstanding {
    stop: Stop,
    unbounded: bool,
}

impl Shared {
    fn begin(&self, command: &Command) -> Option<Stop> {
        command.can_be_stopped().then(|| {
            let stop = Stop::new();
            let unbounded = command.is_unbounded();
            self.outstanding.lock().push_back(Outstanding { stop: stop.clone(), unbounded });
            stop
        })
    }

    /// The oldest work asked for has been answered.
    pub fn finish(&self) {
        self.outstanding.lock().pop_front();
    }

    /// Stop all work asked for so far, or only what nothing else would end; whether there was any.
    fn stop(&self, only_unbounded: bool) -> bool {
        let outstanding = self.outstanding.lock();
        let mut any = false;
        for work in outstanding.iter().filter(|work| work.unbounded || !only_unbounded) {
            any |= !work.stop.pulled();
            work.stop.pull();
        }
        any
    }
}

/// A count of the memory that waiting commands take.
#[derive(Default)]
pub struct Room {
    used: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    /// Take some of `capacity`, waiting for it for at most `patience`; whether it could be had.
    fn take(&self, cost: usize, capacity: usize, patience: Duration) -> bool {
        let mut used = self.used.lock();
        self.freed.wait_while_for(&mut used, |used| *used + cost > capacity, patience);
        let fits = *used + cost <= capacity;
        if fits {
            *used += cost;
        }
        fits
    }

    /// Give back what was taken.
    pub fn give_back(&self, cost: usize) {
        *self.used.lock() -= cost;
        self.freed.notify_one();
    }
}

/// Lines of bounded length from any source.
struct Lines<R> {
    source: BufReader<R>,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    fn new(source: R) -> Lines<R> {
        Lines { source: BufReader::new(source), line: Vec::new() }
    }

    /// The next line without its end, or `None` after the last. A source that fails has ended.
    fn next(&mut self) -> Option<Result<&str, InputError>> {
        self.line.clear();
        let (mut begun, mut too_long) = (false, false);
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if available.is_empty() {
                break;
            }
            begun = true;
            let newline = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..newline.unwrap_or(available.len())];
            let taken = part.len().min(MAX_LINE - self.line.len());
            too_long |= taken < part.len();
            self.line.extend_from_slice(&part[..taken]);
            let consumed = part.len() + usize::from(newline.is_some());
            self.source.consume(consumed);
            if newline.is_some() {
                break;
            }
        }
        let start = |line: &[u8]| clip(String::from_utf8_lossy(&line[..line.len().min(400)]).trim());
        match std::str::from_utf8(&self.line) {
            _ if !begun => None,
            _ if too_long => Some(Err(InputError::TooLong(start(&self.line)))),
            Ok(text) => Some(Ok(text)),
            Err(_) => Some(Err(InputError::NotText(start(&self.line)))),
        }
    }
}

/// The reader: turns lines into events until the source ends or says `quit`.
pub struct Reader {
    shared: Arc<Shared>,
    events: Sender<Event>,
    /// Commands dropped since there was no room.
    dropped: u64,
}

impl Reader {
    /// A reader that sends to `events`.
    pub fn new(shared: Arc<Shared>, events: Sender<Event>) -> Reader {
        Reader { shared, events, dropped: 0 }
    }

    /// Read to the end.
    pub fn run(mut self, source: impl Read) {
        let mut lines = Lines::new(source);
        let mut quit = false;
        while !quit && let Some(line) = lines.next() {
            // A command can take more memory than its text: a ply of five letters becomes three numbers.
            let cost = 512 + 4 * line.as_ref().map_or(0, |text| text.len());
            let command = line.and_then(|text| parse(text).map_err(InputError::Syntax));
            match command {
                Ok(None) => {}
                Ok(Some(Command::Stop)) => self.stop(false),
                Ok(Some(Command::Quit)) => quit = true,
                Ok(Some(command)) => self.submit(Ok(command), cost),
                Err(error) => self.submit(Err(error), cost),
            }
        }
        self.stop(!quit);
        self.report_dropped();
        self.send(Event::End);
    }

    fn send(&self, event: Event) {
        // The loop outlives the reader, except when the process is ending.
        let _ = self.events.send(event);
    }

    fn stop(&mut self, only_unbounded: bool) {
        if self.shared.stop(only_unbounded) {
            self.send(Event::Stopped);
        }
    }

    fn submit(&mut self, command: Result<Command, InputError>, cost: usize) {
        let capacity = CAPACITY + if matches!(command, Ok(Command::IsReady)) { RESERVE } else { 0 };
        // Once it has waited in vain, the reader reads on without waiting: a `stop` may be on its way.
        let patience = if self.dropped == 0 { PATIENCE } else { Duration::ZERO };
        if !self.shared.room.take(cost, capacity, patience) {
            if self.dropped == 0 {
                self.send(Event::Full);
            }
            self.dropped += 1;
            return;
        }
        self.report_dropped();
        let stop = command.as_ref().ok().and_then(|command| self.shared.begin(command));
        self.send(Event::Input(Input { command, stop, cost }));
    }

    fn report_dropped(&mut self) {
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 {
            self.send(Event::Dropped(dropped));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<Result<String, InputError>> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.next().map(|line| line.map(str::to_owned))).collect()
    }

    #[test]
    fn a_last_line_needs_no_end() {
        assert_eq!(lines_of(b"uci\r\n\nquit"), [Ok("uci\r".into()), Ok("".into()), Ok("quit".into())]);
        assert_eq!(lines_of(b""), []);
        assert_eq!(lines_of(b"\n"), [Ok("".into())]);
    }

    #[test]
    fn lines_are_bounded() {
        let longest = "x".repeat(MAX_LINE);
        let text = format!("{longest}\n{longest}y\nuci\n{}", "z".repeat(10 * MAX_LINE));
        let clipped = |letter: &str| Err(InputError::TooLong(letter.repeat(40) + "..."));
        assert_eq!(lines_of(text.as_bytes()), [Ok(longest), clipped("x"), Ok("uci".into()), clipped("z")]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let lines = lines_of(b"uci\xff\n\xc3\nd\0\n");
        assert_eq!(lines[0], Err(InputError::NotText("uci\u{fffd}".into())));
        assert_eq!(lines[1], Err(InputError::NotText("\u{fffd}".into())));
        assert_eq!(lines[2], Ok("d\0".into()));
    }

    #[test]
    fn room_runs_out_and_comes_back() {
        let room = Room::default();
        assert!(room.take(60, 100, Duration::ZERO));
        assert!(!room.take(60, 100, Duration::from_millis(1)));
        assert!(room.take(60, 120, Duration::ZERO));
        room.give_back(60);
        assert!(room.take(40, 100, Duration::ZERO));
    }

    #[test]
    fn a_stop_reaches_the_searches_before_it_and_no_other() {
        let (sender, events) = crossbeam::channel::unbounded();
        let shared = Arc::new(Shared::default());
        Reader::new(shared, sender).run(&b"go depth 3\ngo\nstop\ngo nodes 9\ngo infinite"[..]);
        let stops: Vec<bool> = events
            .iter()
            .filter_map(|event| match event {
                Event::Input(input) => input.stop.map(|stop| stop.pulled()),
                _ => None,
            })
            .collect();
        assert_eq!(stops, [true, true, false, true]);
    }
}
