//! What a tool prints, when somebody reads it and when nobody does.

use std::io::{self, Write};
use std::process::ExitCode;

/// The exit code of a program that SIGPIPE ended, as shells have it.
const BROKEN_PIPE: u8 = 128 + 13;

/// Print to stdout. Where nobody reads it any more there is nothing left to do, and the tool ends quietly; where it cannot
/// be written for another reason, it says so and fails.
pub fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        std::process::exit(i32::from(lost(&error)));
    }
}

/// Print to stderr. There is no place left to complain where that cannot be written.
pub fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Print a line to stderr.
pub fn complain(line: &str) {
    tell(&format!("{line}\n"));
}

/// The exit code of a tool whose stdout cannot be written; says why, unless nobody reads it any more.
fn lost(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return BROKEN_PIPE;
    }
    tell(&format!("{}: stdout: {error}\n", crate::programs::own_name()));
    1
}

/// Tell of an error that ends the tool: its name, the message, and the exit code.
pub fn fail(error: &dyn std::error::Error) -> ExitCode {
    tell(&format!("{}: {error}\n", crate::programs::own_name()));
    ExitCode::FAILURE
}
