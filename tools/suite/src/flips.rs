//! `alea-suite flips`: what a limit of flips saves and loses in dark chess.
//!
//! The limit is unsound: it is judged by the nodes that it saves, by how far its values lie from those of the whole search, and
//! by what the moves that it chooses are worth in the whole search.

use crate::Ended;
use crate::error::Error;
use crate::judges::{EvalArgs, Judges};
use crate::lists::at_least_one;
use crate::run::stop_at_interrupt;
use crate::suites::{Source, Suite};
use alea::game::Notation;
use alea::game::darkchess::{Move, Position};
use alea::search::{Limits, Searched, Searcher, Settings, Stop, Verdict};
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::tables::{Cell, Table};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `flips`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  alea-suite make --game darkchess --seed 1 > mine && alea-suite flips mine --depth 5

One line a limit (0 is none): nodes, and their ratio to those without a limit; how far the value lies from the true one, on
average and at most; how often another move is chosen than without a limit, and what the chosen moves lose in value.")]
pub struct FlipsArgs {
    /// A file of positions of dark chess, one a line
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    eval: EvalArgs,

    /// How deep to search
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    /// The greatest limit
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=32))]
    most: u8,

    /// Table of each search, in MB
    #[arg(long, value_name = "MB", value_parser = at_least_one, default_value = "64")]
    hash: usize,
}

/// What one limit came to over the positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    nodes: u64,
    off: f64,
    most_off: f64,
    changed: u32,
    lost: f64,
    most_lost: f64,
}

/// Measure limits from 0, none, to `--most`.
pub fn flips(args: &FlipsArgs) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let source = Source::open(Some(&args.file), Some(Position::NAME))?;
    let suite = Suite::<Position>::load(&source, true)?;
    let positions: Vec<&Position> = suite.positions().collect();
    let judges = Judges::new::<Position>(&args.eval)?.each(positions.iter().copied())?;
    let mut sums = vec![Sums::default(); usize::from(args.most) + 1];
    let (mut searcher, mut progress) = (Searcher::new(args.hash)?, Progress::new("positions", positions.len()));
    let started = Instant::now();
    let mut done = 0;
    for (position, judge) in positions.iter().zip(&judges) {
        let mut search = |settings: Settings| {
            searcher.forget();
            position.search(&mut searcher, judge, &settings, &Limits::to_depth(args.depth), &stop, &mut |_| ())
        };
        let whole = search(Settings { multi_pv: usize::MAX, ..Settings::default() });
        let verdicts: Vec<Verdict<Move>> =
            (0..=args.most).map(|flip_limit| search(Settings { flip_limit, ..Settings::default() })).collect();
        if interrupt.seen() {
            break;
        }
        for (sums, verdict) in sums.iter_mut().zip(&verdicts) {
            sums.add(verdict, &whole, verdicts[0].best);
        }
        done += 1;
        progress.show(done, || at_this_pace(started, done, positions.len()));
    }
    progress.finish();
    say(&format!("{}\n", table(&sums, done).text()));
    Ok(if interrupt.seen() { Ended::Interrupted } else { Ended::Done })
}

impl Sums {
    /// Add a position: what was found under the limit, every root move's true value, and the move chosen without a limit.
    fn add(&mut self, found: &Verdict<Move>, whole: &Verdict<Move>, unlimited: Option<Move>) {
        let off = (found.value.to_f64() - whole.value.to_f64()).abs();
        let lines = whole.last.as_ref().map_or(&[][..], |last| &last.lines);
        let chosen = lines.iter().find(|line| line.first().copied() == found.best);
        let lost = chosen.map_or(0.0, |line| whole.value.to_f64() - line.value.to_f64());
        self.nodes += found.counters.nodes;
        self.off += off;
        self.most_off = self.most_off.max(off);
        self.changed += u32::from(found.best != unlimited);
        self.lost += lost;
        self.most_lost = self.most_lost.max(lost);
    }
}

fn table(sums: &[Sums], positions: usize) -> Table {
    let head = ["limit", "nodes", "ratio", "value off", "at most", "moves changed", "value lost", "at most"];
    let count = positions.max(1) as f64;
    let row = |(limit, line): (usize, &Sums)| {
        vec![
            Cell::Text(limit.to_string()),
            Cell::Count(line.nodes as f64 / count),
            Cell::Ratio(line.nodes as f64 / sums[0].nodes.max(1) as f64),
            Cell::Error(line.off / count),
            Cell::Error(line.most_off),
            Cell::Count(line.changed.into()),
            Cell::Error(line.lost / count),
            Cell::Error(line.most_lost),
        ]
    };
    let (header, rows) = (head.map(String::from).into(), sums.iter().enumerate().map(row).collect());
    Table { header, rows, ..Table::default() }
}
