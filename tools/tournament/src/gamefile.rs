//! `games.jsonl`: a game a line, written a whole pair at a time, in the order of the schedule.
//!
//! The order makes the file a function of the conditions alone (but for the measured times), and makes going on easy:
//! what stands in the file is always the beginning of what is to be played. A crash can leave the last line without its
//! end, and the last pair without its second line; nothing else. So nothing else is ever cut off.

use crate::error::{Error, Problem};
use crate::records::{GameRecord, LineError, MAX_RECORD, PairRecord};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often what has been written is forced to disk. A crash of this tool loses nothing in any case: this is about a
/// crash of the machine.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Where the games of a folder are.
pub fn games_path(dir: &Path) -> PathBuf {
    dir.join("games.jsonl")
}

/// The file being written, which no other run can write meanwhile.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole pairs.
    length: u64,
    synced: Instant,
}

impl GameFile {
    /// Open or make the file of a folder, and keep other runs off it.
    pub fn open(dir: &Path) -> Result<GameFile, Error> {
        let path = games_path(dir);
        let named = |error| Error::file(&path, error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(named)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Error::Busy(path.clone()),
            TryLockError::Error(error) => named(error),
        })?;
        // A run that starts over moves the file aside: a lock on what was moved keeps nobody off the new one.
        let (ours, there) = (file.metadata().map_err(named)?, std::fs::metadata(&path).map_err(named)?);
        if (ours.dev(), ours.ino()) != (there.dev(), there.ino()) {
            return Err(Error::Busy(path));
        }
        Ok(GameFile { path, file, length: 0, synced: Instant::now() })
    }

    /// Read back whole pairs, hand each to `found`, and go on after the last of them: what a crash left half-written
    /// is cut off, and its line number returned.
    pub fn recover(
        &mut self,
        mut found: impl FnMut(PairRecord, &PairReader<&File>) -> Result<(), Error>,
    ) -> Result<Option<u64>, Error> {
        let named = |error| Error::file(&self.path, error);
        self.file.seek(SeekFrom::Start(0)).map_err(named)?;
        let mut reader = PairReader::new(&self.file, &self.path);
        while let Some(pair) = reader.next_pair()? {
            found(pair, &reader)?;
        }
        let (length, torn) = (reader.offset, reader.torn);
        self.file.set_len(length).map_err(named)?;
        self.file.seek(SeekFrom::Start(length)).map_err(named)?;
        self.length = length;
        Ok(torn)
    }

    /// Throw away what the file holds.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.length = 0;
        let cleared = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        cleared.map(|_| ()).map_err(|error| Error::file(&self.path, error))
    }

    /// Write a pair, in one piece.
    pub fn append(&mut self, pair: &PairRecord) -> Result<(), Error> {
        let lines = pair[0].line().and_then(|first| Ok([first, pair[1].line()?].concat()));
        self.append_lines(&lines.map_err(|error| Error::file(&self.path, error.into()))?)
    }

    /// Write the lines of whole pairs, in one piece; where that fails, what was written of them is taken back.
    pub fn append_lines(&mut self, lines: &[u8]) -> Result<(), Error> {
        if let Err(error) = self.file.write_all(lines) {
            let _ = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
            return Err(Error::file(&self.path, error));
        }
        self.length += lines.len() as u64;
        if self.synced.elapsed() >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    /// Force to disk what has been written.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| Error::file(&self.path, error))
    }
}

/// Reads pairs until the end, or until the last line if that has no end.
pub struct PairReader<R> {
    reader: BufReader<R>,
    path: PathBuf,
    /// Bytes of whole pairs read.
    pub offset: u64,
    /// Lines read.
    pub line: u64,
    /// The lines of the last pair, as they stand in the file.
    pub lines: Vec<u8>,
    /// The first line of what a crash left of a pair, if it did.
    pub torn: Option<u64>,
}

impl PairReader<File> {
    /// A reader of a folder's games.
    pub fn of(path: &Path) -> Result<PairReader<File>, Error> {
        let file = File::open(path).map_err(|error| Error::file(path, error))?;
        Ok(PairReader::new(file, path))
    }
}

impl<R: Read> PairReader<R> {
    /// A reader at the start of the file at `path`.
    pub fn new(file: R, path: &Path) -> PairReader<R> {
        let reader = BufReader::with_capacity(1 << 16, file);
        PairReader { reader, path: path.to_owned(), offset: 0, line: 0, lines: Vec::new(), torn: None }
    }

    /// The next whole pair; `None` at the end, and where only a part of a pair is left.
    pub fn next_pair(&mut self) -> Result<Option<PairRecord>, Error> {
        self.lines.clear();
        let Some(first) = self.next_game()? else { return Ok(None) };
        let Some(second) = self.next_game()? else {
            self.torn = Some(self.torn.map_or(self.line, |line| line - 1));
            return Ok(None);
        };
        self.offset += self.lines.len() as u64;
        Ok(Some([first, second]))
    }

    /// The next whole line.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, Error> {
        let start = self.lines.len();
        let mut bounded = (&mut self.reader).take(MAX_RECORD as u64 + 1);
        bounded.read_until(b'\n', &mut self.lines).map_err(|error| Error::file(&self.path, error))?;
        let line = &self.lines[start..];
        if line.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        if line.len() > MAX_RECORD {
            return Err(self.wrong(Problem::Line(LineError::TooLong)));
        }
        match line.strip_suffix(b"\n") {
            Some(line) => match GameRecord::from_line(line) {
                Ok(game) => Ok(Some(game)),
                Err(error) => Err(self.wrong(Problem::Line(error))),
            },
            None if is_torn(line) => {
                self.torn = Some(self.line);
                Ok(None)
            }
            None => Err(self.wrong(Problem::Tail)),
        }
    }

    fn wrong(&self, problem: Problem) -> Error {
        self.wrong_at(self.line, problem)
    }

    /// What is wrong with a line.
    pub fn wrong_at(&self, line: u64, problem: Problem) -> Error {
        Error::Record { path: self.path.clone(), line, problem }
    }
}

/// Whether a line without an end is the beginning of a game's line, as a crash leaves it.
fn is_torn(line: &[u8]) -> bool {
    let ends_early = serde_json::from_slice::<GameRecord>(line).is_err_and(|error| error.is_eof());
    ends_early || GameRecord::from_line(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Seat;
    use crate::records::tests::{game, small};
    use crate::schedule::Task;
    use std::fs;

    fn pairs(count: u64) -> Vec<PairRecord> {
        let task = |number| Task { number, pairing: 0, pair: number };
        (0..count).map(|n| Seat::BOTH.map(|seat| game(&small(), task(n), seat, n))).collect()
    }

    fn written(dir: &Path, pairs: &[PairRecord]) -> Vec<u8> {
        let mut file = GameFile::open(dir).unwrap();
        pairs.iter().for_each(|pair| file.append(pair).unwrap());
        fs::read(games_path(dir)).unwrap()
    }

    fn recovered(dir: &Path) -> Result<(GameFile, Vec<PairRecord>), Error> {
        let (mut file, mut found) = (GameFile::open(dir)?, Vec::new());
        file.recover(|pair, _| {
            found.push(pair);
            Ok(())
        })?;
        Ok((file, found))
    }

    /// Whatever the byte at which a crash cuts the file, recovery keeps the whole pairs before it and goes on after them.
    #[test]
    fn a_torn_tail_is_cut_off_wherever_it_is_torn() {
        let dir = tempfile::tempdir().unwrap();
        let pairs = pairs(3);
        let whole = written(dir.path(), &pairs);
        let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').map(|i| i + 1).collect();
        for cut in (0..=whole.len()).filter(|cut| cut % 5 == 0 || whole.len() - cut < 200) {
            fs::write(games_path(dir.path()), &whole[..cut]).unwrap();
            let (mut file, found) = recovered(dir.path()).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
            assert_eq!(found.len(), ends.iter().filter(|&&end| end <= cut).count() / 2, "cut at {cut}");
            for pair in &pairs[found.len()..] {
                file.append(pair).unwrap();
            }
            assert_eq!(fs::read(games_path(dir.path())).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn every_flipped_bit_is_refused_with_its_line_and_nothing_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let whole = written(dir.path(), &pairs(2));
        let path = games_path(dir.path());
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let line = whole[..bit / 8].iter().filter(|&&byte| byte == b'\n').count() + 1;
            let words = format!("games.jsonl, line {line}: ");
            let mut reader = PairReader::new(&flipped[..], &path);
            let error = (0..3).find_map(|_| reader.next_pair().err()).unwrap_or_else(|| panic!("bit {bit}"));
            assert!(error.to_string().contains(&words), "bit {bit}: {error}");
            if bit % 97 == 0 {
                fs::write(&path, &flipped).unwrap();
                let error = recovered(dir.path()).expect_err("a flipped bit").to_string();
                assert!(error.contains(&words), "bit {bit}: {error}");
                assert!(fs::read(&path).unwrap() == flipped, "bit {bit}: the file was changed");
            }
        }
    }

    #[test]
    fn anything_but_a_torn_line_is_refused_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let whole = written(dir.path(), &pairs(2));
        let path = games_path(dir.path());
        let cases: [(&str, Vec<u8>, u64); 7] = [
            ("zeros at the end", [&whole[..], &[0; 9]].concat(), 5),
            ("zeros and an end", [&whole[..], b"\0\0\n"].concat(), 5),
            ("a zero in the middle", [&whole[..20], b"\0", &whole[20..]].concat(), 1),
            ("a bad last line", [&whole[..], b"{\"format\":2}\n"].concat(), 5),
            ("an empty line", [b"\n", &whole[..]].concat(), 1),
            ("words at the end", [&whole[..], b"hello"].concat(), 5),
            ("a line without end", [&whole[..], &vec![b' '; MAX_RECORD + 1]].concat(), 5),
        ];
        for (name, content, line) in cases {
            fs::write(&path, &content).unwrap();
            let error = recovered(dir.path()).expect_err(name).to_string();
            assert!(error.contains(&format!("line {line}: ")), "{name}: {error}");
            assert!(fs::read(&path).unwrap() == content, "{name}: the file was changed");
        }
    }

    #[test]
    fn one_run_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let file = GameFile::open(dir.path()).unwrap();
        assert!(GameFile::open(dir.path()).unwrap_err().to_string().contains("another run"));
        drop(file);
        GameFile::open(dir.path()).unwrap();
    }
}
