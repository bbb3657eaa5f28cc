//! Where the twelve cubes stand, packed into one word: five bits a cube, so that all of them are read, searched and
//! hashed at once.

use super::{CELLS, CUBES, SIZE};
use crate::game::Player;

/// One of the twelve cubes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// Whose it is.
    pub owner: Player,
    /// 1 to 6.
    pub number: u8,
}

impl Cube {
    /// Its place among all twelve: blue's in order, then red's.
    #[inline]
    pub const fn index(self) -> usize {
        self.owner as usize * CUBES + self.number as usize - 1
    }

    /// The cube of that place.
    #[inline]
    pub const fn from_index(index: usize) -> Cube {
        let owner = if index < CUBES { Player::First } else { Player::Second };
        Cube { owner, number: (index % CUBES) as u8 + 1 }
    }
}

/// Bits of a cube's cell.
const WIDTH: usize = 5;
/// The cell of a cube that has been taken.
const GONE: u64 = (1 << WIDTH) - 1;
const _: () = assert!(CELLS <= GONE as usize && 2 * CUBES * WIDTH <= Cubes::BITS);

/// The lowest bit of every cube.
const LOWEST: u64 = {
    let (mut bits, mut index) = (0, 0);
    while index < 2 * CUBES {
        bits |= 1 << (index * WIDTH);
        index += 1;
    }
    bits
};

/// The cells of all cubes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cubes(u64);

impl Cubes {
    /// The bits that are used, from the lowest on.
    pub const BITS: usize = 60;

    /// No cube is left.
    pub const NONE: Cubes = Cubes(LOWEST * GONE);

    /// All cells as one number, below 2 to the power of [`Cubes::BITS`].
    #[inline]
    pub fn packed(self) -> u64 {
        self.0
    }

    /// Where a cube stands, if it is left.
    #[inline]
    pub fn cell(self, index: usize) -> Option<u8> {
        let cell = (self.0 >> (index * WIDTH)) & GONE;
        (cell != GONE).then_some(cell as u8)
    }

    /// The cube on a cell.
    #[inline]
    pub fn at(self, cell: u8) -> Option<usize> {
        let differing = self.0 ^ (LOWEST * u64::from(cell));
        // The classic search for a zero byte, in fields of five bits: borrows can only mark fields above a zero one.
        let zero = differing.wrapping_sub(LOWEST) & !differing & (LOWEST << (WIDTH - 1));
        (zero != 0).then(|| zero.trailing_zeros() as usize / WIDTH)
    }

    /// Move a cube from cell to cell.
    #[inline]
    pub fn shift(&mut self, index: usize, from: u8, to: u8) {
        self.0 ^= u64::from(from ^ to) << (index * WIDTH);
    }

    /// Take a cube off the board.
    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0 |= GONE << (index * WIDTH);
    }

    /// Put a cube that is not on the board on a cell.
    pub fn put(&mut self, index: usize, cell: u8) {
        self.0 ^= (GONE ^ u64::from(cell)) << (index * WIDTH);
    }
}

/// The cell reflected in the diagonal from a1 to e5.
#[inline]
pub const fn reflect(cell: u8) -> u8 {
    let size = SIZE as u8;
    cell % size * size + cell / size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_are_found_where_they_were_put() {
        let mut cubes = Cubes::NONE;
        let cells: Vec<u8> = (0..12).map(|index| (index * 7 + 3) % 25).collect();
        for (index, &cell) in cells.iter().enumerate() {
            assert_eq!((cubes.cell(index), cubes.at(cell)), (None, None));
            cubes.put(index, cell);
        }
        for cell in 0..25 {
            assert_eq!(cubes.at(cell), cells.iter().position(|&other| other == cell), "cell {cell}");
        }
        cubes.remove(4);
        cubes.shift(5, cells[5], cells[4]);
        assert_eq!((cubes.at(cells[4]), cubes.at(cells[5]), cubes.cell(5)), (Some(5), None, Some(cells[4])));
        assert!(cubes.packed() < 1 << Cubes::BITS);
    }

    #[test]
    fn reflection_is_its_own_inverse() {
        for (cell, image) in [(0, 0), (1, 5), (4, 20), (24, 24), (13, 17)] {
            assert_eq!((reflect(cell), reflect(image)), (image, cell));
        }
    }
}
