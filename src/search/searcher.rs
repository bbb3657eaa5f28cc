//! The face of the search: a position of Dice in, reports and a verdict out. Chooses the narrowest bitboards and the
//! algorithm, so that all the rest is specialised at compile time.

use std::time::{Duration, Instant};

use super::chance::{Expectimax, Method, Star1, Star2, Star05, Star25, StarEtc};
use super::iterate::{Ranked, RankedOutcome, Root, Sweep};
use super::limits::{Algorithm, Limits, Settings, Stop};
use super::pv::Step;
use super::recent::Recent;
use super::report::{Counters, Iteration, Line, PvPly, Report, RollValue, Verdict};
use super::table::{Table, TableError};
use super::threads::{Crew, Tour};
use super::worker::{Control, Probing, Worker};
use crate::eval::{Evaluator, Judge};
use crate::game::dice::{Board, Position, Wide, Width};
use crate::game::{Game, Kind, Move, Value};
use crate::with_width;
use std::cell::RefCell;

/// How often a long iteration gives a sign of life.
const PULSE: Duration = Duration::from_millis(900);

/// Nodes that may be spent on following expected play after an iteration, not counted as the search's own.
const SCOUT_NODES: u64 = 50_000;

/// What the last finished iteration of a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its depth.
    pub depth: u32,
    /// The value of the root.
    pub value: Value,
    /// The best move, at a decision.
    pub best: Option<Move>,
    /// Whether no heuristic leaf was met.
    pub exact: bool,
}

/// The end of a search of any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// `None` if not even the first iteration was finished.
    pub found: Option<Finding>,
    /// Counts over all threads and iterations.
    pub counters: Counters,
}

/// Everything that one search of many shares with the next: the transposition table, and memory to work in.
pub struct Searcher {
    table: Table,
    recent: Recent,
    crew: Crew,
    cores: usize,
}

impl Searcher {
    /// A searcher with a table of this size; with none at all if it is 0.
    pub fn new(hash_mb: usize) -> Result<Searcher, TableError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Searcher { table: Table::new(hash_mb)?, recent: Recent::new(), crew: Crew::default(), cores })
    }

    /// Change the size of the table, forgetting what is in it. On an error the old table stays.
    pub fn resize(&mut self, hash_mb: usize) -> Result<(), TableError> {
        self.table = Table::new(hash_mb)?;
        Ok(())
    }

    /// Forget everything learnt.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Have all memory at hand, unless that is very much: the first search after this does not wait for it.
    pub fn get_ready(&mut self) {
        self.table.fetch();
        self.recent.fetch();
    }

    fn task<'a>(&'a mut self, settings: &'a Settings, limits: &'a Limits, stop: &'a Stop) -> Task<'a> {
        let start = Instant::now();
        self.table.grow_older();
        self.recent.forget();
        // Threads that must wait for a core only hold up the one that has to answer.
        self.crew.resize(settings.threads.clamp(1, self.cores) - 1);
        Task { table: &self.table, recent: &self.recent, crew: &self.crew, settings, limits, stop, start }
    }

    /// Search a position, telling `handler` how it goes.
    pub fn search(
        &mut self,
        position: &Position,
        judge: &Judge,
        settings: &Settings,
        limits: &Limits,
        stop: &Stop,
        handler: &mut dyn FnMut(Report),
    ) -> Verdict {
        self.search_judged_by(judge, position, settings, limits, stop, handler)
    }

    /// The same with any evaluation of Dice in the engine's own's place.
    pub fn search_judged_by<J>(
        &mut self,
        judge: &J,
        position: &Position,
        settings: &Settings,
        limits: &Limits,
        stop: &Stop,
        handler: &mut dyn FnMut(Report),
    ) -> Verdict
    where
        J: Evaluator<Board<u32>> + Evaluator<Board<u64>> + Evaluator<Board<u128>> + Evaluator<Board<Wide>>,
    {
        let task = self.task(settings, limits, stop);
        with_width!(position.shape(), B => task.dice(&position.to_width::<B>(), judge, handler))
    }

    /// Search a position of any game, in silence.
    pub fn search_game<G: Game, E: Evaluator<G>>(
        &mut self,
        game: &G,
        evaluator: &E,
        settings: &Settings,
        limits: &Limits,
        stop: &Stop,
    ) -> Answer {
        let task = self.task(settings, limits, stop);
        let moves = if game.kind() == Kind::Decision { game.moves().to_vec() } else { Vec::new() };
        let (sweep, counters) = task.run(game, evaluator, moves, &mut |_| ());
        let found = sweep.map(|sweep| Finding {
            depth: sweep.depth,
            value: sweep.value,
            best: sweep.moves.first().map(|ranked| ranked.mv),
            exact: sweep.exact,
        });
        Answer { found, counters }
    }
}

/// One search.
struct Task<'a> {
    table: &'a Table,
    recent: &'a Recent,
    crew: &'a Crew,
    settings: &'a Settings,
    limits: &'a Limits,
    stop: &'a Stop,
    start: Instant,
}

/// What happens in a search, of any game.
enum Event<'a> {
    Pulse { nodes: u64 },
    Sweep { sweep: &'a Sweep, play: Vec<Vec<Step>>, seldepth: usize, nodes: u64 },
}

impl Task<'_> {
    /// Search a position of Dice.
    fn dice<B: Width, E: Evaluator<Board<B>>>(
        &self,
        board: &Board<B>,
        evaluator: &E,
        handler: &mut dyn FnMut(Report),
    ) -> Verdict {
        let mut moves = Vec::new();
        if board.kind() == Kind::Decision {
            moves.extend(board.moves());
        }
        if !self.limits.search_moves.is_empty() {
            moves.retain(|&mv| self.limits.search_moves.contains(&board.move_cell(mv)));
        }
        let fallback = moves.first().map(|&mv| board.move_cell(mv));
        let mut last = None;
        let (sweep, counters) = self.run(board, evaluator, moves, &mut |event| {
            handler(match event {
                Event::Pulse { nodes } => Report::Progress { nodes, time: self.start.elapsed() },
                Event::Sweep { sweep, play, seldepth, nodes } => {
                    let iteration = self.iteration(board, sweep, &play, seldepth, nodes);
                    last = Some(iteration.clone());
                    Report::Iteration(iteration)
                }
            });
        });
        let time = self.start.elapsed();
        let Some(sweep) = sweep else {
            let value = if let Kind::Over(value) = board.kind() { value } else { Value::DRAW };
            return Verdict { best: fallback, last, rolls: Vec::new(), value, counters, time };
        };
        let best = sweep.moves.first().map(|ranked| board.move_cell(ranked.mv));
        let roll = |ranked: &RankedOutcome| RollValue {
            roll: ranked.outcome,
            value: ranked.value,
            best: board.move_cell(ranked.best),
        };
        let rolls = sweep.outcomes.iter().map(roll).collect();
        Verdict { best, last, rolls, value: sweep.value, counters, time }
    }

    fn iteration<B: Width>(
        &self,
        board: &Board<B>,
        sweep: &Sweep,
        play: &[Vec<Step>],
        seldepth: usize,
        nodes: u64,
    ) -> Iteration {
        let ply = |&(roll, mv): &Step| PvPly { roll, cell: board.move_cell(mv) };
        let line =
            |(ranked, play): (&Ranked, &Vec<Step>)| Line { value: ranked.value, pv: play.iter().map(ply).collect() };
        let mut lines: Vec<Line> = sweep.moves.iter().zip(play).map(line).collect();
        if lines.is_empty() {
            lines.push(Line { value: sweep.value, pv: Vec::new() });
        }
        Iteration {
            depth: sweep.depth,
            seldepth: seldepth as u32,
            lines,
            nodes,
            hashfull: self.table.fill(),
            time: self.start.elapsed(),
            exact: sweep.exact,
        }
    }

    /// Search a position of any game, by the algorithm asked for.
    fn run<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        moves: Vec<Move>,
        handler: &mut dyn FnMut(Event<'_>),
    ) -> (Option<Sweep>, Counters) {
        match self.settings.algorithm {
            Algorithm::Expectimax => self.run_method::<Expectimax, G, E>(game, evaluator, moves, handler),
            Algorithm::Star05 => self.run_method::<Star05, G, E>(game, evaluator, moves, handler),
            Algorithm::Star1 => self.run_method::<Star1, G, E>(game, evaluator, moves, handler),
            Algorithm::Star2 => self.run_method::<Star2, G, E>(game, evaluator, moves, handler),
            Algorithm::Star25 => self.run_method::<Star25, G, E>(game, evaluator, moves, handler),
            Algorithm::StarEtc => self.run_method::<StarEtc, G, E>(game, evaluator, moves, handler),
        }
    }

    fn run_method<M: Method, G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        moves: Vec<Move>,
        handler: &mut dyn FnMut(Event<'_>),
    ) -> (Option<Sweep>, Counters) {
        if let Kind::Over(_) = game.kind() {
            return (None, Counters::default());
        }
        let control = Control::new(self.stop, self.limits);
        let handler = RefCell::new(handler);
        let mut pulsed = self.start;
        let mut pulse = |nodes| {
            if pulsed.elapsed() >= PULSE {
                pulsed = Instant::now();
                (handler.borrow_mut())(Event::Pulse { nodes });
            }
        };
        let lead = || {
            let mut worker = self.worker(game, evaluator, &control, 0).with_pulse(&mut pulse);
            let mut root = self.root(game, evaluator, &moves);
            let sweep = root.deepen::<M>(&mut worker, self.last_depth(game), |worker, root, sweep| {
                let play = self.expected_play::<M, G, E>(root, sweep, evaluator);
                let (seldepth, nodes) = (worker.seldepth, worker.all_nodes());
                (handler.borrow_mut())(Event::Sweep { sweep, play, seldepth, nodes });
            });
            (sweep, worker.counters)
        };
        let help = |thread| {
            let mut worker = self.worker(game, evaluator, &control, thread);
            self.root(game, evaluator, &moves).deepen::<M>(&mut worker, self.last_depth(game), |_, _, _| ());
            worker.counters
        };
        let ((sweep, mut counters), others) = self.crew.together(&control, lead, help);
        counters += others;
        (sweep, counters)
    }

    fn last_depth<G: Game>(&self, game: &G) -> u32 {
        self.limits.depth.unwrap_or(u32::MAX).min(game.plies_left())
    }

    fn root<'b, G: Game, E: Evaluator<G>>(&self, game: &'b G, evaluator: &E, moves: &[Move]) -> Root<'b, G, E> {
        Root { game, state: evaluator.state(game), moves: moves.to_vec(), lines: self.settings.multi_pv.max(1) }
    }

    fn worker<'b, G: Game, E: Evaluator<G>>(
        &'b self,
        game: &G,
        evaluator: &'b E,
        control: &'b Control<'b>,
        thread: usize,
    ) -> Worker<'b, G, E> {
        let probing = Probing { factor: self.settings.probing_factor.max(1), order: self.settings.probe_order };
        let (tour, plies) = (Tour::of_thread(thread), game.plies_left() as usize + 1);
        Worker::new(evaluator, self.table, probing, control, tour, self.recent, plies)
    }

    /// Expected play after each of the best root moves.
    fn expected_play<M: Method, G: Game, E: Evaluator<G>>(
        &self,
        root: &Root<'_, G, E>,
        sweep: &Sweep,
        evaluator: &E,
    ) -> Vec<Vec<Step>> {
        let control = Control::new(self.stop, &Limits { nodes: Some(SCOUT_NODES), ..self.limits.clone() });
        let mut scout = self.worker(root.game, evaluator, &control, 0);
        let follow = |ranked: &Ranked| root.expected_play::<M>(&mut scout, ranked.mv, sweep.searched);
        sweep.moves.iter().map(follow).collect()
    }
}
