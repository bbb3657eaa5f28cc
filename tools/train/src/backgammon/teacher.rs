//! Networks whose games are learnt from, read from their file.

use crate::named;
use alea::eval::backgammon::BackgammonNetwork;
use alea::eval::{Evaluated, NetworkError};
use alea::game::backgammon::Position;
use alea_tools::files::FileError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there is no teacher.
#[derive(Debug)]
pub enum TeacherError {
    /// The file cannot be read.
    File(FileError),
    /// It holds no networks of backgammon.
    Network(PathBuf, NetworkError),
}

impl fmt::Display for TeacherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TeacherError::File(error) => write!(f, "--teacher: {error}"),
            TeacherError::Network(path, error) => write!(f, "--teacher: {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for TeacherError {}

/// Networks that teach.
#[derive(Debug)]
pub struct Teacher {
    /// Who plays.
    pub network: Arc<BackgammonNetwork>,
    /// What a run knows them by, wherever their file lies.
    pub checksum: String,
}

impl Teacher {
    /// Those in a file.
    pub fn load(path: &Path) -> Result<Teacher, TeacherError> {
        let bytes = named::read(path).map_err(|error| TeacherError::File(FileError::new(path, error)))?;
        let network =
            Position::opening().read_network(&bytes).map_err(|error| TeacherError::Network(path.into(), error))?;
        Ok(Teacher { network: Arc::new(network), checksum: format!("{:08x}", crc32fast::hash(&bytes)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_teacher_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.net");
        let refused = || Teacher::load(&path).unwrap_err().to_string();
        assert!(refused().starts_with("--teacher: ") && refused().contains("x.net"), "{}", refused());
        std::fs::write(&path, "GIF89a").unwrap();
        assert!(refused().contains("x.net: not a network"), "{}", refused());
    }
}
