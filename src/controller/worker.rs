//! The search thread: it owns what search learns and does one job at a time.

use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender};

use super::network::{self, LoadError};
use super::{Event, bench};
use crate::eval::Judge;
use crate::eval::network::Network;
use crate::game::dice::{Position, Shape, perft};
use crate::search::{Limits, Report, Searcher, Settings, Stop, TableError, Verdict};

/// Something that takes time.
pub enum Job {
    /// Search a position.
    Search(Box<Task>),
    /// Count lines of play.
    Perft {
        /// From here.
        position: Box<Position>,
        /// Of this length.
        plies: u32,
        /// Unless this is pulled.
        stop: Stop,
    },
    /// Run the benchmark.
    Bench(Stop),
    /// Get a table of so many MB.
    Resize(usize),
    /// Read a network and, if it can be had, forget what another taught.
    Load {
        /// From here.
        path: String,
        /// For this shape.
        shape: Shape,
    },
    /// Forget everything learnt.
    Forget,
    /// The same, and get ready for a game.
    NewGame,
}

/// A search.
pub struct Task {
    /// What is searched.
    pub position: Position,
    /// What judges its leaves.
    pub judge: Judge,
    /// How.
    pub settings: Settings,
    /// Until when.
    pub limits: Limits,
    /// Unless this is pulled.
    pub stop: Stop,
}

/// What the search thread has to say.
#[derive(Debug)]
pub enum Finding {
    /// A search goes on.
    Report(Report),
    /// A perft has counted a root branch.
    Branch(String, u64),
    /// The benchmark has done a position.
    BenchLine(String),
    /// The job is done.
    Done(Done),
}

/// How a job ended.
#[derive(Debug)]
pub enum Done {
    /// A search.
    Search(Box<Verdict>),
    /// A perft: the total, or `None` if it was stopped.
    Perft(Option<u64>),
    /// The benchmark: its last lines, or `None` if it was stopped.
    Bench(Option<String>),
    /// A change of table, with its size.
    Resize(usize, Result<(), TableError>),
    /// A network that was asked for.
    Load(Result<Arc<Network>, LoadError>),
    /// Everything is forgotten.
    Forget,
}

/// Do jobs until there will be no more.
pub fn work(mut searcher: Searcher, jobs: &Receiver<Job>, events: &Sender<Event>) {
    // The loop outlives the worker, except when the process is ending.
    let tell = |finding| drop(events.send(Event::Finding(finding)));
    for job in jobs {
        let done = match job {
            Job::Search(task) => {
                let Task { position, judge, settings, limits, stop } = *task;
                let mut report = |report| tell(Finding::Report(report));
                Done::Search(Box::new(searcher.search(&position, &judge, &settings, &limits, &stop, &mut report)))
            }
            Job::Perft { position, plies, stop } => {
                let mut branch = |name, lines| tell(Finding::Branch(name, lines));
                Done::Perft(perft(&position, plies, &|| stop.pulled(), &mut branch))
            }
            Job::Bench(stop) => Done::Bench(bench::run(&stop, &mut |line| tell(Finding::BenchLine(line)))),
            Job::Resize(megabytes) => Done::Resize(megabytes, searcher.resize(megabytes)),
            Job::Load { path, shape } => {
                let loaded = network::load(&path, shape);
                if loaded.is_ok() {
                    searcher.forget();
                }
                Done::Load(loaded.map(Arc::new))
            }
            Job::Forget => {
                searcher.forget();
                Done::Forget
            }
            Job::NewGame => {
                searcher.forget();
                searcher.get_ready();
                Done::Forget
            }
        };
        tell(Finding::Done(done));
    }
}
