//! The game on the board: the moves so far, the positions they led to, and the die that lies on the table.

use crate::dice::Dice;
use crate::syntax::Refusal;
use crate::vertex;
use alea::game::dice::{Cell, Position, Shape, Side, Status};

/// A move, or a pass in a game that is over: some controllers go on until both sides have passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Move(Cell),
    Pass(Side),
}

/// A game from its start.
#[derive(Debug)]
pub struct Game {
    dice: Dice,
    /// Whether a move in any line is taken, as if that line had been rolled.
    any_line: bool,
    start: Position,
    turns: Vec<Turn>,
    /// The position before each turn and after the last, none of them rolled.
    positions: Vec<Position>,
    /// The plies as the engine reads them.
    plies: Vec<String>,
}

impl Game {
    /// A game that has not begun.
    pub fn new(shape: Shape, dice: Dice, any_line: bool) -> Game {
        let start = Position::new(shape);
        Game { dice, any_line, start, turns: Vec::new(), positions: vec![start], plies: Vec::new() }
    }

    /// Begin again.
    pub fn clear(&mut self) {
        self.turns.clear();
        self.plies.clear();
        self.positions.truncate(1);
    }

    /// Where dice come from.
    pub fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    /// Size and win length.
    pub fn shape(&self) -> Shape {
        self.start.shape()
    }

    /// The position, not rolled.
    pub fn position(&self) -> &Position {
        self.positions.last().unwrap_or(&self.start)
    }

    /// The position with the die that lies on the table; just the position if the game is over.
    pub fn rolled(&self) -> Position {
        let position = *self.position();
        self.roll().and_then(|roll| position.with_roll(roll.into()).ok()).unwrap_or(position)
    }

    /// The die that lies on the table; none if the game is over.
    pub fn roll(&self) -> Option<u8> {
        self.dice.roll(self.position(), &self.moves_text())
    }

    /// Put another die on the table.
    pub fn set_roll(&mut self, roll: u8) -> Result<(), Refusal> {
        let position = *self.position();
        position.with_roll(roll.into()).map_err(|why| Refusal::Other(format!("'{roll}': {why}")))?;
        let moves = self.moves_text();
        self.dice.set(&position, &moves, roll).map_err(|error| Refusal::Other(error.to_string()))
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.position().status() != Status::Playing
    }

    /// Whose turn it is; in a game that is over, who would pass next.
    pub fn side(&self) -> Side {
        match self.turns.last() {
            Some(Turn::Pass(side)) => side.other(),
            _ => self.position().side(),
        }
    }

    /// The cell of the last move.
    pub fn last(&self) -> Option<Cell> {
        self.turns.iter().rev().find_map(|turn| match turn {
            Turn::Move(cell) => Some(*cell),
            Turn::Pass(_) => None,
        })
    }

    /// The position as the engine is told it, with the die or without.
    pub fn position_line(&self, rolled: bool) -> String {
        let shape = self.shape();
        let mut line = format!("position startpos {} {}", shape.size(), shape.win());
        if !self.plies.is_empty() {
            line.push_str(" moves ");
            line.push_str(&self.plies.join(" "));
        }
        if let Some(roll) = self.roll().filter(|_| rolled) {
            line.push_str(&format!(" roll {roll}"));
        }
        line
    }

    /// Make a move: a cell, or nothing to pass.
    pub fn play(&mut self, side: Side, cell: Option<Cell>) -> Result<(), Refusal> {
        let refuse = |why: String| Err(Refusal::IllegalMove(why));
        let colour = vertex::colour(self.side());
        if side != self.side() {
            return refuse(format!("it is {colour}'s turn"));
        }
        let position = *self.position();
        let Some(cell) = cell else {
            if !self.is_over() {
                return refuse("nobody may pass before the game is over".into());
            }
            self.turns.push(Turn::Pass(side));
            self.positions.push(position);
            return Ok(());
        };
        if self.is_over() {
            return refuse(format!("the game is over ({}); all that is left is to pass", position.status()));
        }
        let name = vertex::name(cell, self.shape());
        let roll = vertex::roll_of(cell, side);
        if position.at(cell).is_some() {
            return refuse(format!("{name} is taken"));
        }
        if !self.any_line && !self.dice.has_been(&position, &self.moves_text(), roll) {
            let line = self.roll().map(|roll| vertex::line(side, roll, self.shape())).unwrap_or_default();
            return refuse(format!("{colour} rolled {line}, and {name} is not in it"));
        }
        let played = position.with_roll(roll.into()).and_then(|rolled| rolled.play_on(cell));
        self.positions.push(played.map_err(|why| Refusal::IllegalMove(why.to_string()))?);
        self.turns.push(Turn::Move(cell));
        self.plies.push(format!("{roll}:{cell}"));
        Ok(())
    }

    /// Take a move back.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        match self.turns.pop() {
            None => return Err(Refusal::CannotUndo),
            Some(Turn::Move(_)) => drop(self.plies.pop()),
            Some(Turn::Pass(_)) => {}
        }
        self.positions.pop();
        Ok(())
    }

    /// How many turns there have been.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    fn moves_text(&self) -> String {
        let cells = self.turns.iter().filter_map(|turn| match turn {
            Turn::Move(cell) => Some(cell.to_string()),
            Turn::Pass(_) => None,
        });
        cells.collect::<Vec<_>>().join(" ")
    }
}
