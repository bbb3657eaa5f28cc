//! How far the benchmark is: a bar with the time left, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{ErrorKind, Write};

/// The bar advances by what each step was expected to take, in steps of a millisecond.
const STEPS: f64 = 1e3;

/// Progress through everything that is to be measured. The bar is drawn on stderr, and only if that is a terminal.
pub struct Progress {
    bar: ProgressBar,
    quiet: bool,
}

impl Progress {
    /// Progress through work of so many seconds, by estimate. If `quiet`, what is found is not printed.
    pub fn new(seconds: f64, quiet: bool) -> Progress {
        let bar = ProgressBar::new((seconds * STEPS) as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent} %, about {eta} left: {msg}") {
            bar.set_style(style);
        }
        Progress { bar, quiet }
    }

    /// Say what is being measured.
    pub fn name(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Something is done that was expected to take so many seconds.
    pub fn advance(&self, seconds: f64) {
        self.bar.inc((seconds * STEPS) as u64);
    }

    /// Print a part of the report.
    pub fn print(&self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// Print to stdout, above the bar. Where nobody reads it any more, nothing is left to do.
    pub fn say(&self, text: &str) {
        let mut stdout = std::io::stdout();
        let written = self.bar.suspend(|| stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
        if let Err(error) = written {
            if error.kind() != ErrorKind::BrokenPipe {
                eprintln!("speed: stdout: {error}");
            }
            std::process::exit(1);
        }
    }

    /// Take the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
