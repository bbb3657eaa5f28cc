//! Matches against GNU Backgammon: `alea-tournament` plays them, with GNU Backgammon behind our protocol. It has the paired
//! dice, the records, the statistics and the way to go on after an interruption.

use crate::error::Error;
use alea_tools::programs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// The tool that plays.
const TOURNAMENT: &str = "alea-tournament";

/// What to play.
pub struct Match {
    /// Our engine: its words for `--engine`, but for its name.
    pub engine: String,
    /// What it is called.
    pub name: String,
    /// How many plies GNU Backgammon looks ahead.
    pub plies: u32,
    /// Where GNU Backgammon is.
    pub gnubg: PathBuf,
    /// Arguments that the tournament gets as they are.
    pub more: Vec<String>,
}

impl Match {
    /// The arguments of the tournament.
    fn arguments(&self) -> Vec<String> {
        let adapter = ["alea-gnubg", "engine", "--plies", &self.plies.to_string(), "--gnubg"].map(String::from);
        let adapter = adapter.into_iter().chain([self.gnubg.display().to_string()]);
        let adapter: Vec<String> = adapter.map(|word| quoted(&word)).collect();
        let mut words = vec!["run".to_string(), "--game".into(), "backgammon".into(), "--start".into(), "90s".into()];
        words.extend(["--engine".to_string(), format!("name=\"{}\",{}", self.name, self.engine)]);
        let rival = format!("name=gnubg-{}-ply,depth=1,cmd=\"{}\"", self.plies, adapter.join(" "));
        words.extend(["--engine".to_string(), rival]);
        words.extend(self.more.iter().cloned());
        words
    }

    /// Become the tournament: its signals and its exit status are ours. Comes back only if it cannot be started.
    pub fn play(&self) -> Error {
        let program = programs::beside(TOURNAMENT).unwrap_or_else(|| PathBuf::from(TOURNAMENT));
        let error = Command::new(program).args(self.arguments()).exec();
        match error.kind() {
            std::io::ErrorKind::NotFound => Error::NoTool(TOURNAMENT),
            _ => Error::System { what: "start alea-tournament", source: error },
        }
    }
}

/// A word as the tournament splits a command.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or(word.to_string(), |word| word.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tournament_is_told_everything() {
        let asked = Match {
            engine: "cmd=alea,depth=1".into(),
            name: "alea-depth-1".into(),
            plies: 0,
            gnubg: "/opt/my games/gnubg".into(),
            more: vec!["--pairs".into(), "7".into()],
        };
        let line = asked.arguments().join(" ");
        let expected = "run --game backgammon --start 90s --engine name=\"alea-depth-1\",cmd=alea,depth=1 --engine \
                        name=gnubg-0-ply,depth=1,cmd=\"alea-gnubg engine --plies 0 --gnubg '/opt/my games/gnubg'\" --pairs 7";
        assert_eq!(line, expected);
    }
}
