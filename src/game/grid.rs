//! Names of the cells of small boards whose cells are numbered row by row from a1.

use crate::game::dice::{Cell, parse_cell};

/// The rows and columns of a board.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub columns: u8,
    pub rows: u8,
}

impl Grid {
    /// The name of a cell.
    pub const fn name(self, cell: u8) -> Cell {
        Cell { row: cell / self.columns, col: cell % self.columns }
    }

    /// The cell of a name, if the board has it.
    pub fn cell(self, name: &str) -> Option<u8> {
        let cell = parse_cell(name).filter(|cell| cell.row < self.rows && cell.col < self.columns)?;
        Some(cell.row * self.columns + cell.col)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_names() {
        let grid = Grid { columns: 4, rows: 8 };
        for (name, cell) in
            [("a1", Some(0)), ("d1", Some(3)), ("a2", Some(4)), ("d8", Some(31)), ("e1", None), ("a9", None)]
        {
            assert_eq!(grid.cell(name), cell, "{name}");
            assert!(cell.is_none_or(|cell| grid.name(cell).to_string() == name));
        }
    }
}
