//! An engine among a tool's own arguments: which one, what to set in it, and how long it may think.

use crate::text::visible;
use crate::words::WordError;
use clap::Args;
use clap::builder::RangedU64ValueParser;

/// Milliseconds for a move where nothing else limits it.
const MOVETIME: u64 = 1000;

/// The engine, and what to set in it: `#[command(flatten)] engine: EngineArgs`.
#[derive(Args, Clone, Debug)]
pub struct EngineArgs {
    /// The engine's command line; a bare name is looked for beside this program first
    #[arg(long, value_name = "CMD", default_value = "alea")]
    engine: String,

    /// Set an option of the engine, as in --option Hash=256; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
}

impl EngineArgs {
    /// Its program and arguments.
    pub fn command(&self) -> Result<Vec<String>, WordError> {
        command_line(&self.engine).map_err(|error| error.within("--engine"))
    }

    /// The names and values to set, in order.
    pub fn options(&self) -> Result<Vec<(String, String)>, WordError> {
        self.option.iter().map(|text| setting(text).map_err(|error| error.within("--option"))).collect()
    }
}

/// What limits a search beside a clock: `#[command(flatten)] limits: Limits`.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The engine searches to this depth
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub depth: Option<u64>,

    /// The engine thinks so many milliseconds a move [default: 1000, unless there is another limit]
    #[arg(long, value_name = "MS", value_parser = at_least_one())]
    pub movetime: Option<u64>,

    /// The engine searches this many nodes
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub nodes: Option<u64>,
}

fn at_least_one() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..)
}

impl Limits {
    /// Their names, each with its place.
    pub fn named(&mut self) -> [(&'static str, &mut Option<u64>); 3] {
        [("depth", &mut self.depth), ("movetime", &mut self.movetime), ("nodes", &mut self.nodes)]
    }

    /// A `go` line, with the words of a clock if there is one. Without limit and clock there is one second.
    pub fn go(mut self, clock: &str) -> String {
        if self == Limits::default() && clock.is_empty() {
            self.movetime = Some(MOVETIME);
        }
        let words = self.named().map(|(name, limit)| limit.map(|limit| format!(" {name} {limit}")).unwrap_or_default());
        format!("go{}{clock}", words.concat())
    }
}

/// A program and its arguments, written as for a shell.
pub fn command_line(text: &str) -> Result<Vec<String>, WordError> {
    let words = shlex::split(text).filter(|words| !words.is_empty());
    words.ok_or_else(|| WordError::new(visible(text, 60), "expected a command line"))
}

/// An option of the engine and its value, `NAME=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), WordError> {
    let split = text.split_once('=').filter(|_| visible(text, usize::MAX) == text);
    match split.map(|(name, value)| (name.trim(), value.trim())) {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err(WordError::new(visible(text, 60), "expected NAME=VALUE")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_a_shell_does() {
        assert_eq!(command_line("./engine 'a b'").unwrap(), ["./engine", "a b"]);
        for text in ["", " ", "'open"] {
            assert_eq!(command_line(text).unwrap_err().word, text);
        }
    }

    #[test]
    fn settings_are_a_name_and_a_value() {
        assert_eq!(setting("Threads = 2").unwrap(), ("Threads".into(), "2".into()));
        assert_eq!(setting("EvalFile=a=b").unwrap(), ("EvalFile".into(), "a=b".into()));
        assert_eq!(setting("EvalFile=").unwrap(), ("EvalFile".into(), String::new()));
        for (text, word) in [("Threads", "Threads"), (" =2", " =2"), ("A\n=2", "A\\n=2"), ("", "")] {
            assert_eq!(setting(text).unwrap_err().word, word);
        }
    }

    #[test]
    fn a_search_has_a_limit() {
        let limits = Limits { depth: Some(3), movetime: None, nodes: Some(900) };
        assert_eq!(limits.go(""), "go depth 3 nodes 900");
        assert_eq!(Limits::default().go(""), "go movetime 1000");
        assert_eq!(Limits::default().go(" p1time 5 p2time 7"), "go p1time 5 p2time 7");
    }
}
