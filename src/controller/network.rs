//! The network of `EvalFile`: read by the search thread, so that the engine listens meanwhile.

use std::fmt;
use std::path::Path;

use crate::eval::file::{self, FileError};
use crate::eval::network::Network;
use crate::files::{self, ReadError};
use crate::game::dice::Shape;

/// No network of any shape has more bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Why there is no network to be had from a path.
#[derive(Debug)]
pub enum LoadError {
    /// It cannot be read.
    Read(ReadError),
    /// It is none, or not the one wanted.
    File(FileError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Read(error) => error.fmt(f),
            LoadError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Read a network for a shape.
pub fn load(path: &str, shape: Shape) -> Result<Network, LoadError> {
    let bytes = files::read_regular(Path::new(path), MAX_BYTES).map_err(LoadError::Read)?;
    let network = file::from_bytes(&bytes).map_err(LoadError::File)?;
    match network.weights().shape {
        got if got != shape => Err(LoadError::File(FileError::OtherShape { got, due: shape })),
        _ => Ok(network),
    }
}
