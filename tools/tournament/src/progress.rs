//! What a run shows while it runs: score, Elo with error, time left. A bar on a terminal, a line now and then elsewhere.

use crate::conditions::Conditions;
use crate::summary::Results;
use crate::table::{elo_text, pairing_name};
use alea_tools::output::tell;
use alea_tools::progress::clock;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often the bar is drawn.
const DRAW_INTERVAL: Duration = Duration::from_millis(200);

/// How often a line is written where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Progress of one run.
pub struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    started: Instant,
    shown: Instant,
    /// Pairs that were there before this run.
    before: u64,
    done: u64,
    total: u64,
}

impl Progress {
    /// Progress towards `total` pairs, of which `before` have been played in earlier runs.
    pub fn new(quiet: bool, before: u64, total: u64) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs\n{msg}") {
                bar.set_style(style);
            }
            bar.set_position(before);
            bar
        });
        let now = Instant::now();
        Progress { bar, lines: !quiet && !terminal, started: now, shown: now, before, done: before, total }
    }

    /// Another pair is done, or will never be played.
    pub fn advance(&mut self, pairs: u64) {
        self.done += pairs;
    }

    /// Show how things stand, if it is time to.
    pub fn show(&mut self, conditions: &Conditions, results: &Results, pairing: usize) {
        let interval = if self.bar.is_some() { DRAW_INTERVAL } else { LINE_INTERVAL };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        let text = format!("{}; {}", standing(conditions, results, pairing), self.time_left());
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(text);
        } else if self.lines {
            tell(&format!("{}/{} pairs; {text}\n", self.done, self.total));
        }
    }

    /// Say something, above the bar.
    pub fn remark(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => tell(&format!("{text}\n")),
        }
    }

    /// Take the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn time_left(&self) -> String {
        let played = self.done - self.before;
        if played == 0 {
            return "time left unknown".to_string();
        }
        let pace = self.started.elapsed().as_secs_f64() / played as f64;
        let left = Duration::from_secs_f64((pace * self.total.saturating_sub(self.done) as f64).min(1e9));
        let games = 2.0 / pace.max(1e-9);
        format!("{games:.1} games/s, {} left", clock(left))
    }
}

/// One pairing's score so far.
fn standing(conditions: &Conditions, results: &Results, pairing: usize) -> String {
    let pairings = conditions.pairings();
    let name = pairing_name(conditions, pairings[pairing]);
    let noise = conditions.noise(pairings[pairing].first).map_or(String::new(), |noise| format!(" noise {noise}"));
    let tally = &results.tallies[pairing];
    let score = format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
    match tally.stats() {
        Some(stats) => format!("{name}{noise}: {score}, Elo {}", elo_text(&stats)),
        None => format!("{name}{noise}: {score}"),
    }
}
