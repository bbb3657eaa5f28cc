//! `alea-gnubg`: Alea and GNU Backgammon.
//!
//! `fibs` are the boards that they exchange, `steps` the moves, `cube` what to do about it. A `player` answers boards with the
//! help of an engine: to GNU Backgammon (`serve`, with `lines`) or in UBGI (`ubgi`). The other way round, `gnubg` is GNU
//! Backgammon as a process, `adapter` has it speak our protocol, `matches` plays against it, and `judge` (with `mat`) has
//! it judge.

mod adapter;
mod cli;
mod cube;
mod error;
mod fibs;
mod gnubg;
mod judge;
mod lines;
mod mat;
mod matches;
mod player;
mod serve;
mod steps;
mod ubgi;

use adapter::Input;
use alea_tools::engine::{Stop, family};
use alea_tools::interrupt::{self, Interrupt};
use alea_tools::output::{complain, fail, say};
use clap::{CommandFactory, Parser};
use cli::{Cli, Command, GnubgArgs, MatchArgs};
use error::Error;
use std::convert::Infallible;
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::thread;

/// Lines that may wait while one is being answered; more have to wait outside.
const WAITING: usize = 64;

/// Tell the user of something that happened while the tool goes on.
fn log(text: &str) {
    complain(text);
}

/// A wish to stop that Ctrl-C raises.
fn on_interrupt() -> Result<(Arc<Stop>, Interrupt), Error> {
    let stop = Stop::new().map_err(|source| Error::System { what: "make a pipe", source })?;
    let stop = Arc::new(stop);
    let raised = Arc::clone(&stop);
    Ok((stop, Interrupt::watch(move || raised.raise())))
}

/// Play a match; comes back only if that cannot be begun.
fn play_match(args: &MatchArgs) -> Result<Infallible, Error> {
    let depth = args.depth.or(args.movetime.is_none().then_some(1));
    let command = args.engine.command()?;
    let command = shlex::try_join(command.iter().map(String::as_str)).unwrap_or_else(|_| command.join(" "));
    let mut words = vec![format!("cmd=\"{command}\"")];
    words.extend(depth.map(|depth| format!("depth={depth}")));
    words.extend(args.movetime.map(|ms| format!("movetime={ms}")));
    words.extend(args.engine.options()?.iter().map(|(name, value)| format!("option.{name}=\"{value}\"")));
    let limits = [depth.map(|depth| format!("-depth-{depth}")), args.movetime.map(|ms| format!("-{ms}ms"))];
    let mut more = vec!["--pairs".to_string(), args.pairs.to_string(), "--seed".into(), args.seed.to_string()];
    more.extend(["--out".to_string(), args.out.display().to_string()]);
    more.extend(args.concurrency.iter().flat_map(|count| ["--concurrency".to_string(), count.to_string()]));
    more.extend(args.fresh.then(|| "--fresh".to_string()));
    let name = args.name.clone().unwrap_or_else(|| format!("alea{}", limits.map(Option::unwrap_or_default).concat()));
    let gnubg = gnubg::find(args.gnubg.gnubg.as_deref())?;
    let engine = words.join(",");
    Err(matches::Match { engine, name, plies: args.gnubg.plies, gnubg, more }.play())
}

/// Be GNU Backgammon behind our protocol; a signal ends it in good order.
fn be_engine(args: &GnubgArgs) -> Result<ExitCode, Error> {
    let (send, input) = mpsc::sync_channel(WAITING);
    let wish = send.clone();
    // Where lines wait already, nobody needs to be woken.
    let interrupt = Interrupt::watch(move || drop(wish.try_send(Input::End)));
    let gnubg = gnubg::Gnubg::start(&gnubg::find(args.gnubg.as_deref())?, args.plies)?;
    let reader = thread::Builder::new().spawn(move || adapter::listen(std::io::stdin().lock(), &send));
    reader.map_err(|source| Error::System { what: "start a thread", source })?;
    adapter::Adapter::new(gnubg).talk(&input, &interrupt)?;
    Ok(if interrupt.seen() { ExitCode::from(interrupt::STATUS) } else { ExitCode::SUCCESS })
}

fn run(cli: Cli) -> Result<ExitCode, Error> {
    match cli.command {
        Command::Serve(args) => {
            let (stop, interrupt) = on_interrupt()?;
            let style = args.style.style()?;
            let service = serve::Service { listen: args.listen, style, once: args.once, verbose: args.verbose };
            serve::serve(service, &stop)?;
            return Ok(if interrupt.seen() { ExitCode::from(interrupt::STATUS) } else { ExitCode::SUCCESS });
        }
        Command::Ubgi(args) => ubgi::talk(&args.style()?)?,
        Command::Match(args) => match play_match(&args)? {},
        Command::Judge(args) => {
            let (stop, interrupt) = on_interrupt()?;
            let gnubg = gnubg::find(args.gnubg.as_deref())?;
            let task = judge::Task { dir: args.dir, games: args.games as usize, plies: args.plies, gnubg };
            say(&judge::judge(&task, &stop)?);
            return Ok(if interrupt.seen() { ExitCode::from(interrupt::STATUS) } else { ExitCode::SUCCESS });
        }
        Command::Engine(args) => return be_engine(&args),
        Command::Manual(manual) => manual.run(Cli::command())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    family::adopt();
    let code = run(cli).unwrap_or_else(|error| fail(&error));
    family::end_all();
    code
}
