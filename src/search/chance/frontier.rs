//! The last roll before the leaves, where nearly all of a search is spent.
//!
//! If no move can end the game and the evaluation ignores outcomes, the children of every decision here are leaves, and
//! they are evaluated straight from the chance node, many at once: a processor that need not know one value before it
//! begins with the next is twice as fast. That is worth more than the leaves that a look at the bounds in between would
//! save: after a few outcomes all leaves are evaluated together, after many the probes of all decisions, and then decision
//! by decision.

use super::{Chance, mean};
use crate::eval::{ChildEvaluator, Evaluator, RunningMax};
use crate::game::{Bounds, Capacity, Game, List, Outcome, Shortcuts, Slots, Value};
use crate::search::node::Node;
use crate::search::worker::{SearchResult, Stopped, Worker};

/// How far from the leaves the frontier is.
pub(in crate::search) const FRONTIER: u32 = 2;

/// What an algorithm does at the frontier, where it does not evaluate every leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Take outcome by outcome, until the node is settled.
    UntilSettled,
    /// Probe every outcome; then the same.
    ProbeFirst,
}

/// A move after one of the outcomes: by the outcome's place among them.
pub(in crate::search) type Leaf<M> = (M, u16);

/// The best of some moves: it ranks by value, and below that by code, so that the better of two is found without a branch.
#[derive(Clone, Copy, Debug)]
struct Best<M> {
    rank: i64,
    mv: Option<M>,
}

impl<M: Copy> Best<M> {
    const NONE: Best<M> = Best { rank: i64::MIN, mv: None };

    #[inline(always)]
    fn raise(&mut self, value: Value, code: u16, mv: M) {
        let rank = i64::from(value.raw()) << u16::BITS | i64::from(code);
        if rank > self.rank {
            *self = Best { rank, mv: Some(mv) };
        }
    }

    #[inline(always)]
    fn value(self) -> Value {
        Value::from_legal((self.rank >> u16::BITS) as i32)
    }
}

/// By outcome: the best of the moves evaluated so far.
type Bests<G> = <<G as Game>::OutcomeCapacity as Capacity>::List<Best<<G as Game>::Move>>;

/// By outcome: a move.
type FirstMoves<G> = <<G as Game>::OutcomeCapacity as Capacity>::List<<G as Game>::Move>;

/// With no more outcomes than this, evaluating all leaves takes less time than finding out which can be spared.
pub(super) const FEW: usize = 6;

/// Whether that is so after a chance node.
pub(super) fn is_small_frontier<G: Shortcuts>(game: &G, frontier: bool) -> bool {
    frontier && game.most_outcomes() <= FEW
}

/// The exact value of a chance node at the frontier, from all its leaves. Nothing in the loop over them waits for a value.
pub(super) fn evaluate_all_leaves<G: Shortcuts, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    node: &Node<'_, G, E>,
) -> SearchResult {
    let &Node { game, state, depth, ply, .. } = node;
    let (mut sum, mut weight) = (0, 0);
    let mut open = <G::OutcomeCapacity as Capacity>::List::<Outcome>::default();
    for (outcome, told) in game.bounded_outcomes(depth - 1) {
        weight += i64::from(outcome.weight);
        if told.is_exact() {
            sum += i64::from(outcome.weight) * i64::from(told.lo.raw());
        } else {
            open.push(outcome);
        }
    }
    if !open.is_empty() {
        let children = worker.evaluator.children(state, game);
        let mut maxima = <G::OutcomeCapacity as Capacity>::Slots::<RunningMax>::filled(RunningMax::NONE);
        let decisions = (0..).zip(open.iter()).map(|(i, outcome)| (outcome.id, i));
        let leaves = children.include_all(game, decisions, &mut maxima);
        worker.enter(open.len() + leaves, ply + 2)?;
        worker.counters.evaluations += leaves as u64;
        worker.estimates += 1;
        for (outcome, &max) in open.iter().zip(maxima.all()) {
            sum += i64::from(outcome.weight) * i64::from(children.maximum(max).raw());
        }
    }
    Ok(mean(sum, weight))
}

impl<G: Shortcuts, E: Evaluator<G>> Chance<'_, G, E> {
    /// The value of a node at the frontier, as far as its window asks for it. (Its lists need room that a node elsewhere
    /// should not have to make.)
    #[inline(never)]
    pub(super) fn search_frontier(&mut self, worker: &mut Worker<'_, G, E>, plan: Plan) -> SearchResult {
        let children = worker.evaluator.children(self.node.state, self.node.game);
        let mut bests: Bests<G> = (0..self.outcomes.len()).map(|_| Best::NONE).collect();
        let mut firsts = FirstMoves::<G>::default();
        if plan == Plan::ProbeFirst {
            worker.counters.probes += 1;
            firsts = self.probe_all_leaves(worker, &children, &mut bests)?;
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.probe_cuts += 1;
                return Ok(value);
            }
        }
        self.evaluate_until_settled(worker, &children, &mut bests, &firsts)
    }

    /// Evaluate `ProbingFactor` moves of each open decision, and take in what that proves. Returns the first of them for
    /// each outcome.
    fn probe_all_leaves(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        children: &E::Children<'_>,
        bests: &mut Bests<G>,
    ) -> Result<FirstMoves<G>, Stopped> {
        let firsts: FirstMoves<G> = (0..bests.len()).map(|i| self.first(worker, i)).collect();
        let mut leaves = std::mem::take(&mut worker.leaves);
        leaves.clear();
        let mut entered = 0;
        for (i, &first) in firsts.iter().enumerate() {
            if self.is_open(i) {
                entered += 1;
                leaves.push((first, i as u16));
                leaves.extend(self.moves_but(i, Some(first)).take(worker.probing.factor - 1));
            }
        }
        let evaluated = self.evaluate_leaves(worker, children, bests, &leaves, entered);
        worker.leaves = leaves;
        evaluated?;
        for (i, best) in bests.iter().enumerate() {
            if self.is_open(i) {
                self.outcomes.learn(i, Bounds { lo: best.value(), ..Bounds::UNKNOWN });
            }
        }
        Ok(firsts)
    }

    /// Evaluate the moves of one open decision after another, but for those that have been probed, until the node is
    /// settled. `firsts` is empty, or has the first move probed of each.
    fn evaluate_until_settled(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        children: &E::Children<'_>,
        bests: &mut Bests<G>,
        firsts: &[G::Move],
    ) -> SearchResult {
        let (probed, unentered) = if firsts.is_empty() { (0, 1) } else { (worker.probing.factor, 0) };
        for i in worker.order.over(bests.len()) {
            if !self.is_open(i) {
                continue;
            }
            let mut leaves = std::mem::take(&mut worker.leaves);
            leaves.clear();
            leaves.extend(self.moves_but(i, firsts.get(i).copied()).skip(probed.saturating_sub(1)));
            let evaluated = self.evaluate_leaves(worker, children, bests, &leaves, unentered);
            worker.leaves = leaves;
            evaluated?;
            self.outcomes.learn(i, Bounds::exactly(bests[i].value()));
            if let Some(mv) = bests[i].mv {
                worker.ordering.prefer(mv, self.outcomes.part(i).outcome.id, self.node.ply);
            }
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.search_cuts += u64::from(!self.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(self.outcomes.bounds().lo)
    }

    /// The move after the `i`-th outcome that is to be probed before all others.
    fn first(&self, worker: &Worker<'_, G, E>, i: usize) -> G::Move {
        let &Node { game, ply, .. } = self.node;
        let outcome = self.outcomes.part(i).outcome.id;
        let favourite = worker.ordering.favourite(outcome, ply).filter(|&mv| game.is_move_after(outcome, mv));
        favourite.or_else(|| game.moves_after(outcome).next()).expect("every decision has a move")
    }

    /// The moves after the `i`-th outcome, as leaves, but for one.
    fn moves_but(&self, i: usize, but: Option<G::Move>) -> impl Iterator<Item = Leaf<G::Move>> {
        let moves = self.node.game.moves_after(self.outcomes.part(i).outcome.id);
        moves.filter(move |&mv| Some(mv) != but).map(move |mv| (mv, i as u16))
    }

    /// Evaluate leaves, and enter them and some decisions. Nothing in the loop waits for a value.
    #[inline(never)]
    fn evaluate_leaves(
        &self,
        worker: &mut Worker<'_, G, E>,
        children: &E::Children<'_>,
        bests: &mut [Best<G::Move>],
        leaves: &[Leaf<G::Move>],
        decisions: usize,
    ) -> Result<(), Stopped> {
        worker.enter(decisions + leaves.len(), self.node.ply + 2)?;
        worker.counters.evaluations += leaves.len() as u64;
        worker.estimates += 1;
        for &(mv, i) in leaves {
            bests[usize::from(i)].raise(children.value_after(mv), G::code(mv), mv);
        }
        Ok(())
    }
}
