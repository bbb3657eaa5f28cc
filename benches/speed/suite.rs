//! The 75 positions of the 2006 thesis, 5/4: to depth 13 on one thread and on two, and to depth 11 by every algorithm.

use crate::cli::Effort;
use crate::numbers::{Spread, figure};
use crate::positions::thesis;
use crate::progress::Progress;
use crate::race::{self, Entrant, Record, Summary};
use crate::table::Table;
use alea::eval::dice::DiceEvaluator;
use alea::game::dice::{Position, Shape};
use alea::search::{Algorithm, Settings};
use serde::Serialize;

const FULL_DEPTH: u32 = 13;
const SHARED_DEPTH: u32 = 11;

/// Positions in the suite.
const POSITIONS: usize = 75;

/// Seconds that a search to the full depth may take on one thread, on two, and beside another.
const FULL_SECONDS: [f64; 3] = [0.06, 0.035, 0.065];

/// Seconds that a search to the shared depth may take, in the order of [`Algorithm::EXACT`].
const SHARED_SECONDS: [f64; 6] = [0.07, 0.06, 0.04, 0.02, 0.04, 0.015];

/// The share of a processor that a thread has at least on a machine that does nothing else.
const UNDISTURBED: f64 = 0.95;

/// Rounds by every algorithm; the slow ones take long, and their ratios matter more than their times.
const SHARED_ROUNDS: usize = 1;

/// One thread against two.
#[derive(Serialize)]
pub struct Threads {
    /// How deep the suite was searched.
    pub depth: u32,
    /// On one thread.
    pub one: Summary,
    /// On two.
    pub two: Summary,
    /// Two searches at once, on one thread each.
    apart: Summary,
    /// How many times as fast two are, round by round. (Within a round they search each position one after the other, so
    /// that the machine's ups and downs meet both.)
    rounds: Vec<f64>,
    /// The median of that.
    pub speedup: f64,
    /// The same by the least time of each search: what was disturbed counts for less.
    speedup_at_best: f64,
    /// How many times as much two searches at once get done as one, by the median of the rounds: what the machine has to
    /// give.
    room: f64,
    /// Nodes of two over nodes of one.
    pub nodes_ratio: f64,
    /// Whether all values are equal.
    agree: bool,
}

/// Every algorithm to one depth.
#[derive(Serialize)]
pub struct Algorithms {
    depth: u32,
    rows: Vec<Summary>,
    /// Whether all values are equal.
    agree: bool,
    /// StarETC to the full depth.
    full_depth: u32,
    full: Summary,
}

fn agreed(agree: bool) -> &'static str {
    if agree { "all values are equal" } else { "VALUES DIFFER" }
}

fn searches(effort: &Effort) -> f64 {
    POSITIONS.div_ceil(effort.stride) as f64
}

/// About how many seconds [`race_threads`] takes.
pub fn full_cost(effort: &Effort) -> f64 {
    searches(effort) * effort.rounds as f64 * FULL_SECONDS.iter().sum::<f64>()
}

/// About how many seconds [`race_algorithms`] takes.
pub fn algorithms_cost(effort: &Effort) -> f64 {
    searches(effort) * SHARED_ROUNDS as f64 * SHARED_SECONDS.iter().sum::<f64>()
}

fn entrant(positions: &[Position], name: String, settings: Settings, depth: u32, expected: f64) -> Entrant<'_> {
    Entrant {
        name,
        positions,
        evaluator: DiceEvaluator::for_shape(Shape::default()),
        settings,
        depth,
        at_once: 1,
        expected,
    }
}

/// Search the suite to its full depth on one thread, on two, and twice at once, position by position.
pub fn race_threads(effort: &Effort, progress: &Progress, errors: &mut Vec<String>) -> Result<Threads, String> {
    let positions = thesis(effort.stride)?;
    let depth = effort.depth(FULL_DEPTH);
    let on = |threads: usize, name: &str| {
        let settings = Settings { threads, ..Settings::default() };
        entrant(&positions, name.into(), settings, depth, FULL_SECONDS[threads - 1])
    };
    let apart = Entrant { at_once: 2, expected: FULL_SECONDS[2], ..on(1, "two searches at once") };
    let records = race::race(&[on(1, "one thread"), on(2, "two threads"), apart], effort.rounds, progress)?;
    let wrong = race::disagreements(&records, &positions, depth);
    let agree = wrong.is_empty();
    errors.extend(wrong);
    let [one, two, apart] = &records[..] else { return Err("a race of three has three records".into()) };
    let rounds = race::ratios(one, two);
    Ok(Threads {
        depth,
        one: one.summary(),
        two: two.summary(),
        apart: apart.summary(),
        speedup: Spread::of(rounds.iter().copied()).median,
        speedup_at_best: one.seconds().low / two.seconds().low,
        room: 2.0 * Spread::of(race::ratios(one, apart)).median,
        rounds,
        nodes_ratio: two.nodes() / one.nodes().max(1.0),
        agree,
    })
}

/// Search the suite by every algorithm, position by position, and print what comes of it.
pub fn race_algorithms(
    full: &Threads,
    effort: &Effort,
    progress: &Progress,
    errors: &mut Vec<String>,
) -> Result<Algorithms, String> {
    let positions = thesis(effort.stride)?;
    let depth = effort.depth(SHARED_DEPTH);
    let by = |(algorithm, expected): (Algorithm, f64)| {
        let settings = Settings { algorithm, ..Settings::default() };
        entrant(&positions, algorithm.name().into(), settings, depth, expected)
    };
    let entrants: Vec<Entrant<'_>> = Algorithm::EXACT.into_iter().zip(SHARED_SECONDS).map(by).collect();
    let records = race::race(&entrants, SHARED_ROUNDS, progress)?;
    let wrong = race::disagreements(&records, &positions, depth);
    let agree = wrong.is_empty();
    errors.extend(wrong);
    let algorithms = Algorithms {
        depth,
        rows: records.iter().map(Record::summary).collect(),
        agree,
        full_depth: full.depth,
        full: Summary { name: Algorithm::StarEtc.name().into(), ..full.one.clone() },
    };
    progress.print(&algorithms.text());
    Ok(algorithms)
}

impl Algorithms {
    /// For people.
    fn text(&self) -> String {
        let title = format!(
            "By algorithm: the thesis's positions ({}), 5/4, one thread, {} MB, each from an empty table",
            self.full.positions,
            race::TABLE
        );
        let mut table = Table::new(title, Summary::COLUMNS);
        let named = |row: &Summary, depth| Summary { name: format!("{} to depth {depth}", row.name), ..row.clone() };
        self.rows.iter().for_each(|row| table.row(named(row, self.depth).cells()));
        table.row(named(&self.full, self.full_depth).cells());
        let ratio = |pair: &[Summary]| figure(pair[1].milliseconds.median / pair[0].milliseconds.median);
        let ratios: Vec<String> = self.rows.windows(2).map(ratio).collect();
        table.text(&format!(
            "time over that of the one before, to depth {}: {}; {}",
            self.depth,
            ratios.join(", "),
            agreed(self.agree)
        ))
    }
}

impl Threads {
    /// For people.
    pub fn text(&self) -> String {
        let title =
            format!("The second thread: the thesis's positions ({}) to depth {}", self.one.positions, self.depth);
        let mut table = Table::new(title, Summary::COLUMNS);
        table.row(self.one.cells());
        table.row(self.two.cells());
        table.row(self.apart.cells());
        let busy = match self.two.processor_share {
            Some(share) if share < UNDISTURBED => {
                "\nother programs were running: the second thread had to wait for a processor"
            }
            _ => "",
        };
        table.text(&format!(
            "two threads are {} times as fast as one (at best {}; round by round: {})\nwith {} times the nodes; {}\n\
             two searches at once get {} times as much done as one: that is what the machine has to give{busy}",
            figure(self.speedup),
            figure(self.speedup_at_best),
            race::listed(&self.rounds),
            figure(self.nodes_ratio),
            agreed(self.agree),
            figure(self.room),
        ))
    }
}
