//! What can go wrong with a whole command, as opposed to one game: every kind names the file, the folder or the word.

use crate::audit::Mismatch;
use crate::fault::Trouble;
use crate::merge::MergeError;
use crate::records::{LineError, other_format};
use crate::rules::RuleError;
use alea_tools::files::FileError;
use alea_tools::words::WordError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a command failed.
#[derive(Debug)]
pub enum Error {
    /// Something the user wrote.
    Word(WordError),
    /// A file or a folder.
    File(FileError),
    /// A line of `games.jsonl`.
    Record {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A shard or a tournament that lacks games it should have.
    Missing {
        /// The file.
        path: PathBuf,
        /// The first game that is not there.
        number: u64,
    },
    /// A folder that is no tournament's.
    NoSummary(FileError),
    /// A `summary.json` that cannot be used.
    Summary {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A `summary.json` of another release.
    Format {
        /// The file.
        path: PathBuf,
        /// Its version, if it says.
        found: Option<u32>,
    },
    /// Games in a folder that has no summary.
    Unexplained(PathBuf),
    /// A folder's conditions are not those asked for.
    Differ {
        /// The folder.
        dir: PathBuf,
        /// Word by word.
        differences: Vec<String>,
    },
    /// Another run writes into the folder.
    Busy(PathBuf),
    /// Engines that do not start.
    Engines(Vec<Failure>),
    /// An engine that started once and does not any more.
    Broken(Failure),
    /// Shards that do not fit.
    Merge(MergeError),
    /// A game that is not there.
    NoGame {
        /// Where it was looked for.
        path: PathBuf,
        /// Its number, if one was asked for.
        number: Option<u64>,
        /// The first and the last that are there.
        has: Option<(u64, u64)>,
    },
    /// A game that cannot begin.
    Start(RuleError),
    /// A game that cannot be shown.
    Play {
        /// Its number.
        number: u64,
        /// Why not.
        problem: RuleError,
    },
    /// A picture that cannot be drawn.
    Draw {
        /// The file it was for.
        file: String,
        /// Why not.
        why: String,
    },
    /// Something of the system that this tool needs.
    System {
        /// What it tried.
        what: &'static str,
        /// What came of it.
        source: io::Error,
    },
    /// Somebody asked to stop.
    Stopped,
    /// A run that can go on: what ended it, and how.
    Paused {
        /// The first thing that went wrong.
        cause: Box<Error>,
        /// The command that goes on.
        resume: String,
    },
}

/// What is wrong with a line of `games.jsonl`.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// It cannot be read.
    Line(LineError),
    /// It is a game, but not the one that belongs there.
    Mismatch(Mismatch),
    /// It has no end, and is not the beginning of a game either.
    Tail,
}

/// An engine that does not start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The engine's name.
    pub name: String,
    /// Its command.
    pub cmd: Vec<String>,
    /// How often it was tried.
    pub attempts: u32,
    /// What it did.
    pub trouble: Trouble,
}

impl Error {
    /// An error about a file.
    pub fn file(path: &Path, source: io::Error) -> Error {
        Error::File(FileError::new(path, source))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine '{}' ({}): ", self.name, self.cmd.join(" "))?;
        if self.attempts > 1 {
            write!(f, "failed to start {} times: ", self.attempts)?;
        }
        write!(f, "{}", self.trouble)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Line(error) => write!(f, "{error}"),
            Problem::Mismatch(mismatch) => write!(f, "{mismatch}"),
            Problem::Tail => f.write_str("it has no end, and is not the beginning of a game"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Word(error) => write!(f, "{error}"),
            Error::File(error) => write!(f, "{error}"),
            Error::Record { path, line, problem } => {
                write!(f, "{}, line {line}: {problem}\nNothing was changed.", path.display())
            }
            Error::Missing { path, number } => write!(f, "{}: game {number} is not where it should be", path.display()),
            Error::NoSummary(error) => write!(f, "{error}; expected the --out of a tournament"),
            Error::Summary { path, problem } => write!(f, "{}: {problem}", path.display()),
            Error::Format { path, found } => write!(f, "{} is {}", path.display(), other_format(*found)),
            Error::Unexplained(dir) => {
                let dir = dir.display();
                write!(
                    f,
                    "'{dir}' holds games.jsonl but no summary.json: choose another --out, or --fresh to move it aside"
                )
            }
            Error::Differ { dir, differences } => write!(
                f,
                "'{}' holds a tournament under other conditions (asked against stored):\n  {}\n\
                 Ask for the same to go on with it, choose another --out, or start over with --fresh.",
                dir.display(),
                differences.join("\n  ")
            ),
            Error::Busy(path) => write!(f, "{} is being written by another run; wait for it", path.display()),
            Error::Engines(failures) => {
                f.write_str("refused, not a game was played:")?;
                failures.iter().try_for_each(|failure| write!(f, "\n  {failure}"))
            }
            Error::Broken(failure) => write!(f, "{failure}"),
            Error::Merge(error) => write!(f, "{error}"),
            Error::NoGame { path, number, has } => {
                let path = path.display();
                match number {
                    Some(number) => write!(f, "there is no game {number}: '{path}' has ")?,
                    None => write!(f, "'{path}': say which game; it has ")?,
                }
                match has {
                    Some((first, last)) => write!(f, "games {first} to {last}"),
                    None => f.write_str("no games yet"),
                }
            }
            Error::Start(problem) => write!(f, "{problem}"),
            Error::Play { number, problem } => write!(f, "game {number}: {problem}"),
            Error::Draw { file, why } => write!(f, "{file}: cannot draw it: {why}"),
            Error::System { what, source } => write!(f, "cannot {what}: {source}"),
            Error::Stopped => f.write_str("stopped"),
            Error::Paused { cause, resume } => {
                write!(f, "{cause}\nThe results so far are safe. To go on:\n  {resume}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File(error) | Error::NoSummary(error) => Some(error),
            Error::System { source, .. } => Some(source),
            Error::Paused { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

impl From<WordError> for Error {
    fn from(error: WordError) -> Error {
        Error::Word(error)
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Error {
        Error::File(error)
    }
}

impl From<MergeError> for Error {
    fn from(error: MergeError) -> Error {
        Error::Merge(error)
    }
}
