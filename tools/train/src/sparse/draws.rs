//! Random numbers that are a pure function of a seed, of what they are for and of a number.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

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
}

/// A source of random numbers.
pub struct Draws(ChaCha8Rng);

impl Draws {
    /// The draws of a seed for a purpose, of which there are many series.
    pub fn new(seed: u64, purpose: Purpose, series: u64) -> Draws {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = purpose as u8;
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(series);
        Draws(generator)
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

    #[test]
    fn draws_are_fixed_and_apart() {
        let first = |seed, purpose, series| Draws::new(seed, purpose, series).below(1 << 20);
        assert_eq!(first(1, Purpose::Games, 0), first(1, Purpose::Games, 0));
        let all = [(1, Purpose::Games, 0), (2, Purpose::Games, 0), (1, Purpose::Order, 0), (1, Purpose::Games, 1)];
        let mut seen: Vec<usize> =
            all.into_iter().map(|(seed, purpose, series)| first(seed, purpose, series)).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), all.len());
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
