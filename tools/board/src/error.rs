//! What may be wrong: with the command line, and with what a page asks for.

use alea_tools::records::LineError;
use alea_tools::rules::RuleError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the tool cannot run.
#[derive(Debug)]
pub enum Error {
    /// An engine that cannot be used.
    Engine {
        /// The word on the command line.
        word: String,
        /// What was expected.
        expected: &'static str,
    },
    /// No engine was named, and there is none beside this tool nor in PATH.
    NoEngine,
    /// A folder without games.
    Games {
        /// Where they were looked for.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// The port cannot be listened on.
    Listen {
        /// Which one.
        port: u16,
        /// What is wrong.
        source: io::Error,
    },
    /// The system refuses something else.
    System(io::Error),
    /// A man page cannot be written.
    Manual(alea_tools::files::FileError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Engine { word, expected } => write!(f, "--engine '{word}': expected {expected}"),
            Error::NoEngine => f.write_str(
                "there is no 'alea' beside this tool nor in PATH: build it (cargo build --release), or name an engine with \
                 --engine NAME=COMMAND",
            ),
            Error::Games { path, source } => {
                write!(f, "--games {}: {source}; expected a folder of alea-tournament or its games.jsonl", path.display())
            }
            Error::Listen { port, source } => {
                write!(f, "port {port} of 127.0.0.1: {source}; --port 0 takes one that is free")
            }
            Error::System(source) => write!(f, "{source}"),
            Error::Manual(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {}

/// Why a page does not get what it asks for.
#[derive(Debug)]
pub enum Refusal {
    /// The address has no token, or another one.
    Token,
    /// The request is not from a page of this server.
    Stranger(&'static str),
    /// Something that is not there.
    Missing(&'static str),
    /// A game that this page has lost, or never had.
    NoGame,
    /// There are as many games or engines as there may be.
    Full {
        /// Of what.
        what: &'static str,
        /// How many.
        most: usize,
    },
    /// The rules do not allow it.
    Rules(RuleError),
    /// A text that is no position of any game.
    NoPosition(String),
    /// A line that is no record.
    Record(LineError),
    /// A record whose parts do not fit.
    Unfit(&'static str),
    /// An engine that could not be started, or does not listen.
    Engine(String),
    /// A file that cannot be read.
    File(io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Token => {
                f.write_str("open the address that alea-board printed: it has a token that this one lacks")
            }
            Refusal::Stranger(header) => write!(f, "{header}: only pages of this server may ask"),
            Refusal::Missing(what) => write!(f, "there is no such {what}"),
            Refusal::NoGame => f.write_str("the server does not know this game any more: reload the page"),
            Refusal::Full { what, most } => {
                write!(
                    f,
                    "{most} {what} are open already, and no more may be: close a page, or start with a greater --most"
                )
            }
            Refusal::Rules(error) => error.fmt(f),
            Refusal::NoPosition(why) => f.write_str(why),
            Refusal::Record(error) => error.fmt(f),
            Refusal::Unfit(what) => write!(f, "the record does not fit together: {what}"),
            Refusal::Engine(why) => f.write_str(why),
            Refusal::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Refusal::Token | Refusal::Stranger(_) => StatusCode::FORBIDDEN,
            Refusal::Missing(_) | Refusal::NoGame => StatusCode::NOT_FOUND,
            Refusal::Full { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Rules(_) | Refusal::NoPosition(_) | Refusal::Record(_) | Refusal::Unfit(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Refusal::Engine(_) => StatusCode::BAD_GATEWAY,
            Refusal::File(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status(), Json(serde_json::json!({ "error": self.to_string() }))).into_response()
    }
}

impl From<RuleError> for Refusal {
    fn from(error: RuleError) -> Refusal {
        Refusal::Rules(error)
    }
}
