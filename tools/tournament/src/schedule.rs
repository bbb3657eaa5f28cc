//! Who plays whom, with which dice, in which order: all of it known before the first game.
//!
//! The order is pair by pair, every pairing in turn, so that all cells of a table grow together. A shard is a run of
//! consecutive pairs: shards one after the other are the whole.

use alea::game::dice::{Position, Shape, rolls};
use alea::game::mix;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Where the dice of each pair come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seeds {
    /// So many seeds, drawn from one.
    Drawn {
        /// The one.
        seed: u64,
        /// How many.
        pairs: u64,
    },
    /// These seeds.
    Listed(Vec<u64>),
}

impl Seeds {
    /// How many pairs a pairing has.
    pub fn len(&self) -> u64 {
        match self {
            Seeds::Drawn { pairs, .. } => *pairs,
            Seeds::Listed(seeds) => seeds.len() as u64,
        }
    }

    /// The seed of a pair. Drawn ones have 53 bits, so that every reader of JSON gets them right.
    pub fn get(&self, pair: u64) -> u64 {
        match self {
            Seeds::Drawn { seed, .. } => mix(mix(*seed) ^ pair) >> 11,
            Seeds::Listed(seeds) => usize::try_from(pair).ok().and_then(|i| seeds.get(i)).copied().unwrap_or(0),
        }
    }

    /// Seeds from a file's text: one a line; blank lines and what follows `#` are skipped.
    pub fn from_lines(text: &str) -> Result<Seeds, String> {
        let mut seeds = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let word = line.split('#').next().unwrap_or("").trim();
            if !word.is_empty() {
                let expected = || format!("line {}: '{word}' is not a seed: expected a whole number", i + 1);
                seeds.push(word.parse().map_err(|_| expected())?);
            }
        }
        if seeds.is_empty() { Err("there is no seed in it".to_string()) } else { Ok(Seeds::Listed(seeds)) }
    }
}

/// The dice of one pair: a pure function of seed and ply, but for the first roll, which runs through all faces from
/// pair to pair so that none is favoured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dice {
    /// The seed of every roll but the first.
    pub seed: u64,
    /// The number of the pair.
    pub pair: u64,
}

impl Dice {
    /// The roll at a ply; `None` where the game is over.
    pub fn roll(&self, ply: u32, board: &Position) -> Option<u8> {
        match ply {
            0 => Some((self.pair % board.shape().size() as u64) as u8),
            _ => rolls::roll(self.seed, ply, board),
        }
    }
}

/// Which pairings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Engines that differ in depth and noise: the deeper against the shallower at each noise level.
    Depths,
    /// Everybody against everybody.
    RoundRobin,
    /// The first against all others.
    Gauntlet,
}

/// A part of the pairs: `3/16` is the third sixteenth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// The pairs of this part, of `pairs` altogether.
    pub fn range(&self, pairs: u64) -> Range<u64> {
        let bound = |i: u64| (u128::from(pairs) * u128::from(i) / u128::from(self.of)) as u64;
        bound(self.index - 1)..bound(self.index)
    }
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) && of <= 1_000_000 => Ok(Shard { index, of }),
            _ => Err(format!("'{text}': expected i/n with 1 <= i <= n, as in 3/16")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = String;
    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

/// One pair of games to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its place in the order of the whole tournament.
    pub number: u64,
    /// Which pairing.
    pub pairing: usize,
    /// Which of the pairing's pairs.
    pub pair: u64,
}

/// The pairs of a tournament, or of a shard of it, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pairings: usize,
    numbers: Range<u64>,
}

impl Schedule {
    /// The schedule for so many pairings and pairs.
    pub fn new(pairings: usize, pairs: u64, shard: Option<Shard>) -> Schedule {
        let range = shard.map_or(0..pairs, |shard| shard.range(pairs));
        let width = pairings as u64;
        Schedule { pairings, numbers: range.start * width..range.end * width }
    }

    /// The numbers of its tasks.
    pub fn numbers(&self) -> Range<u64> {
        self.numbers.clone()
    }

    /// The task of a number.
    pub fn task(&self, number: u64) -> Task {
        let width = self.pairings as u64;
        Task { number, pairing: (number % width) as usize, pair: number / width }
    }
}

/// The largest number of pairs whose games can still be counted without care.
pub const MAX_PAIRS: u64 = 1_000_000_000;

/// The first position of every game.
pub fn start(shape: Shape) -> Position {
    Position::new(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_seeds_are_fixed_for_ever_and_differ() {
        let seeds = Seeds::Drawn { seed: 1, pairs: 1000 };
        assert_eq!([seeds.get(0), seeds.get(1)], [3_316_356_330_981_164, 8_232_782_446_381_918]);
        let mut all: Vec<u64> = (0..1000).map(|i| seeds.get(i)).collect();
        all.extend((0..1000).map(|i| Seeds::Drawn { seed: 2, pairs: 1000 }.get(i)));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2000);
        assert!(all.iter().all(|&seed| seed < 1 << 53));
    }

    #[test]
    fn seed_files_are_read_or_the_line_is_named() {
        let seeds = Seeds::from_lines("7\r\n\n # comment\n18446744073709551615 # largest\n").unwrap();
        assert_eq!(seeds, Seeds::Listed(vec![7, u64::MAX]));
        assert_eq!((seeds.len(), seeds.get(1)), (2, u64::MAX));
        for (text, word) in [("1\n-2\n", "line 2: '-2'"), ("x", "'x'"), ("# none\n", "no seed")] {
            let error = Seeds::from_lines(text).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn first_rolls_run_through_all_faces() {
        let board = start("5/4".parse().unwrap());
        let firsts: Vec<u8> = (0..7).map(|pair| Dice { seed: 9, pair }.roll(0, &board).unwrap()).collect();
        assert_eq!(firsts, [0, 1, 2, 3, 4, 0, 1]);
        let later = |pair| Dice { seed: 9, pair }.roll(1, &board);
        assert_eq!(later(0), later(3));
    }

    #[test]
    fn shards_cover_everything_once() {
        for (pairs, of) in [(200, 16), (5, 7), (1, 1), (17, 3), (MAX_PAIRS, 999_983)] {
            let mut next = 0;
            for index in 1..=of {
                let range = Shard { index, of }.range(pairs);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, pairs);
        }
        for text in ["0/4", "5/4", "1", "a/b", "1/0", "-1/4", ""] {
            assert!(text.parse::<Shard>().unwrap_err().contains(&format!("'{text}'")));
        }
    }

    #[test]
    fn the_order_is_pair_by_pair() {
        let schedule = Schedule::new(3, 4, Some(Shard { index: 2, of: 2 }));
        let tasks: Vec<_> = schedule.numbers().map(|n| schedule.task(n)).map(|t| (t.pairing, t.pair)).collect();
        assert_eq!(tasks, [(0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3)]);
    }
}
