//! One game: let chance decide, ask, check, record. The referee knows the rules itself and believes no engine.

use crate::engine::{Engine, Thought};
use crate::fault::{Fault, FaultKind, Patience, Trouble, fault};
use crate::limits::{Clock, Limits};
use crate::records::{FORMAT, GameRecord, GameResult, Reason, Seat};
use crate::rules::{Board, Chance, RuleError};
use crate::stop::Stop;
use alea_tools::text::visible;
use std::fmt::Write;
use std::time::Duration;

/// As much of a word that is no move as a record needs.
const SHOWN: usize = 40;

/// As much of what the rules say about it.
const WHY_SHOWN: usize = 200;

/// What a game is worth that was lost other than on the board.
pub const FORFEIT_POINTS: u32 = 1;

/// What a game is played with.
pub struct Setup<'a> {
    /// The first position.
    pub start: &'a Board,
    /// What chance brings.
    pub chance: Chance,
    /// Plies after which a game that is not over is a draw.
    pub max_plies: usize,
    /// How patient to be.
    pub patience: Patience,
    /// The wish to stop.
    pub stop: &'a Stop,
}

/// One of the two who play.
pub struct Player<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// How long it may think.
    pub limits: Limits,
}

/// How a game went, without who played it.
#[derive(Clone, Debug)]
pub struct Played {
    /// Who won.
    pub result: GameResult,
    /// What that is worth to the winner.
    pub points: u32,
    /// Why.
    pub reason: Reason,
    /// What exactly went wrong, if something did.
    pub detail: Option<String>,
    /// Whose fault it was.
    pub culprit: Option<Seat>,
    /// A last roll that no move followed.
    pub roll: Option<String>,
    /// Each move's report and time.
    pub thoughts: Vec<Thought>,
    /// The last position.
    pub last: Board,
}

/// Play a game, the first player's engine first; an error only if told to stop.
pub fn play(setup: &Setup<'_>, mut players: [Player<'_>; 2]) -> Result<Played, Trouble> {
    let mut game = Game::new(setup.start, [players[0].limits, players[1].limits]);
    for (seat, player) in Seat::BOTH.into_iter().zip(&mut players) {
        match player.engine.new_game(setup.chance.pair, setup.stop) {
            Err(Trouble::Fault(fault)) => return Ok(game.forfeited(seat, None, fault)),
            other => other?,
        }
    }
    while game.board.result().is_none() && game.board.plies().len() < setup.max_plies {
        let seat = game.board.mover();
        // A roll, where chance comes before the move.
        let roll = game.board.face(setup.chance);
        match game.ply(setup, &mut players[seat as usize], roll.as_deref()) {
            Err(Trouble::Fault(fault)) => return Ok(game.forfeited(seat, roll, fault)),
            other => other?,
        }
    }
    Ok(game.finished())
}

/// A game under way.
struct Game {
    board: Board,
    clocks: [Option<Clock>; 2],
    thoughts: Vec<Thought>,
}

impl Game {
    fn new(start: &Board, limits: [Limits; 2]) -> Game {
        let clocks = limits.map(|limits| limits.tc.map(Clock::new));
        Game { board: start.clone(), clocks, thoughts: Vec::new() }
    }

    fn ply(&mut self, setup: &Setup<'_>, player: &mut Player<'_>, roll: Option<&str>) -> Result<(), Trouble> {
        let impossible = |error: RuleError| fault(FaultKind::IllegalMove, error.to_string());
        let mut board = self.board.clone();
        roll.map_or(Ok(()), |roll| board.resolve(roll)).map_err(impossible)?;
        let seat = board.mover() as usize;
        let clock = self.clocks[seat].map(|clock| clock.left());
        let time = [clock, player.limits.movetime.map(Duration::from_millis)].into_iter().flatten().min();
        let commands = format!("{}\n{}\n", board.position_line(), self.go(&player.limits, seat));
        let thought = player.engine.think(&commands, setup.patience.allow(time), setup.stop)?;
        if let Some(clock) = &mut self.clocks[seat] {
            clock.spend(thought.time);
        }
        board.play(&thought.word).map_err(|error| refused(&thought.word, roll, &error))?;
        if board.chance_follows()
            && let Some(face) = board.face(setup.chance)
        {
            board.resolve(&face).map_err(impossible)?;
        }
        self.board = board;
        self.thoughts.push(thought);
        Ok(())
    }

    fn go(&self, limits: &Limits, seat: usize) -> String {
        let mut go = String::from("go");
        let mut add = |key: &str, value: Option<u64>| {
            if let Some(value) = value {
                let _ = write!(go, " {key} {value}");
            }
        };
        add("depth", limits.depth.map(u64::from));
        add("nodes", limits.nodes);
        add("movetime", limits.movetime);
        if let Some(own) = &self.clocks[seat] {
            let millis = |time: Duration| u64::try_from(time.as_millis()).ok();
            for (clock, [time, increment]) in self.clocks.iter().zip([["p1time", "p1inc"], ["p2time", "p2inc"]]) {
                add(time, clock.as_ref().and_then(|clock| millis(clock.left())));
                add(increment, clock.as_ref().and_then(|clock| millis(clock.increment())));
            }
            add("movestogo", own.moves_to_go().map(u64::from));
        }
        go
    }

    fn forfeited(self, culprit: Seat, roll: Option<String>, fault: Fault) -> Played {
        Played {
            result: culprit.other().win(),
            points: FORFEIT_POINTS,
            reason: Reason::Fault(fault.kind),
            detail: Some(fault.detail),
            culprit: Some(culprit),
            roll,
            thoughts: self.thoughts,
            last: self.board,
        }
    }

    fn finished(self) -> Played {
        let (result, reason) = match self.board.result() {
            Some(result) => (result, Reason::Rules),
            None => (GameResult::Draw, Reason::PlyLimit),
        };
        let (points, thoughts) = (self.board.points(), self.thoughts);
        Played { result, points, reason, detail: None, culprit: None, roll: None, thoughts, last: self.board }
    }
}

/// What an engine did that answered with a word that is no legal move.
fn refused(word: &str, roll: Option<&str>, error: &RuleError) -> Trouble {
    let why = match error {
        _ if word == "(none)" => "the game is not over".to_string(),
        RuleError::Illegal(fault) => visible(&fault.reason, WHY_SHOWN),
        other => visible(&other.to_string(), WHY_SHOWN),
    };
    let roll = roll.map_or(String::new(), |roll| format!(" at roll {roll}"));
    fault(FaultKind::IllegalMove, format!("'{}'{roll}: {why}", visible(word, SHOWN)))
}

/// Which game of the tournament it was, and who played it.
pub struct Label<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Which pairing.
    pub pairing: usize,
    /// Where the pairing's first engine sat.
    pub seat: Seat,
    /// The names of the first and the second player.
    pub names: [&'a str; 2],
    /// The fingerprint of the conditions.
    pub conditions: &'a str,
    /// Whether to record times.
    pub times: bool,
}

impl Played {
    /// The record of the game.
    pub fn record(self, label: &Label<'_>, chance: Chance) -> GameRecord {
        let micros = |thought: &Thought| u64::try_from(thought.time.as_micros()).unwrap_or(u64::MAX);
        let time_us = self.thoughts.iter().map(|thought| if label.times { micros(thought) } else { 0 }).collect();
        GameRecord {
            format: FORMAT,
            game: self.last.variant().game.clone(),
            start: self.last.variant().start.clone(),
            number: label.number,
            pairing: label.pairing,
            pair: chance.pair,
            seat: label.seat,
            p1: label.names[0].to_string(),
            p2: label.names[1].to_string(),
            seed: chance.seed,
            conditions: label.conditions.to_string(),
            result: self.result,
            points: self.points,
            reason: self.reason,
            detail: self.detail,
            plies: self.last.plies().to_vec(),
            roll: self.roll,
            depth: self.thoughts.iter().map(|thought| thought.info.depth).collect(),
            value: self.thoughts.iter().map(|thought| thought.info.value).collect(),
            nodes: self.thoughts.iter().map(|thought| thought.info.nodes).collect(),
            fen: self.last.notation(),
            time_us,
            variations: Vec::new(),
        }
    }
}
