//! Where an interrupted run goes on: a file that is always whole, and knows the conditions of its run. It holds all that the
//! run's other files hold, and stays when the run is finished.
//!
//! Little-endian: magic `ALEARUN2`; games played and steps taken (8 bytes each); then, each after its length in bytes (8
//! bytes), the conditions, the learning curve, the best network's file and the numbers (4 bytes each); CRC-32 of all before.

use crate::conditions::Conditions;
use alea_tools::files::{self, FileError};
use std::fmt;
use std::io;
use std::path::Path;

const MAGIC: &[u8; 8] = b"ALEARUN2";
/// What files of earlier versions start with.
const OLD_MAGIC: &[u8; 8] = b"ALEA-RUN";

/// The state of a run between two batches of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Games played.
    pub games: u64,
    /// Steps of the gradient taken.
    pub steps: u64,
    /// What the run depends on.
    pub conditions: Conditions,
    /// The lines of the learning curve.
    pub curve: String,
    /// The best network's file, once there is one.
    pub best: Vec<u8>,
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
    /// It was written by an earlier version.
    Old,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Io(error) => write!(f, "{error}"),
            CheckpointError::Damaged => f.write_str("not a checkpoint, or damaged; --fresh starts the run over"),
            CheckpointError::Old => f.write_str("of an earlier version of this program; --fresh starts the run over"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl Checkpoint {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.games, self.steps].map(u64::to_le_bytes).concat());
        let conditions = self.conditions.to_string();
        let numbers: Vec<u8> = self.numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        for block in [conditions.as_bytes(), self.curve.as_bytes(), &self.best, &numbers] {
            bytes.extend((block.len() as u64).to_le_bytes());
            bytes.extend(block);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Write it, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        files::replace(path, &self.to_bytes())
    }

    /// Read it; `None` if there is none.
    pub fn load(path: &Path) -> Result<Option<Checkpoint>, CheckpointError> {
        match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CheckpointError::Io(error)),
            Ok(bytes) if bytes.starts_with(OLD_MAGIC) => Err(CheckpointError::Old),
            Ok(bytes) => Checkpoint::from_bytes(&bytes).map(Some).ok_or(CheckpointError::Damaged),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Checkpoint> {
        let (body, checksum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return None;
        }
        let mut rest = body.strip_prefix(MAGIC)?;
        let [games, steps] = [number(&mut rest)?, number(&mut rest)?];
        let conditions = Conditions::parse(std::str::from_utf8(block(&mut rest)?).ok()?);
        let curve = String::from_utf8(block(&mut rest)?.to_vec()).ok()?;
        let best = block(&mut rest)?.to_vec();
        let (chunks, spare) = block(&mut rest)?.as_chunks::<4>();
        let numbers = chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
        let whole = spare.is_empty() && rest.is_empty();
        whole.then_some(Checkpoint { games, steps, conditions, curve, best, numbers })
    }
}

/// Take a number off the front.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    Some(u64::from_le_bytes(*number))
}

/// Take a block off the front.
fn block<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(rest)?).ok()?;
    let (block, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_found() {
        let checkpoint = Checkpoint {
            games: 3,
            steps: 7,
            conditions: Conditions::parse("--seed 1\n"),
            curve: "1,2,3\n".into(),
            best: vec![1, 2, 3],
            numbers: vec![0.5, -1.25, f32::MIN_POSITIVE],
        };
        let bytes = checkpoint.to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes), Some(checkpoint));
        for at in 0..bytes.len() {
            assert_eq!(Checkpoint::from_bytes(&bytes[..at]), None);
            let mut bad = bytes.clone();
            bad[at] ^= 4;
            assert_eq!(Checkpoint::from_bytes(&bad), None);
        }
    }
}
