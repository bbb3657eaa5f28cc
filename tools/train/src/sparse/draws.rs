//! Draws of the streams of [`alea_tools::random`], a number of 64 bits each: how many were taken never depends on what came.

use alea_tools::random::draws;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// What numbers are drawn for; draws for one thing do not depend on those for another.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The first weights of a network.
    Weights,
    /// Games of self-play.
    Games,
    /// The order in which positions are learnt from.
    Order,
    /// Start positions of measured games.
    Starts,
    /// The order in which games are learnt from once more.
    Again,
}

impl Purpose {
    /// The word that keys the stream. Other words would make other networks than those that come with the engine.
    fn word(self) -> &'static str {
        match self {
            Purpose::Weights => "",
            Purpose::Games => "\u{1}",
            Purpose::Order => "\u{2}",
            Purpose::Starts => "\u{3}",
            Purpose::Again => "\u{4}",
        }
    }
}

/// A source of random numbers.
pub struct Draws(ChaCha8Rng);

impl Draws {
    /// The draws of a seed for a purpose, of which there are many series.
    pub fn new(seed: u64, purpose: Purpose, series: u64) -> Draws {
        Draws(draws(seed, purpose.word(), series))
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.0.next_u64()) * limit as u128) >> 64) as usize
    }

    /// Whether something of this chance happens.
    pub fn chance(&mut self, chance: f64) -> bool {
        ((self.0.next_u64() >> 11) as f64) < chance * (1_u64 << 53) as f64
    }

    /// A number from −1 to 1.
    pub fn signed(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Put a list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn draws_are_fixed_and_apart() {
        let purposes = [Purpose::Weights, Purpose::Games, Purpose::Order, Purpose::Starts, Purpose::Again];
        let cases = [(1, 0), (2, 0), (1, 1)];
        let mut seen = Vec::new();
        for (byte, purpose) in (0..).zip(purposes) {
            for (seed, series) in cases {
                let mut key = [0; 32];
                (key[0], key[8]) = (seed, byte);
                let mut stream = ChaCha8Rng::from_seed(key);
                stream.set_stream(series);
                let first = Draws::new(seed.into(), purpose, series).0.next_u64();
                assert_eq!(first, stream.next_u64(), "{purpose:?} {seed} {series}");
                assert!(!seen.contains(&first));
                seen.push(first);
            }
        }
    }

    #[test]
    fn shuffled_lists_keep_their_items() {
        let mut list: Vec<u32> = (0..100).collect();
        Draws::new(7, Purpose::Order, 3).shuffle(&mut list);
        assert!(!list.is_sorted());
        list.sort();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
