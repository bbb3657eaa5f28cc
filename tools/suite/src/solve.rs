//! `alea-suite solve`: exact values, and all best moves, of positions that can be searched to the end in the time given.

use crate::Ended;
use crate::error::Error;
use crate::games::{GameArgs, points};
use crate::judges::{EvalArgs, Judges};
use crate::lists::{BadWord, at_least_one};
use crate::report::NO_MOVE;
use crate::results::{Record, ResultsError, Store};
use crate::run::{cores, stop_at_interrupt};
use crate::suites::{Entry, Source, Suite};
use alea::game::{Kind, Step};
use alea::search::{Limits, Line, Searched, Searcher, Settings, Stop};
use alea_tools::interrupt::{Omit, command_line};
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use clap::Args;
use crossbeam::channel::{Receiver, Sender, unbounded};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
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
  alea-suite solve --game einstein endings             positions of another game, if the file does not name it

One line a position: its line in the file, the exact value for the side to move, and every move that achieves it. Of a
position at which chance is to come: the value, then a line for every outcome. A position that is not solved in time is given the
value of the deepest search that ended, with its depth. With --out each position also becomes a row of a CSV, and those
that are there as solved already are skipped.")]
pub struct SolveArgs {
    /// A file of positions, one a line as the game writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    eval: EvalArgs,

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

/// How far equal values may be rounded apart, in steps of values.
const ROUNDING: u32 = 2;

fn seconds(text: &str) -> Result<Duration, BadWord> {
    let number: f64 = text.parse().map_err(|_| BadWord::Expected("seconds, as 10 or 0.5"))?;
    let time = Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero());
    time.filter(|time| *time <= Duration::from_secs(31_536_000))
        .ok_or(BadWord::Expected("more than 0 seconds, a year at most"))
}

/// One position, or one roll of one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Solution {
    /// The position as its game writes it; with the roll, if this is of one roll.
    fen: String,
    /// The value for the side to move.
    value: f64,
    /// Whether it is the game's own.
    exact: bool,
    /// The depth of the last search that ended.
    depth: u32,
    /// The best moves, or `(none)` where chance is to come.
    best_moves: String,
    /// Nodes searched.
    nodes: u64,
    /// Milliseconds taken.
    time_ms: f64,
    /// Which game.
    game: String,
}

impl Record for Solution {
    const COLUMNS: &'static str = "fen,value,exact,depth,best_moves,nodes,time_ms,game";
}

/// The solution of a position, and of what each outcome of chance makes of it, if chance is to come.
struct Solved {
    whole: Solution,
    outcomes: Vec<(String, Solution)>,
}

/// Positions being solved.
struct Work<'a, G: Searched> {
    entries: Vec<&'a Entry<G>>,
    judges: Vec<G::Evaluator>,
    time: Duration,
    next: AtomicUsize,
    stop: Stop,
}

/// Solve a file of positions.
pub fn solve(args: &SolveArgs) -> Result<Ended, Error> {
    let source = Source::open(Some(&args.file), args.game.game.as_deref())?;
    let ended = alea::with_game!(source.game, G => solve_game::<G>(args, &source));
    ended.unwrap_or_else(|| Err(Error::NoGame(source.game.into())))
}

fn solve_game<G: Searched>(args: &SolveArgs, source: &Source) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let suite = Suite::<G>::load(source, args.strict)?;
    let judges = Judges::new::<G>(&args.eval)?;
    let (mut store, known) = match &args.out {
        Some(path) => Store::<Solution>::open(path, args.fresh).map(|(store, known)| (Some(store), known))?,
        None => (None, Vec::new()),
    };
    let known: HashSet<String> = known.into_iter().filter(|known| known.exact).map(|known| known.fen).collect();
    let entries: Vec<&Entry<G>> = suite.entries.iter().filter(|entry| !known.contains(&entry.position.fen())).collect();
    if entries.len() < suite.entries.len() {
        say(&format!("{} positions are solved already.\n", suite.entries.len() - entries.len()));
    }
    let judges = judges.each(entries.iter().map(|entry| &entry.position))?;
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

impl<G: Searched> Work<'_, G> {
    /// Take one position after another until none is left.
    fn go_on(&self, mut searcher: Searcher, found: &Sender<(usize, Solved)>) {
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = self.entries.get(i) else { return };
            searcher.forget();
            let solved = self.solved(&mut searcher, &entry.position, &self.judges[i]);
            if self.stop.pulled() || found.send((i, solved)).is_err() {
                return;
            }
        }
    }

    fn solved(&self, searcher: &mut Searcher, position: &G, judge: &G::Evaluator) -> Solved {
        let whole = self.solution(searcher, position, judge);
        let faces = if whole.exact && position.kind() == Kind::Chance { position.faces() } else { Vec::new() };
        // The table knows the answers from the search of the whole.
        let mut of_face = |id: u8| self.solution(searcher, &position.child(Step::Outcome(id)), judge);
        let outcomes = faces.iter().map(|face| (position.outcome_text(face.id), of_face(face.id))).collect();
        Solved { whole, outcomes }
    }

    fn solution(&self, searcher: &mut Searcher, position: &G, judge: &G::Evaluator) -> Solution {
        let settings = Settings { multi_pv: usize::MAX, perfect: true, ..Settings::default() };
        let limits = Limits { deadline: Instant::now().checked_add(self.time), ..Limits::default() };
        let verdict = position.search(searcher, judge, &settings, &limits, &self.stop, &mut |_| ());
        let lines = verdict.last.as_ref().map_or(&[][..], |last| &last.lines);
        // Values that are the same but for rounding are the same.
        let is_best = |line: &&Line<G::Move>| line.value.raw().abs_diff(verdict.value.raw()) <= ROUNDING;
        let best = lines.iter().filter(is_best).filter_map(|line| line.first().copied());
        let best: Vec<G::Move> = best.collect();
        let moves = if position.kind() == Kind::Decision { position.moves().to_vec() } else { Vec::new() };
        let names: Vec<String> =
            moves.into_iter().filter(|mv| best.contains(mv)).map(|mv| position.move_text(mv)).collect();
        Solution {
            fen: position.fen(),
            value: points::<G>(verdict.value),
            exact: verdict.last.as_ref().is_some_and(|last| last.exact),
            depth: verdict.last.as_ref().map_or(0, |last| last.depth),
            best_moves: if names.is_empty() { NO_MOVE.into() } else { names.join(" ") },
            nodes: verdict.counters.nodes,
            time_ms: verdict.time.as_micros() as f64 / 1e3,
            game: G::NAME.into(),
        }
    }
}

/// Print solutions in the order of the file, and keep them, as they come. Hands back how many there are, and how many of
/// them are exact.
fn tell<G>(
    entries: &[&Entry<G>],
    found: &Receiver<(usize, Solved)>,
    store: &mut Option<Store<Solution>>,
) -> Result<(usize, usize), ResultsError> {
    let mut progress = Progress::new("positions", entries.len());
    let started = Instant::now();
    let mut waiting = BTreeMap::new();
    let (mut told, mut all, mut solved) = (0, 0, 0);
    for (done, (i, solution)) in (1..).zip(found) {
        if let Some(store) = store {
            solution.outcomes.iter().try_for_each(|(_, solution)| store.add(solution))?;
            // The whole last: once it is there, so are its outcomes.
            store.add(&solution.whole)?;
        }
        solved += usize::from(solution.whole.exact);
        waiting.insert(i, solution);
        while let Some(solution) = waiting.remove(&told) {
            progress.print(&solution.text(entries[told].line));
            told += 1;
        }
        all = done;
        progress.show(done, || at_this_pace(started, done, entries.len()));
    }
    // After an interruption some may wait for others that never came.
    waiting.iter().for_each(|(&i, solution)| progress.print(&solution.text(entries[i].line)));
    progress.finish();
    store.as_mut().map_or(Ok(()), Store::sync)?;
    Ok((all, solved))
}

impl Solved {
    /// What is said of the position on a line of the file.
    fn text(&self, line: usize) -> String {
        let Solution { fen, nodes, time_ms, .. } = &self.whole;
        let cost = format!(" ({nodes} nodes, {:.2} s)", time_ms / 1e3);
        let mut text = format!("line {line}: {fen}\n  {}{cost}\n", self.whole);
        for (outcome, solution) in &self.outcomes {
            text += &format!("  roll {outcome} {solution}\n");
        }
        text
    }
}

/// `value 0.485254 exact, best b2`
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value {:.6} ", self.value)?;
        match self.exact {
            true => write!(f, "exact")?,
            false => write!(f, "NOT SOLVED in time, to depth {}", self.depth)?,
        }
        if self.best_moves == NO_MOVE { Ok(()) } else { write!(f, ", best {}", self.best_moves) }
    }
}
