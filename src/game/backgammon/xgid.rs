//! eXtreme Gammon's position ID.
//!
//! `XGID=` and fields with colons between: 26 characters for black's bar, white's points 1 to 24 and white's bar, `A` to
//! `O` for one to fifteen checkers of white's, `a` to `o` for black's, `-` for none; the cube and its owner; whose turn it
//! is, 1 for white and −1 for black; the dice, `00` if they are not rolled; the scores; Crawford, or the rules of a money
//! game; the length of the match; the greatest cube. Alea writes the rest as in a money game with no cube turned, and
//! reads over it.

use super::{BAR, IdError, IdFault, Position, Roll};
use crate::game::Player;
use std::fmt::Write;

const PREFIX: &str = "XGID=";
const BOARD_LENGTH: usize = BAR as usize + 1;

impl Position {
    /// The XGID.
    pub fn xgid(&self) -> String {
        let mut text = PREFIX.to_string();
        for place in 0..=BAR {
            let white = if place == 0 { 0 } else { self.checkers(Player::First)[usize::from(place)] };
            let black = if place == BAR { 0 } else { self.checkers(Player::Second)[usize::from(BAR - place)] };
            text.push(match (white, black) {
                (0, 0) => '-',
                (0, count) => char::from(b'a' - 1 + count),
                (count, _) => char::from(b'A' - 1 + count),
            });
        }
        let turn = match self.mover() {
            Player::First => 1,
            Player::Second => -1,
        };
        let roll = self.roll().map_or("00".into(), |roll| roll.to_string());
        let _ = write!(text, ":0:0:{turn}:{roll}:0:0:0:0:10");
        text
    }

    /// Read an XGID; `XGID=` may be missing.
    pub fn from_xgid(word: &str) -> Result<Position, IdError> {
        let prefixed = word.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
        let fields: Vec<&str> = word[if prefixed { PREFIX.len() } else { 0 }..].split(':').collect();
        let fault = |part: &str, fault| IdError::in_part(part, word, fault);
        let checkers = read_board(fields[0]).map_err(|reason| fault(fields[0], reason))?;
        if !(5..=10).contains(&fields.len()) {
            return Err(fault(word, IdFault::FieldCount { got: fields.len() }));
        }
        let mover = read_turn(fields[3]).map_err(|reason| fault(fields[3], reason))?;
        let roll = read_dice(fields[4]).map_err(|reason| fault(fields[4], reason))?;
        for (&field, name) in fields.iter().zip(NAMES) {
            if name.is_some() && field.parse::<i32>().is_err() {
                let reason = IdFault::Field { name: name.unwrap_or_default(), expected: "a number" };
                return Err(fault(field, reason));
            }
        }
        Position::set_up(checkers, mover, roll).map_err(|error| fault(fields[0], IdFault::Setup(error)))
    }
}

/// The fields that are numbers and do not matter here.
const NAMES: [Option<&str>; 10] = [
    None,
    Some("cube"),
    Some("owner of the cube"),
    None,
    None,
    Some("score of white"),
    Some("score of black"),
    Some("rules"),
    Some("length of the match"),
    Some("greatest cube"),
];

fn read_board(word: &str) -> Result<[[u8; BOARD_LENGTH]; 2], IdFault> {
    let got = word.chars().count();
    if got != BOARD_LENGTH {
        return Err(IdFault::Length { part: "board", expected: BOARD_LENGTH, got });
    }
    let mut checkers = [[0; BOARD_LENGTH]; 2];
    for (place, character) in word.chars().enumerate() {
        let (owner, count) = match character {
            '-' => continue,
            'A'..='O' => (Player::First, character as u8 - b'A' + 1),
            'a'..='o' => (Player::Second, character as u8 - b'a' + 1),
            _ => return Err(IdFault::Character { character, expected: "A to O, a to o, or -" }),
        };
        let own_place = match owner {
            Player::First => place,
            Player::Second => BOARD_LENGTH - 1 - place,
        };
        if own_place == 0 {
            return Err(IdFault::WrongBar { owner: owner.other() });
        }
        checkers[owner as usize][own_place] = count;
    }
    Ok(checkers)
}

fn read_turn(word: &str) -> Result<Player, IdFault> {
    match word {
        "1" => Ok(Player::First),
        "-1" => Ok(Player::Second),
        _ => Err(IdFault::Field { name: "turn", expected: "1 or -1" }),
    }
}

/// Two digits; `00`, or the letters of an offered double, a beaver and a raccoon, where the dice are not rolled.
fn read_dice(word: &str) -> Result<Option<Roll>, IdFault> {
    match word.as_bytes() {
        b"00" | b"D" | b"B" | b"R" => Ok(None),
        &[one @ b'1'..=b'6', other @ b'1'..=b'6'] => Ok(Roll::new(one - b'0', other - b'0')),
        _ => Err(IdFault::Dice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "-b----E-C---eE---c-e----B-";

    #[test]
    fn the_start_position_has_the_known_id() {
        let text = format!("XGID={START}:0:0:1:00:0:0:0:0:10");
        assert_eq!(Position::opening().xgid(), text);
        let read = Position::from_xgid(&text).unwrap();
        assert_eq!(read.checkers(Player::Second), Position::opening().checkers(Player::Second));
        assert!(!read.is_opening());
    }

    #[test]
    fn fields_that_do_not_matter_are_read_over() {
        let rolled = format!("XGID={START}:0:0:-1:62:0:0:0:0:10");
        for text in [
            format!("{START}:0:0:-1:62:0:0:0:0:10"),
            format!("xgid={START}:0:0:-1:26:0:0:0:0:10"),
            format!("XGID={START}:2:-1:-1:62:3:4:1:7:8"),
            format!("XGID={START}:0:0:-1:62"),
        ] {
            assert_eq!(Position::from_xgid(&text).unwrap().xgid(), rolled, "{text}");
            assert_eq!(Position::from_id(&text).unwrap().xgid(), rolled, "{text}");
        }
        let doubled = format!("XGID={START}:0:0:1:D:0:0:0:0:10");
        assert_eq!(Position::from_xgid(&doubled).unwrap().roll(), None);
    }

    #[test]
    fn bad_ids_name_the_word() {
        let with = |rest: &str| format!("XGID={START}:{rest}");
        let board = |board: &str| format!("XGID={board}:0:0:1:00:0:0:0:0:10");
        let cases = [
            (String::new(), "", "26 characters for the board, got 0"),
            ("XGID=".into(), "XGID=", "26 characters"),
            ("XGID=é".into(), "é", "got 1"),
            ("é".into(), "é", "got 1"),
            (format!("XGID={START}"), &format!("XGID={START}"), "5 to 10 fields with colons between, got 1"),
            (with("0:0:1"), &with("0:0:1"), "got 4"),
            (with("0:0:1:00:0:0:0:0:10:0"), &with("0:0:1:00:0:0:0:0:10:0"), "got 11"),
            (with("0:0:0:00:0:0:0:0:10"), "0", "1 or -1 for the turn"),
            (with("0:0:+1:00:0:0:0:0:10"), "+1", "1 or -1"),
            (with("0:0:1:07:0:0:0:0:10"), "07", "two dice"),
            (with("0:0:1:10:0:0:0:0:10"), "10", "two dice"),
            (with("0:0:1::0:0:0:0:10"), &with("0:0:1::0:0:0:0:10"), "two dice"),
            (with("x:0:1:00:0:0:0:0:10"), "x", "a number for the cube"),
            (with("0:0:1:00:0:0:0:0:ten"), "ten", "greatest cube"),
            (board("-b----E-C---eE---c-e----Z-"), "-b----E-C---eE---c-e----Z-", "'Z' in it"),
            (board("Ab----E-C---eE---c-e------"), "Ab----E-C---eE---c-e------", "white is on the bar of black"),
            (board("-b----E-C---eE---c-e-----a"), "-b----E-C---eE---c-e-----a", "black is on the bar of white"),
            (board("-b----E-C---eE---c-e----C-"), "-b----E-C---eE---c-e----C-", "white has 16 checkers"),
            (board("--------------------------"), "--------------------------", "no checker"),
        ];
        for (text, word, reason) in cases {
            let error = Position::from_xgid(&text).expect_err(&text);
            assert_eq!(error.word, word, "{text}");
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn either_id_is_told_by_its_shape() {
        let start = Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap();
        for id in [start.xgid(), start.gnubg_id(), "4HPwATDgc/ABMA".into(), start.xgid()[5..].into()] {
            assert_eq!(Position::from_id(&id).unwrap(), start, "{id}");
        }
        for id in ["", "x", "é", "4HPwATDgc/ABMAA", "XGID", "----------------------------------------"] {
            assert!(Position::from_id(id).is_err(), "{id}");
        }
    }
}
