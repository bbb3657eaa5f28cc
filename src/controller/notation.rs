//! How Dice is read and written: the words of a start position, of a position, a roll, a move and a ply.
//!
//! The rest of the controller hands these words on without looking into them.

use super::legality::Illegal;
use crate::game::dice::{Cell, IllegalPly, MAX_SIZE, MIN_SIZE, Position, Shape};

/// The notations of a position that `position` and `query` know.
const NOTATIONS: &str = "fen or dpn";

/// Digits and nothing else; `str::parse` alone would take a plus sign.
fn digits(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// The empty board: of the default shape, or of the size and win length given.
pub fn start<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Position, Illegal> {
    let Some(size_word) = words.next() else { return Ok(Position::new(Shape::default())) };
    let size = digits(size_word).map(|size| size as usize).filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
    let size =
        size.ok_or_else(|| Illegal::new(size_word, format!("expected a board size from {MIN_SIZE} to {MAX_SIZE}")))?;
    let win_word = words.next();
    let shape = win_word.and_then(digits).and_then(|win| Shape::new(size, win as usize));
    let shape = shape.ok_or_else(|| {
        Illegal::new(win_word.unwrap_or("end of line"), format!("expected a win length from {MIN_SIZE} to {size}"))
    })?;
    match words.next() {
        Some(word) => Err(Illegal::new(word, "expected moves, roll or the end of the line")),
        None => Ok(Position::new(shape)),
    }
}

/// A position that is written out.
pub fn read<'a>(keyword: &str, words: impl Iterator<Item = &'a str>) -> Result<Position, Illegal> {
    match keyword {
        "fen" | "dpn" => Position::from_dpn(&words.collect::<Vec<_>>().join(" "))
            .map_err(|error| Illegal::new(error.word, error.reason)),
        _ => Err(Illegal::new(keyword, format!("expected startpos, {NOTATIONS}"))),
    }
}

/// A position, written out.
pub fn write(keyword: &str, position: &Position) -> Result<String, Illegal> {
    match keyword {
        "fen" | "dpn" => Ok(position.dpn()),
        _ => Err(Illegal::new(keyword, format!("expected p1turn, gameover, result, moves, rolls, {NOTATIONS}"))),
    }
}

/// The position after a roll.
pub fn roll(word: &str, position: &Position) -> Result<Position, Illegal> {
    let last = position.shape().size() - 1;
    let roll = digits(word).ok_or_else(|| Illegal::new(word, format!("expected a roll from 0 to {last}")))?;
    position.with_roll(roll).map_err(|reason| Illegal::new(word, reason))
}

/// A legal move.
pub fn parse_move(word: &str, position: &Position) -> Result<Cell, Illegal> {
    let cell = parse_cell(word).ok_or_else(|| Illegal::new(word, "expected a cell such as d3"))?;
    let size = position.shape().size();
    let cell = cell.on_board(size).ok_or(IllegalPly::OffBoard { size });
    cell.and_then(|cell| position.play(cell).map(|_| cell)).map_err(|reason| Illegal::new(word, reason))
}

/// The position after a ply, `roll:cell`.
pub fn play(ply: &str, position: &Position) -> Result<Position, Illegal> {
    let unreadable = || Illegal::new(ply, "expected a ply, roll:cell, such as 2:d3");
    let (roll_word, cell_word) = ply.split_once(':').ok_or_else(unreadable)?;
    let readable = digits(roll_word).is_some() && parse_cell(cell_word).is_some();
    let rolled = if readable { roll(roll_word, position) } else { Err(unreadable()) };
    let played = rolled.and_then(|rolled| {
        let cell = parse_move(cell_word, &rolled)?;
        rolled.play(cell).map_err(|reason| Illegal::new(ply, reason))
    });
    // It is the ply that was written, not its halves.
    played.map_err(|error| Illegal::new(ply, error.reason))
}

/// A cell as it is written, on whatever board.
struct CellName {
    col: u32,
    row: u32,
}

impl CellName {
    fn on_board(&self, size: usize) -> Option<Cell> {
        let line = |line: u32| u8::try_from(line).ok().filter(|&line| usize::from(line) < size);
        Some(Cell { row: line(self.row)?, col: line(self.col)? })
    }
}

/// A letter for the column, a number from 1 for the row.
fn parse_cell(word: &str) -> Option<CellName> {
    let letter = word.chars().next().filter(char::is_ascii_lowercase)?;
    let number = &word[1..];
    let row = digits(number).filter(|_| !number.starts_with('0'))?;
    Some(CellName { col: u32::from(letter) - u32::from('a'), row: row - 1 })
}
