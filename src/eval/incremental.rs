//! Hidden sums that follow the game: a checker changes only the windows through its cell.
//!
//! Sums are kept for both views, blue to move and red to move, since either may be asked for next; just before the leaves
//! only that of the leaves is still brought up to date. What a checker adds to them is found in tables, in one of two
//! ways: window by window on boards of any size ([`Windows`]), or a whole line at once where lines are short ([`Lines`]).

use super::features::Layout;
use super::lanes::{Lanes, OutputLayer};
use super::network::{Network, Weights};
use super::steps::{Lines, Steps, Windows};
use super::{Outlook, Peak};
use crate::game::dice::{Board, Odds, Side, Spoils, Wide, Width};
use crate::game::{Move, Value};

/// Boards of a width, on which sums follow the game in one way.
pub trait Followed: Width {
    /// The way.
    type Way: Steps<Self>;
}

impl Followed for u32 {
    type Way = Lines;
}
impl Followed for u64 {
    type Way = Windows;
}
impl Followed for u128 {
    type Way = Windows;
}
impl Followed for Wide {
    type Way = Windows;
}

/// What is known of a position: the hidden sums in both views, what finding the next ones takes, and the odds of the side
/// that is not to move, which its opponent's next checker can only spoil.
pub struct Sums<B: Followed> {
    views: [Lanes; 2],
    odds: Odds,
    marks: <B::Way as Steps<B>>::Marks,
}

impl<B: Followed> Clone for Sums<B> {
    fn clone(&self) -> Sums<B> {
        *self
    }
}

impl<B: Followed> Copy for Sums<B> {}

impl<B: Followed> Sums<B> {
    /// Sums of no network, for evaluations that keep none.
    pub const BLANK: Sums<B> = Sums { views: [Lanes::ZERO; 2], odds: Odds::NONE, marks: <B::Way as Steps<B>>::BLANK };

    /// Put a checker down where `standing` are the threats of the mover and of its opponent. What the mover's are then.
    #[inline(always)]
    fn place(&mut self, way: &B::Way, standing: [B; 2], bit: usize, mover: Side, views: Views) -> B {
        let seen_by = |view| way.change(mover, view, &self.marks, standing, bit);
        let (change, other) = (seen_by(mover), (views == Views::Both).then(|| seen_by(mover.other())));
        change.apply(&mut self.views[mover as usize]);
        if let Some(other) = other {
            other.apply(&mut self.views[mover.other() as usize]);
        }
        way.mark(&mut self.marks, mover, bit);
        change.threats & !B::bit(bit)
    }
}

/// Which views to bring up to a checker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Views {
    /// Both.
    Both,
    /// That of the side that has put it down: all that is needed after one checker more.
    Own,
}

/// A network's weights laid out for the updates.
pub struct Tables {
    bias: Lanes,
    output: OutputLayer,
    pub(super) windows: Windows,
    /// None where lines are too long.
    pub(super) lines: Option<Lines>,
}

impl Tables {
    /// The tables of a network whose features follow the game.
    pub fn new(weights: &Weights, layout: &Layout) -> Tables {
        let windows = Windows::new(weights, layout);
        let lines = Lines::fit(layout.shape()).then(|| Lines::new(layout, &windows));
        Tables { bias: weights.bias_lanes(), output: OutputLayer::new(weights), windows, lines }
    }

    /// The sums of a position met out of the blue: its checkers placed one after another.
    pub fn sums<B: Followed>(&self, board: &Board<B>) -> Sums<B> {
        let way = B::Way::of(self);
        let mut sums: Sums<B> = Sums { views: [self.bias; 2], odds: Odds::NONE, marks: way.start() };
        let mut threats = [B::default(); 2];
        for (cell, side) in board.checkers() {
            let bit = usize::from(board.cell_move(cell).0);
            let standing = [side, side.other()].map(|side| threats[side as usize]);
            threats[side as usize] = sums.place(way, standing, bit, side, Views::Both);
            threats[side.other() as usize] = threats[side.other() as usize] & !B::bit(bit);
        }
        sums.odds = Odds::of(board, board.side().other());
        sums
    }

    /// Bring the sums of a position up to a move, which leads to `next`.
    #[inline(always)]
    pub fn play<B: Followed>(&self, sums: &mut Sums<B>, board: &Board<B>, mv: Move, next: &Board<B>, views: Views) {
        let mover = board.side();
        let standing = [mover, mover.other()].map(|side| board.threats_of(side));
        sums.place(B::Way::of(self), standing, usize::from(mv.0), mover, views);
        sums.odds = Odds::of(next, mover);
    }

    /// The value of an undecided position.
    pub fn value<B: Followed>(&self, network: &Network, sums: &Sums<B>, board: &Board<B>) -> Value {
        let total = self.output.total(&sums.views[board.side() as usize]);
        let value = Odds::of(board, board.side()).blend(network.output(total));
        debug_assert_eq!(value, network.value_afresh(board));
        value
    }

    /// Get ready to evaluate what a checker makes of a position.
    #[inline]
    pub fn next_sums<'a, B: Followed>(
        &'a self,
        network: &'a Network,
        sums: &'a Sums<B>,
        board: &'a Board<B>,
    ) -> NextSums<'a, B> {
        let (mover, them) = (board.side(), board.side().other());
        let way = B::Way::of(self);
        let threats = [mover, them].map(|side| board.threats_of(side));
        let spoils = Spoils::of(board, them);
        let Sums { views, odds, marks } = sums;
        NextSums {
            way,
            mover,
            network,
            output: &self.output,
            marks,
            lanes: &views[them as usize],
            odds: *odds,
            board,
            threats,
            spoils,
        }
    }
}

/// A position whose children are to be evaluated: each from its parent's sums, with nothing kept.
pub struct NextSums<'a, B: Followed> {
    way: &'a B::Way,
    mover: Side,
    network: &'a Network,
    output: &'a OutputLayer,
    marks: &'a <B::Way as Steps<B>>::Marks,
    lanes: &'a Lanes,
    /// The opponent's.
    odds: Odds,
    board: &'a Board<B>,
    /// The mover's and the opponent's.
    threats: [B; 2],
    /// Where the mover can spoil those odds.
    spoils: Spoils<B>,
}

impl<B: Followed> NextSums<'_, B> {
    /// What the opponent's units come to after `mv`.
    #[inline(always)]
    fn total_after(&self, mv: Move) -> i32 {
        let NextSums { way, mover, output, marks, lanes, threats, .. } = *self;
        let change = way.change(mover, mover.other(), marks, threats, usize::from(mv.0));
        output.total(&change.applied(lanes))
    }

    /// The value if they come to this.
    #[inline(always)]
    fn value(&self, odds: Odds, total: i32) -> Value {
        -odds.blend(self.network.output(total))
    }
}

impl<B: Followed> Outlook for NextSums<'_, B> {
    #[inline(always)]
    fn after(&self, mv: Move) -> Value {
        let odds = self.odds.spoilt(self.spoils, usize::from(mv.0));
        let value = self.value(odds, self.total_after(mv));
        debug_assert_eq!(-value, self.network.value_afresh(&crate::game::Game::after(self.board, mv).0));
        value
    }

    /// The less the opponent's units come to, the better; but where a move spoils its odds, by how much depends on both.
    #[inline(always)]
    fn climb(&self, peak: &mut Peak, mv: Move) {
        let total = self.total_after(mv);
        if self.spoils.has(usize::from(mv.0)) {
            peak.raise(self.value(self.odds.spoilt(self.spoils, usize::from(mv.0)), total));
        } else {
            peak.least = peak.least.min(total);
        }
    }

    #[inline(always)]
    fn height(&self, peak: Peak) -> Value {
        match peak.least {
            i32::MAX => peak.best,
            least => peak.best.max(self.value(self.odds, least)),
        }
    }
}
