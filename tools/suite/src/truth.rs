//! `alea-suite truth`: what depth buys. How far the value and the move of each depth are from perfect play, on boards that can be
//! swept.

use crate::Ended;
use crate::error::Error;
use crate::lists::{Numbers, at_least_one};
use crate::report::curves;
use crate::run::{cores, stop_at_interrupt};
use crate::suites::{Source, Suite};
use alea::eval::Evaluated;
use alea::game::dice::{Position, Shape, Side, Status};
use alea::game::{Game, Kind, Step};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use alea::sweep::dice::book::shipped_book;
use alea::sweep::dice::{DiceSweep, Setup, Solved};
use alea::sweep::value;
use alea_tools::files::{self, make_dir};
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::random::draws;
use alea_tools::tables::{Cell, Table};
use clap::Args;
use crossbeam::channel::unbounded;
use rand::RngExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// Options of `truth`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite truth --out truth                   75 positions of the thesis and 10 000 others: minutes
  alea-suite truth --count 500 --depths 1,3

Positions of 5/4 with a choice of moves: those of the thesis, and samples of random play, as many of every number of checkers. Each is
solved (by the book where it has up to 6 checkers: then within 3.1e-5), and searched to each depth. `value` is the root of the mean
square by which the depth's value is off, `lost` the mean of what its move gives away, `perfect` how often it gives away nothing.")]
pub struct TruthArgs {
    /// Depths
    #[arg(long, value_name = "LIST", default_value = "1,3,5,7")]
    depths: Numbers<20>,

    /// Positions to sample
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "10000")]
    count: usize,

    /// Seed of the samples
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Positions at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    jobs: Option<usize>,

    /// A folder for the tables and the plot
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A move counts as perfect if it gives away no more than rounding: that of the sweep, or that of the book.
const ROUNDING: [f64; 2] = [2e-7, 6.2e-5];

/// Positions with this many checkers have moves that are all in the book.
const IN_BOOK: usize = 6;

/// The most checkers of a position that has a choice left.
const MOST_CHECKERS: usize = 22;

/// How a depth did in one position.
#[derive(Clone, Copy, Debug)]
struct Result {
    error: f64,
    lost: f64,
    perfect: bool,
}

/// A position to be looked at.
struct Case {
    position: Position,
    checkers: usize,
    of_thesis: bool,
}

/// A group of positions with their results, a list for each depth.
struct Group {
    name: String,
    results: Vec<Vec<Result>>,
}

/// Compare depths with the truth.
pub fn truth(args: &TruthArgs) -> std::result::Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let mut cases = thesis()?;
    cases.extend((0..args.count).map(|number| sample(args.seed, number)));
    let jobs = args.jobs.unwrap_or_else(cores).min(cases.len());
    let searchers: Vec<Searcher> = (0..jobs).map(|_| Searcher::new(16)).collect::<std::result::Result<_, _>>()?;
    let next = AtomicUsize::new(0);
    let mut found: Vec<Option<Vec<Result>>> = vec![None; cases.len()];
    thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        for mut searcher in searchers {
            let (cases, next, stop, sender) = (&cases, &next, &stop, sender.clone());
            scope.spawn(move || {
                while !stop.pulled() {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(i) else { return };
                    if sender.send((i, results(case, &args.depths.0, &mut searcher, stop))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut progress, started) = (Progress::new("positions", cases.len()), Instant::now());
        for (done, (i, results)) in (1..).zip(receiver) {
            found[i] = Some(results);
            progress.show(done, || at_this_pace(started, done, cases.len()));
        }
        progress.finish();
    });
    if interrupt.seen() {
        say("Stopped: nothing is kept of an unfinished comparison.\n");
        return Ok(Ended::Interrupted);
    }
    tell(args, &groups(&cases, &found, args.depths.0.len()))?;
    Ok(Ended::Done)
}

fn thesis() -> std::result::Result<Vec<Case>, Error> {
    let suite = Suite::<Position>::load(&Source::open(None, None)?, false)?;
    let case = |position: Position| Case { checkers: 25 - position.empty_count(), position, of_thesis: true };
    Ok(suite.entries.into_iter().map(|entry| case(entry.position)).collect())
}

/// A position of random play with a choice of moves; numbers of checkers take turns.
fn sample(seed: u64, number: usize) -> Case {
    let checkers = number % (MOST_CHECKERS + 1);
    let mut draws = draws(seed, "truth", number as u64);
    loop {
        let mut position = Position::new(Shape::default());
        while position.status() == Status::Playing {
            let rolls = position.open_lines();
            position = position.child(Step::Outcome(rolls[draws.random_range(0..rolls.len())]));
            let moves = position.moves();
            if 25 - position.empty_count() == checkers {
                if moves.len() > 1 {
                    return Case { position, checkers, of_thesis: false };
                }
                break;
            }
            position = position.child(Step::Move(moves[draws.random_range(0..moves.len())]));
        }
    }
}

/// What each move is worth in truth, and how exactly that is known.
fn true_values(position: &Position, checkers: usize) -> (Vec<f64>, f64) {
    let setup = Setup::of(position).expect("a board of 5x5 can be swept");
    let book = shipped_book().filter(|_| checkers <= IN_BOOK);
    let solved = book.is_none().then(|| Solved::in_peace(DiceSweep::new(setup)));
    let number = |setup: &Setup| match (&solved, book) {
        (Some(solved), _) => solved.number(setup),
        (None, book) => book.and_then(|book| book.number(setup)),
    };
    let worth = |mv| {
        let after = Setup::of(&position.child(Step::Move(mv))).and_then(|after| number(&after)).unwrap_or_default();
        value(if setup.side == Side::Blue { after } else { -after }).to_f64()
    };
    (position.moves().iter().map(|&mv| worth(mv)).collect(), ROUNDING[usize::from(solved.is_none())])
}

fn results(case: &Case, depths: &[u32], searcher: &mut Searcher, stop: &Stop) -> Vec<Result> {
    let position = &case.position;
    let (values, rounding) = true_values(position, case.checkers);
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let evaluator = position.best_evaluator();
    let at_depth = |&depth: &u32| {
        searcher.forget();
        let limits = Limits::to_depth(depth);
        let verdict = position.search(searcher, &evaluator, &Settings::default(), &limits, stop, &mut |_| ());
        let chosen = position.moves().iter().position(|&mv| Some(mv) == verdict.best).unwrap_or_default();
        let lost = best - values[chosen];
        Result { error: verdict.value.to_f64() - best, lost: lost.max(0.0), perfect: lost <= rounding }
    };
    debug_assert_eq!(position.kind(), Kind::Decision);
    depths.iter().map(at_depth).collect()
}

/// The thesis's positions, all samples, and samples by number of checkers.
fn groups(cases: &[Case], found: &[Option<Vec<Result>>], depths: usize) -> Vec<Group> {
    let group = |name: &str, belongs: &dyn Fn(&Case) -> bool| {
        let chosen = cases.iter().zip(found).filter(|(case, _)| belongs(case)).filter_map(|(_, found)| found.as_ref());
        let chosen: Vec<&Vec<Result>> = chosen.collect();
        let results = (0..depths).map(|depth| chosen.iter().map(|found| found[depth]).collect()).collect();
        Group { name: name.into(), results }
    };
    let mut groups = vec![group("thesis", &|case| case.of_thesis), group("sampled", &|case| !case.of_thesis)];
    for (low, high) in [(0, 3), (4, 7), (8, 11), (12, 15), (16, 19), (20, MOST_CHECKERS)] {
        let name = format!("{low}-{high} checkers");
        groups.push(group(&name, &|case| !case.of_thesis && (low..=high).contains(&case.checkers)));
    }
    groups.retain(|group| group.results.first().is_some_and(|results| !results.is_empty()));
    groups
}

fn table(depths: &[u32], groups: &[Group]) -> Table {
    let mut rows = Vec::new();
    for group in groups {
        for (&depth, results) in depths.iter().zip(&group.results) {
            let mean = |of: &dyn Fn(&Result) -> f64| results.iter().map(of).sum::<f64>() / results.len() as f64;
            rows.push(vec![
                Cell::Text(group.name.clone()),
                Cell::Count(results.len() as f64),
                Cell::Count(depth.into()),
                Cell::Error(mean(&|result| result.error * result.error).sqrt()),
                Cell::Error(mean(&|result| result.lost)),
                Cell::Share(mean(&|result| f64::from(u8::from(result.perfect)))),
            ]);
        }
    }
    let header = ["positions", "number", "depth", "value", "lost", "perfect"].map(String::from).into();
    Table { header, rows, ..Table::default() }.titled("truth", "What depth buys on 5/4".into())
}

fn tell(args: &TruthArgs, groups: &[Group]) -> std::result::Result<(), Error> {
    let table = table(&args.depths.0, groups);
    say(&table.text());
    let Some(dir) = &args.out else { return Ok(()) };
    make_dir(dir)?;
    files::replace(&dir.join("truth.md"), table.markdown().as_bytes())?;
    files::replace(&dir.join("truth.csv"), table.csv().as_bytes())?;
    let mean = |results: &[Result]| results.iter().map(|result| result.lost).sum::<f64>() / results.len() as f64;
    let points = |group: &Group| {
        args.depths.0.iter().zip(&group.results).map(|(&depth, results)| (f64::from(depth), mean(results))).collect()
    };
    let named = groups.iter().map(|group| (group.name.clone(), points(group))).collect();
    if let Some(picture) = curves("Value given away by a move, 5/4", "depth", "mean loss", named)? {
        files::replace(&dir.join("lost-by-depth.svg"), picture.as_bytes())?;
    }
    say(&format!("Written to {}: truth.md, truth.csv, lost-by-depth.svg.\n", dir.display()));
    Ok(())
}
