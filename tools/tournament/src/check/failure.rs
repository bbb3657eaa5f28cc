//! Why a point of the protocol does not hold.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// What an engine did instead.
#[derive(Debug)]
pub enum Failure {
    /// It does not take its input.
    Input(io::Error),
    /// Its output cannot be read.
    Output(io::Error),
    /// It ended, in these words.
    Ended(String),
    /// It did not answer in time.
    NoAnswer {
        /// The word that was waited for.
        word: String,
        /// For how long.
        patience: Duration,
    },
    /// It has not ended after this time.
    StillRuns(Duration),
    /// What it wrote is not lines of text, or too many.
    Garbage(&'static str),
    /// It wrote on stderr.
    Stderr(String),
    /// It answered, but not what the point says.
    Point(String),
    /// The user does not want to know any more.
    Stopped,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(error) => write!(f, "it does not take its input: {error}"),
            Failure::Output(error) => write!(f, "its output cannot be read: {error}"),
            Failure::Ended(how) => write!(f, "the engine {how} where an answer was expected"),
            Failure::NoAnswer { word, patience } => write!(f, "no '{word}' within {patience:?}"),
            Failure::StillRuns(time) => write!(f, "it still runs {time:?} later"),
            Failure::Garbage(what) => f.write_str(what),
            Failure::Stderr(words) => write!(f, "it wrote on stderr: {words}"),
            Failure::Point(what) => f.write_str(what),
            Failure::Stopped => f.write_str("stopped"),
        }
    }
}

impl Error for Failure {}
