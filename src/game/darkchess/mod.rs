//! Chinese dark chess (Banqi, Taiwanese rules): pieces lie face down on a 4×8 board, a move turns one up or moves one's own,
//! and chance says what a flipped piece is.
//!
//! [`Player::First`] makes the first flip, and owns the colour that it shows. Everything but the notation is told in
//! players, not in colours: red and black play by the same rules, so a game and the same game with colours exchanged are
//! one to the search. Who evaluates positions must not look at colours either.

mod draw;
mod fen;
mod game;
mod geometry;
mod moves;
mod notation;
mod position;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

pub use draw::draw;
pub use geometry::FRAMES;
pub(crate) use geometry::{bit, cells, jumps, neighbours};
pub(crate) use moves::prey;
pub use moves::{MAX_MOVES, MOVE_CODES, Move, Moves};
pub use notation::{Fault, Mistake};
pub use position::{DRAW_PLIES, Position, Status};

use crate::game::Grid;

/// Columns of the board, a to d.
pub const COLUMNS: usize = 4;
/// Rows of the board.
pub const ROWS: usize = 8;
/// Cells of the board, numbered row by row from a1. A set of cells is a `u32`.
pub const CELLS: usize = COLUMNS * ROWS;
/// Ranks of pieces.
pub const RANKS: usize = 7;
/// Kinds of pieces: a rank and a colour, or a rank and an owner.
pub const KINDS: usize = 2 * RANKS;

/// The names of cells.
const GRID: Grid = Grid { columns: COLUMNS as u8, rows: ROWS as u8 };

/// The colours of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// Upper case.
    Red,
    /// Lower case.
    Black,
}

impl Colour {
    /// The opponent's.
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Black => "black",
        }
    }
}

/// What a piece is, from the highest rank to the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Rank {
    /// One a side; takes everything but pawns.
    King,
    /// Two a side.
    Guard,
    /// Two a side.
    Minister,
    /// Two a side.
    Rook,
    /// Two a side.
    Knight,
    /// Two a side; takes anything, by jumping.
    Cannon,
    /// Five a side; takes pawns and the king.
    Pawn,
}

impl Rank {
    /// All ranks, the highest first.
    pub const ALL: [Rank; RANKS] =
        [Rank::King, Rank::Guard, Rank::Minister, Rank::Rook, Rank::Knight, Rank::Cannon, Rank::Pawn];

    /// How many of them each side has at the start.
    pub const fn count(self) -> u8 {
        match self {
            Rank::King => 1,
            Rank::Pawn => 5,
            _ => 2,
        }
    }
}

/// A piece that lies face up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is, once colours have owners.
    pub colour: Colour,
    /// What it is.
    pub rank: Rank,
}

impl Piece {
    /// The number by which chance knows a piece: red's ranks in order, then black's. Below [`KINDS`].
    pub const fn id(self) -> u8 {
        self.colour as u8 * RANKS as u8 + self.rank as u8
    }

    /// The piece of that number.
    pub const fn from_id(id: u8) -> Option<Piece> {
        if id as usize >= KINDS {
            return None;
        }
        let colour = if (id as usize) < RANKS { Colour::Red } else { Colour::Black };
        Some(Piece { colour, rank: Rank::ALL[id as usize % RANKS] })
    }
}

/// All pieces of a game by [`Piece::id`], each as often as there are of it. Shuffled, it is a hidden set-up: the piece of
/// each cell.
pub const ALL_PIECES: [u8; CELLS] = {
    let mut pieces = [0; CELLS];
    let (mut filled, mut id) = (0, 0);
    while id < KINDS {
        let mut count = Rank::ALL[id % RANKS].count();
        while count > 0 {
            pieces[filled] = id as u8;
            filled += 1;
            count -= 1;
        }
        id += 1;
    }
    assert!(filled == CELLS);
    pieces
};
