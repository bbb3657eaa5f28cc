//! Hidden accumulator that follow the game: a checker changes only the segments through its cell.
//!
//! Accumulator are kept for both perspectives, blue to move and red to move, since either may be asked for next; just before the leaves
//! only that of the leaves is still brought up to date. What a checker adds to them is found in tables, in one of two
//! ways: segment by segment on boards of any size ([`Segments`]), or a whole line at once where lines are short ([`Lines`]).

use super::features::Layout;
use super::lanes::{Lanes, OutputLayer};
use super::network::{Network, Weights};
use super::updates::{Lines, Segments, Updates};
use crate::eval::{ChildEvaluator, RunningMax};
use crate::game::dice::{Board, Move, Odds, Side, Spoils, Wide, Width};
use crate::game::{Game, Step, Value};

/// Boards of a width, on which accumulator follow the game in one way.
pub trait Incremental: Width {
    /// The way.
    type Updater: Updates<Self>;
}

impl Incremental for u32 {
    type Updater = Lines;
}
impl Incremental for u64 {
    type Updater = Segments;
}
impl Incremental for u128 {
    type Updater = Segments;
}
impl Incremental for Wide {
    type Updater = Segments;
}

/// What is known of a position: the hidden accumulator in both perspectives, what pattern the next ones takes, and the odds of the side
/// that is not to move, which its opponent's next checker can only spoil.
pub struct Accumulator<B: Incremental> {
    perspectives: [Lanes; 2],
    odds: Odds,
    contents: <B::Updater as Updates<B>>::Contents,
}

impl<B: Incremental> Clone for Accumulator<B> {
    fn clone(&self) -> Accumulator<B> {
        *self
    }
}

impl<B: Incremental> Copy for Accumulator<B> {}

impl<B: Incremental> Accumulator<B> {
    /// Accumulator of no network, for evaluations that keep none.
    pub const BLANK: Accumulator<B> =
        Accumulator { perspectives: [Lanes::ZERO; 2], odds: Odds::NONE, contents: <B::Updater as Updates<B>>::BLANK };

    /// Put a checker down where `standing` are the threats of the mover and of its opponent. What the mover's are then.
    #[inline(always)]
    fn place(&mut self, way: &B::Updater, standing: [B; 2], bit: usize, mover: Side, perspectives: Perspectives) -> B {
        let seen_by = |view| way.change(mover, view, &self.contents, standing, bit);
        let (change, other) = (seen_by(mover), (perspectives == Perspectives::Both).then(|| seen_by(mover.other())));
        change.apply(&mut self.perspectives[mover as usize]);
        if let Some(other) = other {
            other.apply(&mut self.perspectives[mover.other() as usize]);
        }
        way.follow(&mut self.contents, mover, bit);
        change.threats & !B::bit(bit)
    }
}

/// Which perspectives to bring up to a checker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Perspectives {
    /// Both.
    Both,
    /// That of the side that has put it down: all that is needed after one checker more.
    Own,
}

/// A network's weights laid out for the updates.
pub struct Tables {
    bias: Lanes,
    output: OutputLayer,
    pub(super) segments: Segments,
    /// None where lines are too long.
    pub(super) lines: Option<Lines>,
}

impl Tables {
    /// The tables of a network whose features follow the game.
    pub fn new(weights: &Weights, layout: &Layout) -> Tables {
        let segments = Segments::new(weights, layout);
        let lines = Lines::fit(layout.shape()).then(|| Lines::new(layout, &segments));
        Tables { bias: weights.bias_lanes(), output: OutputLayer::new(weights), segments, lines }
    }

    /// The accumulator of a position met out of the blue: its checkers placed one after another.
    pub fn accumulator<B: Incremental>(&self, board: &Board<B>) -> Accumulator<B> {
        let way = B::Updater::of(self);
        let mut accumulator: Accumulator<B> =
            Accumulator { perspectives: [self.bias; 2], odds: Odds::NONE, contents: way.start() };
        let mut threats = [B::default(); 2];
        for (cell, side) in board.checkers() {
            let bit = usize::from(board.cell_move(cell).0);
            let standing = [side, side.other()].map(|side| threats[side as usize]);
            threats[side as usize] = accumulator.place(way, standing, bit, side, Perspectives::Both);
            threats[side.other() as usize] = threats[side.other() as usize] & !B::bit(bit);
        }
        accumulator.odds = Odds::of(board, board.side().other());
        accumulator
    }

    /// Bring the accumulator of a position up to a move, which leads to `next`.
    #[inline(always)]
    pub fn play<B: Incremental>(
        &self,
        accumulator: &mut Accumulator<B>,
        board: &Board<B>,
        mv: Move,
        next: &Board<B>,
        perspectives: Perspectives,
    ) {
        let mover = board.side();
        let standing = [mover, mover.other()].map(|side| board.threats_of(side));
        accumulator.place(B::Updater::of(self), standing, usize::from(mv.0), mover, perspectives);
        accumulator.odds = Odds::of(next, mover);
    }

    /// The value of an undecided position.
    pub fn value<B: Incremental>(&self, network: &Network, accumulator: &Accumulator<B>, board: &Board<B>) -> Value {
        let total = self.output.total(&accumulator.perspectives[board.side() as usize]);
        let value = Odds::of(board, board.side()).blend(network.output(total));
        debug_assert_eq!(value, network.value_afresh(board));
        value
    }

    /// Get ready to evaluate what a checker makes of a position.
    #[inline]
    pub fn children<'a, B: Incremental>(
        &'a self,
        network: &'a Network,
        accumulator: &'a Accumulator<B>,
        board: &'a Board<B>,
    ) -> ChildAccumulators<'a, B> {
        let (mover, them) = (board.side(), board.side().other());
        let way = B::Updater::of(self);
        let threats = [mover, them].map(|side| board.threats_of(side));
        let spoils = Spoils::of(board, them);
        let Accumulator { perspectives, odds, contents } = accumulator;
        ChildAccumulators {
            way,
            mover,
            network,
            output: &self.output,
            contents,
            lanes: &perspectives[them as usize],
            odds: *odds,
            board,
            threats,
            spoils,
        }
    }
}

/// A position whose children are to be evaluated: each from its parent's accumulator, with nothing kept.
pub struct ChildAccumulators<'a, B: Incremental> {
    way: &'a B::Updater,
    mover: Side,
    network: &'a Network,
    output: &'a OutputLayer,
    contents: &'a <B::Updater as Updates<B>>::Contents,
    lanes: &'a Lanes,
    /// The opponent's.
    odds: Odds,
    board: &'a Board<B>,
    /// The mover's and the opponent's.
    threats: [B; 2],
    /// Where the mover can spoil those odds.
    spoils: Spoils<B>,
}

impl<B: Incremental> ChildAccumulators<'_, B> {
    /// What the opponent's units come to after `mv`.
    #[inline(always)]
    fn total_after(&self, mv: Move) -> i32 {
        let ChildAccumulators { way, mover, output, contents, lanes, threats, .. } = *self;
        let change = way.change(mover, mover.other(), contents, threats, usize::from(mv.0));
        output.total(&change.applied(lanes))
    }

    /// The value if they come to this.
    #[inline(always)]
    fn value(&self, odds: Odds, total: i32) -> Value {
        -odds.blend(self.network.output(total))
    }
}

impl<B: Incremental> ChildEvaluator<Board<B>> for ChildAccumulators<'_, B> {
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Value {
        let odds = self.odds.spoilt(self.spoils, usize::from(mv.0));
        let value = self.value(odds, self.total_after(mv));
        debug_assert_eq!(-value, self.network.value_afresh(&self.board.child(Step::Move(mv))));
        value
    }

    /// The less the opponent's units come to, the better; but where a move spoils its odds, by how much depends on both.
    #[inline(always)]
    fn include(&self, max: &mut RunningMax, mv: Move) {
        let total = self.total_after(mv);
        if self.spoils.has(usize::from(mv.0)) {
            max.raise(self.value(self.odds.spoilt(self.spoils, usize::from(mv.0)), total));
        } else {
            max.least = max.least.min(total);
        }
    }

    #[inline(always)]
    fn maximum(&self, max: RunningMax) -> Value {
        match max.least {
            i32::MAX => max.greatest,
            least => max.greatest.max(self.value(self.odds, least)),
        }
    }
}
