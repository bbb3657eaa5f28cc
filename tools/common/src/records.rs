//! A game as a line of `games.jsonl`: what is recorded, and a checksum at the end so that no changed line passes for a
//! game.

use crate::rules::Variant;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;

/// The version of the files this tool writes, and the only one it reads.
pub const FORMAT: u32 = 3;

/// No record is nearly as long.
pub const MAX_RECORD: usize = 1 << 20;

/// What stands before and after the eight digits of the checksum.
const CRC_BEFORE: &[u8] = b",\"crc\":\"";
const CRC_AFTER: &[u8] = b"\"}";
const CRC_DIGITS: usize = 8;
const TAIL: usize = CRC_BEFORE.len() + CRC_DIGITS + CRC_AFTER.len();

/// Who sits where: the first player moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The first player.
    P1,
    /// The second player.
    P2,
}

impl Seat {
    /// Both, the first player first.
    pub const BOTH: [Seat; 2] = [Seat::P1, Seat::P2];

    /// The opponent.
    pub fn other(self) -> Seat {
        match self {
            Seat::P1 => Seat::P2,
            Seat::P2 => Seat::P1,
        }
    }

    /// The result where this seat wins.
    pub fn win(self) -> GameResult {
        match self {
            Seat::P1 => GameResult::P1Win,
            Seat::P2 => GameResult::P2Win,
        }
    }
}

/// Who won, in the words of `query result`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The first player.
    P1Win,
    /// The second player.
    P2Win,
    /// Nobody.
    Draw,
}

/// The ways in which an engine loses a game other than on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The process ended, or closed its output.
    Crash,
    /// No answer, for far too long.
    Stall,
    /// An answer, but late.
    TimeLoss,
    /// A move that it may not make.
    IllegalMove,
    /// An answer that is not in the protocol, or a refusal of what is.
    ProtocolError,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 5] =
        [FaultKind::Crash, FaultKind::Stall, FaultKind::TimeLoss, FaultKind::IllegalMove, FaultKind::ProtocolError];
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Crash => "crash",
            FaultKind::Stall => "stall",
            FaultKind::TimeLoss => "time loss",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::ProtocolError => "protocol error",
        })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It was over by the rules.
    Rules,
    /// It would not end: a draw.
    PlyLimit,
    /// The loser gave it up.
    Resigned,
    /// It has not ended: kept as a draw that is worth nothing.
    Unfinished,
    /// The loser did something wrong.
    #[serde(untagged)]
    Fault(FaultKind),
}

/// One game. The lists have an entry a ply, in order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The version of this description.
    pub format: u32,
    /// Which game is played.
    pub game: String,
    /// The words after `position` with which it starts.
    pub start: String,
    /// Its number in the whole tournament, from 1.
    pub number: u64,
    /// Which pairing, from 0, in the order of the summary.
    pub pairing: usize,
    /// Which pair of the pairing, from 0.
    pub pair: u64,
    /// Where the pairing's first engine sits.
    pub seat: Seat,
    /// The first player's engine.
    pub p1: String,
    /// The second player's.
    pub p2: String,
    /// The seed of what chance brings.
    pub seed: u64,
    /// The fingerprint of the conditions it was played under.
    pub conditions: String,
    /// Who won.
    pub result: GameResult,
    /// What that is worth to the winner; 0 for a draw.
    pub points: u32,
    /// Why.
    pub reason: Reason,
    /// What exactly, where an engine did something wrong.
    pub detail: Option<String>,
    /// The plies, as they stand after `moves`.
    pub plies: Vec<String>,
    /// A last roll that no move followed.
    pub roll: Option<String>,
    /// The depth reported with each move.
    pub depth: Vec<Option<u32>>,
    /// The value reported, for the side that moved.
    pub value: Vec<Option<f64>>,
    /// The nodes reported.
    pub nodes: Vec<Option<u64>>,
    /// The last position, in the game's own notation.
    pub fen: String,
    /// Microseconds from `go` to `bestmove`, as measured: the one field that two runs do not share.
    pub time_us: Vec<u64>,
    /// Other lines that were tried, of games that people keep; tournaments have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// A line of play beside the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variation {
    /// The line it leaves: 0 is the game, 1 the first variation, and so on; always one before it.
    pub line: usize,
    /// After how many plies it leaves that line, counted from the start of the game.
    pub after: usize,
    /// Its own plies.
    pub plies: Vec<String>,
}

/// The two games of a pair: the pairing's first engine moves first in the first.
pub type PairRecord = [GameRecord; 2];

impl GameRecord {
    /// Half points of the pairing's first engine: 2 for a win.
    pub fn half_points(&self) -> usize {
        match self.result {
            GameResult::Draw => 1,
            won if won == self.seat.win() => 2,
            _ => 0,
        }
    }

    /// Points of the pairing's first engine: above zero what it won, below what it lost.
    pub fn signed_points(&self) -> i64 {
        let points = i64::from(self.points);
        match self.half_points() {
            2 => points,
            1 => 0,
            _ => -points,
        }
    }

    /// The game that is played, and how it starts.
    pub fn variant(&self) -> Variant {
        Variant { game: self.game.clone(), start: self.start.clone() }
    }

    /// The line of this game, with its end.
    pub fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.pop();
        let crc = crc32fast::hash(&line);
        line.extend_from_slice(CRC_BEFORE);
        line.extend_from_slice(format!("{crc:08x}").as_bytes());
        line.extend_from_slice(CRC_AFTER);
        line.push(b'\n');
        Ok(line)
    }

    /// The game of a line, given without its end.
    pub fn from_line(line: &[u8]) -> Result<GameRecord, LineError> {
        let cut = line.len().saturating_sub(TAIL);
        let (body, tail) = line.split_at(cut);
        let told = tail.strip_prefix(CRC_BEFORE).and_then(|tail| tail.strip_suffix(CRC_AFTER));
        let Some(told) = told else { return Err(without_checksum(line)) };
        let counted = format!("{:08x}", crc32fast::hash(body));
        if told != counted.as_bytes() {
            let told = told.escape_ascii().to_string();
            return Err(LineError::Checksum { told, counted });
        }
        let mut body = body.to_vec();
        body.push(b'}');
        serde_json::from_slice(&body).map_err(|error| match format_of(&body) {
            Some(FORMAT) => LineError::NotAGame(error.to_string()),
            found => LineError::Format(found),
        })
    }
}

/// What a line without a checksum is: a game of an older release, or nothing of ours.
fn without_checksum(line: &[u8]) -> LineError {
    match serde_json::from_slice::<serde_json::Value>(line) {
        Ok(value) if value.get("moves").is_some() && value.get("dice").is_some() => LineError::Format(Some(1)),
        Ok(_) => LineError::NoChecksum,
        Err(error) => LineError::NotAGame(error.to_string()),
    }
}

fn format_of(record: &[u8]) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_slice(record).ok()?;
    value.get("format")?.as_u64()?.try_into().ok()
}

/// Why a line is not a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineError {
    /// It does not end as a record does.
    NoChecksum,
    /// Its text is not what was written.
    Checksum {
        /// The checksum in the line.
        told: String,
        /// The checksum of its text.
        counted: String,
    },
    /// It is of another version of the format.
    Format(Option<u32>),
    /// It does not hold the fields of a game.
    NotAGame(String),
    /// It is longer than any game.
    TooLong,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::NoChecksum => f.write_str("it does not end in a checksum, as in \"crc\":\"0123abcd\"}"),
            LineError::Checksum { told, counted } => {
                write!(f, "it has been changed since it was written: its checksum is {told}, its text's is {counted}")
            }
            LineError::Format(found) => f.write_str(&other_format(*found)),
            LineError::NotAGame(why) => write!(f, "not a game: {why}"),
            LineError::TooLong => write!(f, "longer than {MAX_RECORD} bytes: not a game"),
        }
    }
}

impl Error for LineError {}

/// What to do about files of another version.
pub fn other_format(found: Option<u32>) -> String {
    let found = found.map_or("of an unknown format".to_string(), |found| format!("of format {found}"));
    format!(
        "{found}, and this release reads format {FORMAT} only. Nothing was changed. Read it with the release that wrote \
         it, or play again into another --out (--fresh moves what is there aside)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_plain() {
        let reasons = [
            (Reason::Rules, "\"rules\""),
            (Reason::PlyLimit, "\"ply-limit\""),
            (Reason::Fault(FaultKind::TimeLoss), "\"time-loss\""),
        ];
        for (reason, word) in reasons {
            assert_eq!(serde_json::to_string(&reason).unwrap(), word);
            assert_eq!(serde_json::from_str::<Reason>(word).unwrap(), reason);
        }
        assert_eq!(serde_json::to_string(&GameResult::P1Win).unwrap(), "\"p1win\"");
        assert_eq!(serde_json::to_string(&Seat::P2).unwrap(), "\"p2\"");
    }

    #[test]
    fn other_lines_say_what_they_are() {
        let cases: [(&[u8], &str); 5] = [
            (b"", "not a game"),
            (b"{\"game\":1,\"dice\":[0],\"moves\":[\"a1\"]}", "format 1"),
            (b"{\"game\":1}", "checksum"),
            (b"\0\0\0", "not a game"),
            (b"{},\"crc\":\"00000000\"}", "00000000"),
        ];
        for (line, words) in cases {
            let error = GameRecord::from_line(line).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        let body = b"{\"format\":2";
        let line = [&body[..], CRC_BEFORE, format!("{:08x}", crc32fast::hash(body)).as_bytes(), CRC_AFTER].concat();
        let error = GameRecord::from_line(&line).unwrap_err().to_string();
        assert!(error.contains("format 2") && error.contains("--out"), "{error}");
    }
}
