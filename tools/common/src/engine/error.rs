//! What can go wrong with an engine.

use std::fmt;
use std::io;
use std::time::Duration;

/// Why an engine did not do what it was asked to. After all but [`EngineError::Refused`], [`EngineError::NoOption`] and
/// [`EngineError::LineBreak`] its process has been ended.
#[derive(Debug)]
pub enum EngineError {
    /// It cannot be started.
    Start {
        /// What was to be started.
        command: String,
        /// Why it cannot.
        source: io::Error,
    },
    /// It ended, or closed its output.
    Gone {
        /// How it ended.
        how: String,
        /// What it last said on stderr.
        last_words: String,
    },
    /// It did not answer in time.
    Silent {
        /// What it was asked.
        command: String,
        /// How long it had.
        patience: Duration,
    },
    /// It does not read its input.
    Deaf,
    /// What it wrote is no answer.
    Nonsense {
        /// What it was asked.
        command: String,
        /// What is wrong with what it wrote.
        what: String,
    },
    /// It answered with an error.
    Refused {
        /// What it was asked.
        command: String,
        /// Its words.
        message: String,
    },
    /// It has no such option.
    NoOption {
        /// The one that was asked for.
        name: String,
        /// Those it has.
        known: Vec<String>,
    },
    /// A command with a line break would be two.
    LineBreak {
        /// The command.
        command: String,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Start { command, source } => write!(f, "'{command}' cannot be started: {source}"),
            EngineError::Gone { how, last_words } if last_words.is_empty() => write!(f, "the engine {how}"),
            EngineError::Gone { how, last_words } => write!(f, "the engine {how}; it said: {last_words}"),
            EngineError::Silent { command, patience } => {
                write!(f, "the engine did not answer '{command}' within {} s", patience.as_secs_f64())
            }
            EngineError::Deaf => f.write_str("the engine does not read its input"),
            EngineError::Nonsense { command, what } => write!(f, "the engine's answer to '{command}': {what}"),
            EngineError::Refused { message, .. } => f.write_str(message),
            EngineError::NoOption { name, known } => {
                write!(f, "'{name}': expected an option of the engine: {}", known.join(", "))
            }
            EngineError::LineBreak { command } => write!(f, "'{}': expected one line", command.escape_debug()),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EngineError::Start { source, .. } => Some(source),
            _ => None,
        }
    }
}
