//! alea-gtp: an adapter from the Go Text Protocol, with GoGui's extensions, to any engine of our protocol.
//!
//! `input` and `syntax` read what the board says, `commands` and `analysis` answer it; `game` has the moves, `dice` the
//! dice that several adapters agree on (`session` says through which file); `player` asks the engine, on a `clock`;
//! `vertex`, `gfx` and `params` speak GoGui's language.

mod analysis;
mod clock;
mod commands;
mod dice;
mod game;
mod gfx;
mod input;
mod params;
mod player;
mod session;
mod syntax;
mod vertex;

use alea::game::dice::Shape;
use alea_tools::engine::{EngineArgs, Limits, family};
use alea_tools::manual::Manual;
use alea_tools::output::fail;
use clap::{CommandFactory, Parser, Subcommand};
use commands::Adapter;
use input::Said;
use player::Player;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Play Dice on GoGui's board, or by gogui-twogtp, with any engine of Alea's protocol
#[derive(Parser, Debug)]
#[command(
    name = "alea-gtp",
    version,
    after_help = "\
In GoGui: Program > New Program, command:  alea-gtp --shape 5/4 --movetime 500
  GoGui then asks the same program for the rules. Black is blue and plays in the rolled row, white is red and
  plays in the rolled column; the line is tinted. Tools > Analyze shows what the engine thinks, sets the die
  and rolls new dice (a new game has the same dice until then).
Two engines against each other, new dice every second game:
  gogui-twogtp -black 'alea-gtp --new-dice 2 --depth 3' -white 'alea-gtp --new-dice 2 --depth 5' \\
      -size 5 -games 10 -alternate -auto -sgffile match
By hand:  printf 'showboard\\ngenmove b\\nshowboard\\n' | alea-gtp"
)]
struct Cli {
    /// Size of the board and number in a row that wins
    #[arg(long, value_name = "N/K", default_value = "5/4")]
    shape: Shape,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    limits: Limits,

    /// The seed of the dice [default: any, the same for all adapters of one board]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// New dice after every N games, for gogui-twogtp (2 with -alternate, so that both sides have the same dice).
    /// Not for GoGui's window, which cannot tell a new game from going back to the start [default: never]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    new_dice: u64,

    /// Take moves in any line, as if it had been rolled: to look at games with dice of another seed
    #[arg(long)]
    any_line: bool,

    /// Numbers in place of pictures of dice
    #[arg(long)]
    ascii: bool,

    /// The file in which adapters of one board agree on dice [default: one for each parent process]
    #[arg(long, value_name = "FILE")]
    dice_file: Option<PathBuf>,

    #[command(subcommand)]
    manual: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[command(flatten)]
    Manual(Manual),
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
    let player = Player::new(cli.engine.command()?, cli.shape, cli.engine.options()?, cli.limits);
    let dice = dice::Dice::open(cli.dice_file.unwrap_or_else(session::file), cli.seed)?;
    let mut adapter = Adapter {
        game: game::Game::new(cli.shape, dice, cli.any_line),
        player,
        ascii: cli.ascii,
        new_dice: cli.new_dice,
        cleared: 0,
        quit: false,
    };
    let said = input::read(io::stdin())?;
    let mut stdout = io::stdout();
    while let Ok(said) = said.recv() {
        let answer = match said {
            Said::Request(request, stop) => request.answer(&adapter.answer(&request, &stop)),
            Said::TooLong => format!("? a line is longer than {} bytes\n\n", syntax::MAX_LINE),
        };
        match stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush()) {
            // Nobody listens any more.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
        if adapter.quit {
            return Ok(());
        }
    }
    Ok(())
}
