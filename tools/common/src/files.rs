//! Files that are there whole or not at all, with errors that name them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Something went wrong with a file or a folder.
#[derive(Debug)]
pub struct FileError {
    /// Which one.
    pub path: PathBuf,
    /// What.
    pub source: io::Error,
}

impl FileError {
    /// An error about `path`.
    pub fn new(path: &Path, source: io::Error) -> FileError {
        FileError { path: path.to_owned(), source }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Replace a file in one step: whoever reads it, whenever the machine stops, finds the old content or the new.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), FileError> {
    alea::files::replace(path, content).map_err(|error| FileError::new(path, error))
}

/// Make a folder, and those above it.
pub fn make_dir(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::new(path, error))
}
