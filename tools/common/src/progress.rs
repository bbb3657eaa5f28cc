//! What a long command shows while it runs: a bar with the time left on a terminal, a line now and then elsewhere.

use crate::output::{complain, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often the bar is drawn.
const DRAW_INTERVAL: Duration = Duration::from_millis(100);

/// When the first line is written where there is no terminal.
const FIRST_LINE: Duration = Duration::from_secs(1);

/// How often another one is.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Progress towards a number of things done.
pub struct Progress {
    bar: Option<ProgressBar>,
    noun: &'static str,
    total: usize,
    shown: Instant,
    interval: Duration,
}

impl Progress {
    /// Progress towards `total` of what `noun` names.
    pub fn new(noun: &'static str, total: usize) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            let template = format!("{{wide_bar}} {{pos}}/{{len}} {noun}, {{msg}}");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar
        });
        let interval = if bar.is_some() { DRAW_INTERVAL } else { FIRST_LINE };
        Progress { bar, noun, total, shown: Instant::now(), interval }
    }

    /// Show that so many are done, if it is time to; `left` says how long the rest will take.
    pub fn show(&mut self, done: usize, left: impl FnOnce() -> Option<Duration>) {
        if self.shown.elapsed() < self.interval {
            return;
        }
        self.shown = Instant::now();
        let left = left().map_or("time left unknown".to_string(), |left| format!("about {} left", clock(left)));
        match &self.bar {
            Some(bar) => {
                bar.set_position(done as u64);
                bar.set_message(left);
            }
            None => {
                complain(&format!("{done}/{} {}, {left}", self.total, self.noun));
                self.interval = LINE_INTERVAL;
            }
        }
    }

    /// Print a line to stderr, above the bar.
    pub fn complain(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(text)),
            None => complain(text),
        }
    }

    /// Print to stdout, above the bar.
    pub fn print(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// Take the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Hours, minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The time left if the rest goes as what is done did.
pub fn at_this_pace(since: Instant, done: usize, total: usize) -> Option<Duration> {
    let pace = since.elapsed().checked_div(u32::try_from(done).ok()?)?;
    pace.checked_mul(u32::try_from(total.saturating_sub(done)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_a_clock() {
        for (seconds, text) in [(0.2, "0:00:00"), (61.0, "0:01:01"), (360_000.4, "100:00:00")] {
            assert_eq!(clock(Duration::from_secs_f64(seconds)), text);
        }
    }

    #[test]
    fn nothing_done_tells_nothing() {
        assert_eq!(at_this_pace(Instant::now(), 0, 10), None);
        assert!(at_this_pace(Instant::now(), 10, 10).unwrap().is_zero());
    }
}
