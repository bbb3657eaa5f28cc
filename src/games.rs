//! The list of games: the one place that names them all.

use crate::game::{AnyPosition, Fault, Notation};

/// The names of all games, as the option `Game` has them, the default first.
pub const NAMES: &[&str] = &["dice", "einstein", "backgammon", "darkchess"];

/// Do something with the type of positions of the game of some name; `None` if there is no such game.
///
/// ```
/// use alea::game::Game;
///
/// assert_eq!(alea::with_game!("backgammon", G => G::POINTS), Some(3));
/// assert_eq!(alea::with_game!("chess", G => G::POINTS), None);
/// ```
#[macro_export]
macro_rules! with_game {
    ($name:expr, $G:ident => $what:expr) => {
        $crate::with_game!(@match $name, $G => $what,
            "dice" => $crate::game::dice::Position,
            "einstein" => $crate::game::einstein::Position,
            "backgammon" => $crate::game::backgammon::Position,
            "darkchess" => $crate::game::darkchess::Position)
    };
    (@match $name:expr, $G:ident => $what:expr, $($known:literal => $position:ty),*) => {
        match $name {
            $($known => {
                type $G = $position;
                Some($what)
            })*
            _ => None,
        }
    };
}

/// The start position of a game, with the words that stand behind `startpos`; `None` if there is no game of that name.
pub fn start(game: &str, words: &[&str]) -> Option<Result<Box<dyn AnyPosition>, Fault>> {
    with_game!(game, G => <G as Notation>::start(words).map(|start| Box::new(start) as Box<dyn AnyPosition>))
}

/// The position of a game written in `words` behind `keyword`, which is `fen` or another of its notations; `None` if there is no
/// game of that name.
pub fn read(game: &str, keyword: &str, words: &[&str]) -> Option<Result<Box<dyn AnyPosition>, Fault>> {
    with_game!(game, G => {
        let known: Vec<&str> = std::iter::once("fen").chain(G::KEYWORDS.iter().copied()).collect();
        if !known.contains(&keyword) {
            return Some(Err(Fault::new(keyword, format!("expected {}", known.join(" or ")))));
        }
        <G as Notation>::read(keyword, words).map(|position| Box::new(position) as Box<dyn AnyPosition>)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_game_of_that_name() {
        for &name in NAMES {
            assert_eq!(with_game!(name, G => G::NAME), Some(name));
        }
        assert_eq!(with_game!("chess", G => G::NAME), None);
    }

    #[test]
    fn positions_are_read_in_every_notation_of_their_game() {
        for &name in NAMES {
            let start = start(name, &[]).unwrap().unwrap();
            for (keyword, text) in start.notations() {
                let words: Vec<&str> = text.split(' ').collect();
                assert_eq!(read(name, keyword, &words).unwrap().unwrap().fen(), start.fen(), "{name} {keyword}");
            }
            let fault = read(name, "sfen", &[]).unwrap().err().unwrap();
            assert_eq!(fault.word, "sfen");
        }
        assert!(read("chess", "fen", &[]).is_none());
    }
}
