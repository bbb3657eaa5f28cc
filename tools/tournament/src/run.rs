//! A run from beginning to end: conditions, engines tried, games played, files written.

use crate::cli::{ConditionArgs, RunArgs};
use crate::conditions::{Conditions, Host};
use crate::engine::Engine;
use crate::progress::Progress;
use crate::records::{GameFile, games_path};
use crate::scheduler::{Event, Outcome, play_all};
use crate::stop::Stop;
use crate::summary::{self, Results, summary_path};
use crate::{config, plots, table};
use alea::game::dice::Shape;
use alea_tools::files;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the summary is written while games are played.
const SUMMARY_INTERVAL: Duration = Duration::from_secs(5);

/// The exit code of a run that was stopped, as shells have it.
const STOPPED: u8 = 130;

/// Play, or go on playing.
pub fn run(args: &RunArgs) -> Result<ExitCode, String> {
    let stop = Arc::new(Stop::new().map_err(|error| format!("cannot make a pipe: {error}"))?);
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.raise()).map_err(|error| format!("cannot catch Ctrl-C: {error}"))?;

    let (dir, mut conditions) = match (&args.resume, &args.out) {
        (Some(dir), _) => (dir.clone(), resumed_conditions(dir, &args.conditions)?),
        (None, Some(dir)) => {
            refuse_used(dir)?;
            (dir.clone(), config::conditions(&args.conditions, None)?)
        }
        (None, None) => return Err("say where the results go: --out DIR, or --resume DIR".to_string()),
    };
    let shape = conditions.shape()?;
    let Some(versions) = try_engines(&conditions, shape, &stop)? else {
        eprintln!("Stopped before the first game.");
        return Ok(ExitCode::from(STOPPED));
    };
    if !conditions.versions.is_empty() && conditions.versions != versions {
        let (then, now) = (conditions.versions.join(", "), versions.join(", "));
        return Err(format!("{}: its games were played by {then}; the engines now are {now}", dir.display()));
    }
    conditions.versions = versions;
    conditions.hosts.push(Host::here());
    conditions.hosts.sort();
    conditions.hosts.dedup();
    Run::open(dir, conditions, args)?.play(shape, &stop)
}

/// The conditions stored in a folder, if those given, when any are given, are the same.
fn resumed_conditions(dir: &Path, given: &ConditionArgs) -> Result<Conditions, String> {
    let (stored, _) = summary::read(dir)?;
    let differences = config::conditions(given, Some(&stored))?.differences(&stored);
    if !differences.is_empty() {
        let list = differences.join("\n  ");
        return Err(format!(
            "{}: other conditions than asked for now (asked against stored):\n  {list}\n\
             Leave them out to go on as before, or choose another --out.",
            dir.display()
        ));
    }
    Ok(stored)
}

/// Results are never overwritten.
pub fn refuse_used(dir: &Path) -> Result<(), String> {
    let games = fs::metadata(games_path(dir)).is_ok_and(|games| games.len() > 0);
    if games || summary_path(dir).exists() {
        let dir = dir.display();
        return Err(format!("'{dir}' holds results already: choose another --out, or go on with --resume {dir}"));
    }
    Ok(())
}

/// Start every engine once, all at the same time, and ask what it is. Those that fail are named, every one. `None` if
/// told to stop.
fn try_engines(conditions: &Conditions, shape: Shape, stop: &Stop) -> Result<Option<Vec<String>>, String> {
    let started: Vec<Result<String, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = conditions
            .engines
            .iter()
            .map(|spec| {
                scope.spawn(move || {
                    let engine = Engine::start(spec, shape, conditions.patience, stop)
                        .map_err(|trouble| format!("engine '{}' ({}): {trouble}", spec.name, spec.cmd.join(" ")))?;
                    let id = engine.id().to_string();
                    engine.quit();
                    Ok(id)
                })
            })
            .collect();
        let gone = |_| Err("an engine's thread ended".to_string());
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(gone)).collect()
    });
    if stop.is_raised() {
        return Ok(None);
    }
    let failures: Vec<String> = started.iter().filter_map(|engine| engine.clone().err()).collect();
    if !failures.is_empty() {
        return Err(format!("refused, not a game was played:\n  {}", failures.join("\n  ")));
    }
    Ok(Some(started.into_iter().flatten().collect()))
}

/// A run whose folder is open.
struct Run<'a> {
    dir: PathBuf,
    conditions: Conditions,
    args: &'a RunArgs,
    file: GameFile,
    results: Results,
    /// The first task to play.
    from: u64,
}

impl<'a> Run<'a> {
    /// Open the folder, and count the games that are there already.
    fn open(dir: PathBuf, conditions: Conditions, args: &'a RunArgs) -> Result<Run<'a>, String> {
        fs::create_dir_all(&dir).map_err(|error| format!("'{}': {error}", dir.display()))?;
        let mut file = GameFile::open(&games_path(&dir))?;
        let mut results = Results::new(&conditions);
        let schedule = conditions.schedule();
        let numbers = schedule.numbers();
        let from = std::cell::Cell::new(numbers.start);
        let results_cell = std::cell::RefCell::new(&mut results);
        file.recover(
            || {
                let results = results_cell.borrow();
                let open = |&number: &u64| !results.decided[schedule.task(number).pairing];
                (from.get()..numbers.end).find(open).map(|number| schedule.task(number))
            },
            |task, pair| {
                results_cell.borrow_mut().add(&conditions, task.pairing, &pair);
                from.set(task.number + 1);
            },
        )
        .map_err(|error| format!("{}: {error}", dir.display()))?;
        let from = from.get();
        summary::write(&dir, &conditions, &results, false)?;
        Ok(Run { dir, conditions, args, file, results, from })
    }

    fn play(mut self, shape: Shape, stop: &Stop) -> Result<ExitCode, String> {
        let numbers = self.conditions.schedule().numbers();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let concurrency = self.args.concurrency.map_or(cores, usize::from);
        let width = self.results.tallies.len() as u64;
        let mut progress = Progress::new(self.args.quiet, self.from - numbers.start, numbers.end - numbers.start);
        let mut written = Instant::now();
        let mut last = 0;
        let decided = self.results.decided.clone();
        let Run { dir, conditions, file, results, from, .. } = &mut self;
        let outcome = play_all(conditions, shape, *from, decided, concurrency, stop, |event| {
            let mut ended = false;
            match event {
                Event::Pair(task, pair) => {
                    file.append(pair).map_err(|error| format!("games.jsonl cannot be written: {error}"))?;
                    ended = results.add(conditions, task.pairing, pair);
                    last = task.pairing;
                    progress.advance(1 + if ended { (numbers.end - 1 - task.number) / width } else { 0 });
                }
                Event::Remark(text) => progress.remark(text),
                Event::Tick => {}
            }
            progress.show(conditions, results, last);
            if written.elapsed() >= SUMMARY_INTERVAL {
                summary::write(dir, conditions, results, false)?;
                written = Instant::now();
            }
            Ok(ended)
        });
        progress.finish();
        self.close(outcome)
    }

    fn close(mut self, outcome: Result<Outcome, String>) -> Result<ExitCode, String> {
        self.file.sync().map_err(|error| format!("games.jsonl cannot be written: {error}"))?;
        let complete = outcome == Ok(Outcome::Complete);
        write_reports(&self.dir, &self.conditions, &self.results, complete)?;
        let text = table::render(&self.conditions, &self.results);
        println!("{text}");
        match outcome {
            Ok(Outcome::Complete) => Ok(ExitCode::SUCCESS),
            Ok(Outcome::Stopped) => {
                eprintln!("Stopped; the results so far are safe. To go on:\n  {}", self.resume_command());
                Ok(ExitCode::from(STOPPED))
            }
            Ok(Outcome::Broken(error)) | Err(error) => {
                Err(format!("{error}\nThe results so far are safe. To go on:\n  {}", self.resume_command()))
            }
        }
    }

    fn resume_command(&self) -> String {
        let dir = self.dir.display().to_string();
        let dir = shlex::try_quote(&dir).map_or(dir.clone(), |quoted| quoted.into_owned());
        let concurrency = self.args.concurrency.map_or(String::new(), |n| format!(" --concurrency {n}"));
        format!("alea-tournament run --resume {dir}{concurrency}")
    }
}

/// Write everything that follows from conditions and games.
pub fn write_reports(dir: &Path, conditions: &Conditions, results: &Results, complete: bool) -> Result<(), String> {
    plots::write(dir, conditions, results)?;
    files::replace(&dir.join("table.txt"), table::render(conditions, results).as_bytes())?;
    summary::write(dir, conditions, results, complete)
}
