//! `alea-suite flips`: what a limit of flips saves and loses in dark chess.

use crate::Ended;
use crate::error::Error;
use crate::judges::{EvalArgs, Judges};
use crate::lists::at_least_one;
use crate::losses::{Comparison, Rival};
use crate::run::stop_at_interrupt;
use crate::suites::{Source, Suite};
use alea::game::Notation;
use alea::game::darkchess::Position;
use alea::search::{Settings, Stop};
use alea_tools::output::say;
use clap::Args;
use std::path::PathBuf;

/// Options of `flips`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  alea-suite make --game darkchess --seed 1 > mine && alea-suite flips mine --depth 5

One line a limit (0 is none): nodes and milliseconds, each with the ratio to those without a limit; how far the value lies from the
true one, on average and at most; how often another move is chosen than without a limit, and what the chosen moves lose in value.")]
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

    /// How often to make each search: the least time counts
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "1")]
    rounds: usize,
}

/// Measure limits from 0, none, to `--most`.
pub fn flips(args: &FlipsArgs) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let source = Source::open(Some(&args.file), Some(Position::NAME))?;
    let suite = Suite::<Position>::load(&source, true)?;
    let judges = Judges::new::<Position>(&args.eval)?.each(suite.positions())?;
    let positions: Vec<_> = suite.positions().zip(judges).collect();
    let rival = |flip_limit: u8| Rival {
        name: flip_limit.to_string(),
        settings: Settings { flip_limit, ..Settings::default() },
    };
    let rivals: Vec<Rival> = (0..=args.most).map(rival).collect();
    let &FlipsArgs { depth, hash, rounds, .. } = args;
    let table = Comparison { positions: &positions, rivals: &rivals, depth, hash, rounds }.run("limit", &stop)?;
    say(&format!("{}\n", table.text()));
    Ok(if interrupt.seen() { Ended::Interrupted } else { Ended::Done })
}
