//! `games.jsonl`: a game a line, written a whole pair at a time, in the order of the schedule.
//!
//! The order makes the file a function of the conditions alone (but for the measured times), and makes going on easy:
//! what stands in the file is always the beginning of what is to be played.

use crate::engine::FaultKind;
use crate::schedule::Task;
use alea::game::dice::Side;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often what has been written is forced to disk. A crash of this tool loses nothing in any case: this is about a
/// crash of the machine.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// Blue, the first to move.
    Blue,
    /// Red.
    Red,
    /// Nobody.
    Draw,
}

impl From<Side> for Winner {
    fn from(side: Side) -> Winner {
        match side {
            Side::Blue => Winner::Blue,
            Side::Red => Winner::Red,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// k in a row.
    Line,
    /// The board is full.
    FullBoard,
    /// The loser did something wrong.
    #[serde(untagged)]
    Fault(FaultKind),
}

/// One game. The lists have an entry a move, in order, but that the last of `dice` may have no move to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the whole tournament, from 1.
    pub game: u64,
    /// Which pairing, from 0, in the order of the summary.
    pub pairing: usize,
    /// Which pair of the pairing, from 0.
    pub pair: u64,
    /// Where the pairing's first engine sits.
    pub seat: Winner,
    /// Blue's engine.
    pub blue: String,
    /// Red's engine.
    pub red: String,
    /// The seed of the dice.
    pub seed: u64,
    /// Who won.
    pub result: Winner,
    /// Why.
    pub reason: Reason,
    /// What exactly, where an engine did something wrong.
    pub detail: Option<String>,
    /// The rolls.
    pub dice: Vec<u8>,
    /// The cells played on.
    pub moves: Vec<String>,
    /// The depth reported with each move.
    pub depth: Vec<Option<u32>>,
    /// The value reported, for the side that moved.
    pub value: Vec<Option<f64>>,
    /// The nodes reported.
    pub nodes: Vec<Option<u64>>,
    /// The last position.
    pub dpn: String,
    /// Microseconds from `go` to `bestmove`, as measured: the one field that two runs do not share.
    pub time_us: Vec<u64>,
}

impl GameRecord {
    /// Half points of the pairing's first engine: 2 for a win.
    pub fn half_points(&self) -> usize {
        match self.result {
            Winner::Draw => 1,
            winner if winner == self.seat => 2,
            _ => 0,
        }
    }

    fn is_of(&self, task: Task, seat: usize) -> bool {
        (self.pairing, self.pair, self.game) == (task.pairing, task.pair, 2 * task.number + seat as u64 + 1)
    }
}

/// The two games of a pair: the pairing's first engine is blue in the first.
pub type PairRecord = [GameRecord; 2];

/// Whether it is the pair that the schedule has at this place.
pub fn is_pair_of(pair: &PairRecord, task: Task) -> bool {
    pair[0].is_of(task, 0) && pair[1].is_of(task, 1)
}

/// Where the games of a folder are.
pub fn games_path(dir: &Path) -> PathBuf {
    dir.join("games.jsonl")
}

/// The file being written.
pub struct GameFile {
    file: File,
    synced: Instant,
}

impl GameFile {
    /// Open or make the file, and keep other runs off it.
    pub fn open(path: &Path) -> Result<GameFile, String> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => format!("{} is being written by another run; wait for it", path.display()),
            TryLockError::Error(error) => format!("{}: {error}", path.display()),
        })?;
        Ok(GameFile { file, synced: Instant::now() })
    }

    /// Read back whole pairs for as long as they are those that `next` says come next, hand them to `found`, and cut off
    /// what a crash left half-written after them.
    pub fn recover(
        &mut self,
        mut next: impl FnMut() -> Option<Task>,
        mut found: impl FnMut(Task, PairRecord),
    ) -> Result<(), String> {
        let failed = |error: io::Error| format!("games.jsonl cannot be read: {error}");
        self.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut reader = PairReader::new(&self.file);
        let mut whole = 0;
        while let Some(pair) = reader.next_pair()? {
            let task = next().filter(|&task| is_pair_of(&pair, task));
            let task = task.ok_or_else(|| {
                format!("games.jsonl, game {}: not the game that comes next in this tournament", pair[0].game)
            })?;
            whole = reader.offset;
            found(task, pair);
        }
        self.file.set_len(whole).map_err(failed)?;
        self.file.seek(SeekFrom::Start(whole)).map_err(failed)?;
        Ok(())
    }

    /// Write a pair, in one piece.
    pub fn append(&mut self, pair: &PairRecord) -> io::Result<()> {
        let mut lines = Vec::with_capacity(2048);
        for game in pair {
            serde_json::to_writer(&mut lines, game)?;
            lines.push(b'\n');
        }
        self.append_lines(&lines)
    }

    /// Write the lines of whole pairs, in one piece.
    pub fn append_lines(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.write_all(lines)?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Force to disk what has been written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }
}

/// Reads pairs until the end or until the file is torn.
pub struct PairReader<R> {
    reader: BufReader<R>,
    /// Bytes of whole pairs read.
    pub offset: u64,
    /// The lines of the last pair, as they stand in the file.
    pub lines: Vec<u8>,
}

impl<R: io::Read> PairReader<R> {
    /// A reader at the start of a file.
    pub fn new(file: R) -> PairReader<R> {
        PairReader { reader: BufReader::with_capacity(1 << 16, file), offset: 0, lines: Vec::new() }
    }

    /// The next whole pair; `None` at the end, and where only a part of a pair is left. A whole line that is no game is
    /// an error: a crash does not leave such.
    pub fn next_pair(&mut self) -> Result<Option<PairRecord>, String> {
        self.lines.clear();
        let Some(first) = self.next_game()? else { return Ok(None) };
        let Some(second) = self.next_game()? else { return Ok(None) };
        self.offset += self.lines.len() as u64;
        Ok(Some([first, second]))
    }

    fn next_game(&mut self) -> Result<Option<GameRecord>, String> {
        let start = self.lines.len();
        let failed = |error| format!("games.jsonl cannot be read: {error}");
        self.reader.read_until(b'\n', &mut self.lines).map_err(failed)?;
        let line = &self.lines[start..];
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        match serde_json::from_slice(line) {
            Ok(game) => Ok(Some(game)),
            // A machine that loses power may leave zeros where data had not reached the disk.
            Err(_) if line.contains(&0) => Ok(None),
            Err(error) => Err(format!("games.jsonl, after byte {}: not a game: {error}", self.offset)),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A pair with given half points for the first engine.
    pub(crate) fn pair(task: Task, half_points: [usize; 2]) -> PairRecord {
        std::array::from_fn(|seat| {
            let (own, other) = if seat == 0 { (Winner::Blue, Winner::Red) } else { (Winner::Red, Winner::Blue) };
            GameRecord {
                game: 2 * task.number + seat as u64 + 1,
                pairing: task.pairing,
                pair: task.pair,
                seat: own,
                blue: "A".to_string(),
                red: "B".to_string(),
                seed: 5,
                result: [other, Winner::Draw, own][half_points[seat]],
                reason: Reason::Line,
                detail: None,
                dice: vec![0, 1],
                moves: vec!["a1".to_string(), "b2".to_string()],
                depth: vec![Some(1), None],
                value: vec![Some(0.25), None],
                nodes: vec![Some(9), None],
                dpn: "-".to_string(),
                time_us: vec![10, 20],
            }
        })
    }

    fn task(number: u64) -> Task {
        Task { number, pairing: 0, pair: number }
    }

    #[test]
    fn reasons_are_plain_words() {
        for (reason, word) in [
            (Reason::Line, "\"line\""),
            (Reason::FullBoard, "\"full-board\""),
            (Reason::Fault(FaultKind::TimeLoss), "\"time-loss\""),
        ] {
            assert_eq!(serde_json::to_string(&reason).unwrap(), word);
            assert_eq!(serde_json::from_str::<Reason>(word).unwrap(), reason);
        }
    }

    /// Whatever the byte at which a crash cuts the file, recovery keeps the whole pairs before it and goes on after them.
    #[test]
    fn a_torn_tail_is_cut_off_wherever_it_is_torn() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        let mut file = GameFile::open(&path).unwrap();
        let pairs: Vec<PairRecord> = (0..3).map(|i| pair(task(i), [2, 1])).collect();
        for pair in &pairs {
            file.append(pair).unwrap();
        }
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        let size = whole.len() / 3;
        for cut in (0..=whole.len()).step_by(7).chain([size, 2 * size, whole.len()]) {
            let mut torn = whole[..cut].to_vec();
            torn.extend(std::iter::repeat_n(0, cut % 3));
            std::fs::write(&path, &torn).unwrap();
            let mut file = GameFile::open(&path).unwrap();
            let (mut number, mut found) = (0, Vec::new());
            let next = || {
                number += 1;
                Some(task(number - 1))
            };
            file.recover(next, |_, pair| found.push(pair)).unwrap();
            assert_eq!(found, pairs[..cut / size], "cut at {cut}");
            for pair in &pairs[found.len()..] {
                file.append(pair).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn foreign_games_and_a_second_run_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        let mut file = GameFile::open(&path).unwrap();
        assert!(GameFile::open(&path).err().unwrap().contains("another run"));
        file.append(&pair(task(4), [0, 0])).unwrap();
        let error = file.recover(|| Some(task(0)), |_, _| {}).unwrap_err();
        assert!(error.contains("game 9"), "{error}");
        std::fs::write(&path, "{\"game\":1}\n").unwrap();
        let error = file.recover(|| Some(task(0)), |_, _| {}).unwrap_err();
        assert!(error.contains("byte 0"), "{error}");
    }
}
