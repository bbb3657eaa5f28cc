//! Backgammon: money play without the cube, gammons and backgammons counted.
//!
//! Points are numbered from the side of whoever owns the checkers: 24 to 1, then off; so one side's point p is the
//! other's 25 − p. The rules are those of the World Backgammon Federation; positions are read and written as GNU
//! Backgammon's IDs and as eXtreme Gammon's XGIDs.

mod board;
mod draw;
mod game;
mod generate;
mod gnubg;
mod id;
mod moves;
mod reading;
#[cfg(test)]
mod reference;
mod roll;
#[cfg(test)]
mod tests;
mod writing;
mod xgid;

pub use board::{Position, SetupError};
pub use generate::{MAX_MOVES, Moves};
pub use id::{IdError, IdFault};
pub use moves::{Change, Counted, Move};
pub use reading::{IllegalMove, MoveFault};
pub use roll::{IllegalRoll, ROLLS, Roll, RollFault};

use crate::game::Player;
use std::fmt;

/// The checkers of one side.
pub const CHECKERS: u8 = 15;
/// The number of the bar, from which the way home is longest.
pub const BAR: u8 = 25;
/// Where checkers go that are borne off.
pub const OFF: u8 = 0;
/// How many places a checker can be: off, 24 points, the bar.
pub const PLACES: usize = BAR as usize + 1;

/// The colour that a player is called by. [`Player::First`] is `X`, or upper case, where positions are written.
pub const fn name(player: Player) -> &'static str {
    match player {
        Player::First => "white",
        Player::Second => "black",
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Win {
    /// Who bore off all checkers.
    pub winner: Player,
    /// 1; 2 for a gammon, when the loser has borne off none; 3 for a backgammon, when moreover a checker of the loser's
    /// is on the bar or in the winner's home.
    pub points: u8,
}

impl Win {
    /// The most points that a game can bring.
    pub const MOST: u8 = 3;
}

impl fmt::Display for Win {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.points {
            1 => "",
            2 => " a gammon",
            _ => " a backgammon",
        };
        write!(f, "{} wins{how}", name(self.winner))
    }
}
