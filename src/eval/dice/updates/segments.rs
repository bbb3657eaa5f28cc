//! Segment by segment: every segment carries a code, which says whose checkers it holds and how many.
//!
//! For each segment, code and mover there is one vector, the difference between the weights after and before; a checker
//! adds those of its segments and its own. Each segment also carries the exclusive-or of its empty cells' numbers: when
//! one cell is left, that is its name, and so a new threat costs no search.
//!
//! Where a network tells no places apart, the segments of a slant share their vectors, and so do all cells: the tables are
//! then small enough to stay near the processor.

use super::{ByPerspective, Change, Codes, SIDES, Updates, WeightView, by_perspective};
use crate::eval::dice::accumulator::Tables;
use crate::eval::dice::features::Layout;
use crate::eval::dice::lanes::Lanes;
use crate::eval::dice::network::Weights;
use crate::game::dice::{Bits, Side, Wide};

/// Binary digits of a segment's code; the rest of the word is the exclusive-or of its empty cells.
const CODE_BITS: u32 = 6;
const CODE_MASK: u16 = (1 << CODE_BITS) - 1;
const CODES: usize = 1 << CODE_BITS;

/// Room for the words of all segments of any shape that fits a width.
pub trait Words: Bits {
    /// One word a segment.
    type Words: Copy + Send + Sync + AsRef<[u16]> + AsMut<[u16]>;
    /// All zero.
    const ZERO: Self::Words;
}

macro_rules! words {
    ($bits:ty, $segments:expr) => {
        impl Words for $bits {
            type Words = [u16; $segments];
            const ZERO: [u16; $segments] = [0; $segments];
        }
    };
}

// The most segments of a size are at k = 3: 2·n·(n−2) straight and 2·(n−2)² diagonal ones.
words!(u64, 120);
words!(u128, 288);
words!(Wide, 960);

/// A segment through a cell.
#[derive(Clone, Copy)]
struct Crossing {
    segment: u16,
    /// Where its steps begin.
    steps: u16,
}

/// What the checkers of one side change in the accumulator of one view, in one list: by cell, the checker itself; the
/// opponent's threat that it ends; its own side's threat that comes to stand; then by segment and code, the segment.
pub struct Perspective {
    lanes: Box<[Lanes]>,
    /// How many cells are told apart.
    cells: usize,
    /// What a cell's number is multiplied by: 0 if they are not.
    apart: usize,
    codes: Codes,
    /// The code of a segment that one more checker makes a threat.
    ripe: u16,
}

impl Perspective {
    fn new(weights: WeightView<'_>, mover: Side) -> Perspective {
        let (layout, codes) = (weights.layout, Codes::of(weights.layout));
        let cells = layout.places();
        let checkers = (0..cells).map(|cell| weights.checker(mover, cell));
        let threats = |side| (0..cells).map(move |cell| weights.threat(side, cell));
        let segments = layout.told_apart().flat_map(|segment| (0..codes.len() as u16).map(move |c| (segment, c)));
        let steps = segments.map(|(segment, code)| weights.step(codes, segment, code, mover));
        let lanes = checkers.chain(threats(mover.other())).chain(threats(mover)).chain(steps).collect();
        Perspective { lanes, cells, apart: usize::from(cells > 1), codes, ripe: codes.ripe(mover) }
    }

    /// Where the steps of a segment begin, by what it is told from others by.
    fn steps_of(told: usize, cells: usize, codes: Codes) -> usize {
        3 * cells + told * codes.len()
    }

    #[inline(always)]
    pub fn checker(&self, cell: usize) -> &Lanes {
        &self.lanes[cell * self.apart]
    }

    #[inline(always)]
    pub fn other_threat(&self, cell: usize) -> &Lanes {
        &self.lanes[self.cells + cell * self.apart]
    }

    #[inline(always)]
    pub fn own_threat(&self, cell: usize) -> &Lanes {
        &self.lanes[2 * self.cells + cell * self.apart]
    }

    /// The change in a segment of a network that tells them all apart.
    pub fn step_in(&self, segment: usize, code: u16) -> &Lanes {
        &self.lanes[Perspective::steps_of(segment, self.cells, self.codes) + usize::from(code)]
    }

    /// The same in the segment of a crossing.
    #[inline(always)]
    fn step(&self, crossing: Crossing, code: u16) -> &Lanes {
        &self.lanes[usize::from(crossing.steps) + usize::from(code)]
    }
}

/// Updates by segments.
pub struct Segments {
    perspectives: ByPerspective<Perspective>,
    /// The segments through each cell.
    through: Vec<Box<[Crossing]>>,
    /// The words of all segments on the empty board.
    words: Vec<u16>,
    /// `next[mover][code]`: a segment's code after a checker of the mover.
    next: [[u16; CODES]; 2],
    size: usize,
}

/// The exclusive-or of a segment's cells.
fn name(cells: &[u16]) -> u16 {
    cells.iter().fold(0, |name, cell| name ^ cell)
}

impl Segments {
    /// The steps of a network.
    pub fn new(weights: &Weights, layout: &Layout) -> Segments {
        let codes = Codes::of(layout);
        let size = layout.shape().size();
        let through = (0..size * size).map(|cell| {
            let holds = |i: &usize| layout.segments()[*i].cells.contains(&(cell as u16));
            let steps = |i| Perspective::steps_of(layout.told(i), layout.places(), codes) as u16;
            let crossing = |i: usize| Crossing { segment: i as u16, steps: steps(i) };
            (0..layout.segments().len()).filter(holds).map(crossing).collect()
        });
        Segments {
            perspectives: by_perspective(|mover, view| Perspective::new(WeightView { weights, layout, view }, mover)),
            through: through.collect(),
            words: layout.segments().iter().map(|segment| name(&segment.cells) << CODE_BITS).collect(),
            next: SIDES.map(|mover| {
                std::array::from_fn(|code| if code < codes.len() { codes.after(code as u16, mover) } else { 0 })
            }),
            size,
        }
    }

    /// What the checkers of `mover` change in the accumulator of `view`.
    #[inline(always)]
    pub(super) fn perspective_of(&self, mover: Side, view: Side) -> &Perspective {
        &self.perspectives[mover as usize][view as usize]
    }

    /// The number of a cell, from its bit.
    #[inline(always)]
    fn cell<B: Bits>(&self, bit: usize) -> usize {
        bit / B::STRIDE * self.size + bit % B::STRIDE
    }

    /// The bit of a cell, from its number.
    #[inline(always)]
    pub(super) fn bit<B: Bits>(&self, cell: usize) -> usize {
        cell / self.size * B::STRIDE + cell % self.size
    }
}

impl<B: Words> Updates<B> for Segments {
    type Contents = B::Words;
    const BLANK: B::Words = B::ZERO;

    #[inline(always)]
    fn of(tables: &Tables) -> &Segments {
        &tables.segments
    }

    fn start(&self) -> B::Words {
        let mut words = B::ZERO;
        words.as_mut()[..self.words.len()].copy_from_slice(&self.words);
        words
    }

    #[inline(always)]
    fn change(&self, mover: Side, view: Side, words: &B::Words, [own, other]: [B; 2], bit: usize) -> Change<B> {
        let perspective = self.perspective_of(mover, view);
        let cell = self.cell::<B>(bit);
        let words = words.as_ref();
        let mut lanes = *perspective.checker(cell);
        if other.has(bit) {
            lanes.sub(perspective.other_threat(cell));
        }
        let mut threats = own;
        for &crossing in &self.through[cell] {
            let word = words[usize::from(crossing.segment)];
            let code = word & CODE_MASK;
            lanes.add(perspective.step(crossing, code));
            if code == perspective.ripe {
                let gap = usize::from((word >> CODE_BITS) ^ cell as u16);
                let gap_bit = self.bit::<B>(gap);
                if !threats.has(gap_bit) {
                    threats = threats | B::bit(gap_bit);
                    lanes.add(perspective.own_threat(gap));
                }
            }
        }
        Change { lanes, frame: 0, threats }
    }

    #[inline(always)]
    fn follow(&self, words: &mut B::Words, mover: Side, bit: usize) {
        let cell = self.cell::<B>(bit);
        let next = &self.next[mover as usize];
        for &crossing in &self.through[cell] {
            let word = &mut words.as_mut()[usize::from(crossing.segment)];
            let gaps = (*word >> CODE_BITS) ^ cell as u16;
            *word = gaps << CODE_BITS | next[usize::from(*word & CODE_MASK)];
        }
    }
}
