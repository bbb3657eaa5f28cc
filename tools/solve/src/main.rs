//! alea-solve: the value of Dice on small boards, from the last layer of positions to the first.

mod book;
mod checkpoint;
mod error;
mod report;
mod solve;
mod store;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use alea::game::dice::Shape;
use alea_tools::interrupt;
use alea_tools::manual::Manual;
use alea_tools::output::fail;
use clap::{CommandFactory, Parser};
use error::Error;

/// Solve Dice on boards of up to 5x5: the value of the game, of every first cell, of any position
#[derive(Parser, Debug)]
#[command(
    name = "alea-solve",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  alea-solve 4/4                                         the whole game, in a moment
  alea-solve 5/4 --memory 12 --out dice-5-4.book         the standard board: minutes, and what the engine can use
  alea-solve --position '3 3 b 1 r - - - b - - - -'      from a position, rolled or not

Every layer of positions (so many checkers on the board) follows from the next one, so the work goes from the full board to the
empty one. What does not fit into --memory goes to files in --dir and is removed when it is no longer needed. About once a minute,
and at Ctrl-C, a checkpoint is written: everything that is needed to go on. After a crash, a kill or a power cut too, the same command
goes on from the last one. Files take up to about 1.2 times the largest layer (26 GB with 5/4), and for what only the last checkpoint
needs up to --memory and two blocks besides; how much that is in all is said at the start. Values are kept in 32 bits: the error that
rounding can have made is printed beside the value."
)]
struct Cli {
    /// The shape, n/k: 3/3, 4/3, 4/4, 5/3, 5/4 or 5/5
    #[arg(value_name = "SHAPE")]
    shape: Option<Shape>,

    /// Solve from this position instead of the empty board
    #[arg(long, value_name = "DPN", conflicts_with = "shape")]
    position: Option<String>,

    /// Memory to use, in GB; what does not fit goes to --dir [default: 4, or what the largest blocks need: 9.4 for 5/4]
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<u64>,

    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Where layers go that do not fit, and checkpoints [default: solve-SHAPE]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Write the book that the engine can use
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    out: Option<PathBuf>,

    /// Seconds between two checkpoints; more where writing one takes long
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    checkpoint: Duration,

    /// Start over: do not go on from a checkpoint
    #[arg(long)]
    fresh: bool,

    #[command(subcommand)]
    manual: Option<Manual>,
}

/// Gigabytes as bytes.
fn gigabytes(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=100_000.0).contains(number));
    number.map(|number: f64| (number * 1e9) as u64).ok_or_else(|| "expected gigabytes, as 12 or 0.5".into())
}

/// Seconds, or parts of one.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1e6).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds, as 60 or 0.5".into())
}

/// How a command that did not fail ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// All is done.
    Done,
    /// Ctrl-C came first.
    Interrupted,
}

fn run(cli: &Cli) -> Result<Ended, Error> {
    match &cli.manual {
        Some(manual) => Ok(manual.run(Cli::command()).map(|()| Ended::Done)?),
        None => solve::solve(cli),
    }
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Interrupted) => ExitCode::from(interrupt::STATUS),
        Err(error) => fail(&error),
    }
}
