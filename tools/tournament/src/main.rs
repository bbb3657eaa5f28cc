//! alea-tournament: plays engines against each other through their protocol, on the same dice, and weighs the results.
//!
//! `cli` → `config` → `conditions` say what is to be played; `process`, `engine` and `referee` play one game; `scheduler`
//! plays many at once; `records`, `summary`, `table` and `plots` keep and show what came of it; `stats` and `sprt` know
//! nothing of processes. `run`, `merge`, `replay` and `check` are the commands.

mod check;
mod cli;
mod conditions;
mod config;
mod engine;
mod limits;
mod merge;
mod plots;
mod process;
mod progress;
mod records;
mod referee;
mod replay;
mod run;
mod schedule;
mod scheduler;
mod spec;
mod sprt;
mod stats;
mod stop;
mod summary;
mod table;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Check(args) => check::check(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("alea-tournament: {error}");
        ExitCode::FAILURE
    })
}
