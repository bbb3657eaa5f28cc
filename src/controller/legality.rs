//! The second step of understanding a command: what was written, against the rules and the position.

use std::fmt;

use crate::game::dice::{Cell, IllegalPly, MAX_SIZE, MIN_SIZE, Position, Shape};
use crate::protocol::{Base, CellName, Ply, PositionText};

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
        Illegal { word: word.to_string(), reason: reason.to_string() }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.word, self.reason)
    }
}

impl std::error::Error for Illegal {}

/// The name of a cell of the board.
pub fn name_of(cell: Cell) -> CellName {
    CellName { column: char::from(b'a' + cell.col), row: u32::from(cell.row) + 1 }
}

/// The cell of that name; any that no board has counts as off the board.
pub fn cell_of(name: CellName, position: &Position) -> Result<Cell, IllegalPly> {
    let size = position.shape().size();
    let col = u32::from(name.column).wrapping_sub(u32::from('a'));
    let row = name.row.wrapping_sub(1);
    let on_board = |line: u32| u8::try_from(line).ok().filter(|&line| usize::from(line) < size);
    match (on_board(row), on_board(col)) {
        (Some(row), Some(col)) => Ok(Cell { row, col }),
        _ => Err(IllegalPly::OffBoard { size }),
    }
}

/// The position that was described.
pub fn set_up(text: &PositionText) -> Result<Position, Illegal> {
    let mut position = match &text.base {
        Base::Start { shape: None } => Position::new(Shape::default()),
        Base::Start { shape: Some((size, win)) } => Position::new(shape(*size, *win)?),
        Base::Dpn(dpn) => Position::from_dpn(dpn).map_err(|error| Illegal::new(error.word, error.reason))?,
    };
    for ply in &text.plies {
        position = play(&position, ply).map_err(|reason| Illegal::new(ply, reason))?;
    }
    match text.roll {
        Some(roll) => position.with_roll(roll).map_err(|reason| Illegal::new(roll, reason)),
        None => Ok(position),
    }
}

fn shape(size: u32, win: u32) -> Result<Shape, Illegal> {
    if !(MIN_SIZE..=MAX_SIZE).contains(&(size as usize)) {
        return Err(Illegal::new(size, format!("expected a board size from {MIN_SIZE} to {MAX_SIZE}")));
    }
    Shape::new(size as usize, win as usize)
        .ok_or_else(|| Illegal::new(win, format!("expected a win length from {MIN_SIZE} to {size}")))
}

fn play(position: &Position, ply: &Ply) -> Result<Position, IllegalPly> {
    let rolled = position.with_roll(ply.roll)?;
    rolled.play(cell_of(ply.cell, &rolled)?)
}

/// The cells that `searchmoves` names, each once, all of them legal.
pub fn search_moves(names: &[CellName], position: &Position) -> Result<Vec<Cell>, Illegal> {
    let mut cells = Vec::new();
    for name in names {
        let cell = cell_of(*name, position).and_then(|cell| position.play(cell).map(|_| cell));
        let cell = cell.map_err(|reason| Illegal::new(name, reason))?;
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    Ok(cells)
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
            ("position startpos 5 6", "6", "win length from 3 to 5"),
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
        ];
        for (line, word, reason) in cases {
            let error = position(line).expect_err(line);
            assert_eq!(error.word, word, "{line}");
            assert!(error.reason.contains(reason), "{line}: {error}");
        }
    }
}
