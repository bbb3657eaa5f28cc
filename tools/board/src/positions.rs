//! What a page needs to know of a position, so that it needs no rules of its own: whose turn it is, what may be played or
//! rolled, and how it is written.

use crate::error::Refusal;
use alea::game::Kind;
use alea_tools::records::{GameResult, Seat};
use alea_tools::rules::{Board, Variant};
use serde::{Deserialize, Serialize};

/// More plies than any game has.
const MAX_PLIES: usize = 5000;

/// A position, in the words of the protocol.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The game.
    pub game: String,
    /// How it starts: `startpos …` or `fen …`.
    pub start: String,
    /// The plies so far; the last may wait for its outcome.
    #[serde(default)]
    pub plies: Vec<String>,
    /// The die, where it has been rolled.
    #[serde(default)]
    pub roll: Option<String>,
    /// The seed of what chance brings.
    #[serde(default)]
    pub seed: Option<u64>,
}

impl Asked {
    /// Play it through.
    pub fn board(&self) -> Result<Board, Refusal> {
        if self.plies.len() > MAX_PLIES {
            return Err(Refusal::Unfit("it has more than 5000 plies"));
        }
        let mut board = Board::new(&Variant { game: self.game.clone(), start: self.start.clone() })?;
        for ply in &self.plies {
            board.ply(ply)?;
        }
        if let Some(roll) = &self.roll {
            board.resolve(roll)?;
        }
        Ok(board)
    }
}

/// A word for each side.
#[derive(Clone, Debug, Serialize)]
pub struct Sides<T> {
    /// The first player's.
    pub p1: T,
    /// The second player's.
    pub p2: T,
}

/// All that is known of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    game: String,
    title: String,
    start: String,
    plies: Vec<String>,
    roll: Option<String>,
    /// The command that sets it up.
    line: String,
    /// `chance`, `decision` or `over`.
    kind: &'static str,
    mover: Seat,
    moves: Vec<String>,
    /// What chance may bring, with weights.
    rolls: Vec<(String, u32)>,
    /// What the seed brings.
    chance: Option<String>,
    fen: String,
    /// Every notation of the game: its word and the text.
    notations: Vec<(&'static str, String)>,
    result: Option<GameResult>,
    points: u32,
    ending: Option<String>,
    names: Sides<&'static str>,
    chance_follows: bool,
    most_points: u32,
}

impl Facts {
    /// The facts of a position.
    pub fn of(board: &Board, seed: Option<u64>) -> Facts {
        let position = board.position();
        // An outcome belongs to the ply that has been made, a roll to the one that is to come.
        let made = board.plies().len();
        let ply = if position.chance_follows() { made.saturating_sub(1) } else { made };
        let result = board.result();
        Facts {
            game: board.variant().game.clone(),
            title: board.variant().to_string(),
            start: board.variant().start.clone(),
            plies: board.plies().to_vec(),
            roll: board.roll().map(str::to_string),
            line: board.position_line(),
            kind: match position.kind() {
                _ if result.is_some() => "over",
                Kind::Chance => "chance",
                Kind::Decision => "decision",
                _ => "over",
            },
            mover: board.mover(),
            moves: position.moves(),
            rolls: position.faces(),
            chance: seed.and_then(|seed| position.chance(seed, u32::try_from(ply).ok()?)),
            fen: position.fen(),
            notations: position.notations(),
            result,
            points: board.points(),
            ending: result.map(|_| board.ending()),
            names: Sides { p1: board.seat_name(Seat::P1), p2: board.seat_name(Seat::P2) },
            chance_follows: position.chance_follows(),
            most_points: position.points(),
        }
    }
}
