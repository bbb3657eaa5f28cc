//! StarETC (Veness 2006): Star2 that first asks the transposition table, for the chance node itself and then for every
//! outcome, and that stores what it proves of chance nodes: a lower and an upper bound, each with its depth. Before the
//! moves below a node are searched they are all evaluated, to put them in order, and what is remembered of the nodes
//! they lead to is called up.
//!
//! The published pseudo-code stores bounds as exact values, stores under the wrong position, and lets an exact entry set
//! the lower bound only; here everything known of an outcome goes through one [`Expectation`](super::Expectation), so a
//! value is exact only where both its bounds meet.

use super::{Chance, FEW, FRONTIER, Method, Plan, Preview, evaluate_all_leaves, is_small_frontier};
use crate::eval::{ChildEvaluator, Evaluator};
use crate::game::{Bounds, List, Shortcuts, Value};
use crate::search::node::Node;
use crate::search::table::Known;
use crate::search::threads::BranchOrder;
use crate::search::window::Window;
use crate::search::worker::{Lookup, SearchResult, Worker};

/// The table, a probing phase, then narrowed windows.
pub(in crate::search) struct StarEtc;

/// Decisions this close to the leaves have no place in the table. After few outcomes, nor have those before them: searching
/// what little is below takes less time than a look-up or a probe.
const UNKEPT: u32 = 1;
const UNKEPT_AFTER_FEW: u32 = 3;

/// What the table said of a chance node.
pub(in crate::search) struct TableNote {
    hash: u64,
    known: Bounds,
    /// What the last iteration said of it; everything is possible if it said nothing.
    guess: Bounds,
    /// The thread's count of estimates when the node was entered.
    estimates_before: u64,
}

impl Method for StarEtc {
    type Note = TableNote;

    fn keeps_decisions<G: Shortcuts>(game: &G, depth: u32) -> bool {
        depth > if game.most_outcomes() <= FEW { UNKEPT_AFTER_FEW } else { UNKEPT }
    }

    fn lookup<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        hash: impl FnOnce(&Worker<'_, G, E>) -> u64,
        frontier: bool,
        window: Window,
        depth: u32,
    ) -> Lookup<TableNote> {
        let estimates_before = worker.estimates;
        let hash = hash(worker);
        let found = match frontier {
            true => worker.use_known(worker.frontier_cache.known(hash)).map(|known| (Bounds::UNKNOWN, known)),
            false => worker.ask_table(hash, depth).map(|(entry, told)| (entry.guess(depth.saturating_sub(2)), told)),
        };
        let (guess, known) = found.unwrap_or((Bounds::UNKNOWN, Bounds::UNKNOWN));
        match window.settled(known) {
            Some(value) => {
                worker.counters.table_cuts += 1;
                Lookup::Value(value)
            }
            None => Lookup::Chance { note: TableNote { hash, known, guess, estimates_before }, frontier },
        }
    }

    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        note: &TableNote,
        frontier: bool,
    ) -> SearchResult {
        let TableNote { hash, known, guess, estimates_before } = *note;
        if is_small_frontier(node.game, frontier) {
            let value = evaluate_all_leaves(worker, node)?;
            if worker.estimates != estimates_before {
                worker.frontier_cache.learn(hash, Bounds::exactly(value));
            }
            return Ok(value);
        }
        let mut chance = Chance::new(node, window.within(known), frontier);
        chance.list_outcomes(worker);
        let previews = worker.previews.len();
        let value = chance.settle(worker, guess);
        worker.previews.truncate(previews);
        let value = value?;
        let proven = Known { bounds: chance.outcomes.bounds(), solved: worker.estimates == estimates_before };
        if !frontier {
            worker.table.learn(hash, node.depth, proven, None);
        } else if !proven.solved {
            worker.frontier_cache.learn(hash, proven.bounds.meet(known));
        }
        Ok(value.clamp(known.lo, known.hi))
    }
}

impl<G: Shortcuts, E: Evaluator<G>> Chance<'_, G, E> {
    /// Phase after phase, until the node is settled.
    fn settle(&mut self, worker: &mut Worker<'_, G, E>, guess: Bounds) -> SearchResult {
        let keeps = StarEtc::keeps_decisions(self.node.game, self.node.depth - 1);
        if keeps {
            self.prefetch_outcomes(worker);
        }
        let plan = match self.node.depth {
            FRONTIER => Plan::ProbeFirst,
            _ if keeps && !self.will_fail_low(worker, guess) => Plan::ProbeFirst,
            _ => Plan::UntilSettled,
        };
        if let Some(value) = self.open(worker, plan)? {
            return Ok(value);
        }
        if keeps && let Some(value) = self.ask_outcomes(worker) {
            return Ok(value);
        }
        if self.node.depth > FRONTIER + 1
            && worker.sees_grandchildren(self.node.game)
            && self.node.game.is_quiet_beyond()
        {
            self.preview_moves(worker);
        }
        // Where a few outcomes are likely to suffice, the others are not worth another thread's time.
        let order = if guess.lo >= self.window.beta { BranchOrder::FORWARDS } else { worker.order };
        if plan == Plan::ProbeFirst
            && let Some(value) = self.probe_all::<StarEtc>(worker, order)?
        {
            return Ok(value);
        }
        self.search_in_windows::<StarEtc>(worker, order)
    }

    /// Prefetch what the table knows of the outcomes, while there is other work to do.
    fn prefetch_outcomes(&mut self, worker: &Worker<'_, G, E>) {
        for i in 0..self.outcomes.len() {
            let (ref child, turn) = self.child(i);
            let key = child.key(worker.images, self.node.depth - 1);
            worker.table.prefetch(key.hash);
            self.keys.push((key, turn));
        }
    }

    /// Evaluate every move after an open outcome, and prefetch what is remembered of the nodes they lead to.
    fn preview_moves(&mut self, worker: &mut Worker<'_, G, E>) {
        let &Node { game, state, depth, .. } = self.node;
        let children = worker.evaluator.children(state, game);
        for i in 0..self.outcomes.len() {
            if !self.is_open(i) {
                self.previews.skip();
                continue;
            }
            self.previews.begin(&worker.previews);
            let outcome = self.outcomes.part(i).outcome.id;
            for mv in game.moves_after(outcome) {
                let (key, turn) = game.key_after(outcome, mv, worker.images, depth - 2);
                worker.previews.push(Preview { value: children.value_after(mv), turn, hash: key.hash });
                match depth - 2 {
                    FRONTIER => worker.frontier_cache.prefetch(key.hash),
                    _ => worker.table.prefetch(key.hash),
                }
                worker.counters.guiding_evaluations += 1;
            }
        }
    }

    /// Take in what the table knows of every outcome, until that settles the node.
    fn ask_outcomes(&mut self, worker: &mut Worker<'_, G, E>) -> Option<Value> {
        for i in 0..self.outcomes.len() {
            if !self.is_open(i) {
                continue;
            }
            let (key, turn) = self.keys[i];
            let Some((_, told)) = worker.ask_table(key.hash, self.node.depth - 1) else { continue };
            self.outcomes.learn(i, told.before(turn));
            if let Some(value) = self.settled_unsearched(worker) {
                return Some(value);
            }
        }
        None
    }

    /// Whether probing, which can only fail high, would be wasted: so says the last iteration's value, or, where there is
    /// none, the evaluation.
    fn will_fail_low(&self, worker: &mut Worker<'_, G, E>, guess: Bounds) -> bool {
        let &Node { game, state, .. } = self.node;
        match guess {
            Bounds::UNKNOWN => {
                worker.counters.guiding_evaluations += 1;
                worker.evaluator.value(state, game) <= self.window.alpha
            }
            guess => guess.hi <= self.window.alpha,
        }
    }
}
