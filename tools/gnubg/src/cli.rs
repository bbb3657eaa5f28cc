//! The command line: what can be asked, and the help that teaches it.

use crate::player::Style;
use alea_tools::engine::EngineArgs;
use alea_tools::manual::Manual;
use alea_tools::words::WordError;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Joins Alea with GNU Backgammon: a player for its board, an opponent, a judge.
///
/// `serve` plays on GNU Backgammon's own board, `ubgi` does the same for programs that speak UBGI, `match` plays against
/// GNU Backgammon by the thousand, and `judge` has it count the mistakes.
#[derive(Parser)]
#[command(name = "alea-gnubg", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Play on GNU Backgammon's board: listen, and answer as its external player
    #[command(after_help = SERVE_HELP)]
    Serve(ServeArgs),
    /// Speak UBGI, the Universal Backgammon Interface, on stdin and stdout
    #[command(after_help = UBGI_HELP)]
    Ubgi(StyleArgs),
    /// Play a match against GNU Backgammon: every dice sequence twice with the seats swapped, no cube
    #[command(after_help = MATCH_HELP)]
    Match(MatchArgs),
    /// Have GNU Backgammon analyse games of a tournament, and show what the mistakes cost
    #[command(after_help = JUDGE_HELP)]
    Judge(JudgeArgs),
    /// Be an engine of our protocol that plays as GNU Backgammon does, for alea-tournament and boards
    #[command(after_help = ENGINE_HELP)]
    Engine(GnubgArgs),
    /// Completions and man pages.
    #[command(flatten)]
    Manual(Manual),
}

const SERVE_HELP: &str = "\
To play against alea on GNU Backgammon's board:
  alea-gnubg serve --movetime 1000
then start gnubg and type into its command line (View, Panels, Command; or gnubg -t in a terminal):
  set player 0 external 127.0.0.1:1234
  set jacoby off
  new session
Each connection has an engine of its own: both players may be external. GNU Backgammon may come and
go; Ctrl-C ends it. After this has been started anew, type the first of the three lines again.

The cube: alea's values are of play without it, so doubles and takes follow Janowski's estimate from
that value and the chances of gammons, in matches with the score in mind; beavers only for money. --no-doubles never offers the cube.
In gnubg, `set cube use off` plays without it.";

const UBGI_HELP: &str = "\
Draft 0.01 of the protocol (Schønning-Johansen 2025):
  > ubgi
  < id name …, id author …, id version …, readyok
  > XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10      or a board:… line of FIBS
  < 8/5 6/5                                                  or roll, double, take, drop, beaver, a blank line
  > isready
  < readyok
`stop` cuts thinking short, `quit` leaves; what is not understood is answered `sorry`.";

const MATCH_HELP: &str = "\
Examples:
  alea-gnubg match --depth 1 --pairs 1000 --out gnubg-depth-1
  alea-gnubg match --depth 3 --pairs 1000 --plies 0 --out gnubg-depth-3 --seed 7
  alea-gnubg match --depth 1 --option Eval=linear --pairs 1000 --out linear

It runs alea-tournament, which must stand beside this tool, with GNU Backgammon as one of the engines:
progress, records in --out, the same command goes on after Ctrl-C, --fresh starts over. Points a game
with a 95 % interval are in the table; alea-tournament replay and report read the folder.";

const JUDGE_HELP: &str = "\
Example:
  alea-gnubg judge gnubg-depth-1 --games 20

At 2 plies a game takes some ten seconds. What has been judged is kept in judged-2-ply.json in the folder:
Ctrl-C loses at most a game, and a larger --games later judges only what is missing.";

const ENGINE_HELP: &str = "\
Examples:
  alea-tournament run --game backgammon --start 90s --out t --pairs 500 \\
      --engine name=alea,depth=1 --engine name=gnubg,depth=1,cmd=\"alea-gnubg engine --plies 0\"
  alea-tournament analyse t 17 --engine 'alea-gnubg engine --plies 1' --depth 1
How deep it looks is --plies alone; limits of `go` are not heeded.";

/// The engine that plays, and how long it may think.
#[derive(Args, Clone)]
pub struct StyleArgs {
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArgs,

    /// Plies of search; a roll and a move each count one [default: 3, or none with --movetime]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,

    /// Milliseconds a decision
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,

    /// Never offer the cube; doubles are still taken or dropped
    #[arg(long)]
    pub no_doubles: bool,
}

impl StyleArgs {
    /// How to play.
    pub fn style(&self) -> Result<Style, WordError> {
        Ok(Style {
            command: self.engine.command()?,
            options: self.engine.options()?,
            depth: self.depth.or(self.movetime.is_none().then_some(3)),
            movetime: self.movetime,
            doubles: !self.no_doubles,
        })
    }
}

/// Arguments of `serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// The address to listen on; port 0 takes any that is free
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:1234")]
    pub listen: String,

    /// Who plays.
    #[command(flatten)]
    pub style: StyleArgs,

    /// Leave when the first connection has ended
    #[arg(long)]
    pub once: bool,

    /// Show every line on stderr
    #[arg(long, short)]
    pub verbose: bool,
}

/// Arguments of whatever needs GNU Backgammon.
#[derive(Args, Clone)]
pub struct GnubgArgs {
    /// How many plies GNU Backgammon looks ahead
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=4))]
    pub plies: u32,

    /// Where GNU Backgammon is [default: gnubg in PATH, or where Debian keeps it]
    #[arg(long, value_name = "FILE")]
    pub gnubg: Option<PathBuf>,
}

/// Arguments of `match`.
#[derive(Args)]
pub struct MatchArgs {
    /// The opponent.
    #[command(flatten)]
    pub gnubg: GnubgArgs,

    /// Our engine.
    #[command(flatten)]
    pub engine: EngineArgs,

    /// What it is called in the records [default: as in alea-depth-1 or alea-100ms]
    #[arg(long)]
    pub name: Option<String>,

    /// Plies of its search [default: 1, or none with --movetime]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,

    /// Milliseconds a move of its
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,

    /// Pairs of games
    #[arg(long, value_name = "M", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,

    /// The seed of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Games played at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Folder for the results; if it holds the same match already, go on with that
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// Start over
    #[arg(long)]
    pub fresh: bool,
}

/// Arguments of `judge`.
#[derive(Args)]
pub struct JudgeArgs {
    /// The tournament's folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// Games to judge, evenly spread over those there are
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,

    /// How many plies the judge looks ahead
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=4))]
    pub plies: u32,

    /// Where GNU Backgammon is [default: gnubg in PATH, or where Debian keeps it]
    #[arg(long, value_name = "FILE")]
    pub gnubg: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
