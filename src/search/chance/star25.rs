//! Star2.5 (Ballard 1983): Star2 whose probes are tried one by one, with a look at the node's bounds after each.
//! Cyclic order takes the first move of every outcome, then the second of every outcome, and so on up to
//! `ProbingFactor`; sequential order takes all probes of one outcome before the next.

use super::star2::probe_proves;
use super::{Chance, Memoryless, Method};
use crate::eval::Evaluator;
use crate::game::{Bounds, Kind, Shortcuts, Turn, Value};
use crate::search::limits::ProbeOrder;
use crate::search::node::Node;
use crate::search::ordering::Choices;
use crate::search::window::Window;
use crate::search::worker::{SearchResult, Stopped, Worker};
use std::borrow::Cow;

/// Probes one by one, then narrowed windows.
pub(in crate::search) struct Star25;

impl Memoryless for Star25 {
    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        frontier: bool,
    ) -> SearchResult {
        let mut node = Chance::new(node, window, frontier);
        node.list_outcomes(worker);
        if let Some(value) = node.settled_unsearched(worker) {
            return Ok(value);
        }
        if node.node.depth >= 2 {
            worker.counters.probes += 1;
            if let Some(value) = node.probe_singly::<Self>(worker)? {
                worker.counters.probe_cuts += 1;
                return Ok(value);
            }
        }
        node.search_in_windows::<Self>(worker, worker.order)
    }
}

/// A decision after one outcome, being probed move by move.
struct Candidate<'a, G: Shortcuts, E: Evaluator<G>> {
    outcome: usize,
    child: G,
    state: Cow<'a, E::State>,
    turn: Turn,
    moves: Choices<G>,
}

impl<'a, G: Shortcuts, E: Evaluator<G>> Chance<'a, G, E> {
    fn probe_singly<M: Method>(&mut self, worker: &mut Worker<'_, G, E>) -> Result<Option<Value>, Stopped> {
        let factor = worker.probing.factor;
        match worker.probing.order {
            ProbeOrder::Sequential => {
                for i in worker.order.over(self.outcomes.len()) {
                    let Some(candidate) = self.candidate(worker, i)? else { continue };
                    for nth in 0..factor.min(candidate.moves.len()) {
                        if let Some(value) = self.probe_move::<M>(worker, &candidate, nth)? {
                            return Ok(Some(value));
                        }
                    }
                }
            }
            ProbeOrder::Cyclic => {
                let mut candidates = Vec::with_capacity(self.outcomes.len());
                for nth in 0..factor {
                    for (place, i) in worker.order.over(self.outcomes.len()).enumerate() {
                        if nth == 0 {
                            candidates.push(self.candidate(worker, i)?);
                        }
                        let Some(candidate) = &candidates[place] else { continue };
                        if nth < candidate.moves.len()
                            && let Some(value) = self.probe_move::<M>(worker, candidate, nth)?
                        {
                            return Ok(Some(value));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Enter the decision after the `i`-th outcome, if that is what follows and it is open.
    fn candidate(&mut self, worker: &mut Worker<'_, G, E>, i: usize) -> Result<Option<Candidate<'a, G, E>>, Stopped> {
        if !self.is_open(i) {
            return Ok(None);
        }
        let (child, turn) = self.child(i);
        if child.kind() != Kind::Decision {
            return Ok(None);
        }
        worker.enter(1, self.node.ply + 1)?;
        let state = self.state_after(worker, i, &child);
        let mut first = None;
        if self.node.depth > 2 || !child.is_quiet() {
            let remembered = worker.remember(&self.below(i, &child, &state), Bounds::UNKNOWN);
            self.outcomes.learn(i, remembered.known.before(turn));
            first = remembered.first;
        }
        let (moves, _) = worker.ordered_moves(&self.below(i, &child, &state), first);
        Ok(Some(Candidate { outcome: i, child, state, turn, moves }))
    }

    /// Probe one move of a candidate; the node's answer if that settles it.
    fn probe_move<M: Method>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        candidate: &Candidate<'a, G, E>,
        nth: usize,
    ) -> Result<Option<Value>, Stopped> {
        let Candidate { outcome: i, child, state, turn, moves } = candidate;
        if let Some(value) = self.outcomes.settled(self.window) {
            return Ok(Some(value));
        }
        if !self.is_open(*i) {
            return Ok(None);
        }
        let floor = self.outcomes.part(*i).bounds.before(*turn).lo;
        let beta = self.outcomes.window(*i, self.window).after(*turn).beta;
        let window = Window { alpha: floor, beta };
        let (value, _) = worker.best_of::<M>(&self.below(*i, child, state), window, &moves[nth..=nth])?;
        let proven = probe_proves(window, value, moves.len() == 1);
        self.outcomes.learn(*i, proven.before(*turn));
        Ok(self.outcomes.settled(self.window))
    }
}
