//! The rules of the game as a referee, a replay and an analysis need them: the one file that knows which game is played.
//!
//! Faces, moves and plies are words here, in the notation of the protocol: a ply is `ROLL:MOVE` where chance comes before
//! the move, `MOVE` or `MOVE=FACE` where it comes after, and a game is what may follow `position`, such as
//! `startpos 5 4 moves 2:d3 1:b1 roll 4`.

use crate::records::{GameResult, Seat};
use crate::text::visible;
use alea::game::{AnyPosition, Fault, Kind, Notation, Player};
use alea::games;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;

pub use alea::game::dice::Shape;

/// The game that is played where none is named.
const DICE: &str = <alea::game::dice::Position as Notation>::NAME;

/// The word that stands for the start of a game.
const START: &str = "startpos";

/// The word before a position that is written out.
const WRITTEN: &str = "fen";

/// As much of a word as a message needs.
const SHOWN: usize = 60;

/// What is played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variant {
    /// The game, as the engine's option `Game` has it.
    pub game: String,
    /// How it starts, in the words of `position`: `startpos`, `startpos 5 4`, or `fen` and a position.
    pub start: String,
}

impl Variant {
    /// A game as it usually starts.
    pub fn of(game: &str) -> Variant {
        if game == DICE {
            return Variant::dice(Shape::default());
        }
        Variant { game: game.to_string(), start: START.to_string() }
    }

    /// Dice on some board.
    pub fn dice(shape: Shape) -> Variant {
        Variant { game: DICE.to_string(), start: format!("{START} {} {}", shape.size(), shape.win()) }
    }

    /// Whether it is Dice: the one game that comes in shapes, and that engines play without being told.
    pub fn is_dice(&self) -> bool {
        self.game == DICE
    }

    /// The first word and those behind it, each after one space; `None` if that is not what the start is written like.
    fn words(&self) -> Option<(&str, Vec<&str>)> {
        let mut words = self.start.split(' ');
        let first = words.next().filter(|first| [START, WRITTEN].contains(first))?;
        let rest: Vec<&str> = words.collect();
        let plain = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
        rest.iter().all(plain).then_some((first, rest))
    }

    /// The words behind `startpos`; none where the game starts elsewhere.
    fn start_words(&self) -> Vec<&str> {
        self.words().filter(|(first, _)| *first == START).map_or(Vec::new(), |(_, words)| words)
    }
}

/// `Dice 5/4`, `EinStein`
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game.as_str() {
            "einstein" => f.write_str("EinStein")?,
            "darkchess" => f.write_str("Dark chess")?,
            other => {
                let (first, rest) = other.split_at_checked(1).unwrap_or((other, ""));
                write!(f, "{}{rest}", first.to_uppercase())?;
            }
        }
        match self.start_words() {
            words if words.is_empty() => Ok(()),
            words => write!(f, " {}", words.join(if self.is_dice() { "/" } else { " " })),
        }
    }
}

/// What a message calls all games that there are.
pub fn game_names() -> String {
    games::NAMES.join(", ")
}

/// What chance brings to one pair: a pure function of seed and ply, but for the first roll of Dice, which runs through
/// all faces from pair to pair so that none is favoured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    /// The seed of it all.
    pub seed: u64,
    /// The number of the pair.
    pub pair: u64,
}

/// Why words are no game, or no ply of one, here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleError {
    /// Not a game.
    Game(String),
    /// Not the start of the game.
    Start {
        /// The words.
        start: String,
        /// What is wrong with them.
        fault: Fault,
    },
    /// Not a ply at all.
    Ply(String),
    /// A word that the rules do not allow.
    Illegal(Fault),
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleError::Game(word) => write!(f, "'{}' is not a game: expected one of {}", shown(word), game_names()),
            RuleError::Start { start, fault } => write!(f, "'{}' is not a start: {fault}", shown(start)),
            RuleError::Ply(word) => write!(f, "'{}' is not a ply: expected roll:move", shown(word)),
            RuleError::Illegal(fault) => write!(f, "'{}': {}", shown(&fault.word), fault.reason),
        }
    }
}

impl Error for RuleError {}

fn shown(word: &str) -> String {
    visible(word, SHOWN)
}

/// A game under way: the position, and the words that lead to it.
#[derive(Clone)]
pub struct Board {
    variant: Variant,
    /// With the roll, where it has been rolled.
    position: Box<dyn AnyPosition>,
    plies: Vec<String>,
    /// A roll that no move has followed yet.
    roll: Option<String>,
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.variant.game, self.position_line())
    }
}

impl Board {
    /// The first position. One that is written out must stand before a roll: the roll belongs to the first ply.
    pub fn new(variant: &Variant) -> Result<Board, RuleError> {
        let start = |fault| RuleError::Start { start: variant.start.clone(), fault };
        let expected = |what: String| start(Fault::new(&variant.start, format!("expected {what}")));
        let words = variant.words();
        let (first, words) = words.ok_or_else(|| expected(format!("{START} or {WRITTEN}, and its words")))?;
        let position = match first {
            START => games::start(&variant.game, &words),
            _ => games::read(&variant.game, first, &words),
        };
        let position = position.ok_or_else(|| RuleError::Game(variant.game.clone()))?.map_err(start)?;
        let waits = if position.chance_follows() { Kind::Chance } else { Kind::Decision };
        if position.kind() == waits {
            return Err(expected("a position before chance has its say".to_string()));
        }
        Ok(Board { variant: variant.clone(), position, plies: Vec::new(), roll: None })
    }

    /// What is played.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The greatest result of a game, in points.
    pub fn most_points(&self) -> u32 {
        self.position.points()
    }

    /// Whether chance belongs to the move before it.
    pub fn chance_follows(&self) -> bool {
        self.position.chance_follows()
    }

    /// Whose turn it is.
    pub fn mover(&self) -> Seat {
        match self.position.mover() {
            Player::First => Seat::P1,
            Player::Second => Seat::P2,
        }
    }

    /// What chance brings next; `None` where it has no say.
    pub fn face(&self, chance: Chance) -> Option<String> {
        // An outcome belongs to the ply that has been made, a roll to the one that is to come.
        let ply = self.plies.len() - usize::from(self.chance_follows() && !self.plies.is_empty());
        if ply == 0 && self.variant.is_dice() {
            let faces = self.position.faces();
            let place = chance.pair.checked_rem(faces.len() as u64)?;
            return faces.into_iter().nth(place as usize).map(|(face, _)| face);
        }
        self.position.chance(chance.seed, u32::try_from(ply).ok()?)
    }

    /// Let chance bring a face.
    pub fn resolve(&mut self, face: &str) -> Result<(), RuleError> {
        self.position.resolve(face).map_err(RuleError::Illegal)?;
        match self.plies.last_mut().filter(|_| self.position.chance_follows()) {
            Some(ply) => *ply = format!("{ply}={face}"),
            None => self.roll = Some(face.to_string()),
        }
        Ok(())
    }

    /// Move. Of the spellings that a move may have, the game's own is kept.
    pub fn play(&mut self, word: &str) -> Result<(), RuleError> {
        let before = self.position.clone();
        self.position.play(word).map_err(RuleError::Illegal)?;
        let moves = before.moves();
        let is_it = |other: &&String| {
            let mut after = before.clone();
            after.play(other).is_ok() && after.fen() == self.position.fen()
        };
        let own = moves.iter().find(|own| *own == word).or_else(|| moves.iter().find(is_it));
        let word = own.map_or(word, String::as_str);
        let ply = self.roll.take().map_or(word.to_string(), |roll| format!("{roll}:{word}"));
        self.plies.push(ply);
        Ok(())
    }

    /// The face and the move of a ply; no face where chance has no say.
    pub fn split<'p>(&self, ply: &'p str) -> Result<(Option<&'p str>, &'p str), RuleError> {
        if ply.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(RuleError::Ply(ply.to_string()));
        }
        match (self.chance_follows(), ply.split_once(':'), ply.split_once('=')) {
            (true, _, Some((word, face))) => Ok((Some(face), word)),
            (true, _, None) => Ok((None, ply)),
            (false, Some((face, word)), _) => Ok((Some(face), word)),
            (false, None, _) => Err(RuleError::Ply(ply.to_string())),
        }
    }

    /// Play a whole ply, chance and move in the game's order.
    pub fn ply(&mut self, ply: &str) -> Result<(), RuleError> {
        let (face, word) = self.split(ply)?;
        if self.chance_follows() {
            self.play(word)?;
            return face.map_or(Ok(()), |face| self.resolve(face));
        }
        face.map_or(Ok(()), |face| self.resolve(face))?;
        self.play(word)
    }

    /// The plies so far.
    pub fn plies(&self) -> &[String] {
        &self.plies
    }

    /// The command that sets this position up, with its roll where it has one.
    pub fn position_line(&self) -> String {
        let mut line = format!("position {}", self.variant.start);
        if !self.plies.is_empty() {
            line.push_str(" moves ");
            line.push_str(&self.plies.join(" "));
        }
        if let Some(roll) = &self.roll {
            line.push_str(" roll ");
            line.push_str(roll);
        }
        line
    }

    /// The result, if the game is over by the rules.
    pub fn result(&self) -> Option<GameResult> {
        self.position.result().map(|result| match result.winner {
            Some(Player::First) => GameResult::P1Win,
            Some(Player::Second) => GameResult::P2Win,
            None => GameResult::Draw,
        })
    }

    /// What the result is worth to the winner; nothing while there is none.
    pub fn points(&self) -> u32 {
        self.position.result().map_or(0, |result| result.points)
    }

    /// How the game was decided, for people.
    pub fn ending(&self) -> String {
        match (self.position.result(), self.position.fen().split(' ').nth(1)) {
            (None, _) => "not over".to_string(),
            (Some(result), Some(win)) if self.variant.is_dice() && result.winner.is_some() => {
                format!("{win} in a row")
            }
            (Some(_), _) if self.variant.is_dice() => "the board is full".to_string(),
            (Some(result), _) if result.points > 1 => format!("{} points", result.points),
            (Some(_), _) => "by the rules".to_string(),
        }
    }

    /// The position in the game's own notation.
    pub fn notation(&self) -> String {
        self.position.fen()
    }

    /// The position itself, with its roll where it has one.
    pub fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    /// A roll that no move has followed yet.
    pub fn roll(&self) -> Option<&str> {
        self.roll.as_deref()
    }

    /// The position for people.
    pub fn draw(&self) -> String {
        self.position.draw(false, self.plies.last().map(String::as_str))
    }

    /// What a seat is called, as far as it is known by now.
    pub fn seat_name(&self, seat: Seat) -> &'static str {
        self.position.player_name(match seat {
            Seat::P1 => Player::First,
            Seat::P2 => Player::Second,
        })
    }

    /// The same with what it plays.
    pub fn seat_role(&self, seat: Seat) -> String {
        let name = self.seat_name(seat);
        match seat {
            Seat::P1 if self.variant.is_dice() => format!("{name}, rows"),
            Seat::P2 if self.variant.is_dice() => format!("{name}, columns"),
            _ => name.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(game: &str, start: &str) -> Result<Board, RuleError> {
        Board::new(&Variant { game: game.to_string(), start: start.to_string() })
    }

    #[test]
    fn first_rolls_of_dice_run_through_all_faces() {
        let board = start("dice", "startpos 5 4").unwrap();
        let firsts: Vec<String> = (0..7).map(|pair| board.face(Chance { seed: 9, pair }).unwrap()).collect();
        assert_eq!(firsts, ["0", "1", "2", "3", "4", "0", "1"]);
        let mut later = board.clone();
        later.ply("0:a1").unwrap();
        let roll = |pair| later.face(Chance { seed: 9, pair });
        assert_eq!(roll(0), roll(3));
    }

    #[test]
    fn a_game_is_the_words_that_set_it_up() {
        let mut board = start("dice", "startpos 3 3").unwrap();
        assert_eq!(board.position_line(), "position startpos 3 3");
        board.ply("0:a1").unwrap();
        assert_eq!(board.notation(), "3 3 r -1 b - - - - - - - -");
        board.resolve("1").unwrap();
        assert_eq!(board.position_line(), "position startpos 3 3 moves 0:a1 roll 1");
        assert_eq!((board.mover(), board.result()), (Seat::P2, None));
        for ply in ["1:b1", "1:a2", "1:b2", "2:a3"] {
            if ply == "1:b1" { board.play("b1").unwrap() } else { board.ply(ply).unwrap() }
        }
        assert_eq!((board.result(), board.points()), (Some(GameResult::P1Win), 1));
        assert_eq!(board.ending(), "3 in a row");
        assert_eq!(board.face(Chance { seed: 1, pair: 0 }), None);
        assert!(board.draw().contains("  3  B . .\n"), "{}", board.draw());
    }

    /// A flip is a move whose face comes after it, the same for a cell in both games of a pair.
    #[test]
    fn chance_may_follow_the_move() {
        let chance = Chance { seed: 3, pair: 8 };
        let flipped = |cells: &[&str]| {
            let mut board = start("darkchess", "startpos").unwrap();
            for cell in cells {
                assert_eq!(board.face(chance), None, "nothing to draw before the move");
                board.play(cell).unwrap();
                let face = board.face(chance).unwrap();
                board.resolve(&face).unwrap();
            }
            board
        };
        let (one, other) = (flipped(&["a1", "d8"]), flipped(&["d8", "a1"]));
        assert_eq!(one.position_line(), format!("position startpos moves {}", one.plies().join(" ")));
        assert_eq!((&one.plies()[0], &one.plies()[1]), (&other.plies()[1], &other.plies()[0]));
        let mut again = start("darkchess", "startpos").unwrap();
        for ply in one.plies() {
            again.ply(ply).unwrap();
        }
        assert_eq!((again.notation(), again.plies()), (one.notation(), one.plies()));
    }

    /// A game may start anywhere, but before the roll.
    #[test]
    fn games_may_start_from_a_written_position() {
        let mut board = start("dice", "fen 3 3 r -1 b - - - - - - - -").unwrap();
        board.ply("1:b1").unwrap();
        assert_eq!(board.position_line(), "position fen 3 3 r -1 b - - - - - - - - moves 1:b1");
        assert_eq!(board.notation(), "3 3 b -1 b r - - - - - - -");
        let mut board = start("backgammon", "fen XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10").unwrap();
        board.ply("66:24/18(2),13/7(2)").unwrap();
        assert_eq!(board.mover(), Seat::P2);
        let won = start("dice", "fen 3 3 r -1 b b b r r - - - -").unwrap();
        assert_eq!((won.ending().as_str(), won.variant().to_string().as_str()), ("3 in a row", "Dice"));
        let rolled = [
            ("dice", "fen 3 3 r 1 b - - - - - - - -"),
            ("darkchess", "fen XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - 0 CCGGKMMNNPPPPPRRccggkmmnnppppprr a1"),
        ];
        for (game, words) in rolled {
            assert!(start(game, words).unwrap_err().to_string().contains("before chance"), "{words}");
        }
    }

    #[test]
    fn of_several_spellings_the_games_own_is_kept() {
        let mut board = start("backgammon", "startpos").unwrap();
        board.ply("31:6/5,8/5").unwrap();
        assert_eq!(board.plies(), ["31:8/5,6/5"]);
    }

    #[test]
    fn what_is_against_the_rules_is_named() {
        let cases: [(&str, &[(&str, &str)]); 3] = [
            ("dice", &[("0:a2", "a2"), ("5:a1", "5"), ("x:a1", "x"), ("0:z9", "z9"), ("a1", "a1"), ("", "''")]),
            ("backgammon", &[("66:24/18", "66"), ("31:8/3", "8/3"), ("31:8/5,6/5\nquit", "31:8/5,6/5\\nquit")]),
            ("darkchess", &[("a1=Q", "Q"), ("a9=K", "a9"), ("a1a2", "a1a2"), ("2:a1", "2:a1")]),
        ];
        for (game, plies) in cases {
            for (ply, word) in plies {
                let error = Board::new(&Variant::of(game)).unwrap().ply(ply).unwrap_err().to_string();
                assert!(error.contains(word), "{game} {ply}: {error}");
            }
        }
        let starts = ["", "startpos 2 2", "startpos  5 4", "startpos 5 4 ", "startpos 5 4\nquit", "fen x", "startposx"];
        for words in starts {
            let error = start("dice", words).unwrap_err().to_string();
            assert!(error.contains(&shown(words)), "{words}: {error}");
        }
        assert!(start("chess", "startpos").unwrap_err().to_string().contains("'chess'"));
        assert!(start("darkchess", "startpos 5 4").unwrap_err().to_string().contains("'5'"));
    }

    #[test]
    fn games_have_titles() {
        for (game, title) in [("dice", "Dice 5/4"), ("backgammon", "Backgammon"), ("darkchess", "Dark chess")] {
            let variant = Variant::of(game);
            assert_eq!(variant.to_string(), title);
            assert_eq!(Board::new(&variant).unwrap().variant(), &variant);
        }
    }
}
