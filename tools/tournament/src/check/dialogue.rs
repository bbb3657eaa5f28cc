//! A conversation with an engine, remembered line by line.

use super::failure::Failure;
use crate::stop::Stop;
use alea_tools::engine::process::{Heard, Process, Quota, describe};
use alea_tools::text::visible;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// How much of a conversation is shown: the beginning is seldom to blame.
const SHOWN_LINES: usize = 60;

/// As much of a line as is shown.
const SHOWN_CHARS: usize = 160;

/// Lines and bytes that one answer may have.
const ANSWER_LINES: usize = 100_000;
const ANSWER_BYTES: usize = 1 << 24;

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

    /// End the engine; what was said, the last lines of it.
    pub fn end(self) -> VecDeque<String> {
        self.transcript
    }

    /// The number of the engine's process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    fn note(&mut self, sign: &str, line: &str) {
        self.transcript.push_back(format!("{sign} {}", visible(line, SHOWN_CHARS)));
        if self.transcript.len() > SHOWN_LINES {
            self.transcript.pop_front();
        }
    }

    /// Say a line, or several.
    pub fn say(&mut self, lines: &str) -> Result<(), Failure> {
        self.say_bytes(format!("{lines}\n").as_bytes())
    }

    /// Say bytes as they are.
    pub fn say_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        for line in String::from_utf8_lossy(bytes).trim_end_matches('\n').split('\n') {
            self.note(">", line);
        }
        let sent = self.process.send(bytes, Instant::now() + self.patience);
        sent.map_err(Failure::Input)
    }

    /// A quota that ends after a time.
    pub fn quota(&self, time: Duration) -> Quota {
        Quota::new(Instant::now() + time, ANSWER_LINES, ANSWER_BYTES)
    }

    /// The next line within a quota; `None` if none comes in time.
    pub fn hear(&mut self, quota: &mut Quota) -> Result<Option<String>, Failure> {
        match self.process.answer(quota, self.stop).map_err(Failure::Output)? {
            Heard::Line(line) => {
                self.note("<", &line);
                Ok(Some(line))
            }
            Heard::Timeout => Ok(None),
            Heard::Eof => {
                self.note("<", "(end of output)");
                Err(Failure::Ended(describe(self.process.end(self.patience))))
            }
            Heard::Stopped => Err(Failure::Stopped),
            Heard::Garbage(what) => Err(Failure::Garbage(what)),
        }
    }

    /// The lines up to one that starts with `word`, that one included.
    pub fn hear_until(&mut self, word: &str) -> Result<Vec<String>, Failure> {
        let mut quota = self.quota(self.patience);
        let mut lines = Vec::new();
        loop {
            let line = self.hear(&mut quota)?;
            let line = line.ok_or_else(|| Failure::NoAnswer { word: word.to_string(), patience: self.patience })?;
            let found = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
    }

    /// Say lines, then `isready`; what was answered before `readyok`.
    pub fn ask(&mut self, lines: &str) -> Result<Vec<String>, Failure> {
        self.say(&format!("{lines}\nisready"))?;
        let mut answers = self.hear_until("readyok")?;
        answers.pop();
        Ok(answers)
    }

    /// The answer to a `query`.
    pub fn query(&mut self, what: &str) -> Result<String, Failure> {
        self.say(&format!("query {what}"))?;
        let lines = self.hear_until("response")?;
        let last = lines.last().map_or("", String::as_str);
        Ok(last.trim_start_matches("response").trim().to_string())
    }

    /// The answer to a `go`: the `info` lines, and the word after `bestmove`.
    pub fn go(&mut self, lines: &str) -> Result<(Vec<String>, String), Failure> {
        self.say(lines)?;
        let mut answers = self.hear_until("bestmove")?;
        let last = answers.pop().unwrap_or_default();
        let word = last.split_whitespace().nth(1).ok_or_else(|| wrong("'bestmove' has no word after it"))?;
        let word = word.to_string();
        match answers.iter().find(|line| !line.starts_with("info ")) {
            Some(line) => {
                Err(wrong(format!("'{}' between go and bestmove is not an info line", visible(line, SHOWN_CHARS))))
            }
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
    pub fn expect_end(&mut self, within: Duration) -> Result<(), Failure> {
        let status = self.process.end(within).ok_or(Failure::StillRuns(within))?;
        let ended = |status| wrong(format!("the engine {}, not with 0", describe(Some(status))));
        if status.success() { Ok(()) } else { Err(ended(status)) }
    }

    /// All output up to its end, and then exit 0.
    pub fn hear_out(&mut self) -> Result<Vec<String>, Failure> {
        let mut quota = self.quota(self.patience);
        let mut lines = Vec::new();
        loop {
            match self.process.answer(&mut quota, self.stop).map_err(Failure::Output)? {
                Heard::Line(line) => {
                    self.note("<", &line);
                    lines.push(line);
                }
                Heard::Eof => break,
                Heard::Timeout => return Err(Failure::StillRuns(self.patience)),
                Heard::Stopped => return Err(Failure::Stopped),
                Heard::Garbage(what) => return Err(Failure::Garbage(what)),
            }
        }
        self.expect_end(self.patience)?;
        Ok(lines)
    }

    /// Nothing may have been said on stderr.
    pub fn expect_no_errors(&mut self) -> Result<(), Failure> {
        match self.process.last_words() {
            words if words.is_empty() => Ok(()),
            words => Err(Failure::Stderr(words)),
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
pub fn ensure(holds: bool, otherwise: impl Into<String>) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(wrong(otherwise)) }
}

/// That a point does not hold, in words.
pub fn wrong(what: impl Into<String>) -> Failure {
    Failure::Point(visible(&what.into(), 4 * SHOWN_CHARS))
}
