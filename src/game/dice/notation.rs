//! How Dice is written: cells (`d3`), and positions in DPN.

use super::{Board, IllegalPly, MAX_SIZE, MIN_SIZE, Move, Position, Shape, Side, Status, Width, draw};
use crate::game::{Fault, Game, GameResult, Kind, Notation, Player};
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
    let (column, row) = cell_words(name)?;
    let on_board = |line: usize| u8::try_from(line).ok().filter(|&line| usize::from(line) < MAX_SIZE);
    Some(Cell { row: on_board(row)?, col: on_board(column)? })
}

impl Position {
    /// Read a position: `<n> <k> <b|r> <roll> <cell>...`, words separated by any white space.
    pub fn from_dpn(text: &str) -> Result<Position, Fault> {
        let mut words = text.split_whitespace();
        let mut next = |expected: &str| words.next().ok_or_else(|| Fault::missing(expected));

        let size_word = next("the board size n")?;
        let win_word = next("the win length k")?;
        let side_word = next("the side to move, b or r")?;
        let roll_word = next("the roll, or -1")?;
        let shape = read_shape(size_word, win_word)?;
        let side = match side_word {
            "b" => Side::Blue,
            "r" => Side::Red,
            _ => return Err(Fault::new(side_word, "expected the side to move, b or r")),
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
                _ => return Err(Fault::new(word, format!("expected -, b or r for cell {cell}"))),
            }
        }
        if let Some(word) = words.next() {
            return Err(Fault::new(word, format!("expected the end after {cells} cells")));
        }
        check_counts(side, side_word, &checkers)?;
        let board = Position::set_up(shape, side, checkers.into_iter())
            .ok_or_else(|| Fault::new(win_word, format!("both sides have {win_word} in a row")))?;
        board.with_dpn_roll(roll, roll_word)
    }

    /// Unlike a roll in play, the roll of a DPN may stand on a finished game, if its line has an empty cell.
    fn with_dpn_roll(self, roll: Option<u8>, word: &str) -> Result<Position, Fault> {
        match roll {
            Some(roll) if !self.line_is_open(roll) => {
                Err(Fault::new(word, "the rolled line is full; expected another, or -1"))
            }
            _ => Ok(self.showing(roll)),
        }
    }
}

fn read_size(word: &str) -> Result<usize, Fault> {
    let size = number(word).filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
    size.ok_or_else(|| Fault::new(word, format!("expected a board size from {MIN_SIZE} to {MAX_SIZE}")))
}

fn read_shape(size_word: &str, win_word: &str) -> Result<Shape, Fault> {
    let size = read_size(size_word)?;
    let shape = number(win_word).and_then(|win| Shape::new(size, win));
    shape.ok_or_else(|| Fault::new(win_word, format!("expected a win length from {MIN_SIZE} to {size}")))
}

fn read_roll(word: &str, size: usize) -> Result<Option<u8>, Fault> {
    match number(word).filter(|&roll| roll < size) {
        Some(roll) => Ok(Some(roll as u8)),
        None if word == "-1" => Ok(None),
        None => Err(Fault::new(word, format!("expected a roll from 0 to {}, or -1", size - 1))),
    }
}

fn check_counts(side: Side, side_word: &str, checkers: &[(Cell, Side)]) -> Result<(), Fault> {
    let blue = checkers.iter().filter(|(_, owner)| *owner == Side::Blue).count();
    let red = checkers.len() - blue;
    let expected = red + usize::from(side == Side::Red);
    if blue == expected {
        return Ok(());
    }
    Err(Fault::new(
        side_word,
        format!("with {side} to move and {red} red checkers, expected {expected} blue, found {blue}"),
    ))
}

/// A plain decimal number; `str::parse` alone would take a plus sign.
fn number(word: &str) -> Option<usize> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

impl Notation for Position {
    const NAME: &'static str = "dice";
    const KEYWORDS: &'static [&'static str] = &["dpn"];
    const PLY: &'static str = "2:d3";

    fn start(words: &[&str]) -> Result<Position, Fault> {
        match words {
            [] => Ok(Position::new(Shape::default())),
            [size, win] => Ok(Position::new(read_shape(size, win)?)),
            [size] => Err(Fault::missing(format!("a win length from {MIN_SIZE} to {}", read_size(size)?))),
            [size, win, word, ..] => {
                read_shape(size, win)?;
                Err(Fault::new(word, "expected moves, roll or the end of the line"))
            }
        }
    }

    fn read(_keyword: &str, words: &[&str]) -> Result<Position, Fault> {
        Position::from_dpn(&words.join(" "))
    }

    fn write(&self, _keyword: &str) -> String {
        self.dpn()
    }

    fn parse_move(&self, text: &str) -> Result<Move, Fault> {
        let fault = |reason: IllegalPly| Fault::new(text, reason);
        let (column, row) = cell_words(text).ok_or_else(|| Fault::new(text, "expected a cell such as d3"))?;
        let size = self.shape().size();
        let on_board = |line: usize| u8::try_from(line).ok().filter(|&line| usize::from(line) < size);
        // Rules that hold wherever the cell is come first: a game that is over, a die that has not been rolled.
        let cell = match (on_board(row), on_board(column)) {
            (Some(row), Some(col)) => Cell { row, col },
            _ if self.kind() == Kind::Decision => return Err(fault(IllegalPly::OffBoard { size })),
            _ => Cell { row: 0, col: 0 },
        };
        self.play_on(cell).map_err(fault)?;
        Ok(self.cell_move(cell))
    }

    fn move_text(&self, mv: Move) -> String {
        self.move_cell(mv).to_string()
    }

    fn parse_outcome(&self, text: &str) -> Result<u8, Fault> {
        let expected = || Fault::new(text, format!("expected a roll from 0 to {}", self.shape().size() - 1));
        let roll = number(text).filter(|_| !text.is_empty()).ok_or_else(expected)?;
        let roll = u32::try_from(roll).unwrap_or(u32::MAX);
        self.with_roll(roll).map_err(|reason| Fault::new(text, reason))?;
        Ok(roll as u8)
    }

    fn outcome_text(&self, id: u8) -> String {
        id.to_string()
    }

    fn result(&self) -> Option<GameResult> {
        match self.status() {
            Status::Playing => None,
            Status::Drawn => Some(GameResult::DRAW),
            Status::Won(side) => Some(GameResult::won_by(side.player())),
        }
    }

    fn player_name(&self, player: Player) -> &'static str {
        match player {
            Player::First => "blue",
            Player::Second => "red",
        }
    }

    /// Both sides fill the board in turn, so half of the empty cells are the mover's.
    fn moves_to_go(&self) -> usize {
        self.empty_count().div_ceil(2)
    }

    fn draw(&self, colour: bool, last: Option<&str>) -> String {
        draw::draw(self, colour, last)
    }
}

/// The column and row, from 0, that a cell's name speaks of, on a board of any size.
fn cell_words(name: &str) -> Option<(usize, usize)> {
    let (letter, row) = name.split_at_checked(1)?;
    let column = letter.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let row = number(row).filter(|_| !row.starts_with('0') && !row.is_empty())?;
    Some((column.into(), row.checked_sub(1)?))
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
