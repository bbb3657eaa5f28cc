//! Files that are there whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Replace a file in one step: whoever reads it, whenever the machine stops, finds the old content or the new.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), String> {
    alea::files::replace(path, content).map_err(|error| naming(path, error))
}

/// An error with the file it is about.
pub fn naming(path: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// Make a directory, and those above it.
pub fn make_dir(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| naming(path, error))
}

/// Print to stdout. Where nobody reads it any more, there is nothing left to do: ends quietly, as other tools do.
pub fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            eprintln!("alea-suite: stdout: {error}");
        }
        std::process::exit(1);
    }
}
