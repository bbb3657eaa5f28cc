//! A run from beginning to end: conditions, engines tried, games played, files written.

use crate::cli::RunArgs;
use crate::conditions::{Conditions, Host};
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::folder::{Folder, look, same_conditions};
use crate::gate::Gate;
use crate::progress::Progress;
use crate::rules::Board;
use crate::scheduler::{Event, Outcome, play_all};
use crate::stop::{STOPPED, Stop, on_interrupt};
use crate::{config, summary, table};
use alea_tools::interrupt::{Omit, command_line};
use alea_tools::output::{say, tell};
use alea_tools::words::WordError;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How often the summary is written while games are played.
const SUMMARY_INTERVAL: Duration = Duration::from_secs(5);

/// Play, or go on playing.
pub fn run(args: &RunArgs) -> Result<ExitCode, Error> {
    let stop = on_interrupt()?;
    let (dir, stored, mut conditions) = asked(args)?;
    let start = conditions.start().map_err(Error::Start)?;
    let mut folder = None;
    if stored {
        let opened = Folder::open(&dir, conditions.clone(), false)?;
        if opened.is_complete() {
            opened.write_reports(true)?;
            say(&format!("{}\n", table::render(&opened.conditions, &opened.results)));
            tell(&format!("'{}' was complete already; --fresh would start over.\n", dir.display()));
            return Ok(ExitCode::SUCCESS);
        }
        folder = Some(opened);
    }
    let Some(versions) = try_engines(&conditions, &start, &stop)? else {
        tell("Stopped before the first game.\n");
        return Ok(ExitCode::from(STOPPED));
    };
    let stored_versions = std::mem::replace(&mut conditions.versions, versions);
    let folder = match folder {
        Some(folder) => {
            same_conditions(&dir, &conditions, &Conditions { versions: stored_versions, ..conditions.clone() })?;
            folder
        }
        None => Folder::open(&dir, conditions, args.fresh)?,
    };
    if let Some(line) = folder.torn {
        tell(&format!("games.jsonl, line {line}: half-written, cut off; its pair is played again\n"));
    }
    play(folder, args, &start, &stop)
}

/// The folder, whether it holds a tournament already, and the conditions of that, or those asked for.
fn asked(args: &RunArgs) -> Result<(PathBuf, bool, Conditions), Error> {
    let given = &args.conditions;
    let (dir, stored, asked) = match (&args.resume, &args.out) {
        (Some(dir), _) => {
            let (stored, _) = summary::read(dir)?;
            let asked = config::conditions(given, Some(&stored))?;
            (dir, Some(stored), asked)
        }
        (None, Some(dir)) => {
            let stored = if args.fresh { None } else { look(dir)? };
            (dir, stored.map(|(stored, _)| stored), config::conditions(given, None)?)
        }
        (None, None) => return Err(WordError::new("--out", "say where the results go: --out DIR").into()),
    };
    if let Some(stored) = &stored {
        same_conditions(dir, &asked, stored)?;
    }
    let is_stored = stored.is_some();
    let mut conditions = stored.unwrap_or(asked);
    conditions.hosts.push(Host::here());
    conditions.hosts.sort();
    conditions.hosts.dedup();
    Ok((dir.clone(), is_stored, conditions))
}

/// Start every engine once, a few at a time, and ask what it is. Those that fail are named, every one. `None` if told to
/// stop.
fn try_engines(conditions: &Conditions, start: &Board, stop: &Stop) -> Result<Option<Vec<String>>, Error> {
    let gate = Gate::of_cores();
    let try_one = |spec: &crate::spec::EngineSpec| {
        gate.pass(|| {
            let engine = Engine::start(spec, start, conditions.patience, stop);
            let engine = engine.map_err(|trouble| spec.failure(1, trouble))?;
            let id = engine.id().to_string();
            engine.quit();
            Ok(id)
        })
    };
    let started: Vec<Result<String, Failure>> = std::thread::scope(|scope| {
        let threads: Vec<_> = conditions.engines.iter().map(|spec| (spec, scope.spawn(|| try_one(spec)))).collect();
        let gone = |spec: &crate::spec::EngineSpec| Err(spec.failure(1, crate::fault::Trouble::Stopped));
        threads.into_iter().map(|(spec, thread)| thread.join().unwrap_or_else(|_| gone(spec))).collect()
    });
    if stop.is_raised() {
        return Ok(None);
    }
    let failures: Vec<Failure> = started.iter().filter_map(|engine| engine.clone().err()).collect();
    if !failures.is_empty() {
        return Err(Error::Engines(failures));
    }
    Ok(Some(started.into_iter().flatten().collect()))
}

fn play(mut folder: Folder, args: &RunArgs, start: &Board, stop: &Stop) -> Result<ExitCode, Error> {
    let numbers = folder.conditions.schedule().numbers();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let concurrency = args.concurrency.map_or(cores, usize::from);
    let width = folder.results.tallies.len() as u64;
    let mut progress = Progress::new(args.quiet, folder.from - numbers.start, numbers.end - numbers.start);
    let mut written = Instant::now();
    let mut last = 0;
    let decided = folder.results.decided.clone();
    let Folder { dir, conditions, file, results, from, .. } = &mut folder;
    let outcome = play_all(conditions, start, *from, decided, concurrency, stop, |event| {
        let mut ended = false;
        match event {
            Event::Pair(task, pair) => {
                file.append(pair)?;
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
    close(folder, outcome)
}

/// Write what there is, whatever happened; of several things that went wrong, the first is told.
fn close(mut folder: Folder, outcome: Result<Outcome, Error>) -> Result<ExitCode, Error> {
    let complete = matches!(outcome, Ok(Outcome::Complete));
    let written = folder.file.sync().and_then(|()| folder.write_reports(complete));
    let resume = || resume_line(&folder.conditions);
    let outcome = outcome.and_then(|outcome| written.map(|()| outcome));
    // Where the disk is full, stdout may be a file on it: no table then, lest it hides the cause.
    let outcome = outcome.map_err(|cause| Error::Paused { cause: Box::new(cause), resume: resume() })?;
    say(&format!("{}\n", table::render(&folder.conditions, &folder.results)));
    if outcome == Outcome::Complete {
        return Ok(ExitCode::SUCCESS);
    }
    tell(&format!("Stopped; the results so far are safe. To go on:\n  {}\n", resume()));
    Ok(ExitCode::from(STOPPED))
}

/// The same command again; a shard that was worked out from a job's environment is said in full.
fn resume_line(conditions: &Conditions) -> String {
    let mut line = command_line(&[Omit::Flag("--fresh")]);
    for word in ["--shard auto", "--shard=auto"] {
        if let (Some(place), Some(shard)) = (line.find(word), conditions.shard) {
            let end = line[place + word.len()..].find(' ').map_or(line.len(), |end| place + word.len() + end);
            line.replace_range(place..end, &format!("--shard {shard}"));
        }
    }
    line
}
