//! The engine `alea`: arguments, then the controller.

use alea::controller::{self, Failure, NAME};
use std::process::ExitCode;

const USAGE: &str = "\
An engine for two-player games of chance. Dice is the game, a UCI-like protocol the language.

usage: alea            read commands from stdin (try: help)
       alea COMMAND    carry out one command, as in: alea bench
       alea --help, alea --version";

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.join(" ");
    let ended = match line.as_str() {
        "" => controller::run(),
        "--version" | "-V" => return print(NAME),
        "--help" | "-h" => return print(USAGE),
        line => match alea::protocol::parse(line) {
            Ok(_) => controller::run_line(line),
            Err(error) => return refuse(&format!("alea: {error}\n\n{USAGE}")),
        },
    };
    match ended {
        // Nobody listens any more: nothing is left to do.
        Ok(()) | Err(Failure::Output(_)) => ExitCode::SUCCESS,
        Err(Failure::Table(error)) => refuse(&format!("alea: {error}")),
    }
}

fn print(text: &str) -> ExitCode {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::SUCCESS
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(2)
}
