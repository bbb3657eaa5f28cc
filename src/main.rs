//! The engine `alea`: arguments, then the controller.

use alea::controller::{self, Failure, NAME};
use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "\
An engine for two-player games of chance: Dice, EinStein, backgammon, Chinese dark chess. It speaks a UCI-like protocol.

usage: alea            read commands from stdin (try: help)
       alea COMMAND    carry out one command, as in: alea bench
       alea --help, alea --version";

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.join(" ");
    let ended = match line.as_str() {
        "" => controller::run(),
        "--version" | "-V" => print(NAME),
        "--help" | "-h" => print(USAGE),
        line => match alea::protocol::parse(line) {
            Ok(_) => controller::run_line(line),
            Err(error) => {
                complain(&format!("alea: {error}\n\n{USAGE}"));
                return ExitCode::from(2);
            }
        },
    };
    match ended {
        Err(failure) if !failure.is_hangup() => {
            complain(&format!("alea: {failure}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout();
    Ok(writeln!(stdout, "{text}").and_then(|()| stdout.flush())?)
}

fn complain(message: &str) {
    // Where even this cannot be written, the status must do.
    let _ = writeln!(std::io::stderr(), "{message}");
}
