//! The last roll before the leaves, where nearly all of a search is spent.
//!
//! If no move can end the game and the evaluation ignores outcomes, the children of every decision here are leaves that
//! can be evaluated together, straight from the chance node. A leaf is evaluated at most once: what a probe has seen,
//! the search phase need not see again.

use super::Chance;
use crate::eval::Evaluator;
use crate::game::{ArrayVec, Bounds, Game, MAX_BRANCHES, Moves, Value};
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

/// The decision after one outcome: its moves, of which some have been evaluated.
struct Front {
    moves: Moves,
    seen: usize,
    best: Value,
}

impl<G: Game, E: Evaluator<G>> Chance<'_, G, E> {
    /// Whether the leaves are two steps away and can be evaluated together.
    pub(super) fn is_frontier(&self, worker: &Worker<'_, G, E>) -> bool {
        self.spot.depth == 2 && worker.evaluator.ignores_outcomes() && self.spot.game.is_quiet()
    }

    /// The value of a node at the frontier, as far as its window asks for it.
    pub(super) fn search_frontier(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Found {
        let mut fronts: ArrayVec<Option<Front>, MAX_BRANCHES> = ArrayVec::new();
        if plan == Plan::ProbeFirst {
            worker.counters.probes += 1;
            fronts.extend((0..self.outcomes.len()).map(|_| None));
            for i in worker.tour.over(self.outcomes.len()) {
                if !self.is_open(i) {
                    continue;
                }
                fronts[i] = Some(self.probe_front(worker, i)?);
                if let Some(value) = self.outcomes.settled(self.spot.window) {
                    worker.counters.probe_cuts += 1;
                    return Ok(value);
                }
            }
        }
        for i in worker.tour.over(self.outcomes.len()) {
            if !self.is_open(i) {
                continue;
            }
            let front = match fronts.get_mut(i).and_then(Option::take) {
                Some(front) => front,
                None => self.enter_front(worker, i)?,
            };
            self.finish_front(worker, i, front)?;
            if plan == Plan::Everything {
                continue;
            }
            if let Some(value) = self.outcomes.settled(self.spot.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// Enter the decision after the `i`-th outcome.
    fn enter_front(&self, worker: &mut Worker<'_, G, E>, i: usize) -> Result<Front, Stopped> {
        worker.enter(1, self.spot.ply + 1)?;
        let outcome = self.outcomes.part(i).outcome.id;
        let mut moves = self.spot.game.moves_after(outcome);
        worker.ordering.favourite_first(&mut moves, outcome, self.spot.ply);
        Ok(Front { moves, seen: 0, best: Value::LOSS })
    }

    /// Evaluate the next `count` moves of a decision, and say which was best.
    fn look(&self, worker: &mut Worker<'_, G, E>, front: &mut Front, outcome: u8, count: usize) -> Result<(), Stopped> {
        worker.enter(count, self.spot.ply + 2)?;
        worker.counters.evaluations += count as u64;
        worker.judgements += 1;
        let mut values = [Value::LOSS; MAX_BRANCHES];
        let moves = &front.moves[front.seen..][..count];
        worker.evaluator.children(self.spot.state, self.spot.game, moves, &mut values[..count]);
        for (&mv, &value) in moves.iter().zip(&values) {
            if value > front.best {
                front.best = value;
                worker.ordering.prefer(mv, outcome, self.spot.ply);
            }
        }
        front.seen += count;
        Ok(())
    }

    fn probe_front(&mut self, worker: &mut Worker<'_, G, E>, i: usize) -> Result<Front, Stopped> {
        let mut front = self.enter_front(worker, i)?;
        let count = worker.probing.factor.min(front.moves.len());
        self.look(worker, &mut front, self.outcomes.part(i).outcome.id, count)?;
        let hi = if count == front.moves.len() { front.best } else { Value::WIN };
        self.outcomes.learn(i, Bounds { lo: front.best, hi });
        Ok(front)
    }

    fn finish_front(&mut self, worker: &mut Worker<'_, G, E>, i: usize, mut front: Front) -> Result<(), Stopped> {
        let rest = front.moves.len() - front.seen;
        self.look(worker, &mut front, self.outcomes.part(i).outcome.id, rest)?;
        self.outcomes.learn(i, Bounds::exactly(front.best));
        Ok(())
    }
}
