//! One thread of search: its counts, its limits, and the step from a node to its value.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::chance::{FRONTIER, Leaf, Method, Previews};
use super::frontier_cache::FrontierCache;
use super::limits::{Limits, ProbeOrder, Stop};
use super::node::Node;
use super::ordering::{Choice, Ordering};
use super::prune::Pruning;
use super::report::Counters;
use super::table::{Entry, Known, Table};
use super::threads::BranchOrder;
use super::window::{Window, before};
use crate::eval::Evaluator;
use crate::game::{Bounds, Kind, Shortcuts, Step, Turn, Value};

/// The search was told to end; values found so far in this iteration mean nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The answer of a search, if it was left to finish.
pub(super) type SearchResult = Result<Value, Stopped>;

/// Previews and leaves for which there is room from the start: enough for most nodes of most games.
const ROOM: usize = 1024;

/// Nodes between two looks at the clock: well under a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// What all threads of one search look at.
pub(super) struct Control<'a> {
    stop: &'a Stop,
    /// Set when one thread has finished, or given up, for all.
    done: AtomicBool,
    deadline: Option<Instant>,
    node_limit: u64,
    /// Nodes of the other threads, up to their last look.
    shared_nodes: AtomicU64,
}

impl<'a> Control<'a> {
    pub fn new<M>(stop: &'a Stop, limits: &Limits<M>) -> Control<'a> {
        Control {
            stop,
            done: AtomicBool::new(false),
            deadline: limits.deadline,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            shared_nodes: AtomicU64::new(0),
        }
    }

    /// Count nodes that a thread has entered. Those of all threads.
    pub fn add_nodes(&self, fresh: u64) -> u64 {
        self.shared_nodes.fetch_add(fresh, Relaxed) + fresh
    }

    /// Nodes of all threads, up to their last look.
    pub fn all_nodes(&self) -> u64 {
        self.shared_nodes.load(Relaxed)
    }

    /// End the search on every thread.
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether every thread is to end.
    pub fn over(&self) -> bool {
        self.done.load(Relaxed) || self.stop.pulled() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// How chance nodes are probed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probing {
    pub factor: usize,
    pub order: ProbeOrder,
}

/// Where a node stands in the tree: how its value is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// The game is over.
    Over(Value),
    /// The node is evaluated.
    Leaf,
    /// A player chooses.
    Decision,
    /// Chance chooses.
    Chance,
    /// Chance chooses, and the leaves, two steps away, can be evaluated together.
    Frontier,
}

/// A node that has been entered, before its evaluation is needed.
pub(super) enum Lookup<N> {
    /// This is its value, as far as it was asked for.
    Value(Value),
    /// It is to be evaluated.
    Leaf,
    /// It is to be searched as a decision.
    Decision,
    /// It is to be searched as a chance node, with what the algorithm noted of it.
    Chance {
        note: N,
        /// Whether it stands at the frontier.
        frontier: bool,
    },
}

/// One thread of search.
pub(super) struct Worker<'a, G: Shortcuts, E: Evaluator<G>> {
    pub evaluator: &'a E,
    pub table: &'a Table,
    pub probing: Probing,
    pub ordering: Ordering<G>,
    pub previews: Previews,
    /// Leaves of one frontier node, to be evaluated together: room that is used again and again.
    pub leaves: Vec<Leaf<G::Move>>,
    pub frontier_cache: &'a FrontierCache,
    pub counters: Counters,
    /// The deepest ply entered.
    pub seldepth: usize,
    /// Whether the table may treat mirror images as one.
    pub images: bool,
    /// How often a value rested on judgement, not on the rules: heuristic leaves, and unsolved table entries.
    pub estimates: u64,
    /// The order in which outcomes are taken.
    pub order: BranchOrder,
    /// What is left out without proof.
    pub pruning: Pruning,
    control: &'a Control<'a>,
    checkpoint: u64,
    told: u64,
    on_pulse: Option<Pulse<'a>>,
}

/// Called now and then, with the nodes of all threads.
pub(super) type Pulse<'a> = &'a mut dyn FnMut(u64);

impl<'a, G: Shortcuts, E: Evaluator<G>> Worker<'a, G, E> {
    pub fn new(
        evaluator: &'a E,
        table: &'a Table,
        probing: Probing,
        control: &'a Control<'a>,
        order: BranchOrder,
        frontier_cache: &'a FrontierCache,
        pruning: Pruning,
    ) -> Self {
        Worker {
            evaluator,
            table,
            probing,
            ordering: Ordering::new(),
            previews: Previews::with_capacity(ROOM),
            leaves: Vec::with_capacity(ROOM),
            frontier_cache,
            counters: Counters::default(),
            seldepth: 0,
            images: evaluator.sees_images_alike(),
            estimates: 0,
            order,
            pruning,
            control,
            checkpoint: control.node_limit.min(NODES_PER_CHECK),
            told: 0,
            on_pulse: None,
        }
    }

    /// Have `pulse` called every millisecond or so of search.
    pub fn with_pulse(mut self, pulse: Pulse<'a>) -> Self {
        self.on_pulse = Some(pulse);
        self
    }

    /// Nodes of all threads.
    pub fn all_nodes(&self) -> u64 {
        self.counters.nodes - self.told + self.control.all_nodes()
    }

    /// Count nodes that are being entered, and end the search if it is time.
    #[inline]
    pub fn enter(&mut self, nodes: usize, ply: usize) -> Result<(), Stopped> {
        self.counters.nodes += nodes as u64;
        self.seldepth = self.seldepth.max(ply);
        if self.counters.nodes >= self.checkpoint { self.check_limits() } else { Ok(()) }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        if self.counters.nodes >= self.control.node_limit {
            self.counters.nodes = self.control.node_limit;
            return Err(Stopped);
        }
        self.checkpoint = self.control.node_limit.min(self.counters.nodes + NODES_PER_CHECK);
        let fresh = self.counters.nodes - self.told;
        self.told = self.counters.nodes;
        let all = self.control.add_nodes(fresh);
        if let Some(pulse) = &mut self.on_pulse {
            pulse(all);
        }
        if self.control.over() || all >= self.control.node_limit { Err(Stopped) } else { Ok(()) }
    }

    /// Whether it is time to end, asked between iterations.
    pub fn out_of_time(&self) -> bool {
        self.control.over() || self.all_nodes() >= self.control.node_limit
    }

    /// The value of a node, as far as `window` asks for it.
    pub fn search<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window) -> SearchResult {
        self.enter(1, node.ply)?;
        let lookup = self.lookup::<M>(node.game, window, node.depth);
        self.finish::<M>(&lookup, node, window)
    }

    /// The value of a node that has been looked up.
    #[inline]
    fn finish<M: Method>(&mut self, lookup: &Lookup<M::Note>, node: &Node<'_, G, E>, window: Window) -> SearchResult {
        match lookup {
            Lookup::Value(value) => Ok(*value),
            Lookup::Leaf => Ok(self.evaluate(node.game, node.state)),
            Lookup::Decision => self.decision::<M>(node, window),
            Lookup::Chance { note, frontier } => match self.cut_chance::<M>(node, window)? {
                Some(end) => Ok(end),
                None => M::chance(self, node, window, note, *frontier),
            },
        }
    }

    /// The same for the node after a move, in the view before it and with `window` in that view. The move is not made, nor
    /// the evaluation brought up to date, if the answer comes without.
    pub fn try_move<M: Method>(
        &mut self,
        node: &Node<'_, G, E>,
        choice: Choice<G::Move>,
        window: Window,
    ) -> SearchResult {
        self.enter(1, node.ply + 1)?;
        let depth = node.depth - 1;
        let step = Step::Move(choice.mv);
        // Positions are changed in place, and notes stay where they are: handed on, they would be copied just after they
        // were written.
        let mut child;
        let (lookup, turn);
        match node.previews {
            Some(start) => {
                let preview = self.previews[start + usize::from(choice.nth)];
                let frontier = depth == FRONTIER;
                turn = preview.turn;
                lookup = M::lookup(self, |_| preview.hash, frontier, window.after(turn), depth);
                if let Lookup::Value(value) = lookup {
                    return Ok(before(value, turn));
                }
                child = node.game.clone();
                child.play(choice.mv);
                debug_assert_eq!(node.game.turn(step, &child), turn);
                debug_assert_eq!(child.key(self.images, depth).hash, preview.hash);
            }
            None => {
                child = node.game.clone();
                child.play(choice.mv);
                turn = node.game.turn(step, &child);
                lookup = self.lookup::<M>(&child, window.after(turn), depth);
                if let Lookup::Value(value) = lookup {
                    return Ok(before(value, turn));
                }
            }
        }
        let mut state = node.state.clone();
        match lookup {
            Lookup::Chance { frontier: true, .. } => {
                self.evaluator.advance_before_last(&mut state, node.game, step, &child);
            }
            _ => self.evaluator.advance(&mut state, node.game, step, &child),
        }
        Ok(before(self.finish::<M>(&lookup, &node.child(&child, &state), window.after(turn))?, turn))
    }

    /// Where a node to this depth stands.
    #[inline]
    fn stage(&self, game: &G, depth: u32) -> Stage {
        match game.kind() {
            Kind::Over(value) => Stage::Over(value),
            _ if depth == 0 => Stage::Leaf,
            Kind::Decision => Stage::Decision,
            Kind::Chance if depth == 1 && self.evaluator.ignores_outcomes() => Stage::Leaf,
            Kind::Chance if depth == FRONTIER && self.sees_grandchildren(game) => Stage::Frontier,
            Kind::Chance => Stage::Chance,
        }
    }

    /// Whether all positions after the next decisions of a chance node can be evaluated from there.
    #[inline]
    pub fn sees_grandchildren(&self, game: &G) -> bool {
        self.evaluator.ignores_outcomes() && game.is_quiet()
    }

    /// What can be said of a node that has been entered, before its evaluation is needed.
    #[inline]
    fn lookup<M: Method>(&mut self, game: &G, window: Window, depth: u32) -> Lookup<M::Note> {
        let frontier = match self.stage(game, depth) {
            Stage::Over(value) => return Lookup::Value(value),
            Stage::Leaf => return Lookup::Leaf,
            Stage::Decision => return Lookup::Decision,
            stage => stage == Stage::Frontier,
        };
        M::lookup(self, |worker| game.key(worker.images, depth).hash, frontier, window, depth)
    }

    /// The same for a node that a step led to, with window and answer in the view before that step.
    pub fn step<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window, turn: Turn) -> SearchResult {
        Ok(before(self.search::<M>(node, window.after(turn))?, turn))
    }

    pub fn evaluate(&mut self, game: &G, state: &E::State) -> Value {
        self.counters.evaluations += 1;
        self.estimates += 1;
        self.evaluator.value(state, game)
    }

    /// The table's entry of a node, if it has one, and what that says of the value to `depth`.
    pub fn ask_table(&mut self, hash: u64, depth: u32) -> Option<(Entry, Bounds)> {
        let entry = self.table.probe(hash);
        let told = self.use_known(entry.map(|entry| entry.known(depth)))?;
        entry.map(|entry| (entry, told))
    }

    /// Count a look-up, and take note if what it found rests on judgement.
    pub fn use_known(&mut self, found: Option<Known>) -> Option<Bounds> {
        self.counters.table_lookups += 1;
        let Known { bounds, solved } = found?;
        self.counters.table_hits += 1;
        self.estimates += u64::from(bounds != Bounds::UNKNOWN && !solved);
        Some(bounds)
    }
}
