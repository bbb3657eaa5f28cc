//! `alea-train`: makes networks by self-play, and measures them.
//!
//! `train` and `run` are the frame of every training run, with its files (`paths`, `checkpoint`, `conditions`, `curve`); a
//! `trainer` is what they drive. Dice has one of its own (`dice`, with `recipe`, `model`, `selfplay`, `endings`, `exact` and
//! `arena`), backgammon too (`backgammon`), other games share that of `sparse`; `shares` gives threads their parts. `check` and `sparse::check` are the measuring, `fit` and `linear` fit plain
//! evaluations.

mod arena;
mod backgammon;
mod check;
mod checkpoint;
mod conditions;
mod curve;
mod dice;
mod endings;
mod exact;
mod fit;
mod games;
mod linear;
mod model;
mod named;
mod paths;
mod plot;
mod recipe;
mod run;
mod selfplay;
mod shares;
mod sparse;
mod train;
mod trainer;

use alea::game::dice::Shape;
use alea::game::{darkchess, einstein};
use alea::with_width;
use alea_tools::interrupt::{self, Interrupt, Omit};
use alea_tools::manual::Manual;
use alea_tools::output::{complain, say};
use alea_tools::words::WordError;
use clap::{Args, CommandFactory, Parser, Subcommand};
use conditions::Conditions;
use games::Game;
use named::Named;
use paths::{NoNetName, Paths};
use sparse::game::Taught;
use std::path::PathBuf;
use std::process::ExitCode;
use train::{Ended, Order};

/// Train a network by self-play, or measure one.
///
/// A run writes its files beside each other as it goes: the best network so far (.net) by its score against a plain
/// evaluation (pairs for dice, race for einstein, pips for backgammon, material for darkchess) on fixed dice, or, where dice learns exact
/// values, by its error in endings that are solved, and where backgammon has a teacher, in games that it does not learn from; the last one (.last.net), the learning curve (.csv), and a checkpoint. The same command goes on where a run was
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
  alea-train --game einstein --out my.net            one for EinStein
  alea-train --game backgammon --out first.net       two for backgammon, in one file
  alea-train --game backgammon --teacher first.net --out my.net      better ones, from the games of those: a quarter of an hour
  alea-train check my.net                            how good is it?
  alea-train check 5/4                               how good is the one that comes with the engine? also: check einstein, check backgammon";

#[derive(Subcommand)]
enum Command {
    /// Report a network's quality: its strength against a plain evaluation; for dice, errors against solved positions and
    /// calibration too.
    Check(CheckArgs),
    /// Print the scale that makes pairs proportional to the outcome, for each shape given.
    FitPairs {
        /// Shapes, as in 5/4; those with a shipped network if none is given.
        shapes: Vec<Shape>,
    },
    /// Print the scale and the tempo that make EinStein's race proportional to the outcome.
    FitRace {
        /// Games to fit them to.
        #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
        games: u64,
    },
    /// Make backgammon's table of bearoffs: how many turns every home takes to empty.
    Bearoff {
        /// The table's file.
        #[arg(long, value_name = "FILE", default_value = "bearoff.tab")]
        out: PathBuf,
    },
    /// Teach backgammon's linear evaluation by self-play and write its weights: two minutes.
    FitLinear {
        /// Games of self-play.
        #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
        games: u64,
        /// Which of all possible runs.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where to write the weights; src/eval/backgammon/linear.weights is what the engine is built with.
        #[arg(long, value_name = "FILE", default_value = "linear.weights")]
        out: PathBuf,
    },
    /// Completions and man pages.
    #[command(flatten)]
    Manual(Manual),
}

#[derive(Args)]
struct TrainArgs {
    /// The game to train for: dice, einstein, backgammon or darkchess.
    #[arg(long, default_value_t = Game::Dice)]
    game: Game,
    /// The shape to train for, n/k; for dice only [default: 5/4].
    #[arg(long)]
    shape: Option<Shape>,
    /// How to train; for dice only [default: strong].
    #[arg(long, value_enum)]
    recipe: Option<recipe::Name>,
    /// Which of all possible runs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Learn from the games of the networks in this file, which stay as they are, in place of one's own; for backgammon only.
    /// Its games are kept in memory, some two gigabytes.
    #[arg(long, value_name = "FILE.net")]
    teacher: Option<PathBuf>,
    /// Threads [default: one a core].
    #[arg(long)]
    threads: Option<usize>,
    /// Games to learn from [default: the recipe's own number]. A teacher plays at most 120 000, which come again and again.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// The network's file, ending in .net [default: as in 5-4-strong.net or einstein.net].
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
    /// A network's file, or a shape, einstein, backgammon or darkchess for the network that comes with the engine.
    network: String,
    /// Solved positions to measure on; for dice only [default: 700].
    #[arg(long)]
    positions: Option<usize>,
    /// Pairs of games against the plain evaluation [default: 1000, on boards of dice above 9x9 300].
    #[arg(long)]
    pairs: Option<u32>,
    /// Which dice those games are played on; another number shows whether a score was the luck of the dice.
    #[arg(long, default_value_t = 0)]
    dice: u32,
    /// Which positions; for dice only [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// Threads [default: one a core].
    #[arg(long)]
    threads: Option<usize>,
    /// Where to draw the calibration; for dice only [default: calibration-<shape>.svg].
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

/// Pairs of games that a network of sparse features is measured by, unless told otherwise.
const PAIRS: u32 = 1000;

/// Refuse options that are given, though they are for dice only.
fn refuse(game: Game, options: &[(&str, bool)]) -> Result<(), WordError> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(WordError::new(*option, format!("it is for dice only, and the game is {game}"))),
        None => Ok(()),
    }
}

fn train(args: &TrainArgs) -> Result<ExitCode, Failure> {
    let interrupt = || Interrupt::watch(|| complain("Stopping after this batch of games; Ctrl-C again ends at once."));
    match args.game {
        Game::Dice => train_dice(args, interrupt),
        Game::Einstein => train_sparse::<einstein::Position>(args, interrupt),
        Game::Backgammon => train_backgammon(args, interrupt),
        Game::DarkChess => train_sparse::<darkchess::Position>(args, interrupt),
    }
}

/// Refuse a teacher: only backgammon learns from one.
fn refuse_teacher(args: &TrainArgs) -> Result<(), WordError> {
    match args.teacher {
        Some(_) => {
            Err(WordError::new("--teacher", format!("it is for backgammon only, and the game is {}", args.game)))
        }
        None => Ok(()),
    }
}

fn train_dice(args: &TrainArgs, interrupt: impl FnOnce() -> Interrupt) -> Result<ExitCode, Failure> {
    refuse_teacher(args)?;
    let (shape, name) = (args.shape.unwrap_or_default(), args.recipe.unwrap_or(recipe::Name::Strong));
    let recipe = recipe::Recipe::new(name, shape, args.games);
    let options = [
        ("--game", Game::Dice.to_string()),
        ("--shape", shape.to_string()),
        ("--recipe", name.to_string()),
        ("--seed", args.seed.to_string()),
        ("--games", recipe.games.to_string()),
    ];
    let file = format!("{}-{}-{name}.net", shape.size(), shape.win());
    let order = args.order(Conditions::new(&options, &recipe), args.paths(&file)?);
    let games = recipe.games;
    announce(&order, &format!("{shape} ({name}, seed {})", args.seed), games);
    let (seed, threads) = (args.seed, threads(args.threads));
    let ended = with_width!(shape, B => {
        train::train(&order, || dice::DiceTrainer::<B>::new(recipe, seed, threads), &interrupt())
    })?;
    Ok(tell_end(&order, ended, games, "pairs"))
}

fn train_sparse<G: Taught>(args: &TrainArgs, interrupt: impl FnOnce() -> Interrupt) -> Result<ExitCode, Failure> {
    refuse_teacher(args)?;
    refuse(args.game, &[("--shape", args.shape.is_some()), ("--recipe", args.recipe.is_some())])?;
    let games = args.games.unwrap_or(G::RECIPE.games);
    let recipe = sparse::recipe::Recipe { games, ..G::RECIPE };
    let options =
        [("--game", args.game.to_string()), ("--seed", args.seed.to_string()), ("--games", games.to_string())];
    let order = args.order(Conditions::new(&options, &recipe), args.paths(&format!("{}.net", args.game))?);
    announce(&order, &format!("{} (seed {})", args.game, args.seed), games);
    let trainer = || sparse::trainer::SparseTrainer::<G>::new(recipe, args.seed, threads(args.threads));
    let ended = train::train(&order, trainer, &interrupt())?;
    Ok(tell_end(&order, ended, games, G::RIVAL))
}

fn train_backgammon(args: &TrainArgs, interrupt: impl FnOnce() -> Interrupt) -> Result<ExitCode, Failure> {
    refuse(args.game, &[("--shape", args.shape.is_some()), ("--recipe", args.recipe.is_some())])?;
    let paths = args.paths(&format!("{}.net", args.game))?;
    let load = |path| backgammon::teacher::Teacher::load(path, &paths);
    let teacher = args.teacher.as_deref().map(load).transpose()?;
    let usual = backgammon::recipe::Recipe::usual(teacher.is_some());
    let games = args.games.unwrap_or(usual.games);
    let recipe = backgammon::recipe::Recipe { games, ..usual };
    let options = [
        ("--game", args.game.to_string()),
        ("--seed", args.seed.to_string()),
        ("--games", games.to_string()),
        ("--teacher", teacher.as_ref().map_or_else(|| "none".into(), |teacher| teacher.checksum.clone())),
    ];
    let order = args.order(Conditions::new(&options, &recipe), paths);
    announce(&order, &format!("{} (seed {})", args.game, args.seed), games);
    let network = teacher.map(|teacher| teacher.network);
    let trainer = || backgammon::trainer::BackgammonTrainer::new(recipe, args.seed, threads(args.threads), network);
    let ended = train::train(&order, trainer, &interrupt())?;
    Ok(tell_end(&order, ended, games, "pips"))
}

impl TrainArgs {
    /// Where the run's files go: named after this one if these words name none.
    fn paths(&self, file: &str) -> Result<Paths, NoNetName> {
        Paths::new(&self.out.clone().unwrap_or_else(|| file.into()))
    }

    /// What these words order.
    fn order(&self, conditions: Conditions, paths: Paths) -> Order {
        Order { conditions, paths, resume: self.resume, fresh: self.fresh, until: self.stop_after }
    }
}

fn announce(order: &Order, what: &str, games: u64) {
    let (net, curve) = (order.paths.net.display(), order.paths.curve.display());
    say(&format!("Training {what}: {games} games into {net}; the learning curve goes to {curve}.\n"));
}

/// Say how a run ended and what comes next; gives back the exit code.
fn tell_end(order: &Order, ended: Ended, games: u64, rival: &str) -> ExitCode {
    let net = order.paths.net.display();
    let stopped = |done: u64| {
        let line = interrupt::command_line(&OMITTED);
        say(&format!("Stopped after {done} of {games} games; the best network so far is {net}. To go on:\n  {line}\n"));
    };
    match ended {
        Ended::Finished(standings) => {
            if let Some((best, last)) = standings {
                let shown = |standing: &train::Standing| match standing.error {
                    Some((error, _)) => format!("rms error {error:.4}"),
                    None => format!("{:.1} %", 100.0 * standing.score),
                };
                let merit = best
                    .error
                    .map_or_else(|| format!("the best against {rival}"), |(_, what)| format!("the nearest to {what}"));
                let (games, final_net) = (best.games, order.paths.last.display());
                let (best, last) = (shown(&best), shown(&last));
                say(&format!(
                    "{net} is the network after {games} games, {merit} ({best}); {final_net} is the last ({last}).\n"
                ));
            }
            say(&format!("Done. Next: alea-train check {net}\n"));
        }
        Ended::Already => say(&format!("Finished already: {net} stays as it is; --fresh starts over.\n")),
        Ended::Stopped(done) => stopped(done),
        Ended::Interrupted(done) => {
            stopped(done);
            return ExitCode::from(interrupt::STATUS);
        }
    }
    ExitCode::SUCCESS
}

fn check(args: CheckArgs) -> Result<(), Failure> {
    let named = Named::new(&args.network)?;
    match named.game {
        Game::Dice => check::check(&check::Order {
            network: args.network,
            positions: args.positions.unwrap_or(700),
            pairs: args.pairs,
            dice: args.dice,
            seed: args.seed.unwrap_or(1),
            threads: threads(args.threads),
            svg: args.svg,
        })?,
        Game::Einstein => check_sparse::<einstein::Position>(&args, &named)?,
        Game::Backgammon => check_backgammon(&args, &named)?,
        Game::DarkChess => check_sparse::<darkchess::Position>(&args, &named)?,
    }
    Ok(())
}

fn check_backgammon(args: &CheckArgs, named: &Named) -> Result<(), Failure> {
    let options =
        [("--positions", args.positions.is_some()), ("--seed", args.seed.is_some()), ("--svg", args.svg.is_some())];
    refuse(named.game, &options)?;
    let dice = arena::Dice { series: args.dice, pairs: args.pairs.unwrap_or(backgammon::recipe::Recipe::OWN.pairs) };
    backgammon::check::check(&args.network, named.bytes.as_deref(), dice, threads(args.threads))?;
    Ok(())
}

fn check_sparse<G: Taught>(args: &CheckArgs, named: &Named) -> Result<(), Failure> {
    let options =
        [("--positions", args.positions.is_some()), ("--seed", args.seed.is_some()), ("--svg", args.svg.is_some())];
    refuse(named.game, &options)?;
    let dice = arena::Dice { series: args.dice, pairs: args.pairs.unwrap_or(PAIRS) };
    sparse::check::check::<G>(&args.network, named.bytes.as_deref(), dice, threads(args.threads))?;
    Ok(())
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        None => return train(&cli.train),
        Some(Command::Check(args)) => check(args)?,
        Some(Command::FitPairs { shapes }) => {
            let shipped: Vec<Shape> = alea::eval::dice::nets::shapes().collect();
            for shape in if shapes.is_empty() { shipped } else { shapes } {
                say(&format!("{shape} {:.4}\n", with_width!(shape, B => fit::scale::<B>(shape))));
            }
        }
        Some(Command::FitRace { games }) => {
            let (scale, tempo) = sparse::einstein::fit_race(games);
            say(&format!("scale {scale:.4} tempo {tempo}\n"));
        }
        Some(Command::Bearoff { out }) => backgammon::check::make_bearoff(&out)?,
        Some(Command::FitLinear { games, seed, out }) => {
            let (weights, words) = linear::fit(&linear::Order { games, seed });
            alea_tools::files::replace(&out, &weights)?;
            say(&format!("{words}\n{} holds the weights.\n", out.display()));
        }
        Some(Command::Manual(manual)) => manual.run(Cli::command())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    run(Cli::parse()).unwrap_or_else(|error| {
        complain(&format!("alea-train: {error}"));
        ExitCode::FAILURE
    })
}
