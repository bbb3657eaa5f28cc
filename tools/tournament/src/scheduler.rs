//! Several games at once, results in the order of the schedule.
//!
//! Workers take tasks in order and play them with engines of their own; one collector puts what they bring back into
//! order. Whatever is decided on the way (a sequential test that ends a pairing) is decided by the collector, from
//! results in order, so that neither the number of workers nor their speed changes anything.

use crate::conditions::{Conditions, Pairing};
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::fault::Trouble;
use crate::gate::Gate;
use crate::records::{GameRecord, PairRecord, Seat};
use crate::referee::{Label, Player, Setup, play};
use crate::rules::{Board, Chance};
use crate::schedule::{Schedule, Task};
use crate::stop::Stop;
use crossbeam::channel::{Receiver, Sender, unbounded};
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::time::Duration;

/// How far ahead of the slowest game the others may run, in tasks: what is out of order waits in memory.
const AHEAD: u64 = 4096;

/// How many engines a worker keeps running; the one unused longest makes room.
const KEPT_ENGINES: usize = 16;

/// How often an engine that fails to start afresh is tried again.
const START_ATTEMPTS: u32 = 3;

/// What a worker has to say.
enum Message {
    /// A pair was played.
    Played(Task, Box<PairRecord>),
    /// An engine misbehaved: worth telling now, and its last words with it.
    Fault(String),
    /// An engine cannot be started any more.
    Broken(Failure),
}

/// What the collector hands on.
pub enum Event<'a> {
    /// The next pair in order. The answer says whether its pairing is decided.
    Pair(Task, &'a PairRecord),
    /// A remark for the user.
    Remark(&'a str),
    /// Nothing new for a while.
    Tick,
}

/// The tasks still to be played.
struct Queue {
    state: Mutex<QueueState>,
    moved: Condvar,
}

struct QueueState {
    next: u64,
    end: u64,
    /// The first task that has not been collected.
    collected: u64,
    decided: Vec<bool>,
}

impl Queue {
    fn take(&self, schedule: &Schedule, stop: &Stop) -> Option<Task> {
        let mut state = self.state.lock();
        loop {
            if state.next >= state.end || stop.is_raised() {
                return None;
            }
            let task = schedule.task(state.next);
            if state.decided[task.pairing] {
                state.next += 1;
            } else if state.next < state.collected + AHEAD {
                state.next += 1;
                return Some(task);
            } else {
                self.moved.wait_for(&mut state, Duration::from_millis(100));
            }
        }
    }
}

/// How the play went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every task was played or decided away.
    Complete,
    /// Told to stop.
    Stopped,
}

/// Play the schedule from task `from` on; `decided` says which pairings have been ended already. `handle` gets every
/// event in order and says whether the pair's pairing is now decided.
pub fn play_all(
    conditions: &Conditions,
    start: &Board,
    from: u64,
    decided: Vec<bool>,
    concurrency: usize,
    stop: &Stop,
    mut handle: impl FnMut(Event<'_>) -> Result<bool, Error>,
) -> Result<Outcome, Error> {
    let schedule = conditions.schedule();
    let end = schedule.numbers().end;
    let queue =
        Queue { state: Mutex::new(QueueState { next: from, end, collected: from, decided }), moved: Condvar::new() };
    let pairings = conditions.pairings();
    let (fingerprint, gate) = (conditions.fingerprint(), Gate::of_cores());
    let (sender, receiver) = unbounded();
    std::thread::scope(|scope| {
        for _ in 0..concurrency {
            let sender = sender.clone();
            let (queue, schedule, pairings) = (&queue, &schedule, &pairings);
            let (fingerprint, gate) = (&fingerprint, &gate);
            scope.spawn(move || {
                let engines = Vec::new();
                let mut worker = Worker { conditions, fingerprint, start, stop, gate, pairings, engines, sender };
                while let Some(task) = queue.take(schedule, stop) {
                    if !worker.run(task) {
                        break;
                    }
                }
                worker.dismiss();
            });
        }
        drop(sender);
        let outcome = collect(&schedule, &queue, &receiver, stop, &mut handle);
        if !matches!(outcome, Ok(Outcome::Complete)) {
            stop.raise();
        }
        outcome
    })
}

fn collect(
    schedule: &Schedule,
    queue: &Queue,
    receiver: &Receiver<Message>,
    stop: &Stop,
    handle: &mut impl FnMut(Event<'_>) -> Result<bool, Error>,
) -> Result<Outcome, Error> {
    let mut waiting: BTreeMap<u64, Box<PairRecord>> = BTreeMap::new();
    loop {
        {
            let mut state = queue.state.lock();
            while state.collected < state.end && state.decided[schedule.task(state.collected).pairing] {
                waiting.remove(&state.collected);
                state.collected += 1;
            }
            queue.moved.notify_all();
            if state.collected >= state.end {
                return Ok(Outcome::Complete);
            }
            let number = state.collected;
            if let Some(pair) = waiting.remove(&number) {
                drop(state);
                let task = schedule.task(number);
                let ended = handle(Event::Pair(task, &pair))?;
                let mut state = queue.state.lock();
                state.decided[task.pairing] |= ended;
                state.collected += 1;
                continue;
            }
        }
        match receiver.recv_timeout(Duration::from_millis(200)) {
            Ok(Message::Played(task, pair)) => {
                waiting.insert(task.number, pair);
            }
            Ok(Message::Fault(text)) => {
                handle(Event::Remark(&text))?;
            }
            Ok(Message::Broken(failure)) => return Err(Error::Broken(failure)),
            Err(error) if error.is_timeout() => {
                handle(Event::Tick)?;
            }
            Err(_) => return Ok(Outcome::Stopped),
        }
        if stop.is_raised() {
            return Ok(Outcome::Stopped);
        }
    }
}

/// One thread that plays pairs.
struct Worker<'a> {
    conditions: &'a Conditions,
    /// That of the conditions.
    fingerprint: &'a str,
    /// The first position of every game.
    start: &'a Board,
    stop: &'a Stop,
    /// Through which engines start.
    gate: &'a Gate,
    pairings: &'a [Pairing],
    /// Engines that run, the most recently used last.
    engines: Vec<(usize, Engine)>,
    sender: Sender<Message>,
}

impl Worker<'_> {
    /// Play a task; false if there is no point in going on.
    fn run(&mut self, task: Task) -> bool {
        let pairing = self.pairings[task.pairing];
        let mut records = Vec::with_capacity(2);
        for seat in Seat::BOTH {
            match self.game(task, pairing, seat) {
                Ok(record) => records.push(record),
                Err(Some(broken)) => {
                    let _ = self.sender.send(Message::Broken(broken));
                    return false;
                }
                Err(None) => return false,
            }
        }
        match <PairRecord>::try_from(records) {
            Ok(pair) => self.sender.send(Message::Played(task, Box::new(pair))).is_ok(),
            Err(_) => false,
        }
    }

    /// One game; the error is an engine that does not start, or nothing if told to stop.
    fn game(&mut self, task: Task, pairing: Pairing, seat: Seat) -> Result<GameRecord, Option<Failure>> {
        let seats = match seat {
            Seat::P1 => [pairing.first, pairing.second],
            Seat::P2 => [pairing.second, pairing.first],
        };
        let mut p1 = self.engine(seats[0])?;
        let mut p2 = self.engine(seats[1])?;
        let chance = Chance { seed: self.conditions.seeds.get(task.pair), pair: task.pair };
        let setup = Setup {
            start: self.start,
            chance,
            max_plies: self.conditions.max_plies as usize,
            patience: self.conditions.patience,
            stop: self.stop,
        };
        let specs = seats.map(|engine| &self.conditions.engines[engine]);
        let players =
            [Player { engine: &mut p1, limits: specs[0].limits }, Player { engine: &mut p2, limits: specs[1].limits }];
        let played = match play(&setup, players) {
            Ok(played) => played,
            Err(_) => return Err(None),
        };
        let label = Label {
            number: 2 * task.number + seat as u64 + 1,
            pairing: task.pairing,
            seat,
            names: specs.map(|spec| spec.name.as_str()),
            conditions: self.fingerprint,
            times: self.conditions.times,
        };
        for (seat, engine) in [(Seat::P1, p1), (Seat::P2, p2)] {
            if played.culprit == Some(seat) {
                self.report(&label, &played.detail, seat, engine);
            } else {
                self.keep(seats[seat as usize], engine);
            }
        }
        Ok(played.record(&label, chance))
    }

    /// Tell what went wrong; the engine ends here, and is started afresh for its next game.
    fn report(&self, label: &Label<'_>, detail: &Option<String>, seat: Seat, mut engine: Engine) {
        let name = label.names[seat as usize];
        let mut text = format!("game {}: {name} loses: {}", label.number, detail.as_deref().unwrap_or("no reason"));
        let words = engine.last_words();
        if !words.is_empty() {
            text.push_str("; it said on stderr: ");
            text.push_str(&words);
        }
        let _ = self.sender.send(Message::Fault(text));
    }

    /// A running engine: one that was kept, or a new one.
    fn engine(&mut self, index: usize) -> Result<Engine, Option<Failure>> {
        if let Some(place) = self.engines.iter().position(|(kept, _)| *kept == index) {
            return Ok(self.engines.remove(place).1);
        }
        let spec = &self.conditions.engines[index];
        let mut attempt = 1;
        loop {
            let start = || Engine::start(spec, self.start, self.conditions.patience, self.stop);
            match self.gate.pass(start) {
                Ok(engine) => return Ok(engine),
                Err(Trouble::Stopped) => return Err(None),
                Err(trouble) if attempt == START_ATTEMPTS => {
                    return Err(Some(spec.failure(START_ATTEMPTS, trouble)));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
            attempt += 1;
        }
    }

    fn keep(&mut self, index: usize, engine: Engine) {
        self.engines.push((index, engine));
        if self.engines.len() > KEPT_ENGINES {
            self.engines.remove(0).1.quit();
        }
    }

    /// Let the engines go: politely after the last game, at once if told to stop.
    fn dismiss(self) {
        for (_, engine) in self.engines {
            if !self.stop.is_raised() {
                engine.quit();
            }
        }
    }
}
