//! Blocks in memory as far as it reaches, and in files beyond.
//!
//! A file is a header (what it is, which block, how many values, a checksum over all of it) and the values, little endian. A list
//! of files is a checkpoint: everything that a sweep needs to go on. Whenever a block has been put, all that are kept are such a list.
//! Files of the last checkpoint stay until there is another, so that whatever ends the program, one is whole.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alea::sweep::{Block, Store};
use alea_tools::files::FileError;
use alea_tools::output::complain;
use crc32fast::Hasher;

use crate::checkpoint;
use crate::error::Error;

/// The beginning of every file of a block, with the version of its form.
const MAGIC: &[u8; 8] = b"ALEASWP1";

/// Values that are turned into bytes at a time.
const PIECE: usize = 1 << 18;

/// Checkpoints take at most about this share of the time, if room allows.
const SHARE: u32 = 10;

/// What a store may use.
pub struct Bounds {
    /// Bytes of blocks that may stay in memory while others are worked on.
    pub memory: u64,
    /// Bytes of files that only the last checkpoint needs: at more, there is another one.
    pub spare: u64,
    /// Work between two checkpoints; more where writing them takes long.
    pub interval: Duration,
}

/// Memory and a folder.
pub struct Disk {
    folder: PathBuf,
    /// What is solved.
    work: String,
    bounds: Bounds,
    /// Bytes in memory.
    held: u64,
    blocks: HashMap<Block, Kept>,
    /// Files of the last checkpoint.
    pinned: HashSet<Block>,
    /// Bytes of them that nothing else needs.
    spare: u64,
    /// When the last checkpoint was done, and how long it took.
    last: (Instant, Duration),
    /// A locked file, once the folder is used.
    lock: Option<File>,
}

struct Kept {
    memory: Option<Arc<Vec<i32>>>,
    file: OnDisk,
    bytes: u64,
}

/// Whether a block is in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OnDisk {
    No,
    /// It is, for all programs to see.
    Written,
    /// It is, whatever becomes of the machine.
    Safe,
}

fn bytes(values: &[i32]) -> u64 {
    size_of_val(values) as u64
}

impl Disk {
    /// What a checkpoint of the same work has left in a folder, or nothing yet; then no folder is made before it is needed. Files of a
    /// run that was killed after its last checkpoint are removed. With `fresh`, so is everything else.
    pub fn open(folder: &Path, work: &str, bounds: Bounds, fresh: bool) -> Result<Disk, Error> {
        let mut disk = Disk {
            folder: folder.to_owned(),
            work: work.to_owned(),
            bounds,
            held: 0,
            blocks: HashMap::new(),
            pinned: HashSet::new(),
            spare: 0,
            last: (Instant::now(), Duration::ZERO),
            lock: None,
        };
        if folder.exists() {
            disk.enter()?;
            if fresh {
                checkpoint::remove(folder);
            }
            let found = checkpoint::read(folder, work)?;
            disk.adopt(found);
            disk.remove_strays();
        }
        Ok(disk)
    }

    /// Take the files of a checkpoint for granted; they are checked when they are read.
    fn adopt(&mut self, blocks: Vec<Block>) {
        for block in blocks {
            let bytes = fs::metadata(self.path(block)).map_or(0, |file| file.len());
            self.blocks.insert(block, Kept { memory: None, file: OnDisk::Safe, bytes });
            self.pinned.insert(block);
        }
    }

    /// Remove the files that no checkpoint names.
    fn remove_strays(&self) {
        let pinned: HashSet<PathBuf> = self.pinned.iter().map(|&block| self.path(block)).collect();
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        for path in files.filter_map(|entry| Some(entry.ok()?.path())) {
            let ours = path.file_name().and_then(|name| name.to_str()).is_some_and(is_block_name);
            if ours && !pinned.contains(&path) {
                fs::remove_file(&path).ok();
            }
        }
    }

    /// Make the folder and be its only user.
    fn enter(&mut self) -> Result<(), FileError> {
        if self.lock.is_some() {
            return Ok(());
        }
        let path = lock_path(&self.folder);
        let open = || {
            fs::create_dir_all(&self.folder)?;
            OpenOptions::new().write(true).create(true).truncate(false).open(&path)
        };
        let file = open().map_err(|error| FileError::new(&path, error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let busy = io::Error::new(io::ErrorKind::ResourceBusy, "another run is at work in this folder");
                Err(FileError::new(&self.folder, busy))
            }
            // Some file systems know no locks; one can do without.
            Ok(()) | Err(TryLockError::Error(_)) => {
                self.lock = Some(file);
                Ok(())
            }
        }
    }

    /// Leave the folder to others, and remove it if it is empty. What cannot be removed is in nobody's way.
    fn leave(&mut self) {
        // Whoever comes next must not lock a file that is about to be removed.
        if let Some(lock) = self.lock.take() {
            fs::remove_file(lock_path(&self.folder)).ok();
            drop(lock);
            fs::remove_dir(&self.folder).ok();
        }
    }

    /// The first layer of which there is a block.
    pub fn first_layer(&self) -> Option<usize> {
        self.blocks.keys().map(|block| block.layer).min()
    }

    /// Write a checkpoint: everything that is only in memory goes to files, and then the files that only the checkpoint before needs
    /// are removed.
    pub fn checkpoint(&mut self) -> Result<(), FileError> {
        let began = Instant::now();
        self.enter()?;
        let mut all: Vec<Block> = self.blocks.keys().copied().collect();
        all.sort();
        for &block in &all {
            self.make_safe(block)?;
        }
        // A new name is safe only once its directory is on disk too.
        let synced = File::open(&self.folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| FileError::new(&self.folder, error))?;
        checkpoint::write(&self.folder, &self.work, &all)?;
        for block in std::mem::replace(&mut self.pinned, all.into_iter().collect()) {
            if !self.pinned.contains(&block) {
                self.remove_file(block);
            }
        }
        self.spare = 0;
        self.last = (Instant::now(), began.elapsed());
        Ok(())
    }

    /// Have a block in a file that outlives the machine.
    fn make_safe(&mut self, block: Block) -> Result<(), FileError> {
        let kept = &self.blocks[&block];
        match (kept.file, kept.memory.clone()) {
            (OnDisk::Safe, _) => return Ok(()),
            (OnDisk::No, Some(values)) => self.write(block, &values, true)?,
            (OnDisk::Written | OnDisk::No, _) => {
                let path = self.path(block);
                // What another handle has written is synced too.
                let synced = OpenOptions::new().append(true).open(&path).and_then(|file| file.sync_all());
                synced.map_err(|error| FileError::new(&path, error))?;
            }
        }
        self.blocks.entry(block).and_modify(|kept| kept.file = OnDisk::Safe);
        Ok(())
    }

    /// Write a checkpoint if it is time. One that cannot be written does no harm to the work.
    fn checkpoint_if_due(&mut self) {
        let (when, cost) = self.last;
        if when.elapsed() < self.bounds.interval.max(cost * SHARE) && self.spare <= self.bounds.spare {
            return;
        }
        if let Err(error) = self.checkpoint() {
            complain(&format!("no checkpoint: {error}"));
            self.last = (Instant::now(), cost);
        }
    }

    /// Remove all files. Where there are none the folder may be somebody else's by now.
    pub fn clear(&mut self) {
        if self.lock.is_none() {
            return;
        }
        checkpoint::remove(&self.folder);
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

    fn write(&mut self, block: Block, values: &[i32], safely: bool) -> Result<(), FileError> {
        self.enter()?;
        let path = self.path(block);
        let part = path.with_extension("part");
        let write = || -> io::Result<()> {
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
        write().map_err(|error| {
            // It has room that somebody may need.
            fs::remove_file(&part).ok();
            FileError::new(&path, error)
        })
    }

    fn read(&self, block: Block) -> Result<Vec<i32>, FileError> {
        let path = self.path(block);
        read(&path, block).map_err(|error| FileError::new(&path, error))
    }
}

fn lock_path(folder: &Path) -> PathBuf {
    folder.join("lock")
}

/// Whether a file has the name of a block's, written whole or in part.
fn is_block_name(name: &str) -> bool {
    let stem = name.strip_suffix(".block").or_else(|| name.strip_suffix(".part"));
    let numbers = stem.and_then(|stem| stem.strip_prefix("layer")).and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(layer, number)| layer.parse::<u8>().is_ok() && u32::from_str_radix(number, 16).is_ok())
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

impl Drop for Disk {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Store for Disk {
    type Error = FileError;

    fn room(&mut self, len: usize) -> Result<Vec<i32>, FileError> {
        Ok(vec![0; len])
    }

    fn put(&mut self, block: Block, values: Vec<i32>) -> Result<(), FileError> {
        let bytes = bytes(&values);
        let kept = if self.held + bytes <= self.bounds.memory {
            self.held += bytes;
            Kept { memory: Some(Arc::new(values)), file: OnDisk::No, bytes }
        } else {
            self.write(block, &values, false)?;
            Kept { memory: None, file: OnDisk::Written, bytes }
        };
        self.blocks.insert(block, kept);
        self.checkpoint_if_due();
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
        self.blocks.entry(block).and_modify(|kept| kept.memory = Some(Arc::clone(&values)));
        Ok(values)
    }

    fn release(&mut self, block: Block) -> Result<(), FileError> {
        let Some(kept) = self.blocks.remove(&block) else { return Ok(()) };
        if let Some(values) = kept.memory {
            self.held -= bytes(&values);
        }
        if self.pinned.contains(&block) {
            self.spare += kept.bytes;
        } else if kept.file != OnDisk::No {
            self.remove_file(block);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: &str = "some work";

    fn bounds(memory: u64, spare: u64, interval: f64) -> Bounds {
        Bounds { memory, spare, interval: Duration::from_secs_f64(interval) }
    }

    fn block(layer: usize, number: u32) -> Block {
        Block { layer, number }
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// What a program leaves that is killed: nothing is put in order.
    fn kill(mut disk: Disk) {
        disk.lock = None;
    }

    #[test]
    fn the_files_of_a_checkpoint_stay_until_there_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let mut disk = Disk::open(dir.path(), WORK, bounds(100, u64::MAX, 1e6), false).unwrap();
        disk.put(block(2, 1), vec![7; 10]).unwrap();
        disk.put(block(2, 2), vec![8; 100]).unwrap();
        assert_eq!(names(dir.path()), ["layer02-0002.block", "lock"], "one fits the memory, one does not");
        disk.checkpoint().unwrap();
        disk.put(block(1, 1), vec![9; 10]).unwrap();
        disk.release(block(2, 1)).unwrap();
        disk.release(block(2, 2)).unwrap();
        disk.put(block(0, 1), vec![1; 100]).unwrap();
        kill(disk);
        let disk = Disk::open(dir.path(), WORK, bounds(100, u64::MAX, 1e6), false).unwrap();
        let whole = ["checkpoint.json", "layer02-0001.block", "layer02-0002.block", "lock"];
        assert_eq!(names(dir.path()), whole, "what came after the checkpoint is gone");
        assert!(disk.has(block(2, 1)) && disk.has(block(2, 2)) && !disk.has(block(1, 1)));
        drop(disk);
        let mut disk = Disk::open(dir.path(), WORK, bounds(100, u64::MAX, 1e6), false).unwrap();
        assert_eq!(*disk.get(block(2, 2)).unwrap(), [8; 100]);
        disk.put(block(1, 1), vec![9; 10]).unwrap();
        disk.release(block(2, 1)).unwrap();
        disk.release(block(2, 2)).unwrap();
        disk.checkpoint().unwrap();
        assert_eq!(names(dir.path()), ["checkpoint.json", "layer01-0001.block", "lock"]);
        disk.clear();
        drop(disk);
        assert!(!dir.path().exists(), "nothing is left behind");
    }

    #[test]
    fn checkpoints_come_with_time_or_when_files_pile_up() {
        let checkpoints = |interval: f64, spare: u64| {
            let dir = tempfile::tempdir().unwrap();
            let mut disk = Disk::open(dir.path(), WORK, bounds(1 << 20, spare, interval), false).unwrap();
            disk.put(block(9, 0), vec![0; 10]).unwrap();
            disk.checkpoint().unwrap();
            let mut first_layers = Vec::new();
            for layer in (5..9).rev() {
                disk.put(block(layer, 0), vec![0; 10]).unwrap();
                disk.release(block(layer + 1, 0)).unwrap();
                first_layers.push(checkpoint::read(dir.path(), WORK).unwrap()[0].layer);
            }
            first_layers
        };
        assert_eq!(checkpoints(1e6, u64::MAX), [9, 9, 9, 9]);
        // What is let go of counts when the next block is put.
        assert_eq!(checkpoints(1e6, 39), [9, 7, 6, 5]);
        let cost = Duration::from_millis(1);
        let dir = tempfile::tempdir().unwrap();
        let mut disk = Disk::open(dir.path(), WORK, bounds(1 << 20, u64::MAX, 0.0), false).unwrap();
        disk.last = (Instant::now().checked_sub(2 * SHARE * cost).unwrap(), cost);
        disk.put(block(9, 0), vec![0; 10]).unwrap();
        assert_eq!(checkpoint::read(dir.path(), WORK).unwrap(), [block(9, 0)]);
        disk.last = (Instant::now(), Duration::from_secs(1000));
        disk.put(block(8, 0), vec![0; 10]).unwrap();
        assert_eq!(checkpoint::read(dir.path(), WORK).unwrap(), [block(9, 0)], "those that cost much are rare");
    }

    #[test]
    fn only_files_of_blocks_are_strays() {
        let dir = tempfile::tempdir().unwrap();
        let strays = ["layer07-0a03.block", "layer12-0000.part"];
        let others = ["layer.block", "layer07-0a03.txt", "layer7-xyz.block", "notes", "my-layer07-0a03.block"];
        strays.iter().chain(&others).for_each(|name| fs::write(dir.path().join(name), "x").unwrap());
        drop(Disk::open(dir.path(), WORK, bounds(100, 100, 60.0), false).unwrap());
        let mut expected = others.to_vec();
        expected.sort_unstable();
        assert_eq!(names(dir.path()), expected);
    }

    #[test]
    fn a_folder_has_one_user_and_one_work() {
        let dir = tempfile::tempdir().unwrap();
        let open = |work, fresh| Disk::open(dir.path(), work, bounds(100, 100, 60.0), fresh);
        let mut disk = open(WORK, false).unwrap();
        let busy = open(WORK, true).err().unwrap().to_string();
        assert!(busy.contains("another run is at work in this folder"), "{busy}");
        disk.put(block(3, 0), vec![0; 100]).unwrap();
        disk.checkpoint().unwrap();
        drop(disk);
        assert!(open("other work", false).err().unwrap().to_string().contains("this is of some work"));
        assert_eq!(names(dir.path()), ["checkpoint.json", "layer03-0000.block"]);
        drop(open("other work", true).unwrap());
        assert!(!dir.path().exists(), "a fresh start removes another work's files too");
    }

    /// A run that needs no files touches none of another that began in the same folder meanwhile.
    #[test]
    fn a_run_without_files_clears_none() {
        let parent = tempfile::tempdir().unwrap();
        let dir = parent.path().join("work");
        let mut small = Disk::open(&dir, WORK, bounds(100, 100, 60.0), false).unwrap();
        small.put(block(3, 0), vec![0; 10]).unwrap();
        let mut large = Disk::open(&dir, WORK, bounds(0, 100, 60.0), false).unwrap();
        large.put(block(3, 0), vec![0; 10]).unwrap();
        large.checkpoint().unwrap();
        small.clear();
        drop(small);
        assert_eq!(names(&dir), ["checkpoint.json", "layer03-0000.block", "lock"]);
    }

    #[test]
    fn a_checkpoint_that_cannot_be_written_does_no_harm() {
        let dir = tempfile::tempdir().unwrap();
        let mut disk = Disk::open(dir.path(), WORK, bounds(100, 0, 0.0), false).unwrap();
        fs::create_dir_all(dir.path().join("layer03-0000.part")).unwrap();
        disk.put(block(3, 0), vec![5; 10]).unwrap();
        assert_eq!(*disk.get(block(3, 0)).unwrap(), [5; 10]);
        assert!(disk.checkpoint().is_err());
    }
}
