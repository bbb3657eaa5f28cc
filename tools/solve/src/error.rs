//! What can go wrong, in words that name what is at fault.

use std::fmt;
use std::path::PathBuf;

use alea::game::Fault;
use alea::game::dice::Shape;
use alea_tools::files::FileError;

/// Why solving failed.
#[derive(Debug)]
pub enum Error {
    /// A file or folder.
    File(FileError),
    /// Neither a shape nor a position was given.
    Nothing,
    /// The position is not one.
    Position(Fault),
    /// The game is over in that position.
    Over,
    /// The board is too large.
    TooLarge(Shape),
    /// A book of this shape would have no layer to keep.
    NoBook(Shape),
    /// A checkpoint is of something else.
    OtherWork {
        /// Which file.
        path: PathBuf,
        /// What it is of.
        found: String,
    },
    /// A checkpoint that cannot be read.
    BadCheckpoint {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is not enough memory allowed for even a few blocks.
    LittleMemory {
        /// What is needed, in bytes.
        needed: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(error) => error.fmt(f),
            Error::Nothing => f.write_str("expected a shape such as 5/4, or --position DPN; see --help"),
            Error::Position(fault) => write!(f, "--position: {fault}"),
            Error::Over => f.write_str("--position: the game is over there"),
            Error::TooLarge(shape) => write!(f, "{shape}: expected a board of at most 5x5"),
            Error::NoBook(shape) => {
                write!(f, "--out: there is no book for {shape}, whose whole game is solved in a moment")
            }
            Error::OtherWork { path, found } => {
                write!(f, "{}: this is of {found}; choose another --dir, or --fresh to remove it", path.display())
            }
            Error::BadCheckpoint { path, why } => write!(f, "{}: {why}; --fresh starts over", path.display()),
            Error::LittleMemory { needed } => {
                write!(f, "--memory: expected at least {:.1} GB for this", *needed as f64 / 1e9)
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<FileError> for Error {
    fn from(error: FileError) -> Error {
        Error::File(error)
    }
}
