//! Suites: files of positions, one DPN a line; `#` starts a comment line. One bad line does not spoil the rest.

use alea::game::dice::{DpnError, Position, Status};
use alea_tools::files::FileError;
use alea_tools::output::complain;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No suite has more bytes.
const MAX_BYTES: u64 = 1 << 28;

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
    /// Each bad line.
    pub faults: Vec<Fault>,
}

/// A bad line.
#[derive(Clone, Debug)]
pub struct Fault {
    line: usize,
    reason: Reason,
}

/// What is wrong with a line.
#[derive(Clone, Debug)]
enum Reason {
    /// It is no position.
    Dpn(DpnError),
    /// It is a position that nobody can search.
    Over(Status),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Dpn(error) => write!(f, "{}: {error}", self.line),
            Reason::Over(status) => {
                write!(f, "{}: the game is over ({status}): expected a position that can be searched", self.line)
            }
        }
    }
}

/// A suite that cannot be used.
#[derive(Debug)]
pub enum SuiteError {
    /// It cannot be read.
    File(FileError),
    /// It has bad lines, and must not.
    Bad {
        /// Its name.
        name: String,
        /// How many lines of how many.
        tally: Tally,
    },
    /// No line of it is good.
    Empty(String),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::File(error) => write!(f, "{error}"),
            SuiteError::Bad { name, tally } => write!(f, "{name}: {tally}; nothing was done, as --strict asks"),
            SuiteError::Empty(name) => write!(f, "{name}: no position in it can be searched"),
        }
    }
}

impl std::error::Error for SuiteError {}

/// So many bad lines of so many.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    bad: usize,
    lines: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} lines {} bad", self.bad, self.lines, if self.bad == 1 { "is" } else { "are" })
    }
}

impl Suite {
    /// The suite in a file, or the built-in one. Complains of bad lines on stderr; fails on any of them if `strict`, and
    /// where nothing is left.
    pub fn load(path: Option<&Path>, strict: bool) -> Result<Suite, SuiteError> {
        let suite = match path {
            None => Suite::parse(BUILT_IN, THESIS),
            Some(path) => {
                let bytes = read(path).map_err(|error| SuiteError::File(FileError::new(path, error)))?;
                Suite::parse(&path.display().to_string(), &String::from_utf8_lossy(&bytes))
            }
        };
        for fault in &suite.faults {
            complain(&format!("{}:{fault}", suite.name));
        }
        let name = suite.name.clone();
        let tally = Tally { bad: suite.faults.len(), lines: suite.entries.len() + suite.faults.len() };
        match (suite.entries.len(), suite.faults.len()) {
            (_, 1..) if strict => Err(SuiteError::Bad { name, tally }),
            (0, _) => Err(SuiteError::Empty(name)),
            (_, 1..) => {
                complain(&format!("{name}: {tally}; going on with the rest (--strict would not)"));
                Ok(suite)
            }
            _ => Ok(suite),
        }
    }

    /// The suite a text holds.
    pub fn parse(name: &str, text: &str) -> Suite {
        let mut suite = Suite { name: name.to_string(), entries: Vec::new(), faults: Vec::new() };
        for (i, line) in text.lines().enumerate() {
            let content = line.trim_start_matches('\u{feff}').trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            match position(content) {
                Ok(position) => suite.entries.push(Entry { line: i + 1, position }),
                Err(reason) => suite.faults.push(Fault { line: i + 1, reason }),
            }
        }
        suite
    }

    /// The good positions as a file of their own.
    pub fn text(&self) -> String {
        self.entries.iter().map(|entry| entry.position.dpn() + "\n").collect()
    }
}

/// What a file or a pipe holds, unless it is far too much.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("too large: expected at most {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

fn position(content: &str) -> Result<Position, Reason> {
    let position = Position::from_dpn(content).map_err(Reason::Dpn)?;
    match position.status() {
        Status::Playing => Ok(position),
        over => Err(Reason::Over(over)),
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
        let starts = ["4: 'x': expected the side", "5: the game is over (blue wins)", "6: 'end of"];
        assert_eq!(suite.faults.len(), starts.len());
        for (fault, start) in suite.faults.iter().zip(starts) {
            assert!(fault.to_string().starts_with(start), "{fault}");
        }
    }
}
