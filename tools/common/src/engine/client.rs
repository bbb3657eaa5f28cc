//! A conversation with an engine: one question at a time, each with its answer or the reason why there is none.

use super::process::{Heard, Process, Quota, describe};
use super::{EngineError, Info, OptionLine, Stop};
use crate::text::visible;
use std::io;
use std::time::{Duration, Instant};

/// Lines and bytes that an answer may have, other than a search's.
const TALK_LINES: usize = 10_000;
const TALK_BYTES: usize = 1 << 22;

/// How long a process that was told to quit, or that closed its output, may take to be gone.
const GRACE: Duration = Duration::from_secs(1);

/// As much of an engine's own words as an error shows.
const SHOWN: usize = 300;

/// A wait that only the end of the engine, or a wish to stop, cuts short.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// The most lines of a set of best moves, and of notes, that are kept.
const KEPT: usize = 2_000;

/// How long an engine may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// To name itself and its options.
    pub start: Duration,
    /// To answer anything else but a search; also to end a search that it was told to stop.
    pub answer: Duration,
    /// To answer `go`; without a limit it may take for ever.
    pub search: Option<Duration>,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { start: Duration::from_secs(10), answer: Duration::from_secs(10), search: None }
    }
}

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the engine.
    Said,
    /// From the engine.
    Heard,
}

/// What came of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Search {
    /// The move, unless there is none to make.
    pub best: Option<String>,
    /// The last whole set of best moves, the best first: one line without `MultiPV`, none if there was no time.
    pub lines: Vec<Info>,
    /// Where the die has not been rolled: what each roll is worth.
    pub rolls: Vec<Info>,
    /// What else the engine said, in words.
    pub notes: Vec<String>,
    /// From `go` to `bestmove`.
    pub time: Duration,
}

/// Somebody who follows the conversation line by line.
type Listener = Box<dyn FnMut(Direction, &str) + Send>;

/// A started engine. Dropping it ends its process, and all that it started.
pub struct Engine {
    process: Process,
    name: String,
    options: Vec<OptionLine>,
    patience: Patience,
    listener: Option<Listener>,
    /// Never raised: for answers that come soon or not at all.
    never: Stop,
}

impl Engine {
    /// Start a program and shake hands. A name without a slash is looked for beside this program first, then in PATH.
    pub fn start(command: &[String], patience: Patience) -> Result<Engine, EngineError> {
        Engine::start_heard(command, patience, None)
    }

    /// The same, with somebody who follows every line from the first on.
    pub fn start_heard(
        command: &[String],
        patience: Patience,
        listener: Option<Listener>,
    ) -> Result<Engine, EngineError> {
        let failed = |source| EngineError::Start { command: visible(&command.join(" "), SHOWN), source };
        let never = Stop::new().map_err(failed)?;
        let process = Process::spawn(command).map_err(failed)?;
        let name = command.first().cloned().unwrap_or_default();
        let mut engine = Engine { process, name, options: Vec::new(), patience, listener, never };
        engine.say("uci")?;
        for line in engine.lines_until("uci", "uciok", patience.start)? {
            if let Some(name) = line.trim().strip_prefix("id name ") {
                engine.name = visible(name.trim(), SHOWN);
            }
            engine.options.extend(OptionLine::read(&line));
        }
        Ok(engine)
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What can be set.
    pub fn options(&self) -> &[OptionLine] {
        &self.options
    }

    /// The option of some name; case does not count.
    pub fn option(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The number of the process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Set an option, or press a button.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let Some(option) = self.option(name) else {
            let known = self.options.iter().map(|option| option.name.clone()).collect();
            return Err(EngineError::NoOption { name: visible(name, SHOWN), known });
        };
        let line = match value {
            None => format!("setoption name {}", option.name),
            Some("") => format!("setoption name {} value <empty>", option.name),
            Some(value) => format!("setoption name {} value {value}", option.name),
        };
        self.tell(&line)
    }

    /// Say which game is played. Dice was there before the option: engines that play nothing else need not have it.
    pub fn set_game(&mut self, game: &str) -> Result<(), EngineError> {
        if game == "dice" && self.option("Game").is_none() { Ok(()) } else { self.set_option("Game", Some(game)) }
    }

    /// Have everything learnt forgotten.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.tell("ucinewgame")
    }

    /// Set up a position, with the whole line as the protocol has it: `position startpos 5 4 moves 2:d3 roll 1`.
    pub fn position(&mut self, line: &str) -> Result<(), EngineError> {
        self.tell(line)
    }

    /// Wait until the engine is ready.
    pub fn ready(&mut self) -> Result<(), EngineError> {
        self.ask("isready", "readyok").map(drop)
    }

    /// Ask about the position, say `moves`: what stands behind `response`.
    pub fn query(&mut self, what: &str) -> Result<String, EngineError> {
        let line = format!("query {what}");
        let command = self.say(&line)?;
        let mut quota = self.quota();
        loop {
            let heard = self.hear(&command, &mut quota, self.patience.answer)?;
            match heard.trim().strip_prefix("response") {
                Some(answer) => return Ok(answer.trim().to_string()),
                None => refuse_errors(&command, &heard)?,
            }
        }
    }

    /// Say something that has no answer if all is well.
    pub fn tell(&mut self, line: &str) -> Result<(), EngineError> {
        let heard = self.lines(line)?;
        heard.iter().try_for_each(|heard| refuse_errors(line, heard))
    }

    /// Say something with an answer of any form, such as `d` or `eval`: all its lines.
    pub fn lines(&mut self, line: &str) -> Result<Vec<String>, EngineError> {
        let command = self.say(line)?;
        self.ask("isready", "readyok").map_err(|error| match error {
            EngineError::Silent { patience, .. } => EngineError::Silent { command, patience },
            other => other,
        })
    }

    /// Search: a whole `go` line. Each `info` line is handed on as it comes. When `stop` is raised, the engine is told to
    /// stop, and what it has by then is the answer.
    pub fn go(&mut self, line: &str, stop: &Stop, on_info: impl FnMut(&Info)) -> Result<Search, EngineError> {
        let begun = Instant::now();
        let command = self.say(line)?;
        let found = self.follow(&command, begun, stop, on_info);
        let (mut search, error) = found.inspect_err(|_| self.kill())?;
        search.time = begun.elapsed();
        match error {
            Some(message) => Err(EngineError::Refused { command, message }),
            None => Ok(search),
        }
    }

    /// Hear a search to its end: what came of it, and the engine's complaint if it had one.
    fn follow(
        &mut self,
        command: &str,
        begun: Instant,
        stop: &Stop,
        mut on_info: impl FnMut(&Info),
    ) -> Result<(Search, Option<String>), EngineError> {
        let patience = self.patience.search.unwrap_or(FOR_EVER);
        let mut quota = Quota::new(begun + patience, usize::MAX, usize::MAX);
        let mut told_to_stop = false;
        let (mut search, mut error) = (Search::default(), None);
        loop {
            let patience = if told_to_stop { self.patience.answer } else { patience };
            let wish = if told_to_stop { &self.never } else { stop };
            let heard = match self.process.answer(&mut quota, wish) {
                Ok(Heard::Stopped) => {
                    told_to_stop = true;
                    self.say("stop")?;
                    quota = Quota::new(Instant::now() + self.patience.answer, usize::MAX, usize::MAX);
                    continue;
                }
                heard => self.line(command, heard, patience)?,
            };
            if let Some(info) = Info::read(&heard) {
                error = error.or_else(|| info.error().map(|message| visible(message, SHOWN)));
                on_info(&info);
                search.note(info);
            } else if let Some(rest) = heard.trim().strip_prefix("bestmove") {
                let word = rest.split_whitespace().next().ok_or_else(|| nonsense(command, &heard))?;
                search.best = (word != "(none)").then(|| word.to_string());
                return Ok((search, error));
            } else if !heard.trim().is_empty() {
                return Err(nonsense(command, &heard));
            }
        }
    }

    /// Ask the engine to quit, and see to it that it does.
    pub fn quit(mut self) {
        if self.say("quit").is_ok() {
            self.process.close_input();
            self.process.end(GRACE);
        }
    }

    fn ask(&mut self, line: &str, word: &str) -> Result<Vec<String>, EngineError> {
        let command = self.say(line)?;
        self.lines_until(&command, word, self.patience.answer)
    }

    fn lines_until(&mut self, command: &str, word: &str, patience: Duration) -> Result<Vec<String>, EngineError> {
        let mut quota = Quota::new(Instant::now() + patience, TALK_LINES, TALK_BYTES);
        let mut lines = Vec::new();
        loop {
            let line = self.hear(command, &mut quota, patience)?;
            if line.trim() == word {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    fn quota(&self) -> Quota {
        Quota::new(Instant::now() + self.patience.answer, TALK_LINES, TALK_BYTES)
    }

    /// Say a line; it is handed back as errors show it.
    fn say(&mut self, line: &str) -> Result<String, EngineError> {
        let command = visible(line, SHOWN);
        if line.contains(['\n', '\r']) {
            return Err(EngineError::LineBreak { command });
        }
        if let Some(listener) = &mut self.listener {
            listener(Direction::Said, line);
        }
        let deadline = Instant::now() + self.patience.answer;
        match self.process.send(format!("{line}\n").as_bytes(), deadline) {
            Ok(()) => Ok(command),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.kill();
                Err(EngineError::Deaf)
            }
            Err(_) => Err(self.gone()),
        }
    }

    /// The next line of an answer.
    fn hear(&mut self, command: &str, quota: &mut Quota, patience: Duration) -> Result<String, EngineError> {
        let heard = self.process.answer(quota, &self.never);
        self.line(command, heard, patience).inspect_err(|_| self.kill())
    }

    fn line(&mut self, command: &str, heard: io::Result<Heard>, patience: Duration) -> Result<String, EngineError> {
        match heard {
            Ok(Heard::Line(line)) => {
                if let Some(listener) = &mut self.listener {
                    listener(Direction::Heard, &line);
                }
                Ok(line)
            }
            Ok(Heard::Timeout) => Err(EngineError::Silent { command: command.to_string(), patience }),
            Ok(Heard::Garbage(what)) => {
                Err(EngineError::Nonsense { command: command.to_string(), what: what.to_string() })
            }
            Ok(Heard::Eof | Heard::Stopped) | Err(_) => Err(self.gone()),
        }
    }

    fn gone(&mut self) -> EngineError {
        let how = describe(self.process.end(GRACE));
        EngineError::Gone { how, last_words: self.process.last_words() }
    }

    /// After a failure nobody knows which question its next answer would be to.
    fn kill(&mut self) {
        self.process.close_input();
        self.process.end(Duration::ZERO);
    }
}

impl Search {
    fn note(&mut self, info: Info) {
        let set = match &info {
            Info { text: Some(text), .. } => {
                if self.notes.len() < KEPT {
                    self.notes.push(text.clone());
                }
                return;
            }
            Info { roll: Some(_), .. } => &mut self.rolls,
            Info { depth: Some(_), multipv, .. } => {
                if multipv.is_none_or(|rank| rank == 1) {
                    self.lines.clear();
                }
                &mut self.lines
            }
            _ => return,
        };
        if set.len() < KEPT {
            set.push(info);
        }
    }
}

fn refuse_errors(command: &str, heard: &str) -> Result<(), EngineError> {
    match Info::read(heard).as_ref().and_then(Info::error) {
        Some(message) => {
            Err(EngineError::Refused { command: visible(command, SHOWN), message: visible(message, SHOWN) })
        }
        None => Ok(()),
    }
}

fn nonsense(command: &str, heard: &str) -> EngineError {
    let what = format!("'{}' is no answer", visible(heard, SHOWN));
    EngineError::Nonsense { command: command.to_string(), what }
}
