//! Folders of tournaments, named when the tool starts: their games, a page at a time, also while they are being played.

use crate::error::{Error, Refusal};
use crate::kept;
use alea_tools::records::{GameRecord, GameResult, MAX_RECORD};
use parking_lot::Mutex;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Games on a page, at most.
const MOST_ROWS: usize = 200;

/// A file of games, and where each line begins.
pub struct Folder {
    path: PathBuf,
    index: Mutex<Index>,
}

#[derive(Default)]
struct Index {
    starts: Vec<u64>,
    end: u64,
}

/// A folder, for a list.
#[derive(Debug, Serialize)]
pub struct FolderRow {
    name: String,
    games: usize,
}

/// A game, for a list.
#[derive(Debug, Serialize)]
pub struct GameRow {
    /// Its place in the file, from 0.
    place: usize,
    number: u64,
    game: String,
    p1: String,
    p2: String,
    plies: usize,
    result: GameResult,
    points: u32,
}

impl Folder {
    /// The games of a folder, or of a file.
    pub fn open(path: &Path) -> Result<Folder, Error> {
        let file = if path.is_dir() { path.join("games.jsonl") } else { path.to_owned() };
        let folder = Folder { path: file.clone(), index: Mutex::default() };
        folder.refresh().map_err(|source| Error::Games { path: file, source })?;
        Ok(folder)
    }

    /// Look for lines that have been added; the number of all.
    fn refresh(&self) -> io::Result<usize> {
        let mut index = self.index.lock();
        let file = File::open(&self.path)?;
        if file.metadata()?.len() < index.end {
            *index = Index::default();
        }
        let mut reader = BufReader::with_capacity(1 << 18, file);
        reader.seek(SeekFrom::Start(index.end))?;
        let (mut start, mut place) = (index.end, index.end);
        loop {
            let buffer = reader.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            for (i, _) in buffer.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
                index.starts.push(start);
                start = place + i as u64 + 1;
            }
            let read = buffer.len();
            place += read as u64;
            reader.consume(read);
        }
        // A line without its end is still being written.
        index.end = start;
        Ok(index.starts.len())
    }

    /// Its row in a list.
    pub fn row(&self) -> Result<FolderRow, Refusal> {
        Ok(FolderRow { name: self.path.display().to_string(), games: self.refresh().map_err(Refusal::File)? })
    }

    /// The game at a place.
    pub fn game(&self, place: usize) -> Result<GameRecord, Refusal> {
        let start = self.index.lock().starts.get(place).copied().ok_or(Refusal::Missing("game"))?;
        let mut file = File::open(&self.path).map_err(Refusal::File)?;
        file.seek(SeekFrom::Start(start)).map_err(Refusal::File)?;
        let mut line = Vec::new();
        let read = BufReader::new(file).take(MAX_RECORD as u64 + 2).read_until(b'\n', &mut line);
        read.map_err(Refusal::File)?;
        kept::read(&line)
    }

    /// The games from a place on; what is no game is told in its place.
    pub fn rows(&self, from: usize, count: usize) -> Result<Vec<Result<GameRow, String>>, Refusal> {
        let games = self.refresh().map_err(Refusal::File)?;
        let end = from.saturating_add(count.min(MOST_ROWS)).min(games);
        let row = |place| {
            let game = self.game(place).map_err(|error| error.to_string())?;
            Ok(GameRow {
                place,
                number: game.number,
                game: game.game,
                p1: game.p1,
                p2: game.p2,
                plies: game.plies.len(),
                result: game.result,
                points: game.points,
            })
        };
        Ok((from..end).map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn games_are_found_as_they_come() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Folder::open(dir.path()).is_err(), "no games yet");
        let game = |plies: &[&str]| {
            let position = serde_json::json!({ "game": "dice", "start": "startpos 3 3", "plies": plies });
            let game = serde_json::json!({ "position": position, "p1": "A", "p2": "B" });
            kept::write(serde_json::from_value(game).unwrap()).unwrap()
        };
        let path = dir.path().join("games.jsonl");
        let mut file = File::create(&path).unwrap();
        file.write_all(&game(&["0:a1"])).unwrap();
        file.write_all(b"nonsense\n").unwrap();
        let torn = game(&["0:a1", "1:b2"]);
        file.write_all(&torn[..20]).unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let rows = folder.rows(0, 99).unwrap();
        assert_eq!(rows.len(), 2, "a torn line is no game yet");
        assert_eq!(rows[0].as_ref().unwrap().plies, 1);
        assert!(rows[1].as_ref().unwrap_err().contains("not a game"));
        file.write_all(&torn[20..]).unwrap();
        assert_eq!(folder.row().unwrap().games, 3);
        assert_eq!(folder.game(2).unwrap().plies.len(), 2);
        assert!(folder.game(3).is_err() && folder.rows(7, usize::MAX).unwrap().is_empty());
        File::create(&path).unwrap();
        assert_eq!(folder.row().unwrap().games, 0, "started over");
    }
}
