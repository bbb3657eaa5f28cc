//! What unsound ways of searching save and what they lose, position by position beside the sound one: nodes and time, how far their
//! values lie from those of the whole search, and what the moves that they choose are worth in it.

use crate::error::Error;
use crate::games::points;
use alea::game::Game;
use alea::search::{Limits, Searched, Searcher, Settings, Stop, Verdict};
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::tables::{Cell, Table};
use std::time::{Duration, Instant};

/// A way to search, and what the table calls it.
pub struct Rival {
    /// Its name.
    pub name: String,
    /// How it searches.
    pub settings: Settings,
}

/// What is compared, and on what.
pub struct Comparison<'a, G: Searched> {
    /// The positions, each with its judge.
    pub positions: &'a [(&'a G, G::Evaluator)],
    /// The ways to search, the sound one first.
    pub rivals: &'a [Rival],
    /// How deep.
    pub depth: u32,
    /// Table of each search, in MB.
    pub hash: usize,
    /// How often each search is made: the least time counts, for a machine is slowed down by others and never sped up.
    pub rounds: usize,
}

/// What one way came to over the positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    nodes: u64,
    time: Duration,
    off: f64,
    most_off: f64,
    changed: u32,
    lost: f64,
    most_lost: f64,
}

impl<G: Searched> Comparison<'_, G> {
    /// Search every position in every way until that is done or `stop` is pulled. A row a way, over the positions that were
    /// finished; `subject` is what the ways are called.
    pub fn run(&self, subject: &str, stop: &Stop) -> Result<Table, Error> {
        let mut sums = vec![Sums::default(); self.rivals.len()];
        let mut searcher = Searcher::new(self.hash)?;
        let mut progress = Progress::new("positions", self.positions.len());
        let started = Instant::now();
        let mut done = 0;
        for (position, judge) in self.positions {
            let mut search = |settings: &Settings| {
                searcher.forget();
                position.search(&mut searcher, judge, settings, &Limits::to_depth(self.depth), stop, &mut |_| ())
            };
            let whole = search(&Settings { multi_pv: usize::MAX, ..self.rivals[0].settings });
            let mut found: Vec<Verdict<G::Move>> = Vec::new();
            for round in 0..self.rounds {
                for (i, rival) in self.rivals.iter().enumerate() {
                    let verdict = search(&rival.settings);
                    match round {
                        0 => found.push(verdict),
                        _ => found[i].time = found[i].time.min(verdict.time),
                    }
                }
            }
            if stop.pulled() {
                break;
            }
            for (sums, verdict) in sums.iter_mut().zip(&found) {
                sums.add::<G>(verdict, &whole, found[0].best);
            }
            done += 1;
            progress.show(done, || at_this_pace(started, done, self.positions.len()));
        }
        progress.finish();
        Ok(self.table(subject, &sums, done))
    }

    fn table(&self, subject: &str, sums: &[Sums], positions: usize) -> Table {
        let head = [
            subject,
            "nodes",
            "ratio",
            "time",
            "ratio",
            "value off",
            "at most",
            "moves changed",
            "value lost",
            "at most",
        ];
        let count = positions.max(1) as f64;
        let over = |part: f64, whole: f64| Cell::maybe(Some(part / whole), Cell::Ratio);
        let row = |(rival, line): (&Rival, &Sums)| {
            vec![
                Cell::Text(rival.name.clone()),
                Cell::Count(line.nodes as f64 / count),
                over(line.nodes as f64, sums[0].nodes as f64),
                Cell::Millis(1e3 * line.time.as_secs_f64() / count),
                over(line.time.as_secs_f64(), sums[0].time.as_secs_f64()),
                Cell::Error(line.off / count),
                Cell::Error(line.most_off),
                Cell::Count(line.changed.into()),
                Cell::Error(line.lost / count),
                Cell::Error(line.most_lost),
            ]
        };
        let (header, rows) = (head.map(String::from).into(), self.rivals.iter().zip(sums).map(row).collect());
        Table { header, rows, ..Table::default() }
    }
}

impl Sums {
    /// Add a position: what was found, every root move's true value, and the move that the sound way chose.
    fn add<G: Searched>(
        &mut self,
        found: &Verdict<G::Move>,
        whole: &Verdict<G::Move>,
        sound: Option<<G as Game>::Move>,
    ) {
        let worth = points::<G>(whole.value);
        let off = (points::<G>(found.value) - worth).abs();
        let lines = whole.last.as_ref().map_or(&[][..], |last| &last.lines);
        let chosen = lines.iter().find(|line| line.first().copied() == found.best);
        let lost = chosen.map_or(0.0, |line| worth - points::<G>(line.value));
        self.nodes += found.counters.nodes;
        self.time += found.time;
        self.off += off;
        self.most_off = self.most_off.max(off);
        self.changed += u32::from(found.best != sound);
        self.lost += lost;
        self.most_lost = self.most_lost.max(lost);
    }
}
