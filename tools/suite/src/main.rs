//! alea-suite: search algorithms compared over suites of positions; the experiments of Veness (2006) and Ballard (1983)
//! in one command each.

mod conditions;
mod error;
mod flips;
mod games;
mod judges;
mod lists;
mod losses;
mod make;
mod pace;
mod players;
mod predictions;
mod prune;
mod report;
mod results;
mod rollout;
mod run;
mod solve;
mod suites;
mod trees;
mod truth;
mod variants;

use alea_tools::interrupt;
use alea_tools::manual::Manual;
use alea_tools::output::complain;
use clap::{CommandFactory, Parser, Subcommand};
use error::Error;
use std::process::ExitCode;

/// Compare search algorithms over suites of positions
#[derive(Parser, Debug)]
#[command(
    name = "alea-suite",
    version,
    after_help = "\
The experiment of the 2006 thesis, chapter 5:
  alea-suite run --out thesis
  alea-suite report thesis
Ballard's of 1983:
  alea-suite trees
`alea-suite COMMAND --help` tells more of each."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Search every position by every algorithm to every depth, each from an empty table
    Run(run::RunArgs),
    /// Tables and plots of what a run found
    Report(report::ReportArgs),
    /// Make a suite of any game from self-play, and print it
    Make(make::MakeArgs),
    /// Find exact values and all best moves
    Solve(solve::SolveArgs),
    /// Measure what a limit of flips saves and loses in dark chess
    Flips(flips::FlipsArgs),
    /// Measure what forward pruning saves and loses, or what it rests on
    Prune(prune::PruneArgs),
    /// Play positions on from every move, many times
    Rollout(rollout::RolloutArgs),
    /// Compare the value and the move of each depth with perfect play
    Truth(truth::TruthArgs),
    /// Measure the algorithms on artificial trees
    Trees(trees::TreesArgs),
    #[command(flatten)]
    Manual(Manual),
}

/// How a command that did not fail ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// All is done.
    Done,
    /// Ctrl-C came first.
    Interrupted,
}

fn main() -> ExitCode {
    env_logger::init();
    let done = match &Cli::parse().command {
        Command::Run(args) => run::run(args),
        Command::Report(args) => report::report(args),
        Command::Make(args) => make::make(args),
        Command::Solve(args) => solve::solve(args),
        Command::Flips(args) => flips::flips(args),
        Command::Prune(args) => prune::prune(args),
        Command::Rollout(args) => rollout::rollout(args),
        Command::Truth(args) => truth::truth(args),
        Command::Trees(args) => trees::trees(args),
        Command::Manual(manual) => manual.run(Cli::command()).map(|()| Ended::Done).map_err(Error::from),
    };
    match done {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Interrupted) => ExitCode::from(interrupt::STATUS),
        Err(error) => {
            complain(&format!("alea-suite: {error}"));
            ExitCode::FAILURE
        }
    }
}
