//! A player in the words of GNU Backgammon: boards go in, actions come out, an engine of our protocol decides.

use crate::cube::{self, CubeAction, Outlook};
use crate::fibs::{Board, FibsError, Question};
use crate::steps::{Step, steps};
use alea::eval::backgammon::shipped;
use alea::game::Notation;
use alea::game::backgammon::{Move, Position};
use alea_tools::engine::{Engine, EngineError, Patience, Stop};
use alea_tools::text::visible;
use std::fmt;
use std::time::Duration;

/// What is answered to a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Steps; none where no checker can move.
    Move(Vec<Step>),
    /// About the cube.
    Cube(CubeAction),
}

/// The answer, without its end: `13/8 24/22`, `roll`, or nothing where there is no move.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(steps) => {
                let words: Vec<String> = steps.iter().map(|(from, to)| format!("{from}/{to}")).collect();
                f.write_str(&words.join(" "))
            }
            Action::Cube(action) => f.write_str(match action {
                CubeAction::Roll => "roll",
                CubeAction::Double => "double",
                CubeAction::Take => "take",
                CubeAction::Beaver => "beaver",
                CubeAction::Drop => "drop",
            }),
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum PlayError {
    /// The line is no board.
    Board(FibsError),
    /// The engine failed, and once more when it was started afresh.
    Engine(EngineError),
    /// The engine's move is none.
    Move {
        /// What it wanted to play.
        word: String,
        /// Where.
        position: String,
    },
    /// The engine did not say what the position is worth.
    NoValue,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Board(error) => error.fmt(f),
            PlayError::Engine(error) => error.fmt(f),
            PlayError::Move { word, position } => write!(f, "'{word}': the engine's move is not legal in {position}"),
            PlayError::NoValue => f.write_str("the engine does not say what the position is worth"),
        }
    }
}

impl std::error::Error for PlayError {}

/// How to play.
#[derive(Clone, Debug)]
pub struct Style {
    /// The engine's program and arguments.
    pub command: Vec<String>,
    /// Options to set in it.
    pub options: Vec<(String, String)>,
    /// Plies of search.
    pub depth: Option<u32>,
    /// Milliseconds a decision.
    pub movetime: Option<u64>,
    /// Whether to double and to beaver, or only to take and drop.
    pub doubles: bool,
}

/// How long a search to a depth may take before the engine counts as stuck.
const LONGEST: Duration = Duration::from_secs(600);
/// How long one to a time may take beyond it.
const OVERTIME: Duration = Duration::from_secs(10);

impl Style {
    /// The `go` line for a position that is rolled, or not: the roll costs a ply.
    fn go(&self, rolled: bool) -> String {
        let depth = self.depth.map(|depth| format!(" depth {}", depth + u32::from(!rolled)));
        let time = self.movetime.map(|ms| format!(" movetime {ms}"));
        format!("go{}{}", depth.unwrap_or_default(), time.unwrap_or_default())
    }

    fn patience(&self) -> Patience {
        let search = self.movetime.map_or(LONGEST, |ms| Duration::from_millis(ms) + OVERTIME);
        Patience { search: Some(search), ..Patience::default() }
    }

    fn start(&self) -> Result<Engine, EngineError> {
        let mut engine = Engine::start(&self.command, self.patience())?;
        engine.set_game(Position::NAME)?;
        for (name, value) in &self.options {
            engine.set_option(name, Some(value))?;
        }
        engine.ready()?;
        Ok(engine)
    }
}

/// A player with its engine.
pub struct Player {
    style: Style,
    engine: Option<Engine>,
    /// The double that was answered with a beaver last.
    beavered: Option<Board>,
}

impl Player {
    /// A player whose engine has been started, so that what is wrong with it is known before the first game.
    pub fn start(style: &Style) -> Result<Player, EngineError> {
        let engine = style.start()?;
        Ok(Player { style: style.clone(), engine: Some(engine), beavered: None })
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        self.engine.as_ref().map_or("alea", Engine::name)
    }

    /// Answer a line. When `stop` is raised, the best so far is the answer.
    pub fn answer(&mut self, line: &str, stop: &Stop) -> Result<Action, PlayError> {
        let board = Board::read(line).map_err(PlayError::Board)?;
        self.act(&board, stop)
    }

    /// Act on a board.
    pub fn act(&mut self, board: &Board, stop: &Stop) -> Result<Action, PlayError> {
        let action = match board.question {
            Question::Move => return self.play(&board.position, stop),
            Question::Roll if !(self.style.doubles && cube::may_double(board)) => CubeAction::Roll,
            Question::Roll => cube::offer(board, &self.outlook(&board.position, stop)?),
            Question::Double => match cube::answer(board, &self.outlook(&board.position, stop)?) {
                // The same question again: the rules of this game allow no more beavers.
                CubeAction::Beaver if !self.style.doubles || self.beavered.as_ref() == Some(board) => CubeAction::Take,
                action => action,
            },
        };
        // Where beavers are known to be allowed, the same question is a new one.
        self.beavered = (action == CubeAction::Beaver && board.beavers.is_none()).then_some(*board);
        Ok(Action::Cube(action))
    }

    fn play(&mut self, position: &Position, stop: &Stop) -> Result<Action, PlayError> {
        let moves = position.moves();
        // Nothing to think about.
        if let [only] = moves.as_slice() {
            return Ok(Action::Move(steps(position, *only)));
        }
        let (_, best) = self.search(position, stop)?;
        let word = best.unwrap_or_default();
        let mv: Option<Move> = position.parse_move(&word).ok();
        let illegal = || PlayError::Move { word: visible(&word, 60), position: position.xgid() };
        Ok(Action::Move(steps(position, mv.ok_or_else(illegal)?)))
    }

    /// What the mover may expect of the game before the roll and without the cube: its worth by the engine's search, the kinds
    /// of wins by the network at sight.
    fn outlook(&mut self, position: &Position, stop: &Stop) -> Result<Outlook, PlayError> {
        let position = position.without_roll();
        let (value, _) = self.search(&position, stop)?;
        Ok(Outlook::new(value.ok_or(PlayError::NoValue)?, shipped().chances_afresh(&position)))
    }

    /// Ask the engine; one that fails is started afresh and asked again.
    fn search(&mut self, position: &Position, stop: &Stop) -> Result<(Option<f64>, Option<String>), PlayError> {
        match self.try_search(position, stop) {
            Ok(found) => Ok(found),
            Err(error) => {
                self.engine = None;
                crate::log(&format!("{error}; the engine is started afresh"));
                self.try_search(position, stop).map_err(PlayError::Engine).inspect_err(|_| self.engine = None)
            }
        }
    }

    fn try_search(&mut self, position: &Position, stop: &Stop) -> Result<(Option<f64>, Option<String>), EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(self.style.start()?),
        };
        engine.position(&format!("position xgid {}", position.xgid()))?;
        let search = engine.go(&self.style.go(position.roll().is_some()), stop, |_| ())?;
        Ok((search.lines.first().and_then(|line| line.points()), search.best))
    }

    /// End the engine.
    pub fn quit(self) {
        if let Some(engine) = self.engine {
            engine.quit();
        }
    }
}
