//! What a board's size alone determines: its cells, its lines, and the hash contribution of every checker.

use std::sync::OnceLock;

use super::{Bits, MAX_SIZE, Side, Wide};
use crate::game::mix;

/// How many mirror images a position has, itself included.
pub(super) const IMAGES: usize = 4;

/// Tables for one size of board.
pub(super) struct Geometry<B: Bits> {
    pub size: usize,
    /// Every cell.
    pub cells: B,
    /// `lines[side][i]`: the cells of `side`'s `i`-th line, blue's rows and red's columns.
    pub lines: [[B; MAX_SIZE]; 2],
    /// `keys[side][bit]`: what a checker adds to the hash of each image.
    pub keys: [Vec<[u64; IMAGES]>; 2],
}

impl<B: Bits> Geometry<B> {
    fn new(size: usize) -> Geometry<B> {
        let bit = |row: usize, col: usize| B::bit(row * B::STRIDE + col);
        let fold = |cells: &mut dyn Iterator<Item = B>| cells.fold(B::default(), |set, cell| set | cell);
        let line = |i: usize, side: Side| {
            let cell = |j| if side == Side::Blue { bit(i, j) } else { bit(j, i) };
            if i < size { fold(&mut (0..size).map(cell)) } else { B::default() }
        };
        let lines = [Side::Blue, Side::Red].map(|side| std::array::from_fn(|i| line(i, side)));
        let keys = [0, 1].map(|side| {
            let mut keys = vec![[0; IMAGES]; B::STRIDE * size];
            for row in 0..size {
                for col in 0..size {
                    keys[row * B::STRIDE + col] = std::array::from_fn(|frame| {
                        let (row, col) = mirror(size, frame as u8, row, col);
                        mix((side * MAX_SIZE * MAX_SIZE + row * MAX_SIZE + col + 1) as u64)
                    });
                }
            }
            keys
        });
        Geometry { size, cells: fold(&mut lines[0].into_iter()), lines, keys }
    }
}

/// Where a cell lies in the image that `frame` names: bit 0 mirrors the columns, bit 1 the rows.
pub(crate) fn mirror(size: usize, frame: u8, row: usize, col: usize) -> (usize, usize) {
    let row = if frame & 2 != 0 { size - 1 - row } else { row };
    let col = if frame & 1 != 0 { size - 1 - col } else { col };
    (row, col)
}

/// Widths that keep their geometries, one for each size, made when first asked for.
pub(super) trait Surveyed: Bits {
    /// The tables for boards of `size`, which must fit the width.
    fn geometry(size: usize) -> &'static Geometry<Self>;
}

macro_rules! surveyed {
    ($bits:ty) => {
        impl Surveyed for $bits {
            fn geometry(size: usize) -> &'static Geometry<Self> {
                static TABLES: [OnceLock<Geometry<$bits>>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
                debug_assert!(size <= <$bits as Bits>::MAX_SIZE);
                TABLES[size].get_or_init(|| Geometry::new(size))
            }
        }
    };
}

surveyed!(u32);
surveyed!(u64);
surveyed!(u128);
surveyed!(Wide);
