//! Reading what is said to the engine, on a thread of its own.
//!
//! Lines are parsed here, because `stop` and `quit` must act at once and a fresh stop token must be made for each
//! search by whoever reads `stop`: then a `stop` right behind its `go` is not lost, and none reaches a later search.
//! For the same reason the reader never waits for anything but input. Everything that is kept is bounded: lines by
//! [`MAX_LINE`], waiting commands by [`Room`]; what does not fit is dropped, and what clients wait for is counted.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;

use crossbeam::channel::Sender;
use parking_lot::Mutex;

use super::Event;
use crate::protocol::{Command, LineKind, SyntaxError, clip, parse};
use crate::search::Stop;

/// The longest line that is read, in bytes, without the white space before its first word.
pub const MAX_LINE: usize = 64 * 1024;

/// How much memory waiting commands may take, by a generous estimate.
const CAPACITY: usize = 256 * 1024 * 1024;

/// Room for `isready` when there is none for other commands.
const RESERVE: usize = 1024 * 1024;

/// What a waiting command takes beside its text.
const BASE_COST: usize = 384;

/// A line that is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError {
    /// What it was meant to be.
    pub kind: LineKind,
    /// Its beginning.
    pub start: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is longer than [`MAX_LINE`].
    TooLong,
    /// It is not UTF-8.
    NotText,
    /// It is no command.
    Syntax(SyntaxError),
}

impl InputError {
    fn new(line: &str, fault: Fault) -> InputError {
        InputError { kind: LineKind::of(line), start: clip(line.trim()), fault }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = &self.start;
        match &self.fault {
            Fault::TooLong => write!(f, "'{start}': expected a line of at most {MAX_LINE} bytes"),
            Fault::NotText => write!(f, "'{start}': expected UTF-8 text"),
            Fault::Syntax(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InputError {}

/// Commands that were dropped one after another because there was no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dropped {
    /// How many.
    pub commands: u64,
    /// How many of them a `bestmove` is due for.
    pub searches: u64,
    /// Whether there was a `position` among them.
    pub position: bool,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} commands were dropped: the queue was full", self.commands)
    }
}

/// What was said to the engine.
#[derive(Debug)]
pub enum Said {
    /// A command.
    Command(Command),
    /// A line that is none.
    Mistake(InputError),
    /// In this place, more than could be kept.
    Dropped(Dropped),
}

/// What was said, on its way to the loop.
#[derive(Debug)]
pub struct Input {
    /// What it was.
    pub said: Said,
    /// For a command that can be stopped: its token.
    pub stop: Option<Stop>,
    /// What it takes of the [`Room`], to be given back when it has been dealt with.
    pub cost: usize,
}

impl Input {
    /// Whether it is an `isready`.
    pub fn is_ready(&self) -> bool {
        matches!(self.said, Said::Command(Command::IsReady))
    }
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
}

impl Room {
    /// Take some of `capacity`; whether it could be had.
    fn take(&self, cost: usize, capacity: usize) -> bool {
        let mut used = self.used.lock();
        let fits = *used + cost <= capacity;
        if fits {
            *used += cost;
        }
        fits
    }

    /// Give back what was taken.
    pub fn give_back(&self, cost: usize) {
        *self.used.lock() -= cost;
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
            let whole = &available[..newline.unwrap_or(available.len())];
            // However much white space comes first, the first word is seen: it says what a client waits for.
            let part = if self.line.is_empty() { whole.trim_ascii_start() } else { whole };
            let taken = part.len().min(MAX_LINE - self.line.len());
            too_long |= taken < part.len();
            self.line.extend_from_slice(&part[..taken]);
            let consumed = whole.len() + usize::from(newline.is_some());
            self.source.consume(consumed);
            if newline.is_some() {
                break;
            }
        }
        let refuse = |line: &[u8], fault| Some(Err(InputError::new(&String::from_utf8_lossy(line), fault)));
        match std::str::from_utf8(&self.line) {
            _ if !begun => None,
            _ if too_long => refuse(&self.line, Fault::TooLong),
            Ok(text) => Some(Ok(text)),
            Err(_) => refuse(&self.line, Fault::NotText),
        }
    }
}

/// The reader: turns lines into events until the source ends or says `quit`.
pub struct Reader {
    shared: Arc<Shared>,
    events: Sender<Event>,
    /// What waiting commands may take.
    capacity: usize,
    /// What was dropped since there was no room.
    dropped: Option<Dropped>,
}

impl Reader {
    /// A reader that sends to `events`.
    pub fn new(shared: Arc<Shared>, events: Sender<Event>) -> Reader {
        Reader { shared, events, capacity: CAPACITY, dropped: None }
    }

    /// Read to the end.
    pub fn run(mut self, source: impl Read) {
        let mut lines = Lines::new(source);
        let mut quit = false;
        while !quit && let Some(line) = lines.next() {
            // The words of a line and the message about one are both copies of its text.
            let cost = BASE_COST + 2 * line.as_ref().map_or(0, |text| text.len());
            let command = line.and_then(|text| {
                let refused = |error| InputError::new(text, Fault::Syntax(error));
                parse(text).map_err(refused).map(|command| (command, LineKind::of(text)))
            });
            match command {
                Ok((None, _)) => {}
                Ok((Some(Command::Stop), _)) => self.stop(false),
                Ok((Some(Command::Quit), _)) => quit = true,
                Ok((Some(command), kind)) => self.submit(Said::Command(command), kind, cost),
                Err(error) => {
                    let kind = error.kind;
                    self.submit(Said::Mistake(error), kind, cost);
                }
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

    fn submit(&mut self, said: Said, kind: LineKind, cost: usize) {
        let mut input = Input { said, stop: None, cost };
        let capacity = match (&self.dropped, input.is_ready()) {
            (_, true) => self.capacity + RESERVE,
            (None, _) => self.capacity,
            // One long gap is better than many short ones.
            (Some(_), _) => self.capacity / 2,
        };
        if !self.shared.room.take(cost, capacity) {
            return self.count_dropped(kind);
        }
        // That one question is let through does not mean that there is room.
        if !input.is_ready() {
            self.report_dropped();
        }
        if let Said::Command(command) = &input.said {
            input.stop = self.shared.begin(command);
        }
        self.send(Event::Input(input));
    }

    fn count_dropped(&mut self, kind: LineKind) {
        if self.dropped.is_none() {
            self.send(Event::Full);
        }
        let dropped = self.dropped.get_or_insert_default();
        dropped.commands += 1;
        dropped.searches += u64::from(kind == LineKind::Search);
        dropped.position |= kind == LineKind::Position;
    }

    /// Say what was dropped in the place where it would have stood, so that answers keep the order of their questions.
    fn report_dropped(&mut self) {
        if let Some(dropped) = self.dropped.take() {
            self.send(Event::Input(Input { said: Said::Dropped(dropped), stop: None, cost: 0 }));
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

    fn error(kind: LineKind, start: &str, fault: Fault) -> Result<String, InputError> {
        Err(InputError { kind, start: start.into(), fault })
    }

    #[test]
    fn lines_are_bounded() {
        let longest = "x".repeat(MAX_LINE);
        let text = format!("{longest}\n{longest}y\nuci\n{}", "z".repeat(10 * MAX_LINE));
        let clipped = |letter: &str| error(LineKind::Other, &(letter.repeat(40) + "..."), Fault::TooLong);
        assert_eq!(lines_of(text.as_bytes()), [Ok(longest), clipped("x"), Ok("uci".into()), clipped("z")]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let lines = lines_of(b"uci\xff\n\xc3\nd\0\n");
        assert_eq!(lines[0], error(LineKind::Other, "uci\u{fffd}", Fault::NotText));
        assert_eq!(lines[1], error(LineKind::Other, "\u{fffd}", Fault::NotText));
        assert_eq!(lines[2], Ok("d\0".into()));
    }

    #[test]
    fn what_a_refused_line_was_meant_to_be_is_known() {
        let spaces = " ".repeat(3 * MAX_LINE);
        let words = " a1".repeat(MAX_LINE);
        let cases = [
            (format!("go searchmoves{words}"), LineKind::Search, Fault::TooLong),
            (format!("{spaces}go searchmoves{words}"), LineKind::Search, Fault::TooLong),
            (format!("\tposition startpos moves{words}"), LineKind::Position, Fault::TooLong),
            (format!("go perft{words}"), LineKind::Other, Fault::TooLong),
        ];
        for (line, kind, fault) in cases {
            let lines = lines_of(line.as_bytes());
            assert_eq!(lines[0], error(kind, &(clip(line.trim())), fault));
            assert_eq!(lines.len(), 1);
        }
        assert_eq!(lines_of(b"go depth \xff")[0], error(LineKind::Search, "go depth \u{fffd}", Fault::NotText));
        assert_eq!(lines_of(b"position \xff")[0], error(LineKind::Position, "position \u{fffd}", Fault::NotText));
        assert_eq!(lines_of(format!("{spaces}uci").as_bytes()), [Ok("uci".into())]);
    }

    #[test]
    fn room_runs_out_and_comes_back() {
        let room = Room::default();
        assert!(room.take(60, 100));
        assert!(!room.take(60, 100));
        assert!(room.take(60, 120));
        room.give_back(60);
        assert!(room.take(40, 100));
    }

    #[test]
    fn a_command_costs_what_it_takes() {
        // What an allocator adds to each of the few parts of a command.
        let parts = 5 * 16;
        let taken = size_of::<Input>() + size_of::<crate::protocol::Go>() + size_of::<Outstanding>() + parts;
        assert!(taken <= BASE_COST, "{taken}");
    }

    /// What the loop is sent for some text, while it takes nothing.
    fn events_of(text: &str, capacity: usize) -> Vec<Event> {
        let (sender, events) = crossbeam::channel::unbounded();
        let reader = Reader { capacity, ..Reader::new(Arc::new(Shared::default()), sender) };
        reader.run(text.as_bytes());
        events.iter().collect()
    }

    #[test]
    fn what_is_dropped_is_counted_in_its_place() {
        let flood = "d\n".repeat(100);
        let text = format!("{flood}go\ngo perft 3\nposition\ngo depht 3\nd\nisready\ngo depth 1\n");
        let events = events_of(&text, 100 * (BASE_COST + 2));
        let [before @ .., full, ready, dropped, end] = &events[..] else { panic!("{} events", events.len()) };
        assert_eq!(before.len(), 100);
        assert!(matches!(full, Event::Full), "{full:?}");
        assert!(matches!(ready, Event::Input(input) if input.is_ready()), "{ready:?}");
        let expected = Dropped { commands: 6, searches: 3, position: true };
        assert!(
            matches!(dropped, Event::Input(Input { said: Said::Dropped(dropped), .. }) if *dropped == expected),
            "{dropped:?}"
        );
        assert!(matches!(end, Event::End), "{end:?}");
    }

    #[test]
    fn commands_are_taken_again_when_half_is_free() {
        let (sender, events) = crossbeam::channel::unbounded();
        let shared = Arc::new(Shared::default());
        let mut reader = Reader { capacity: 100, ..Reader::new(Arc::clone(&shared), sender) };
        let mut say = |cost| reader.submit(Said::Command(Command::Draw), LineKind::Other, cost);
        let heard = || -> Vec<String> { events.try_iter().map(|event| format!("{event:?}")).collect() };
        say(90);
        say(20);
        say(5);
        assert_eq!(heard().len(), 2, "a command, and that there is no room");
        shared.room.give_back(30);
        say(10);
        assert_eq!(heard(), [""; 0]);
        shared.room.give_back(20);
        say(10);
        let heard = heard();
        assert_eq!(heard.len(), 2);
        assert!(heard[0].contains("Dropped { commands: 3, searches: 0, position: false }"), "{heard:?}");
    }

    #[test]
    fn a_stop_reaches_the_searches_before_it_and_no_other() {
        let events = events_of("go depth 3\ngo\nstop\ngo nodes 9\ngo infinite", CAPACITY);
        let stops: Vec<bool> = events
            .iter()
            .filter_map(|event| match event {
                Event::Input(input) => input.stop.as_ref().map(|stop| stop.pulled()),
                _ => None,
            })
            .collect();
        assert_eq!(stops, [true, true, false, true]);
    }
}
