//! `alea-suite solve`: exact values, and all best moves, of positions that can be searched to the end in the time given.

use crate::Ended;
use crate::error::Error;
use crate::judges::Judges;
use crate::lists::{BadWord, at_least_one};
use crate::report::NO_MOVE;
use crate::results::{Record, ResultsError, Store};
use crate::run::{cores, stop_at_interrupt};
use crate::suites::{Entry, Suite};
use alea::eval::Judge;
use alea::game::MAX_BRANCHES;
use alea::game::dice::{Cell, Position};
use alea::search::{Limits, Searcher, Settings, Stop};
use alea_tools::interrupt::{Omit, command_line};
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use clap::Args;
use crossbeam::channel::{Receiver, Sender, unbounded};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Options of `solve`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite solve endings.dpn
  alea-suite solve endings.dpn --time 60 --jobs 1 --hash 1024 --out endings.csv

One line a position: its line in the file, the exact value for the side to move, and every move that achieves it. Of a
position that is not rolled: the value, then a line for every roll. A position that is not solved in time is given the
value of the deepest search that ended, with its depth. With --out each position also becomes a row of a CSV, and those
that are there as solved already are skipped.")]
pub struct SolveArgs {
    /// A file of positions, one DPN a line
    #[arg(value_name = "FILE.dpn")]
    file: PathBuf,

    /// Seconds for each position
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    time: Duration,

    /// Positions at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    jobs: Option<usize>,

    /// Table of each, in MB
    #[arg(long, value_name = "MB", value_parser = at_least_one, default_value = "256")]
    hash: usize,

    /// A CSV to keep the results in, and not solve again what it has solved
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Start over: remove what that CSV has
    #[arg(long, requires = "out")]
    fresh: bool,

    /// Refuse a file that has bad lines, instead of going on with the good ones
    #[arg(long)]
    strict: bool,
}

fn seconds(text: &str) -> Result<Duration, BadWord> {
    let number: f64 = text.parse().map_err(|_| BadWord::Expected("seconds, as 10 or 0.5"))?;
    let time = Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero());
    time.filter(|time| *time <= Duration::from_secs(31_536_000))
        .ok_or(BadWord::Expected("more than 0 seconds, a year at most"))
}

/// One position, or one roll of one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Solution {
    /// The position in DPN; with the roll, if this is of one roll.
    dpn: String,
    /// The value for the side to move.
    value: f64,
    /// Whether it is the game's own.
    exact: bool,
    /// The depth of the last search that ended.
    depth: u32,
    /// The best moves, or `(none)` where the die is not rolled.
    best_moves: String,
    /// Nodes searched.
    nodes: u64,
    /// Milliseconds taken.
    time_ms: f64,
}

impl Record for Solution {
    const COLUMNS: &'static str = "dpn,value,exact,depth,best_moves,nodes,time_ms";
}

/// Positions being solved.
struct Work<'a> {
    entries: Vec<&'a Entry>,
    judges: Vec<Judge>,
    time: Duration,
    next: AtomicUsize,
    stop: Stop,
}

/// Solve a file of positions.
pub fn solve(args: &SolveArgs) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let suite = Suite::load(Some(&args.file), args.strict)?;
    let (mut store, known) = match &args.out {
        Some(path) => Store::<Solution>::open(path, args.fresh).map(|(store, known)| (Some(store), known))?,
        None => (None, Vec::new()),
    };
    let known: HashSet<String> = known.into_iter().filter(|known| known.exact).map(|known| known.dpn).collect();
    let entries: Vec<&Entry> = suite.entries.iter().filter(|entry| !known.contains(&entry.position.dpn())).collect();
    if entries.len() < suite.entries.len() {
        say(&format!("{} positions are solved already.\n", suite.entries.len() - entries.len()));
    }
    let judges = Judges::built_in();
    let judges = entries.iter().map(|entry| judges.judge(entry.position.shape())).collect::<Result<_, _>>()?;
    let work = Work { entries, judges, time: args.time, next: AtomicUsize::new(0), stop };
    let jobs = args.jobs.unwrap_or_else(cores).min(work.entries.len().max(1));
    let searchers: Vec<Searcher> = (0..jobs).map(|_| Searcher::new(args.hash)).collect::<Result<_, _>>()?;
    let (told, solved) = thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        for searcher in searchers {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work.go_on(searcher, &sender));
        }
        drop(sender);
        let counts = tell(&work.entries, &receiver, &mut store);
        // Nobody would hear of what is found after a failure to write.
        work.stop.pull();
        counts
    })?;
    let all = work.entries.len();
    if interrupt.seen() && told < all {
        let kept = if args.out.is_some() { "those are kept" } else { "with --out FILE.csv they would be kept" };
        let line = command_line(&[Omit::Flag("--fresh")]);
        say(&format!("Stopped: {solved} of {all} solved; {kept}. To go on:\n  {line}\n"));
        return Ok(Ended::Interrupted);
    }
    say(&format!("{solved} of {all} solved.\n"));
    Ok(Ended::Done)
}

impl Work<'_> {
    /// Take one position after another until none is left.
    fn go_on(&self, mut searcher: Searcher, found: &Sender<(usize, Vec<Solution>)>) {
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = self.entries.get(i) else { return };
            searcher.forget();
            let solutions = self.solutions(&mut searcher, &entry.position, &self.judges[i]);
            if self.stop.pulled() || found.send((i, solutions)).is_err() {
                return;
            }
        }
    }

    /// The solution of a position, and after it that of each roll if the die is not rolled.
    fn solutions(&self, searcher: &mut Searcher, position: &Position, judge: &Judge) -> Vec<Solution> {
        let whole = self.solution(searcher, position, judge);
        let rolled = position.roll().is_some();
        let rolls = position.open_lines().into_iter().filter(|_| !rolled && whole.exact);
        // The table knows the answers from the search of the whole.
        let each = rolls.filter_map(|roll| {
            let rolled = position.with_roll(u32::from(roll)).ok()?;
            Some(self.solution(searcher, &rolled, judge))
        });
        let each: Vec<Solution> = each.collect();
        std::iter::once(whole).chain(each).collect()
    }

    fn solution(&self, searcher: &mut Searcher, position: &Position, judge: &Judge) -> Solution {
        let settings = Settings { multi_pv: MAX_BRANCHES, ..Settings::default() };
        let limits = Limits { deadline: Instant::now().checked_add(self.time), ..Limits::default() };
        let verdict = searcher.search(position, judge, &settings, &limits, &self.stop, &mut |_| ());
        let lines = verdict.last.as_ref().map_or(&[][..], |last| &last.lines);
        let best = lines.iter().filter(|line| line.value == verdict.value).filter_map(|line| line.pv.first());
        let mut best: Vec<Cell> = best.map(|ply| ply.cell).collect();
        best.sort_unstable();
        let names: Vec<String> = best.iter().map(Cell::to_string).collect();
        Solution {
            dpn: position.dpn(),
            value: (verdict.value.to_f64() * 1e8).round() / 1e8,
            exact: verdict.last.as_ref().is_some_and(|last| last.exact),
            depth: verdict.last.as_ref().map_or(0, |last| last.depth),
            best_moves: if names.is_empty() { NO_MOVE.into() } else { names.join(" ") },
            nodes: verdict.counters.nodes,
            time_ms: verdict.time.as_micros() as f64 / 1e3,
        }
    }
}

/// Print solutions in the order of the file, and keep them, as they come. Hands back how many there are, and how many of
/// them are exact.
fn tell(
    entries: &[&Entry],
    found: &Receiver<(usize, Vec<Solution>)>,
    store: &mut Option<Store<Solution>>,
) -> Result<(usize, usize), ResultsError> {
    let mut progress = Progress::new("positions", entries.len());
    let started = Instant::now();
    let mut waiting = BTreeMap::new();
    let (mut told, mut all, mut solved) = (0, 0, 0);
    for (done, (i, solutions)) in (1..).zip(found) {
        if let Some(store) = store {
            // The whole last: once it is there, so are its rolls.
            solutions.iter().rev().try_for_each(|solution| store.add(solution))?;
        }
        solved += usize::from(solutions.first().is_some_and(|whole| whole.exact));
        waiting.insert(i, solutions);
        while let Some(solutions) = waiting.remove(&told) {
            progress.print(&lines(entries[told], &solutions));
            told += 1;
        }
        all = done;
        progress.show(done, || at_this_pace(started, done, entries.len()));
    }
    // After an interruption some may wait for others that never came.
    waiting.iter().for_each(|(&i, solutions)| progress.print(&lines(entries[i], solutions)));
    progress.finish();
    store.as_mut().map_or(Ok(()), Store::sync)?;
    Ok((all, solved))
}

/// What is said of one position.
fn lines(entry: &Entry, solutions: &[Solution]) -> String {
    let mut text = String::new();
    for (i, solution) in solutions.iter().enumerate() {
        let head = match i {
            0 => format!("line {}: {}\n ", entry.line, solution.dpn),
            _ => format!("  roll {}", solution.dpn.split(' ').nth(3).unwrap_or_default()),
        };
        let how = match solution.exact {
            true => "exact".to_string(),
            false => format!("NOT SOLVED in time, to depth {}", solution.depth),
        };
        let best =
            if solution.best_moves == NO_MOVE { String::new() } else { format!(", best {}", solution.best_moves) };
        let cost = if i == 0 {
            format!(" ({} nodes, {:.2} s)", solution.nodes, solution.time_ms / 1e3)
        } else {
            String::new()
        };
        text += &format!("{head} value {:.6} {how}{best}{cost}\n", solution.value);
    }
    text
}
