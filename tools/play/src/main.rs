//! alea-play: a person plays in the terminal, against any engine of our protocol or another person.
//!
//! `table` is the game: it rolls, draws, asks and moves. `prompt` asks, `said` understands, `opponent` thinks, `keep` writes
//! games down.

mod keep;
mod opponent;
mod prompt;
mod said;
mod table;

use alea::game::dice::Shape;
use alea_tools::engine::{EngineArgs, Limits, Stop, family};
use alea_tools::interrupt;
use alea_tools::manual::Manual;
use alea_tools::output::fail;
use alea_tools::records::Seat;
use alea_tools::rules::Variant;
use alea_tools::words::WordError;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use opponent::{Opponent, Running};
use prompt::Prompt;
use rand::Rng;
use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, PoisonError};
use table::Table;

/// Play a game of chance in the terminal
#[derive(Parser, Debug)]
#[command(
    name = "alea-play",
    version,
    after_help = "\
  alea-play                                   Dice on 5x5, four in a row; you are blue and move first
  alea-play --game backgammon --movetime 300  the other games: einstein, backgammon, darkchess
  alea-play --shape 9/6 --side second --depth 3
  alea-play --option Noise=0.3 --depth 1      an engine that makes mistakes
It rolls, draws the board and asks. Type a move as the board names it (b2), or: undo, hint, moves, resign, save, new, help, quit.
Tab completes, arrows go through what was typed before, Ctrl-C makes the engine move at once.
Games are kept in the tournament's format: alea-tournament replay FILE N shows one, analyse FILE N says who was lucky."
)]
struct Cli {
    /// What to play
    #[arg(long, default_value = "dice", value_parser = clap::builder::PossibleValuesParser::new(alea::games::NAMES))]
    game: String,

    /// Dice: size of the board and number in a row that wins [default: 5/4]
    #[arg(long, value_name = "N/K")]
    shape: Option<Shape>,

    /// Which side is yours
    #[arg(long, value_enum, default_value_t = Side::First)]
    side: Side,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    limits: Limits,

    /// The seed of the dice: the same seed rolls the same dice [default: any]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Keep games in this file [default: alea/games.jsonl in your data folder]
    #[arg(long, value_name = "FILE", conflicts_with = "no_save")]
    save: Option<PathBuf>,

    /// Keep no games
    #[arg(long)]
    no_save: bool,

    #[command(subcommand)]
    manual: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[command(flatten)]
    Manual(Manual),
}

/// Which sides people have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    /// You move first
    First,
    /// You move second
    Second,
    /// Two people, one terminal; the engine gives hints
    Both,
    /// The engine plays itself, and you watch
    Neither,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    family::adopt();
    let done = match &cli.manual {
        Some(Command::Manual(manual)) => manual.run(Cli::command()).map_err(Into::into),
        None => run(cli),
    };
    family::end_all();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(error.as_ref()),
    }
}

fn run(cli: Cli) -> Result<(), Box<dyn Error>> {
    let variant = match cli.shape {
        None => Variant::of(&cli.game),
        Some(shape) if cli.game == "dice" => Variant::dice(shape),
        Some(shape) => {
            return Err(WordError::new(shape.to_string(), "expected for Dice alone").within("--shape").into());
        }
    };
    let (command, options) = (cli.engine.command()?, cli.engine.options()?);
    let people = match cli.side {
        Side::First => vec![Seat::P1],
        Side::Second => vec![Seat::P2],
        Side::Both => Seat::BOTH.to_vec(),
        Side::Neither => Vec::new(),
    };
    let running = Running::default();
    watch(&running);
    let start = format!("position {}", variant.start);
    let opponent = Opponent::start(command, &cli.game, start, options, cli.limits.go(""), running)?;
    let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let usual = keep::usual_file();
    let history = usual.as_ref().map(|path| path.with_file_name("play-history"));
    let file = if cli.no_save { None } else { cli.save.or(usual) };
    let seed = cli.seed.unwrap_or_else(|| rand::rng().next_u64() >> 32);
    let mut table = Table { people, variant, opponent, prompt: Prompt::new(history), file, colour, seed };
    Ok(table.sit()?)
}

/// Ctrl-C makes the engine move; while nobody thinks it ends the program, as it always does.
fn watch(running: &Running) {
    let running = Arc::clone(running);
    let handler = move || {
        let stop: Option<Arc<Stop>> = running.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match stop.filter(|stop| !stop.is_raised()) {
            Some(stop) => stop.raise(),
            None => std::process::exit(interrupt::STATUS.into()),
        }
    };
    // Without a handler Ctrl-C ends the program at once.
    ctrlc::set_handler(handler).ok();
}
