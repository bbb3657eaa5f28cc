//! Chance nodes: one file an algorithm, and the steps they share.

mod expectation;
mod expectimax;
mod foresight;
mod frontier;
mod star05;
mod star1;
mod star2;
mod star25;
mod staretc;

pub(super) use expectation::mean;
pub(super) use expectimax::Expectimax;
pub(super) use foresight::{Sight, Sights};
pub(super) use frontier::{FRONTIER, is_frontier};
pub(super) use star1::Star1;
pub(super) use star2::Star2;
pub(super) use star05::Star05;
pub(super) use star25::Star25;
pub(super) use staretc::StarEtc;

use super::spot::Spot;
use super::threads::Tour;
use super::window::Window;
use super::worker::{Found, Glance, Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{ArrayVec, Game, Key, MAX_BRANCHES, Turn, Value};
use expectation::Expectation;
use foresight::Foresight;
use frontier::{FEW, Plan, is_small_frontier, look_everywhere, sees_beyond};

/// The most moves next after a chance node.
pub(super) const MAX_LEAVES: usize = MAX_BRANCHES * MAX_BRANCHES;

/// A way to find the value of a chance node.
pub(super) trait Method: Sized + 'static {
    /// What is remembered of a chance node when its search begins.
    type Note;

    /// Whether decisions this far from the leaves have a place in the table.
    fn keeps_decisions<G: Game>(_game: &G, _depth: u32) -> bool {
        true
    }

    /// What is remembered of a chance node, which has been entered, to a depth of at least 1: its value, if that
    /// settles `window`, or a note of it. Ways that remember nothing do not ask for the node's trace.
    fn recall<G: Game, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        trace: impl FnOnce(&Worker<'_, G, E>) -> Trace,
        window: Window,
        depth: u32,
    ) -> Glance<Self::Note>;

    /// The value of a chance node that memory did not settle, as far as `window` asks for it.
    fn chance<G: Game, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        spot: &Spot<'_, G, E>,
        window: Window,
        note: &Self::Note,
    ) -> Found;
}

/// Where a chance node is remembered.
#[derive(Clone, Copy)]
pub(super) struct Trace {
    pub hash: u64,
    /// Among those at the frontier, or in the table.
    pub frontier: bool,
}

/// A way that remembers nothing of chance nodes.
pub(super) trait Forgetful: Sized + 'static {
    /// As [`Method::chance`].
    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: &Spot<'_, G, E>, window: Window) -> Found;
}

impl<F: Forgetful> Method for F {
    type Note = ();

    fn recall<G: Game, E: Evaluator<G>>(
        _worker: &mut Worker<'_, G, E>,
        _trace: impl FnOnce(&Worker<'_, G, E>) -> Trace,
        _window: Window,
        _depth: u32,
    ) -> Glance<()> {
        Glance::Chance(())
    }

    fn chance<G: Game, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        spot: &Spot<'_, G, E>,
        window: Window,
        (): &(),
    ) -> Found {
        F::chance(worker, spot, window)
    }
}

/// A chance node under search.
struct Chance<'a, G: Game, E: Evaluator<G>> {
    spot: &'a Spot<'a, G, E>,
    window: Window,
    outcomes: Expectation,
    /// The keys of the nodes after the outcomes, once they have been asked for, and whose view those are in.
    keys: ArrayVec<(Key, Turn), MAX_BRANCHES>,
    foresight: Foresight,
}

impl<'a, G: Game, E: Evaluator<G>> Chance<'a, G, E> {
    /// A node of which nothing is known, not even its outcomes.
    #[inline(always)]
    fn new(spot: &'a Spot<'a, G, E>, window: Window) -> Self {
        Chance { spot, window, outcomes: Expectation::new(), keys: ArrayVec::new(), foresight: Foresight::new() }
    }

    /// List the outcomes, with what the rules say of them. (Not in `new`, which would have to move the list.)
    #[inline]
    fn ask_rules(&mut self) {
        let &Spot { game, depth, .. } = self.spot;
        for (outcome, told) in game.ruled_outcomes(depth - 1) {
            self.outcomes.add(outcome, told);
        }
    }

    /// The answer, if what the rules say suffices, or if the leaves are near enough to be evaluated together.
    fn open(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Result<Option<Value>, Stopped> {
        if let Some(value) = self.settled_unsearched(worker) {
            return Ok(Some(value));
        }
        if is_frontier(worker, self.spot.game, self.spot.depth) {
            self.search_frontier(worker, plan).map(Some)
        } else {
            Ok(None)
        }
    }

    fn is_open(&self, i: usize) -> bool {
        !self.outcomes.part(i).bounds.is_exact()
    }

    /// Search the `i`-th outcome and take in what that proves.
    fn search<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, i: usize, inner: Window) -> Result<(), Stopped> {
        let (ref child, turn) = self.spot.game.rolled(self.outcomes.part(i).outcome.id);
        let value = worker.step::<M>(&self.below(i, child), inner, turn)?;
        self.outcomes.learn(i, inner.proves(value));
        Ok(())
    }

    /// The node after the `i`-th outcome, to be searched in a window within what is known of it.
    fn below<'b>(&'b self, i: usize, child: &'b G) -> Spot<'b, G, E> {
        Spot {
            key: self.keys.get(i).map(|&(key, _)| key),
            sights: self.foresight.of(i),
            ruled: true,
            ..self.spot.child(child, self.spot.state)
        }
    }

    /// Star1: search every open outcome in the window that the others leave it, until the node is settled.
    fn search_in_windows<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, tour: Tour) -> Found {
        for i in tour.over(self.outcomes.len()) {
            if !self.is_open(i) {
                continue;
            }
            let inner = self.outcomes.window(i, self.window);
            self.search::<M>(worker, i, inner)?;
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// The answer, if the bounds known before any search suffice.
    fn settled_unsearched(&self, worker: &mut Worker<'_, G, E>) -> Option<Value> {
        let value = self.outcomes.settled(self.window);
        worker.counters.bound_cuts += u64::from(value.is_some());
        value
    }
}
