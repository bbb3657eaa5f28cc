//! The engine process: a reader thread, a search thread, and one loop between them.
//!
//! One channel carries input and search events to the loop (as in Tantabus and Frozenight), which alone changes the
//! state and alone writes. While a job runs, commands wait in order; `stop` and `quit` act in the reader, `isready` is
//! answered at once.

mod bench;
mod clock;
mod hangup;
mod help;
mod input;
mod one_game;
pub mod options;
mod present;
mod session;
mod worker;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::game::Fault;
use crate::protocol::{Command, Go, LineKind, PositionText, Reply};
use crate::search::{STACK, Searcher, Stop, TableError};
use input::{Dropped, Input, InputError, Reader, Said, Shared};
use options::{Effect, Options};
use session::{Missing, Session};
use worker::{Done, Job, News};

/// Name and version, as `id name` and `--version` give them.
pub const NAME: &str = concat!("alea ", env!("CARGO_PKG_VERSION"));

/// What comes to the loop.
#[derive(Debug)]
enum Event {
    /// Something was said.
    Input(Input),
    /// Work that runs or waits has been told to stop.
    Stopped,
    /// There is no room for more commands; those that come are dropped.
    Full,
    /// There will be no more input.
    End,
    /// The search thread says something.
    News(News),
}

/// Why the engine ended before its input did.
#[derive(Debug)]
pub enum Failure {
    /// Not even the smallest table can be had.
    Table(TableError),
    /// One of its threads cannot be started.
    Thread(&'static str, io::Error),
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Whether all that happened is that nobody reads the output any more: nothing is left to do.
    pub fn is_hangup(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Table(error) => error.fmt(f),
            Failure::Thread(name, error) => write!(f, "cannot start the {name} thread: {error}"),
            Failure::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Talk on stdin and stdout until the input ends.
pub fn run() -> Result<(), Failure> {
    let terminal = io::stdout().is_terminal();
    hangup::exit_when_stdout_closes();
    let mut output = Output { sink: io::stdout().lock(), colour: terminal };
    if terminal && io::stdin().is_terminal() {
        output.say(&Reply::Text(format!("{NAME}: type help for the list of commands, quit to leave")))?;
    }
    converse(io::stdin(), output)
}

/// Carry out one line of input and what it starts.
pub fn run_line(line: &str) -> Result<(), Failure> {
    let colour = io::stdout().is_terminal();
    converse(io::Cursor::new(line.to_owned()), Output { sink: io::stdout().lock(), colour })
}

fn converse(source: impl Read + Send + 'static, output: Output<impl Write>) -> Result<(), Failure> {
    let options = Options::default();
    let searcher = Searcher::new(options.hash).or_else(|_| Searcher::new(1)).map_err(Failure::Table)?;
    let (sender, events) = unbounded();
    let (job_sender, jobs) = unbounded();
    let shared = Arc::new(Shared::default());
    let reader = Reader::new(Arc::clone(&shared), sender.clone());
    start_thread("search", STACK, move || worker::work(searcher, &jobs, &sender))?;
    start_thread("input", INPUT_STACK, move || reader.run(source))?;
    let controller = Controller {
        session: Session::new(),
        waiting: VecDeque::new(),
        ready_asked: false,
        running: None,
        input_ended: false,
        shared,
        jobs: job_sender,
        output,
    };
    Ok(controller.run(&events)?)
}

/// Stack of the thread that reads.
const INPUT_STACK: usize = 2 << 20;

/// Start a thread that ends with the process. It is not joined: the reader may wait for input for ever.
fn start_thread(name: &'static str, stack: usize, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let guarded = move || {
        let _guard = NoSilentEnd;
        work();
    };
    let started = thread::Builder::new().name(name.into()).stack_size(stack).spawn(guarded);
    started.map(drop).map_err(|error| Failure::Thread(name, error))
}

/// Ends the process if its thread panics: a client must see the end rather than wait for an answer for ever.
struct NoSilentEnd;

impl Drop for NoSilentEnd {
    fn drop(&mut self) {
        if thread::panicking() {
            std::process::exit(101);
        }
    }
}

/// Where answers go.
struct Output<W> {
    sink: W,
    colour: bool,
}

impl<W: Write> Output<W> {
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        log::debug!("< {reply}");
        // One write a line, so that a reader never sees half of one.
        self.sink.write_all(format!("{reply}\n").as_bytes())?;
        self.sink.flush()
    }
}

/// What the search thread is busy with.
enum Running {
    /// A `go`.
    Search {
        stop: Stop,
        /// Answered only when stopped.
        unbounded: bool,
        /// The answer to an unbounded search that has nothing left to look at.
        held: Option<Vec<Reply>>,
    },
    /// A perft or a benchmark.
    Count,
    /// A new table; these will be the options if it can be had.
    Resize(Box<Options>),
    /// A network being read; the same.
    Load(Box<Options>),
    /// Forgetting.
    Forget,
}

impl Running {
    /// Whether the user waits for an answer that `stop` can hasten, rather than for the engine to get ready.
    fn is_work(&self) -> bool {
        matches!(self, Running::Search { .. } | Running::Count)
    }
}

struct Controller<W> {
    session: Session,
    waiting: VecDeque<Input>,
    /// Whether an `isready` may be among those that wait.
    ready_asked: bool,
    running: Option<Running>,
    input_ended: bool,
    shared: Arc<Shared>,
    jobs: Sender<Job>,
    output: Output<W>,
}

impl<W: Write> Controller<W> {
    fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        for event in events {
            match event {
                Event::Input(input) => self.take(input)?,
                Event::Stopped => self.release()?,
                Event::Full => {
                    self.error("the queue of waiting commands is full: commands are dropped until there is room")?
                }
                Event::End => self.input_ended = true,
                Event::News(news) => self.hear(news)?,
            }
            while self.running.is_none()
                && let Some(input) = self.waiting.pop_front()
            {
                self.carry_out(input)?;
            }
            if self.input_ended && self.running.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn say(&mut self, reply: Reply) -> io::Result<()> {
        self.output.say(&reply)
    }

    fn error(&mut self, error: impl ToString) -> io::Result<()> {
        self.say(Reply::Error(error.to_string()))
    }

    /// Answer at once what must be, and let the rest wait its turn.
    fn take(&mut self, input: Input) -> io::Result<()> {
        let searching = self.running.as_ref().is_some_and(Running::is_work);
        if searching && input.is_ready() {
            self.carry_out(input)
        } else {
            self.ready_asked |= input.is_ready();
            self.waiting.push_back(input);
            Ok(())
        }
    }

    /// Answer each `isready` that waits: it came while the engine was getting ready for the work it does now.
    fn answer_ready(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.ready_asked) {
            return Ok(());
        }
        let (asking, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(Input::is_ready);
        self.waiting = waiting;
        let asking: VecDeque<Input> = asking;
        asking.into_iter().try_for_each(|input| self.carry_out(input))
    }

    fn carry_out(&mut self, input: Input) -> io::Result<()> {
        self.shared.room.give_back(input.cost);
        match input.said {
            Said::Command(command) => self.obey(command, input.stop.unwrap_or_default()),
            Said::Mistake(mistake) => self.refuse(mistake),
            Said::Dropped(dropped) => self.report_dropped(dropped),
        }
    }

    fn obey(&mut self, command: Command, stop: Stop) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(Reply::UciOk),
            Command::Ugi => self.introduce(Reply::UgiOk),
            Command::IsReady => self.say(Reply::ReadyOk),
            Command::NewGame => self.start(Running::Forget, Job::NewGame),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(text) => self.set_position(&text),
            Command::Go(go) => self.go(&go, stop),
            Command::Perft(steps) => self.perft(steps, stop),
            Command::Bench => self.start(Running::Count, Job::Bench(stop)),
            Command::Query(query) => match self.session.answer(&query) {
                Ok(answer) => self.say(Reply::Response(answer)),
                Err(fault) => self.error(fault),
            },
            Command::Draw => {
                let drawing = self.session.draw(self.output.colour);
                self.say(Reply::Text(drawing))
            }
            Command::Eval => {
                let parts = self.session.explain();
                self.say(Reply::Text(parts))
            }
            Command::Help => self.say(Reply::Text(help::HELP.into())),
            // The reader has dealt with these.
            Command::Stop | Command::Quit => Ok(()),
        }
    }

    /// A line that is no command: the client may wait for its answer all the same.
    fn refuse(&mut self, mistake: InputError) -> io::Result<()> {
        self.error(&mistake)?;
        match mistake.kind {
            LineKind::Search => self.say(Reply::BestMove(None)),
            LineKind::Position => {
                self.session.miss_position(Missing::Refused(mistake.start));
                Ok(())
            }
            LineKind::Other => Ok(()),
        }
    }

    /// Commands that were dropped in this place: the same.
    fn report_dropped(&mut self, dropped: Dropped) -> io::Result<()> {
        self.error(dropped)?;
        if dropped.position {
            self.session.miss_position(Missing::Dropped);
        }
        (0..dropped.searches).try_for_each(|_| self.say(Reply::BestMove(None)))
    }

    fn introduce(&mut self, end: Reply) -> io::Result<()> {
        self.say(Reply::Name(NAME.into()))?;
        self.say(Reply::Author("the Alea developers"))?;
        for option in options::declarations() {
            self.say(Reply::Option(option.name, option.choice()))?;
        }
        self.say(end)
    }

    fn start(&mut self, running: Running, job: Job) -> io::Result<()> {
        let is_work = running.is_work();
        self.running = Some(running);
        self.jobs.send(job).map_err(|_| io::Error::other("the search thread has ended"))?;
        if is_work { self.answer_ready() } else { Ok(()) }
    }

    fn set_position(&mut self, text: &PositionText) -> io::Result<()> {
        match self.session.set_position(text) {
            // What was learnt under one evaluation says nothing of another.
            Ok(true) => self.start(Running::Forget, Job::Forget),
            Ok(false) => Ok(()),
            Err(fault) => self.error(fault),
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let (options, effect) = match self.session.options().with(name, value) {
            Ok(set) => set,
            Err(fault) => return self.error(fault),
        };
        match effect {
            Effect::Resize => {
                let megabytes = options.hash;
                return self.start(Running::Resize(Box::new(options)), Job::Resize(megabytes));
            }
            Effect::Network if options.eval_file.is_empty() => self.session.set_network(options, None),
            Effect::Network => {
                let job = Job::Load(self.session.load(&options.eval_file));
                return self.start(Running::Load(Box::new(options)), job);
            }
            Effect::Game => self.session.change_game(options),
            Effect::Evaluation => match self.session.check_evaluation(&options) {
                Ok(()) => self.session.set_options(options),
                Err(fault) => return self.error(fault),
            },
            Effect::None | Effect::Forget => self.session.set_options(options),
        }
        if effect == Effect::None { Ok(()) } else { self.start(Running::Forget, Job::Forget) }
    }

    fn go(&mut self, go: &Go, stop: Stop) -> io::Result<()> {
        for (given, name) in [(go.ponder, "ponder"), (go.mate.is_some(), "mate")] {
            if given {
                self.say(Reply::Note(format!("{name} is not supported: the rest of the line counts")))?;
            }
        }
        match self.session.game_over() {
            Err(fault) => return self.refuse_go(fault),
            Ok(Some(replies)) => {
                self.shared.finish();
                return replies.into_iter().try_for_each(|reply| self.say(reply));
            }
            Ok(None) => {}
        }
        match self.session.search(go, Instant::now(), stop.clone()) {
            Err(fault) => self.refuse_go(fault),
            Ok(job) => {
                let running = Running::Search { stop, unbounded: go.is_unbounded(), held: None };
                self.start(running, Job::Search(job))
            }
        }
    }

    /// Clients wait for a `bestmove` after every `go`, and few of them read errors.
    fn refuse_go(&mut self, fault: Fault) -> io::Result<()> {
        self.shared.finish();
        self.error(fault)?;
        self.say(Reply::BestMove(None))
    }

    fn perft(&mut self, steps: u32, stop: Stop) -> io::Result<()> {
        match self.session.perft(steps, stop) {
            Ok(job) => self.start(Running::Count, Job::Perft(job)),
            Err(fault) => {
                self.shared.finish();
                self.error(fault)
            }
        }
    }

    /// What the search thread says.
    fn hear(&mut self, news: News) -> io::Result<()> {
        match news {
            News::Replies(replies) => replies.into_iter().try_for_each(|reply| self.say(reply)),
            News::Done(done) => self.conclude(done),
        }
    }

    fn conclude(&mut self, done: Done) -> io::Result<()> {
        let running = self.running.take();
        match done {
            Done::Search(answer) => {
                if let Some(Running::Search { stop, unbounded, .. }) = running {
                    self.running = Some(Running::Search { stop, unbounded, held: Some(answer) });
                }
                self.release()
            }
            Done::Perft(total) => {
                self.shared.finish();
                self.say(total.map_or_else(|| Reply::Note("perft stopped".into()), Reply::Nodes))
            }
            Done::Bench(summary) => {
                self.shared.finish();
                self.say(summary.map_or_else(|| Reply::Note("bench stopped".into()), Reply::Text))
            }
            Done::Resize(_, Ok(())) => {
                if let Some(Running::Resize(options)) = running {
                    self.session.set_options(*options);
                }
                Ok(())
            }
            Done::Resize(megabytes, Err(error)) => self.error(Fault::new(megabytes, error)),
            Done::Load(Ok(network)) => {
                if let Some(Running::Load(options)) = running {
                    self.session.set_network(*options, Some(network));
                }
                Ok(())
            }
            Done::Load(Err(fault)) => self.error(fault),
            Done::Forget => Ok(()),
        }
    }

    /// Give the answer of a search that is done, unless it must wait for `stop`.
    fn release(&mut self) -> io::Result<()> {
        match self.running.take() {
            Some(Running::Search { stop, unbounded, held: Some(answer) }) if stop.pulled() || !unbounded => {
                self.shared.finish();
                answer.into_iter().try_for_each(|reply| self.say(reply))
            }
            running => {
                self.running = running;
                Ok(())
            }
        }
    }
}
