//! Random numbers that are the same on every machine, whatever the number of threads and however often a run was cut short:
//! ChaCha with 8 rounds (Bernstein 2008; rand_chacha), keyed by a seed and a purpose, one stream for each number of
//! what is drawn for. Nothing is carried over from one stream to the next, so any of them can be had at any time.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Bytes of a key that name the purpose.
const PURPOSE: usize = 24;

/// The draws of stream `number` for a purpose, which is a word of up to 24 bytes: `draws(seed, "games", 17)`.
pub fn draws(seed: u64, purpose: &str, number: u64) -> ChaCha8Rng {
    debug_assert!(purpose.len() <= PURPOSE, "a longer word would be cut off");
    let mut key = [0; 8 + PURPOSE];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].iter_mut().zip(purpose.bytes()).for_each(|(place, byte)| *place = byte);
    let mut draws = ChaCha8Rng::from_seed(key);
    draws.set_stream(number);
    draws
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt};

    #[test]
    fn streams_are_fixed_for_ever() {
        let first = |seed, purpose, number| draws(seed, purpose, number).next_u64();
        // By an implementation of its own, written after RFC 7539 with 8 rounds in place of 20.
        assert_eq!(first(1, "games", 0), 993_275_851_028_792_178);
        let all = [first(1, "games", 0), first(2, "games", 0), first(1, "weights", 0), first(1, "games", 1)];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }

    #[test]
    fn ranges_and_chances_are_fixed_too() {
        let mut draws = draws(7, "test", 3);
        let numbers: Vec<usize> = (0..8).map(|_| draws.random_range(0..10)).collect();
        let chances: Vec<bool> = (0..8).map(|_| draws.random_bool(0.5)).collect();
        assert_eq!(numbers, [8, 8, 5, 5, 6, 6, 4, 7]);
        assert_eq!(chances, [false, false, false, true, true, true, true, true]);
    }
}
