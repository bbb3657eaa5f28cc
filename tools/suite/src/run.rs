//! `alea-suite run`: every position by every algorithm to every depth, each from an empty table, several at a time.

use crate::Ended;
use crate::conditions::{Conditions, Start};
use crate::error::Error;
use crate::games::{GameArgs, points};
use crate::judges::{EvalArgs, Judges};
use crate::lists::{Numbers, algorithm, at_least_one, probe_order};
use crate::pace::Pace;
use crate::report::{NO_MOVE, summary};
use crate::results::{ResultsError, Row, Store};
use crate::suites::{Source, Suite};
use crate::variants::Variant;
use alea::search::{Algorithm, Limits, ProbeOrder, Searched, Searcher, Stop};
use alea_tools::files::make_dir;
use alea_tools::interrupt::{Interrupt, Omit, command_line};
use alea_tools::output::{complain, say};
use alea_tools::progress::{Progress, clock};
use clap::Args;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Options of `run`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite run --depths 1-9                          a first look, in seconds
  alea-suite run --out thesis && alea-suite report thesis
                                                       chapter 5 of the 2006 thesis
  alea-suite run --algorithms Star2,Star2.5 --probing 1-3 --order cyclic,sequential --depths 9 --out probing
  alea-suite make --game einstein > mine && alea-suite run --suite mine --depths 1-7 --out einstein

Each search adds a row to DIR/results.csv as it ends. Give the same command again to go on where a run was cut short;
other depths and algorithms are added to those that are there. Other conditions (suite, table, threads, evaluation,
another version of the search) are refused; --fresh starts over. tools/suite/COLUMNS.md explains the columns.")]
pub struct RunArgs {
    #[command(flatten)]
    game: GameArgs,

    /// A file of positions, one a line as the game writes it [default: 75 positions of Dice from the 2006 thesis]
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Algorithms to compare: Expectimax, Star0.5, Star1, Star2, Star2.5, StarETC
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = algorithm,
          default_value = "Expectimax,Star1,Star2,StarETC")]
    algorithms: Vec<Algorithm>,

    /// Depths to search to, as 1-9,13; an outcome of chance and a move count one each
    #[arg(long, value_name = "LIST", default_value = "1-13")]
    depths: Numbers<578>,

    /// Probing factors of Star2 and up: moves probed for each outcome
    #[arg(long, value_name = "LIST", default_value = "1")]
    probing: Numbers<17>,

    /// Probe orders of Star2.5: cyclic, sequential
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = probe_order, default_value = "cyclic")]
    order: Vec<ProbeOrder>,

    /// Threads of each search
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "1")]
    threads: usize,

    /// Searches at a time; each has a table of its own [default: cores over threads]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    jobs: Option<usize>,

    /// Table of each search, in MB
    #[arg(long, value_name = "MB", value_parser = at_least_one, default_value = "64")]
    hash: usize,

    #[command(flatten)]
    eval: EvalArgs,

    /// Where results go
    #[arg(long, value_name = "DIR", default_value = "suite-run")]
    out: PathBuf,

    /// Start over: remove the results that are there
    #[arg(long)]
    fresh: bool,

    /// Refuse a suite that has bad lines, instead of going on with the good ones
    #[arg(long)]
    strict: bool,
}

/// One search to make.
#[derive(Clone, Copy, Debug)]
struct Task {
    entry: usize,
    variant: usize,
    depth: u32,
}

/// What every worker knows.
struct Plan<G: Searched> {
    suite: Suite<G>,
    judges: Vec<G::Evaluator>,
    variants: Vec<Variant>,
    tasks: Vec<Task>,
    threads: usize,
}

/// A search that has ended.
struct Finding {
    task: Task,
    row: Row,
    time: Duration,
}

/// Run what is asked for and not done yet.
pub fn run(args: &RunArgs) -> Result<Ended, Error> {
    let source = Source::open(args.suite.as_deref(), args.game.game.as_deref())?;
    let ended = alea::with_game!(source.game, G => run_game::<G>(args, &source));
    ended.unwrap_or_else(|| Err(Error::NoGame(source.game.into())))
}

fn run_game<G: Searched>(args: &RunArgs, source: &Source) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let suite = Suite::<G>::load(source, args.strict)?;
    let judges = Judges::new::<G>(&args.eval)?;
    let conditions = Conditions::new(&suite, &judges, args.hash, args.threads)?;
    make_dir(&args.out)?;
    let path = args.out.join("results.csv");
    let (mut store, mut rows) = Store::<Row>::open(&path, args.fresh)?;
    let start = match rows.is_empty() {
        _ if args.fresh => Start::Fresh,
        true => Start::New,
        false => Start::GoOn,
    };
    conditions.settle(&args.out, &suite, start)?;

    let plan = plan(args, suite, &judges, &rows)?;
    let jobs = args.jobs.unwrap_or_else(|| (cores() / args.threads).max(1)).min(plan.tasks.len().max(1));
    let searchers: Vec<Searcher> = (0..jobs).map(|_| Searcher::new(args.hash)).collect::<Result<_, _>>()?;
    let (started, known) = (Instant::now(), rows.len());
    perform(&plan, searchers, &stop, &mut store, &mut rows)?;

    let made = rows.len() - known;
    if interrupt.seen() && made < plan.tasks.len() {
        let (all, line) = (plan.tasks.len(), command_line(&[Omit::Flag("--fresh")]));
        say(&format!("Stopped: {made} of {all} searches made, all in {}. To go on:\n  {line}\n", path.display()));
        return Ok(Ended::Interrupted);
    }
    conclude(&args.out, &path, &rows, made, started.elapsed())?;
    Ok(Ended::Done)
}

/// Have Ctrl-C stop all searches that heed `stop`.
pub fn stop_at_interrupt(stop: &Stop) -> Interrupt {
    let stop = stop.clone();
    Interrupt::watch(move || {
        stop.pull();
        complain("Stopping; Ctrl-C again ends at once.");
    })
}

/// What is said at the end of a run.
fn conclude(dir: &Path, path: &Path, rows: &[Row], made: usize, time: Duration) -> Result<(), Error> {
    let (tables, all, time) = (summary(path, rows)?, rows.len(), clock(time));
    let (path, dir) = (path.display(), dir.display());
    say(&format!("{tables}{made} searches made in {time}, {all} in {path}.\nNext: alea-suite report {dir}\n"));
    Ok(())
}

/// Cores of this machine.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The searches that are asked for and have no row yet, shallow ones first.
fn plan<G: Searched>(args: &RunArgs, suite: Suite<G>, judges: &Judges, rows: &[Row]) -> Result<Plan<G>, Error> {
    let probing: Vec<usize> = args.probing.0.iter().map(|&factor| factor as usize).collect();
    let variants = Variant::all(&args.algorithms, &probing, &args.order);
    let done: HashSet<(usize, &str, &str, u32)> =
        rows.iter().map(|row| (row.position, row.algorithm.as_str(), row.options.as_str(), row.depth)).collect();
    let mut tasks = Vec::new();
    for &depth in &args.depths.0 {
        for (variant, named) in variants.iter().enumerate() {
            let options = named.options();
            let todo = |entry: &usize| !done.contains(&(entry + 1, named.algorithm.name(), options.as_str(), depth));
            tasks.extend((0..suite.entries.len()).filter(todo).map(|entry| Task { entry, variant, depth }));
        }
    }
    let judges = judges.each(suite.positions())?;
    Ok(Plan { suite, judges, variants, tasks, threads: args.threads })
}

/// Make the searches, a thread for each searcher, writing each row as it comes.
fn perform<G: Searched>(
    plan: &Plan<G>,
    searchers: Vec<Searcher>,
    stop: &Stop,
    store: &mut Store<Row>,
    rows: &mut Vec<Row>,
) -> Result<(), ResultsError> {
    let next = AtomicUsize::new(0);
    let jobs = searchers.len();
    thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        for searcher in searchers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(plan, searcher, next, stop, &sender));
        }
        drop(sender);
        let written = collect(plan, jobs, &receiver, store, rows);
        // Nobody would read what the workers find after a failure to write.
        stop.pull();
        written
    })?;
    store.sync()
}

/// Take one task after another until none is left.
fn work<G: Searched>(plan: &Plan<G>, mut searcher: Searcher, next: &AtomicUsize, stop: &Stop, found: &Sender<Finding>) {
    while let Some(&task) = plan.tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
        let search = search(plan, &mut searcher, task, stop);
        if stop.pulled() || found.send(search).is_err() {
            return;
        }
    }
}

fn search<G: Searched>(plan: &Plan<G>, searcher: &mut Searcher, task: Task, stop: &Stop) -> Finding {
    searcher.forget();
    let position = &plan.suite.entries[task.entry].position;
    let variant = &plan.variants[task.variant];
    let limits = Limits { depth: Some(task.depth), ..Limits::default() };
    let settings = variant.settings(plan.threads);
    let verdict = position.search(searcher, &plan.judges[task.entry], &settings, &limits, stop, &mut |_| ());
    let row = Row {
        position: task.entry + 1,
        shape: position.network_for(),
        algorithm: variant.algorithm.name().into(),
        options: variant.options(),
        depth: task.depth,
        value: points::<G>(verdict.value),
        best_move: verdict.best.map_or(NO_MOVE.into(), |mv| position.move_text(mv)),
        nodes: verdict.counters.nodes,
        evaluations: verdict.counters.evaluations,
        probes: verdict.counters.probes,
        probe_cuts: verdict.counters.probe_cuts,
        table_hits: verdict.counters.table_hits,
        time_ms: verdict.time.as_micros() as f64 / 1e3,
        exact: verdict.last.is_some_and(|iteration| iteration.exact),
    };
    Finding { task, row, time: verdict.time }
}

/// Write rows as they come, and show how far things are.
fn collect<G: Searched>(
    plan: &Plan<G>,
    jobs: usize,
    found: &Receiver<Finding>,
    store: &mut Store<Row>,
    rows: &mut Vec<Row>,
) -> Result<(), ResultsError> {
    let mut progress = Progress::new("searches", plan.tasks.len());
    let mut pace = Pace::default();
    plan.tasks.iter().for_each(|task| pace.expect(task.variant, task.depth));
    for (done, Finding { task, row, time }) in (1..).zip(found) {
        store.add(&row)?;
        rows.push(row);
        pace.ended(task.variant, task.depth, time);
        progress.show(done, || pace.left(jobs));
    }
    progress.finish();
    Ok(())
}
