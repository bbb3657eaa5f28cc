//! alea-board: a board in the browser for every game of the engine, against any engine of the protocol.
//!
//! `server` answers the page (`assets`), which keeps the game itself; `guard` says who may ask, `positions`, `paste` and
//! `steps` know the rules for it, `sessions` runs its engines, `kept` and `folders` have games on disk.

mod assets;
mod error;
mod folders;
mod guard;
mod kept;
mod paste;
mod positions;
mod server;
mod sessions;
mod steps;

use alea_tools::engine::{command_line, family};
use alea_tools::manual::Manual;
use alea_tools::output::{complain, fail, say};
use axum::serve::ListenerExt;
use clap::{CommandFactory, Parser};
use error::Error;
use folders::Folder;
use guard::Guard;
use server::Server;
use sessions::{EngineSpec, Sessions};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

const EXAMPLES: &str = "\
Examples:
  alea-board                                         play in the browser against the alea beside this tool
  alea-board --engine new=./target/release/alea --engine old=./old/alea
  alea-board --games hauk                            and look at the games of a tournament
  alea-board --port 8080 --no-browser                always at the same port; open the address yourself

The page is for this machine alone, and its address has a token: whoever has the address can play. Ctrl-C ends
the server and every engine.";

/// A board in the browser: every game of the engine, against any engine of the protocol
#[derive(Parser, Debug)]
#[command(name = "alea-board", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    /// An engine that the page may run; may be given several times [default: the alea beside this tool, or in PATH]
    #[arg(long, value_name = "NAME=COMMAND")]
    engine: Vec<String>,
    /// A tournament's folder, or a file of games, to look at; may be given several times
    #[arg(long, value_name = "DIR")]
    games: Vec<PathBuf>,
    /// The port on 127.0.0.1; 0 takes one that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Only print the address
    #[arg(long)]
    no_browser: bool,
    /// Games that may be open at once, and engines that may run
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    most: u16,
    /// Seconds for which the engines of a page outlive it, so that it can be reloaded
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=3600))]
    grace: u16,
    #[command(subcommand)]
    manual: Option<Manual>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.manual {
        Some(manual) => manual.run(Cli::command()).map_err(Error::Manual),
        None => run(&cli),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn run(cli: &Cli) -> Result<(), Error> {
    family::adopt();
    let engines = engines(&cli.engine)?;
    let folders = cli.games.iter().map(|path| Folder::open(path)).collect::<Result<_, _>>()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Error::System)?;
    let sessions = Sessions::new(engines, cli.most.into(), Duration::from_secs(cli.grace.into()));
    let served = runtime.block_on(serve(cli, Arc::new(sessions), folders));
    // Streams that pages hold open would be waited for; what they ran has been ended.
    runtime.shutdown_timeout(Duration::from_secs(1));
    family::end_all();
    served
}

async fn serve(cli: &Cli, sessions: Arc<Sessions>, folders: Vec<Folder>) -> Result<(), Error> {
    let listen = |source| Error::Listen { port: cli.port, source };
    let listener = TcpListener::bind(("127.0.0.1", cli.port)).await.map_err(listen)?;
    let port = listener.local_addr().map_err(listen)?.port();
    let server = Arc::new(Server { guard: Guard::new(port), sessions: sessions.clone(), folders });
    let address = server.guard.address();
    say(&format!("{address}\n"));
    if !cli.no_browser
        && let Err(error) = open::that_detached(&address)
    {
        complain(&format!("no browser could be opened ({error}): open the address above"));
    }
    // What an engine says is to be seen at once, however little it is.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let serving = axum::serve(listener, server::router(server));
    let served = tokio::select! {
        served = serving => served.map_err(Error::System),
        () = interrupted() => Ok(()),
    };
    sessions.end_all();
    served
}

/// Ctrl-C, or a polite request to end.
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = signals else { return std::future::pending().await };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

/// The engines that were named; the `alea` beside this tool if none was.
fn engines(words: &[String]) -> Result<Vec<EngineSpec>, Error> {
    if words.is_empty() {
        let there = alea_tools::programs::beside("alea").is_some();
        if !there && !in_path("alea") {
            return Err(Error::NoEngine);
        }
        return Ok(vec![EngineSpec { name: "alea".into(), command: vec!["alea".into()] }]);
    }
    let mut engines: Vec<EngineSpec> = Vec::new();
    for word in words {
        let wrong = |expected| Error::Engine { word: word.clone(), expected };
        let (name, command) = word.split_once('=').ok_or_else(|| wrong("NAME=COMMAND, such as new=./alea"))?;
        let command = command_line(command).map_err(|_| wrong("a command after ="))?;
        if name.is_empty() || engines.iter().any(|other| other.name == name) {
            return Err(wrong("a name of its own for each engine"));
        }
        engines.push(EngineSpec { name: name.into(), command });
    }
    Ok(engines)
}

fn in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        let words = |list: &[&str]| engines(&list.iter().map(ToString::to_string).collect::<Vec<_>>());
        let two = words(&["a=./alea", "b='my engine' --fast"]).unwrap();
        assert_eq!(two[1].command, ["my engine", "--fast"]);
        for (list, word) in
            [(&["./alea"][..], "./alea"), (&["a="], "command"), (&["=x"], "name"), (&["a=x", "a=y"], "a=y")]
        {
            assert!(words(list).unwrap_err().to_string().contains(word), "{list:?}");
        }
    }
}
