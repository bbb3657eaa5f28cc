//! alea-tournament: plays engines against each other through their protocol, on the same dice, and weighs the results.
//!
//! `cli` → `config` → `conditions` say what is to be played; `rules` knows the game; `engine`
//! and `referee` play one; `scheduler` plays many at once; `records`, `gamefile` and `folder` keep them, `audit` checks
//! them again; `summary`, `table`, `plots` and `chart` show what came of it; `stats` and `sprt` know nothing of processes.
//! `run`, `merge`, `report`, `replay`, `analyse` and `check` are the commands.

mod analyse;
mod audit;
mod chart;
mod check;
mod cli;
mod conditions;
mod config;
mod engine;
mod error;
mod fault;
mod folder;
mod gamefile;
mod gate;
mod limits;
mod merge;
mod plots;
mod progress;
mod records;
mod referee;
mod replay;
mod report;
mod run;
mod schedule;
mod scheduler;
mod shard;
mod spec;
mod sprt;
mod stats;
mod stop;
mod summary;
mod table;
mod trace;

use alea_tools::engine::family;
use alea_tools::output::{fail, tell};
use alea_tools::rules;
use clap::{CommandFactory, Parser};
use cli::{Cli, Command};
use error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = Cli::parse().command;
    family::adopt();
    let outcome = match &command {
        Command::Run(args) => run::run(args),
        Command::Merge(args) => merge::merge(args),
        Command::Report(args) => report::report(args),
        Command::Replay(args) => replay::replay(args),
        Command::Analyse(args) => analyse::analyse(args),
        Command::Check(args) => check::check(args),
        Command::Manual(manual) => manual.run(Cli::command()).map(|()| ExitCode::SUCCESS).map_err(Error::from),
    };
    family::end_all();
    outcome.unwrap_or_else(|error| match error {
        Error::Stopped => {
            tell("Stopped.\n");
            ExitCode::from(stop::STOPPED)
        }
        error => fail(&error),
    })
}
