//! What a search tells its handler while it runs, and what it hands back at the end.

use std::ops::AddAssign;
use std::time::Duration;

use crate::game::{Step, Value};

/// A root move, or the root itself where it is a chance node, with its value and what should follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The value to the iteration's depth, for the mover at the root.
    pub value: Value,
    /// Expected play, the root move first: outcomes of chance are those whose values lie nearest the chance nodes'. Empty at
    /// a chance root.
    pub pv: Vec<Step<M>>,
}

impl<M> Line<M> {
    /// The root move.
    pub fn first(&self) -> Option<&M> {
        match self.pv.first()? {
            Step::Move(mv) => Some(mv),
            Step::Outcome(_) => None,
        }
    }

    fn map<N>(self, name: &impl Fn(M) -> N) -> Line<N> {
        Line { value: self.value, pv: self.pv.into_iter().map(|step| step.map(name)).collect() }
    }
}

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration<M> {
    /// Its depth.
    pub depth: u32,
    /// The deepest node entered.
    pub seldepth: u32,
    /// The best root moves, best first: as many as MultiPV asks for, or fewer.
    pub lines: Vec<Line<M>>,
    /// Nodes of all threads over all iterations so far.
    pub nodes: u64,
    /// Per mille of the table in use.
    pub hashfull: u32,
    /// Since the search began.
    pub time: Duration,
    /// Whether no heuristic leaf was met: the values are the game's own.
    pub exact: bool,
}

/// What the handler is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Report<M> {
    /// An iteration ended.
    Iteration(Iteration<M>),
    /// An iteration goes on; sent about once a second.
    Progress {
        /// Nodes so far.
        nodes: u64,
        /// Since the search began.
        time: Duration,
    },
}

/// One outcome of a chance root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutcomeValue<M> {
    /// Which outcome.
    pub outcome: u8,
    /// Its value for the mover at the root.
    pub value: Value,
    /// The best move after it, if a decision follows.
    pub best: Option<M>,
}

/// Counts kept by the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Decision and chance nodes entered, leaves included.
    pub nodes: u64,
    /// Undecided leaves evaluated.
    pub evaluations: u64,
    /// Positions evaluated only to guide the search: to put moves in order, to predict a cut.
    pub guiding_evaluations: u64,
    /// Look-ups in the table, or in the memory of frontier_cache nodes.
    pub table_lookups: u64,
    /// Look-ups that found their position.
    pub table_hits: u64,
    /// Nodes answered from the table.
    pub table_cuts: u64,
    /// Chance nodes at which the probing phase was tried.
    pub probes: u64,
    /// Chance nodes cut by the probing phase.
    pub probe_cuts: u64,
    /// Chance nodes cut by what the rules or the table say of their outcomes.
    pub bound_cuts: u64,
    /// Chance nodes cut in the search phase.
    pub search_cuts: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.nodes += other.nodes;
        self.evaluations += other.evaluations;
        self.guiding_evaluations += other.guiding_evaluations;
        self.table_lookups += other.table_lookups;
        self.table_hits += other.table_hits;
        self.table_cuts += other.table_cuts;
        self.probes += other.probes;
        self.probe_cuts += other.probe_cuts;
        self.bound_cuts += other.bound_cuts;
        self.search_cuts += other.search_cuts;
    }
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict<M> {
    /// The move to play: legal whatever ended the search. `None` if the root is a chance node or the game is over.
    pub best: Option<M>,
    /// The last finished iteration; `None` if not even the first was finished, or the game is over.
    pub last: Option<Iteration<M>>,
    /// At a chance root: the value of each outcome, from the last finished iteration or, without one, at first sight.
    pub outcomes: Vec<OutcomeValue<M>>,
    /// The value: of the last finished iteration, of the finished game, or 0 if nothing is known.
    pub value: Value,
    /// Counts over all threads and iterations.
    pub counters: Counters,
    /// Since the search began.
    pub time: Duration,
}

impl<M> Iteration<M> {
    fn map<N>(self, name: &impl Fn(M) -> N) -> Iteration<N> {
        let Iteration { depth, seldepth, lines, nodes, hashfull, time, exact } = self;
        let lines = lines.into_iter().map(|line| line.map(name)).collect();
        Iteration { depth, seldepth, lines, nodes, hashfull, time, exact }
    }
}

impl<M> Report<M> {
    /// The same with moves called otherwise.
    pub fn map<N>(self, name: &impl Fn(M) -> N) -> Report<N> {
        match self {
            Report::Iteration(iteration) => Report::Iteration(iteration.map(name)),
            Report::Progress { nodes, time } => Report::Progress { nodes, time },
        }
    }
}

impl<M> Verdict<M> {
    /// The same with moves called otherwise.
    pub fn map<N>(self, name: &impl Fn(M) -> N) -> Verdict<N> {
        let Verdict { best, last, outcomes, value, counters, time } = self;
        let outcome = |OutcomeValue { outcome, value, best }| OutcomeValue { outcome, value, best: best.map(name) };
        Verdict {
            best: best.map(name),
            last: last.map(|iteration| iteration.map(name)),
            outcomes: outcomes.into_iter().map(outcome).collect(),
            value,
            counters,
            time,
        }
    }

    /// Whether no heuristic leaf was met: the value is the game's own.
    pub fn is_exact(&self) -> bool {
        self.last.as_ref().is_some_and(|iteration| iteration.exact)
    }
}
