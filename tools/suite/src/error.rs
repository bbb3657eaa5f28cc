//! What can go wrong, in words that name the file, the line and the word at fault.

use crate::conditions::ConditionsError;
use crate::games::DICE;
use crate::judges::JudgeError;
use crate::results::ResultsError;
use crate::suites::SuiteError;
use alea::game::Fault;
use alea::games::NAMES;
use alea::search::TableError;
use alea_tools::files::FileError;
use alea_tools::plots::DrawError;
use std::fmt;
use std::path::PathBuf;

/// Why a command failed.
#[derive(Debug)]
pub enum Error {
    /// A file or folder.
    File(FileError),
    /// A file of results.
    Results(ResultsError),
    /// The conditions of a run.
    Conditions(ConditionsError),
    /// A suite.
    Suite(SuiteError),
    /// An evaluation.
    Judge(JudgeError),
    /// There is no memory for a table.
    Table(TableError),
    /// A picture.
    Draw(DrawError),
    /// A folder that has no results to report on.
    NoRun(PathBuf),
    /// A file of results that has none yet.
    NoResults(PathBuf),
    /// A row of an algorithm that this program does not have.
    UnknownAlgorithm {
        /// Where.
        path: PathBuf,
        /// The line of it.
        line: usize,
        /// The algorithm's name and options.
        name: String,
    },
    /// Algorithms disagree on so many values.
    Disagreement(usize),
    /// An option that means something to Dice alone, for another game.
    DiceOnly {
        /// The option.
        option: &'static str,
        /// The game.
        game: &'static str,
    },
    /// There is no game of that name.
    NoGame(String),
    /// A game that cannot be started.
    Start(Fault),
    /// There are not as many different positions as were asked for.
    FewPositions(usize),
    /// No position with so few empty cells has a choice of moves.
    NoChoice,
    /// Trees to this depth have more leaves than this.
    ManyLeaves {
        /// The depth.
        depth: u32,
        /// The limit.
        limit: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(error) => write!(f, "{error}"),
            Error::Results(error) => write!(f, "{error}"),
            Error::Conditions(error) => write!(f, "{error}"),
            Error::Suite(error) => write!(f, "{error}"),
            Error::Judge(error) => write!(f, "{error}"),
            Error::Table(error) => write!(f, "{error}"),
            Error::Draw(error) => write!(f, "{error}"),
            Error::NoRun(dir) => write!(f, "{}: expected a folder that `alea-suite run` made", dir.display()),
            Error::NoResults(path) => write!(f, "{}: has no results yet", path.display()),
            Error::UnknownAlgorithm { path, line, name } => {
                write!(f, "{}:{line}: '{name}' is no algorithm this program knows", path.display())
            }
            Error::Disagreement(count) => write!(f, "algorithms disagree on {count} values: see the table above"),
            Error::DiceOnly { option, game } => write!(f, "{option}: only {DICE} has it, not {game}"),
            Error::NoGame(word) => write!(f, "'{word}': no such game; expected {}", NAMES.join(", ")),
            Error::Start(fault) => write!(f, "{fault}"),
            Error::FewPositions(found) => {
                write!(f, "found only {found} different positions; ask for fewer with --count, or more --noise")
            }
            Error::NoChoice => f.write_str("--empty: expected at least 3, for there must be a choice of moves"),
            Error::ManyLeaves { depth, limit } => {
                write!(f, "--depth {depth}: a tree would have more than {limit} leaves; make it less deep or wide")
            }
        }
    }
}

impl std::error::Error for Error {}

/// `?` for each kind.
macro_rules! from {
    ($($kind:ident($error:ty)),*) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::$kind(error)
            }
        })*
    };
}

from!(
    File(FileError),
    Results(ResultsError),
    Conditions(ConditionsError),
    Suite(SuiteError),
    Judge(JudgeError),
    Table(TableError),
    Draw(DrawError),
    Start(Fault)
);
