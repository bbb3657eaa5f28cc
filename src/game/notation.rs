//! How a game is written, for people and for other programs: positions, moves, outcomes, and a drawing.

use super::{END_OF_LINE, Game, Outcome, Player, WordError, draw};
use std::fmt;

/// Something that was written wrongly, or that the rules do not allow: the word at fault, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The word at fault, or `end of line` where one is missing.
    pub word: String,
    /// What was expected, or what is wrong.
    pub reason: String,
}

impl Fault {
    /// Put the blame on a word.
    pub fn new(word: impl fmt::Display, reason: impl fmt::Display) -> Fault {
        WordError::new(&word.to_string(), reason).into()
    }

    /// A word is missing.
    pub fn missing(expected: impl fmt::Display) -> Fault {
        Fault::new(END_OF_LINE, format!("expected {expected}"))
    }
}

/// A game's own error, in words.
impl<F: fmt::Display> From<WordError<F>> for Fault {
    fn from(error: WordError<F>) -> Fault {
        Fault { word: error.word, reason: error.fault.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.word, self.reason)
    }
}

impl std::error::Error for Fault {}

/// How pieces are drawn where a game can show them in several ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pieces {
    /// As in the game's notation.
    #[default]
    Letters,
    /// As the Chinese characters that are written on them.
    Chinese,
}

impl Pieces {
    /// Both ways.
    pub const ALL: [Pieces; 2] = [Pieces::Letters, Pieces::Chinese];

    /// The name users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Pieces::Letters => "letters",
            Pieces::Chinese => "chinese",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who won; nobody in a draw.
    pub winner: Option<Player>,
    /// How many points that is worth.
    pub points: u32,
}

impl GameResult {
    /// Nobody won.
    pub const DRAW: GameResult = GameResult { winner: None, points: 0 };

    /// A plain win.
    pub const fn won_by(winner: Player) -> GameResult {
        GameResult { winner: Some(winner), points: 1 }
    }
}

/// A game as it is written. Texts of moves and outcomes hold no white space, colon or equals sign.
pub trait Notation: Game + 'static {
    /// The game's name, as the option `Game` has it.
    const NAME: &'static str;

    /// The words that introduce a written position, besides `fen`.
    const KEYWORDS: &'static [&'static str] = &[];

    /// Whether chance belongs to the move before it, as a flip does, and not to the one after, as a roll of dice.
    const CHANCE_FOLLOWS: bool = false;

    /// An example of a ply.
    const PLY: &'static str;

    /// The start position, with the words that stand behind `startpos`: a size, an arrangement, or none.
    fn start(words: &[&str]) -> Result<Self, Fault>;

    /// The position written in `words` behind `keyword`, which is `fen` or one of [`Notation::KEYWORDS`].
    fn read(keyword: &str, words: &[&str]) -> Result<Self, Fault>;

    /// The position as [`Notation::read`] takes it behind `keyword`, without that word.
    fn write(&self, keyword: &str) -> String;

    /// The position as `fen` has it.
    fn fen(&self) -> String {
        self.write("fen")
    }

    /// The move that a text stands for, legal at this decision node; at other nodes none is.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Fault>;

    /// A legal move as it is written.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The face that a text stands for, possible at this chance node. Where the die has been rolled, only that face is.
    fn parse_outcome(&self, text: &str) -> Result<u8, Fault>;

    /// An outcome or a face of this chance node as it is written.
    fn outcome_text(&self, id: u8) -> String;

    /// The outcomes of a chance node as people tell them apart: the faces of a die, where several may be one to the search.
    fn faces(&self) -> Vec<Outcome> {
        self.outcomes().collect()
    }

    /// The outcome by which the search knows a face.
    fn outcome_of(&self, face: u8) -> u8 {
        face
    }

    /// How many faces are one outcome to the search.
    fn faces_of(&self, _outcome: Outcome) -> u32 {
        1
    }

    /// The face that a seed brings at a chance node, `ply` draws into the game: the same on every machine and in every
    /// release.
    fn chance(&self, seed: u64, ply: u32) -> Option<u8> {
        draw(seed, ply, self.faces().into_iter())
    }

    /// How the game ended, if it has.
    fn result(&self) -> Option<GameResult>;

    /// What a player is called.
    fn player_name(&self, player: Player) -> &'static str;

    /// About how many moves the mover will still make: what its clock should be shared over.
    fn moves_to_go(&self) -> usize;

    /// The position for people, in colour for a terminal; `last` is the ply that led to it, if it is known.
    fn draw(&self, colour: bool, last: Option<&str>) -> String;

    /// The same with pieces as they are wanted, where a game can show them in several ways.
    fn draw_with(&self, _pieces: Pieces, colour: bool, last: Option<&str>) -> String {
        self.draw(colour, last)
    }
}
