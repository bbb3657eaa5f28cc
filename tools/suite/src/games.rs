//! Which game: what the command line says, and what the tables call it.

use alea::game::dice::{self, Shape};
use alea::game::{Notation, Value};
use alea::games::NAMES;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// The game where nothing is said.
pub const DEFAULT: &str = NAMES[0];

/// The game whose boards have shapes, and whose suites need not name it.
pub const DICE: &str = <dice::Position as Notation>::NAME;

/// The option that chooses a game.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// Which game [default: the one that the suite names, or dice]
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(NAMES))]
    pub game: Option<String>,
}

/// What a table calls the positions of a `shape`: `5/4 Dice`, or the game's name.
pub fn title(shape: &str) -> String {
    if shape.parse::<Shape>().is_ok() { format!("{shape} Dice") } else { shape.into() }
}

/// A value in points, to eight decimals.
pub fn points<G: Notation>(value: Value) -> f64 {
    (value.to_f64() * f64::from(G::POINTS) * 1e8).round() / 1e8
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::backgammon;

    #[test]
    fn values_are_in_points() {
        assert_eq!(points::<dice::Position>(Value::from_f64(-0.25)), -0.25);
        assert_eq!(points::<backgammon::Position>(Value::from_f64(0.5)), 1.5);
        assert_eq!(points::<backgammon::Position>(Value::LOSS), -3.0);
    }

    #[test]
    fn only_dice_has_shapes() {
        for (shape, name) in [("5/4", "5/4 Dice"), ("einstein", "einstein"), ("darkchess", "darkchess")] {
            assert_eq!(title(shape), name);
        }
        assert_eq!(DEFAULT, DICE);
    }
}
