//! What a checker adds to the hidden sums.

mod lines;
mod windows;

pub use lines::Lines;
pub use windows::Windows;

use super::features::{Feature, Layout};
use super::incremental::Tables;
use super::lanes::Lanes;
use super::network::Weights;
use crate::game::dice::{Bits, Side};

/// A way to find what a checker adds to the hidden sums of a position.
pub trait Steps<B: Bits>: Sized + Send + Sync + 'static {
    /// What it keeps of a position to find it by.
    type Marks: Copy + Send + Sync;
    /// Of no position.
    const BLANK: Self::Marks;

    /// This way's tables, which must be there.
    fn of(tables: &Tables) -> &Self;

    /// The marks of the empty board.
    fn start(&self) -> Self::Marks;

    /// What a checker of `mover` on bit `bit` changes in the sums of `view`, in a position with these marks where `threats`
    /// are the mover's and its opponent's. It must not end the game: no sums follow a win.
    fn change(&self, mover: Side, view: Side, marks: &Self::Marks, threats: [B; 2], bit: usize) -> Change<B>;

    /// Bring the marks up to that checker.
    fn mark(&self, marks: &mut Self::Marks, mover: Side, bit: usize);
}

/// What a checker changes.
pub struct Change<B> {
    /// The sums, by this much, as they are on the image of the board that `frame` names.
    pub lanes: Lanes,
    /// The image.
    pub frame: usize,
    /// The threats of its own side, to these.
    pub threats: B,
}

impl<B> Change<B> {
    /// Bring the sums of a board up to it.
    #[inline(always)]
    pub fn apply(&self, sums: &mut Lanes) {
        sums.add_reframed(&self.lanes, self.frame);
    }

    /// The sums after it, on the image.
    #[inline(always)]
    pub fn applied(&self, sums: &Lanes) -> Lanes {
        let mut changed = self.lanes;
        changed.add_reframed(sums, self.frame);
        changed
    }
}

pub(super) const SIDES: [Side; 2] = [Side::Blue, Side::Red];

/// Something for each mover and each view: `[mover][view]`.
type Faces<T> = [[T; 2]; 2];

fn faces<T>(mut make: impl FnMut(Side, Side) -> T) -> Faces<T> {
    SIDES.map(|mover| SIDES.map(|view| make(mover, view)))
}

/// The weights of a network as one view sees them; features are in the board's own frame, where `own` stands for blue,
/// the row player.
#[derive(Clone, Copy)]
struct Sight<'a> {
    weights: &'a Weights,
    layout: &'a Layout,
    view: Side,
}

impl Sight<'_> {
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

    /// What a checker of `mover` changes in a window of this content.
    fn step(&self, codes: Codes, window: usize, code: u16, mover: Side) -> Lanes {
        let content = |code: u16| match codes.owner(code) {
            None => Lanes::ZERO,
            Some((side, count)) => {
                self.lanes(Feature::Live { window, own: side == Side::Blue, count: usize::from(count) })
            }
        };
        let mut step = content(codes.after(code, mover));
        step.sub(&content(code));
        step
    }
}

/// How a window's content is numbered: 0 empty, then blue's counts, then red's, then dead.
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

    /// `count` checkers of `side` alone; a full window is as good as dead, for the game is over.
    fn alone(self, side: Side, count: u16) -> u16 {
        match count {
            0 => 0,
            _ if count >= self.win => self.dead(),
            _ => count + if side == Side::Blue { 0 } else { self.win - 1 },
        }
    }

    /// Whose checkers are in the window, and how many, if they are of one side alone.
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
