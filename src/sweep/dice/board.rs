//! A position of Dice as the sweep sees it: sets of cells as bits, row by row without gaps.

use crate::game::dice::{Cell, Position, Shape, Side};

/// The largest board that is swept.
pub const MAX_SIZE: usize = 5;

/// Cells as bits, row by row.
pub type Cells = u32;

/// Checkers of a board of at most 5×5, and who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Size and win length.
    pub shape: Shape,
    /// Blue's and red's checkers.
    pub checkers: [Cells; 2],
    /// Who is to move, or to roll.
    pub side: Side,
}

impl Setup {
    /// The checkers of a position, whatever the roll; `None` if the board is too large.
    pub fn of(position: &Position) -> Option<Setup> {
        let size = position.shape().size();
        let bit = |cell: Cell| 1 << (usize::from(cell.row) * size + usize::from(cell.col));
        let of = |side| position.checkers().filter(|&(_, owner)| owner == side).map(|(cell, _)| bit(cell)).sum();
        let setup =
            || Setup { shape: position.shape(), checkers: [of(Side::Blue), of(Side::Red)], side: position.side() };
        (size <= MAX_SIZE).then(setup)
    }

    /// The empty board; `None` if it is too large.
    pub fn start(shape: Shape) -> Option<Setup> {
        (shape.size() <= MAX_SIZE).then_some(Setup { shape, checkers: [0; 2], side: Side::Blue })
    }

    /// How many checkers there are.
    pub fn count(&self) -> usize {
        (self.checkers[0] | self.checkers[1]).count_ones() as usize
    }

    /// The empty cells.
    pub fn empty(&self) -> Cells {
        all_cells(self.shape.size()) & !(self.checkers[0] | self.checkers[1])
    }

    /// After the side to move has played on an empty cell.
    pub fn after(mut self, cell: usize) -> Setup {
        self.checkers[self.side as usize] |= 1 << cell;
        self.side = self.side.other();
        self
    }

    /// Whether this side has k in a row.
    pub fn has_won(&self, side: Side) -> bool {
        let own = self.checkers[side as usize];
        segments(self.shape).into_iter().any(|segment| segment & !own == 0)
    }

    /// The image that `frame` names: bit 0 mirrors the columns, bit 1 the rows.
    pub fn image(&self, frame: u8) -> Setup {
        let size = self.shape.size();
        let image = |set: Cells| bits(set).map(|cell| 1 << mirrored(size, frame, cell)).sum();
        Setup { checkers: self.checkers.map(image), ..*self }
    }
}

/// Every cell of a board.
pub fn all_cells(size: usize) -> Cells {
    (1 << (size * size)) - 1
}

/// The cells of a set, lowest first.
pub fn bits(set: Cells) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            cell
        })
    })
}

/// The line of a side that a cell lies in.
pub fn line_of(size: usize, side: Side, cell: usize) -> usize {
    if side == Side::Blue { cell / size } else { cell % size }
}

/// Where a cell lies in an image.
pub fn mirrored(size: usize, frame: u8, cell: usize) -> usize {
    let (row, col) = crate::game::dice::mirror(size, frame, cell / size, cell % size);
    row * size + col
}

/// Every k cells in a row.
pub fn segments(shape: Shape) -> Vec<Cells> {
    let (size, win) = (shape.size() as i32, shape.win() as i32);
    let mut segments = Vec::new();
    for start in 0..size * size {
        let (row, col) = (start / size, start % size);
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let (last_row, last_col) = (row + down * (win - 1), col + right * (win - 1));
            if last_row < size && (0..size).contains(&last_col) {
                let cell = |i: i32| 1 << ((row + down * i) * size + col + right * i);
                segments.push((0..win).map(cell).sum());
            }
        }
    }
    segments
}
