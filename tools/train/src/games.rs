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
    /// Chinese dark chess.
    DarkChess,
}

impl Game {
    /// All of them.
    pub const ALL: [Game; 3] = [Game::Dice, Game::Einstein, Game::DarkChess];

    /// As [`alea::games::NAMES`] has it.
    pub fn name(self) -> &'static str {
        match self {
            Game::Dice => "dice",
            Game::Einstein => "einstein",
            Game::DarkChess => "darkchess",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a name is not that of a game to be trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTrained {
    /// The game has no network.
    NoNetwork,
    /// There is no such game.
    Unknown,
}

impl fmt::Display for NotTrained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotTrained::NoNetwork => "this game has no network to be trained; ",
            NotTrained::Unknown => "",
        })?;
        write!(f, "expected {}", Game::ALL.map(Game::name).join(" or "))
    }
}

impl std::error::Error for NotTrained {}

impl FromStr for Game {
    type Err = NotTrained;

    fn from_str(name: &str) -> Result<Game, NotTrained> {
        let known = if alea::games::NAMES.contains(&name) { NotTrained::NoNetwork } else { NotTrained::Unknown };
        Game::ALL.into_iter().find(|game| game.name() == name).ok_or(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_games() {
        for name in alea::games::NAMES {
            match name.parse::<Game>() {
                Ok(game) => assert_eq!(game.name(), *name),
                Err(error) => assert_eq!(error, NotTrained::NoNetwork, "{name}"),
            }
        }
        assert!(Game::ALL.iter().all(|game| alea::games::NAMES.contains(&game.name())));
        assert_eq!("chess".parse::<Game>().unwrap_err().to_string(), "expected dice or einstein or darkchess");
    }
}
