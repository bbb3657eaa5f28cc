//! The command line: what can be asked, and the help that teaches it.

use crate::schedule::{Format, Shard};
use crate::sprt::Sprt;
use alea::game::dice::Shape;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Plays engines against each other on the same dice, and says how sure one can be of the result.
///
/// Every dice sequence is played twice with the seats swapped; the pair is the unit of all statistics. Engines are
/// driven through their line protocol only: ours, or anyone's.
#[derive(Parser)]
#[command(name = "alea-tournament", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Play a tournament, or go on with one
    #[command(after_help = RUN_HELP)]
    Run(Box<RunArgs>),
    /// Join the shards of one tournament into what a single run would have written
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
    /// Show a game of a tournament, board by board
    Replay(ReplayArgs),
    /// Test an engine's conformance to the protocol
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
}

const RUN_HELP: &str = "\
Examples:
  Depth against depth at three noise levels, our engine, 5/4 (Hauk's experiment):
    alea-tournament run --depths 1,3,5 --noise 0,0.015,0.03 --pairs 200 --out hauk
  Two engines, until a sequential test decides:
    alea-tournament run --engine name=new,cmd=./new,depth=5 --engine name=old,cmd=./old,depth=5 \\
        --sprt elo0=0,elo1=10,alpha=0.05,beta=0.05 --out test
  Clocks, another board, engines from a file:
    alea-tournament run --config match.toml --shape 9/6 --pairs 500 --out match
  One sixteenth, on each of sixteen machines; then `alea-tournament merge`:
    alea-tournament run --depths 1,3 --pairs 16000 --shard 3/16 --out part3
  After Ctrl-C or a crash:
    alea-tournament run --resume hauk

An engine is words separated by commas (quote a value that has commas: cmd=\"./engine a,b\"):
  name=A               what it is called in the records
  cmd=./engine --flag  program and arguments; a bare name is looked for beside this tool, then in
                       PATH; without cmd it is our own engine, alea
  depth=3 nodes=9000 movetime=50 (ms) tc=1+0.01 (seconds: base+increment)
                       limits, at least one; they combine
  option.Noise=0.015   any option; {pair} in a value stands for the number of the pair played

The same words in a TOML file, with the other conditions if you like:
  shape = \"5/4\"
  pairs = 500
  [[engine]]
  name = \"A\"
  depth = 3
  option.Noise = 0.015

Files in DIR: games.jsonl (a game a line), summary.json, table.txt, *.svg. At fixed depth or nodes they
depend on the conditions alone, whatever the concurrency; only measured times differ (see --no-times).";

const MERGE_HELP: &str = "\
Example:
  alea-tournament merge part1 part2 part3 --out whole

Every shard must be complete and of the same conditions, each present once.";

const CHECK_HELP: &str = "\
Example:
  alea-tournament check -- ./engine --flag

Prints PASS or FAIL for each point of the protocol, and the dialogue where one fails.
The exit code is 1 if any fails.";

/// Arguments of `run`.
#[derive(Args, Clone, Default)]
pub struct RunArgs {
    /// What is played.
    #[command(flatten)]
    pub conditions: ConditionArgs,

    /// Games played at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// Folder for the results; must not hold any yet
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    pub out: Option<PathBuf>,

    /// Go on with the tournament in this folder; conditions given too must be the same as its own
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,

    /// No progress on stderr
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments that results depend on.
#[derive(Args, Clone, Default, PartialEq)]
pub struct ConditionArgs {
    /// Search depths of our engine, each against each, as in 1,3,5
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["engine", "config"])]
    pub depths: Vec<u32>,

    /// Noise levels at which to play the depths against each other, as in 0,0.015,0.03 [default: 0]
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "depths")]
    pub noise: Vec<String>,

    /// With --depths: another engine's command
    #[arg(long, value_name = "CMD", requires = "depths")]
    pub cmd: Option<String>,

    /// With --depths: an option to set in every engine, as in Eval=pairs; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "depths")]
    pub option: Vec<String>,

    /// An engine, as words: name=A,cmd=...,depth=3,movetime=...,nodes=...,tc=1+0.01,option.Noise=0.015; repeat for each
    #[arg(long, value_name = "WORDS")]
    pub engine: Vec<String>,

    /// A TOML file with engines and conditions in the same words
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Who plays whom: everybody everybody, or the first all others [default: round-robin]
    #[arg(long, value_name = "WHICH", conflicts_with = "depths")]
    pub format: Option<FormatArg>,

    /// Board size and win length, n/k [default: 5/4]
    #[arg(long, value_name = "N/K")]
    pub shape: Option<Shape>,

    /// The seed from which the seeds of the pairs are drawn [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    pub seed: Option<u64>,

    /// Pairs of games a pairing [default: 200; with --sprt, at most 100000]
    #[arg(long, value_name = "M", conflicts_with = "seeds")]
    pub pairs: Option<u64>,

    /// A file of seeds, one a line, a pair for each
    #[arg(long, value_name = "FILE")]
    pub seeds: Option<PathBuf>,

    /// Stop a pairing when this test is decided: elo0=0,elo1=10,alpha=0.05,beta=0.05 (model=nelo for normalised Elo)
    #[arg(long, value_name = "WORDS", conflicts_with = "shard")]
    pub sprt: Option<Sprt>,

    /// Play only this part of the pairs, as in 3/16
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// How long a move without a clock may take before it is a stall, as in 60s [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub stall: Option<Duration>,

    /// By how much a clock or movetime may be overrun, as in 50ms [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub margin: Option<Duration>,

    /// How long an engine may take to say uciok, or readyok [default: 5s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub start: Option<Duration>,

    /// Record every time as 0, so that the files of two runs can be compared byte by byte
    #[arg(long)]
    pub no_times: bool,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatArg {
    /// Everybody against everybody
    RoundRobin,
    /// The first engine against all others
    Gauntlet,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
        }
    }
}

/// Arguments of `merge`.
#[derive(Args)]
pub struct MergeArgs {
    /// The shards' folders, in any order
    #[arg(required = true, value_name = "DIR")]
    pub shards: Vec<PathBuf>,

    /// Folder for the whole; must not hold any results yet
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The tournament's folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// The game's number, from 1
    #[arg(value_name = "N")]
    pub game: u64,
}

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArgs {
    /// How long an answer that is due at once may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub patience: Duration,

    /// The engine's program and arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub cmd: Vec<String>,
}

/// `500ms`, `60s`, `2m`, or plain seconds; up to a day.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, scale) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else {
        (text, 1.0)
    };
    let seconds = number.parse().ok().map(|number: f64| number * scale);
    match seconds.filter(|seconds| (0.001..=86_400.0).contains(seconds)) {
        Some(seconds) => Ok(Duration::from_secs_f64(seconds)),
        None => Err(format!("'{text}': expected a time from 1ms to a day, as in 500ms, 60s or 2m")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_are_read_or_named() {
        for (text, millis) in [("60s", 60_000), ("50ms", 50), ("2m", 120_000), ("1.5", 1_500)] {
            assert_eq!(duration(text).unwrap().as_millis(), millis);
        }
        for text in ["", "s", "-1s", "0", "nan", "inf", "5h", "1e99"] {
            assert!(duration(text).unwrap_err().contains(&format!("'{text}'")));
        }
    }
}
