//! Networks whose games are learnt from, read from their file.

use crate::named;
use crate::paths::Paths;
use alea::eval::backgammon::BackgammonNetwork;
use alea::eval::nn::file::split_first;
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
    /// The run writes to it.
    Overwritten(PathBuf),
}

impl fmt::Display for TeacherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TeacherError::File(error) => write!(f, "--teacher: {error}"),
            TeacherError::Network(path, error) => write!(f, "--teacher: {}: {error}", path.display()),
            TeacherError::Overwritten(path) => {
                write!(f, "--teacher: {}: the run itself writes to that file; give another --out", path.display())
            }
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
    /// Those in a file, for a run that writes to these.
    pub fn load(path: &Path, run: &Paths) -> Result<Teacher, TeacherError> {
        let written = |other: &PathBuf| matches!((path.canonicalize(), other.canonicalize()), (Ok(path), Ok(other)) if path == other);
        if run.all().into_iter().any(written) {
            return Err(TeacherError::Overwritten(path.into()));
        }
        let bytes = named::read(path).map_err(|error| TeacherError::File(FileError::new(path, error)))?;
        let network =
            Position::opening().read_network(&bytes).map_err(|error| TeacherError::Network(path.into(), error))?;
        Ok(Teacher { network: Arc::new(network), checksum: checksum(&bytes) })
    }
}

/// The checksums that the file of each network ends in. One of the whole would say no more than how long the file
/// is: a CRC over bytes that end in their own CRC depends on their length alone.
fn checksum(bytes: &[u8]) -> String {
    let (contact, race) = split_first(bytes);
    let last = |part: &[u8]| part.last_chunk().map_or(0, |&checksum| u32::from_le_bytes(checksum));
    format!("{:08x}{:08x}", last(contact), last(race))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::model::Model;
    use alea::eval::backgammon::features::race_layout;
    use alea::eval::backgammon::network::BothWeights;
    use alea::eval::nn::Featured;

    /// A file of networks whose weights follow from two seeds.
    fn bytes(contact: u64, race: u64) -> Vec<u8> {
        let quantised = |layout, seed| Model::new(layout, 8, seed).quantised();
        BothWeights { contact: quantised(Position::layout(), contact), race: quantised(race_layout(), race) }.to_bytes()
    }

    #[test]
    fn every_teacher_has_a_checksum_of_its_own() {
        let files = [bytes(1, 1), bytes(2, 1), bytes(1, 2)];
        let checksums = files.each_ref().map(|bytes| checksum(bytes));
        assert_eq!(checksums[0], checksum(&bytes(1, 1)));
        assert!(checksums[0] != checksums[1] && checksums[0] != checksums[2] && checksums[1] != checksums[2]);
    }

    #[test]
    fn a_run_does_not_overwrite_its_teacher() {
        let dir = tempfile::tempdir().unwrap();
        let run = Paths::new(&dir.path().join("x.net")).unwrap();
        let elsewhere = Paths::new(&dir.path().join("y.net")).unwrap();
        for name in ["x.net", "./x.last.net"] {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes(1, 1)).unwrap();
            let refused = Teacher::load(&path, &run).unwrap_err().to_string();
            assert!(
                refused.ends_with(&format!("{name}: the run itself writes to that file; give another --out")),
                "{refused}"
            );
            assert!(Teacher::load(&path, &elsewhere).is_ok());
        }
    }

    #[test]
    fn what_is_no_teacher_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.net");
        let run = Paths::new(&dir.path().join("y.net")).unwrap();
        let refused = || Teacher::load(&path, &run).unwrap_err().to_string();
        assert!(refused().starts_with("--teacher: ") && refused().contains("x.net"), "{}", refused());
        std::fs::write(&path, "GIF89a").unwrap();
        assert!(refused().contains("x.net: not a network"), "{}", refused());
    }
}
