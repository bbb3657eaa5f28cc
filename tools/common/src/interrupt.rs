//! Ctrl-C: the first one asks a long command to come to an orderly end, the second one ends it at once. And the line that
//! goes on from there: the same command again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of a command that was interrupted, as shells have it: 128 + SIGINT.
pub const STATUS: u8 = 130;

/// Whether Ctrl-C was pressed.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watch for Ctrl-C; `then` is called at the first one, in a thread of its own. To be called once a process.
    pub fn watch(then: impl Fn() + Send + 'static) -> Interrupt {
        let interrupt = Interrupt::default();
        let flag = interrupt.0.clone();
        let handler = move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(STATUS.into());
            }
            then();
        };
        // Without a handler Ctrl-C ends the program at once, as it always does: what is on disk is safe then too.
        ctrlc::set_handler(handler).ok();
        interrupt
    }

    /// Whether it was.
    pub fn seen(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// An option that is left out of the line that goes on.
#[derive(Clone, Copy, Debug)]
pub enum Omit {
    /// One that stands alone.
    Flag(&'static str),
    /// One with a value.
    Value(&'static str),
}

/// The command line of this process, to be pasted into a shell, without some options.
pub fn command_line(omit: &[Omit]) -> String {
    quoted(std::env::args_os().map(|word| word.to_string_lossy().into_owned()), omit)
}

fn quoted(words: impl Iterator<Item = String>, omit: &[Omit]) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        let is = |omit: &&Omit| match omit {
            Omit::Flag(name) => word == *name,
            Omit::Value(name) => word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')),
        };
        match omit.iter().find(is) {
            None => kept.push(word),
            Some(Omit::Value(name)) if word == *name => drop(words.next()),
            Some(_) => {}
        }
    }
    // A word with a NUL cannot have been an argument.
    shlex::try_join(kept.iter().map(String::as_str)).unwrap_or_else(|_| kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_can_be_pasted() {
        let omit = [Omit::Flag("--fresh"), Omit::Value("--stop-after")];
        let cases: [(&[&str], &str); 4] = [
            (&["alea-train", "--shape", "5/4"], "alea-train --shape 5/4"),
            (&["a", "--fresh", "--out", "my nets/a.net"], "a --out 'my nets/a.net'"),
            (&["a", "--stop-after", "7", "x", "--stop-after=9"], "a x"),
            (&["a", "--freshly"], "a --freshly"),
        ];
        for (words, line) in cases {
            assert_eq!(quoted(words.iter().map(ToString::to_string), &omit), line);
        }
    }
}
