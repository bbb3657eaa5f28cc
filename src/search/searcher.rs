//! The face of the search: a position in, reports and a verdict out. Chooses the algorithm, so that all the rest is
//! specialised at compile time.

use std::any::Any;
use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::chance::{Expectimax, Method, Star1, Star2, Star05, Star25, StarEtc};
use super::frontier_cache::FrontierCache;
use super::iterate::{Ranked, Root, RootResult};
use super::limits::{Algorithm, Limits, Settings, Stop};
use super::prune::{Prune, PruneMargins, Pruning};
use super::report::{Counters, Iteration, Line, OutcomeValue, Report, Verdict};
use super::sampled::{Sampled, SampledEvaluator};
use super::table::{Table, TableError};
use super::threads::{BranchOrder, Helpers};
use super::worker::{Control, Probing, Worker};
use crate::eval::{Evaluator, best_at_sight};
use crate::game::{Kind, Shortcuts, Step, Value};
use parking_lot::Mutex;

/// No search looks further ahead than this many steps: a game may be endless, the stack is not.
pub const MAX_PLY: u32 = 1000;

/// How often a long iteration gives a sign of life.
pub(super) const PULSE: Duration = Duration::from_millis(900);

/// Nodes that may be spent on following expected play after an iteration, not counted as the search's own.
const SCOUT_NODES: u64 = 50_000;

/// Everything that one search of many shares with the next: the transposition table, and memory to work in.
pub struct Searcher {
    table: Table,
    frontier_cache: FrontierCache,
    pub(super) helpers: Helpers,
    cores: usize,
    /// The trees that the last search by chance grew, one a thread.
    pub(super) kept: Mutex<Vec<KeptTree>>,
    /// How much memory all trees may take.
    pub(super) tree_bytes: usize,
    /// How the searches were pruned that taught the table what it knows.
    taught: (Prune, PruneMargins),
}

/// A tree of whichever game.
pub(super) type KeptTree = Option<Box<dyn Any + Send>>;

impl Searcher {
    /// A searcher with a table of this size; with none at all if it is 0.
    pub fn new(hash_mb: usize) -> Result<Searcher, TableError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (table, frontier_cache) = (Table::new(hash_mb)?, FrontierCache::new());
        let (kept, tree_bytes) = (Mutex::default(), bytes(hash_mb));
        let taught = Default::default();
        Ok(Searcher { table, frontier_cache, helpers: Helpers::default(), cores, kept, tree_bytes, taught })
    }

    /// Change the size of the table, forgetting what is in it. On an error the old table stays.
    pub fn resize(&mut self, hash_mb: usize) -> Result<(), TableError> {
        self.table = Table::new(hash_mb)?;
        self.tree_bytes = bytes(hash_mb);
        self.kept.get_mut().clear();
        Ok(())
    }

    /// Forget everything learnt. Values are those of one game under one evaluation: a search under another needs this first.
    pub fn forget(&mut self) {
        self.table.clear();
        self.kept.get_mut().clear();
    }

    /// Have all memory at hand, unless that is very much: the first search after this does not wait for it.
    pub fn get_ready(&mut self) {
        self.table.fetch();
        self.frontier_cache.fetch();
    }

    /// Forget what searches taught that were pruned otherwise: it is not true of this one.
    fn unlearn_other_pruning(&mut self, settings: &Settings) {
        let pruned = (settings.prune, settings.prune_margins);
        if std::mem::replace(&mut self.taught, pruned) != pruned {
            self.forget();
        }
    }

    /// How many threads a search may have: those that must wait for a core only hold up the one that has to answer.
    pub(super) fn threads(&self, settings: &Settings) -> usize {
        settings.threads.clamp(1, self.cores)
    }

    /// Per mille of the table in use.
    pub(super) fn hashfull(&self) -> u32 {
        self.table.fill()
    }

    /// Search a position, telling `handler` how it goes.
    pub fn search<G: Shortcuts, E: Evaluator<G>>(
        &mut self,
        game: &G,
        evaluator: &E,
        settings: &Settings,
        limits: &Limits<G::Move>,
        stop: &Stop,
        handler: &mut dyn FnMut(Report<G::Move>),
    ) -> Verdict<G::Move> {
        let start = Instant::now();
        self.unlearn_other_pruning(settings);
        self.table.grow_older();
        self.frontier_cache.forget();
        self.helpers.resize(self.threads(settings) - 1);
        Search { shared: self, game, evaluator, settings, limits, stop, start }.run(handler)
    }
}

/// Megabytes in bytes.
fn bytes(megabytes: usize) -> usize {
    megabytes.max(1).saturating_mul(1 << 20)
}

/// One search.
pub(super) struct Search<'a, G: Shortcuts, E: Evaluator<G>> {
    pub shared: &'a Searcher,
    pub game: &'a G,
    pub evaluator: &'a E,
    pub settings: &'a Settings,
    pub limits: &'a Limits<G::Move>,
    pub stop: &'a Stop,
    pub start: Instant,
}

impl<G: Shortcuts, E: Evaluator<G>> Search<'_, G, E> {
    /// Search by the algorithm asked for.
    fn run(&self, handler: &mut dyn FnMut(Report<G::Move>)) -> Verdict<G::Move> {
        if let Kind::Over(value) = self.game.kind() {
            let (counters, time) = (Counters::default(), self.start.elapsed());
            return Verdict { best: None, last: None, outcomes: Vec::new(), value, counters, time };
        }
        match self.settings.algorithm {
            Algorithm::Expectimax => self.run_method::<Expectimax>(handler),
            Algorithm::Star05 => self.run_method::<Star05>(handler),
            Algorithm::Star1 => self.run_method::<Star1>(handler),
            Algorithm::Star2 => self.run_method::<Star2>(handler),
            Algorithm::Star25 => self.run_method::<Star25>(handler),
            Algorithm::StarEtc => self.run_method::<StarEtc>(handler),
            Algorithm::Mcts => self.run_mcts(handler),
            Algorithm::SparseSampling => self.run_sampled::<Expectimax>(handler),
            Algorithm::Mcms => self.run_sampled::<Star2>(handler),
        }
    }

    /// Search a sample of the outcomes of every chance node but the root. Nothing found so is exact.
    fn run_sampled<M: Method>(&self, handler: &mut dyn FnMut(Report<G::Move>)) -> Verdict<G::Move> {
        let game = Sampled::new(self.game, self.settings.width);
        let evaluator = SampledEvaluator(self.evaluator);
        let &Search { shared, settings, limits, stop, start, .. } = self;
        let search = Search { shared, game: &game, evaluator: &evaluator, settings, limits, stop, start };
        let mut verdict = search.run_method::<M>(&mut |report| {
            handler(match report {
                Report::Iteration(iteration) => Report::Iteration(Iteration { exact: false, ..iteration }),
                progress => progress,
            });
        });
        verdict.last = verdict.last.map(|last| Iteration { exact: false, ..last });
        verdict
    }

    fn run_method<M: Method>(&self, handler: &mut dyn FnMut(Report<G::Move>)) -> Verdict<G::Move> {
        let control = Control::new(self.stop, self.limits);
        let handler = RefCell::new(handler);
        let mut pulsed = self.start;
        let mut pulse = |nodes| {
            if pulsed.elapsed() >= PULSE {
                pulsed = Instant::now();
                (handler.borrow_mut())(Report::Progress { nodes, time: self.start.elapsed() });
            }
        };
        let mut last = None;
        let lead = || {
            let mut worker = self.worker(&control, 0).with_pulse(&mut pulse);
            let result = self.root().deepen::<M>(&mut worker, self.last_depth(), |worker, root, result| {
                let play = self.expected_play::<M>(root, result);
                let iteration = self.iteration(result, play, worker.seldepth, worker.all_nodes());
                last = Some(iteration.clone());
                (handler.borrow_mut())(Report::Iteration(iteration));
            });
            (result, worker.counters)
        };
        let help = |thread| {
            let mut worker = self.worker(&control, thread);
            self.root().deepen::<M>(&mut worker, self.last_depth(), |_, _, _| ());
            worker.counters
        };
        let ((result, mut counters), others) = self.shared.helpers.together(&control, lead, help);
        counters += others;
        self.verdict(result, last, counters)
    }

    fn last_depth(&self) -> u32 {
        self.limits.depth.unwrap_or(MAX_PLY).min(MAX_PLY)
    }

    fn root(&self) -> Root<'_, G, E> {
        let mut moves = Vec::new();
        if self.game.kind() == Kind::Decision {
            moves.extend(self.game.moves());
        }
        if !self.limits.search_moves.is_empty() {
            moves.retain(|mv| self.limits.search_moves.contains(mv));
        }
        let state = self.evaluator.state(self.game);
        Root { game: self.game, state, moves, lines: self.settings.multi_pv.max(1) }
    }

    fn worker<'b>(&'b self, control: &'b Control<'b>, thread: usize) -> Worker<'b, G, E> {
        let probing = Probing { factor: self.settings.probing_factor.max(1), order: self.settings.probe_order };
        let order = BranchOrder::of_thread(thread);
        let Searcher { table, frontier_cache, .. } = self.shared;
        let pruning = Pruning::new(self.settings, self.evaluator);
        Worker::new(self.evaluator, table, probing, control, order, frontier_cache, pruning)
    }

    /// Expected play after each of the best root moves.
    fn expected_play<M: Method>(&self, root: &Root<'_, G, E>, result: &RootResult<G::Move>) -> Vec<Vec<Step<G::Move>>> {
        let control = Control::new(self.stop, &Limits { nodes: Some(SCOUT_NODES), ..self.limits.clone() });
        let mut scout = self.worker(&control, 0);
        let follow = |ranked: &Ranked<G::Move>| root.expected_play::<M>(&mut scout, ranked.mv, result.searched);
        result.moves.iter().map(follow).collect()
    }

    fn iteration(
        &self,
        result: &RootResult<G::Move>,
        play: Vec<Vec<Step<G::Move>>>,
        seldepth: usize,
        nodes: u64,
    ) -> Iteration<G::Move> {
        let line = |(ranked, pv): (&Ranked<G::Move>, Vec<Step<G::Move>>)| Line { value: ranked.value, pv };
        let mut lines: Vec<Line<G::Move>> = result.moves.iter().zip(play).map(line).collect();
        if lines.is_empty() {
            lines.push(Line { value: result.value, pv: Vec::new() });
        }
        Iteration {
            depth: result.depth,
            seldepth: seldepth as u32,
            lines,
            nodes,
            hashfull: self.shared.table.fill(),
            time: self.start.elapsed(),
            exact: result.exact,
        }
    }

    /// What comes of it all. Without a finished iteration, the evaluation has to answer alone.
    pub fn verdict(
        &self,
        result: Option<RootResult<G::Move>>,
        last: Option<Iteration<G::Move>>,
        counters: Counters,
    ) -> Verdict<G::Move> {
        let (best, value, outcomes) = match result {
            Some(result) => (result.moves.first().map(|ranked| ranked.mv), result.value, result.outcomes),
            None => {
                let root = self.root();
                let sight = || best_at_sight(self.evaluator, self.game, &root.state, &root.moves);
                let outcomes = if root.moves.is_empty() { root.outcomes_at_sight(self.evaluator) } else { Vec::new() };
                ((!root.moves.is_empty()).then(sight), Value::DRAW, outcomes)
            }
        };
        let outcomes = outcomes.into_iter();
        let outcomes = outcomes.map(|o| OutcomeValue { outcome: o.outcome, value: o.value, best: o.best }).collect();
        Verdict { best, last, outcomes, value, counters, time: self.start.elapsed() }
    }
}
