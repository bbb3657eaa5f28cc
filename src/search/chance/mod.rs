//! Chance nodes: one file an algorithm, and the steps they share.

mod expectation;
mod expectimax;
mod frontier;
mod star05;
mod star1;
mod star2;
mod star25;
mod staretc;

pub(super) use expectation::mean;
pub(super) use expectimax::Expectimax;
pub(super) use star1::Star1;
pub(super) use star2::Star2;
pub(super) use star05::Star05;
pub(super) use star25::Star25;
pub(super) use staretc::StarEtc;

use super::spot::Spot;
use super::window::Window;
use super::worker::{Found, Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{ArrayVec, Bounds, Game, Key, MAX_BRANCHES, Value};
use expectation::Expectation;
use frontier::Plan;

/// A way to find the value of a chance node.
pub(super) trait Method: Sized + 'static {
    /// Whether chance nodes are kept in the table.
    const STORES_CHANCE: bool = false;

    /// The value of a chance node, which has been entered, to a depth of at least 1, as far as `window` asks for it.
    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: Spot<'_, G, E>) -> Found;
}

/// A chance node under search.
struct Chance<'a, G: Game, E: Evaluator<G>> {
    spot: Spot<'a, G, E>,
    outcomes: Expectation,
    /// The keys of the nodes after the outcomes, once they have been asked for.
    keys: ArrayVec<Key, MAX_BRANCHES>,
}

impl<'a, G: Game, E: Evaluator<G>> Chance<'a, G, E> {
    /// A node of which only the rules have spoken.
    fn new(spot: Spot<'a, G, E>) -> Self {
        let mut node = Chance { spot, outcomes: Expectation::EMPTY, keys: ArrayVec::new() };
        let Spot { game, depth, .. } = node.spot;
        for outcome in game.outcomes() {
            let told = if depth > 1 { game.outcome_bounds(outcome.id, depth - 1) } else { Bounds::UNKNOWN };
            node.outcomes.add(outcome, told);
        }
        node
    }

    /// The answer, if what the rules say suffices, or if the leaves are near enough to be evaluated together.
    fn open(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Result<Option<Value>, Stopped> {
        if let Some(value) = self.settled_unsearched(worker) {
            return Ok(Some(value));
        }
        if self.is_frontier(worker) { self.search_frontier(worker, plan).map(Some) } else { Ok(None) }
    }

    fn is_open(&self, i: usize) -> bool {
        !self.outcomes.part(i).bounds.is_exact()
    }

    /// Search the `i`-th outcome and take in what that proves.
    fn search<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, i: usize, inner: Window) -> Result<(), Stopped> {
        let (child, turn) = self.spot.game.rolled(self.outcomes.part(i).outcome.id);
        let value = worker.step::<M>(self.below(i, &child).within(inner), turn)?;
        self.outcomes.learn(i, inner.proves(value));
        Ok(())
    }

    /// The node after the `i`-th outcome.
    fn below<'b>(&'b self, i: usize, child: &'b G) -> Spot<'b, G, E> {
        Spot { key: self.keys.get(i).copied(), ..self.spot.child(child, self.spot.state) }
    }

    /// Star1: search every open outcome in the window that the others leave it, until the node is settled.
    fn search_in_windows<M: Method>(&mut self, worker: &mut Worker<'_, G, E>) -> Found {
        for i in worker.tour.over(self.outcomes.len()) {
            if !self.is_open(i) {
                continue;
            }
            let inner = self.outcomes.window(i, self.spot.window);
            self.search::<M>(worker, i, inner)?;
            if let Some(value) = self.outcomes.settled(self.spot.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// The answer, if the bounds known before any search suffice.
    fn settled_unsearched(&self, worker: &mut Worker<'_, G, E>) -> Option<Value> {
        let value = self.outcomes.settled(self.spot.window);
        worker.counters.bound_cuts += u64::from(value.is_some());
        value
    }
}
