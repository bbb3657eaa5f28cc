//! Games that are kept: written as the tournament's records are, and read back with everything checked.

use crate::error::Refusal;
use crate::positions::Asked;
use alea_tools::records::{FORMAT, FaultKind, GameRecord, GameResult, MAX_RECORD, Reason, Seat, Variation};
use alea_tools::rules::Board;
use alea_tools::text::visible;
use serde::Deserialize;

/// The fingerprint of conditions that nobody wrote down.
const NO_CONDITIONS: &str = "00000000";

/// What a game that was given up or lost on time is worth.
const FORFEIT_POINTS: u32 = 1;

/// As much of a name as is kept.
const NAME: usize = 100;

/// A game as a page has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    position: Asked,
    p1: String,
    p2: String,
    /// Who lost, and how, where the rules do not say it.
    #[serde(default)]
    lost: Option<Lost>,
    #[serde(default)]
    depth: Vec<Option<u32>>,
    #[serde(default)]
    value: Vec<Option<f64>>,
    #[serde(default)]
    nodes: Vec<Option<u64>>,
    #[serde(default)]
    time_us: Vec<u64>,
    #[serde(default)]
    variations: Vec<Variation>,
}

/// A game that was lost beside the board.
#[derive(Clone, Debug, Deserialize)]
struct Lost {
    by: Seat,
    /// `resigned`, or what an engine does wrong.
    reason: Reason,
}

/// The line of a game.
pub fn write(game: Game) -> Result<Vec<u8>, Refusal> {
    let board = game.position.board()?;
    let plies = board.plies().len();
    let (result, points, reason) = match (board.result(), game.lost) {
        (Some(result), _) => (result, board.points(), Reason::Rules),
        (None, Some(lost)) => (lost.by.other().win(), FORFEIT_POINTS, lost.reason),
        (None, None) => (GameResult::Draw, 0, Reason::Unfinished),
    };
    let detail = matches!(reason, Reason::Fault(_)).then(|| match reason {
        Reason::Fault(FaultKind::TimeLoss) => "the time was up".to_string(),
        _ => "the engine failed".to_string(),
    });
    let record = GameRecord {
        format: FORMAT,
        game: board.variant().game.clone(),
        start: board.variant().start.clone(),
        number: 1,
        pairing: 0,
        pair: 0,
        seat: Seat::P1,
        p1: visible(&game.p1, NAME),
        p2: visible(&game.p2, NAME),
        seed: game.position.seed.unwrap_or(0),
        conditions: NO_CONDITIONS.to_string(),
        result,
        points,
        reason,
        detail,
        plies: board.plies().to_vec(),
        roll: board.roll().filter(|_| reason != Reason::Rules).map(str::to_string),
        depth: padded(game.depth, plies),
        value: padded(game.value, plies),
        nodes: padded(game.nodes, plies),
        fen: unrolled(&board)?,
        time_us: padded(game.time_us, plies),
        variations: game.variations,
    };
    check(&record)?;
    record.line().map_err(|_| Refusal::Unfit("it cannot be written"))
}

/// A list with an entry a ply.
fn padded<T: Clone + Default>(mut list: Vec<T>, plies: usize) -> Vec<T> {
    list.resize(plies, T::default());
    list
}

/// The last position without its roll.
fn unrolled(board: &Board) -> Result<String, Refusal> {
    let mut again = Board::new(board.variant())?;
    for ply in board.plies() {
        again.ply(ply)?;
    }
    Ok(again.notation())
}

/// The game of a line, with or without its end.
pub fn read(line: &[u8]) -> Result<GameRecord, Refusal> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > MAX_RECORD {
        return Err(Refusal::Record(alea_tools::records::LineError::TooLong));
    }
    let record = GameRecord::from_line(line).map_err(Refusal::Record)?;
    check(&record)?;
    Ok(record)
}

/// Whether the parts of a record fit: its moves are legal, its last position is theirs, its lists are as long.
fn check(record: &GameRecord) -> Result<(), Refusal> {
    let asked = |plies: &[String], roll: &Option<String>| Asked {
        game: record.game.clone(),
        start: record.start.clone(),
        plies: plies.to_vec(),
        roll: roll.clone(),
        seed: None,
    };
    let board = asked(&record.plies, &None).board()?;
    asked(&record.plies, &record.roll).board()?;
    let plies = record.plies.len();
    let lists = [record.depth.len(), record.value.len(), record.nodes.len(), record.time_us.len()];
    if lists.iter().any(|&length| length != plies) {
        return Err(Refusal::Unfit("a list has not one entry a ply"));
    }
    if record.fen != board.notation() {
        return Err(Refusal::Unfit("its last position is not that of its moves"));
    }
    if record.reason == Reason::Rules && board.result() != Some(record.result) {
        return Err(Refusal::Unfit("its result is not that of its moves"));
    }
    check_variations(record, &asked)
}

fn check_variations(record: &GameRecord, asked: &impl Fn(&[String], &Option<String>) -> Asked) -> Result<(), Refusal> {
    let mut lines: Vec<Vec<String>> = vec![record.plies.clone()];
    for variation in &record.variations {
        let from = lines.get(variation.line).and_then(|line| line.get(..variation.after));
        let from = from.ok_or(Refusal::Unfit("a variation leaves a line that is not there"))?;
        let line = [from, &variation.plies].concat();
        asked(&line, &None).board()?;
        lines.push(line);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(json: serde_json::Value) -> Game {
        serde_json::from_value(json).unwrap()
    }

    fn position(plies: &[&str]) -> serde_json::Value {
        serde_json::json!({ "game": "dice", "start": "startpos 3 3", "plies": plies, "seed": 5 })
    }

    #[test]
    fn what_is_written_is_read_back() {
        let won = ["0:a1", "1:b1", "1:a2", "1:b2", "2:a3"];
        let cases = [
            (serde_json::json!({ "position": position(&won), "p1": "A", "p2": "B" }), GameResult::P1Win, Reason::Rules),
            (
                serde_json::json!({ "position": position(&won[..2]), "p1": "A", "p2": "B",
                    "variations": [{"line": 0, "after": 1, "plies": ["0:a2", "2:c3"]}, {"line": 1, "after": 2, "plies": ["1:c2"]}] }),
                GameResult::Draw,
                Reason::Unfinished,
            ),
            (
                serde_json::json!({ "position": position(&won[..3]), "p1": "A", "p2": "B",
                    "lost": {"by": "p2", "reason": "time-loss"} }),
                GameResult::P1Win,
                Reason::Fault(FaultKind::TimeLoss),
            ),
            (
                serde_json::json!({ "position": position(&won[..3]), "p1": "A", "p2": "B",
                    "lost": {"by": "p1", "reason": "resigned"}, "value": [0.5, null, -0.25] }),
                GameResult::P2Win,
                Reason::Resigned,
            ),
        ];
        for (json, result, reason) in cases {
            let line = write(game(json.clone())).unwrap();
            let back = read(&line).unwrap();
            assert_eq!((back.result, back.reason), (result, reason), "{json}");
            assert_eq!(back.line().unwrap(), line);
            assert_eq!(serde_json::to_value(&back.plies).unwrap(), json["position"]["plies"]);
            assert_eq!(back.variations.len(), json["variations"].as_array().map_or(0, Vec::len));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let cases = [
            (serde_json::json!({ "position": position(&["0:a2"]), "p1": "A", "p2": "B" }), "a2"),
            (
                serde_json::json!({ "position": position(&["0:a1"]), "p1": "A", "p2": "B",
                    "variations": [{"line": 1, "after": 0, "plies": []}] }),
                "variation",
            ),
            (
                serde_json::json!({ "position": position(&["0:a1"]), "p1": "A", "p2": "B",
                    "variations": [{"line": 0, "after": 1, "plies": ["0:a1"]}] }),
                "a1",
            ),
        ];
        for (json, word) in cases {
            let error = write(game(json.clone())).unwrap_err().to_string();
            assert!(error.contains(word), "{json}: {error}");
        }
        let line = write(game(serde_json::json!({ "position": position(&["0:a1"]), "p1": "A", "p2": "B" }))).unwrap();
        let mut record = GameRecord::from_line(&line[..line.len() - 1]).unwrap();
        record.result = GameResult::P1Win;
        record.reason = Reason::Rules;
        assert!(read(&record.line().unwrap()).unwrap_err().to_string().contains("result"));
        record.depth.clear();
        assert!(read(&record.line().unwrap()).unwrap_err().to_string().contains("entry"));
        for bytes in [&b""[..], b"{}", b"\xff\xfe", b"[1,2]", &vec![b'x'; MAX_RECORD + 1]] {
            assert!(read(bytes).is_err());
        }
    }
}
