//! A position as somebody pastes it: a DPN, a FEN, an XGID, a GNU Backgammon ID, or a whole `position` command, of
//! whichever game it is.

use crate::error::Refusal;
use alea::game::{AnyPosition, Fault, Kind};
use alea::games;
use alea_tools::rules::{Board, Variant};
use alea_tools::text::visible;

/// Words that introduce a written position.
const KEYWORDS: [&str; 4] = ["fen", "dpn", "xgid", "gnubgid"];

/// As much of a text as a message needs.
const SHOWN: usize = 60;

/// The board of a pasted text, read as the game at hand where it can be, else as any other.
pub fn read(text: &str, at_hand: &str) -> Result<Board, Refusal> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.first() == Some(&"position") {
        words.remove(0);
    }
    if words.is_empty() {
        return Err(Refusal::NoPosition("expected a position: a DPN, a FEN, an XGID or a GNU Backgammon ID".into()));
    }
    let mut games: Vec<&str> = games::NAMES.to_vec();
    games.sort_by_key(|&game| game != at_hand);
    let likely = likely_game(&words, at_hand);
    let mut why = None;
    for game in games {
        match read_as(game, &words) {
            Ok(board) => return Ok(board),
            Err(error) if Some(game) == likely => why = Some(error),
            Err(_) => {}
        }
    }
    Err(why.unwrap_or_else(|| no_position(&words)))
}

fn no_position(words: &[&str]) -> Refusal {
    Refusal::NoPosition(format!("'{}' is no position of any game here", visible(&words.join(" "), SHOWN)))
}

/// Whose mistakes to tell of, if nothing can be read.
fn likely_game<'a>(words: &[&str], at_hand: &'a str) -> Option<&'a str> {
    let text = words.join(" ");
    match text.matches('/').count() {
        _ if text.contains("XGID=") || words[0] == "gnubgid" => Some("backgammon"),
        _ if words[0] == "dpn" || (words.len() > 8 && words[0].parse::<u8>().is_ok()) => Some("dice"),
        _ if words[0] == "startpos" || KEYWORDS.contains(&words[0]) => Some(at_hand),
        4 => Some("einstein"),
        7 => Some("darkchess"),
        _ => None,
    }
}

fn read_as(game: &str, words: &[&str]) -> Result<Board, Refusal> {
    let end = words.iter().position(|word| *word == "moves" || *word == "roll").unwrap_or(words.len());
    let (head, tail) = words.split_at(end);
    let mut board = match head {
        ["startpos", ..] => Board::new(&Variant { game: game.to_string(), start: head.join(" ") })?,
        [keyword, rest @ ..] if KEYWORDS.contains(keyword) => written(game, keyword, rest)?,
        _ => bare(game, head)?,
    };
    let (plies, roll) = match tail.iter().position(|word| *word == "roll") {
        Some(place) => (&tail[..place], tail.get(place + 1)),
        None => (tail, None),
    };
    for ply in plies.iter().skip(1) {
        board.ply(ply)?;
    }
    roll.map_or(Ok(()), |roll| board.resolve(roll))?;
    Ok(board)
}

/// A position without a word before it.
fn bare(game: &str, words: &[&str]) -> Result<Board, Refusal> {
    let keyword = match words {
        [word] if game == "backgammon" && !word.contains("XGID=") => "gnubgid",
        _ => "fen",
    };
    written(game, keyword, words)
}

/// A position behind its word. A roll in it becomes the board's own, so that the start stands before it.
fn written(game: &str, keyword: &str, words: &[&str]) -> Result<Board, Refusal> {
    let fault = |fault: Fault| Refusal::NoPosition(fault.to_string());
    let read = games::read(game, keyword, words).ok_or_else(|| no_position(words))?;
    let position = read.map_err(fault)?;
    let (fen, roll) = unrolled(position.as_ref());
    let mut board = Board::new(&Variant { game: game.to_string(), start: format!("fen {fen}") })?;
    match roll {
        Some(cell) if position.chance_follows() => board.play(&cell)?,
        Some(roll) => board.resolve(&roll)?,
        None => {}
    }
    Ok(board)
}

/// The position before its roll, and the roll; in dark chess before a flip that waits for its outcome, and its cell.
fn unrolled(position: &dyn AnyPosition) -> (String, Option<String>) {
    let fen = position.fen();
    let waits = if position.chance_follows() { Kind::Chance } else { Kind::Decision };
    if position.kind() != waits {
        return (fen, None);
    }
    let (separator, place, none) = match position.game() {
        "dice" => (' ', 3, "-1"),
        "einstein" => (' ', 2, "-"),
        "backgammon" => (':', 4, "00"),
        _ => (' ', 4, ""),
    };
    let mut parts: Vec<&str> = fen.split(separator).collect();
    let Some(part) = parts.get_mut(place) else { return (fen, None) };
    let roll = std::mem::replace(part, none).to_string();
    let unrolled = parts.join(&separator.to_string());
    (unrolled.trim_end().to_string(), Some(roll))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_read_as_the_game_it_is_of() {
        let cases = [
            ("5 4 r 2 - - b - - b r b b r - - b r - r - r r - - b - b -", "dice", Some("2")),
            ("position dpn 3 3 b -1 - - - - - - - - - moves 0:a1 roll 1", "dice", Some("1")),
            ("startpos 7 4 roll 6", "dice", Some("6")),
            ("123../45.../6...F/...ED/..CBA b 3", "einstein", Some("3")),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "backgammon", Some("31")),
            ("4HPwATDgc/ABMA", "backgammon", None),
            ("gnubgid 4HPwATDgc/ABMA", "backgammon", None),
            ("XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - 0 CCGGKMMNNPPPPPRRccggkmmnnppppprr", "darkchess", None),
        ];
        for (text, game, roll) in cases {
            for at_hand in games::NAMES {
                if text.starts_with("startpos") && *at_hand != game {
                    continue;
                }
                let board = read(text, at_hand).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!((board.variant().game.as_str(), board.roll()), (game, roll), "{text}");
            }
        }
        let waiting = read("XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - 0 CCGGKMMNNPPPPPRRccggkmmnnppppprr b2", "dice");
        assert_eq!(waiting.unwrap().plies(), ["b2"]);
    }

    #[test]
    fn mistakes_are_told_by_the_game_it_looks_like() {
        let cases = [
            ("", "expected a position"),
            ("5 4 r 2 - - b - - b r b b r - - b r - r - r r - - b - b", "'end of line'"),
            ("123../45.../6...F/...ED/..CBX b 3", "..CBX"),
            ("XGID=nonsense", "nonsense"),
            ("startpos 99 4", "99"),
            ("hello world", "hello"),
        ];
        for (text, word) in cases {
            let error = read(text, "dice").err().unwrap_or_else(|| panic!("{text}")).to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
