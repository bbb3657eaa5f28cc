//! The work: tables, layers, and what came of it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use alea::game::Notation;
use alea::game::dice::{Position, Status};
use alea::sweep::dice::{DiceSweep, Setup};
use alea::sweep::{self, Block, Layered, Pace};
use alea_tools::interrupt::{Interrupt, Omit, command_line};
use alea_tools::output::{complain, say};
use alea_tools::progress::Progress;

use crate::error::Error;
use crate::report::{self, Truth};
use crate::store::{Bounds, Disk};
use crate::{Cli, Ended};

/// Blocks that are in memory at once because they are being worked on: two that are read and one that is written.
const AT_WORK: u64 = 3;

/// Blocks that one follows from: so many are let go of at once.
const CHILDREN: u64 = 2;

/// Memory to use where nothing is said and it suffices.
const MEMORY: u64 = 4_000_000_000;

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
        store.checkpoint()?;
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
    Ok(Ended::Done)
}

fn open_store(cli: &Cli, work: &Work, game: &DiceSweep) -> Result<Disk, Error> {
    let needs = Needs::of(game);
    let (memory, rest) = needs.share(cli.memory)?;
    if needs.layers > rest {
        let files = (needs.layers + memory + CHILDREN * needs.largest) as f64 / 1e9;
        complain(&format!("up to {files:.1} GB of files in {}", work.dir.display()));
    }
    let bounds = Bounds { memory: rest, spare: memory, interval: cli.checkpoint };
    Disk::open(&work.dir, &work.name(), bounds, cli.fresh)
}

/// What solving takes, in bytes.
struct Needs {
    /// Tables and blocks at work.
    memory: u64,
    /// Blocks that are kept at one time, at most.
    layers: u64,
    /// The largest block.
    largest: u64,
}

impl Needs {
    /// The memory to use, and how much of it is left for blocks at rest.
    fn share(&self, asked: Option<u64>) -> Result<(u64, u64), Error> {
        let memory = asked.unwrap_or(MEMORY.max(self.memory));
        let rest = memory.checked_sub(self.memory).ok_or(Error::LittleMemory { needed: self.memory })?;
        Ok((memory, rest))
    }

    fn of(game: &DiceSweep) -> Needs {
        let bytes = |block| 4 * game.extent(block).len() as u64;
        let (mut largest, mut held, mut most) = (0, 0, 0);
        for layer in (0..game.layers()).rev() {
            let blocks = game.blocks(layer);
            // In the driver's order; a block that is needed again is let go of after its last user.
            let users: Vec<Vec<Block>> = blocks.iter().map(|&block| game.children(block)).collect();
            let mut last: HashMap<Block, usize> = HashMap::new();
            for (i, children) in users.iter().enumerate() {
                last.extend(children.iter().map(|&child| (child, i)));
            }
            for (i, &block) in blocks.iter().enumerate() {
                largest = largest.max(bytes(block));
                held += bytes(block);
                most = most.max(held);
                let done = users[i].iter().filter(|&child| child.layer >= KEPT && last[child] == i);
                held -= done.map(|&child| bytes(child)).sum::<u64>();
            }
        }
        Needs { memory: game.table_bytes() + AT_WORK * largest, layers: most, largest }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::dice::Shape;

    /// Where nothing is said of memory it suffices; what is said holds.
    #[test]
    fn memory_is_shared() {
        let cases = [(1, None, Some((MEMORY, MEMORY - 1))), (MEMORY + 7, None, Some((MEMORY + 7, 0)))];
        let asked = [(5, Some(5), Some((5, 0))), (5, Some(9), Some((9, 4))), (5, Some(4), None)];
        for (memory, asked, share) in cases.into_iter().chain(asked) {
            assert_eq!(Needs { memory, layers: 0, largest: 0 }.share(asked).ok(), share, "{memory} {asked:?}");
        }
    }

    /// What is kept at one time is the largest layer and a part of another.
    #[test]
    fn needs_are_foreseen() {
        for (n, k) in [(4, 3), (4, 4), (3, 3)] {
            let game = DiceSweep::new(Setup::start(Shape::new(n, k).unwrap()).unwrap());
            let (needs, bytes) = (Needs::of(&game), |layer| 4 * game.layer_len(layer));
            let most = (1..game.layers()).map(|layer| bytes(layer) + bytes(layer - 1)).max().unwrap();
            let kept = (0..KEPT).map(bytes).sum::<u64>();
            let largest = (0..game.layers()).map(bytes).max().unwrap();
            assert!(needs.layers >= largest && needs.layers <= most + kept, "{n}/{k}");
            assert!(needs.memory > game.table_bytes() && needs.memory <= game.table_bytes() + AT_WORK * largest);
        }
    }
}
