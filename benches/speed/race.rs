//! Searches against each other: every position by every entrant in turn, several rounds of it, each search from an empty
//! table.

use crate::numbers::{Spread, figure, per_cent};
use crate::os::processor_seconds;
use crate::progress::Progress;
use alea::eval::dice::DiceEvaluator;
use alea::game::Value;
use alea::game::dice::{Move, Position};
use alea::search::{Counters, Limits, Searched, Searcher, Settings, Stop, Verdict};
use serde::Serialize;
use std::time::Instant;

/// Size of the table, in MB, as in the thesis.
pub const TABLE: usize = 64;

/// What takes part in a race.
pub struct Entrant<'a> {
    /// What people call it.
    pub name: String,
    /// What it searches.
    pub positions: &'a [Position],
    /// What judges the leaves.
    pub evaluator: DiceEvaluator,
    /// How it searches.
    pub settings: Settings,
    /// How deep.
    pub depth: u32,
    /// How many such searches run at once, each with a table of its own.
    pub at_once: usize,
    /// Seconds that one search is likely to take.
    pub expected: f64,
}

/// One search.
struct Run {
    seconds: f64,
    processor: Option<f64>,
    counters: Counters,
    value: Value,
}

/// What an entrant has done: its runs by position, then by round.
pub struct Record {
    name: String,
    threads: usize,
    runs: Vec<Vec<Run>>,
}

/// What a race came to for an entrant.
#[derive(Serialize, Clone)]
pub struct Summary {
    /// What people call the entrant.
    pub name: String,
    /// How many positions it searched.
    pub positions: usize,
    /// Time a position: the mean over positions of the median over rounds.
    pub milliseconds: Spread,
    /// Nodes a position.
    pub mean_nodes: f64,
    /// All nodes over all time.
    pub nodes_per_second: Spread,
    /// The same of processor time alone, where that can be told: what other programs take does not count.
    pub nodes_per_processor_second: Option<Spread>,
    /// Processor time a position, of all threads.
    pub processor_milliseconds: Option<Spread>,
    /// Leaves evaluated, a node.
    pub evaluations_per_node: f64,
    /// Positions evaluated only to guide the search, a node.
    pub guiding_evaluations_per_node: f64,
    /// Table look-ups, a node.
    pub table_lookups_per_node: f64,
    /// Table look-ups that found their position, a node.
    pub table_hits_per_node: f64,
    /// The share of the time in which the threads had a processor, if that can be told.
    pub processor_share: Option<f64>,
}

/// Run a race.
pub fn race(entrants: &[Entrant<'_>], rounds: usize, progress: &Progress) -> Result<Vec<Record>, String> {
    let at_once = entrants.iter().map(|entrant| entrant.at_once).max().unwrap_or(0);
    let searchers: Result<Vec<_>, _> = (0..at_once).map(|_| Searcher::new(TABLE)).collect();
    let mut searchers = searchers.map_err(|error| error.to_string())?;
    let record = |entrant: &Entrant<'_>| Record {
        name: entrant.name.clone(),
        threads: entrant.at_once * entrant.settings.threads,
        runs: entrant.positions.iter().map(|_| Vec::new()).collect(),
    };
    let mut records: Vec<Record> = entrants.iter().map(record).collect();
    let most = entrants.iter().map(|entrant| entrant.positions.len()).max().unwrap_or(0);
    for round in 0..rounds {
        for place in 0..most {
            for turn in 0..entrants.len() {
                // Nobody always goes first.
                let who = (turn + place + round) % entrants.len();
                let entrant = &entrants[who];
                let Some(position) = entrant.positions.get(place) else { continue };
                progress.name(&entrant.name);
                records[who].runs[place].push(search(&mut searchers[..entrant.at_once], entrant, position));
                progress.advance(entrant.expected);
            }
        }
    }
    Ok(records)
}

/// Search a position with every one of the searchers, of which there is at least one, at the same time. The time is that
/// of one of them, on average.
fn search(searchers: &mut [Searcher], entrant: &Entrant<'_>, position: &Position) -> Run {
    searchers.iter_mut().for_each(Searcher::forget);
    let limits = Limits { depth: Some(entrant.depth), ..Limits::default() };
    let search = |searcher: &mut Searcher| {
        let start = Instant::now();
        let verdict =
            position.search(searcher, &entrant.evaluator, &entrant.settings, &limits, &Stop::new(), &mut |_| ());
        (verdict, start.elapsed().as_secs_f64())
    };
    let before = processor_seconds();
    let runs: Vec<(Verdict<Move>, f64)> = std::thread::scope(|scope| {
        let (first, others) = searchers.split_first_mut().expect("somebody searches");
        let others: Vec<_> = others.iter_mut().map(|searcher| scope.spawn(|| search(searcher))).collect();
        let first = search(first);
        std::iter::once(first).chain(others.into_iter().map(|other| other.join().expect("a search ends"))).collect()
    });
    let processor = processor_seconds().zip(before).map(|(after, before)| after - before);
    let mut counters = Counters::default();
    runs.iter().for_each(|(verdict, _)| counters += verdict.counters);
    let seconds = runs.iter().map(|(_, seconds)| seconds).sum::<f64>() / runs.len() as f64;
    Run { seconds, processor, counters, value: runs[0].0.value }
}

impl Record {
    fn all(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().flatten()
    }

    /// What all positions took together, each by its median over the rounds.
    fn total(&self, of: impl Fn(&Run) -> f64) -> Spread {
        Spread::sum(self.runs.iter().map(|rounds| Spread::of(rounds.iter().map(&of))))
    }

    /// Seconds for all positions together, each by its median over the rounds.
    pub fn seconds(&self) -> Spread {
        self.total(|run| run.seconds)
    }

    /// Nodes of all positions together, each by its median over the rounds.
    pub fn nodes(&self) -> f64 {
        self.total(|run| run.counters.nodes as f64).median
    }

    /// Seconds that each round took.
    pub fn rounds(&self) -> Vec<f64> {
        let rounds = self.runs.iter().map(Vec::len).min().unwrap_or(0);
        (0..rounds).map(|round| self.runs.iter().map(|runs| runs[round].seconds).sum()).collect()
    }

    /// The figures of this entrant.
    pub fn summary(&self) -> Summary {
        let mut counters = Counters::default();
        self.all().for_each(|run| counters += run.counters);
        let per_node = |count: u64| count as f64 / (counters.nodes.max(1)) as f64;
        let positions = self.runs.len();
        let mean = 1e3 / positions.max(1) as f64;
        let (seconds, nodes) = (self.seconds(), self.nodes());
        let elapsed: f64 = self.all().map(|run| run.seconds).sum();
        let busy: Option<f64> = self.all().map(|run| run.processor).sum();
        let processor = busy.map(|_| self.total(|run| run.processor.unwrap_or_default()));
        Summary {
            name: self.name.clone(),
            positions,
            milliseconds: seconds.times(mean),
            mean_nodes: nodes / positions.max(1) as f64,
            nodes_per_second: seconds.rate(nodes),
            nodes_per_processor_second: processor.map(|seconds| seconds.rate(nodes)),
            processor_milliseconds: processor.map(|seconds| seconds.times(mean)),
            evaluations_per_node: per_node(counters.evaluations),
            guiding_evaluations_per_node: per_node(counters.guiding_evaluations),
            table_lookups_per_node: per_node(counters.table_lookups),
            table_hits_per_node: per_node(counters.table_hits),
            processor_share: busy.map(|busy| (busy / (elapsed * self.threads as f64)).min(1.0)),
        }
    }
}

impl Summary {
    /// Names of the columns that [`Summary::cells`] fills.
    pub const COLUMNS: [&str; 7] = ["", "ms a position", "spread", "mean nodes", "M nodes/s", "M nodes/cpu s", "cpu"];

    /// The figures as cells of a table.
    pub fn cells(&self) -> [String; 7] {
        let [time, spread] = self.milliseconds.cells();
        let million = |rate: Spread| figure(rate.median / 1e6);
        [
            self.name.clone(),
            time,
            spread,
            format!("{:.0}", self.mean_nodes),
            million(self.nodes_per_second),
            self.nodes_per_processor_second.map_or("-".into(), million),
            self.processor_share.map_or("-".into(), per_cent),
        ]
    }
}

/// One error for each position that records of the same positions and depth do not agree about: every search must find
/// the same value, and the same search on one thread must enter as many nodes again.
pub fn disagreements(records: &[Record], positions: &[Position], depth: u32) -> Vec<String> {
    let mut errors = Vec::new();
    for (place, position) in positions.iter().enumerate() {
        let runs = records.iter().flat_map(|record| record.runs[place].iter().map(move |run| (record, run.value)));
        let value = |(_, value): &(&Record, Value)| *value;
        let ends = runs.clone().min_by_key(value).zip(runs.max_by_key(value));
        if let Some(((low, least), (high, most))) = ends.filter(|((_, least), (_, most))| least != most) {
            let (dpn, low, high) = (position.dpn(), &low.name, &high.name);
            errors.push(format!("'{dpn}' to depth {depth} is worth {least} by {low} and {most} by {high}"));
        }
        for record in records.iter().filter(|record| record.threads == 1) {
            let nodes = record.runs[place].iter().map(|run| run.counters.nodes);
            let ends = nodes.clone().min().zip(nodes.max());
            if let Some((fewest, most)) = ends.filter(|(fewest, most)| fewest != most) {
                let (dpn, name) = (position.dpn(), &record.name);
                errors.push(format!("'{dpn}' to depth {depth} by {name} took {fewest} nodes, and {most} another time"));
            }
        }
    }
    errors
}

/// How much longer `this` took than `that`, each round by itself.
pub fn ratios(this: &Record, that: &Record) -> Vec<f64> {
    this.rounds().iter().zip(that.rounds()).map(|(this, that)| this / that.max(f64::MIN_POSITIVE)).collect()
}

/// Numbers in a row.
pub fn listed(numbers: &[f64]) -> String {
    numbers.iter().map(|&number| figure(number)).collect::<Vec<_>>().join(", ")
}
