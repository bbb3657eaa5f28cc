//! `cargo bench`: how fast Alea is, in one report. Evaluations alone, nodes by shape, time by algorithm, what a second
//! thread is worth, what starting costs, memory, and how far the search is from what its evaluator allows.
//!
//! Machines are shared and noisy. So what is compared is measured in turn, in rounds; a figure is the median over the
//! rounds, with its spread; and the report says how much of the time the processor was ours.

mod asked;
mod backgammon;
mod cli;
mod dialogue;
mod evaluation;
mod limit;
mod memory;
mod numbers;
mod os;
mod positions;
mod progress;
mod race;
mod shapes;
mod start;
mod suite;
mod table;

#[path = "../../tests/support/engine.rs"]
mod engine;

use cli::{Cli, Effort, Section};
use progress::Progress;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Everything that was measured; sections that were not asked for are null.
#[derive(Serialize)]
struct Report {
    version: &'static str,
    effort: &'static str,
    cores: usize,
    evaluations: Option<evaluation::Evaluations>,
    shapes: Option<shapes::Shapes>,
    backgammon: Option<backgammon::Backgammon>,
    algorithms: Option<suite::Algorithms>,
    threads: Option<suite::Threads>,
    start: Option<start::Start>,
    memory: Option<memory::Memory>,
    limit: Option<limit::Limit>,
    asked: Vec<asked::Asked>,
    /// What is wrong, whatever the machine.
    errors: Vec<String>,
}

fn main() -> ExitCode {
    let Some(cli) = Cli::from_command_line() else { return ExitCode::SUCCESS };
    match run(&cli.sections(), &cli.effort(), cli.json.as_deref()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("speed: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Measure, print and write what was found; whether all of it is right.
fn run(sections: &[Section], effort: &Effort, json: Option<&Path>) -> Result<bool, String> {
    let started = Instant::now();
    let progress = Progress::new(cost(sections, effort), !effort.means_something());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let version = env!("CARGO_PKG_VERSION");
    progress.print(&format!("Alea {version}, {cores} cores; {}\n", effort.description));
    let report = Report { version, cores, ..measure(sections, effort, &progress)? };
    progress.finish();

    progress.print(&asked::text(&report.asked));
    for error in &report.errors {
        progress.say(&format!("WRONG: {error}\n"));
    }
    progress.say(&format!("{}: {:.0} s in all\n", effort.name, started.elapsed().as_secs_f64()));
    if let Some(path) = json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        let written = alea::files::replace(path, (text + "\n").as_bytes());
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(report.errors.is_empty())
}

/// Sections that draw on the suite searched to its full depth.
const OF_THE_SUITE: [Section; 3] = [Section::Algorithms, Section::Threads, Section::Limit];

/// About how many seconds all of it takes.
fn cost(sections: &[Section], effort: &Effort) -> f64 {
    let has = |section| sections.contains(&section);
    let parts = [
        (has(Section::Eval), evaluation::cost(evaluation::shapes().count(), effort)),
        (!has(Section::Eval) && has(Section::Limit), evaluation::cost(1, effort)),
        (has(Section::Shapes), shapes::cost(effort)),
        (has(Section::Backgammon), backgammon::cost(effort)),
        (OF_THE_SUITE.into_iter().any(has), suite::full_cost(effort)),
        (has(Section::Algorithms), suite::algorithms_cost(effort)),
        (has(Section::Start), start::cost(effort)),
        (has(Section::Memory), memory::cost(effort)),
    ];
    parts.into_iter().filter(|(wanted, _)| *wanted).map(|(_, seconds)| seconds).sum()
}

/// Measure section by section, printing each as it is done.
fn measure(sections: &[Section], effort: &Effort, progress: &Progress) -> Result<Report, String> {
    let has = |section| sections.contains(&section);
    let mut errors = Vec::new();
    let evaluations = if has(Section::Eval) {
        let all = evaluation::measure(evaluation::shapes(), effort, progress);
        progress.print(&all.text());
        Some(all)
    } else if has(Section::Limit) {
        Some(evaluation::measure([Default::default()].into_iter(), effort, progress))
    } else {
        None
    };
    let shapes = if has(Section::Shapes) { Some(shapes::measure(effort, progress, &mut errors)?) } else { None };
    let backgammon = if has(Section::Backgammon) { Some(backgammon::measure(effort, progress)?) } else { None };
    let threads = if OF_THE_SUITE.into_iter().any(has) {
        Some(suite::race_threads(effort, progress, &mut errors)?)
    } else {
        None
    };
    let algorithms = match &threads {
        Some(full) if has(Section::Algorithms) => Some(suite::race_algorithms(full, effort, progress, &mut errors)?),
        _ => None,
    };
    if let Some(threads) = threads.as_ref().filter(|_| has(Section::Threads)) {
        progress.print(&threads.text());
    }
    let start = if has(Section::Start) { Some(start::measure(effort, progress)?) } else { None };
    let memory = if has(Section::Memory) { Some(memory::measure(effort, progress, &mut errors)?) } else { None };
    let limit = match (&evaluations, &threads) {
        (Some(alone), Some(suite)) if has(Section::Limit) => limit::derive(alone, suite, progress),
        _ => None,
    };
    let mut report = Report {
        version: "",
        effort: effort.name,
        cores: 0,
        evaluations,
        shapes,
        backgammon,
        algorithms,
        threads,
        start,
        memory,
        limit,
        asked: Vec::new(),
        errors,
    };
    if effort.means_something() {
        report.asked = asked::asked(&report);
    }
    Ok(report)
}
