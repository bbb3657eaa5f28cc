//! The state that commands change: the position, the options, and the judge they call for.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::{allot, span};
use super::legality::{Illegal, search_moves, set_up};
use super::notation;
use super::options::{EvalChoice, Options};
use crate::eval::network::Network;
use crate::eval::{EvalKind, Judge, Noise};
use crate::game::dice::{Position, Shape, Side, Status};
use crate::protocol::{Go, PositionText, Query, clip};
use crate::search::Limits;

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
    position: Position,
    /// Set from a `position` that was not accepted to the next that is.
    missing: Option<Missing>,
    options: Options,
    /// The network of EvalFile, used where the shape is its own.
    network: Option<Arc<Network>>,
    judge: Judge,
}

impl Session {
    /// The empty board of the default shape, every option as declared.
    pub fn new() -> Session {
        let position = Position::new(Shape::default());
        let judge = Judge::for_shape(position.shape());
        Session { position, missing: None, options: Options::default(), network: None, judge }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What judges leaves, under the options, in the position's shape.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Set up a position; the old one stays if there is a mistake. Whether the shape is another one now.
    pub fn set_position(&mut self, text: &PositionText) -> Result<bool, Illegal> {
        let position = set_up(text).inspect_err(|_| {
            self.miss_position(Missing::Refused(clip(&format!("position {text}"))));
        })?;
        self.missing = None;
        let reshaped = position.shape() != self.position.shape();
        self.position = position;
        if reshaped {
            self.judge = self.choose_judge();
        }
        Ok(reshaped)
    }

    /// The client means another position than the one at hand.
    pub fn miss_position(&mut self, missing: Missing) {
        self.missing = Some(missing);
    }

    /// The position, if it is the one that the client means.
    pub fn agreed_position(&self) -> Result<Position, Illegal> {
        match &self.missing {
            Some(missing) => Err(Illegal::new("go", missing)),
            None => Ok(self.position),
        }
    }

    /// Take over options that have been checked.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
        self.judge = self.choose_judge();
    }

    /// Take over options with another EvalFile, and the network that was found in it, if it names one.
    pub fn set_network(&mut self, options: Options, network: Option<Arc<Network>>) {
        self.network = network;
        self.set_options(options);
    }

    fn choose_judge(&self) -> Judge {
        let shape = self.position.shape();
        let built_in = Judge::for_shape(shape);
        let kind = match (self.options.eval, &self.network) {
            (EvalChoice::Pairs, _) => EvalKind::Pairs,
            (EvalChoice::Zero, _) => EvalKind::Zero,
            (EvalChoice::Net, Some(network)) if network.weights().shape == shape => EvalKind::Net(Arc::clone(network)),
            (EvalChoice::Net, _) => built_in.kind().clone(),
        };
        let noise = Noise::new(self.options.noise, self.options.noise_seed).unwrap_or(Noise::NONE);
        Judge::new(kind, shape, noise).unwrap_or(built_in)
    }

    /// What the static value of the position is made of.
    pub fn explain(&self) -> String {
        match self.position.status() {
            Status::Playing => self.judge.explain(&self.position).to_string(),
            status => format!("game over: {status}"),
        }
    }

    /// What a `go` at `now` asks for.
    pub fn limits(&self, go: &Go, now: Instant) -> Result<Limits, Illegal> {
        let search_moves = search_moves(&go.searchmoves, &self.position)?;
        let by_clock = self.clock_time(go)?;
        let times = [go.movetime.map(span), by_clock];
        let time = times.into_iter().flatten().min();
        Ok(Limits {
            depth: go.depth,
            nodes: go.nodes,
            deadline: time.and_then(|time| now.checked_add(time)),
            search_moves,
        })
    }

    /// The mover's share of its clock, if there are clocks.
    fn clock_time(&self, go: &Go) -> Result<Option<Duration>, Illegal> {
        let (own, other, expected) = match (self.position.side(), go.clocks) {
            (Side::Blue, [first, second]) => (first, second, "p1time (or wtime) too: the first player is to move"),
            (Side::Red, [first, second]) => (second, first, "p2time (or btime) too: the second player is to move"),
        };
        match (own.time, other.time) {
            (Some(left), _) => {
                let empty = self.position.empty_count();
                Ok(Some(allot(left, own, go.movestogo, empty, self.options.overhead)))
            }
            (None, Some(_)) => Err(Illegal::new("end of line", format!("expected {expected}"))),
            (None, None) => Ok(None),
        }
    }

    /// The answer to a query.
    pub fn answer(&self, query: &Query) -> Result<String, Illegal> {
        let position = &self.position;
        let join = |words: Vec<String>| words.join(" ");
        Ok(match query {
            Query::FirstPlayersTurn => (position.side() == Side::Blue).to_string(),
            Query::GameOver => (position.status() != Status::Playing).to_string(),
            Query::Result => match position.status() {
                Status::Playing => "none",
                Status::Won(Side::Blue) => "p1win",
                Status::Won(Side::Red) => "p2win",
                Status::Drawn => "draw",
            }
            .into(),
            Query::Moves => join(position.legal_cells().map(|cell| cell.to_string()).collect()),
            // A die that has been cast has no more rolls to come.
            Query::Rolls if position.roll().is_some() => String::new(),
            Query::Rolls => join(position.open_lines().iter().map(|line| format!("{line}/1")).collect()),
            Query::Position(keyword) => notation::write(keyword, position)?,
        })
    }
}
