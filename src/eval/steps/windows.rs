//! Window by window: every window carries a code, which says whose checkers it holds and how many.
//!
//! For each window, code and mover there is one vector, the difference between the weights after and before; a checker
//! adds those of its windows and its own. Each window also carries the exclusive-or of its empty cells' numbers: when
//! one cell is left, that is its name, and so a new threat costs no search.

use super::{Change, Codes, Faces, SIDES, Sight, Steps, faces};
use crate::eval::features::Layout;
use crate::eval::incremental::Tables;
use crate::eval::lanes::Lanes;
use crate::eval::network::Weights;
use crate::game::dice::{Bits, Side, Wide};

/// Binary digits of a window's code; the rest of the word is the exclusive-or of its empty cells.
const CODE_BITS: u32 = 6;
const CODE_MASK: u16 = (1 << CODE_BITS) - 1;
const CODES: usize = 1 << CODE_BITS;

/// Room for the words of all windows of any shape that fits a width.
pub trait Words: Bits {
    /// One word a window.
    type Words: Copy + Send + Sync + AsRef<[u16]> + AsMut<[u16]>;
    /// All zero.
    const ZERO: Self::Words;
}

macro_rules! words {
    ($bits:ty, $windows:expr) => {
        impl Words for $bits {
            type Words = [u16; $windows];
            const ZERO: [u16; $windows] = [0; $windows];
        }
    };
}

// The most windows of a size are at k = 3: 2·n·(n−2) straight and 2·(n−2)² diagonal ones.
words!(u64, 120);
words!(u128, 288);
words!(Wide, 960);

/// A window through a cell.
#[derive(Clone, Copy)]
struct Crossing {
    window: u16,
    /// Where its steps begin.
    steps: u16,
}

/// What the checkers of one side change in the sums of one view, in one list: by cell, the checker itself; the
/// opponent's threat that it ends; its own side's threat that comes to stand; then by window and code, the window.
pub struct Face {
    lanes: Box<[Lanes]>,
    cells: usize,
    codes: Codes,
    /// The code of a window that one more checker makes a threat.
    ripe: u16,
}

impl Face {
    fn new(sight: Sight<'_>, mover: Side) -> Face {
        let (layout, codes) = (sight.layout, Codes::of(sight.layout));
        let cells = layout.shape().size() * layout.shape().size();
        let checkers = (0..cells).map(|cell| sight.checker(mover, cell));
        let threats = |side| (0..cells).map(move |cell| sight.threat(side, cell));
        let windows = (0..layout.windows().len()).flat_map(|window| (0..codes.len() as u16).map(move |c| (window, c)));
        let steps = windows.map(|(window, code)| sight.step(codes, window, code, mover));
        let lanes = checkers.chain(threats(mover.other())).chain(threats(mover)).chain(steps).collect();
        Face { lanes, cells, codes, ripe: codes.ripe(mover) }
    }

    /// Where the steps of a window begin.
    fn steps_of(window: usize, cells: usize, codes: Codes) -> usize {
        3 * cells + window * codes.len()
    }

    #[inline(always)]
    pub fn checker(&self, cell: usize) -> &Lanes {
        &self.lanes[cell]
    }

    #[inline(always)]
    pub fn other_threat(&self, cell: usize) -> &Lanes {
        &self.lanes[self.cells + cell]
    }

    #[inline(always)]
    pub fn own_threat(&self, cell: usize) -> &Lanes {
        &self.lanes[2 * self.cells + cell]
    }

    /// The change in a window.
    pub fn step_in(&self, window: usize, code: u16) -> &Lanes {
        &self.lanes[Face::steps_of(window, self.cells, self.codes) + usize::from(code)]
    }

    /// The same in the window of a crossing.
    #[inline(always)]
    fn step(&self, crossing: Crossing, code: u16) -> &Lanes {
        &self.lanes[usize::from(crossing.steps) + usize::from(code)]
    }
}

/// Steps by windows.
pub struct Windows {
    faces: Faces<Face>,
    /// The windows through each cell.
    through: Vec<Box<[Crossing]>>,
    /// The words of all windows on the empty board.
    words: Vec<u16>,
    /// `next[mover][code]`: a window's code after a checker of the mover.
    next: [[u16; CODES]; 2],
    size: usize,
}

/// The exclusive-or of a window's cells.
fn name(cells: &[u16]) -> u16 {
    cells.iter().fold(0, |name, cell| name ^ cell)
}

impl Windows {
    /// The steps of a network.
    pub fn new(weights: &Weights, layout: &Layout) -> Windows {
        let codes = Codes::of(layout);
        let size = layout.shape().size();
        let through = (0..size * size).map(|cell| {
            let holds = |i: &usize| layout.windows()[*i].cells.contains(&(cell as u16));
            let steps = |i| Face::steps_of(i, size * size, codes) as u16;
            let crossing = |i: usize| Crossing { window: i as u16, steps: steps(i) };
            (0..layout.windows().len()).filter(holds).map(crossing).collect()
        });
        Windows {
            faces: faces(|mover, view| Face::new(Sight { weights, layout, view }, mover)),
            through: through.collect(),
            words: layout.windows().iter().map(|window| name(&window.cells) << CODE_BITS).collect(),
            next: SIDES.map(|mover| {
                std::array::from_fn(|code| if code < codes.len() { codes.after(code as u16, mover) } else { 0 })
            }),
            size,
        }
    }

    /// What the checkers of `mover` change in the sums of `view`.
    #[inline(always)]
    pub(super) fn face_of(&self, mover: Side, view: Side) -> &Face {
        &self.faces[mover as usize][view as usize]
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

impl<B: Words> Steps<B> for Windows {
    type Marks = B::Words;
    const BLANK: B::Words = B::ZERO;

    #[inline(always)]
    fn of(tables: &Tables) -> &Windows {
        &tables.windows
    }

    fn start(&self) -> B::Words {
        let mut words = B::ZERO;
        words.as_mut()[..self.words.len()].copy_from_slice(&self.words);
        words
    }

    #[inline(always)]
    fn change(&self, mover: Side, view: Side, words: &B::Words, [own, other]: [B; 2], bit: usize) -> Change<B> {
        let face = self.face_of(mover, view);
        let cell = self.cell::<B>(bit);
        let words = words.as_ref();
        let mut lanes = *face.checker(cell);
        if other.has(bit) {
            lanes.sub(face.other_threat(cell));
        }
        let mut threats = own;
        for &crossing in &self.through[cell] {
            let word = words[usize::from(crossing.window)];
            let code = word & CODE_MASK;
            lanes.add(face.step(crossing, code));
            if code == face.ripe {
                let gap = usize::from((word >> CODE_BITS) ^ cell as u16);
                let gap_bit = self.bit::<B>(gap);
                if !threats.has(gap_bit) {
                    threats = threats | B::bit(gap_bit);
                    lanes.add(face.own_threat(gap));
                }
            }
        }
        Change { lanes, frame: 0, threats }
    }

    #[inline(always)]
    fn mark(&self, words: &mut B::Words, mover: Side, bit: usize) {
        let cell = self.cell::<B>(bit);
        let next = &self.next[mover as usize];
        for &crossing in &self.through[cell] {
            let word = &mut words.as_mut()[usize::from(crossing.window)];
            let gaps = (*word >> CODE_BITS) ^ cell as u16;
            *word = gaps << CODE_BITS | next[usize::from(*word & CODE_MASK)];
        }
    }
}
