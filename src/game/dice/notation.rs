//! How Dice is written: cells (`d3`), and positions in DPN.

use super::{Board, MAX_SIZE, MIN_SIZE, Position, Shape, Side, Width};
use std::fmt;

/// A place on the board, counted from the first cell of a DPN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell {
    /// 0 for the first row.
    pub row: u8,
    /// 0 for the first column, `a`.
    pub col: u8,
}

/// Column letter, then row number from 1.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.col), self.row + 1)
    }
}

/// The cell a name stands for, on the largest board; `None` if it is no name of a cell.
pub fn parse_cell(name: &str) -> Option<Cell> {
    let (letter, number) = name.split_at_checked(1)?;
    let col = letter.bytes().next()?.checked_sub(b'a').filter(|&col| usize::from(col) < MAX_SIZE)?;
    let plain = !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
    let row: u8 = number.parse().ok().filter(|&row| plain && (1..=MAX_SIZE).contains(&usize::from(row)))?;
    Some(Cell { row: row - 1, col })
}

/// Why a DPN was rejected: the word at fault and what was expected of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DpnError {
    /// The word at fault, or `end of line` where one is missing.
    pub word: String,
    /// What was expected, or what is wrong.
    pub reason: String,
}

impl fmt::Display for DpnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.word, self.reason)
    }
}

impl std::error::Error for DpnError {}

fn fault(word: &str, reason: impl Into<String>) -> DpnError {
    // A word can be as long as a line; an error message need not be.
    let word =
        if word.chars().count() > 40 { word.chars().take(40).chain("...".chars()).collect() } else { word.into() };
    DpnError { word, reason: reason.into() }
}

impl Position {
    /// Read a position: `<n> <k> <b|r> <roll> <cell>...`, words separated by any white space.
    pub fn from_dpn(text: &str) -> Result<Position, DpnError> {
        let mut words = text.split_whitespace();
        let mut next =
            |expected: &str| words.next().ok_or_else(|| fault("end of line", format!("expected {expected}")));

        let size_word = next("the board size n")?;
        let win_word = next("the win length k")?;
        let side_word = next("the side to move, b or r")?;
        let roll_word = next("the roll, or -1")?;
        let shape = read_shape(size_word, win_word)?;
        let side = match side_word {
            "b" => Side::Blue,
            "r" => Side::Red,
            _ => return Err(fault(side_word, "expected the side to move, b or r")),
        };
        let roll = read_roll(roll_word, shape.size())?;

        let mut checkers = Vec::new();
        let cells = shape.size() * shape.size();
        for i in 0..cells {
            let word = next(&format!("{cells} cells, got {i}"))?;
            let cell = Cell { row: (i / shape.size()) as u8, col: (i % shape.size()) as u8 };
            match word {
                "-" => {}
                "b" => checkers.push((cell, Side::Blue)),
                "r" => checkers.push((cell, Side::Red)),
                _ => return Err(fault(word, format!("expected -, b or r for cell {cell}"))),
            }
        }
        if let Some(word) = words.next() {
            return Err(fault(word, format!("expected the end after {cells} cells")));
        }
        check_counts(side, side_word, &checkers)?;
        let board = Position::set_up(shape, side, checkers.into_iter())
            .ok_or_else(|| fault(win_word, format!("both sides have {win_word} in a row")))?;
        board.with_dpn_roll(roll, roll_word)
    }

    /// Unlike a roll in play, the roll of a DPN may stand on a finished game, if its line has an empty cell.
    fn with_dpn_roll(self, roll: Option<u8>, word: &str) -> Result<Position, DpnError> {
        match roll {
            Some(roll) if !self.line_is_open(roll) => {
                Err(fault(word, "the rolled line is full; expected another, or -1"))
            }
            _ => Ok(self.showing(roll)),
        }
    }
}

fn read_shape(size_word: &str, win_word: &str) -> Result<Shape, DpnError> {
    let size = number(size_word).filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
    let size = size.ok_or_else(|| fault(size_word, format!("expected a board size from {MIN_SIZE} to {MAX_SIZE}")))?;
    let shape = number(win_word).and_then(|win| Shape::new(size, win));
    shape.ok_or_else(|| fault(win_word, format!("expected a win length from {MIN_SIZE} to {size}")))
}

fn read_roll(word: &str, size: usize) -> Result<Option<u8>, DpnError> {
    match number(word).filter(|&roll| roll < size) {
        Some(roll) => Ok(Some(roll as u8)),
        None if word == "-1" => Ok(None),
        None => Err(fault(word, format!("expected a roll from 0 to {}, or -1", size - 1))),
    }
}

fn check_counts(side: Side, side_word: &str, checkers: &[(Cell, Side)]) -> Result<(), DpnError> {
    let blue = checkers.iter().filter(|(_, owner)| *owner == Side::Blue).count();
    let red = checkers.len() - blue;
    let expected = red + usize::from(side == Side::Red);
    if blue == expected {
        return Ok(());
    }
    Err(fault(side_word, format!("with {side} to move and {red} red checkers, expected {expected} blue, found {blue}")))
}

/// A plain decimal number; `str::parse` alone would take a plus sign.
fn number(word: &str) -> Option<usize> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

impl<B: Width> Board<B> {
    /// The position in DPN.
    pub fn dpn(&self) -> String {
        let size = self.shape().size();
        let roll = self.roll().map_or("-1".into(), |roll| roll.to_string());
        let mut text = format!("{size} {} {} {roll}", self.shape().win(), self.side().letter());
        for i in 0..size * size {
            let cell = Cell { row: (i / size) as u8, col: (i % size) as u8 };
            text.push(' ');
            text.push(self.at(cell).map_or('-', Side::letter));
        }
        text
    }
}

/// The DPN.
impl<B: Width> fmt::Debug for Board<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.dpn())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_names() {
        for (name, row, col) in [("a1", 0, 0), ("b1", 0, 1), ("a2", 1, 0), ("q17", 16, 16), ("j10", 9, 9)] {
            let cell = Cell { row, col };
            assert_eq!(parse_cell(name), Some(cell));
            assert_eq!(cell.to_string(), name);
        }
        for name in ["", "a", "1a", "a0", "a01", "a18", "r1", "A1", "a1x", "é1", "a+1", "aa1", "a999"] {
            assert_eq!(parse_cell(name), None, "{name}");
        }
    }

    #[test]
    fn bad_dpns_name_the_word() {
        let cases = [
            ("", "end of line", "board size"),
            ("2 2 b -1 - - - -", "2", "board size"),
            ("18 4 b -1", "18", "board size"),
            ("5 6 b -1 -", "6", "win length"),
            ("5 2 b -1 -", "2", "win length"),
            ("3 3 x -1 - - - - - - - - -", "x", "side to move"),
            ("3 3 b 3 - - - - - - - - -", "3", "roll from 0 to 2"),
            ("3 3 b -2 - - - - - - - - -", "-2", "roll"),
            ("3 3 b +1 - - - - - - - - -", "+1", "roll"),
            ("3 3 b -1 - - - - - - - -", "end of line", "9 cells, got 8"),
            ("3 3 b -1 - - - - - - - - - b", "b", "end after 9"),
            ("3 3 b -1 - - - - X - - - -", "X", "cell b2"),
            ("3 3 b -1 b - - - - - - - -", "b", "expected 0 blue, found 1"),
            ("3 3 r -1 - - - - - - - - -", "r", "expected 1 blue, found 0"),
            ("3 3 b 0 b r b - - - r - -", "0", "full"),
            ("3 3 b -1 b b b r r r - - -", "3", "both sides"),
        ];
        for (text, word, reason) in cases {
            let error = Position::from_dpn(text).expect_err(text);
            assert_eq!(error.word, word, "{text}");
            assert!(error.reason.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn finished_games_can_be_set_up() {
        for text in ["3 3 r -1 b b b r r - - - -", "3 3 r 2 b b b r r - - - -", "3 3 r -1 b r b b r r r b b"] {
            assert_eq!(Position::from_dpn(text).unwrap().dpn(), text);
        }
    }
}
