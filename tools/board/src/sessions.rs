//! Games that pages have open: each has a stream of events to its page and the engines that play in it, one process each. When
//! the page goes, its engines go, after a while in which it may come back, as a page does that is reloaded.

use crate::error::Refusal;
use alea_tools::engine::Stop;
use alea_tools::engine::process::{Heard, Input, Process, describe};
use alea_tools::text::visible;
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Lines that may wait for a page that is slow to read: an engine that writes more waits too.
const WAITING: usize = 4096;

/// How long an engine may take to read what it is told.
const SEND: Duration = Duration::from_secs(5);

/// How long a process that closed its output may take to be gone.
const GRACE: Duration = Duration::from_secs(1);

/// How long to wait for a line before waiting for the next: any time will do.
const A_WHILE: Duration = Duration::from_secs(3600);

/// An engine that pages may run.
#[derive(Clone, Debug, Serialize)]
pub struct EngineSpec {
    /// What it is called.
    pub name: String,
    /// Its program and arguments.
    pub command: Vec<String>,
}

/// What a page is told.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Event {
    /// The stream begins: which engines run.
    Hello {
        /// Their numbers.
        running: Vec<usize>,
    },
    /// An engine wrote a line.
    Line {
        /// Which engine.
        engine: usize,
        /// What it wrote.
        text: String,
    },
    /// An engine has ended.
    Ended {
        /// Which engine.
        engine: usize,
        /// Which start of it, counted from 1.
        serial: u64,
        /// How.
        reason: String,
    },
    /// Another page has taken this game over.
    Replaced,
}

/// A running engine.
struct Running {
    serial: u64,
    input: Arc<Mutex<Input>>,
    stop: Arc<Stop>,
}

/// A page's end of the stream.
struct Listener {
    number: u64,
    sender: mpsc::Sender<Event>,
}

/// One game.
#[derive(Default)]
pub struct Session {
    listener: Mutex<(u64, Option<Listener>)>,
    engines: Mutex<HashMap<usize, Running>>,
    serial: Mutex<u64>,
}

impl Session {
    /// Tell the page, if one listens; waits while it is slow.
    fn tell(&self, event: Event) {
        let sender = self.listener.lock().1.as_ref().map(|listener| listener.sender.clone());
        if let Some(sender) = sender {
            let _ = sender.blocking_send(event);
        }
    }

    /// Listen from now on, in the place of whoever did before. The number tells this stream from others.
    fn listen(&self) -> (u64, mpsc::Receiver<Event>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let running = self.engines.lock().keys().copied().collect();
        // The channel is new: there is room.
        let _ = sender.try_send(Event::Hello { running });
        let mut place = self.listener.lock();
        place.0 += 1;
        let number = place.0;
        if let Some(old) = place.1.replace(Listener { number, sender }) {
            let _ = old.sender.try_send(Event::Replaced);
        }
        (number, receiver)
    }

    /// Nobody listens to this stream any more; true if nobody listens at all.
    fn hang_up(&self, number: u64) -> bool {
        let mut place = self.listener.lock();
        if place.1.as_ref().is_some_and(|listener| listener.number == number) {
            place.1 = None;
        }
        place.1.is_none()
    }

    /// Whether nobody has listened since stream `number`.
    fn is_abandoned(&self, number: u64) -> bool {
        let place = self.listener.lock();
        place.0 == number && place.1.is_none()
    }

    fn end_all(&self) {
        for (_, running) in self.engines.lock().drain() {
            running.stop.raise();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end_all();
    }
}

/// All games, and the bounds on them.
pub struct Sessions {
    engines: Vec<EngineSpec>,
    games: Mutex<HashMap<String, Arc<Session>>>,
    room: Arc<Semaphore>,
    most: usize,
    grace: Duration,
}

impl Sessions {
    /// No games yet, at most so many games and so many engines, which outlive their page by `grace`.
    pub fn new(engines: Vec<EngineSpec>, most: usize, grace: Duration) -> Sessions {
        Sessions { engines, games: Mutex::default(), room: Arc::new(Semaphore::new(most)), most, grace }
    }

    /// The engines that may be run.
    pub fn engines(&self) -> &[EngineSpec] {
        &self.engines
    }

    /// A new game; its name.
    pub fn open(&self) -> Result<String, Refusal> {
        let mut games = self.games.lock();
        if games.len() >= self.most {
            // Pages that asked for a game and never listened are not in the way of others.
            games.retain(|_, game| !game.is_abandoned(0));
        }
        if games.len() >= self.most {
            return Err(Refusal::Full { what: "games", most: self.most });
        }
        let name = crate::guard::random_word();
        games.insert(name.clone(), Arc::default());
        Ok(name)
    }

    fn get(&self, name: &str) -> Result<Arc<Session>, Refusal> {
        self.games.lock().get(name).cloned().ok_or(Refusal::NoGame)
    }

    /// Listen to a game; dropping what is returned hangs up.
    pub fn listen(self: &Arc<Self>, name: &str) -> Result<Listening, Refusal> {
        let session = self.get(name)?;
        let (number, receiver) = session.listen();
        Ok(Listening { sessions: self.clone(), name: name.to_string(), session, number, receiver })
    }

    /// Start an engine of a game, in the place of one that runs; the number of this start.
    pub fn start(&self, name: &str, engine: usize) -> Result<u64, Refusal> {
        let session = self.get(name)?;
        let spec = self.engines.get(engine).ok_or(Refusal::Missing("engine"))?;
        self.end(name, engine)?;
        let permit = self.room.clone().try_acquire_owned();
        let permit = permit.map_err(|_| Refusal::Full { what: "engines", most: self.most })?;
        let cannot = |error| Refusal::Engine(format!("'{}' cannot be started: {error}", spec.command.join(" ")));
        let mut process = Process::spawn(&spec.command).map_err(cannot)?;
        let input = process.take_input().ok_or(Refusal::Engine("it has no input".into()))?;
        let stop = Arc::new(Stop::new().map_err(cannot)?);
        let serial = {
            let mut serial = session.serial.lock();
            *serial += 1;
            *serial
        };
        let running = Running { serial, input: Arc::new(Mutex::new(input)), stop: stop.clone() };
        session.engines.lock().insert(engine, running);
        let reader = Reader { session: Arc::downgrade(&session), engine, serial, stop, _permit: permit };
        let spawned = std::thread::Builder::new().name(format!("engine {engine}")).spawn(move || reader.run(process));
        spawned.map_err(cannot)?;
        Ok(serial)
    }

    /// End an engine of a game, if it runs.
    pub fn end(&self, name: &str, engine: usize) -> Result<(), Refusal> {
        if let Some(running) = self.get(name)?.engines.lock().remove(&engine) {
            running.stop.raise();
        }
        Ok(())
    }

    /// Tell an engine of a game something. Waits while it does not read; for a thread that may.
    pub fn send(&self, name: &str, engine: usize, text: &str) -> Result<(), Refusal> {
        let session = self.get(name)?;
        let input = session.engines.lock().get(&engine).map(|running| running.input.clone());
        let input = input.ok_or(Refusal::Engine("the engine does not run".into()))?;
        let mut text = text.trim_end().to_string();
        text.push('\n');
        let sent = input.lock().send(text.as_bytes(), Instant::now() + SEND);
        sent.map_err(|error| Refusal::Engine(format!("the engine does not listen: {error}")))
    }

    /// End everything: the server goes.
    pub fn end_all(&self) {
        for (_, session) in self.games.lock().drain() {
            session.end_all();
        }
    }
}

/// A page that listens.
pub struct Listening {
    sessions: Arc<Sessions>,
    name: String,
    session: Arc<Session>,
    number: u64,
    receiver: mpsc::Receiver<Event>,
}

impl Listening {
    /// The next events, at least one and at most so many; none when another page has taken over.
    pub async fn next(&mut self, most: usize) -> Vec<Event> {
        let mut events = Vec::new();
        self.receiver.recv_many(&mut events, most).await;
        events
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if !self.session.hang_up(self.number) {
            return;
        }
        let (sessions, name, number) = (self.sessions.clone(), self.name.clone(), self.number);
        let wait = async move {
            tokio::time::sleep(sessions.grace).await;
            let mut games = sessions.games.lock();
            if games.get(&name).is_some_and(|session| session.is_abandoned(number)) {
                games.remove(&name);
            }
        };
        // Without a runtime the server is going, and ends all games itself.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(wait);
        }
    }
}

/// What hands an engine's lines to its page, in a thread of its own.
struct Reader {
    session: std::sync::Weak<Session>,
    engine: usize,
    serial: u64,
    stop: Arc<Stop>,
    _permit: OwnedSemaphorePermit,
}

impl Reader {
    fn run(self, mut process: Process) {
        let reason = loop {
            let text = match process.line(Instant::now() + A_WHILE, &self.stop) {
                Ok(Heard::Line(text)) => text,
                Ok(Heard::Timeout) => continue,
                // Whoever raised it knows.
                Ok(Heard::Stopped) => return,
                Ok(Heard::Garbage(what)) => break format!("it wrote what is no line: {what}"),
                Ok(Heard::Eof) | Err(_) => break self.ending(&mut process),
            };
            let Some(session) = self.session.upgrade() else { return };
            session.tell(Event::Line { engine: self.engine, text });
        };
        drop(process);
        let Some(session) = self.session.upgrade() else { return };
        {
            let mut engines = session.engines.lock();
            if engines.get(&self.engine).is_some_and(|running| running.serial == self.serial) {
                engines.remove(&self.engine);
            }
        }
        session.tell(Event::Ended { engine: self.engine, serial: self.serial, reason });
    }

    fn ending(&self, process: &mut Process) -> String {
        let status = process.end(GRACE);
        let words = process.last_words();
        let said = if words.is_empty() { String::new() } else { format!("; it said: {}", visible(&words, 500)) };
        format!("it {}{said}", describe(status))
    }
}
