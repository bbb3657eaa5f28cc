//! Solving from the end: games whose positions fall into layers, each value following from the next layer's.
//!
//! A search forgets; a sweep keeps. Where every step leads from one layer of positions to the next (a checker more on the
//! board), all values of a layer follow from those of the next one, so two layers are all that must be remembered, and no
//! position is looked at twice. [`Layered`] is what a game says of itself to be swept, [`sweep`] does it on several threads, a
//! [`Store`] keeps the blocks that are still needed. [`dice`] is the first user.

pub mod dice;
mod driver;
mod memory;

pub use driver::{Ended, Pace, Progress, sweep};
pub use memory::Memory;

use std::ops::Range;
use std::sync::Arc;

use crate::game::Value;

/// A won game for the first player, as sweeps count: a grid so fine that rounding never shows, and so coarse that the sum
/// of a few values fits 32 bits.
pub const WIN: i32 = 1 << 28;

/// The most that rounding can change a value by, in won games, where it follows from values that are so far from the truth
/// already: means are rounded to the grid, and a third or a fifth is not on it.
pub const ROUNDING: f64 = 0.75 / WIN as f64;

/// The value nearest to a number of a sweep.
pub fn value(number: i32) -> Value {
    Value::from_raw((i64::from(number) + 8) >> 4)
}

/// Some of a layer's positions: those that follow from the same blocks of the next layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Block {
    /// Which layer.
    pub layer: usize,
    /// Which of the layer's blocks, a number that the game understands.
    pub number: u32,
}

/// How a block is laid out: rows of equally many values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Rows.
    pub rows: usize,
    /// Values in a row, at least one.
    pub width: usize,
}

impl Extent {
    /// Values in all.
    pub fn len(self) -> usize {
        self.rows * self.width
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.rows == 0
    }
}

/// A game whose positions fall into layers of blocks. Values are those of the first player, in 2⁻²⁸ of a won game.
pub trait Layered: Sync {
    /// Room that a thread works in.
    type Scratch: Default;

    /// How many layers there are; no value of the last one follows from others.
    fn layers(&self) -> usize;

    /// The blocks of a layer, in an order in which those that need the same blocks follow one another.
    fn blocks(&self, layer: usize) -> Vec<Block>;

    /// The blocks of the next layer that a block follows from.
    fn children(&self, block: Block) -> Vec<Block>;

    /// How large a block is.
    fn extent(&self, block: Block) -> Extent;

    /// Work out some rows of a block. `below` has its children in their order.
    fn solve(&self, block: Block, rows: Range<usize>, below: &[&[i32]], scratch: &mut Self::Scratch, out: &mut [i32]);
}

/// Where blocks are kept between the time they are worked out and the time nothing needs them any more.
pub trait Store {
    /// What can go wrong.
    type Error;

    /// Memory for this many values, whatever they are now.
    fn room(&mut self, len: usize) -> Result<Vec<i32>, Self::Error>;

    /// Keep a block.
    fn put(&mut self, block: Block, values: Vec<i32>) -> Result<(), Self::Error>;

    /// Whether a block is kept.
    fn has(&self, block: Block) -> bool;

    /// A block that is kept.
    fn get(&mut self, block: Block) -> Result<Arc<Vec<i32>>, Self::Error>;

    /// Let go of a block that nothing needs any more.
    fn release(&mut self, block: Block) -> Result<(), Self::Error>;
}
