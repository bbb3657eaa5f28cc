//! What chance brings, as a pure function of a seed and a place in the game: the same on every machine and in every
//! release.

use super::Outcome;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Words of the generator's output that one draw takes.
const WORDS: u128 = 2;

/// The outcome that `seed` brings at `ply` (0 for the first draw of a game), drawn by weight; `None` where there is nothing
/// to draw from.
pub fn draw(seed: u64, ply: u32, outcomes: impl Iterator<Item = Outcome> + Clone) -> Option<u8> {
    let total: u64 = outcomes.clone().map(|outcome| u64::from(outcome.weight)).sum();
    let mut place = below(seed, ply, total);
    outcomes.into_iter().find_map(|outcome| {
        let found = place < u64::from(outcome.weight);
        place = place.wrapping_sub(outcome.weight.into());
        found.then_some(outcome.id)
    })
}

/// A number below `total`.
fn below(seed: u64, ply: u32, total: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_word_pos(WORDS * u128::from(ply));
    ((u128::from(generator.next_u64()) * u128::from(total)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_by_weight_and_fixed_for_ever() {
        let outcomes = [(3, 1), (5, 2), (9, 5)].map(|(id, weight)| Outcome { id, weight });
        let draws: Vec<u8> = (0..12).map(|ply| draw(7, ply, outcomes.iter().copied()).unwrap()).collect();
        assert_eq!(draws, [9, 9, 3, 5, 9, 5, 5, 5, 9, 9, 9, 9]);
        for (id, share) in [(3, 0.125), (5, 0.25), (9, 0.625)] {
            let count = (0..20_000).filter(|&seed| draw(seed, 3, outcomes.iter().copied()) == Some(id)).count();
            let found = count as f64 / 20_000.0;
            assert!((found - share).abs() < 0.015, "{id}: {found} for {share}");
        }
        assert_eq!(draw(1, 0, std::iter::empty()), None);
    }
}
