//! The games that have a network to be trained.

use std::fmt;
use std::str::FromStr;

/// A game with a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Dice, with a network for each shape.
    Dice,
    /// EinStein würfelt nicht.
    Einstein,
    /// Backgammon.
    Backgammon,
    /// Chinese dark chess.
    DarkChess,
}

impl Game {
    /// All of them.
    pub const ALL: [Game; 4] = [Game::Dice, Game::Einstein, Game::Backgammon, Game::DarkChess];

    /// As [`alea::games::NAMES`] has it.
    pub fn name(self) -> &'static str {
        match self {
            Game::Dice => "dice",
            Game::Einstein => "einstein",
            Game::Backgammon => "backgammon",
            Game::DarkChess => "darkchess",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not that of a game to be trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotTrained;

impl fmt::Display for NotTrained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first @ .., last] = &Game::ALL.map(Game::name);
        write!(f, "expected {} or {last}", first.join(", "))
    }
}

impl std::error::Error for NotTrained {}

impl FromStr for Game {
    type Err = NotTrained;

    fn from_str(name: &str) -> Result<Game, NotTrained> {
        Game::ALL.into_iter().find(|game| game.name() == name).ok_or(NotTrained)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_games() {
        for name in alea::games::NAMES {
            assert_eq!(name.parse().map(Game::name), Ok(*name));
        }
        assert!(Game::ALL.iter().all(|game| alea::games::NAMES.contains(&game.name())));
        assert_eq!(
            "chess".parse::<Game>().unwrap_err().to_string(),
            "expected dice, einstein, backgammon or darkchess"
        );
    }
}
