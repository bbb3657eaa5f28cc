//! The work: tables, layers, and what came of it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use alea::game::Notation;
use alea::game::dice::{Position, Status};
use alea::sweep::dice::{DiceSweep, Setup};
use alea::sweep::{self, Layered, Pace};
use alea_tools::interrupt::{Interrupt, Omit, command_line};
use alea_tools::output::say;
use alea_tools::progress::Progress;

use crate::error::Error;
use crate::report::{self, Truth};
use crate::store::Disk;
use crate::{Cli, Ended, checkpoint};

/// Blocks that are in memory at once because they are being worked on: two that are read and one that is written.
const AT_WORK: u64 = 3;

/// Layers that are kept to the end: the engine's book is made of them.
pub const KEPT: usize = 8;

/// What is to be solved.
struct Work {
    /// A position whose roll says what is asked of it.
    position: Position,
    setup: Setup,
    dir: PathBuf,
}

impl Work {
    fn new(cli: &Cli) -> Result<Work, Error> {
        let position = match (&cli.shape, &cli.position) {
            (Some(shape), _) => Position::new(*shape),
            (None, Some(text)) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                Position::read("fen", &words).map_err(Error::Position)?
            }
            (None, None) => return Err(Error::Nothing),
        };
        if position.status() != Status::Playing {
            return Err(Error::Over);
        }
        let shape = position.shape();
        let setup = Setup::of(&position).ok_or(Error::TooLarge(shape))?;
        let default_dir = || PathBuf::from(format!("solve-{}-{}", shape.size(), shape.win()));
        Ok(Work { position, setup, dir: cli.dir.clone().unwrap_or_else(default_dir) })
    }

    /// The name of what is swept, whatever the roll.
    fn name(&self) -> String {
        self.position.without_roll().fen()
    }
}

/// Solve what the command line asks for.
pub fn solve(cli: &Cli) -> Result<Ended, Error> {
    let work = Work::new(cli)?;
    let began = Instant::now();
    let game = DiceSweep::new(work.setup);
    let mut store = open_store(cli, &work, &game)?;
    let interrupt = Interrupt::watch(|| ());
    if !sweep_all(cli, &work, &game, &mut store, &interrupt)? {
        let blocks = store.save()?;
        checkpoint::write(&work.dir, &work.name(), &blocks)?;
        store.pin(&blocks);
        let line = command_line(&[Omit::Flag("--fresh")]);
        say(&format!("Stopped; {} keeps what there is. To go on:\n  {line}\n", work.dir.display()));
        return Ok(Ended::Interrupted);
    }
    let states = (0..game.layers()).map(|layer| game.layer_len(layer)).sum();
    let mut truth = Truth { game: &game, store: &mut store };
    say(&report::text(&work.position, &work.setup, &mut truth, states, began.elapsed())?);
    if let Some(path) = &cli.out {
        report::write_book(path, &work.setup, &mut truth)?;
    }
    store.clear();
    checkpoint::remove(&work.dir);
    Ok(Ended::Done)
}

fn open_store(cli: &Cli, work: &Work, game: &DiceSweep) -> Result<Disk, Error> {
    let blocks = (0..game.layers()).flat_map(|layer| game.blocks(layer));
    let largest = blocks.map(|block| 4 * game.extent(block).len() as u64).max().unwrap_or_default();
    let tables = game.table_bytes();
    let limit = cli.memory.checked_sub(tables + AT_WORK * largest);
    let limit = limit.ok_or(Error::LittleMemory { needed: tables + AT_WORK * largest })?;
    let mut store = Disk::new(&work.dir, limit);
    if cli.fresh {
        if let Ok(old) = checkpoint::read(&work.dir, &work.name()) {
            store.adopt(old.into_iter());
            store.clear();
        }
        checkpoint::remove(&work.dir);
    } else {
        store.adopt(checkpoint::read(&work.dir, &work.name())?.into_iter());
    }
    Ok(store)
}

/// Work out every layer; whether it was left to finish.
fn sweep_all(cli: &Cli, work: &Work, game: &DiceSweep, store: &mut Disk, interrupt: &Interrupt) -> Result<bool, Error> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cli.threads.map_or(cores, usize::from);
    let first = work.setup.count();
    let mut bar = Progress::new("million positions", 0);
    let mut start: Option<(Instant, u64)> = None;
    let mut shown = None;
    let mut progress = |progress: sweep::Progress| {
        let millions = |count: u64| (count / 1_000_000) as usize;
        // What an interrupted run left is done in no time.
        let (since, before) = *start.get_or_insert((Instant::now(), progress.done));
        if shown.is_none() {
            bar = Progress::new("million positions", millions(progress.total));
        }
        if shown.replace(progress.layer) != Some(progress.layer) && progress.total > 1 << 26 {
            bar.complain(&format!("checkers on the board: {}", first + progress.layer));
        }
        bar.show(millions(progress.done), || time_left(since, progress.done - before, progress.total - progress.done));
    };
    let stop = || interrupt.seen();
    let mut pace = Pace { threads, stop: &stop, progress: &mut progress };
    // An interrupted run was at the first layer of which it left something.
    let end = store.first_layer().map_or(game.layers(), |layer| layer + 1);
    let swept = sweep::sweep(game, 0..end, KEPT, store, &mut pace);
    bar.finish();
    match swept {
        Ok(()) => Ok(true),
        Err(sweep::Ended::Stopped) => Ok(false),
        Err(sweep::Ended::Store(error)) => Err(error.into()),
    }
}

fn time_left(since: Instant, done: u64, left: u64) -> Option<Duration> {
    (done > 0).then(|| Duration::from_secs_f64(since.elapsed().as_secs_f64() / done as f64 * left as f64))
}
