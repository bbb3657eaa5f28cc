//! The last roll before the leaves, where nearly all of a search is spent.
//!
//! If no move can end the game and the evaluation ignores outcomes, the children of every decision here are leaves, and
//! they are evaluated straight from the chance node, many at once: the probes of all decisions, and if these do not
//! settle the node, all other leaves. A processor that need not know one value before it begins with the next is twice
//! as fast. That is worth more than the few leaves that a look at the bounds after each probe would save, and after a few
//! outcomes, after each decision too.

use super::{Chance, MAX_LEAVES};
use crate::eval::{Evaluator, Outlook};
use crate::game::{ArrayVec, Bounds, Game, MAX_BRANCHES, Move, Value};
use crate::search::spot::Spot;
use crate::search::worker::{Found, Stopped, Worker};
use std::ops::Range;

/// How far from the leaves the frontier is.
pub(super) const FRONTIER: u32 = 2;

/// What an algorithm does at the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Evaluate every leaf.
    Everything,
    /// Take outcome by outcome, until the node is settled.
    UntilSettled,
    /// Probe every outcome; then the same, or if outcomes are few, evaluate every leaf.
    ProbeFirst,
}

/// The decision after one outcome.
#[derive(Clone, Copy)]
struct Front {
    outcome: u8,
    /// The move taken before all others.
    first: Move,
    /// Of the moves evaluated so far.
    best: Best,
}

/// The best of some moves: a value, and below it the move, so that the better of two is found without a branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Best(i64);

impl Best {
    const NONE: Best = Best(i64::MIN);

    #[inline(always)]
    fn new(value: Value, mv: Move) -> Best {
        Best(i64::from(value.raw()) << u16::BITS | i64::from(mv.0))
    }

    #[inline(always)]
    fn value(self) -> Value {
        Value::from_legal((self.0 >> u16::BITS) as i32)
    }

    #[inline(always)]
    fn mv(self) -> Move {
        Move(self.0 as u16)
    }
}

/// The leaves after no more outcomes than this are too few to be worth a look at the bounds in between.
const FEW: usize = 7;

/// Leaves to be evaluated together: each a move, and which of the decisions it belongs to.
type Leaves = ArrayVec<(Move, u16), MAX_LEAVES>;

/// Whether the leaves are two steps away from a chance node and can be evaluated together.
pub(super) fn is_frontier<G: Game, E: Evaluator<G>>(worker: &Worker<'_, G, E>, game: &G, depth: u32) -> bool {
    depth == FRONTIER && sees_beyond(worker, game)
}

/// Whether all positions after the next decisions of a chance node can be evaluated from there.
pub(super) fn sees_beyond<G: Game, E: Evaluator<G>>(worker: &Worker<'_, G, E>, game: &G) -> bool {
    worker.evaluator.ignores_outcomes() && game.is_quiet()
}

impl<G: Game, E: Evaluator<G>> Chance<'_, G, E> {
    /// The value of a node at the frontier, as far as its window asks for it.
    pub(super) fn search_frontier(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Found {
        let outlook = worker.evaluator.outlook(self.spot.state, self.spot.game);
        let mut fronts: ArrayVec<Front, MAX_BRANCHES> = ArrayVec::new();
        for i in 0..self.outcomes.len() {
            fronts.push(self.front(worker, i));
        }
        let mut probed = 0;
        if plan == Plan::ProbeFirst {
            worker.counters.probes += 1;
            self.probe_all_leaves(worker, &outlook, &mut fronts)?;
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.probe_cuts += 1;
                return Ok(value);
            }
            probed = worker.probing.factor;
        }
        if plan == Plan::Everything || plan == Plan::ProbeFirst && fronts.len() <= FEW {
            let all = 0..fronts.len();
            self.look(worker, &outlook, &mut fronts, all, probed)?;
            return Ok(self.outcomes.bounds().lo);
        }
        for i in worker.tour.over(fronts.len()) {
            self.look(worker, &outlook, &mut fronts, i..i + 1, probed)?;
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// The decision after the `i`-th outcome.
    #[inline(always)]
    fn front(&self, worker: &Worker<'_, G, E>, i: usize) -> Front {
        let &Spot { game, ply, .. } = self.spot;
        let outcome = self.outcomes.part(i).outcome.id;
        let favourite = worker.ordering.favourite(outcome, ply).filter(|&mv| game.follows(outcome, mv));
        let first = favourite.or_else(|| game.moves_after(outcome).next()).expect("every decision has a move");
        Front { outcome, first, best: Best::NONE }
    }

    /// Evaluate `ProbingFactor` moves of each open decision, and take in what that proves.
    #[inline(always)]
    fn probe_all_leaves(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        fronts: &mut [Front],
    ) -> Result<(), Stopped> {
        let mut leaves = Leaves::new();
        let mut entered = 0;
        for i in 0..fronts.len() {
            if self.is_open(i) {
                entered += 1;
                leaves.push((fronts[i].first, i as u16));
                leaves.extend(self.others(fronts, i).take(worker.probing.factor - 1));
            }
        }
        self.weigh(worker, outlook, fronts, &leaves, entered)?;
        for (i, front) in fronts.iter().enumerate() {
            if self.is_open(i) {
                self.outcomes.learn(i, Bounds { lo: front.best.value(), ..Bounds::UNKNOWN });
            }
        }
        Ok(())
    }

    /// Evaluate all moves of each open decision among `which` but those that have been probed, and take in what that
    /// proves.
    #[inline(always)]
    fn look(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        fronts: &mut [Front],
        which: Range<usize>,
        probed: usize,
    ) -> Result<(), Stopped> {
        let mut leaves = Leaves::new();
        let mut entered = 0;
        let open = which.clone().filter(|&i| self.is_open(i));
        if probed == 0 {
            for i in open.clone() {
                entered += 1;
                leaves.push((fronts[i].first, i as u16));
            }
        }
        if probed <= 1 {
            let decisions = open.map(|i| (fronts[i].outcome, fronts[i].first, i as u16));
            self.spot.game.each_move_after(decisions, |mv, i| leaves.push((mv, i)));
        } else {
            open.for_each(|i| leaves.extend(self.others(fronts, i).skip(probed - 1)));
        }
        if !leaves.is_empty() {
            self.weigh(worker, outlook, fronts, &leaves, entered)?;
        }
        for i in which {
            if self.is_open(i) {
                let Front { outcome, best, .. } = fronts[i];
                self.outcomes.learn(i, Bounds::exactly(best.value()));
                worker.ordering.prefer(best.mv(), outcome, self.spot.ply);
            }
        }
        Ok(())
    }

    /// The moves after the first of the `i`-th decision.
    #[inline(always)]
    fn others(&self, fronts: &[Front], i: usize) -> impl Iterator<Item = (Move, u16)> {
        let Front { outcome, first, .. } = fronts[i];
        self.spot.game.moves_after(outcome).filter(move |&mv| mv != first).map(move |mv| (mv, i as u16))
    }

    /// Evaluate leaves, and enter them and some decisions. Nothing in the loop waits for a value.
    #[inline(never)]
    fn weigh(
        &self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        fronts: &mut [Front],
        leaves: &Leaves,
        decisions: usize,
    ) -> Result<(), Stopped> {
        worker.enter(decisions + leaves.len(), self.spot.ply + 2)?;
        worker.counters.evaluations += leaves.len() as u64;
        worker.judgements += 1;
        for &(mv, i) in leaves {
            let best = &mut fronts[usize::from(i)].best;
            *best = (*best).max(Best::new(outlook.after(mv), mv));
        }
        Ok(())
    }
}
