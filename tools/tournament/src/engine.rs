//! An engine as the referee sees it: the protocol's side of a process, with every way to fail told apart.

use crate::fault::{Allowance, Fault, FaultKind, Patience, Trouble, fault};
use crate::rules::Board;
use crate::spec::{EngineSpec, PAIR_WORD};
use crate::stop::Stop;
use alea_tools::engine::process::{Heard, Process, Quota, describe};
use alea_tools::text::visible;
use std::io;
use std::time::{Duration, Instant};

/// How long a process that was told to quit, or that closed its output, may take to be gone.
const GRACE: Duration = Duration::from_secs(1);

/// Lines and bytes that an answer to `go` may have: a hundred times what a long search with all moves shown has.
const SEARCH_LINES: usize = 1_000_000;
const SEARCH_BYTES: usize = 1 << 28;

/// Lines and bytes before `uciok` or `readyok`.
const TALK_LINES: usize = 10_000;
const TALK_BYTES: usize = 1 << 20;

/// Lines that may have come while nobody asked.
const STRAY_LINES: usize = 1_000;

/// As much of an engine's own words as a record needs.
const SHOWN: usize = 200;

/// The option that says which game is played.
const GAME_OPTION: &str = "Game";

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The word after `bestmove`.
    pub word: String,
    /// What the last `info` said.
    pub info: Info,
    /// From `go` to `bestmove`.
    pub time: Duration,
}

/// The fields of `info` that are recorded, as last reported.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Info {
    /// Depth reached.
    pub depth: Option<u32>,
    /// Value for the side to move, in points.
    pub value: Option<f64>,
    /// Nodes entered.
    pub nodes: Option<u64>,
}

/// A started engine, its options set.
pub struct Engine {
    process: Process,
    id: String,
    patience: Patience,
    /// The options that depend on the pair.
    varying: EngineSpec,
    /// The greatest result of a game, in points.
    most_points: u32,
}

impl Engine {
    /// Start an engine, shake hands, and set its game and its options. What it does wrong comes with its last words on stderr.
    pub fn start(spec: &EngineSpec, start: &Board, patience: Patience, stop: &Stop) -> Result<Engine, Trouble> {
        let process = Process::spawn(&spec.cmd)
            .map_err(|error| fault(FaultKind::Crash, format!("'{}' cannot be started: {error}", spec.cmd.join(" "))))?;
        let mut varying = spec.clone();
        varying.options.retain(|(_, value)| value.contains(PAIR_WORD));
        let mut engine = Engine { process, id: spec.name.clone(), patience, varying, most_points: start.most_points() };
        engine.shake_hands(spec, start, stop).map_err(|trouble| engine.with_last_words(trouble))?;
        Ok(engine)
    }

    fn with_last_words(&mut self, trouble: Trouble) -> Trouble {
        match (trouble, self.last_words()) {
            (Trouble::Fault(mut fault), words) if !words.is_empty() => {
                fault.detail = format!("{}; it said: {words}", fault.detail);
                Trouble::Fault(fault)
            }
            (trouble, _) => trouble,
        }
    }

    fn shake_hands(&mut self, spec: &EngineSpec, start: &Board, stop: &Stop) -> Result<(), Trouble> {
        let mut known: Vec<String> = Vec::new();
        self.send("uci\n")?;
        self.expect("uciok", stop, |engine, line| {
            if let Some(name) = line.strip_prefix("id name ") {
                engine.id = visible(name.trim(), SHOWN);
            }
            known.extend(option_name(line));
            Ok(())
        })?;
        let has = |name: &str| match known.iter().any(|option| option.eq_ignore_ascii_case(name)) {
            true => Ok(()),
            false => {
                let list = visible(&known.join(", "), 10 * SHOWN);
                let detail = format!("it has no option '{name}'; its options are: {list}");
                Err(fault(FaultKind::ProtocolError, detail))
            }
        };
        let mut text = String::new();
        // Dice was there before the option: engines that play nothing else need not have it.
        if !start.variant().is_dice() {
            has(GAME_OPTION)?;
            text.push_str(&set_option(GAME_OPTION, &start.variant().game));
        }
        let position = format!("{}\n", start.position_line());
        // Before the options too: some depend on the game, as a network is of one shape.
        text.push_str(&position);
        for (name, value) in spec.options_for(0) {
            has(name)?;
            text.push_str(&set_option(name, &value));
        }
        text.push_str(&format!("ucinewgame\n{position}isready\n"));
        self.send(&text)?;
        self.expect("readyok", stop, refuse_errors)
    }

    /// What the engine calls itself.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the engine last said on stderr.
    pub fn last_words(&mut self) -> String {
        self.process.last_words()
    }

    /// Forget the last game: the next is the same whatever was played before.
    pub fn new_game(&mut self, pair: u64, stop: &Stop) -> Result<(), Trouble> {
        let mut text = String::from("ucinewgame\n");
        for (name, value) in self.varying.options_for(pair) {
            text.push_str(&set_option(name, &value));
        }
        text.push_str("isready\n");
        self.send(&text)?;
        self.expect("readyok", stop, refuse_idle_talk)
    }

    /// Send a position and a `go`, both with their line ends, and wait for the answer.
    pub fn think(&mut self, commands: &str, allowance: Allowance, stop: &Stop) -> Result<Thought, Trouble> {
        self.refuse_stray_output(stop)?;
        let start = Instant::now();
        self.send(commands)?;
        let mut info = Info::default();
        let mut quota = Quota::new(start + allowance.stall, SEARCH_LINES, SEARCH_BYTES);
        loop {
            let line = self.hear(&mut quota, stop)?;
            let mut words = line.split_whitespace();
            match words.next() {
                None => {}
                Some("info") => info.read(&line, self.most_points)?,
                Some("bestmove") => {
                    let word = words
                        .next()
                        .ok_or_else(|| fault(FaultKind::ProtocolError, "'bestmove': expected a move after it"))?;
                    let time = start.elapsed();
                    if allowance.late.is_some_and(|late| time > late) {
                        return Err(fault(FaultKind::TimeLoss, "the move came after the time was up"));
                    }
                    return Ok(Thought { word: word.to_string(), info, time });
                }
                Some(_) => return Err(unexpected(&line, "between go and bestmove")),
            }
        }
    }

    /// An engine that has not been asked anything has nothing to answer: a second `bestmove` must not pass for the
    /// next one.
    fn refuse_stray_output(&mut self, stop: &Stop) -> Result<(), Trouble> {
        for _ in 0..STRAY_LINES {
            match self.process.line(Instant::now(), stop) {
                Ok(Heard::Line(line)) => refuse_idle_talk(self, &line)?,
                _ => return Ok(()),
            }
        }
        Err(fault(FaultKind::ProtocolError, "it writes without end while idle"))
    }

    /// Ask the engine to quit, and see to it that it does.
    pub fn quit(mut self) {
        if self.send("quit\n").is_ok() {
            self.process.close_input();
            self.process.end(GRACE);
        }
    }

    fn send(&mut self, text: &str) -> Result<(), Trouble> {
        let deadline = Instant::now() + Duration::from_millis(self.patience.start);
        self.process.send(text.as_bytes(), deadline).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => fault(FaultKind::Stall, "it does not read its input"),
            _ => self.gone(),
        })
    }

    /// The next line of an answer.
    fn hear(&mut self, quota: &mut Quota, stop: &Stop) -> Result<String, Trouble> {
        match self.process.answer(quota, stop) {
            Ok(Heard::Line(line)) => Ok(line),
            Ok(Heard::Eof) => Err(self.gone()),
            Ok(Heard::Timeout) => Err(fault(FaultKind::Stall, "no answer")),
            Ok(Heard::Stopped) => Err(Trouble::Stopped),
            Ok(Heard::Garbage(what)) => Err(fault(FaultKind::ProtocolError, what)),
            Err(_) => Err(self.gone()),
        }
    }

    fn gone(&mut self) -> Trouble {
        fault(FaultKind::Crash, format!("the engine {}", describe(self.process.end(GRACE))))
    }

    /// Wait for a line that is just `word`, handing what comes before it to `other`.
    fn expect(
        &mut self,
        word: &str,
        stop: &Stop,
        mut other: impl FnMut(&mut Engine, &str) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let limit = Duration::from_millis(self.patience.start);
        let mut quota = Quota::new(Instant::now() + limit, TALK_LINES, TALK_BYTES);
        loop {
            let line = self.hear(&mut quota, stop).map_err(|trouble| match trouble {
                Trouble::Fault(Fault { kind: FaultKind::Stall, .. }) => {
                    fault(FaultKind::Stall, format!("no '{word}' within {} s", limit.as_secs_f64()))
                }
                other => other,
            })?;
            if line.trim() == word {
                return Ok(());
            }
            other(self, &line)?;
        }
    }
}

fn set_option(name: &str, value: &str) -> String {
    if value.is_empty() { format!("setoption name {name}\n") } else { format!("setoption name {name} value {value}\n") }
}

/// The name in `option name <Name> type …`.
fn option_name(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("option name ")?;
    Some(rest.split(" type ").next()?.trim().to_string())
}

fn refuse_errors(_: &mut Engine, line: &str) -> Result<(), Trouble> {
    match error_text(line) {
        Some(text) => Err(fault(FaultKind::ProtocolError, format!("it answered: {text}"))),
        None => Ok(()),
    }
}

fn refuse_idle_talk(engine: &mut Engine, line: &str) -> Result<(), Trouble> {
    match line.split_whitespace().next() {
        Some("info") | None => refuse_errors(engine, line),
        _ => Err(unexpected(line, "while idle")),
    }
}

/// The message of `info string error: …`.
fn error_text(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("info")?.trim_start().strip_prefix("string")?.trim_start();
    rest.starts_with("error").then(|| visible(rest, SHOWN))
}

fn unexpected(line: &str, when: &str) -> Trouble {
    fault(FaultKind::ProtocolError, format!("'{}' is no answer {when}", visible(line, SHOWN)))
}

impl Info {
    /// Take what a line says over what earlier ones said. Lines about second-best moves say nothing here. No value is
    /// beyond `most` points.
    fn read(&mut self, line: &str, most: u32) -> Result<(), Trouble> {
        if let Some(text) = error_text(line) {
            return Err(fault(FaultKind::ProtocolError, format!("it answered: {text}")));
        }
        let mut next = *self;
        let mut words = line.split_whitespace().skip(1);
        while let Some(key) = words.next() {
            match key {
                "string" | "pv" => break,
                "depth" => next.depth = Some(number(key, words.next())?),
                "nodes" => next.nodes = Some(number(key, words.next())?),
                "value" => {
                    let value: f64 = number(key, words.next())?;
                    let most = f64::from(most);
                    if !(-most..=most).contains(&value) {
                        let detail = format!("'value {value}' is not in -{most} to {most}");
                        return Err(fault(FaultKind::ProtocolError, detail));
                    }
                    next.value = Some(value);
                }
                "multipv" if words.next() != Some("1") => return Ok(()),
                // What a roll would be worth says nothing of the position.
                "roll" => return Ok(()),
                _ => {}
            }
        }
        *self = next;
        Ok(())
    }
}

fn number<T: std::str::FromStr>(key: &str, word: Option<&str>) -> Result<T, Trouble> {
    let parsed = word.and_then(|word| word.parse().ok());
    parsed.ok_or_else(|| {
        let found = visible(word.unwrap_or("end of line"), SHOWN);
        fault(FaultKind::ProtocolError, format!("'info {key} {found}': expected a number"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_or_named() {
        let mut info = Info::default();
        let line = "info depth 3 seldepth 4 multipv 1 score cp 12 value 0.120000 nodes 55 time 1 pv a1 2:value";
        info.read(line, 1).unwrap();
        assert_eq!(info, Info { depth: Some(3), value: Some(0.12), nodes: Some(55) });
        info.read("info depth 3 multipv 2 value -0.5 nodes 99", 1).unwrap();
        info.read("info string depth charge", 1).unwrap();
        info.read("info roll 3 value -0.9 pv a1", 1).unwrap();
        info.read("info depth 5 nodes 60", 1).unwrap();
        assert_eq!(info, Info { depth: Some(5), value: Some(0.12), nodes: Some(60) });
        let faults = [
            ("info depth x", "depth x"),
            ("info nodes", "end of line"),
            ("info value nan", "NaN"),
            ("info value 1.5", "1.5"),
            ("info string error: 'go': no position", "no position"),
        ];
        for (line, word) in faults {
            let trouble = info.read(line, 1).unwrap_err().to_string();
            assert!(trouble.contains(word) && trouble.contains("protocol error"), "{line}: {trouble}");
        }
        info.read("info value -2.75", 3).unwrap();
        assert_eq!(info.value, Some(-2.75));
        let trouble = info.read("info value 3.01", 3).unwrap_err().to_string();
        assert!(trouble.contains("'value 3.01' is not in -3 to 3"), "{trouble}");
    }

    #[test]
    fn option_names_may_have_spaces() {
        assert_eq!(option_name("option name Move Overhead type spin default 10").unwrap(), "Move Overhead");
        assert_eq!(option_name("id name X"), None);
    }
}
