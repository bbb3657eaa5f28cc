//! The rules of the game as a referee, a replay and an analysis need them: the one file that knows which game is played.
//!
//! Rolls, moves and plies are words here, in the notation of the protocol: a ply is `ROLL:MOVE`, and a game is what may
//! follow `position`, such as `startpos 5 4 moves 2:d3 1:b1 roll 4`.

use crate::records::{GameResult, Seat};
use alea::game::dice::{Cell, Position, Side, Status, parse_cell, rolls};
use std::error::Error;
use std::fmt::{self, Write};

pub use alea::game::dice::Shape;

/// The name of the game, as the engine's option `Game` has it.
pub const GAME: &str = "dice";

/// The same for people.
pub const TITLE: &str = "Dice";

/// The dice of one pair: a pure function of seed and ply, but for the first roll, which runs through all faces from
/// pair to pair so that none is favoured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dice {
    /// The seed of every roll but the first.
    pub seed: u64,
    /// The number of the pair.
    pub pair: u64,
}

impl Dice {
    /// The roll at a ply; `None` where the game is over. The one place that draws.
    fn roll(&self, ply: usize, position: &Position) -> Option<u8> {
        match u32::try_from(ply).ok()? {
            0 => Some((self.pair % position.shape().size() as u64) as u8),
            ply => rolls::roll(self.seed, ply, position),
        }
    }
}

/// Why a word is no roll, or no move, here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleError {
    /// Not the start of a game.
    Start(String),
    /// Not a roll at all.
    Roll(String),
    /// Not a move at all.
    Move(String),
    /// Not a ply at all.
    Ply(String),
    /// A roll or a move, but against the rules.
    Illegal {
        /// The word.
        word: String,
        /// Which rule.
        why: String,
    },
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleError::Start(word) => write!(f, "'{word}': expected 'startpos n k'"),
            RuleError::Roll(word) => write!(f, "'{word}' is not a roll"),
            RuleError::Move(word) => write!(f, "'{word}' is not a cell"),
            RuleError::Ply(word) => write!(f, "'{word}' is not a ply: expected roll:cell"),
            RuleError::Illegal { word, why } => write!(f, "'{word}': {why}"),
        }
    }
}

impl Error for RuleError {}

/// A game under way: the position, and the words that lead to it.
#[derive(Clone, Debug)]
pub struct Board {
    /// With the roll, where it has been rolled.
    position: Position,
    /// `startpos n k`
    start: String,
    plies: Vec<String>,
    last: Option<Cell>,
}

/// The words with which a game of this shape starts.
pub fn start_words(shape: Shape) -> String {
    format!("startpos {} {}", shape.size(), shape.win())
}

impl Board {
    /// The first position.
    pub fn new(shape: Shape) -> Board {
        Board { position: Position::new(shape), start: start_words(shape), plies: Vec::new(), last: None }
    }

    /// The position that `startpos n k` says.
    pub fn from_start(words: &str) -> Result<Board, RuleError> {
        let shape = words.strip_prefix("startpos ").and_then(|sizes| sizes.replace(' ', "/").parse().ok());
        let board = shape.map(Board::new).filter(|board| board.start == words);
        board.ok_or_else(|| RuleError::Start(words.to_string()))
    }

    /// The board's shape.
    pub fn shape(&self) -> Shape {
        self.position.shape()
    }

    /// Whose turn it is.
    pub fn mover(&self) -> Seat {
        match self.position.side() {
            Side::Blue => Seat::P1,
            Side::Red => Seat::P2,
        }
    }

    /// What these dice roll next; `None` where the game is over.
    pub fn next_roll(&self, dice: Dice) -> Option<String> {
        dice.roll(self.plies.len(), &self.position).map(|roll| roll.to_string())
    }

    /// Roll.
    pub fn roll(&mut self, word: &str) -> Result<(), RuleError> {
        let roll: u8 = word.parse().map_err(|_| RuleError::Roll(word.to_string()))?;
        let illegal = |why: alea::game::dice::IllegalPly| illegal(word, &why);
        self.position = self.position.with_roll(u32::from(roll)).map_err(illegal)?;
        Ok(())
    }

    /// Move, after the roll.
    pub fn play(&mut self, word: &str) -> Result<(), RuleError> {
        let cell = parse_cell(word).ok_or_else(|| RuleError::Move(word.to_string()))?;
        let roll = self.position.roll().map_or(-1, i32::from);
        self.position = self.position.play(cell).map_err(|why| illegal(word, &why))?;
        self.plies.push(format!("{roll}:{cell}"));
        self.last = Some(cell);
        Ok(())
    }

    /// Roll and move.
    pub fn ply(&mut self, ply: &str) -> Result<(), RuleError> {
        let (roll, word) = split_ply(ply)?;
        self.roll(roll)?;
        self.play(word)
    }

    /// The plies so far.
    pub fn plies(&self) -> &[String] {
        &self.plies
    }

    /// The command that sets this position up, with its roll where it has one.
    pub fn position_line(&self) -> String {
        let mut line = format!("position {}", self.start);
        if !self.plies.is_empty() {
            line.push_str(" moves ");
            line.push_str(&self.plies.join(" "));
        }
        if let Some(roll) = self.position.roll() {
            // Writing to a string cannot fail.
            let _ = write!(line, " roll {roll}");
        }
        line
    }

    /// The result, if the game is over by the rules.
    pub fn result(&self) -> Option<GameResult> {
        match self.position.status() {
            Status::Playing => None,
            Status::Won(Side::Blue) => Some(GameResult::P1Win),
            Status::Won(Side::Red) => Some(GameResult::P2Win),
            Status::Drawn => Some(GameResult::Draw),
        }
    }

    /// How the game was decided, for people.
    pub fn ending(&self) -> String {
        match self.position.status() {
            Status::Won(_) => format!("{} in a row", self.position.shape().win()),
            Status::Drawn => "the board is full".to_string(),
            Status::Playing => "not over".to_string(),
        }
    }

    /// The position in the game's own notation, without a roll.
    pub fn notation(&self) -> String {
        self.position.without_roll().dpn()
    }

    /// The board with its names; the last move in capitals.
    pub fn draw(&self) -> String {
        let size = self.position.shape().size() as u8;
        let letters: Vec<String> = (0..size).map(|col| char::from(b'a' + col).to_string()).collect();
        let mut text = format!("    {}\n", letters.join(" "));
        for row in 0..size {
            let letter = |col: u8| {
                let cell = Cell { row, col };
                let letter = self.position.at(cell).map_or('.', Side::letter);
                if self.last == Some(cell) { letter.to_ascii_uppercase().to_string() } else { letter.to_string() }
            };
            let _ = writeln!(text, " {:>2} {}", row + 1, (0..size).map(letter).collect::<Vec<_>>().join(" "));
        }
        text
    }
}

/// The roll and the move of a ply.
pub fn split_ply(ply: &str) -> Result<(&str, &str), RuleError> {
    ply.split_once(':').ok_or_else(|| RuleError::Ply(ply.to_string()))
}

/// What a seat is called in this game.
pub fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::P1 => "blue",
        Seat::P2 => "red",
    }
}

/// The same with what it plays.
pub fn seat_role(seat: Seat) -> &'static str {
    match seat {
        Seat::P1 => "blue, rows",
        Seat::P2 => "red, columns",
    }
}

fn illegal(word: &str, why: &dyn fmt::Display) -> RuleError {
    RuleError::Illegal { word: word.to_string(), why: why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_rolls_run_through_all_faces() {
        let board = Board::new("5/4".parse().unwrap());
        let firsts: Vec<String> = (0..7).map(|pair| board.next_roll(Dice { seed: 9, pair }).unwrap()).collect();
        assert_eq!(firsts, ["0", "1", "2", "3", "4", "0", "1"]);
        let mut later = board.clone();
        later.ply("0:a1").unwrap();
        let roll = |pair| later.next_roll(Dice { seed: 9, pair });
        assert_eq!(roll(0), roll(3));
    }

    #[test]
    fn a_game_is_the_words_that_set_it_up() {
        let mut board = Board::from_start("startpos 3 3").unwrap();
        assert_eq!(board.position_line(), "position startpos 3 3");
        board.ply("0:a1").unwrap();
        board.roll("1").unwrap();
        assert_eq!(board.position_line(), "position startpos 3 3 moves 0:a1 roll 1");
        assert_eq!((board.mover(), board.result()), (Seat::P2, None));
        assert_eq!(board.notation(), "3 3 r -1 b - - - - - - - -");
        for ply in ["1:b1", "1:a2", "1:b2", "2:a3"] {
            if ply == "1:b1" { board.play("b1").unwrap() } else { board.ply(ply).unwrap() }
        }
        assert_eq!((board.result(), board.ending().as_str()), (Some(GameResult::P1Win), "3 in a row"));
        assert_eq!(board.next_roll(Dice { seed: 1, pair: 0 }), None);
        assert!(board.draw().contains("  3 B . .\n"), "{}", board.draw());
    }

    #[test]
    fn what_is_against_the_rules_is_named() {
        let board = Board::from_start("startpos 3 3").unwrap();
        for (ply, word) in [("0:a2", "a2"), ("3:a1", "3"), ("x:a1", "x"), ("0:z9", "z9"), ("a1", "a1"), ("", "''")] {
            let error = board.clone().ply(ply).unwrap_err().to_string();
            assert!(error.contains(word), "{ply}: {error}");
        }
        for words in ["", "startpos", "startpos 2 2", "startpos  5 4", "startpos 5 4 ", "fen x"] {
            assert!(Board::from_start(words).unwrap_err().to_string().contains(words), "{words}");
        }
    }
}
