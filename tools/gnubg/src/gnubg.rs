//! GNU Backgammon as a process that we ask: started on its command line, told how to think, and asked through the socket
//! of its command `external`.

use crate::fibs;
use crate::steps;
use alea::game::backgammon::{Move, Position};
use alea_tools::engine::Stop;
use alea_tools::engine::process::{Heard, Process};
use alea_tools::text::visible;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Where Debian keeps it, which not everybody has in the path.
const GAMES_FOLDER: &str = "/usr/games";
/// How long it may take to open its socket.
const START: Duration = Duration::from_secs(60);
/// How long it may take to answer.
const ANSWER: Duration = Duration::from_secs(600);
/// No answer is as long.
const MAX_ANSWER: u64 = 4096;
/// As much of its words as a message needs.
const SHOWN: usize = 200;

/// Why GNU Backgammon did not answer as it should.
#[derive(Debug)]
pub enum GnubgError {
    /// It is not there.
    Missing(PathBuf),
    /// It cannot be started.
    Start(io::Error),
    /// It did not open its socket.
    NoSocket(String),
    /// It ended, or does not answer.
    Gone(io::Error),
    /// What it says is no answer.
    Answer {
        /// What it was asked.
        question: String,
        /// What it said.
        answer: String,
    },
}

impl fmt::Display for GnubgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GnubgError::Missing(program) => write!(
                f,
                "'{}': GNU Backgammon is not there; install it (Debian: apt-get install gnubg), or say where it is with --gnubg",
                program.display()
            ),
            GnubgError::Start(error) => write!(f, "GNU Backgammon cannot be started: {error}"),
            GnubgError::NoSocket(words) if words.is_empty() => f.write_str("GNU Backgammon does not open its socket"),
            GnubgError::NoSocket(words) => write!(f, "GNU Backgammon does not open its socket; it said: {words}"),
            GnubgError::Gone(error) => write!(f, "GNU Backgammon does not answer: {error}"),
            GnubgError::Answer { question, answer } => {
                write!(f, "'{answer}': expected from GNU Backgammon an answer to '{question}'")
            }
        }
    }
}

impl std::error::Error for GnubgError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GnubgError::Start(error) | GnubgError::Gone(error) => Some(error),
            _ => None,
        }
    }
}

/// The program: the one that was named, or one in the path, or where Debian keeps it.
pub fn find(named: Option<&Path>) -> Result<PathBuf, GnubgError> {
    let program = named.unwrap_or(Path::new("gnubg"));
    if program.components().count() > 1 {
        return if program.is_file() { Ok(program.into()) } else { Err(GnubgError::Missing(program.into())) };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([GAMES_FOLDER.into()]);
    let found = folders.map(|folder| folder.join(program)).find(|file| file.is_file());
    found.ok_or_else(|| GnubgError::Missing(program.into()))
}

/// The words that start it on its command line, with no settings and no files of the user's.
pub fn command(program: &Path, home: &Path, more: &[&str]) -> Vec<String> {
    let home = format!("HOME={}", home.display());
    let mut words = vec!["env".to_string(), home, program.display().to_string()];
    words.extend(["-t", "-q", "-r"].iter().chain(more).map(ToString::to_string));
    words
}

/// The five chances of a game, for the mover, and what they are worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// Of winning at all, of winning a gammon, a backgammon, of losing a gammon, a backgammon.
    pub chances: [f64; 5],
    /// In points, without the cube.
    pub equity: f64,
}

/// A running GNU Backgammon. Dropping it ends it.
pub struct Gnubg {
    socket: BufReader<UnixStream>,
    plies: u32,
    version: String,
    _process: Process,
}

impl Gnubg {
    /// Start it, to think so many plies ahead, without cube, pruning or noise.
    pub fn start(program: &Path, plies: u32) -> Result<Gnubg, GnubgError> {
        let home = TempDir::new().map_err(GnubgError::Start)?;
        let path = home.path().join("socket");
        let mut process = Process::spawn(&command(program, home.path(), &[])).map_err(GnubgError::Start)?;
        let script = format!(
            "set threads 1\nset jacoby off\nset cube use off\n\
             set evaluation chequerplay type evaluation\nset evaluation chequerplay evaluation plies {plies}\n\
             set evaluation chequerplay evaluation cubeful off\nset evaluation chequerplay evaluation prune off\n\
             set evaluation chequerplay evaluation noise 0\nexternal {}\n",
            path.display()
        );
        let deadline = Instant::now() + START;
        process.send(script.as_bytes(), deadline).map_err(GnubgError::Start)?;
        let socket = connect(&path, &mut process, deadline)?;
        socket.set_read_timeout(Some(ANSWER)).map_err(GnubgError::Start)?;
        socket.set_write_timeout(Some(ANSWER)).map_err(GnubgError::Start)?;
        let socket = BufReader::new(socket);
        let mut gnubg = Gnubg { socket, plies, version: String::new(), _process: process };
        gnubg.version = gnubg.ask_version()?;
        // It has no more use for the folder, and whoever ends us by force would leave it behind.
        drop(home);
        Ok(gnubg)
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// How many plies it looks ahead.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The move that it plays with the roll of a position.
    pub fn best(&mut self, position: &Position) -> Result<Move, GnubgError> {
        let question = fibs::line(position);
        let answer = self.ask(&question)?;
        steps::read(position, &answer).ok_or_else(|| wrong(&question, &answer))
    }

    /// What it thinks of a position before the roll.
    pub fn evaluate(&mut self, position: &Position) -> Result<Evaluation, GnubgError> {
        let board = fibs::line(&position.without_roll());
        let question = format!("evaluation fibsboard {board} plies {} cubeless", self.plies);
        let answer = self.ask(&question)?;
        let numbers: Vec<f64> = answer.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [a, b, c, d, e, equity] if numbers.iter().all(|number| number.is_finite()) => {
                Ok(Evaluation { chances: [a, b, c, d, e], equity })
            }
            _ => Err(wrong(&question, &answer)),
        }
    }

    /// `version` has four lines, one of them `Software: 1.07.001`.
    fn ask_version(&mut self) -> Result<String, GnubgError> {
        let mut lines = vec![self.ask("version")?];
        for _ in 0..3 {
            lines.push(self.hear()?);
        }
        let version = lines.iter().find_map(|line| line.strip_prefix("Software: "));
        version.map(|version| visible(version, SHOWN)).ok_or_else(|| wrong("version", &lines.join(" ")))
    }

    fn ask(&mut self, question: &str) -> Result<String, GnubgError> {
        self.socket.get_mut().write_all(format!("{question}\n").as_bytes()).map_err(GnubgError::Gone)?;
        self.hear()
    }

    fn hear(&mut self) -> Result<String, GnubgError> {
        let mut answer = String::new();
        let read = (&mut self.socket).take(MAX_ANSWER).read_line(&mut answer).map_err(GnubgError::Gone)?;
        if read == 0 || !answer.ends_with('\n') {
            return Err(GnubgError::Gone(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(answer.trim().to_string())
    }
}

fn wrong(question: &str, answer: &str) -> GnubgError {
    GnubgError::Answer { question: visible(question, SHOWN), answer: visible(answer, SHOWN) }
}

/// Connect to a socket as soon as it is there.
fn connect(path: &Path, process: &mut Process, deadline: Instant) -> Result<UnixStream, GnubgError> {
    let never = Stop::new().map_err(GnubgError::Start)?;
    let mut said = String::new();
    loop {
        if let Ok(stream) = UnixStream::connect(path) {
            return Ok(stream);
        }
        match process.line(Instant::now() + Duration::from_millis(20), &never) {
            Ok(Heard::Line(line)) => said = visible(&line, SHOWN),
            Ok(Heard::Timeout) if Instant::now() < deadline => {}
            _ => {
                let words = process.last_words();
                return Err(GnubgError::NoSocket(if words.is_empty() { said } else { words }));
            }
        }
    }
}
