//! The last roll before the leaves, where nearly all of a search is spent.
//!
//! If no move can end the game and the evaluation ignores outcomes, the children of every decision here are leaves that
//! can be evaluated together, straight from the chance node. A leaf is evaluated at most once: what a probe has seen,
//! the search phase need not see again.

use super::Chance;
use crate::eval::{Evaluator, Outlook};
use crate::game::{ArrayVec, Bounds, Game, MAX_BRANCHES, Move, Value};
use crate::search::spot::Spot;
use crate::search::worker::{Found, Stopped, Worker};

/// What an algorithm does at the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Evaluate every leaf.
    Everything,
    /// Take outcome by outcome, until the node is settled.
    UntilSettled,
    /// The same after a probing phase.
    ProbeFirst,
}

/// The decision after one outcome, of which the first moves have been evaluated.
#[derive(Clone, Copy)]
struct Front {
    /// The move taken out of its turn, before all others.
    first: Option<Move>,
    /// How many moves have been evaluated; 0 if the decision has not been entered.
    seen: usize,
    best: Value,
}

impl Front {
    const UNSEEN: Front = Front { first: None, seen: 0, best: Value::LOSS };
}

/// Whether the leaves are two steps away from a chance node and can be evaluated together.
pub(super) fn is_frontier<G: Game, E: Evaluator<G>>(worker: &Worker<'_, G, E>, game: &G, depth: u32) -> bool {
    depth == 2 && worker.evaluator.ignores_outcomes() && game.is_quiet()
}

impl<G: Game, E: Evaluator<G>> Chance<'_, G, E> {
    /// The value of a node at the frontier, as far as its window asks for it.
    pub(super) fn search_frontier(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Found {
        let outlook = worker.evaluator.outlook(self.spot.state, self.spot.game);
        let mut fronts: ArrayVec<Front, MAX_BRANCHES> = ArrayVec::new();
        fronts.extend(std::iter::repeat_n(Front::UNSEEN, self.outcomes.len()));
        if plan == Plan::ProbeFirst {
            worker.counters.probes += 1;
            for i in worker.tour.over(self.outcomes.len()) {
                if !self.is_open(i) {
                    continue;
                }
                self.look(worker, &outlook, i, &mut fronts[i], worker.probing.factor)?;
                if let Some(value) = self.outcomes.settled(self.window) {
                    worker.counters.probe_cuts += 1;
                    return Ok(value);
                }
            }
        }
        for i in worker.tour.over(self.outcomes.len()) {
            if !self.is_open(i) {
                continue;
            }
            self.look(worker, &outlook, i, &mut fronts[i], usize::MAX)?;
            if plan == Plan::Everything {
                continue;
            }
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// Evaluate up to `count` more moves of the decision after the `i`-th outcome, and take in what that proves.
    #[inline(always)]
    fn look(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        outlook: &E::Outlook<'_>,
        i: usize,
        front: &mut Front,
        count: usize,
    ) -> Result<(), Stopped> {
        let &Spot { game, ply, .. } = self.spot;
        let outcome = self.outcomes.part(i).outcome.id;
        let weigh = |worker: &mut Worker<'_, G, E>, front: &mut Front, mv| {
            worker.counters.evaluations += 1;
            front.seen += 1;
            let value = outlook.after(mv);
            if value > front.best {
                front.best = value;
                worker.ordering.prefer(mv, outcome, ply);
            }
        };
        let last = front.seen.saturating_add(count);
        if front.seen == 0 {
            // The decision and its first leaf.
            worker.enter(2, ply + 2)?;
            front.first = worker.ordering.favourite(outcome, ply).filter(|&mv| game.follows(outcome, mv));
            if let Some(first) = front.first {
                weigh(worker, front, first);
            }
        }
        let mut place = usize::from(front.first.is_some());
        let mut hi = front.best;
        for mv in game.moves_after(outcome) {
            if Some(mv) == front.first {
                continue;
            }
            if front.seen == last {
                hi = Value::WIN;
                break;
            }
            if place == front.seen {
                if front.seen > 0 {
                    worker.enter(1, ply + 2)?;
                }
                weigh(worker, front, mv);
                hi = front.best;
            }
            place += 1;
        }
        worker.judgements += 1;
        self.outcomes.learn(i, Bounds { lo: front.best, hi });
        Ok(())
    }
}
