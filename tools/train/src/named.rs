//! Which network a word stands for: a shape's or a game's own, which comes with the engine, or one in a file.

use crate::games::{Game, NotTrained};
use alea::eval::nn::file::game_of;
use alea_tools::files::FileError;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No network is larger.
const MAX_BYTES: u64 = 64 << 20;

/// A network to be measured.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// Of which game; a word that is no network at all is left to Dice, which knows its shapes.
    pub game: Game,
    /// Its file, where another game's is not the one that comes with the engine.
    pub bytes: Option<Vec<u8>>,
}

/// Why a word stands for no network.
#[derive(Debug)]
pub enum NameError {
    /// The file cannot be read.
    File(FileError),
    /// It is a network of a game that has none to be trained.
    Game(String, String, NotTrained),
    /// `dice` has many networks.
    NoShape,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::File(error) => write!(f, "{error}"),
            NameError::Game(file, game, error) => write!(f, "{file}: a network for '{game}': {error}"),
            NameError::NoShape => f.write_str("'dice': expected a shape, as in 5/4, for its network"),
        }
    }
}

impl std::error::Error for NameError {}

impl Named {
    /// What a word stands for.
    pub fn new(word: &str) -> Result<Named, NameError> {
        match word.parse::<Game>() {
            Ok(Game::Dice) => return Err(NameError::NoShape),
            Ok(game) => return Ok(Named { game, bytes: None }),
            Err(_) => {}
        }
        let bytes = match read(Path::new(word)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Named { game: Game::Dice, bytes: None });
            }
            Err(error) => return Err(NameError::File(FileError::new(Path::new(word), error))),
        };
        let game = match game_of(&bytes) {
            None => Game::Dice,
            Some(name) => name
                .parse()
                .map_err(|error| NameError::Game(word.into(), alea_tools::text::visible(&name, 40), error))?,
        };
        Ok(Named { game, bytes: (game != Game::Dice).then_some(bytes) })
    }
}

/// The bytes of a network's file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_networks() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let sparse = b"ALEA-NET\x03\x00\x08einstein and numbers";
        let squared = b"ALEA-NET\x04\x00\x0abackgammon and numbers";
        let cases = [
            ("5/4".to_owned(), Game::Dice, None),
            ("nowhere.net".into(), Game::Dice, None),
            ("einstein".into(), Game::Einstein, None),
            (file("f.net", squared), Game::Backgammon, Some(squared.to_vec())),
            (file("e.net", sparse), Game::Einstein, Some(sparse.to_vec())),
            (file("short.net", &sparse[..15]), Game::Dice, None),
            (file("d.net", b"ALEA-NET\x02\x00\x08einstein"), Game::Dice, None),
            (file("empty.net", b""), Game::Dice, None),
        ];
        for (word, game, bytes) in cases {
            assert_eq!(Named::new(&word).unwrap(), Named { game, bytes }, "{word}");
        }
        let refused = [
            ("dice".to_owned(), "'dice': expected a shape"),
            (
                file("g.net", b"ALEA-NET\x03\x00\x05chess"),
                "a network for 'chess': expected dice, einstein, backgammon or darkchess",
            ),
        ];
        for (word, part) in refused {
            let message = Named::new(&word).unwrap_err().to_string();
            assert!(message.contains(part), "{word}: {message}");
        }
    }
}
