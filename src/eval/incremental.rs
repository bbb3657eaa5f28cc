//! Hidden sums that follow the game: a checker changes only the windows through its cell.
//!
//! Sums are kept for both views, blue to move and red to move, since either may be asked for next. What a checker adds
//! to them is found in tables, in one of two ways: window by window on boards of any size ([`Windows`]), or a whole line
//! at once where lines are short ([`Lines`]).

use super::features::{FeatureSet, Layout};
use super::network::{Lanes, Network, Weights};
use super::steps::{Lines, SIDES, Steps, Windows};
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

    /// Put a checker down, and keep `threats` up with it.
    #[inline(always)]
    fn place(&mut self, way: &B::Way, threats: &mut [B; 2], bit: usize, mover: Side) {
        let standing = [mover, mover.other()].map(|side| threats[side as usize]);
        let mut own = B::default();
        for view in SIDES {
            own = way.add(way.face(mover, view), &mut self.views[view as usize], &self.marks, standing, bit);
        }
        way.mark(&mut self.marks, mover, bit);
        threats[mover as usize] = own;
        *threats = threats.map(|threats| threats & !B::bit(bit));
    }
}

/// A network's weights laid out for the updates.
pub struct Tables {
    bias: Lanes,
    /// None for features that do not follow the game.
    pub(super) windows: Option<Windows>,
    /// None where lines are too long.
    pub(super) lines: Option<Lines>,
}

impl Tables {
    /// The tables of a network; empty ones for features that do not follow the game.
    pub fn new(weights: &Weights, layout: &Layout) -> Tables {
        if layout.set() != FeatureSet::Lines {
            return Tables { bias: Lanes::ZERO, windows: None, lines: None };
        }
        let windows = Windows::new(weights, layout);
        let lines = Lines::fit(layout.shape()).then(|| Lines::new(layout, &windows));
        Tables { bias: weights.bias_lanes(), windows: Some(windows), lines }
    }

    /// The sums of a position met out of the blue: its checkers placed one after another.
    pub fn sums<B: Followed>(&self, board: &Board<B>) -> Sums<B> {
        let way = B::Way::of(self);
        let mut sums: Sums<B> = Sums { views: [self.bias; 2], odds: Odds::NONE, marks: way.start() };
        let mut threats = [B::default(); 2];
        for (cell, side) in board.checkers() {
            sums.place(way, &mut threats, usize::from(board.cell_move(cell).0), side);
        }
        sums.odds = Odds::of(board, board.side().other());
        sums
    }

    /// Bring the sums of a position up to a move.
    pub fn play<B: Followed>(&self, sums: &mut Sums<B>, board: &Board<B>, mv: Move) {
        let (mover, bit) = (board.side(), usize::from(mv.0));
        let mut threats = SIDES.map(|side| board.threats_of(side));
        sums.place(B::Way::of(self), &mut threats, bit, mover);
        sums.odds = Odds::with(board.lines(mover), threats[mover as usize], board.empty_cells() & !B::bit(bit));
    }

    /// The value of an undecided position.
    pub fn value<B: Followed>(&self, network: &Network, sums: &Sums<B>, board: &Board<B>) -> Value {
        let value = Odds::of(board, board.side()).blend(network.output(&sums.views[board.side() as usize]));
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
        let (face, lanes, spoils) = (way.face(mover, them), &sums.views[them as usize], Spoils::of(board, them));
        NextSums { way, face, network, sums, lanes, board, threats, spoils }
    }
}

/// A position whose children are to be evaluated: each from its parent's sums, with nothing kept.
pub struct NextSums<'a, B: Followed> {
    way: &'a B::Way,
    /// The mover's checkers, seen by its opponent, who is to move next.
    face: &'a <B::Way as Steps<B>>::Face,
    network: &'a Network,
    sums: &'a Sums<B>,
    lanes: &'a Lanes,
    board: &'a Board<B>,
    /// The mover's and the opponent's.
    threats: [B; 2],
    /// Where the mover can spoil the opponent's odds.
    spoils: Spoils<B>,
}

impl<B: Followed> NextSums<'_, B> {
    /// The value, in the view of the mover, of the undecided position after `mv`.
    #[inline(always)]
    pub fn value_after(&self, mv: Move) -> Value {
        let NextSums { way, face, network, sums, lanes, threats, spoils, .. } = *self;
        let bit = usize::from(mv.0);
        let mut lanes = *lanes;
        way.add(face, &mut lanes, &sums.marks, threats, bit);
        let value = -sums.odds.spoilt(spoils, bit).blend(network.output(&lanes));
        debug_assert_eq!(-value, network.value_afresh(&crate::game::Game::after(self.board, mv).0));
        value
    }
}
