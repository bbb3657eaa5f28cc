//! Dice on boards of up to 5×5, swept: from a position, or from the empty board with mirror images as one.
//!
//! A layer is all ways to add so many checkers. The empty cells are divided into high and low ones ([`split`]). A block is all
//! positions of a layer with given numbers of checkers on the high cells: its rows are the configurations of the high cells ([`high`]), the
//! places in a row those of the low ones ([`low`]). [`kernel`] works out rows from rows.

mod board;
pub mod book;
mod high;
mod kernel;
mod low;
mod solved;
mod split;

pub use board::{Cells, MAX_SIZE, Setup, bits, line_of};
pub use solved::Solved;

use std::ops::Range;

use super::{Block, Extent, Layered};
use crate::game::dice::Side;
use high::{Entry, High};
use kernel::{BlockPlan, Scratch};
use low::Low;
use split::{Split, needed};

/// All positions that can come of one.
pub struct DiceSweep {
    root: Setup,
    empty: usize,
    high: High,
    low: Low,
    /// `threats[side]`: see [`BlockPlan::threats`].
    threats: [Vec<(u32, usize)>; 2],
    portable: bool,
}

impl DiceSweep {
    /// Everything that can come of a position in which nobody has won. From the empty board mirror images are one.
    pub fn new(root: Setup) -> DiceSweep {
        let images = root.count() == 0;
        let size = root.shape.size();
        let split = Split::new(&root, images);
        let numbered = |cells: &[usize], set: Cells| -> u32 {
            cells.iter().enumerate().filter(|&(_, &cell)| set >> cell & 1 != 0).map(|(i, _)| 1 << i).sum()
        };
        let needs = [Side::Blue, Side::Red].map(|side| -> Vec<[u32; 2]> {
            needed(&root, side).iter().map(|&need| [numbered(&split.high, need), numbered(&split.low, need)]).collect()
        });
        let wins = needs.each_ref().map(|needs| needs.iter().filter(|need| need[1] == 0).map(|need| need[0]).collect());
        let mixed = needs.map(|needs| needs.into_iter().filter(|need| need[1] != 0).collect::<Vec<_>>());
        let holding = mixed.each_ref().map(|needs| {
            let mut sets: Vec<u32> = needs.iter().map(|need| need[1]).collect();
            sets.sort_unstable();
            sets.dedup();
            sets
        });
        let threats = [0, 1].map(|side: usize| {
            let list = |set: u32| holding[side].binary_search(&set).expect("every set is in the list");
            mixed[side].iter().map(|&[high, low]| (high, list(low))).collect()
        });
        DiceSweep {
            root,
            empty: root.empty().count_ones() as usize,
            high: High::new(size, &split, images, &wins),
            low: Low::new(size, &split, images, &holding),
            threats,
            portable: false,
        }
    }

    /// The same without vector instructions that not every processor has: slower, and with the same values.
    pub fn portable(root: Setup) -> DiceSweep {
        DiceSweep { portable: true, ..DiceSweep::new(root) }
    }

    /// Where it starts.
    pub fn root(&self) -> &Setup {
        &self.root
    }

    /// Who moves in a layer.
    pub fn mover(&self, layer: usize) -> Side {
        if layer.is_multiple_of(2) { self.root.side } else { self.root.side.other() }
    }

    /// How many checkers blue and red have added in a layer.
    fn added(&self, layer: usize) -> [usize; 2] {
        let (first, second) = (layer.div_ceil(2), layer / 2);
        if self.root.side == Side::Blue { [first, second] } else { [second, first] }
    }

    /// How many checkers stand on high and on low cells in a block.
    fn counts(&self, block: Block) -> [[usize; 2]; 2] {
        let high = [block.number >> 8, block.number & 255].map(|count| count as usize);
        let added = self.added(block.layer);
        [high, [added[0] - high[0], added[1] - high[1]]]
    }

    /// The block with these numbers of checkers on high cells, if there is one.
    fn block(&self, layer: usize, high: [usize; 2]) -> Option<Block> {
        let added = self.added(layer);
        let low = high[0] <= added[0] && high[1] <= added[1] && layer - high[0] - high[1] <= self.low.count();
        let exists = low && high[0] + high[1] <= self.high.count() && !self.high.rows(high).is_empty();
        exists.then_some(Block { layer, number: (high[0] << 8 | high[1]) as u32 })
    }

    /// The blocks that moves on low and on high cells of a block lead to.
    fn below(&self, block: Block) -> [Option<Block>; 2] {
        if block.layer == self.empty {
            return [None; 2];
        }
        let [mut high, _] = self.counts(block);
        let low_move = self.block(block.layer + 1, high);
        high[self.mover(block.layer) as usize] += 1;
        [low_move, self.block(block.layer + 1, high)]
    }

    /// Where the value of a position is that has come of this one: the block and the number in it. `None` if it is kept nowhere,
    /// for somebody has won. (Where somebody has won, the value may be kept and mean nothing.)
    pub fn locate(&self, setup: &Setup) -> Option<(Block, usize)> {
        let added = [0, 1].map(|side| setup.checkers[side] & !self.root.checkers[side]);
        let layer = (added[0] | added[1]).count_ones() as usize;
        let number = self.high.number(added);
        let entry = self.high.entry(number);
        if entry == Entry::WON {
            return None;
        }
        let high = self.high.sets(number).map(|set| set.count_ones() as usize);
        let block = self.block(layer, high)?;
        let places = self.low.places(self.counts(block)[1]);
        let place = self.low.place(added);
        let place = if entry.frame() == 0 { place } else { places.images[entry.frame()][place].into() };
        Some((block, entry.row() * places.width + place))
    }

    /// Bytes that the tables take.
    pub fn table_bytes(&self) -> u64 {
        self.high.bytes()
    }

    /// How many values there are in a layer.
    pub fn layer_len(&self, layer: usize) -> u64 {
        self.blocks(layer).into_iter().map(|block| self.extent(block).len() as u64).sum()
    }
}

impl Layered for DiceSweep {
    type Scratch = Scratch;

    fn layers(&self) -> usize {
        self.empty + 1
    }

    fn blocks(&self, layer: usize) -> Vec<Block> {
        let added = self.added(layer);
        // Blocks along the mover's count need one another's children.
        let counts = |i: usize, j: usize| if self.mover(layer) == Side::Blue { [j, i] } else { [i, j] };
        let [mover, other] = if self.mover(layer) == Side::Blue { [added[0], added[1]] } else { [added[1], added[0]] };
        (0..=other).flat_map(|i| (0..=mover).filter_map(move |j| self.block(layer, counts(i, j)))).collect()
    }

    fn children(&self, block: Block) -> Vec<Block> {
        self.below(block).into_iter().flatten().collect()
    }

    fn extent(&self, block: Block) -> Extent {
        let [high, low] = self.counts(block);
        Extent { rows: self.high.rows(high).len(), width: self.low.places(low).width }
    }

    fn solve(&self, block: Block, rows: Range<usize>, below: &[&[i32]], scratch: &mut Scratch, out: &mut [i32]) {
        let [high, low] = self.counts(block);
        let mover = self.mover(block.layer);
        let mut given = below.iter();
        let below = self.below(block);
        let plan = BlockPlan {
            high: &self.high,
            places: self.low.places(low),
            low_width: below[0].map_or(0, |child| self.extent(child).width),
            rows: self.high.rows(high),
            threats: &self.threats[mover.other() as usize],
            blue: mover == Side::Blue,
            below: below.map(|child| child.and_then(|_| given.next().copied())),
        };
        let solve = if self.portable { kernel::solve_portably } else { kernel::solve };
        solve(&plan, rows.start, scratch, out);
    }
}
