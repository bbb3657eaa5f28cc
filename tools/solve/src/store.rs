//! Blocks in memory as far as it reaches, and in files beyond.
//!
//! A file is a header (what it is, which block, how many values, a checksum over all of it) and the values, little endian. A list
//! of files is a checkpoint: everything that a sweep needs to go on.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alea::sweep::{Block, Store};
use alea_tools::files::FileError;
use crc32fast::Hasher;

/// The beginning of every file of a block, with the version of its form.
const MAGIC: &[u8; 8] = b"ALEASWP1";

/// Values that are turned into bytes at a time.
const PIECE: usize = 1 << 18;

/// Memory and a folder.
pub struct Disk {
    folder: PathBuf,
    /// Bytes of blocks that may stay in memory while others are worked on.
    limit: u64,
    held: u64,
    blocks: HashMap<Block, Kept>,
    /// Files of the last checkpoint: they stay until there is another.
    pinned: HashSet<Block>,
}

#[derive(Default)]
struct Kept {
    memory: Option<Arc<Vec<i32>>>,
    on_disk: bool,
}

fn bytes(values: &[i32]) -> u64 {
    size_of_val(values) as u64
}

impl Disk {
    /// Nothing yet. Blocks beyond `limit` bytes go to `folder`, which is made when it is needed.
    pub fn new(folder: &Path, limit: u64) -> Disk {
        let (blocks, pinned) = (HashMap::new(), HashSet::new());
        Disk { folder: folder.to_owned(), limit, held: 0, blocks, pinned }
    }

    /// Take the files of a checkpoint for granted; they are checked when they are read.
    pub fn adopt(&mut self, blocks: impl Iterator<Item = Block>) {
        for block in blocks {
            self.blocks.insert(block, Kept { memory: None, on_disk: true });
            self.pinned.insert(block);
        }
    }

    /// The first layer of which there is a block.
    pub fn first_layer(&self) -> Option<usize> {
        self.blocks.keys().map(|block| block.layer).min()
    }

    /// Write everything that is only in memory to files, and name all that there are.
    pub fn save(&mut self) -> Result<Vec<Block>, FileError> {
        let mut all: Vec<Block> = self.blocks.keys().copied().collect();
        all.sort();
        for &block in &all {
            let kept = &self.blocks[&block];
            if let (Some(values), false) = (kept.memory.clone(), kept.on_disk) {
                self.write(block, &values, true)?;
                self.blocks.entry(block).or_default().on_disk = true;
            }
        }
        Ok(all)
    }

    /// The files of an older checkpoint are no longer needed: these are.
    pub fn pin(&mut self, blocks: &[Block]) {
        let pinned = std::mem::replace(&mut self.pinned, blocks.iter().copied().collect());
        for block in pinned {
            if !self.blocks.contains_key(&block) {
                self.remove_file(block);
            }
        }
    }

    /// Remove all files.
    pub fn clear(&mut self) {
        for block in std::mem::take(&mut self.blocks).into_keys().chain(std::mem::take(&mut self.pinned)) {
            self.remove_file(block);
        }
    }

    fn path(&self, block: Block) -> PathBuf {
        self.folder.join(format!("layer{:02}-{:04x}.block", block.layer, block.number))
    }

    /// A file that cannot be removed is in nobody's way.
    fn remove_file(&self, block: Block) {
        fs::remove_file(self.path(block)).ok();
    }

    fn write(&self, block: Block, values: &[i32], safely: bool) -> Result<(), FileError> {
        let path = self.path(block);
        let write = || -> io::Result<()> {
            fs::create_dir_all(&self.folder)?;
            let part = path.with_extension("part");
            let mut file = File::create(&part)?;
            let mut header = header(block, values.len());
            let checksum = checksum(&header, pieces(values));
            header.extend(checksum.to_le_bytes());
            file.write_all(&header)?;
            for piece in pieces(values) {
                file.write_all(&piece)?;
            }
            if safely {
                file.sync_all()?;
            }
            fs::rename(&part, &path)
        };
        write().map_err(|error| FileError::new(&path, error))
    }

    fn read(&self, block: Block) -> Result<Vec<i32>, FileError> {
        let path = self.path(block);
        read(&path, block).map_err(|error| FileError::new(&path, error))
    }
}

fn header(block: Block, len: usize) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend((block.layer as u32).to_le_bytes());
    header.extend(block.number.to_le_bytes());
    header.extend((len as u64).to_le_bytes());
    header
}

fn pieces(values: &[i32]) -> impl Iterator<Item = Vec<u8>> {
    values.chunks(PIECE).map(|piece| piece.iter().flat_map(|value| value.to_le_bytes()).collect())
}

fn checksum(header: &[u8], pieces: impl Iterator<Item = Vec<u8>>) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(header);
    pieces.for_each(|piece| hasher.update(&piece));
    hasher.finalize()
}

fn read(path: &Path, block: Block) -> io::Result<Vec<i32>> {
    let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let file = File::open(path)?;
    let header_len = header(block, 0).len();
    let payload = file.metadata()?.len().saturating_sub(header_len as u64 + 4);
    let mut file = BufReader::with_capacity(4 * PIECE, file);
    let mut found = vec![0; header_len];
    let mut sum = [0; 4];
    file.read_exact(&mut found)?;
    file.read_exact(&mut sum)?;
    let expected = header(block, (payload / 4) as usize);
    if !payload.is_multiple_of(4) || found != expected {
        return Err(damaged("this is not the file of that block, or it has been cut short"));
    }
    let mut hasher = Hasher::new();
    hasher.update(&found);
    let mut values = Vec::with_capacity((payload / 4) as usize);
    let mut piece = vec![0; 4 * PIECE];
    while values.len() < values.capacity() {
        let len = (4 * (values.capacity() - values.len())).min(piece.len());
        file.read_exact(&mut piece[..len])?;
        hasher.update(&piece[..len]);
        values
            .extend(piece[..len].chunks_exact(4).map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]])));
    }
    if hasher.finalize() != u32::from_le_bytes(sum) {
        return Err(damaged("the checksum is wrong: the file is damaged"));
    }
    Ok(values)
}

impl Store for Disk {
    type Error = FileError;

    fn room(&mut self, len: usize) -> Result<Vec<i32>, FileError> {
        Ok(vec![0; len])
    }

    fn put(&mut self, block: Block, values: Vec<i32>) -> Result<(), FileError> {
        let size = bytes(&values);
        if self.held + size <= self.limit {
            self.held += size;
            self.blocks.insert(block, Kept { memory: Some(Arc::new(values)), on_disk: false });
        } else {
            self.write(block, &values, false)?;
            self.blocks.insert(block, Kept { memory: None, on_disk: true });
        }
        Ok(())
    }

    fn has(&self, block: Block) -> bool {
        self.blocks.contains_key(&block)
    }

    fn get(&mut self, block: Block) -> Result<Arc<Vec<i32>>, FileError> {
        if let Some(Kept { memory: Some(values), .. }) = self.blocks.get(&block) {
            return Ok(Arc::clone(values));
        }
        // It stays until it is let go of, which is soon: those that need it follow one another.
        let values = Arc::new(self.read(block)?);
        self.held += bytes(&values);
        self.blocks.insert(block, Kept { memory: Some(Arc::clone(&values)), on_disk: true });
        Ok(values)
    }

    fn release(&mut self, block: Block) -> Result<(), FileError> {
        let Some(kept) = self.blocks.remove(&block) else { return Ok(()) };
        if let Some(values) = kept.memory {
            self.held -= bytes(&values);
        }
        if kept.on_disk && !self.pinned.contains(&block) {
            self.remove_file(block);
        }
        Ok(())
    }
}
