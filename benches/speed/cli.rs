//! What is asked for on the command line, and how much work that means.

use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Measure how fast Alea is: one report, about two minutes
#[derive(Parser, Debug)]
#[command(
    name = "speed",
    bin_name = "cargo bench --",
    after_help = "\
Examples:
  cargo bench                                 everything
  cargo bench -- threads memory               only these sections
  cargo bench -- --quick                      a fifth of the positions, in one round: seconds, and rougher
  cargo bench -- --json speed.json            the same numbers for a program, too

What is compared is measured in turn, several times over: a figure is the median of its rounds, and the two after it
show the spread. Close other programs: the column `cpu` says how much of the time a search had a processor, and where
it is under 99 % the times are too long.

The exit code says whether values and memory are right (0) or not (1), never how fast the machine is."
)]
pub struct Cli {
    /// What to measure [default: everything]
    #[arg(value_enum, value_name = "SECTION")]
    chosen: Vec<Section>,

    /// A fifth of the positions, in one round
    #[arg(long)]
    quick: bool,

    /// Write the numbers to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Said by `cargo bench`, and not by `cargo test`
    #[arg(long, hide = true)]
    bench: bool,
}

/// A part of the report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// Evaluations a second of the evaluator alone, by shape
    Eval,
    /// Nodes a second and time to depth from positions in mid game, by shape
    Shapes,
    /// Backgammon beside Dice: nodes a second, and time to depths 3 and 5
    Backgammon,
    /// Time to depth 13 of the thesis's 75 positions, and to depth 11 by every algorithm
    Algorithms,
    /// Those positions to depth 13 on one thread and on two, and two such searches at once
    Threads,
    /// What starting the process and a search costs, and an idle engine
    Start,
    /// RunningMax memory beyond Hash, by shape
    Memory,
    /// Nodes a second of the search against evaluations a second of the evaluator alone
    Limit,
}

/// How much work to put into it.
pub struct Effort {
    /// For programs.
    pub name: &'static str,
    /// For people.
    pub description: &'static str,
    /// Rounds of short measurements.
    pub short_rounds: usize,
    /// Rounds of searches.
    pub rounds: usize,
    /// How long one short measurement takes.
    pub slice: Duration,
    /// Of the suite, the first of every so many positions.
    pub stride: usize,
    /// Taken off the depth of every search.
    pub shallower: u32,
    /// Positions of each shape.
    pub positions: usize,
    /// Processes to start.
    pub processes: usize,
    /// Searches to start.
    pub searches: usize,
    /// How long to search when memory is measured.
    pub memory_search: Duration,
    /// How long to watch an idle engine.
    pub idle: Duration,
}

const FULL: Effort = Effort {
    name: "full",
    description: "medians over rounds, with the spread",
    short_rounds: 9,
    rounds: 7,
    slice: Duration::from_millis(20),
    stride: 1,
    shallower: 0,
    positions: 8,
    processes: 20,
    searches: 500,
    memory_search: Duration::from_millis(300),
    idle: Duration::from_secs(1),
};

const QUICK: Effort = Effort {
    name: "quick",
    description: "quick and rough: a fifth of the positions, one round",
    short_rounds: 3,
    rounds: 1,
    stride: 5,
    positions: 2,
    processes: 5,
    searches: 100,
    ..FULL
};

/// Only to see that everything still works.
const SMOKE: Effort = Effort {
    name: "smoke test",
    description: "a smoke test, whose figures mean nothing",
    short_rounds: 1,
    rounds: 1,
    slice: Duration::from_millis(1),
    stride: 25,
    shallower: 6,
    positions: 1,
    processes: 1,
    searches: 3,
    memory_search: Duration::from_millis(20),
    idle: Duration::from_millis(100),
};

impl Effort {
    /// Whether figures are worth comparing with anything.
    pub fn means_something(&self) -> bool {
        self.shallower == 0
    }

    /// How deep to search where the full benchmark searches to `depth`.
    pub fn depth(&self, depth: u32) -> u32 {
        depth.saturating_sub(self.shallower).max(1)
    }
}

impl Cli {
    /// What the command line says; `None` if nothing is to be done. Ends the process on `--help` and on mistakes.
    ///
    /// `cargo bench` says `--bench`. Without it the caller is `cargo test` or a program like it, and the rest of the line
    /// is meant for a test harness: then all there is to do is a smoke test, or nothing if tests are to be listed.
    pub fn from_command_line() -> Option<Cli> {
        let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let says = |flag: &str| words.iter().any(|word| word == flag);
        if says("--bench") || says("--help") || says("-h") {
            return Some(Cli::parse());
        }
        (!says("--list")).then_some(Cli { chosen: Vec::new(), quick: false, json: None, bench: false })
    }

    /// The sections to measure.
    pub fn sections(&self) -> Vec<Section> {
        if self.chosen.is_empty() { Section::value_variants().to_vec() } else { self.chosen.clone() }
    }

    /// How much work to put into it.
    pub fn effort(&self) -> Effort {
        match self {
            Cli { bench: false, .. } => SMOKE,
            Cli { quick: true, .. } => QUICK,
            _ => FULL,
        }
    }
}
