//! The command line: what can be asked, and the help that teaches it.

use crate::config::{MOST_PLIES, game, shape};
use crate::rules::Shape;
use crate::schedule::Format;
use crate::shard::{self, Shard};
use crate::sprt::Sprt;
use alea_tools::manual::Manual;
use alea_tools::words::WordError;
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
    /// Check the games of a tournament and make its table and plots again
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// Show a game of a tournament, board by board, with the `position` line of each ply
    Replay(ReplayArgs),
    /// Judge a finished game with an engine: luck and mistakes of each side
    #[command(after_help = ANALYSE_HELP)]
    Analyse(AnalyseArgs),
    /// Test an engine's conformance to the protocol
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Completions and man pages.
    #[command(flatten)]
    Manual(Manual),
}

const RUN_HELP: &str = "\
Examples:
  Depth against depth at four noise levels, our engine, 5/4 (Hauk's experiment):
    alea-tournament run --depths 1,3,5 --noise 0,0.1,0.2,0.3 --pairs 200 --out hauk
  Two engines, until a sequential test decides:
    alea-tournament run --engine name=new,cmd=./new,depth=5 --engine name=old,cmd=./old,depth=5 \\
        --sprt elo0=0,elo1=10,alpha=0.05,beta=0.05 --out test
  Clocks, another board, engines from a file:
    alea-tournament run --config match.toml --shape 9/6 --pairs 500 --out match
  Another game:
    alea-tournament run --game backgammon --depths 1,2 --pairs 500 --out backgammon
  One sixteenth, on each of sixteen machines; then `alea-tournament merge`:
    alea-tournament run --depths 1,3 --pairs 16000 --shard 3/16 --out part3
  In a Slurm array, or under GNU parallel with 16 jobs (tools/tournament/scripts has both):
    alea-tournament run --depths 1,3 --pairs 16000 --shard auto/16 --out part$SLURM_ARRAY_TASK_ID
  After Ctrl-C, a crash or a power cut: the same command again goes on. --fresh starts over.

An engine is words separated by commas (quote a value that has commas: cmd=\"./engine a,b\"):
  name=A               what it is called in the records
  cmd=./engine --flag  program and arguments; a bare name is looked for beside this tool, then in
                       PATH; without cmd it is our own engine, alea
  depth=3 nodes=9000 movetime=50 (ms) tc=1+0.01 (seconds: base+increment)
                       limits, at least one; they combine
  option.Noise=0.1     any option; {pair} in a value stands for the number of the pair played

The same words in a TOML file, with the other conditions if you like:
  game = \"dice\"
  shape = \"5/4\"
  pairs = 500
  [[engine]]
  name = \"A\"
  depth = 3
  option.Noise = 0.1

Files in DIR: games.jsonl (a game a line), summary.json, table.txt, *.svg. At fixed depth or nodes they
depend on the conditions alone, whatever the concurrency; only measured times differ (see --no-times).";

const MERGE_HELP: &str = "\
Example:
  alea-tournament merge part1 part2 part3 --out whole

Every shard must be complete and of the same conditions, each present once. Every game is checked: its
checksum, its place, its names and chances, and its moves by the rules.";

const REPORT_HELP: &str = "\
Example:
  alea-tournament report hauk

Every game is checked like by merge. While a run writes into the folder, nothing is written: the table
so far is printed.";

const ANALYSE_HELP: &str = "\
Examples:
  alea-tournament analyse hauk 17 --depth 7
  alea-tournament analyse games.jsonl 17 --engine './engine --flag' --movetime 500 --json game17.json

Every position is searched before the roll and after it, and the move that was played where it is not the
best. Luck is the value after the roll less the value before it; a mistake is the value of the move less
that of the best. Both are for the side that moves, in points (1 = a won game). With --depth D the
position before the roll is searched to D + 1, so that luck is zero on average. Where chance follows the
move, as in dark chess, the roll is the piece that turns up.";

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

    /// Folder for the results; if it holds the same tournament already, go on with that
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    pub out: Option<PathBuf>,

    /// Start over: what the folder holds is moved into a folder old-1 (old-2, ...) in it
    #[arg(long, conflicts_with = "resume")]
    pub fresh: bool,

    /// Like --out, but conditions that are not given are those of the folder
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

    /// Noise levels at which to play the depths against each other, as in 0,0.1,0.2,0.3 [default: 0]
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "depths")]
    pub noise: Vec<String>,

    /// With --depths: another engine's command
    #[arg(long, value_name = "CMD", requires = "depths")]
    pub cmd: Option<String>,

    /// With --depths: an option to set in every engine, as in Eval=pairs; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "depths")]
    pub option: Vec<String>,

    /// An engine, as words: name=A,cmd=...,depth=3,movetime=...,nodes=...,tc=1+0.01,option.Noise=0.1; repeat for each
    #[arg(long, value_name = "WORDS")]
    pub engine: Vec<String>,

    /// A TOML file with engines and conditions in the same words
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Who plays whom: everybody everybody, or the first all others [default: round-robin]
    #[arg(long, value_name = "WHICH", conflicts_with = "depths")]
    pub format: Option<FormatArg>,

    /// The game, as the engines' option Game has it [default: dice]
    #[arg(long, value_parser = game)]
    pub game: Option<String>,

    /// With Dice: board size and win length, n/k [default: 5/4]
    #[arg(long, value_name = "N/K", value_parser = shape)]
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

    /// Play only this part of the pairs, as in 3/16; auto: the part that a Slurm array gives this job; auto/16: that of a
    /// job under GNU parallel, of 16
    #[arg(long, value_name = "I/N", value_parser = shard::argument)]
    pub shard: Option<Shard>,

    /// Plies after which a game that is not over is a draw [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PLIES)))]
    pub max_plies: Option<u32>,

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

    /// Folder for the whole; must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Arguments of `report`.
#[derive(Args)]
pub struct ReportArgs {
    /// The tournament's folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Which game of which tournament.
#[derive(Args)]
pub struct GameArgs {
    /// The tournament's folder, or a file of games
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,

    /// The game's number, from 1; may be left out where there is only one
    #[arg(value_name = "N")]
    pub number: Option<u64>,
}

/// Arguments of `analyse`.
#[derive(Args)]
#[command(group(clap::ArgGroup::new("limit").args(["depth", "movetime"]).required(false)))]
pub struct AnalyseArgs {
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,

    /// The engine that judges: program and arguments [default: alea, beside this tool]
    #[arg(long, value_name = "CMD")]
    pub engine: Option<String>,

    /// An option to set in it, as in Hash=256; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,

    /// Depth of each search [default: 7]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,

    /// Milliseconds of each search, in place of a depth
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,

    /// Write the analysis as JSON too
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
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
pub fn duration(text: &str) -> Result<Duration, WordError> {
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
        None => Err(WordError::new(text, "expected a time from 1ms to a day, as in 500ms, 60s or 2m")),
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
            assert_eq!(duration(text).unwrap_err().word, text);
        }
    }
}
