//! `alea-train`: makes networks for Dice by self-play, and measures them.

mod arena;
mod check;
mod checkpoint;
mod curve;
mod endings;
mod exact;
mod fit;
mod model;
mod plot;
mod recipe;
mod selfplay;
mod train;

use alea::game::dice::Shape;
use alea::with_width;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Train a network for Dice by self-play, or measure one.
///
/// A run writes three files beside each other: the network (.net), its learning curve (.csv) as it goes, and a
/// checkpoint to go on from after an interruption (--resume). The same seed gives the same network to the bit, whatever
/// the number of threads.
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
  alea-train --shape 9/6 --out my.net --resume       go on after an interruption
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
    /// The network's file [default: as in 5-4-strong.net].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on from the checkpoint of an interrupted run of the same settings.
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

fn train(args: TrainArgs) -> Result<(), Box<dyn std::error::Error>> {
    let recipe = recipe::Recipe::new(args.recipe, args.shape, args.games);
    let (size, win) = (args.shape.size(), args.shape.win());
    let name = format!("{size}-{win}-{}.net", args.recipe);
    let order = train::Order {
        recipe,
        seed: args.seed,
        threads: threads(args.threads),
        out: args.out.unwrap_or_else(|| name.into()),
        resume: args.resume,
        until: args.stop_after,
    };
    println!(
        "Training {} ({}, seed {}): {} games into {}; the learning curve goes to {}.",
        args.shape,
        args.recipe,
        order.seed,
        order.recipe.games,
        order.out.display(),
        order.curve().display()
    );
    if with_width!(args.shape, B => train::train::<B>(&order))? {
        println!("Done. Next: alea-train check {}", order.out.display());
    } else {
        println!("Stopped; the same command with --resume goes on from {}.", order.checkpoint().display());
    }
    Ok(())
}

fn run(cli: Cli) -> Result<(), Box<dyn std::error::Error>> {
    match cli.command {
        None => train(cli.train),
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
            Ok(check::check(&order)?)
        }
        Some(Command::FitPairs { shapes }) => {
            let shipped: Vec<Shape> = alea::eval::nets::shapes().collect();
            for shape in if shapes.is_empty() { shipped } else { shapes } {
                println!("{shape} {:.4}", with_width!(shape, B => fit::scale::<B>(shape)));
            }
            Ok(())
        }
    }
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("alea-train: {error}");
            ExitCode::FAILURE
        }
    }
}
