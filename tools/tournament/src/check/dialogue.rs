//! A conversation with an engine, remembered line by line.

use crate::process::{Heard, Process, describe};
use crate::stop::Stop;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// How much of a conversation is shown: the beginning is seldom to blame.
const SHOWN_LINES: usize = 60;

/// As much of a line as is shown.
const SHOWN_CHARS: usize = 160;

/// A conversation: `>` what was said to the engine, `<` what it answered.
pub struct Dialogue<'a> {
    process: Process,
    patience: Duration,
    stop: &'a Stop,
    transcript: VecDeque<String>,
}

impl<'a> Dialogue<'a> {
    /// Start the engine.
    pub fn open(cmd: &[String], patience: Duration, stop: &'a Stop) -> io::Result<Dialogue<'a>> {
        Ok(Dialogue { process: Process::spawn(cmd)?, patience, stop, transcript: VecDeque::new() })
    }

    /// What was said, the last lines of it.
    pub fn transcript(&self) -> impl Iterator<Item = &String> {
        self.transcript.iter()
    }

    /// The number of the engine's process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    fn note(&mut self, sign: &str, line: &str) {
        let shown: String = line.chars().take(SHOWN_CHARS).collect();
        let rest = if shown.len() < line.len() { "..." } else { "" };
        self.transcript.push_back(format!("{sign} {shown}{rest}"));
        if self.transcript.len() > SHOWN_LINES {
            self.transcript.pop_front();
        }
    }

    /// Say a line, or several.
    pub fn say(&mut self, lines: &str) -> Result<(), String> {
        self.say_bytes(format!("{lines}\n").as_bytes())
    }

    /// Say bytes as they are.
    pub fn say_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        for line in String::from_utf8_lossy(bytes).trim_end_matches('\n').split('\n') {
            self.note(">", &line.escape_debug().to_string());
        }
        let sent = self.process.send(bytes, Instant::now() + self.patience);
        sent.map_err(|error| format!("it does not take its input: {error}"))
    }

    /// The next line within a time; `None` if none comes.
    pub fn hear_within(&mut self, time: Duration) -> Result<Option<String>, String> {
        match self.process.line(Instant::now() + time, self.stop) {
            Ok(Heard::Line(line)) => {
                self.note("<", &line);
                Ok(Some(line))
            }
            Ok(Heard::Timeout) => Ok(None),
            Ok(Heard::Eof) => {
                self.note("<", "(end of output)");
                Err(format!("the engine {} where an answer was expected", describe(self.process.end(self.patience))))
            }
            Ok(Heard::Stopped) => Err("stopped".to_string()),
            Ok(Heard::Garbage(what)) => Err(what.to_string()),
            Err(error) => Err(format!("its output cannot be read: {error}")),
        }
    }

    /// The lines up to one that starts with `word`, that one included.
    pub fn hear_until(&mut self, word: &str) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.hear_within(left)?;
            let line = line.ok_or_else(|| format!("no '{word}' within {:?}", self.patience))?;
            let found = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
    }

    /// Say lines, then `isready`; what was answered before `readyok`.
    pub fn ask(&mut self, lines: &str) -> Result<Vec<String>, String> {
        self.say(&format!("{lines}\nisready"))?;
        let mut answers = self.hear_until("readyok")?;
        answers.pop();
        Ok(answers)
    }

    /// The answer to a `query`.
    pub fn query(&mut self, what: &str) -> Result<String, String> {
        self.say(&format!("query {what}"))?;
        let lines = self.hear_until("response")?;
        let last = lines.last().map_or("", String::as_str);
        Ok(last.trim_start_matches("response").trim().to_string())
    }

    /// The answer to a `go`: the `info` lines, and the word after `bestmove`.
    pub fn go(&mut self, lines: &str) -> Result<(Vec<String>, String), String> {
        self.say(lines)?;
        let mut answers = self.hear_until("bestmove")?;
        let last = answers.pop().unwrap_or_default();
        let word = last.split_whitespace().nth(1).ok_or("'bestmove' has no word after it")?.to_string();
        match answers.iter().find(|line| !line.starts_with("info ")) {
            Some(line) => Err(format!("'{line}' between go and bestmove is not an info line")),
            None => Ok((answers, word)),
        }
    }

    /// Close the engine's input.
    pub fn end_input(&mut self) {
        self.note(">", "(end of input)");
        self.process.close_input();
    }

    /// Close the engine's output.
    pub fn end_output(&mut self) {
        self.note("<", "(closed by the listener)");
        self.process.close_output();
    }

    /// The engine must end within a time by itself.
    pub fn expect_end(&mut self, within: Duration) -> Result<(), String> {
        let status = self.process.end(within).ok_or_else(|| format!("it still runs {within:?} later"))?;
        if status.success() { Ok(()) } else { Err(format!("the engine {}, not with 0", describe(Some(status)))) }
    }

    /// All output up to its end, and then exit 0.
    pub fn hear_out(&mut self) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        loop {
            match self.process.line(deadline, self.stop) {
                Ok(Heard::Line(line)) => {
                    self.note("<", &line);
                    lines.push(line);
                }
                Ok(Heard::Eof) => break,
                Ok(Heard::Timeout) => return Err(format!("it still runs {:?} later", self.patience)),
                Ok(Heard::Stopped) => return Err("stopped".to_string()),
                Ok(Heard::Garbage(what)) => return Err(what.to_string()),
                Err(error) => return Err(format!("its output cannot be read: {error}")),
            }
        }
        self.expect_end(self.patience)?;
        Ok(lines)
    }

    /// Nothing may have been said on stderr.
    pub fn expect_no_errors(&mut self) -> Result<(), String> {
        match self.process.last_words() {
            words if words.is_empty() => Ok(()),
            words => Err(format!("it wrote on stderr: {words}")),
        }
    }
}

/// The lines that report a mistake.
pub fn mistakes(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string error:")).collect()
}

/// How many of the lines start with `word`.
pub fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.split_whitespace().next() == Some(word)).count()
}

/// The word after `key` in an `info` line.
pub fn field<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.split_whitespace().skip_while(|word| *word != key).nth(1)
}

/// An error unless `holds`.
pub fn ensure(holds: bool, otherwise: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}
