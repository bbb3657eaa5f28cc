//! What is said of a solved position, and the book that is made of a solved game.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use alea::game::dice::{Cell, Position, Side};
use alea::sweep::dice::book::Book;
use alea::sweep::dice::{DiceSweep, Setup, bits, line_of};
use alea::sweep::{Layered, ROUNDING, Store, WIN};
use alea_tools::files::{self, FileError};
use alea_tools::progress::clock;

use crate::book;
use crate::error::Error;
use crate::store::Disk;

/// Values of positions in the layers that were kept.
pub struct Truth<'a> {
    pub game: &'a DiceSweep,
    pub store: &'a mut Disk,
}

impl Truth<'_> {
    /// The value of a position before its roll, in blue's view and in 2⁻²⁸ of a won game.
    pub fn number(&mut self, setup: &Setup) -> Result<i32, FileError> {
        for (side, number) in [(Side::Blue, WIN), (Side::Red, -WIN)] {
            if setup.has_won(side) {
                return Ok(number);
            }
        }
        let (block, index) = self.game.locate(setup).expect("a position that nobody has won has its place");
        Ok(self.store.get(block)?[index])
    }

    /// The value for the side to move at `setup`.
    fn value(&mut self, setup: &Setup, of: &Setup) -> Result<f64, FileError> {
        let value = f64::from(self.number(of)?) / f64::from(WIN);
        Ok(if setup.side == Side::Blue { value } else { -value })
    }
}

/// Everything that is known of the position.
pub fn text(
    position: &Position,
    setup: &Setup,
    truth: &mut Truth<'_>,
    states: u64,
    time: Duration,
) -> Result<String, FileError> {
    let error = truth.game.layers() as f64 * ROUNDING;
    let mut text = String::new();
    let mover = setup.side;
    match position.roll() {
        None => {
            let value = truth.value(setup, setup)?;
            let _ = writeln!(text, "value {value:.6} for {mover}, who is to roll (error at most {error:.1e})");
        }
        Some(roll) => {
            let best = best_of(setup, truth, roll.into())?;
            let _ = writeln!(text, "value {:.6} for {mover} (error at most {error:.1e})", best.1);
        }
    }
    if setup.count() == 0 {
        text += "value of each first cell:\n";
    } else {
        text += "value of each cell:\n";
    }
    text += &map(position, setup, truth)?;
    if position.roll().is_none() {
        for roll in position.open_lines() {
            let (cell, value) = best_of(setup, truth, roll.into())?;
            let _ = writeln!(text, "roll {roll} value {value:.6} best {}", name(setup, cell));
        }
    }
    let _ = writeln!(text, "{states} positions, {}", clock(time));
    Ok(text)
}

fn name(setup: &Setup, cell: usize) -> Cell {
    let size = setup.shape.size();
    Cell { row: (cell / size) as u8, col: (cell % size) as u8 }
}

/// The best cell with a roll, and what it is worth to the mover.
fn best_of(setup: &Setup, truth: &mut Truth<'_>, roll: usize) -> Result<(usize, f64), FileError> {
    let mut best = (0, f64::NEG_INFINITY);
    for cell in bits(setup.empty()).filter(|&cell| line_of(setup.shape.size(), setup.side, cell) == roll) {
        let value = truth.value(setup, &setup.after(cell))?;
        if value > best.1 {
            best = (cell, value);
        }
    }
    Ok(best)
}

/// The board with what a checker is worth on each cell that may be played on.
fn map(position: &Position, setup: &Setup, truth: &mut Truth<'_>) -> Result<String, FileError> {
    let size = setup.shape.size();
    let mut text = String::from("  ");
    for col in 0..size {
        let _ = write!(text, " {:>9}", char::from(b'a' + col as u8));
    }
    text.push('\n');
    for row in 0..size {
        let _ = write!(text, "{:>2}", row + 1);
        for col in 0..size {
            let cell = row * size + col;
            let free = setup.empty() >> cell & 1 != 0;
            let playable = position.roll().is_none_or(|roll| line_of(size, setup.side, cell) == usize::from(roll));
            if free && playable {
                let _ = write!(text, " {:>9.6}", truth.value(setup, &setup.after(cell))?);
            } else {
                let owner = position.at(name(setup, cell)).map_or('-', Side::letter);
                let _ = write!(text, " {owner:>9}");
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// Write the book that the engine can use.
pub fn write_book(path: &Path, setup: &Setup, truth: &mut Truth<'_>) -> Result<(), Error> {
    let bytes = book::encode(setup.shape, |setup| truth.number(setup))?.ok_or(Error::NoBook(setup.shape))?;
    Book::decode(&bytes).expect("a book can be read as soon as it is written");
    files::replace(path, &bytes)?;
    Ok(())
}
