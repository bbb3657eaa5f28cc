//! One game: roll, ask, check, record. The referee knows the rules itself and believes no engine.

use crate::engine::{Engine, Fault, FaultKind, Patience, Thought, Trouble, fault};
use crate::limits::{Clock, Limits};
use crate::records::{GameRecord, Reason, Winner};
use crate::schedule::{Dice, start};
use crate::stop::Stop;
use alea::game::dice::{Position, Shape, Side, Status, parse_cell};
use std::fmt::Write;
use std::time::Duration;

/// What a game is played with.
pub struct Setup<'a> {
    /// Board and win length.
    pub shape: Shape,
    /// The dice.
    pub dice: Dice,
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
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Who won.
    pub result: Winner,
    /// Why.
    pub reason: Reason,
    /// What exactly went wrong, if something did.
    pub detail: Option<String>,
    /// Whose fault it was.
    pub culprit: Option<Side>,
    /// The rolls.
    pub dice: Vec<u8>,
    /// Each move's word, report and time.
    pub thoughts: Vec<Thought>,
    /// The last position.
    pub last: Position,
}

/// Play a game, blue first; an error only if told to stop.
pub fn play(setup: &Setup<'_>, mut players: [Player<'_>; 2]) -> Result<Played, Trouble> {
    let mut game = Game::new(setup.shape, [players[0].limits, players[1].limits]);
    for (side, player) in [Side::Blue, Side::Red].into_iter().zip(&mut players) {
        match player.engine.new_game(setup.dice.pair, setup.stop) {
            Err(Trouble::Fault(fault)) => return Ok(game.forfeited(side, fault)),
            other => other?,
        }
    }
    while let Some(roll) = setup.dice.roll(game.dice.len() as u32, &game.board) {
        let side = game.board.side();
        match game.ply(setup, &mut players[side as usize], roll) {
            Err(Trouble::Fault(fault)) => return Ok(game.forfeited(side, fault)),
            other => other?,
        }
    }
    Ok(game.finished())
}

/// A game under way.
struct Game {
    board: Position,
    clocks: [Option<Clock>; 2],
    dice: Vec<u8>,
    thoughts: Vec<Thought>,
    /// `position startpos n k moves …` up to here.
    history: String,
}

impl Game {
    fn new(shape: Shape, limits: [Limits; 2]) -> Game {
        Game {
            board: start(shape),
            clocks: limits.map(|limits| limits.tc.map(Clock::new)),
            dice: Vec::new(),
            thoughts: Vec::new(),
            history: format!("position startpos {} {}", shape.size(), shape.win()),
        }
    }

    fn ply(&mut self, setup: &Setup<'_>, player: &mut Player<'_>, roll: u8) -> Result<(), Trouble> {
        let illegal = |text: String| fault(FaultKind::IllegalMove, text);
        self.dice.push(roll);
        let rolled = self.board.with_roll(u32::from(roll)).map_err(|error| illegal(error.to_string()))?;
        let side = rolled.side() as usize;
        let clock = self.clocks[side].map(|clock| clock.left());
        let time = [clock, player.limits.movetime.map(Duration::from_millis)].into_iter().flatten().min();
        let commands = format!("{} roll {roll}\n{}\n", self.history, self.go(&player.limits, side));
        let thought = player.engine.think(&commands, setup.patience.allow(time), setup.stop)?;
        if let Some(clock) = &mut self.clocks[side] {
            clock.spend(thought.time);
        }
        let word = &thought.word;
        let cell = match parse_cell(word) {
            Some(cell) => cell,
            None if word == "(none)" => return Err(illegal("'(none)': the game is not over".to_string())),
            None => return Err(fault(FaultKind::ProtocolError, format!("'bestmove {word}': not a cell"))),
        };
        self.board = rolled.play(cell).map_err(|error| illegal(format!("'{word}' at roll {roll}: {error}")))?;
        let first = if self.thoughts.is_empty() { " moves" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(self.history, "{first} {roll}:{cell}");
        self.thoughts.push(thought);
        Ok(())
    }

    fn go(&self, limits: &Limits, side: usize) -> String {
        let mut go = String::from("go");
        let mut add = |key: &str, value: Option<u64>| {
            if let Some(value) = value {
                let _ = write!(go, " {key} {value}");
            }
        };
        add("depth", limits.depth.map(u64::from));
        add("nodes", limits.nodes);
        add("movetime", limits.movetime);
        if let Some(own) = &self.clocks[side] {
            let millis = |time: Duration| u64::try_from(time.as_millis()).ok();
            for (clock, [time, increment]) in self.clocks.iter().zip([["btime", "binc"], ["rtime", "rinc"]]) {
                add(time, clock.as_ref().and_then(|clock| millis(clock.left())));
                add(increment, clock.as_ref().and_then(|clock| millis(clock.increment())));
            }
            add("movestogo", own.moves_to_go().map(u64::from));
        }
        go
    }

    fn forfeited(self, culprit: Side, fault: Fault) -> Played {
        let (result, reason) = (culprit.other().into(), Reason::Fault(fault.kind));
        self.ended(result, reason, Some(fault.detail), Some(culprit))
    }

    fn finished(self) -> Played {
        match self.board.status() {
            Status::Won(side) => self.ended(side.into(), Reason::Line, None, None),
            Status::Drawn | Status::Playing => self.ended(Winner::Draw, Reason::FullBoard, None, None),
        }
    }

    fn ended(self, result: Winner, reason: Reason, detail: Option<String>, culprit: Option<Side>) -> Played {
        let Game { board: last, dice, thoughts, .. } = self;
        Played { result, reason, detail, culprit, dice, thoughts, last }
    }
}

/// Which game of the tournament it was, and who played it.
pub struct Label<'a> {
    /// Its number, from 1.
    pub game: u64,
    /// Which pairing.
    pub pairing: usize,
    /// Where the pairing's first engine sat.
    pub seat: Side,
    /// The names of blue and red.
    pub names: [&'a str; 2],
    /// Whether to record times.
    pub times: bool,
}

impl Played {
    /// The record of the game.
    pub fn record(self, label: &Label<'_>, dice: Dice) -> GameRecord {
        let micros = |thought: &Thought| u64::try_from(thought.time.as_micros()).unwrap_or(u64::MAX);
        let time_us = self.thoughts.iter().map(|thought| if label.times { micros(thought) } else { 0 }).collect();
        GameRecord {
            game: label.game,
            pairing: label.pairing,
            pair: dice.pair,
            seat: label.seat.into(),
            blue: label.names[0].to_string(),
            red: label.names[1].to_string(),
            seed: dice.seed,
            result: self.result,
            reason: self.reason,
            detail: self.detail,
            dice: self.dice,
            depth: self.thoughts.iter().map(|thought| thought.info.depth).collect(),
            value: self.thoughts.iter().map(|thought| thought.info.value).collect(),
            nodes: self.thoughts.iter().map(|thought| thought.info.nodes).collect(),
            moves: self.thoughts.into_iter().map(|thought| thought.word).collect(),
            dpn: self.last.dpn(),
            time_us,
        }
    }
}
