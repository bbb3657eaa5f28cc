//! What a tool prints.

use std::io::{self, Write};

/// Print to stdout. Where nobody reads it any more there is nothing left to do, and the tool ends quietly; where it cannot
/// be written for another reason, it says so and fails.
pub fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            complain(&format!("{}: stdout: {error}", crate::programs::own_name()));
        }
        std::process::exit(1);
    }
}

/// Print a line to stderr. Where it cannot be written there is nobody to tell.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
