//! The game of Dice (Hauk 2004, Veness 2006): k in a row on an n×n board, where a die says in which row blue, or in
//! which column red, must play.

mod bits;
mod board;
mod draw;
mod geometry;
mod notation;
mod odds;
mod playout;
mod replies;
pub mod rolls;

pub(crate) use geometry::mirror;

pub use bits::{Bits, Wide};
pub use board::{Board, IllegalPly, Width};
pub use notation::{Cell, parse_cell};
pub use odds::{Odds, Spoils};

use crate::game::{Player, WordError};
use std::fmt;

/// Do something with boards of the narrowest width that holds a shape, under the name given to that width.
///
/// ```
/// use alea::game::dice::{Board, Position, Shape};
///
/// let position = Position::new(Shape::new(9, 6).unwrap());
/// let bytes = alea::with_width!(position.shape(), B => size_of::<Board<B>>());
/// assert!(bytes < size_of::<Position>());
/// ```
#[macro_export]
macro_rules! with_width {
    ($shape:expr, $width:ident => $what:expr) => {
        $crate::with_width!($shape, $width => $what, u32, u64, u128, else $crate::game::dice::Wide)
    };
    ($shape:expr, $width:ident => $what:expr, $($bits:ty),*, else $widest:ty) => {
        match $shape.size() {
            $(size if size <= <$bits as $crate::game::dice::Bits>::MAX_SIZE => {
                type $width = $bits;
                $what
            })*
            _ => {
                type $width = $widest;
                $what
            }
        }
    };
}

/// The smallest board.
pub const MIN_SIZE: usize = 3;
/// The largest board.
pub const MAX_SIZE: usize = 17;

/// A position of any size: the form in which positions are read, shown, refereed and handed about. Search converts it
/// to the narrowest [`Board`] that fits.
pub type Position = Board<Wide>;

/// More than the moves or outcomes of any node, and a power of 2.
const MAX_BRANCHES: usize = 32;

/// A cell to play on, by its bit on boards of the width that is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move(pub u16);

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The row player, who moves first.
    Blue,
    /// The column player.
    Red,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::Blue => Side::Red,
            Side::Red => Side::Blue,
        }
    }

    /// Which player that is.
    #[inline]
    pub fn player(self) -> Player {
        match self {
            Side::Blue => Player::First,
            Side::Red => Player::Second,
        }
    }

    /// The letter of DPN.
    pub fn letter(self) -> char {
        match self {
            Side::Blue => 'b',
            Side::Red => 'r',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Blue => "blue",
            Side::Red => "red",
        })
    }
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nobody has won and there are empty cells.
    Playing,
    /// This side has k in a row.
    Won(Side),
    /// The board is full.
    Drawn,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Playing => f.write_str("not over"),
            Status::Won(side) => write!(f, "{side} wins"),
            Status::Drawn => f.write_str("draw"),
        }
    }
}

/// Size of the board and number in a row that wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    size: u8,
    win: u8,
}

impl Shape {
    /// The shape n/k, if 3 ≤ k ≤ n ≤ 17.
    pub fn new(size: usize, win: usize) -> Option<Shape> {
        let legal = (MIN_SIZE..=MAX_SIZE).contains(&size) && (MIN_SIZE..=size).contains(&win);
        legal.then_some(Shape { size: size as u8, win: win as u8 })
    }

    /// n: rows, columns, and faces of the die.
    pub fn size(self) -> usize {
        usize::from(self.size)
    }

    /// k: how many in a row win.
    pub fn win(self) -> usize {
        usize::from(self.win)
    }
}

/// 5/4, the shape most of the literature is about.
impl Default for Shape {
    fn default() -> Shape {
        Shape { size: 5, win: 4 }
    }
}

/// `n/k`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.size, self.win)
    }
}

/// `n/k`, as the tools take it.
impl std::str::FromStr for Shape {
    type Err = WordError<NoShape>;
    fn from_str(text: &str) -> Result<Shape, WordError<NoShape>> {
        text.split_once('/')
            .and_then(|(n, k)| Shape::new(n.parse().ok()?, k.parse().ok()?))
            .ok_or_else(|| WordError::new(text, NoShape))
    }
}

/// What is wrong with a word that should be a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoShape;

impl fmt::Display for NoShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a shape: expected n/k with 3 <= k <= n <= 17, as in 5/4")
    }
}
