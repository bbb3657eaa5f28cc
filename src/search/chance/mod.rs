//! Chance nodes: one file an algorithm, and the steps they share.

mod expectation;
mod expectimax;
mod frontier;
mod preview;
mod star05;
mod star1;
mod star2;
mod star25;
mod staretc;

pub(super) use expectation::mean;
pub(super) use expectimax::Expectimax;
pub(super) use frontier::{FRONTIER, Leaf};
pub(super) use preview::{Preview, Previews};
pub(super) use star1::Star1;
pub(super) use star2::Star2;
pub(super) use star05::Star05;
pub(super) use star25::Star25;
pub(super) use staretc::StarEtc;

use super::node::Node;
use super::prune::{Prune, trimmed};
use super::threads::BranchOrder;
use super::window::Window;
use super::worker::{Lookup, SearchResult, Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{Capacity, Key, Shortcuts, Step, Turn, Value};
use expectation::{Expectation, Part};
use frontier::{FEW, Plan, evaluate_all_leaves, is_small_frontier};
use preview::PreviewIndex;
use std::borrow::Cow;

/// A way to find the value of a chance node.
pub(super) trait Method: Sized + 'static {
    /// What is remembered of a chance node when its search begins.
    type Note;

    /// Whether decisions this far from the leaves have a place in the table.
    fn keeps_decisions<G: Shortcuts>(_game: &G, _depth: u32) -> bool {
        true
    }

    /// What is remembered of a chance node, which has been entered, to a depth of at least 1: its value, if that
    /// settles `window`, or a note of it. Ways that remember nothing do not ask for the node's hash.
    fn lookup<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        hash: impl FnOnce(&Worker<'_, G, E>) -> u64,
        frontier: bool,
        window: Window,
        depth: u32,
    ) -> Lookup<Self::Note>;

    /// The value of a chance node that memory did not settle, as far as `window` asks for it.
    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        note: &Self::Note,
        frontier: bool,
    ) -> SearchResult;
}

/// A way that remembers nothing of chance nodes.
pub(super) trait Memoryless: Sized + 'static {
    /// As [`Method::chance`].
    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        frontier: bool,
    ) -> SearchResult;
}

impl<F: Memoryless> Method for F {
    type Note = ();

    fn lookup<G: Shortcuts, E: Evaluator<G>>(
        _worker: &mut Worker<'_, G, E>,
        _hash: impl FnOnce(&Worker<'_, G, E>) -> u64,
        frontier: bool,
        _window: Window,
        _depth: u32,
    ) -> Lookup<()> {
        Lookup::Chance { note: (), frontier }
    }

    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        (): &(),
        frontier: bool,
    ) -> SearchResult {
        F::chance(worker, node, window, frontier)
    }
}

/// A chance node under search.
struct Chance<'a, G: Shortcuts, E: Evaluator<G>> {
    node: &'a Node<'a, G, E>,
    window: Window,
    frontier: bool,
    outcomes: Expectation<G::OutcomeCapacity>,
    /// The keys of the nodes after the outcomes, once they have been asked for, and whose view those are in.
    keys: <G::OutcomeCapacity as Capacity>::List<(Key, Turn)>,
    previews: PreviewIndex<G::OutcomeCapacity>,
}

impl<'a, G: Shortcuts, E: Evaluator<G>> Chance<'a, G, E> {
    /// A node of which nothing is known, not even its outcomes.
    #[inline(always)]
    fn new(node: &'a Node<'a, G, E>, window: Window, frontier: bool) -> Self {
        let (outcomes, previews) = (Expectation::new(), PreviewIndex::new());
        Chance { node, window, frontier, outcomes, keys: Default::default(), previews }
    }

    /// List the outcomes, with what the rules say of them. (Not in `new`, which would have to move the list.)
    #[inline]
    fn list_outcomes(&mut self, worker: &mut Worker<'_, G, E>) {
        let &Node { game, depth, .. } = self.node;
        for (outcome, told) in game.bounded_outcomes(depth - 1) {
            self.outcomes.add(outcome, told);
        }
        if worker.pruning.applies(Prune::Rolls, depth) {
            self.trim_outcomes(worker);
        }
    }

    /// Leave out the luckiest and the unluckiest outcomes.
    #[cold]
    fn trim_outcomes(&mut self, worker: &mut Worker<'_, G, E>) {
        let all = std::mem::replace(&mut self.outcomes, Expectation::new());
        let parts = || (0..all.len()).map(|i| all.part(i));
        let weigh = |part: &Part| (part.outcome.weight, worker.luck(self.node, part.outcome.id, part.bounds));
        let weighed: Vec<(u32, Value)> = parts().map(weigh).collect();
        let stays = trimmed(&weighed, worker.pruning.margins.trim);
        for (part, _) in parts().zip(stays).filter(|&(_, stays)| stays) {
            self.outcomes.add(part.outcome, part.bounds);
        }
    }

    /// The answer, if what the rules say suffices, or if the leaves are near enough to be evaluated together.
    fn open(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> Result<Option<Value>, Stopped> {
        if let Some(value) = self.settled_unsearched(worker) {
            return Ok(Some(value));
        }
        if self.frontier { self.search_frontier(worker, plan).map(Some) } else { Ok(None) }
    }

    fn is_open(&self, i: usize) -> bool {
        !self.outcomes.part(i).bounds.is_exact()
    }

    /// The position after the `i`-th outcome, and whose view it is seen from.
    #[inline(always)]
    fn child(&self, i: usize) -> (G, Turn) {
        let game = self.node.game;
        let step = Step::Outcome(self.outcomes.part(i).outcome.id);
        let child = game.child(step);
        let turn = game.turn(step, &child);
        (child, turn)
    }

    /// Search the `i`-th outcome and take in what that proves.
    fn search<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, i: usize, inner: Window) -> Result<(), Stopped> {
        let (ref child, turn) = self.child(i);
        let state = self.state_after(worker, i, child);
        let value = worker.step::<M>(&self.below(i, child, &state), inner, turn)?;
        self.outcomes.learn(i, inner.proves(value));
        Ok(())
    }

    /// The state of the evaluation after the `i`-th outcome.
    #[inline(always)]
    fn state_after(&self, worker: &Worker<'_, G, E>, i: usize, child: &G) -> Cow<'a, E::State> {
        self.node.state_after(worker.evaluator, self.outcomes.part(i).outcome.id, child)
    }

    /// The node after the `i`-th outcome, to be searched in a window within what is known of it.
    fn below<'b>(&self, i: usize, child: &'b G, state: &'b E::State) -> Node<'b, G, E> {
        Node {
            key: self.keys.get(i).map(|&(key, _)| key),
            previews: self.previews.of(i),
            ruled: true,
            ..self.node.child(child, state)
        }
    }

    /// Star1: search every open outcome in the window that the others leave it, until the node is settled.
    fn search_in_windows<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, order: BranchOrder) -> SearchResult {
        for i in order.over(self.outcomes.len()) {
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
