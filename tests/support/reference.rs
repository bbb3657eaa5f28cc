//! Dice as one would explain it: a grid, and loops over it.

use alea::game::dice::{Cell, Shape, Side, Status};

pub struct Reference {
    shape: Shape,
    pub cells: Vec<Vec<Option<Side>>>,
    pub side: Side,
    pub status: Status,
}

impl Reference {
    pub fn new(shape: Shape) -> Reference {
        let cells = vec![vec![None; shape.size()]; shape.size()];
        Reference { shape, cells, side: Side::Blue, status: Status::Playing }
    }

    /// The cells of one line of the side to move: a row for blue, a column for red.
    fn line(&self, line: u8) -> Vec<Cell> {
        let cell = |other: u8| match self.side {
            Side::Blue => Cell { row: line, col: other },
            Side::Red => Cell { row: other, col: line },
        };
        (0..self.shape.size() as u8).map(cell).collect()
    }

    fn empty_cells(&self, line: u8) -> Vec<Cell> {
        let mut cells = self.line(line);
        cells.retain(|cell| self.cells[usize::from(cell.row)][usize::from(cell.col)].is_none());
        cells
    }

    pub fn empty(&self) -> usize {
        self.cells.iter().flatten().filter(|cell| cell.is_none()).count()
    }

    pub fn open_lines(&self) -> Vec<u8> {
        if self.status != Status::Playing {
            return Vec::new();
        }
        (0..self.shape.size() as u8).filter(|&line| !self.empty_cells(line).is_empty()).collect()
    }

    pub fn legal(&self, roll: Option<u8>) -> Vec<Cell> {
        match roll {
            Some(roll) if self.status == Status::Playing => self.empty_cells(roll),
            _ => Vec::new(),
        }
    }

    pub fn play(&mut self, cell: Cell) {
        self.cells[usize::from(cell.row)][usize::from(cell.col)] = Some(self.side);
        self.side = self.side.other();
        self.status = self.look_for_the_end();
    }

    /// Whether `side` has enough in a row somewhere.
    fn has_row(&self, side: Side) -> bool {
        let size = self.shape.size() as i32;
        let owned = |row: i32, col: i32| {
            let inside = (0..size).contains(&row) && (0..size).contains(&col);
            inside && self.cells[row as usize][col as usize] == Some(side)
        };
        for row in 0..size {
            for col in 0..size {
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    if (0..self.shape.win() as i32).all(|i| owned(row + i * down, col + i * right)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn look_for_the_end(&self) -> Status {
        if self.has_row(Side::Blue) {
            Status::Won(Side::Blue)
        } else if self.has_row(Side::Red) {
            Status::Won(Side::Red)
        } else if self.empty() == 0 {
            Status::Drawn
        } else {
            Status::Playing
        }
    }
}
