//! A training run from its command: what may be touched, what is left when it ends, early or not.
//!
//! The same command goes on where a run was cut short. All that is known of a run is in its checkpoint; network, last
//! network and curve are copies for others to use.

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::conditions::Conditions;
use crate::curve::{Choice, CurveError, CurveFile, Figures, News, Row, is_curve};
use crate::paths::Paths;
use crate::run::Run;
use crate::trainer::{Fault, Trainer};
use alea_tools::files::FileError;
use alea_tools::interrupt::Interrupt;
use alea_tools::progress::{Progress, at_this_pace};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the run is made safe.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// Which run, and where to put what it makes.
pub struct Order {
    /// Everything the result depends on.
    pub conditions: Conditions,
    /// Where everything goes.
    pub paths: Paths,
    /// Refuse to start from the beginning.
    pub resume: bool,
    /// Start from the beginning, whatever is there.
    pub fresh: bool,
    /// Stop after about this many games as if interrupted.
    pub until: Option<u64>,
}

/// A network of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// After how many games.
    pub games: u64,
    /// What it scores, from 0 to 1.
    pub score: f64,
    /// How far its values are off, and in what, if that is what the best network is chosen by.
    pub error: Option<(f64, &'static str)>,
}

impl Standing {
    fn of<F: Figures>(row: &Row<F>, choice: Choice) -> Standing {
        let error = match choice {
            Choice::Error(what) => row.figures.error().map(|error| (error, what)),
            Choice::Score => None,
        };
        Standing { games: row.games, score: row.score, error }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ended {
    /// All games are played; the best network and the last.
    Finished(Option<(Standing, Standing)>),
    /// All games had been played before.
    Already,
    /// Some games are left, as was ordered.
    Stopped(u64),
    /// Some games are left: Ctrl-C.
    Interrupted(u64),
}

/// Why a run ended early.
#[derive(Debug)]
pub enum Failure {
    /// The checkpoint cannot be used.
    Checkpoint(PathBuf, CheckpointError),
    /// The checkpoint is of a run under other conditions.
    OtherRun(PathBuf, Vec<String>),
    /// There is no checkpoint, where one is asked for.
    NothingToResume(PathBuf),
    /// A file is in the way, and nobody knows what run it is of.
    Exists(PathBuf),
    /// The curve cannot be written.
    Curve(CurveError),
    /// A file cannot be written.
    Write(FileError),
    /// Training cannot go on.
    Training(Fault),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Checkpoint(path, error) => write!(f, "{}: {error}", path.display()),
            Failure::OtherRun(path, differences) => {
                let (path, differences) = (path.display(), differences.join(", "));
                write!(f, "{path} is of another run: {differences}; give another --out, or --fresh to start over")
            }
            Failure::NothingToResume(path) => {
                write!(f, "{}: there is no checkpoint to go on from; leave --resume away to start", path.display())
            }
            Failure::Exists(path) => {
                write!(
                    f,
                    "{} exists and is not of this run; give another --out, or --fresh to overwrite",
                    path.display()
                )
            }
            Failure::Curve(error) => write!(f, "{error}"),
            Failure::Write(error) => write!(f, "cannot write {error}"),
            Failure::Training(fault) => write!(f, "{fault}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Carry an order out, by the trainer that `make` makes once the files are this run's.
pub fn train<T: Trainer>(order: &Order, make: impl FnOnce() -> T, interrupt: &Interrupt) -> Result<Ended, Failure> {
    // Nothing is touched before it is known to be this run's; once more with the lock, for another run may have come first.
    survey(order)?;
    let mut file = CurveFile::open(&order.paths.curve).map_err(Failure::Curve)?;
    let known = survey(order)?;
    if order.fresh {
        file.clear().map_err(Failure::Curve)?;
        clear(&order.paths)?;
    }
    let new = known.is_none();
    let mut run = Run::start(order, make(), known)?;
    // First of all files the checkpoint: no other may be there without it. A network beside it from the start.
    if new {
        run.save_checkpoint()?;
        run.save_networks()?;
    }
    let finished = run.is_finished();
    if !finished || file.is_empty().map_err(Failure::Curve)? {
        file.write(&run.curve, T::RIVAL).map_err(Failure::Curve)?;
    }
    if finished {
        if !order.paths.net.exists() || !order.paths.last.exists() {
            run.save_networks()?;
        }
        return Ok(Ended::Already);
    }
    play_all(order, &mut run, &mut file, interrupt)
}

/// Play the games that are left, or as many as there is time for.
fn play_all<T: Trainer>(
    order: &Order,
    run: &mut Run<T>,
    file: &mut CurveFile,
    interrupt: &Interrupt,
) -> Result<Ended, Failure> {
    let total = run.total() as usize;
    let mut progress = Progress::new("games", total);
    let (started, first) = (Instant::now(), run.games as usize);
    let mut saved = Instant::now();
    loop {
        let (interrupted, stopped) = (interrupt.seen(), order.until.is_some_and(|until| run.games >= until));
        let ended = run.is_finished() || interrupted || stopped;
        if ended || saved.elapsed() > CHECKPOINT_EVERY {
            run.save_networks()?;
            run.save_checkpoint()?;
            saved = Instant::now();
        }
        if ended {
            progress.finish();
            return Ok(match (run.is_finished(), interrupted) {
                (true, _) => {
                    let standing = |row| Standing::of(row, run.choice());
                    Ended::Finished(run.best_row().map(standing).zip(run.curve.last().map(standing)))
                }
                (_, true) => Ended::Interrupted(run.games),
                _ => Ended::Stopped(run.games),
            });
        }
        let surprise = run.batch().map_err(Failure::Training)?;
        let done = run.games as usize;
        progress.show(done, || at_this_pace(started, done - first, total.saturating_sub(first)));
        if run.row_is_due() {
            let news = run.measure(surprise).map_err(Failure::Training)?;
            run.curve.last().into_iter().for_each(|row| tell(&progress, row, T::RIVAL, news, &order.paths.net));
            file.write(&run.curve, T::RIVAL).map_err(Failure::Curve)?;
        }
    }
}

fn tell<F: Figures>(progress: &Progress, row: &Row<F>, rival: &str, news: News<F>, net: &Path) {
    progress.print(&format!("{}{}\n", row.shown(rival), if news == News::Best { "  (best)" } else { "" }));
    if let News::Fallen(best) = news {
        progress.complain(&format!(
            "warning: the score has fallen from {:.1} % after {} games to {:.1} %; {} keeps the network of then",
            100.0 * best.score,
            best.games,
            100.0 * row.score,
            net.display()
        ));
    }
}

/// What there is of this run; refuses what is of another.
fn survey(order: &Order) -> Result<Option<Checkpoint>, Failure> {
    let paths = &order.paths;
    let curve = is_curve(&paths.curve);
    if curve.map_err(|error| Failure::Write(FileError::new(&paths.curve, error)))? == Some(false) {
        return Err(Failure::Curve(CurveError::Foreign(paths.curve.clone())));
    }
    if order.fresh {
        return Ok(None);
    }
    let known = Checkpoint::load(&paths.checkpoint);
    match known.map_err(|error| Failure::Checkpoint(paths.checkpoint.clone(), error))? {
        Some(checkpoint) => match order.conditions.differences(&checkpoint.conditions) {
            same if same.is_empty() => Ok(Some(checkpoint)),
            differences => Err(Failure::OtherRun(paths.checkpoint.clone(), differences)),
        },
        None if order.resume => Err(Failure::NothingToResume(paths.checkpoint.clone())),
        None => {
            let full = |path: &&PathBuf| fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0);
            let in_the_way = [&paths.net, &paths.last, &paths.curve].into_iter().find(full);
            in_the_way.map_or(Ok(None), |path| Err(Failure::Exists(path.clone())))
        }
    }
}

/// Remove what an earlier run left, the checkpoint last.
fn clear(paths: &Paths) -> Result<(), Failure> {
    for path in [&paths.net, &paths.last, &paths.checkpoint] {
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Failure::Write(FileError::new(path, error)));
            }
            _ => {}
        }
    }
    Ok(())
}
