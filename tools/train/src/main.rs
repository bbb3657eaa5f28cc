//! `alea-train`: makes networks for Dice by self-play, and measures them.

mod arena;
mod check;
mod checkpoint;
mod conditions;
mod curve;
mod endings;
mod exact;
mod fit;
mod model;
mod paths;
mod plot;
mod recipe;
mod run;
mod selfplay;
mod train;

use alea::game::dice::Shape;
use alea::with_width;
use alea_tools::interrupt::{self, Interrupt, Omit};
use alea_tools::output::{complain, say};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Train a network for Dice by self-play, or measure one.
///
/// A run writes its files beside each other as it goes: the best network so far (.net) by its score against pairs on fixed
/// dice, the last one (.last.net), the learning curve (.csv), and a checkpoint. The same command goes on where a run was
/// cut short; --fresh starts it over. The same seed gives the same network to the bit, whatever the number of threads.
#[derive(Parser)]
#[command(name = "alea-train", version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    train: TrainArgs,
}

const EXAMPLES: &str = "Examples:
  alea-train --shape 5/4 --recipe thesis             the thesis's network, in a minute
  alea-train --shape 9/6 --out my.net                a strong one; then: setoption name EvalFile value my.net
  alea-train --shape 9/6 --out my.net                the same again: goes on after an interruption
  alea-train --shape 9/6 --out my.net --fresh        starts over
  alea-train check my.net                            how good is it?
  alea-train check 5/4                               how good is the one that comes with the engine?";

#[derive(Subcommand)]
enum Command {
    /// Report a network's quality: errors against solved positions, calibration, strength against pairs.
    Check(CheckArgs),
    /// Print the scale that makes pairs proportional to the outcome, for each shape given.
    FitPairs {
        /// Shapes, as in 5/4; those with a shipped network if none is given.
        shapes: Vec<Shape>,
    },
}

#[derive(Args)]
struct TrainArgs {
    /// The shape to train for, n/k.
    #[arg(long, default_value = "5/4")]
    shape: Shape,
    /// How to train.
    #[arg(long, value_enum, default_value = "strong")]
    recipe: recipe::Name,
    /// Which of all possible runs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one a core].
    #[arg(long)]
    threads: Option<usize>,
    /// Games of self-play [default: the recipe's own number].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// The network's file, ending in .net [default: as in 5-4-strong.net].
    #[arg(long, value_name = "FILE.net")]
    out: Option<PathBuf>,
    /// Start over, and overwrite what an earlier run left.
    #[arg(long, conflicts_with = "resume")]
    fresh: bool,
    /// Go on from a checkpoint, and refuse to start without one; where there is one, a run goes on in any case.
    #[arg(long)]
    resume: bool,
    /// Leave a checkpoint and stop once this many games are played.
    #[arg(long, value_name = "GAMES")]
    stop_after: Option<u64>,
}

#[derive(Args)]
struct CheckArgs {
    /// A network's file, or a shape for the network that comes with the engine.
    network: String,
    /// Solved positions to measure on.
    #[arg(long, default_value_t = 700)]
    positions: usize,
    /// Pairs of games against pairs [default: 1000, on boards above 9x9 300].
    #[arg(long)]
    pairs: Option<u32>,
    /// Which dice those games are played on; another number shows whether a score was the luck of the dice.
    #[arg(long, default_value_t = 0)]
    dice: u32,
    /// Which positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads [default: one a core].
    #[arg(long)]
    threads: Option<usize>,
    /// Where to draw the calibration [default: calibration-<shape>.svg].
    #[arg(long)]
    svg: Option<PathBuf>,
}

fn threads(wanted: Option<usize>) -> usize {
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).clamp(1, 64)
}

/// Any failure: each kind has words of its own.
type Failure = Box<dyn std::error::Error>;

/// What is left out of the line that goes on after an interruption.
const OMITTED: [Omit; 2] = [Omit::Flag("--fresh"), Omit::Value("--stop-after")];

fn train(args: TrainArgs) -> Result<ExitCode, Failure> {
    let recipe = recipe::Recipe::new(args.recipe, args.shape, args.games);
    let (size, win) = (args.shape.size(), args.shape.win());
    let name = format!("{size}-{win}-{}.net", args.recipe);
    let order = train::Order {
        name: args.recipe,
        recipe,
        seed: args.seed,
        threads: threads(args.threads),
        paths: paths::Paths::new(&args.out.unwrap_or_else(|| name.into()))?,
        resume: args.resume,
        fresh: args.fresh,
        until: args.stop_after,
    };
    let (net, games) = (order.paths.net.display(), order.recipe.games);
    say(&format!(
        "Training {} ({}, seed {}): {games} games into {net}; the learning curve goes to {}.\n",
        args.shape,
        args.recipe,
        order.seed,
        order.paths.curve.display()
    ));
    let interrupt = Interrupt::watch(|| complain("Stopping after this batch of games; Ctrl-C again ends at once."));
    let ended = with_width!(args.shape, B => train::train::<B>(&order, &interrupt))?;
    let stopped = |done: u64| {
        let line = interrupt::command_line(&OMITTED);
        say(&format!("Stopped after {done} of {games} games; the best network so far is {net}. To go on:\n  {line}\n"));
    };
    match ended {
        train::Ended::Finished(rows) => {
            if let Some((best, last)) = rows {
                say(&format!(
                    "{net} is the network after {} games, the best against pairs ({:.1} %); {} is the last ({:.1} %).\n",
                    best.games,
                    100.0 * best.score,
                    order.paths.last.display(),
                    100.0 * last.score
                ));
            }
            say(&format!("Done. Next: alea-train check {net}\n"));
        }
        train::Ended::Already => say(&format!("Finished already: {net} stays as it is; --fresh starts over.\n")),
        train::Ended::Stopped(done) => stopped(done),
        train::Ended::Interrupted(done) => {
            stopped(done);
            return Ok(ExitCode::from(interrupt::STATUS));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        None => return train(cli.train),
        Some(Command::Check(args)) => {
            let order = check::Order {
                network: args.network,
                positions: args.positions,
                pairs: args.pairs,
                dice: args.dice,
                seed: args.seed,
                threads: threads(args.threads),
                svg: args.svg,
            };
            check::check(&order)?;
        }
        Some(Command::FitPairs { shapes }) => {
            let shipped: Vec<Shape> = alea::eval::dice::nets::shapes().collect();
            for shape in if shapes.is_empty() { shipped } else { shapes } {
                say(&format!("{shape} {:.4}\n", with_width!(shape, B => fit::scale::<B>(shape))));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    run(Cli::parse()).unwrap_or_else(|error| {
        complain(&format!("alea-train: {error}"));
        ExitCode::FAILURE
    })
}
