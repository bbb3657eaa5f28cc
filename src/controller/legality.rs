//! The second step of understanding a command: what was written, against the rules and the position.

use std::fmt;

use super::notation;
use crate::game::dice::{Cell, Position};
use crate::protocol::{Base, PositionText, Words, clip};

/// Something well written that the rules do not allow: the word at fault and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Illegal {
    /// The word at fault.
    pub word: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Illegal {
    /// Put the blame on a word.
    pub fn new(word: impl fmt::Display, reason: impl fmt::Display) -> Illegal {
        Illegal { word: clip(&word.to_string()), reason: reason.to_string() }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.word, self.reason)
    }
}

impl std::error::Error for Illegal {}

/// The position that was described.
pub fn set_up(text: &PositionText) -> Result<Position, Illegal> {
    let mut position = match &text.base {
        Base::Start(words) => notation::start(words.iter())?,
        Base::Set { keyword, words } => notation::read(keyword, words.iter())?,
    };
    for ply in text.plies.iter() {
        position = notation::play(ply, &position)?;
    }
    match &text.roll {
        Some(roll) => notation::roll(roll, &position),
        None => Ok(position),
    }
}

/// The moves that `searchmoves` names, each once, all of them legal.
pub fn search_moves(words: &Words, position: &Position) -> Result<Vec<Cell>, Illegal> {
    let mut moves = Vec::new();
    for word in words.iter() {
        let mv = notation::parse_move(word, position)?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Command, parse};

    fn position(line: &str) -> Result<Position, Illegal> {
        match parse(line) {
            Ok(Some(Command::Position(text))) => set_up(&text),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn positions_are_played_out() {
        let cases = [
            ("position startpos 3 3", "3 3 b -1 - - - - - - - - -"),
            ("position startpos 3 3 roll 2", "3 3 b 2 - - - - - - - - -"),
            ("position startpos 3 3 moves 0:b1 0:a3 roll 1", "3 3 b 1 - b - - - - r - -"),
            ("position dpn 3 3 b 1 - - - - - - - - - moves 1:a2", "3 3 r -1 - - - b - - - - -"),
            ("position dpn 3 3 b 1 - - - - - - - - - roll 1", "3 3 b 1 - - - - - - - - -"),
            ("position fen 3 3 b 1 - - - - - - - - - moves 1:a2", "3 3 r -1 - - - b - - - - -"),
        ];
        for (line, dpn) in cases {
            assert_eq!(position(line).unwrap().dpn(), dpn, "{line}");
        }
    }

    #[test]
    fn mistakes_name_the_ply() {
        let cases = [
            ("position startpos 2 2", "2", "board size from 3 to 17"),
            ("position startpos 18 4", "18", "board size from 3 to 17"),
            ("position startpos x", "x", "board size from 3 to 17"),
            ("position startpos +5 4", "+5", "board size from 3 to 17"),
            ("position startpos 99999999999999999999 3", "99999999999999999999", "board size from 3 to 17"),
            ("position startpos 5", "end of line", "win length from 3 to 5"),
            ("position startpos 5 6", "6", "win length from 3 to 5"),
            ("position startpos 5 x", "x", "win length from 3 to 5"),
            ("position startpos 5 4 3", "3", "expected moves, roll or the end of the line"),
            ("position startpos moves 2d3", "2d3", "expected a ply"),
            ("position startpos moves d3", "d3", "expected a ply"),
            ("position startpos moves 2:d3 -1:d3", "-1:d3", "expected a ply"),
            ("position startpos moves 2:d03", "2:d03", "expected a ply"),
            ("position startpos moves 2:é3", "2:é3", "expected a ply"),
            ("position startpos moves :", ":", "expected a ply"),
            ("position startpos moves 4294967296:a1", "4294967296:a1", "expected a ply"),
            ("position startpos moves 2:d3=K", "2:d3=K", "expected a ply"),
            ("position dpn 3 3 moves x", "end of line", "the side to move"),
            ("position startpos moves moves", "moves", "expected a ply"),
            ("position startpos roll -1", "-1", "expected a roll from 0 to 4"),
            ("position sfen 5 4", "sfen", "expected startpos, fen or dpn"),
            ("position startpos moves 2:d3 2:c3 2:d3", "2:d3", "taken by blue"),
            ("position startpos moves 2:d4", "2:d4", "roll 2 is blue's row 3, and the cell is not in it"),
            ("position startpos moves 2:d3 2:d4", "2:d4", "roll 2 is red's column c, and the cell is not in it"),
            ("position startpos moves 5:d3", "5:d3", "roll 5 is not one of 0..4"),
            ("position startpos moves 2:f3", "2:f3", "not on the 5x5 board"),
            ("position startpos moves 2:z4294967295", "2:z4294967295", "not on the 5x5 board"),
            ("position startpos roll 9", "9", "roll 9 is not one of 0..4"),
            ("position dpn 3 3 b 1 - - - - - - - - - moves 0:a1", "0:a1", "the roll is 1, not 0"),
            ("position dpn 3 3 b 1 - - - - - - - - - roll 0", "0", "the roll is 1, not 0"),
            ("position dpn 3 3 r -1 b b b r r - - - - roll 2", "2", "game is over (blue wins)"),
            ("position dpn 3 3 b -1 b r b - - - r - - roll 0", "0", "roll 0 is blue's row 1, which is full"),
            ("position dpn 3 3 b x", "x", "expected a roll"),
            ("position fen 3 3 b x", "x", "expected a roll"),
        ];
        for (line, word, reason) in cases {
            let error = position(line).expect_err(line);
            assert_eq!(error.word, word, "{line}");
            assert!(error.reason.contains(reason), "{line}: {error}");
        }
    }

    #[test]
    fn long_words_are_cut_in_messages() {
        let word = "é".repeat(20_000);
        for line in
            [format!("position {word}"), format!("position startpos {word}"), format!("position fen 3 3 {word} -1")]
        {
            assert_eq!(position(&line).unwrap_err().word, "é".repeat(40) + "...");
        }
        let line = format!("position startpos moves {word} roll {word}");
        assert_eq!(position(&line).unwrap_err().word, "é".repeat(40) + "...");
    }

    #[test]
    fn search_moves_are_legal_and_counted_once() {
        let rolled = position("position startpos roll 2").unwrap();
        let named = |words: &str| search_moves(&words.into(), &rolled);
        assert_eq!(named("b3 d3 b3").unwrap(), [Cell { row: 2, col: 1 }, Cell { row: 2, col: 3 }]);
        assert_eq!(named("").unwrap(), []);
        let cases = [
            ("b3 b4", "b4", "roll 2 is blue's row 3"),
            ("f3", "f3", "not on the 5x5 board"),
            ("b3 depht 5", "depht", "expected a cell such as d3"),
            ("2:b3", "2:b3", "expected a cell such as d3"),
        ];
        for (words, word, reason) in cases {
            let error = named(words).expect_err(words);
            assert_eq!(error.word, word, "{words}");
            assert!(error.reason.contains(reason), "{words}: {error}");
        }
    }
}
