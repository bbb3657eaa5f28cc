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

use super::window::Window;
use super::worker::{Found, Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{Bounds, Game, Value};
use expectation::{Expectation, Part};
use frontier::Plan;

/// A way to find the value of a chance node.
pub(super) trait Method: Sized + 'static {
    /// The value of a chance node, which has been entered, to a depth of at least 1, as far as `window` asks for it.
    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: Spot<'_, G, E>) -> Found;
}

/// A node that a value is asked for.
pub(super) struct Spot<'a, G: Game, E: Evaluator<G>> {
    pub game: &'a G,
    pub state: &'a E::State,
    pub window: Window,
    pub depth: u32,
    pub ply: usize,
}

/// A chance node under search.
struct Chance<'a, G: Game, E: Evaluator<G>> {
    spot: Spot<'a, G, E>,
    outcomes: Expectation,
}

impl<'a, G: Game, E: Evaluator<G>> Chance<'a, G, E> {
    /// A node of which only the rules have spoken.
    fn new(spot: Spot<'a, G, E>) -> Self {
        let depth = spot.depth;
        let told = |id| if depth > 1 { spot.game.outcome_bounds(id, depth - 1) } else { Bounds::UNKNOWN };
        let parts = spot.game.outcomes().into_iter().map(|outcome| Part { outcome, bounds: told(outcome.id) });
        let outcomes = Expectation::new(parts.collect());
        Chance { spot, outcomes }
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
        let child = self.spot.game.rolled(self.outcomes.part(i).outcome.id);
        let value = worker.step::<M>(&child, self.spot.state, inner, self.spot.depth - 1, self.spot.ply + 1)?;
        self.outcomes.learn(i, inner.proves(value));
        Ok(())
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
