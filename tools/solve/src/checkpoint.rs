//! What a run that has not ended leaves, however it was stopped: the list of blocks that are in files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use alea::sweep::Block;
use alea_tools::files::{self, FileError};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The version of the form.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Content {
    format: u32,
    work: String,
    /// Layer and number of each block.
    blocks: Vec<(usize, u32)>,
}

#[derive(Serialize, Deserialize)]
struct Sealed {
    checksum: u32,
    content: Content,
}

fn path(dir: &Path) -> PathBuf {
    dir.join("checkpoint.json")
}

fn text(content: &Content) -> String {
    serde_json::to_string(content).expect("numbers and text have a JSON form")
}

/// Write down that these blocks are in files.
pub fn write(dir: &Path, work: &str, blocks: &[Block]) -> Result<(), FileError> {
    let blocks = blocks.iter().map(|block| (block.layer, block.number)).collect();
    let content = Content { format: FORMAT, work: work.into(), blocks };
    let checksum = crc32fast::hash(text(&content).as_bytes());
    let sealed = Sealed { checksum, content };
    let bytes = serde_json::to_vec(&sealed).expect("numbers and text have a JSON form");
    files::replace(&path(dir), &bytes)
}

/// The blocks that an interrupted run of the same work left in files.
pub fn read(dir: &Path, work: &str) -> Result<Vec<Block>, Error> {
    let path = path(dir);
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(FileError::new(&path, error).into()),
        Ok(bytes) => bytes,
    };
    let bad = |why: &str| Error::BadCheckpoint { path: path.clone(), why: why.into() };
    let sealed: Sealed = serde_json::from_slice(&bytes).map_err(|error| bad(&error.to_string()))?;
    if crc32fast::hash(text(&sealed.content).as_bytes()) != sealed.checksum {
        return Err(bad("the checksum is wrong"));
    }
    if sealed.content.format != FORMAT {
        return Err(bad("another version of alea-solve wrote this"));
    }
    if sealed.content.work != work {
        return Err(Error::OtherWork { path, found: sealed.content.work });
    }
    Ok(sealed.content.blocks.into_iter().map(|(layer, number)| Block { layer, number }).collect())
}

/// Forget what an interrupted run left. What cannot be removed is in nobody's way.
pub fn remove(dir: &Path) {
    fs::remove_file(path(dir)).ok();
    // Half of one.
    fs::remove_file(dir.join("checkpoint.json.part")).ok();
}
