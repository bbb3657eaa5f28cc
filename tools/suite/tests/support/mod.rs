//! alea-suite as a process.

use std::path::Path;
use std::process::{Command, Output};

/// A command of alea-suite in a folder.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alea-suite"));
    command.current_dir(dir).args(args);
    command
}

/// What comes of one.
pub fn suite(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().expect("alea-suite starts")
}

/// Run a command that must end well; its stdout.
pub fn done(dir: &Path, args: &[&str]) -> String {
    let output = suite(dir, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Run a command that must fail, without a panic; its stderr.
pub fn failed(dir: &Path, args: &[&str]) -> String {
    let output = suite(dir, args);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}: {:?}", output.status);
    String::from_utf8(output.stderr).unwrap()
}
