//! `alea-suite truth`: what depth buys. How far the value and the move of each depth are from perfect play, on boards that can be
//! swept; and whether answers by the clock are perfect.

mod answers;
mod worth;

use crate::Ended;
use crate::error::Error;
use crate::judges::{EvalArgs, Judges};
use crate::lists::{Numbers, at_least_one};
use crate::report::curves;
use crate::run::{cores, stop_at_interrupt};
use crate::suites::{Source, Suite};
use alea::eval::Noise;
use alea::eval::dice::DiceEvaluator;
use alea::game::dice::{Position, Shape, Status};
use alea::game::{Game, Step};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
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
use std::time::{Duration, Instant};
pub use worth::{COLUMNS, Verdict, Worth, cells, mean_loss};

/// Options of `truth`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite truth --out truth                   75 positions of the thesis and 10 000 others: minutes
  alea-suite truth --count 500 --depths 1,3
  alea-suite truth --movetime 1000 --empty 14-23 --count 270     answers at a second a move, as the engine gives them

Positions of 5/4 with a choice of moves: those of the thesis, and samples of random play, as many of every number of checkers. Each is
solved (by the book where it has up to 6 checkers: then within 3.1e-5), and searched to each depth. `value` is the root of the mean
square by which the depth's value is off, `lost` the mean of what its move gives away, `perfect` how often it gives away nothing.

With --movetime the samples are searched for so long, one at a time, with the option Perfect on. `exact` says how many answers the engine called
exact, `at most` and `lost at most` what the worst value is off by and the worst move gives away. With up to 20 empty cells the truth is swept from
the position (up to 1 GB), as the engine does with up to 18, where it has no book; with more it follows from the book's last layer alone,
from which the engine has it too with 21.")]
pub struct TruthArgs {
    /// Depths
    #[arg(long, value_name = "LIST", default_value = "1,3,5,7")]
    depths: Numbers<20>,

    /// Search for so many milliseconds instead of to depths
    #[arg(long, value_name = "MS", value_parser = at_least_one, conflicts_with_all = ["depths", "jobs", "eval", "eval_file"])]
    movetime: Option<usize>,

    /// Numbers of empty cells that samples have
    #[arg(long, value_name = "LIST", default_value = "3-25")]
    empty: Numbers<25>,

    /// Positions to sample
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "10000")]
    count: usize,

    /// Seed of the samples
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    #[command(flatten)]
    eval: EvalArgs,

    /// Positions at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    jobs: Option<usize>,

    /// A folder for the tables and the plot
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The most checkers of a position that has a choice left.
const MOST_CHECKERS: usize = 22;

impl TruthArgs {
    /// Numbers of checkers that samples have, the fewest first.
    fn checkers(&self) -> Vec<usize> {
        let checkers = self.empty.0.iter().rev().map(|&empty| 25 - empty as usize);
        checkers.filter(|&checkers| checkers <= MOST_CHECKERS).collect()
    }
}

/// A position to be looked at.
struct Case {
    position: Position,
    checkers: usize,
    of_thesis: bool,
}

/// A group of positions with what came of them, a list for each depth.
struct Group {
    name: String,
    verdicts: Vec<Vec<Verdict>>,
}

/// Compare depths with the truth.
pub fn truth(args: &TruthArgs) -> Result<Ended, Error> {
    if args.checkers().is_empty() {
        return Err(Error::NoChoice);
    }
    if let Some(movetime) = args.movetime {
        return answers::answers(args, Duration::from_millis(movetime as u64));
    }
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let (judges, start) = (Judges::new::<Position>(&args.eval)?, Position::new(Shape::default()));
    let evaluator = judges.noisy(&start, &judges.network(&start)?, Noise::NONE);
    let mut cases = thesis()?;
    let checkers = args.checkers();
    cases.extend((0..args.count).map(|number| sample(args.seed, number, &checkers)));
    let jobs = args.jobs.unwrap_or_else(cores).min(cases.len());
    let searchers: Vec<Searcher> = (0..jobs).map(|_| Searcher::new(16)).collect::<Result<_, _>>()?;
    let next = AtomicUsize::new(0);
    let mut found: Vec<Option<Vec<Verdict>>> = vec![None; cases.len()];
    thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        for mut searcher in searchers {
            let (cases, next, evaluator, stop, sender) = (&cases, &next, &evaluator, &stop, sender.clone());
            scope.spawn(move || {
                while !stop.pulled() {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(i) else { return };
                    if sender
                        .send((i, verdicts(&case.position, &args.depths.0, evaluator, &mut searcher, stop)))
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut progress, started) = (Progress::new("positions", cases.len()), Instant::now());
        for (done, (i, verdicts)) in (1..).zip(receiver) {
            found[i] = verdicts;
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

fn thesis() -> Result<Vec<Case>, Error> {
    let suite = Suite::<Position>::load(&Source::open(None, None)?, false)?;
    let case = |position: Position| Case { checkers: 25 - position.empty_count(), position, of_thesis: true };
    Ok(suite.entries.into_iter().map(|entry| case(entry.position)).collect())
}

/// A position of random play with a choice of moves; numbers of checkers take turns.
fn sample(seed: u64, number: usize, checkers: &[usize]) -> Case {
    let checkers = checkers[number % checkers.len()];
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

/// How far each depth is from the truth in one position.
fn verdicts(
    position: &Position,
    depths: &[u32],
    evaluator: &DiceEvaluator,
    searcher: &mut Searcher,
    stop: &Stop,
) -> Option<Vec<Verdict>> {
    let worth = Worth::of(position)?;
    let at_depth = |&depth: &u32| {
        searcher.forget();
        let limits = Limits::to_depth(depth);
        let found = position.search(searcher, evaluator, &Settings::default(), &limits, stop, &mut |_| ());
        let chosen = found.best.map(|mv| position.move_cell(mv).to_string());
        worth.against(found.value.to_f64(), &chosen.unwrap_or_default())
    };
    Some(depths.iter().map(at_depth).collect())
}

/// The thesis's positions, all samples, and samples by number of checkers.
fn groups(cases: &[Case], found: &[Option<Vec<Verdict>>], depths: usize) -> Vec<Group> {
    let group = |name: &str, belongs: &dyn Fn(&Case) -> bool| {
        let chosen = cases.iter().zip(found).filter(|(case, _)| belongs(case)).filter_map(|(_, found)| found.as_ref());
        let chosen: Vec<&Vec<Verdict>> = chosen.collect();
        let verdicts = (0..depths).map(|depth| chosen.iter().map(|found| found[depth]).collect()).collect();
        Group { name: name.into(), verdicts }
    };
    let mut groups = vec![group("thesis", &|case| case.of_thesis), group("sampled", &|case| !case.of_thesis)];
    for (low, high) in [(0, 3), (4, 7), (8, 11), (12, 15), (16, 19), (20, MOST_CHECKERS)] {
        let name = format!("{low}-{high} checkers");
        groups.push(group(&name, &|case| !case.of_thesis && (low..=high).contains(&case.checkers)));
    }
    groups.retain(|group| group.verdicts.first().is_some_and(|verdicts| !verdicts.is_empty()));
    groups
}

fn table(depths: &[u32], groups: &[Group]) -> Table {
    let mut rows = Vec::new();
    for group in groups {
        for (&depth, verdicts) in depths.iter().zip(&group.verdicts) {
            let mut row = vec![Cell::Text(group.name.clone()), Cell::Count(depth.into())];
            row.extend(cells(verdicts));
            rows.push(row);
        }
    }
    let header = ["positions", "depth"].iter().chain(&COLUMNS).map(|&name| name.into()).collect();
    Table { header, rows, ..Table::default() }.titled("truth", "What depth buys on 5/4".into())
}

fn tell(args: &TruthArgs, groups: &[Group]) -> Result<(), Error> {
    let table = table(&args.depths.0, groups);
    say(&table.text());
    let Some(dir) = &args.out else { return Ok(()) };
    make_dir(dir)?;
    files::replace(&dir.join("truth.md"), table.markdown().as_bytes())?;
    files::replace(&dir.join("truth.csv"), table.csv().as_bytes())?;
    let points = |group: &Group| {
        let known = |(&depth, verdicts): (&u32, &Vec<Verdict>)| Some((f64::from(depth), mean_loss(verdicts)?));
        args.depths.0.iter().zip(&group.verdicts).filter_map(known).collect()
    };
    let named = groups.iter().map(|group| (group.name.clone(), points(group))).collect();
    if let Some(picture) = curves("Value given away by a move, 5/4", "depth", "mean loss", named)? {
        files::replace(&dir.join("lost-by-depth.svg"), picture.as_bytes())?;
    }
    say(&format!("Written to {}: truth.md, truth.csv, lost-by-depth.svg.\n", dir.display()));
    Ok(())
}
