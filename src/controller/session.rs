//! The state that commands change: the game with its position, and the options.

use std::any::Any;
use std::fmt;
use std::time::Instant;

use super::one_game::{AnyGame, CountJob, LoadJob, SearchJob, start};
use super::options::Options;
use crate::game::Fault;
use crate::protocol::{Go, PositionText, Query, Reply, clip};
use crate::search::Stop;

/// Why the position at hand is not the one that the client means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The line that begins so was refused.
    Refused(String),
    /// There was no room for it.
    Dropped,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Refused(line) => write!(f, "expected a position first: '{line}' was refused"),
            Missing::Dropped => f.write_str("expected a position first: one was dropped when the queue was full"),
        }
    }
}

/// What the engine has been told.
pub struct Session {
    game: Box<dyn AnyGame>,
    /// Set from a `position` that was not accepted to the next that is.
    missing: Option<Missing>,
    options: Options,
}

impl Session {
    /// The start position of the default game, every option as declared.
    pub fn new() -> Session {
        let options = Options::default();
        let game = start(options.game, &options).expect("the default game is a game");
        Session { game, missing: None, options }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Set up a position; the old one stays if there is a mistake. Whether what was learnt before is wrong now.
    pub fn set_position(&mut self, text: &PositionText) -> Result<bool, Fault> {
        let set = self.game.set_position(text, &self.options);
        self.missing = set.is_err().then(|| Missing::Refused(clip(&format!("position {text}"))));
        set
    }

    /// The client means another position than the one at hand.
    pub fn miss_position(&mut self, missing: Missing) {
        self.missing = Some(missing);
    }

    /// The game, if its position is the one that the client means.
    fn agreed(&self) -> Result<&dyn AnyGame, Fault> {
        match &self.missing {
            Some(missing) => Err(Fault::new("go", missing)),
            None => Ok(&*self.game),
        }
    }

    /// Take over options that have been checked.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        self.game.set_options(&self.options);
    }

    /// Begin the game that the options name. A position that is missing still is: its start position is not the one meant.
    pub fn change_game(&mut self, mut options: Options) {
        if let Some(game) = start(options.game, &options) {
            if !game.evaluations().contains(&options.eval) {
                options.eval = game.evaluations()[0];
            }
            options.eval_file.clear();
            self.game = game;
            self.set_options(options);
        }
    }

    /// Whether the game at hand has the evaluation that the options name.
    pub fn check_evaluation(&self, options: &Options) -> Result<(), Fault> {
        let known = self.game.evaluations();
        match known.contains(&options.eval) {
            true => Ok(()),
            false => {
                Err(Fault::new(options.eval, format!("expected for Eval in {} {}", options.game, known.join(", "))))
            }
        }
    }

    /// Read the network of a file, for the position at hand.
    pub fn load(&self, path: &str) -> LoadJob {
        self.game.load(path.into())
    }

    /// Take over options with another EvalFile, and the network that was found in it, if it names one.
    pub fn set_network(&mut self, options: Options, network: Option<Box<dyn Any + Send>>) {
        self.game.set_network(network);
        self.set_options(options);
    }

    /// What is said of a finished game instead of searching it; `None` while the game is on.
    pub fn game_over(&self) -> Result<Option<Vec<Reply>>, Fault> {
        Ok(self.agreed()?.game_over())
    }

    /// What a `go` at `now` asks for.
    pub fn search(&self, go: &Go, now: Instant, stop: Stop) -> Result<SearchJob, Fault> {
        self.agreed()?.search(go, &self.options, now, stop)
    }

    /// What a `go perft` asks for.
    pub fn perft(&self, steps: u32, stop: Stop) -> Result<CountJob, Fault> {
        Ok(self.agreed()?.perft(steps, stop))
    }

    /// The answer to a query.
    pub fn answer(&self, query: &Query) -> Result<String, Fault> {
        self.game.answer(query)
    }

    /// The board for people.
    pub fn draw(&self, colour: bool) -> String {
        self.game.draw(self.options.pieces, colour)
    }

    /// What the static value of the position is made of.
    pub fn explain(&self) -> String {
        self.game.explain()
    }
}
