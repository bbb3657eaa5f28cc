//! What a checker adds to the hidden accumulator.

mod lines;
mod segments;

pub use lines::Lines;
pub use segments::Segments;

use super::accumulator::Tables;
use super::features::{Feature, Layout};
use super::lanes::Lanes;
use super::network::Weights;
use crate::game::dice::{Bits, Side};

/// A way to find what a checker adds to the hidden accumulator of a position.
pub trait Updates<B: Bits>: Sized + Send + Sync + 'static {
    /// What it keeps of a position to find it by.
    type Contents: Copy + Send + Sync;
    /// Of no position.
    const BLANK: Self::Contents;

    /// This way's tables, which must be there.
    fn of(tables: &Tables) -> &Self;

    /// The contents of the empty board.
    fn start(&self) -> Self::Contents;

    /// What a checker of `mover` on bit `bit` changes in the accumulator of `view`, in a position with these contents where `threats`
    /// are the mover's and its opponent's. It must not end the game: no accumulator follow a win.
    fn change(&self, mover: Side, view: Side, contents: &Self::Contents, threats: [B; 2], bit: usize) -> Change<B>;

    /// Bring the contents up to that checker.
    fn follow(&self, contents: &mut Self::Contents, mover: Side, bit: usize);
}

/// What a checker changes.
pub struct Change<B> {
    /// The accumulator, by this much, as they are on the image of the board that `frame` names.
    pub lanes: Lanes,
    /// The image.
    pub frame: usize,
    /// The threats of its own side, to these.
    pub threats: B,
}

impl<B> Change<B> {
    /// Bring the accumulator of a board up to it.
    #[inline(always)]
    pub fn apply(&self, accumulator: &mut Lanes) {
        accumulator.add_reframed(&self.lanes, self.frame);
    }

    /// The accumulator after it, on the image.
    #[inline(always)]
    pub fn applied(&self, accumulator: &Lanes) -> Lanes {
        let mut changed = self.lanes;
        changed.add_reframed(accumulator, self.frame);
        changed
    }
}

pub(super) const SIDES: [Side; 2] = [Side::Blue, Side::Red];

/// Something for each mover and each view: `[mover][view]`.
type ByPerspective<T> = [[T; 2]; 2];

fn by_perspective<T>(mut make: impl FnMut(Side, Side) -> T) -> ByPerspective<T> {
    SIDES.map(|mover| SIDES.map(|view| make(mover, view)))
}

/// The weights of a network as one view sees them; features are in the board's own frame, where `own` stands for blue,
/// the row player.
#[derive(Clone, Copy)]
struct WeightView<'a> {
    weights: &'a Weights,
    layout: &'a Layout,
    view: Side,
}

impl WeightView<'_> {
    /// `view` is the side to move; red's is the network's own layout with sides and axes exchanged.
    fn lanes(&self, feature: Feature) -> Lanes {
        let seen = if self.view == Side::Blue { feature } else { self.layout.other_view(feature) };
        self.weights.lanes_of(self.layout, seen)
    }

    fn checker(&self, side: Side, cell: usize) -> Lanes {
        self.lanes(Feature::Checker { own: side == Side::Blue, cell })
    }

    fn threat(&self, side: Side, cell: usize) -> Lanes {
        self.lanes(Feature::Threat { own: side == Side::Blue, cell })
    }

    /// What a checker of `mover` changes in a segment of this content.
    fn step(&self, codes: Codes, segment: usize, code: u16, mover: Side) -> Lanes {
        let content = |code: u16| match codes.owner(code) {
            None => Lanes::ZERO,
            Some((side, count)) => {
                self.lanes(Feature::Live { segment, own: side == Side::Blue, count: usize::from(count) })
            }
        };
        let mut step = content(codes.after(code, mover));
        step.sub(&content(code));
        step
    }
}

/// How a segment's content is numbered: 0 empty, then blue's counts, then red's, then dead.
#[derive(Clone, Copy)]
struct Codes {
    win: u16,
}

impl Codes {
    fn of(layout: &Layout) -> Codes {
        Codes { win: layout.shape().win() as u16 }
    }

    fn len(self) -> usize {
        2 * usize::from(self.win)
    }

    fn dead(self) -> u16 {
        2 * self.win - 1
    }

    /// `count` checkers of `side` alone; a full segment is as good as dead, for the game is over.
    fn alone(self, side: Side, count: u16) -> u16 {
        match count {
            0 => 0,
            _ if count >= self.win => self.dead(),
            _ => count + if side == Side::Blue { 0 } else { self.win - 1 },
        }
    }

    /// Whose checkers are in the segment, and how many, if they are of one side alone.
    fn owner(self, code: u16) -> Option<(Side, u16)> {
        let reds = self.win - 1;
        match code {
            0 => None,
            _ if code >= self.dead() => None,
            _ if code <= reds => Some((Side::Blue, code)),
            _ => Some((Side::Red, code - reds)),
        }
    }

    fn after(self, code: u16, mover: Side) -> u16 {
        match self.owner(code) {
            None if code == 0 => self.alone(mover, 1),
            Some((side, count)) if side == mover => self.alone(mover, count + 1),
            _ => self.dead(),
        }
    }

    /// The same with the sides exchanged.
    fn swapped(self, code: u16) -> u16 {
        self.owner(code).map_or(code, |(side, count)| self.alone(side.other(), count))
    }

    /// One checker of `mover` here makes a threat of the cell that is then left.
    fn ripe(self, mover: Side) -> u16 {
        self.alone(mover, self.win - 2)
    }
}
