//! `check`: an engine's conformance to the protocol, point by point, each with a fresh process.

mod dialogue;
mod errors;
mod handshake;
mod liveness;
mod searches;

use crate::cli::CheckArgs;
use crate::stop::Stop;
use dialogue::Dialogue;
use std::process::ExitCode;
use std::sync::Arc;

/// One point of the protocol: what it says, and a dialogue that shows whether it holds. The error says what does not.
struct Point {
    name: &'static str,
    test: fn(&mut Dialogue) -> Result<(), String>,
}

/// Try every point, print the list, and the dialogue where one fails.
pub fn check(args: &CheckArgs) -> Result<ExitCode, String> {
    let stop = Arc::new(Stop::new().map_err(|error| format!("cannot make a pipe: {error}"))?);
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.raise()).map_err(|error| format!("cannot catch Ctrl-C: {error}"))?;
    let groups = [handshake::POINTS, liveness::POINTS, searches::POINTS, errors::POINTS];
    let (mut passed, mut failed) = (0, 0);
    for point in groups.into_iter().flatten() {
        let mut dialogue = Dialogue::open(&args.cmd, args.patience, &stop)
            .map_err(|error| format!("'{}' cannot be started: {error}", args.cmd.join(" ")))?;
        let outcome = (point.test)(&mut dialogue).and_then(|()| dialogue.expect_no_errors());
        if stop.is_raised() {
            return Err("stopped".to_string());
        }
        match outcome {
            Ok(()) => {
                passed += 1;
                println!("PASS  {}", point.name);
            }
            Err(reason) => {
                failed += 1;
                println!("FAIL  {}\n      {reason}", point.name);
                if let Err(words) = dialogue.expect_no_errors()
                    && words != reason
                {
                    println!("      {words}");
                }
                for line in dialogue.transcript() {
                    println!("      | {line}");
                }
            }
        }
    }
    println!("\n{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
