//! `check`: an engine's conformance to the protocol, point by point, each with a fresh process.

mod dialogue;
mod errors;
mod failure;
mod handshake;
mod hosts;
mod liveness;
mod searches;

use crate::cli::CheckArgs;
use crate::error::Error;
use crate::fault::{FaultKind, fault};
use crate::stop::on_interrupt;
use alea_tools::output::say;
use dialogue::Dialogue;
use failure::Failure;
use std::process::ExitCode;

/// One point of the protocol: what it says, and a dialogue that shows whether it holds.
struct Point {
    name: &'static str,
    test: fn(&mut Dialogue) -> Result<(), Failure>,
}

/// Try every point, print the list, and the dialogue where one fails.
pub fn check(args: &CheckArgs) -> Result<ExitCode, Error> {
    let stop = on_interrupt()?;
    let groups = [handshake::POINTS, liveness::POINTS, searches::POINTS, hosts::POINTS, errors::POINTS];
    let (mut passed, mut failed) = (0, 0);
    for point in groups.into_iter().flatten() {
        let mut dialogue =
            Dialogue::open(&args.cmd, args.patience, &stop).map_err(|error| not_started(args, &error))?;
        let outcome = (point.test)(&mut dialogue).and_then(|()| dialogue.expect_no_errors());
        let words = dialogue.expect_no_errors();
        // The engine ends before anything is printed: if nobody reads it, this tool ends there and then.
        let transcript = dialogue.end();
        if stop.is_raised() {
            return Err(Error::Stopped);
        }
        let Err(reason) = outcome else {
            passed += 1;
            say(&format!("PASS  {}\n", point.name));
            continue;
        };
        failed += 1;
        let mut text = format!("FAIL  {}\n      {reason}\n", point.name);
        if let (Err(words), false) = (words, matches!(reason, Failure::Stderr(_))) {
            text.push_str(&format!("      {words}\n"));
        }
        transcript.iter().for_each(|line| text.push_str(&format!("      | {line}\n")));
        say(&text);
    }
    say(&format!("\n{passed} passed, {failed} failed\n"));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn not_started(args: &CheckArgs, error: &std::io::Error) -> Error {
    let trouble = fault(FaultKind::Crash, format!("it cannot be started: {error}"));
    Error::Broken(crate::error::Failure { name: "to check".to_string(), cmd: args.cmd.clone(), attempts: 1, trouble })
}
