//! One thread of search: its counts, its limits, and the step from a node to its value.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::chance::{FRONTIER, MAX_LEAVES, Method, Sights, Trace, is_frontier};
use super::limits::{Limits, ProbeOrder, Stop};
use super::ordering::{Choice, Ordering};
use super::recent::Recent;
use super::report::Counters;
use super::spot::Spot;
use super::table::{Entry, Known, Table};
use super::threads::Tour;
use super::window::{Window, before};
use crate::eval::Evaluator;
use crate::game::{Bounds, Game, Kind, Turn, Value};

/// The search was told to end; values found so far in this iteration mean nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The answer of a search, if it was left to finish.
pub(super) type Found = Result<Value, Stopped>;

/// Nodes between two looks at the clock: well under a millisecond.
const PATIENCE: u64 = 1024;

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
    pub fn new(stop: &'a Stop, limits: &Limits) -> Control<'a> {
        Control {
            stop,
            done: AtomicBool::new(false),
            deadline: limits.deadline,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            shared_nodes: AtomicU64::new(0),
        }
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

/// How a node is to be valued.
pub(super) enum Glance<N> {
    /// This is its value, as far as it was asked for.
    Value(Value),
    /// By its evaluation.
    Leaf,
    /// As a decision.
    Decision,
    /// As a chance node, with what the algorithm noted of it.
    Chance(N),
}

/// One thread of search.
pub(super) struct Worker<'a, G: Game, E: Evaluator<G>> {
    pub evaluator: &'a E,
    pub table: &'a Table,
    pub probing: Probing,
    pub ordering: Ordering,
    pub sights: Sights,
    pub recent: &'a Recent,
    pub counters: Counters,
    /// The deepest ply entered.
    pub seldepth: usize,
    /// Whether the table may treat mirror images as one.
    pub images: bool,
    /// How often a value rested on judgement, not on the rules: heuristic leaves, and unsolved table entries.
    pub judgements: u64,
    /// The order in which outcomes are taken.
    pub tour: Tour,
    control: &'a Control<'a>,
    checkpoint: u64,
    told: u64,
    on_pulse: Option<Pulse<'a>>,
    game: std::marker::PhantomData<G>,
}

/// Called now and then, with the nodes of all threads.
pub(super) type Pulse<'a> = &'a mut dyn FnMut(u64);

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    pub fn new(
        evaluator: &'a E,
        table: &'a Table,
        probing: Probing,
        control: &'a Control<'a>,
        tour: Tour,
        recent: &'a Recent,
        plies: usize,
    ) -> Self {
        Worker {
            evaluator,
            table,
            probing,
            ordering: Ordering::new(plies),
            sights: Sights::with_capacity(MAX_LEAVES),
            recent,
            counters: Counters::default(),
            seldepth: 0,
            images: evaluator.sees_images_alike(),
            judgements: 0,
            tour,
            control,
            checkpoint: control.node_limit.min(PATIENCE),
            told: 0,
            on_pulse: None,
            game: std::marker::PhantomData,
        }
    }

    /// Have `pulse` called every millisecond or so of search.
    pub fn with_pulse(mut self, pulse: Pulse<'a>) -> Self {
        self.on_pulse = Some(pulse);
        self
    }

    /// Nodes of all threads.
    pub fn all_nodes(&self) -> u64 {
        self.counters.nodes - self.told + self.control.shared_nodes.load(Relaxed)
    }

    /// Count nodes that are being entered, and end the search if it is time.
    #[inline]
    pub fn enter(&mut self, nodes: usize, ply: usize) -> Result<(), Stopped> {
        self.counters.nodes += nodes as u64;
        self.seldepth = self.seldepth.max(ply);
        if self.counters.nodes >= self.checkpoint { self.look_up() } else { Ok(()) }
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Stopped> {
        if self.counters.nodes >= self.control.node_limit {
            self.counters.nodes = self.control.node_limit;
            return Err(Stopped);
        }
        self.checkpoint = self.control.node_limit.min(self.counters.nodes + PATIENCE);
        let fresh = self.counters.nodes - self.told;
        self.told = self.counters.nodes;
        let all = self.control.shared_nodes.fetch_add(fresh, Relaxed) + fresh;
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
    pub fn search<M: Method>(&mut self, spot: &Spot<'_, G, E>, window: Window) -> Found {
        self.enter(1, spot.ply)?;
        let glance = self.glance::<M>(spot.game, window, spot.depth);
        self.look_into::<M>(&glance, spot, window)
    }

    /// The value of a node that has been glanced at.
    #[inline]
    fn look_into<M: Method>(&mut self, glance: &Glance<M::Note>, spot: &Spot<'_, G, E>, window: Window) -> Found {
        match glance {
            Glance::Value(value) => Ok(*value),
            Glance::Leaf => Ok(self.judge(spot.game, spot.state)),
            Glance::Decision => self.decision::<M>(spot, window),
            Glance::Chance(note) => M::chance(self, spot, window, note),
        }
    }

    /// The same for the node after a move, in the view before it and with `window` in that view. The move is not made, nor
    /// the evaluation brought up to date, if the answer comes without.
    pub fn try_move<M: Method>(&mut self, spot: &Spot<'_, G, E>, choice: Choice, window: Window) -> Found {
        self.enter(1, spot.ply + 1)?;
        let depth = spot.depth - 1;
        // Positions are changed in place, and notes stay where they are: handed on, they would be copied just after they
        // were written.
        let mut child;
        let (glance, turn);
        match spot.sights {
            Some(start) => {
                let sight = self.sights[start + usize::from(choice.nth)];
                let trace = Trace { hash: sight.hash, frontier: depth == FRONTIER };
                turn = sight.turn;
                glance = M::recall(self, |_| trace, window.after(turn), depth);
                if let Glance::Value(value) = glance {
                    return Ok(before(value, turn));
                }
                child = spot.game.clone();
                let made = child.make(choice.mv);
                debug_assert_eq!((made, child.key(self.images).hash), (turn, sight.hash));
            }
            None => {
                child = spot.game.clone();
                turn = child.make(choice.mv);
                glance = self.glance::<M>(&child, window.after(turn), depth);
                if let Glance::Value(value) = glance {
                    return Ok(before(value, turn));
                }
            }
        }
        let mut state = spot.state.clone();
        if matches!(glance, Glance::Chance(_)) && is_frontier(self, &child, depth) {
            self.evaluator.play_before_last(&mut state, spot.game, choice.mv, &child);
        } else {
            self.evaluator.play(&mut state, spot.game, choice.mv, &child);
        }
        Ok(before(self.look_into::<M>(&glance, &spot.child(&child, &state), window.after(turn))?, turn))
    }

    /// What can be said of a node that has been entered, before its evaluation is needed.
    #[inline]
    fn glance<M: Method>(&mut self, game: &G, window: Window, depth: u32) -> Glance<M::Note> {
        match game.kind() {
            Kind::Over(value) => Glance::Value(value),
            _ if depth == 0 => Glance::Leaf,
            Kind::Decision => Glance::Decision,
            Kind::Chance if depth == 1 && self.evaluator.ignores_outcomes() => Glance::Leaf,
            Kind::Chance => M::recall(
                self,
                |worker| Trace { hash: game.key(worker.images).hash, frontier: is_frontier(worker, game, depth) },
                window,
                depth,
            ),
        }
    }

    /// The same for a node that a step led to, with window and answer in the view before that step.
    pub fn step<M: Method>(&mut self, spot: &Spot<'_, G, E>, window: Window, turn: Turn) -> Found {
        Ok(before(self.search::<M>(spot, window.after(turn))?, turn))
    }

    pub fn judge(&mut self, game: &G, state: &E::State) -> Value {
        self.counters.evaluations += 1;
        self.judgements += 1;
        self.evaluator.value(state, game)
    }

    /// The table's entry of a node, if it has one, and what that says of the value to `depth`.
    pub fn ask_table(&mut self, hash: u64, depth: u32) -> Option<(Entry, Bounds)> {
        let entry = self.table.probe(hash);
        let told = self.rely_on(entry.map(|entry| entry.known(depth)))?;
        entry.map(|entry| (entry, told))
    }

    /// Count a look-up, and take note if what it found rests on judgement.
    pub fn rely_on(&mut self, found: Option<Known>) -> Option<Bounds> {
        self.counters.table_lookups += 1;
        let Known { bounds, solved } = found?;
        self.counters.table_hits += 1;
        self.judgements += u64::from(bounds != Bounds::UNKNOWN && !solved);
        Some(bounds)
    }
}
