//! Games that are kept, a line each, as the tournament writes them: `alea-tournament replay` and `analyse` read them.

use alea_tools::engine::Info;
use alea_tools::files::{self, FileError};
use alea_tools::records::{FORMAT, GameRecord, GameResult, Reason, Seat};
use alea_tools::rules::Board;
use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The fingerprint of conditions that nobody wrote down.
const NO_CONDITIONS: &str = "00000000";

/// The most that a file of games may have.
const MAX_FILE: u64 = 1 << 30;

/// What the engine said of a ply; nothing where a person moved.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Its last words.
    pub info: Option<Info>,
    /// Microseconds that the move took.
    pub time_us: u64,
}

/// A game that has come to some end.
pub struct Ended<'a> {
    /// The board at the end.
    pub board: &'a Board,
    /// The same before the last roll.
    pub unrolled: &'a Board,
    /// What was said of each ply.
    pub reports: &'a [Report],
    /// The players.
    pub names: [String; 2],
    /// The seed of the dice.
    pub seed: u64,
    /// Who gave it up.
    pub resigned: Option<Seat>,
}

impl Ended<'_> {
    /// The record, as the game of some number.
    fn record(&self, number: u64) -> GameRecord {
        let (result, points, reason) = match (self.board.result(), self.resigned) {
            (Some(result), _) => (result, self.board.points(), Reason::Rules),
            (None, Some(seat)) => (seat.other().win(), 1, Reason::Resigned),
            (None, None) => (GameResult::Draw, 0, Reason::Unfinished),
        };
        let variant = self.board.variant();
        let [p1, p2] = self.names.clone();
        let of_info = |report: &Report| report.info.clone().unwrap_or_default();
        GameRecord {
            format: FORMAT,
            game: variant.game.clone(),
            start: variant.start.clone(),
            number,
            pairing: 0,
            pair: 0,
            seat: Seat::P1,
            p1,
            p2,
            seed: self.seed,
            conditions: NO_CONDITIONS.into(),
            result,
            points,
            reason,
            detail: None,
            plies: self.board.plies().to_vec(),
            roll: self.board.roll().map(str::to_string),
            depth: self.reports.iter().map(|report| of_info(report).depth).collect(),
            value: self.reports.iter().map(|report| of_info(report).points()).collect(),
            nodes: self.reports.iter().map(|report| of_info(report).nodes).collect(),
            fen: self.unrolled.notation(),
            time_us: self.reports.iter().map(|report| report.time_us).collect(),
            variations: Vec::new(),
        }
    }
}

/// Where games are kept if nobody says where.
pub fn usual_file() -> Option<PathBuf> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = named("XDG_DATA_HOME").or_else(|| named("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join("alea/games.jsonl"))
}

/// Add a game to a file, which is replaced in one step; the game's number in it.
pub fn keep(path: &Path, game: &Ended<'_>) -> Result<u64, FileError> {
    let fail = |error| FileError::new(path, error);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        files::make_dir(folder)?;
    }
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let _locked = File::create(&lock).and_then(|file| file.lock().map(|()| file)).map_err(fail)?;
    let mut content = match fs::metadata(path) {
        Ok(found) if found.len() > MAX_FILE => {
            return Err(fail(io::Error::new(ErrorKind::FileTooLarge, "too long to add a game to")));
        }
        Ok(_) => fs::read(path).map_err(fail)?,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(fail(error)),
    };
    let last = last_number(&content).map_err(fail)?;
    content.extend(game.record(last + 1).line().map_err(|error| fail(error.into()))?);
    if !content.ends_with(b"\n") {
        content.push(b'\n');
    }
    let kept = files::replace(path, &content).map(|()| last + 1);
    let _ = fs::remove_file(&lock);
    kept
}

/// The number of the last game of a file: what is there must be games, or nothing is added.
fn last_number(content: &[u8]) -> io::Result<u64> {
    let Some(lines) = content.strip_suffix(b"\n") else {
        let whole = if content.is_empty() { Ok(0) } else { Err("its last line is not whole") };
        return whole.map_err(|why| io::Error::new(ErrorKind::InvalidData, why));
    };
    let last = lines.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let record = GameRecord::from_line(last)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, format!("not a file of games: {error}")))?;
    Ok(record.number)
}
