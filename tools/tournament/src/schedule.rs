//! Who plays whom, with which dice, in which order: all of it known before the first game.
//!
//! The order is pair by pair, every pairing in turn, so that all cells of a table grow together. A shard is a run of
//! consecutive pairs: shards one after the other are the whole.

use crate::shard::Shard;
use alea_tools::random::draws;
use alea_tools::text::visible;
use alea_tools::words::WordError;
use rand_chacha::rand_core::Rng;
use serde::{Deserialize, Serialize};
use std::ops::Range;

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
            Seeds::Drawn { seed, .. } => draws(*seed, "pairs", pair).next_u64() >> 11,
            Seeds::Listed(seeds) => usize::try_from(pair).ok().and_then(|i| seeds.get(i)).copied().unwrap_or(0),
        }
    }

    /// Seeds from a file's text: one a line; blank lines and what follows `#` are skipped.
    pub fn from_lines(text: &str) -> Result<Seeds, WordError> {
        let mut seeds = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let word = line.split('#').next().unwrap_or("").trim();
            if !word.is_empty() {
                let expected = || WordError::new(visible(word, 40), "expected a seed, a whole number");
                seeds.push(word.parse().map_err(|_| expected().within(format!("line {}", i + 1)))?);
            }
        }
        if seeds.is_empty() { Err(WordError::new("", "there is no seed in it")) } else { Ok(Seeds::Listed(seeds)) }
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

    /// How many tasks it has.
    pub fn len(&self) -> u64 {
        self.numbers.end - self.numbers.start
    }

    /// The task of a number.
    pub fn task(&self, number: u64) -> Task {
        let width = self.pairings as u64;
        Task { number, pairing: (number % width) as usize, pair: number / width }
    }
}

/// The largest number of pairs whose games can still be counted without care.
pub const MAX_PAIRS: u64 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_seeds_are_fixed_for_ever_and_differ() {
        let seeds = Seeds::Drawn { seed: 1, pairs: 1000 };
        assert_eq!([seeds.get(0), seeds.get(1)], [6_626_856_827_598_342, 1_598_566_405_149_520]);
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
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[test]
    fn the_order_is_pair_by_pair() {
        let schedule = Schedule::new(3, 4, Some(Shard { index: 2, of: 2 }));
        let tasks: Vec<_> = schedule.numbers().map(|n| schedule.task(n)).map(|t| (t.pairing, t.pair)).collect();
        assert_eq!(tasks, [(0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3)]);
    }
}
