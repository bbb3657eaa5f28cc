//! Monte-Carlo tree search: UCT with chance nodes, for every game.
//!
//! Each thread grows a tree of its own from the same root, and what they found of the root's branches is added up at the end
//! (root parallelisation: simple, and nearly as good as one tree on a few threads). A tree is kept for the next search,
//! which goes on from the node that its root has become.

mod simulate;
mod tree;

use std::cell::RefCell;
use std::time::Instant;

use super::limits::Sampling;
use super::report::{Counters, Iteration, Line, OutcomeValue, Report, Verdict};
use super::searcher::{PULSE, Search};
use super::worker::Control;
use crate::eval::{Evaluator, best_at_sight};
use crate::game::{Kind, Shortcuts, Step, Value};
use simulate::{Simulator, WHOLE_GAME};
use tree::{Node, NodeId, ROOT, Tree};

/// Simulations before the first report; after it, one comes at every doubling.
const FIRST_REPORT: u64 = 256;

/// Simulations between two looks at the clock.
const SIMULATIONS_PER_CHECK: u64 = 8;

/// How many steps the root of the next search may lie from that of the last for the tree to be kept.
const REUSE_STEPS: usize = 8;

/// The share of the time at hand that may be spent on saving what the last tree knows.
const REUSE_SHARE: u32 = 4;

/// A tree that was kept, and how it was grown.
pub(super) struct Kept<M> {
    sampling: Sampling,
    tree: Tree<M>,
}

/// What a thread, or all of them, found of the root's branches.
struct Findings<M> {
    branches: Vec<Node<M>>,
    simulations: u64,
    steps: u64,
    deepest: usize,
}

impl<M: Copy + Eq> Findings<M> {
    fn of<G: Shortcuts<Move = M>, E: Evaluator<G>>(simulator: &Simulator<'_, G, E>) -> Findings<M> {
        Findings {
            branches: simulator.tree.children(ROOT).to_vec(),
            simulations: simulator.simulations,
            steps: simulator.steps,
            deepest: simulator.deepest,
        }
    }

    /// Add what another thread found. All roots have the same branches, in the same order.
    fn add(&mut self, other: &Findings<M>) {
        for (own, other) in self.branches.iter_mut().zip(&other.branches) {
            own.visits = own.visits.saturating_add(other.visits);
            own.sum += other.sum;
            own.bounds = own.bounds.meet(other.bounds);
        }
        self.simulations += other.simulations;
        self.steps += other.steps;
        self.deepest = self.deepest.max(other.deepest);
    }

    /// The mean number of steps from the root to the leaf of a simulation.
    fn mean_depth(&self) -> u32 {
        (self.steps as f64 / self.simulations.max(1) as f64).round() as u32
    }
}

/// Branches of a decision from the best to the worst: the most visited first, but for those that are proven no better than
/// another. A proven move is not visited any more, and so comes first if it is worth no less than the most visited.
fn ranked<M: Copy>(branches: &[Node<M>]) -> Vec<Node<M>> {
    let floor = branches.iter().map(|node| node.bounds.lo).max().unwrap_or(Value::LOSS);
    let key = |node: &Node<M>| {
        let hopeless = node.bounds.hi <= floor && node.bounds.lo < floor;
        (hopeless, std::cmp::Reverse((node.visits, node.value())))
    };
    let mut ranked = branches.to_vec();
    ranked.sort_by_key(key);
    let sure = |node: &Node<M>| node.bounds.is_exact() && node.bounds.lo == floor;
    if let Some(place) = ranked.iter().position(sure)
        && ranked[0].value() <= floor
    {
        ranked[..=place].rotate_right(1);
    }
    ranked
}

/// The mean of a chance node's branches.
fn mean_value<M: Copy>(branches: &[Node<M>]) -> Value {
    let total: f64 = branches.iter().map(|node| f64::from(node.weight)).sum();
    let sum: f64 = branches.iter().map(|node| f64::from(node.weight) * node.value().to_f64()).sum();
    Value::from_f64(sum / total)
}

impl<G: Shortcuts, E: Evaluator<G>> Search<'_, G, E> {
    /// Search by simulations.
    pub fn run_mcts(&self, handler: &mut dyn FnMut(Report<G::Move>)) -> Verdict<G::Move> {
        let control = Control::new(self.stop, self.limits);
        let handler = RefCell::new(handler);
        let threads = self.shared.helpers.size() + 1;
        let mut kept = std::mem::take(&mut *self.shared.kept.lock());
        kept.resize_with(threads, || None);
        let kept = parking_lot::Mutex::new(kept);
        let grow = |thread: usize, report: &mut dyn FnMut(&Simulator<'_, G, E>)| {
            let old = kept.lock()[thread].take();
            let mut simulator = self.simulator(old, thread, threads);
            let nodes = self.simulate(&mut simulator, &control, report);
            let counters = Counters { nodes, evaluations: simulator.evaluations, ..Counters::default() };
            (simulator, counters)
        };
        let others = parking_lot::Mutex::new(Vec::new());
        let mut pulsed = self.start;
        let lead = || {
            grow(0, &mut |simulator| {
                let findings = Findings::of(simulator);
                let nodes = control.all_nodes();
                if simulator.simulations.is_power_of_two() {
                    let iteration = self.mcts_iteration(&findings, &simulator.tree, nodes);
                    (handler.borrow_mut())(Report::Iteration(iteration));
                    pulsed = Instant::now();
                } else if pulsed.elapsed() >= PULSE {
                    pulsed = Instant::now();
                    (handler.borrow_mut())(Report::Progress { nodes, time: self.start.elapsed() });
                }
            })
        };
        let help = |thread| {
            let (simulator, counters) = grow(thread, &mut |_| ());
            others.lock().push((thread, Findings::of(&simulator)));
            self.keep(&kept, thread, simulator);
            counters
        };
        let ((simulator, mut counters), helped) = self.shared.helpers.together(&control, lead, help);
        counters += helped;
        counters.nodes = counters.nodes.min(self.limits.nodes.unwrap_or(u64::MAX));
        let mut findings = Findings::of(&simulator);
        let mut others = others.into_inner();
        // Threads end in any order.
        others.sort_by_key(|(thread, _)| *thread);
        others.iter().for_each(|(_, other)| findings.add(other));
        let verdict = self.mcts_verdict(&findings, &simulator.tree, counters, &mut **handler.borrow_mut());
        self.keep(&kept, 0, simulator);
        *self.shared.kept.lock() = kept.into_inner();
        verdict
    }

    /// A simulator that goes on from a kept tree if that fits.
    fn simulator(&self, old: super::searcher::KeptTree, thread: usize, threads: usize) -> Simulator<'_, G, E> {
        let bytes = self.shared.tree_bytes / threads;
        let hash = self.game.key(false, WHOLE_GAME).hash;
        let old = old.and_then(|old| old.downcast::<Kept<G::Move>>().ok());
        let old = old.filter(|old| old.sampling == self.settings.sampling && self.limits.search_moves.is_empty());
        let by = self
            .limits
            .deadline
            .map(|end| Instant::now() + end.saturating_duration_since(Instant::now()) / REUSE_SHARE);
        let time = || !self.stop.pulled() && by.is_none_or(|by| Instant::now() < by);
        let reused = old.and_then(|old| {
            let node = old.tree.find(hash, REUSE_STEPS, &time)?;
            Some(old.tree.subtree(node, bytes, &time))
        });
        let tree = reused.unwrap_or_else(|| Tree::new(Step::Outcome(0), bytes));
        let mut simulator =
            Simulator::new(self.game, self.evaluator, self.settings.sampling, tree, hash ^ thread as u64);
        simulator.begin(&self.limits.search_moves);
        simulator
    }

    /// Keep a tree for the next search, unless it leaves out moves.
    fn keep(
        &self,
        kept: &parking_lot::Mutex<Vec<super::searcher::KeptTree>>,
        thread: usize,
        simulator: Simulator<'_, G, E>,
    ) {
        if self.limits.search_moves.is_empty() {
            let tree = Kept { sampling: self.settings.sampling, tree: simulator.tree };
            kept.lock()[thread] = Some(Box::new(tree));
        }
    }

    /// Simulate until a limit or a proof. The nodes entered.
    fn simulate(
        &self,
        simulator: &mut Simulator<'_, G, E>,
        control: &Control<'_>,
        report: &mut dyn FnMut(&Simulator<'_, G, E>),
    ) -> u64 {
        let mut told = 0;
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        loop {
            if simulator.simulations.is_multiple_of(SIMULATIONS_PER_CHECK) || simulator.nodes + MARGIN >= limit {
                let all = control.add_nodes(simulator.nodes - told);
                told = simulator.nodes;
                if control.over() || all >= limit {
                    break;
                }
            }
            if simulator.tree.node(ROOT).bounds.is_exact() {
                break;
            }
            simulator.run();
            if simulator.simulations >= FIRST_REPORT && simulator.simulations.is_multiple_of(FIRST_REPORT) {
                report(simulator);
                let deep = |depth: u32| Findings::of(simulator).mean_depth() >= depth || simulator.tree.is_full();
                if self.limits.depth.is_some_and(deep) {
                    break;
                }
            }
        }
        control.add_nodes(simulator.nodes - told);
        simulator.nodes
    }

    fn mcts_iteration(&self, findings: &Findings<G::Move>, tree: &Tree<G::Move>, nodes: u64) -> Iteration<G::Move> {
        let lines = match self.game.kind() {
            Kind::Decision => {
                let line = |node: &Node<G::Move>| Line { value: node.value(), pv: self.expected_line(tree, node.step) };
                ranked(&findings.branches).iter().take(self.settings.multi_pv.max(1)).map(line).collect()
            }
            _ => vec![Line { value: mean_value(&findings.branches), pv: Vec::new() }],
        };
        Iteration {
            depth: findings.mean_depth(),
            seldepth: findings.deepest as u32,
            lines,
            nodes,
            hashfull: tree.fill(),
            time: self.start.elapsed(),
            exact: tree.node(ROOT).bounds.is_exact(),
        }
    }

    /// What should follow a step from the root: at decisions the best move, at chance nodes the outcome nearest the mean, as
    /// far as there were simulations.
    fn expected_line(&self, tree: &Tree<G::Move>, step: Step<G::Move>) -> Vec<Step<G::Move>> {
        let mut line = vec![step];
        let mut at = child_of(tree, ROOT, step);
        while let Some(id) = at {
            let children = tree.children(id);
            let next = match children.first().map(|node| node.step) {
                Some(Step::Move(_)) => ranked(children).first().copied(),
                Some(Step::Outcome(_)) => {
                    let centre = mean_value(children).raw();
                    children.iter().min_by_key(|node| node.value().raw().abs_diff(centre)).copied()
                }
                None => None,
            };
            let Some(next) = next.filter(|next| next.visits > 0) else { break };
            line.push(next.step);
            at = child_of(tree, id, next.step);
        }
        line
    }

    fn mcts_verdict(
        &self,
        findings: &Findings<G::Move>,
        tree: &Tree<G::Move>,
        counters: Counters,
        handler: &mut dyn FnMut(Report<G::Move>),
    ) -> Verdict<G::Move> {
        // Without a simulation of its own, a search has those of the tree that was kept, if they tried every branch.
        let tried = findings.simulations > 0 || findings.branches.iter().all(|node| node.visits > 0);
        if !tried && !tree.node(ROOT).bounds.is_exact() {
            return self.verdict(None, None, counters);
        }
        let iteration = self.mcts_iteration(findings, tree, counters.nodes);
        handler(Report::Iteration(iteration.clone()));
        let best = match self.game.kind() {
            Kind::Decision => iteration.lines.first().and_then(Line::first).copied(),
            _ => None,
        };
        let outcomes = match best {
            Some(_) => Vec::new(),
            None => findings.branches.iter().filter_map(|node| self.outcome_value(tree, node)).collect(),
        };
        let value = iteration.lines.first().map_or(Value::DRAW, |line| line.value);
        Verdict { best, last: Some(iteration), outcomes, value, counters, time: self.start.elapsed() }
    }

    /// An outcome of a chance root, with the best move after it.
    fn outcome_value(&self, tree: &Tree<G::Move>, node: &Node<G::Move>) -> Option<OutcomeValue<G::Move>> {
        let Step::Outcome(outcome) = node.step else { return None };
        let child = self.game.child(node.step);
        let found = child_of(tree, ROOT, node.step).and_then(|id| ranked(tree.children(id)).first().copied());
        let best = match found.map(|node| node.step) {
            Some(Step::Move(mv)) => Some(mv),
            _ if child.kind() == Kind::Decision => {
                let state = self.evaluator.state(&child);
                Some(best_at_sight(self.evaluator, &child, &state, &child.moves()))
            }
            _ => None,
        };
        Some(OutcomeValue { outcome, value: node.value(), best })
    }
}

/// No simulation enters more nodes than this in one go, near enough, that a node limit would be missed by much.
const MARGIN: u64 = 4096;

fn child_of<M: Copy + Eq>(tree: &Tree<M>, id: NodeId, step: Step<M>) -> Option<NodeId> {
    let place = tree.children(id).iter().position(|node| node.step == step)?;
    Some(tree.node(id).first + place as NodeId)
}
