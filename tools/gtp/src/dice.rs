//! Dice that several processes agree on.
//!
//! GoGui starts two adapters, one that plays and one that knows the rules, and moves both through games, back and forth,
//! as it likes. So a die is a pure function of a seed and the moves before it, and whatever a user changes (new dice, a
//! die set by hand) is in a file that all adapters of one parent process share. The file is replaced in one step under a
//! lock, and looked at before every command.

use alea::game::AnyPosition;
use alea::game::dice::{Position, Shape};
use alea_tools::files::{self, FileError};
use alea_tools::random::draws;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// No file of dice is nearly as long.
const MAX_FILE: u64 = 1 << 22;

/// The most dice that are set by hand, and the most seeds, that are remembered.
const MAX_KEPT: usize = 10_000;

/// What is shared. Older seeds and dice are kept: moves that were made with them stay legal, so that one can go back to
/// them in the tree of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    /// The seeds so far, the one that counts last.
    seeds: Vec<u64>,
    /// Dice set by hand, by the moves before them; the one that counts last.
    set: BTreeMap<String, Vec<u8>>,
}

/// Where dice come from.
#[derive(Debug)]
pub struct Dice {
    path: PathBuf,
    shared: Shared,
    /// How many games have begun, where each is to have dice of its own.
    game: u64,
}

impl Dice {
    /// The dice of a file; it is made if it is not there, with this seed or any. A seed that is given replaces the file's.
    pub fn open(path: PathBuf, seed: Option<u64>) -> Result<Dice, FileError> {
        if let Some(folder) = path.parent() {
            files::make_dir(folder)?;
        }
        let mut dice = Dice { path, shared: Shared::default(), game: 0 };
        dice.change(|shared| {
            let seed = seed.or(shared.seeds.last().copied()).unwrap_or_else(any_seed);
            if shared.seeds.last() != Some(&seed) {
                shared.add_seed(seed);
            }
        })?;
        Ok(dice)
    }

    /// Change what is shared, while nobody else does.
    fn change(&mut self, change: impl FnOnce(&mut Shared)) -> Result<(), FileError> {
        let lock = self.path.with_extension("lock");
        let locked = File::create(&lock).and_then(|file| file.lock().map(|()| file));
        let _locked = locked.map_err(|error| FileError::new(&lock, error))?;
        match self.refresh() {
            Err(error) if error.source.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut next = self.shared.clone();
        change(&mut next);
        if next != self.shared {
            // Maps of texts and lists of numbers are always written.
            files::replace(&self.path, &serde_json::to_vec(&next).unwrap_or_default())?;
            self.shared = next;
        }
        Ok(())
    }

    /// Look what others have changed.
    pub fn refresh(&mut self) -> Result<(), FileError> {
        let fail = |error| FileError::new(&self.path, error);
        let size = fs::metadata(&self.path).map_err(fail)?.len();
        if size > MAX_FILE {
            return Err(fail(io::Error::new(ErrorKind::InvalidData, "too long for a file of dice")));
        }
        let text = fs::read(&self.path).map_err(fail)?;
        let shared: Shared = serde_json::from_slice(&text)
            .map_err(|error| fail(io::Error::new(ErrorKind::InvalidData, format!("not a file of dice: {error}"))))?;
        self.shared = shared;
        Ok(())
    }

    /// The seed that counts.
    pub fn seed(&self) -> u64 {
        self.shared.seeds.last().copied().unwrap_or_default()
    }

    /// Other dice from now on, in every game.
    pub fn new_seed(&mut self) -> Result<(), FileError> {
        self.change(|shared| shared.add_seed(any_seed()))
    }

    /// Dice of its own for the game of this number.
    pub fn set_game(&mut self, game: u64) {
        self.game = game;
    }

    /// Set the die of a position that was reached by these moves.
    pub fn set(&mut self, position: &Position, moves: &str, roll: u8) -> Result<(), FileError> {
        let key = self.key(position.shape(), moves);
        self.change(|shared| {
            if shared.set.len() >= MAX_KEPT {
                shared.set.pop_first();
            }
            let dice = shared.set.entry(key).or_default();
            dice.retain(|old| *old != roll);
            dice.push(roll);
        })
    }

    /// The die of a position that was reached by these moves; none where the game is over.
    pub fn roll(&self, position: &Position, moves: &str) -> Option<u8> {
        let key = self.key(position.shape(), moves);
        let set = self.shared.set.get(&key).and_then(|dice| dice.last().copied());
        set.filter(|roll| position.open_lines().contains(roll)).or_else(|| throw(position, &key, self.seed()))
    }

    /// Whether a die is one that this position has, or has had.
    pub fn has_been(&self, position: &Position, moves: &str, roll: u8) -> bool {
        let key = self.key(position.shape(), moves);
        self.shared.set.get(&key).is_some_and(|dice| dice.contains(&roll))
            || self.shared.seeds.iter().rev().any(|seed| throw(position, &key, *seed) == Some(roll))
    }

    fn key(&self, shape: Shape, moves: &str) -> String {
        format!("{shape} {} {moves}", self.game)
    }
}

impl Shared {
    fn add_seed(&mut self, seed: u64) {
        self.seeds.push(seed);
        if self.seeds.len() > MAX_KEPT {
            self.seeds.remove(0);
        }
    }
}

fn any_seed() -> u64 {
    // Short enough to be typed.
    rand::rng().next_u64() >> 32
}

/// The die that a seed brings after the moves that `key` names.
fn throw(position: &Position, key: &str, seed: u64) -> Option<u8> {
    let draw = draws(seed, "dice of a history", fnv1a(key.as_bytes())).next_u64();
    AnyPosition::chance(position, draw, 0)?.parse().ok()
}

/// A hash that is the same on every machine (Fowler, Noll and Vo 1991).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/dice.json");
        (folder, path)
    }

    fn start() -> Position {
        Position::new(Shape::default())
    }

    #[test]
    fn a_die_depends_on_seed_and_moves_alone() {
        let (_folder, path) = path();
        let mut dice = Dice::open(path.clone(), Some(7)).unwrap();
        // For ever: a game that was kept is played again with its seed.
        let rolls: Vec<_> =
            ["", "c3", "c3 b1", "c3 b2"].iter().map(|moves| dice.roll(&start(), moves).unwrap()).collect();
        assert_eq!(rolls, [3, 0, 3, 0]);
        let other = Dice::open(path, None).unwrap();
        let texts: Vec<String> = (0..50).map(|i| format!("move {i}")).collect();
        assert!(texts.iter().all(|moves| dice.roll(&start(), moves) == other.roll(&start(), moves)));
        let before: Vec<_> = texts.iter().map(|moves| dice.roll(&start(), moves)).collect();
        for roll in 0..5 {
            assert!(before.contains(&Some(roll)));
        }
        dice.set_game(1);
        assert!(texts.iter().map(|moves| dice.roll(&start(), moves)).ne(before));
    }

    #[test]
    fn what_one_process_changes_the_other_sees_and_what_was_stays_legal() {
        let (_folder, path) = path();
        let mut one = Dice::open(path.clone(), None).unwrap();
        let mut two = Dice::open(path, None).unwrap();
        assert_eq!(one.seed(), two.seed());
        let natural = one.roll(&start(), "").unwrap();
        let other = (natural + 1) % 5;
        assert!(!one.has_been(&start(), "", other));
        one.set(&start(), "", other).unwrap();
        two.refresh().unwrap();
        assert_eq!(two.roll(&start(), ""), Some(other));
        assert!(two.has_been(&start(), "", natural) && two.has_been(&start(), "", other));
        two.new_seed().unwrap();
        one.refresh().unwrap();
        assert_eq!(one.seed(), two.seed());
        assert!(one.has_been(&start(), "", natural));
    }

    #[test]
    fn a_file_that_is_none_of_ours_is_refused_and_kept() {
        let (_folder, path) = path();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for text in ["", "hello", "{\"seeds\":[1],\"set\":{},\"more\":1}", "{\"seeds\":[-1],\"set\":{}}"] {
            fs::write(&path, text).unwrap();
            let error = Dice::open(path.clone(), Some(1)).unwrap_err().to_string();
            assert!(error.contains("dice.json: not a file of dice"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_die_that_cannot_be_is_passed_over() {
        let (_folder, path) = path();
        let mut dice = Dice::open(path, Some(1)).unwrap();
        let position = Position::from_dpn("3 3 b -1 b r b - - - r - -").unwrap();
        dice.set(&position, "x", 0).unwrap();
        assert!([1, 2].contains(&dice.roll(&position, "x").unwrap()));
        let over = Position::from_dpn("3 3 r -1 b b b r r - - - -").unwrap();
        assert_eq!(dice.roll(&over, ""), None);
    }
}
