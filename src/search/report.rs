//! What a search tells its handler while it runs, and what it hands back at the end.

use std::ops::AddAssign;
use std::time::Duration;

use crate::game::Value;
use crate::game::dice::Cell;

/// One ply of a principal variation. The root move of a rolled position has no roll of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PvPly {
    /// The roll supposed before the move: the one whose value lies nearest the chance node's.
    pub roll: Option<u8>,
    /// Where the side to move plays.
    pub cell: Cell,
}

/// A root move, or the root itself where it is a chance node, with its value and what should follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The value to the iteration's depth, for the side to move at the root.
    pub value: Value,
    /// Expected play; empty at a root that is not rolled.
    pub pv: Vec<PvPly>,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Its depth.
    pub depth: u32,
    /// The deepest node entered.
    pub seldepth: u32,
    /// The best root moves, best first: as many as MultiPV asks for, or fewer.
    pub lines: Vec<Line>,
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
pub enum Report {
    /// An iteration ended.
    Iteration(Iteration),
    /// An iteration goes on; sent about once a second.
    Progress {
        /// Nodes so far.
        nodes: u64,
        /// Since the search began.
        time: Duration,
    },
}

/// One roll of a root that is not rolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RollValue {
    /// The roll.
    pub roll: u8,
    /// Its value for the side to move.
    pub value: Value,
    /// The best move with it.
    pub best: Cell,
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
    /// Look-ups in the table, or in the memory of recent nodes.
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
pub struct Verdict {
    /// The move to play: legal whatever ended the search. `None` if the root is not rolled or the game is over.
    pub best: Option<Cell>,
    /// The last finished iteration; `None` if not even the first was finished, or the game is over.
    pub last: Option<Iteration>,
    /// At a root that is not rolled: the value of each roll, from the last finished iteration.
    pub rolls: Vec<RollValue>,
    /// The value: of the last finished iteration, of the finished game, or 0 if nothing is known.
    pub value: Value,
    /// Counts over all threads and iterations.
    pub counters: Counters,
    /// Since the search began.
    pub time: Duration,
}
