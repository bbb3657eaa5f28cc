//! The search thread: it owns what search learns and does one job at a time.

use std::any::Any;

use crossbeam::channel::{Receiver, Sender};

use super::one_game::{CountJob, LoadJob, SearchJob};
use super::{Event, bench};
use crate::game::Fault;
use crate::protocol::Reply;
use crate::search::{Searcher, Stop, TableError};

/// Something that takes time.
pub enum Job {
    /// Search a position.
    Search(SearchJob),
    /// Count lines of play.
    Perft(CountJob),
    /// Run the benchmark.
    Bench(Stop),
    /// Get a table of so many MB.
    Resize(usize),
    /// Read a network and, if it can be had, forget what another taught.
    Load(LoadJob),
    /// Forget everything learnt.
    Forget,
    /// The same, and get ready for a game.
    NewGame,
}

/// What the search thread has to say.
#[derive(Debug)]
pub enum News {
    /// These are to be said while the job goes on.
    Replies(Vec<Reply>),
    /// The job is done.
    Done(Done),
}

/// How a job ended.
#[derive(Debug)]
pub enum Done {
    /// A search: this is its answer.
    Search(Vec<Reply>),
    /// A perft: the total, or `None` if it was stopped.
    Perft(Option<u64>),
    /// The benchmark: its last lines, or `None` if it was stopped.
    Bench(Option<String>),
    /// A change of table, with its size.
    Resize(usize, Result<(), TableError>),
    /// A network that was asked for.
    Load(Result<Box<dyn Any + Send>, Fault>),
    /// Everything is forgotten.
    Forget,
}

/// Do jobs until there will be no more.
pub fn work(mut searcher: Searcher, jobs: &Receiver<Job>, events: &Sender<Event>) {
    // The loop outlives the worker, except when the process is ending.
    let tell = |news| drop(events.send(Event::News(news)));
    let say = |replies| tell(News::Replies(replies));
    for job in jobs {
        let done = match job {
            Job::Search(search) => Done::Search(search(&mut searcher, &mut |replies| say(replies))),
            Job::Perft(count) => Done::Perft(count(&mut |reply| say(vec![reply]))),
            Job::Bench(stop) => Done::Bench(bench::run(&stop, &mut |line| say(vec![Reply::Text(line)]))),
            Job::Resize(megabytes) => Done::Resize(megabytes, searcher.resize(megabytes)),
            Job::Load(load) => {
                let loaded = load();
                if loaded.is_ok() {
                    searcher.forget();
                }
                Done::Load(loaded)
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
        tell(News::Done(done));
    }
}
