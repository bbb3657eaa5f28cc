//! What can go wrong, in words that name the word, the file or the program at fault.

use crate::gnubg::GnubgError;
use crate::judge::JudgeError;
use alea_tools::engine::EngineError;
use alea_tools::files::FileError;
use alea_tools::words::WordError;
use std::fmt;
use std::io;

/// Why a command failed.
#[derive(Debug)]
pub enum Error {
    /// A word of the command line.
    Word(WordError),
    /// A file or folder.
    File(FileError),
    /// The engine.
    Engine(EngineError),
    /// GNU Backgammon.
    Gnubg(GnubgError),
    /// A judgement.
    Judge(JudgeError),
    /// An address cannot be listened on.
    Listen {
        /// Which.
        address: String,
        /// Why not.
        source: io::Error,
    },
    /// A program that should stand beside this one.
    NoTool(&'static str),
    /// Something of the system's.
    System {
        /// What could not be done.
        what: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// A line of input that is longer than any that means something.
    LongLine,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Word(error) => error.fmt(f),
            Error::File(error) => error.fmt(f),
            Error::Engine(error) => error.fmt(f),
            Error::Gnubg(error) => error.fmt(f),
            Error::Judge(error) => error.fmt(f),
            Error::Listen { address, source } if source.kind() == io::ErrorKind::AddrInUse => {
                write!(f, "'{address}': another program listens there; choose another address with --listen")
            }
            Error::Listen { address, source } => {
                write!(f, "'{address}': expected an address to listen on, as in 127.0.0.1:1234: {source}")
            }
            Error::NoTool(name) => {
                write!(f, "{name} is neither beside this program nor in PATH: cargo install --path tools/tournament")
            }
            Error::System { what, source } => write!(f, "cannot {what}: {source}"),
            Error::LongLine => f.write_str("a line of input is longer than 65536 bytes"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Listen { source, .. } | Error::System { source, .. } => Some(source),
            Error::File(error) => Some(error),
            Error::Engine(error) => Some(error),
            Error::Gnubg(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Error {
        Error::File(error)
    }
}

impl From<WordError> for Error {
    fn from(error: WordError) -> Error {
        Error::Word(error)
    }
}

impl From<GnubgError> for Error {
    fn from(error: GnubgError) -> Error {
        Error::Gnubg(error)
    }
}
