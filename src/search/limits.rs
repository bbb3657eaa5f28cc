//! What a search is asked to do and when it must end.

use super::prune::{Prune, PruneMargins};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How chance nodes are searched: plainly, or by one of Ballard's methods and their descendants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Every outcome in full.
    Expectimax,
    /// Full windows, with a cut between outcomes.
    Star05,
    /// Windows narrowed by what the other outcomes can still give (Ballard 1983).
    Star1,
    /// A few moves of every outcome first, for lower bounds (Ballard 1983).
    Star2,
    /// The same, one move at a time, in a chosen order.
    Star25,
    /// Before all that, the transposition table for the node and for every outcome (Veness 2006).
    #[default]
    StarEtc,
    /// Not Expectimax's value: simulations down a tree that grows where they go well (Kocsis & Szepesvári 2006).
    Mcts,
    /// Nor this: Expectimax over a sample of the outcomes of each chance node (Kearns, Mansour & Ng 2002).
    SparseSampling,
    /// The same value for fewer nodes, by Star2 (Lanctot et al. 2013).
    Mcms,
}

impl Algorithm {
    /// Every algorithm that finds Expectimax's value, plainest first.
    pub const EXACT: [Algorithm; 6] = [
        Algorithm::Expectimax,
        Algorithm::Star05,
        Algorithm::Star1,
        Algorithm::Star2,
        Algorithm::Star25,
        Algorithm::StarEtc,
    ];

    /// Every algorithm: those, and those that search by chance.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Expectimax,
        Algorithm::Star05,
        Algorithm::Star1,
        Algorithm::Star2,
        Algorithm::Star25,
        Algorithm::StarEtc,
        Algorithm::Mcts,
        Algorithm::SparseSampling,
        Algorithm::Mcms,
    ];

    /// Whether it finds Expectimax's value.
    pub fn is_exact(self) -> bool {
        Algorithm::EXACT.contains(&self)
    }

    /// The name users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Expectimax => "Expectimax",
            Algorithm::Star05 => "Star0.5",
            Algorithm::Star1 => "Star1",
            Algorithm::Star2 => "Star2",
            Algorithm::Star25 => "Star2.5",
            Algorithm::StarEtc => "StarETC",
            Algorithm::Mcts => "MCTS",
            Algorithm::SparseSampling => "SparseSampling",
            Algorithm::Mcms => "MCMS",
        }
    }
}

/// In which order Star2.5 probes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProbeOrder {
    /// The first move of every outcome, then the second of every outcome, and so on.
    #[default]
    Cyclic,
    /// All probes of one outcome, then of the next.
    Sequential,
}

impl ProbeOrder {
    /// Both orders.
    pub const ALL: [ProbeOrder; 2] = [ProbeOrder::Cyclic, ProbeOrder::Sequential];

    /// The name users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            ProbeOrder::Cyclic => "cyclic",
            ProbeOrder::Sequential => "sequential",
        }
    }
}

/// How searches by chance weigh what they meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// The constant of UCB1, in hundredths.
    pub exploration: u32,
    /// Simulations up to which moves made later count as much as a move's own record; 0: never.
    pub rave: u32,
    /// Simulations that the evaluation of a move at first sight counts for; 0: none.
    pub prior: u32,
    /// How much of a leaf's value is a playout's, in per cent; the rest is the evaluation's.
    pub playouts: u32,
    /// Moves drawn by chance at each step of a playout, of which the most promising is made.
    pub candidates: u32,
}

impl Sampling {
    /// Playouts alone, and nothing but UCB1: the plain rival.
    pub const PLAIN: Sampling = Sampling { exploration: 70, rave: 0, prior: 0, playouts: 100, candidates: 1 };

    /// Whether positions are evaluated at all.
    pub fn evaluates(self) -> bool {
        self.prior > 0 || self.playouts < 100
    }
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling::PLAIN
    }
}

/// How to search, whatever the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The chance-node method.
    pub algorithm: Algorithm,
    /// Moves probed for each outcome, by Star2 and up; at least 1.
    pub probing_factor: usize,
    /// The order of Star2.5's probes.
    pub probe_order: ProbeOrder,
    /// Search threads; at least 1.
    pub threads: usize,
    /// Root moves reported with exact values; at least 1.
    pub multi_pv: usize,
    /// In dark chess: no more flips than this are looked at in a line, which is unsound; 0 for no limit.
    pub flip_limit: u8,
    /// What is left out without proof, by algorithms that otherwise find Expectimax's value.
    pub prune: Prune,
    /// How far that goes.
    pub prune_margins: PruneMargins,
    /// How MCTS samples.
    pub sampling: Sampling,
    /// Where time alone limits the search, look for the truth by all means that the game has.
    pub perfect: bool,
    /// Draws at each chance node, by SparseSampling and MCMS; at least 1.
    pub width: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::default(),
            probing_factor: 1,
            probe_order: ProbeOrder::default(),
            threads: 1,
            multi_pv: 1,
            flip_limit: 0,
            prune: Prune::default(),
            prune_margins: PruneMargins::default(),
            sampling: Sampling::default(),
            perfect: false,
            width: 4,
        }
    }
}

/// When to end. Limits combine: the first one reached ends the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits<M> {
    /// The last iteration.
    pub depth: Option<u32>,
    /// Nodes over all iterations; kept exactly on one thread.
    pub nodes: Option<u64>,
    /// The moment to answer by.
    pub deadline: Option<Instant>,
    /// The only root moves to look at; all if empty. Must be legal.
    pub search_moves: Vec<M>,
}

/// None at all.
impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits { depth: None, nodes: None, deadline: None, search_moves: Vec::new() }
    }
}

impl<M> Limits<M> {
    /// The last iteration is this one.
    pub fn to_depth(depth: u32) -> Limits<M> {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether time alone limits the search, or nothing.
    pub fn is_time(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none()
    }

    /// The same with moves called otherwise.
    pub fn map<N>(&self, name: impl Fn(&M) -> N) -> Limits<N> {
        let search_moves = self.search_moves.iter().map(name).collect();
        Limits { depth: self.depth, nodes: self.nodes, deadline: self.deadline, search_moves }
    }
}

/// A request to end one search, made with that search and never used for another.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A token nobody has pulled.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ask the search to end now.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been asked to end.
    pub fn pulled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
