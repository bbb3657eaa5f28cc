//! What it costs to begin: the process, its first search, any search; and what an engine costs that has nothing to do.

use crate::cli::Effort;
use crate::dialogue::ask;
use crate::engine::Engine;
use crate::numbers::{Spread, figure};
use crate::os;
use crate::positions::mid_game;
use crate::progress::Progress;
use crate::race::TABLE;
use crate::table::Table;
use alea::eval::dice::DiceEvaluator;
use alea::game::dice::{Position, Shape};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The smallest and the largest of the literature's shapes.
const SHAPES: [(usize, usize); 2] = [(5, 4), (17, 8)];

/// Seconds that a process may take from start to end.
const PROCESS_SECONDS: f64 = 0.03;

/// How long an engine is left alone before it is taken to be idle.
const SETTLING: Duration = Duration::from_millis(50);

/// What beginning costs.
#[derive(Serialize)]
pub struct Start {
    /// From starting the process to its `uciok`.
    process_milliseconds: Spread,
    /// What comes next in a process, by shape.
    dialogues: Vec<Dialogue>,
    /// A whole search to depth 1 by the library.
    search: Vec<Search>,
    /// An engine that has searched on two threads and has nothing to do; nothing where the system does not tell.
    idle: Option<Idle>,
}

/// What an engine takes for its first answers.
#[derive(Serialize)]
struct Dialogue {
    shape: String,
    /// `position`, the first of its shape, which unpacks the network.
    position_milliseconds: Spread,
    /// The first `go depth 1`, to `bestmove`.
    first_go_milliseconds: Spread,
    /// The second.
    next_go_milliseconds: Spread,
}

/// The time of a search to depth 1.
#[derive(Serialize)]
struct Search {
    shape: String,
    threads: usize,
    milliseconds: Spread,
}

/// What an idle engine does.
#[derive(Serialize)]
struct Idle {
    watched_milliseconds: f64,
    processor_milliseconds: f64,
    wake_ups: u64,
    threads: u64,
}

/// About how many seconds it takes.
pub fn cost(effort: &Effort) -> f64 {
    processes_cost(effort) + searches_cost(effort) + effort.idle.as_secs_f64()
}

fn processes_cost(effort: &Effort) -> f64 {
    (effort.processes * SHAPES.len()) as f64 * PROCESS_SECONDS
}

fn searches_cost(effort: &Effort) -> f64 {
    (effort.searches * SHAPES.len()) as f64 * 4e-4
}

/// Measure all of it, and print what comes of it.
pub fn measure(effort: &Effort, progress: &Progress) -> Result<Start, String> {
    let positions: Vec<Position> =
        SHAPES.iter().filter_map(|&(size, win)| Shape::new(size, win)).flat_map(|shape| mid_game(shape, 1)).collect();
    progress.name("starting the process");
    let (process_milliseconds, dialogues) = processes(&positions, effort.processes)?;
    progress.advance(processes_cost(effort));
    progress.name("starting a search");
    let search = searches(&positions, effort.searches)?;
    progress.advance(searches_cost(effort));
    progress.name("idle");
    let idle = idle(effort.idle)?;
    progress.advance(effort.idle.as_secs_f64());
    let start = Start { process_milliseconds, dialogues, search, idle };
    progress.print(&start.text());
    Ok(start)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Start processes, and have each search one position.
fn processes(positions: &[Position], count: usize) -> Result<(Spread, Vec<Dialogue>), String> {
    let mut starts = Vec::new();
    let mut answers: Vec<[Vec<f64>; 3]> = positions.iter().map(|_| [const { Vec::new() }; 3]).collect();
    for _ in 0..count {
        for (position, [set_up, first, next]) in positions.iter().zip(&mut answers) {
            let started = Instant::now();
            let mut engine = Engine::start();
            let spawned = started.elapsed();
            starts.push(milliseconds(spawned + ask(&mut engine, "uci", "uciok")?));
            let position = format!("position dpn {}\nisready", position.dpn());
            set_up.push(milliseconds(ask(&mut engine, &position, "readyok")?));
            first.push(milliseconds(ask(&mut engine, "go depth 1", "bestmove")?));
            next.push(milliseconds(ask(&mut engine, "go depth 1", "bestmove")?));
            engine.send("quit");
        }
    }
    let dialogue = |(position, answers): (&Position, [Vec<f64>; 3])| {
        let [position_milliseconds, first_go_milliseconds, next_go_milliseconds] = answers.map(Spread::of);
        let shape = position.shape().to_string();
        Dialogue { shape, position_milliseconds, first_go_milliseconds, next_go_milliseconds }
    };
    Ok((Spread::of(starts), positions.iter().zip(answers).map(dialogue).collect()))
}

/// Search to depth 1 over and over, on one thread and on two in turn.
fn searches(positions: &[Position], count: usize) -> Result<Vec<Search>, String> {
    let mut searcher = Searcher::new(TABLE).map_err(|error| error.to_string())?;
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let mut found = Vec::new();
    for position in positions {
        let evaluator = DiceEvaluator::for_shape(position.shape());
        let mut times = [const { Vec::new() }; 2];
        for _ in 0..count {
            for (threads, times) in (1..).zip(&mut times) {
                let settings = Settings { threads, ..Settings::default() };
                let start = Instant::now();
                position.search(&mut searcher, &evaluator, &settings, &limits, &Stop::new(), &mut |_| ());
                times.push(milliseconds(start.elapsed()));
            }
        }
        for (threads, times) in (1..).zip(times) {
            let shape = position.shape().to_string();
            found.push(Search { shape, threads, milliseconds: Spread::of(times) });
        }
    }
    Ok(found)
}

/// Watch an engine that has searched on two threads and has been told nothing since.
fn idle(watch: Duration) -> Result<Option<Idle>, String> {
    let mut engine = Engine::start();
    let search = "setoption name Threads value 2\nposition startpos 5 4 roll 0\ngo depth 9";
    ask(&mut engine, search, "bestmove")?;
    std::thread::sleep(SETTLING);
    let before = os::activity(engine.pid());
    std::thread::sleep(watch);
    let after = os::activity(engine.pid());
    let threads = os::threads(engine.pid());
    engine.send("quit");
    Ok(before.zip(after).zip(threads).map(|((before, after), threads)| Idle {
        watched_milliseconds: milliseconds(watch),
        processor_milliseconds: after.nanoseconds.saturating_sub(before.nanoseconds) as f64 / 1e6,
        wake_ups: after.sleeps.saturating_sub(before.sleeps),
        threads,
    }))
}

impl Start {
    /// The dearest of the searches, in milliseconds.
    pub fn dearest_search(&self) -> f64 {
        self.search.iter().map(|search| search.milliseconds.median).fold(0.0, f64::max)
    }

    /// The share of a processor that an idle engine takes, if that is known.
    pub fn idle_share(&self) -> Option<f64> {
        self.idle.as_ref().map(|idle| idle.processor_milliseconds / idle.watched_milliseconds)
    }

    /// For people.
    fn text(&self) -> String {
        let mut table = Table::new("Starting: ms", ["", "median", "spread"]);
        let named = |name: String, spread: Spread| [name].into_iter().chain(spread.cells());
        table.row(named("process, from its start to uciok".into(), self.process_milliseconds));
        for dialogue in &self.dialogues {
            let shape = &dialogue.shape;
            let first = format!("{shape}: its first position, which unpacks the network");
            table.row(named(first, dialogue.position_milliseconds));
            table.row(named(format!("{shape}: from its first go depth 1 to bestmove"), dialogue.first_go_milliseconds));
            table.row(named(format!("{shape}: from its next go depth 1 to bestmove"), dialogue.next_go_milliseconds));
        }
        for search in &self.search {
            let s = if search.threads == 1 { "" } else { "s" };
            let name = format!("{}: a search to depth 1 by the library, {} thread{s}", search.shape, search.threads);
            table.row(named(name, search.milliseconds));
        }
        let idle = match &self.idle {
            None => "an idle engine: not measured on this system".into(),
            Some(idle) => format!(
                "an engine that has searched on two threads and is idle, in {} ms:\n{} ms of processor, {} wake-ups; it has {} threads",
                figure(idle.watched_milliseconds),
                figure(idle.processor_milliseconds),
                idle.wake_ups,
                idle.threads
            ),
        };
        table.text(&idle)
    }
}
