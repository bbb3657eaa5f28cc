//! Answers by the clock against the truth: how many are exact, by how much they are off, how long they take.

use super::{Case, TruthArgs, Verdict, Worth, sample};
use crate::Ended;
use crate::error::Error;
use crate::judges::Judges;
use crate::run::stop_at_interrupt;
use alea::eval::Noise;
use alea::eval::dice::DiceEvaluator;
use alea::game::dice::{Position, Shape};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use alea_tools::files::{self, make_dir};
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::tables::{Cell, Table};
use std::time::{Duration, Instant};

/// The most empty cells from which the truth is swept: two seconds and 1 GB.
const SWEPT: usize = 20;

/// Megabytes of the table: the engine's default.
const HASH: usize = 64;

/// What came of one position.
struct Answer {
    empty: usize,
    exact: bool,
    time: Duration,
    verdict: Verdict,
}

/// Search samples for so long each, as the engine does where time alone limits it, and compare.
pub fn answers(args: &TruthArgs, movetime: Duration) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let (judges, start) = (Judges::new::<Position>(&args.eval)?, Position::new(Shape::default()));
    let evaluator = judges.noisy(&start, &judges.network(&start)?, Noise::NONE);
    let mut searcher = Searcher::new(HASH)?;
    let checkers = args.checkers();
    let (mut progress, started) = (Progress::new("positions", args.count), Instant::now());
    let mut found = Vec::new();
    for number in 0..args.count {
        let case = sample(args.seed, number, &checkers);
        found.extend(answer(&case, movetime, &evaluator, &mut searcher, &stop));
        if interrupt.seen() {
            progress.finish();
            say("Stopped: nothing is kept of an unfinished comparison.\n");
            return Ok(Ended::Interrupted);
        }
        progress.show(number + 1, || at_this_pace(started, number + 1, args.count));
    }
    progress.finish();
    let table = table(movetime, &found);
    say(&table.text());
    if let Some(dir) = &args.out {
        make_dir(dir)?;
        files::replace(&dir.join("answers.md"), table.markdown().as_bytes())?;
        files::replace(&dir.join("answers.csv"), table.csv().as_bytes())?;
        say(&format!("Written to {}: answers.md, answers.csv.\n", dir.display()));
    }
    Ok(Ended::Done)
}

fn answer(
    case: &Case,
    movetime: Duration,
    evaluator: &DiceEvaluator,
    searcher: &mut Searcher,
    stop: &Stop,
) -> Option<Answer> {
    searcher.forget();
    let (settings, began) = (Settings { perfect: true, ..Settings::default() }, Instant::now());
    let limits = Limits { deadline: began.checked_add(movetime), ..Limits::default() };
    let found = case.position.search(searcher, evaluator, &settings, &limits, stop, &mut |_| ());
    let time = began.elapsed();
    let worth = Worth::swept(&case.position, SWEPT).or_else(|| Worth::from_last_layer(&case.position))?;
    let chosen = found.best.map(|mv| case.position.move_cell(mv).to_string());
    let verdict = worth.against(found.value.to_f64(), &chosen.unwrap_or_default());
    Some(Answer { empty: case.position.empty_count(), exact: found.is_exact(), time, verdict })
}

/// A row for each number of empty cells, and one for all.
fn table(movetime: Duration, found: &[Answer]) -> Table {
    let mut sizes: Vec<usize> = found.iter().map(|answer| answer.empty).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of_size = |&size: &usize| {
        let truth = if size <= SWEPT { "swept" } else { "the book's last layer" };
        let answers: Vec<&Answer> = found.iter().filter(|answer| answer.empty == size).collect();
        row(size.to_string(), &answers, truth)
    };
    let mut rows: Vec<Vec<Cell>> = sizes.iter().map(of_size).collect();
    rows.push(row("all".into(), &found.iter().collect::<Vec<_>>(), ""));
    let header = ["empty cells", "number", "exact", "value", "at most", "lost at most", "slowest (ms)", "truth"];
    let title = format!("Answers on 5/4 at {} ms a move", movetime.as_millis());
    Table { header: header.map(String::from).into(), rows, ..Table::default() }.titled("answers", title)
}

fn row(name: String, answers: &[&Answer], truth: &str) -> Vec<Cell> {
    let errors: Vec<f64> = answers.iter().map(|answer| answer.verdict.error.abs()).collect();
    let square = errors.iter().map(|error| error * error).sum::<f64>() / errors.len().max(1) as f64;
    let lost = answers.iter().filter_map(|answer| answer.verdict.lost).map(|(lost, _)| lost);
    let slowest = answers.iter().map(|answer| answer.time).max().unwrap_or_default();
    let small = |number: f64| Cell::Text(format!("{number:.1e}"));
    vec![
        Cell::Text(name),
        Cell::Count(answers.len() as f64),
        Cell::Count(answers.iter().filter(|answer| answer.exact).count() as f64),
        small(square.sqrt()),
        small(errors.into_iter().fold(0.0, f64::max)),
        small(lost.fold(0.0, f64::max)),
        Cell::Millis(1e3 * slowest.as_secs_f64()),
        Cell::Text(truth.into()),
    ]
}
