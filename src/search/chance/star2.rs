//! Star2 (Ballard 1983): before Star1, a probing phase. One move (or `ProbingFactor` moves) of every outcome give each a
//! lower bound cheaply; often they suffice to fail high, and otherwise they narrow the windows of Star1.
//!
//! Just before the leaves there are no probes where outcomes are few, and otherwise all are made before the first look at the
//! bounds: see [`frontier`](super::frontier).
//!
//! Where an outcome passes the turn, its moves are the opponent's and a probe bounds it from above instead.

use super::{Chance, Memoryless, Method, Plan, evaluate_all_leaves, is_small_frontier};
use crate::eval::{ChildEvaluator, Evaluator};
use crate::game::{Bounds, Kind, Shortcuts, Value};
use crate::search::decision::Remembered;
use crate::search::node::Node;
use crate::search::table::Known;
use crate::search::threads::BranchOrder;
use crate::search::window::Window;
use crate::search::worker::{SearchResult, Stopped, Worker};

/// A probing phase, then narrowed windows.
pub(in crate::search) struct Star2;

impl Memoryless for Star2 {
    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        frontier: bool,
    ) -> SearchResult {
        if is_small_frontier(node.game, frontier) {
            return evaluate_all_leaves(worker, node);
        }
        let mut node = Chance::new(node, window, frontier);
        node.list_outcomes(worker);
        if let Some(value) = node.open(worker, Plan::ProbeFirst)? {
            return Ok(value);
        }
        if let Some(value) = node.probe_all::<Self>(worker, worker.order)? {
            return Ok(value);
        }
        node.search_in_windows::<Self>(worker, worker.order)
    }
}

impl<G: Shortcuts, E: Evaluator<G>> Chance<'_, G, E> {
    /// Probe every open outcome, until the node is settled.
    pub(super) fn probe_all<M: Method>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        order: BranchOrder,
    ) -> Result<Option<Value>, Stopped> {
        if self.node.depth < 2 {
            return Ok(None);
        }
        worker.counters.probes += 1;
        for i in order.over(self.outcomes.len()) {
            if !self.is_open(i) {
                continue;
            }
            self.probe::<M>(worker, i)?;
            if let Some(value) = self.outcomes.settled(self.window) {
                worker.counters.probe_cuts += 1;
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Probe the `i`-th outcome, if it is a decision, and take in what that proves.
    fn probe<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, i: usize) -> Result<(), Stopped> {
        let (ref child, turn) = self.child(i);
        if child.kind() != Kind::Decision {
            return Ok(());
        }
        // A probe can only raise what is known from below, as the child sees it, so it starts from there.
        let floor = self.outcomes.part(i).bounds.before(turn).lo;
        let beta = self.outcomes.window(i, self.window).after(turn).beta;
        let state = self.state_after(worker, i, child);
        let proven = probe::<M, G, E>(worker, &self.below(i, child, &state), Window { alpha: floor, beta })?;
        self.outcomes.learn(i, proven.before(turn));
        Ok(())
    }
}

/// What `ProbingFactor` moves of a decision node prove of its value.
fn probe<M: Method, G: Shortcuts, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    node: &Node<'_, G, E>,
    window: Window,
) -> Result<Bounds, Stopped> {
    worker.enter(1, node.ply)?;
    let estimates_before = worker.estimates;
    if node.depth == 1 && node.game.is_quiet() {
        return probe_leaves(worker, node);
    }
    let Remembered { key, first, known } = worker.remember(node, Bounds::UNKNOWN);
    if window.settled(known).is_some() {
        worker.counters.table_cuts += 1;
        return Ok(known);
    }
    let open = window.within(known);
    let tried = worker.try_moves::<M>(node, open, first, worker.probing.factor)?;
    let bounds = probe_proves(open, tried.value, tried.all);
    let proven = Known { bounds, solved: worker.estimates == estimates_before };
    worker.keep_decision(node, key, proven, tried.best);
    Ok(bounds.meet(known))
}

fn probe_leaves<G: Shortcuts, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    node: &Node<'_, G, E>,
) -> Result<Bounds, Stopped> {
    let (moves, _) = worker.ordered_moves(node, None);
    let probed = &moves[..worker.probing.factor.min(moves.len())];
    worker.enter(probed.len(), node.ply + 1)?;
    worker.counters.evaluations += probed.len() as u64;
    worker.estimates += 1;
    let children = worker.evaluator.children(node.state, node.game);
    let value = probed.iter().map(|choice| children.value_after(choice.mv)).max().unwrap_or(Value::LOSS);
    let hi = if probed.len() == moves.len() { value } else { Value::WIN };
    Ok(Bounds { lo: value, hi })
}

/// What the value of some of a node's moves says of the node. A value that did not rise above the window is an upper
/// bound of the moves probed, which is no bound of the node, unless they were all it has.
pub(super) fn probe_proves(window: Window, value: Value, all_moves: bool) -> Bounds {
    if all_moves {
        window.proves(value)
    } else if value > window.alpha {
        Bounds { lo: value, ..Bounds::UNKNOWN }
    } else {
        Bounds::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_proves_a_lower_bound_or_nothing() {
        let v = Value::from_raw;
        let window = Window { alpha: v(-5), beta: v(5) };
        let lower = |raw| Bounds { lo: v(raw), ..Bounds::UNKNOWN };
        let cases = [
            (-7, false, Bounds::UNKNOWN),
            (-5, false, Bounds::UNKNOWN),
            (-4, false, lower(-4)),
            (6, false, lower(6)),
            (-7, true, Bounds { hi: v(-7), ..Bounds::UNKNOWN }),
            (3, true, Bounds::exactly(v(3))),
            (6, true, lower(6)),
        ];
        for (value, all, proven) in cases {
            assert_eq!(probe_proves(window, v(value), all), proven, "{value} {all}");
        }
    }
}
