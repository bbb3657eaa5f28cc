//! Suites: files of positions, one DPN a line; `#` starts a comment line. One bad line does not spoil the rest.

use crate::naming;
use alea::game::dice::{Position, Status};
use std::fs;
use std::path::Path;

/// The positions that survive of those the 2006 thesis measured its algorithms by.
const THESIS: &str = include_str!("../thesis-5x5.dpn");

/// What the built-in suite is called.
pub const BUILT_IN: &str = "thesis-5x5 (built in)";

/// A position and where it stands.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The position, which is not over.
    pub position: Position,
}

/// What a file says.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file, as the user knows it.
    pub name: String,
    /// The good positions, in order.
    pub entries: Vec<Entry>,
    /// A message for each bad line.
    pub faults: Vec<String>,
}

impl Suite {
    /// The suite in a file, or the built-in one. Complains of bad lines on stderr; fails on any of them if `strict`, and
    /// where nothing is left.
    pub fn load(path: Option<&Path>, strict: bool) -> Result<Suite, String> {
        let suite = match path {
            None => Suite::parse(BUILT_IN, THESIS),
            Some(path) => {
                let bytes = fs::read(path).map_err(|error| naming(path, error))?;
                Suite::parse(&path.display().to_string(), &String::from_utf8_lossy(&bytes))
            }
        };
        for fault in &suite.faults {
            eprintln!("{fault}");
        }
        match (suite.entries.len(), suite.faults.len()) {
            (_, 1..) if strict => Err(format!("{}: {}; nothing was done, as --strict asks", suite.name, suite.tally())),
            (0, _) => Err(format!("{}: no position in it can be searched", suite.name)),
            (_, 1..) => {
                eprintln!("{}: {}; going on with the rest (--strict would not)", suite.name, suite.tally());
                Ok(suite)
            }
            _ => Ok(suite),
        }
    }

    fn tally(&self) -> String {
        let lines = self.entries.len() + self.faults.len();
        format!("{} of {lines} lines {} bad", self.faults.len(), if self.faults.len() == 1 { "is" } else { "are" })
    }

    /// The suite a text holds.
    pub fn parse(name: &str, text: &str) -> Suite {
        let mut suite = Suite { name: name.to_string(), entries: Vec::new(), faults: Vec::new() };
        for (i, line) in text.lines().enumerate() {
            let content = line.trim_start_matches('\u{feff}').trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            match read(content) {
                Ok(position) => suite.entries.push(Entry { line: i + 1, position }),
                Err(fault) => suite.faults.push(format!("{name}:{}: {fault}", i + 1)),
            }
        }
        suite
    }

    /// The good positions as a file of their own.
    pub fn text(&self) -> String {
        self.entries.iter().map(|entry| entry.position.dpn() + "\n").collect()
    }
}

fn read(content: &str) -> Result<Position, String> {
    let position = Position::from_dpn(content).map_err(|error| error.to_string())?;
    match position.status() {
        Status::Playing => Ok(position),
        over => Err(format!("the game is over ({over}): expected a position that can be searched")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_suite_is_whole() {
        let suite = Suite::load(None, true).unwrap();
        assert_eq!(suite.entries.len(), 75);
        assert!(suite.entries.iter().all(|entry| entry.position.shape().to_string() == "5/4"));
        assert!(suite.entries.iter().all(|entry| entry.position.roll().is_some()));
    }

    #[test]
    fn bad_lines_are_named_and_the_rest_kept() {
        let text = "# a comment\r\n\r\n3 3 b -1 - - - - - - - - -\r\n3 3 x -1 - - - - - - - - -\n  \
                    3 3 r -1 b b b r r - - - -\n5 4\n\u{feff}3 3 b 0 - - - - - - - - -";
        let suite = Suite::parse("my.dpn", text);
        let lines: Vec<usize> = suite.entries.iter().map(|entry| entry.line).collect();
        assert_eq!(lines, [3, 7]);
        let starts =
            ["my.dpn:4: 'x': expected the side", "my.dpn:5: the game is over (blue wins)", "my.dpn:6: 'end of"];
        assert_eq!(suite.faults.len(), starts.len());
        for (fault, start) in suite.faults.iter().zip(starts) {
            assert!(fault.starts_with(start), "{fault}");
        }
    }
}
