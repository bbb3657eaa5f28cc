//! Where an interrupted run goes on: a file that is always whole, and refused if it is of another run.
//!
//! Little-endian: magic `ALEA-RUN`; the length (4 bytes) and text of the run's description; games played, steps taken
//! and count of numbers (8 bytes each); the numbers (4 bytes each); CRC-32 of all before.

use alea::files;
use std::fmt;
use std::io;
use std::path::Path;

const MAGIC: &[u8; 8] = b"ALEA-RUN";

/// The state of a run between two batches of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Games played.
    pub games: u64,
    /// Steps of the gradient taken.
    pub steps: u64,
    /// Everything that training changes.
    pub numbers: Vec<f32>,
}

/// Why a run cannot go on from a file.
#[derive(Debug)]
pub enum CheckpointError {
    /// It cannot be read.
    Io(io::Error),
    /// It is no checkpoint, or damaged.
    Damaged,
    /// It is of a run with another recipe, shape, seed or number of games.
    OtherRun {
        /// The description in the file.
        got: String,
        /// That of the run at hand.
        due: String,
    },
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("there is no checkpoint to go on from; start the run without --resume")
            }
            CheckpointError::Io(error) => write!(f, "{error}"),
            CheckpointError::Damaged => {
                f.write_str("not a checkpoint, or damaged; delete it and start the run without --resume")
            }
            CheckpointError::OtherRun { got, due } => write!(f, "it is of another run: {got}\nexpected: {due}"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl Checkpoint {
    /// The bytes of the file for a run of this description.
    fn to_bytes(&self, description: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(description.as_bytes());
        for number in [self.games, self.steps, self.numbers.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.numbers.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Write it, whole or not at all.
    pub fn save(&self, path: &Path, description: &str) -> io::Result<()> {
        files::replace(path, &self.to_bytes(description))
    }

    /// Read that of a run of this description.
    pub fn load(path: &Path, description: &str) -> Result<Checkpoint, CheckpointError> {
        let bytes = std::fs::read(path).map_err(CheckpointError::Io)?;
        let (got, checkpoint) = Checkpoint::from_bytes(&bytes).ok_or(CheckpointError::Damaged)?;
        if got != description {
            return Err(CheckpointError::OtherRun { got, due: description.to_owned() });
        }
        Ok(checkpoint)
    }

    fn from_bytes(bytes: &[u8]) -> Option<(String, Checkpoint)> {
        let (body, checksum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return None;
        }
        let rest = body.strip_prefix(MAGIC)?;
        let (len, rest) = rest.split_first_chunk::<4>()?;
        let (description, mut rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        let mut number = || {
            let (number, after) = rest.split_first_chunk::<8>()?;
            rest = after;
            Some(u64::from_le_bytes(*number))
        };
        let (games, steps, count) = (number()?, number()?, number()?);
        let (chunks, spare) = rest.as_chunks::<4>();
        if chunks.len() as u64 != count || !spare.is_empty() {
            return None;
        }
        let numbers = chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
        Some((String::from_utf8(description.to_vec()).ok()?, Checkpoint { games, steps, numbers }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_found() {
        let checkpoint = Checkpoint { games: 3, steps: 7, numbers: vec![0.5, -1.25, f32::MIN_POSITIVE] };
        let bytes = checkpoint.to_bytes("a run");
        assert_eq!(Checkpoint::from_bytes(&bytes), Some(("a run".to_owned(), checkpoint)));
        for at in 0..bytes.len() {
            assert_eq!(Checkpoint::from_bytes(&bytes[..at]), None);
            let mut bad = bytes.clone();
            bad[at] ^= 4;
            assert_eq!(Checkpoint::from_bytes(&bad), None);
        }
    }
}
