//! What the threads of a search have lately proven of chance nodes at the frontier.
//!
//! They are most of all nodes, cheap to search again, and met again soon or never. In the large table each would cost
//! a trip to memory and push out something dearer; here they stay near the processor. Threads share it without
//! locks, as they do the table.

use super::memory::{Memory, prefetch};
use super::table::Known;
use crate::game::{Bounds, Value, mix};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Binary digits of the number of pairs: 2 MB in all.
const PAIR_BITS: u32 = 16;

/// The last two nodes whose hashes begin alike, the later first. Of each its bounds, and before them its hash xored with
/// them: of two threads writing at once each may leave one of the words, and then they do not belong together.
type Pair = [AtomicU64; PAIR_WORDS];
const PAIR_WORDS: usize = 4;

/// A memory of nodes, all to one depth, where each is pushed out by the second that comes in its place.
pub(super) struct FrontierCache {
    memory: Memory,
    /// Mixed into every hash, so that what was there before the last [`forget`](FrontierCache::forget) is never found.
    salt: u64,
}

impl FrontierCache {
    /// A memory with nothing in it; if there is none to be had, one that keeps nothing.
    pub fn new() -> FrontierCache {
        let memory = Memory::new(PAIR_WORDS << PAIR_BITS).unwrap_or_default();
        FrontierCache { memory, salt: mix(0) }
    }

    /// Forget everything.
    pub fn forget(&mut self) {
        self.salt = mix(self.salt.wrapping_add(1));
    }

    /// Have the system bring all memory in now, so that no search waits for it.
    pub fn fetch(&mut self) {
        self.memory.fetch();
    }

    #[inline]
    fn pair(&self, hash: u64) -> Option<&Pair> {
        let place = (hash >> (u64::BITS - PAIR_BITS)) as usize;
        self.memory.words().get(PAIR_WORDS * place..)?.first_chunk()
    }

    /// Have the place of a hash at hand for a look-up soon.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.pair(hash));
    }

    /// What is known of the node with this hash.
    #[inline]
    pub fn known(&self, hash: u64) -> Option<Known> {
        let wanted = hash ^ self.salt;
        let [check, bounds, older_check, older_bounds] = self.pair(hash)?.each_ref().map(|word| word.load(Relaxed));
        let kept = [(check, bounds), (older_check, older_bounds)];
        let (_, bounds) = kept.into_iter().find(|(check, bounds)| check ^ bounds == wanted)?;
        Some(Known { bounds: unpack(bounds), solved: false })
    }

    /// Take in what is known of a node by now. What the rules alone settle need not be kept.
    #[inline]
    pub fn learn(&self, hash: u64, bounds: Bounds) {
        let Some([check, place, older_check, older_place]) = self.pair(hash) else { return };
        older_check.store(check.load(Relaxed), Relaxed);
        older_place.store(place.load(Relaxed), Relaxed);
        let bounds = pack(bounds);
        check.store(hash ^ self.salt ^ bounds, Relaxed);
        place.store(bounds, Relaxed);
    }
}

fn pack(bounds: Bounds) -> u64 {
    u64::from(bounds.lo.raw() as u32) << u32::BITS | u64::from(bounds.hi.raw() as u32)
}

fn unpack(word: u64) -> Bounds {
    Bounds { lo: Value::from_legal((word >> u32::BITS) as i32), hi: Value::from_legal(word as i32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(i: u64) -> u64 {
        mix(i << 32 | 1)
    }

    fn bounds(i: u64) -> Bounds {
        Bounds { lo: Value::from_raw(i as i64 - 80_000), hi: Value::from_raw(i as i64) }
    }

    #[test]
    fn answers_for_the_node_it_was_told_of_and_no_other() {
        let mut frontier_cache = FrontierCache::new();
        for i in 0..160_000 {
            assert_eq!(frontier_cache.known(hash(i)), None);
            frontier_cache.learn(hash(i), bounds(i));
            assert_eq!(frontier_cache.known(hash(i)), Some(Known { bounds: bounds(i), solved: false }));
        }
        let kept =
            (0..160_000).filter(|&i| frontier_cache.known(hash(i)).is_some_and(|known| known.bounds == bounds(i)));
        // The mean of a Poisson variable of 160000 / 65536, capped at 2, is 1.613 nodes in each of 65536 pairs.
        assert!((105_200..106_300).contains(&kept.count()));
        frontier_cache.forget();
        assert!((0..160_000).all(|i| frontier_cache.known(hash(i)).is_none()), "what was forgotten is not found");
    }

    #[test]
    fn words_of_two_writers_are_not_taken_for_one_node() {
        let frontier_cache = FrontierCache::new();
        frontier_cache.learn(hash(1), bounds(1));
        let [_, place, ..] = frontier_cache.pair(hash(1)).unwrap();
        place.store(pack(bounds(2)), Relaxed);
        assert_eq!(frontier_cache.known(hash(1)), None);
    }

    #[test]
    fn a_node_is_pushed_out_by_the_second_other_in_its_place() {
        let frontier_cache = FrontierCache::new();
        let known = |i| frontier_cache.known(i).map(|known| known.bounds);
        frontier_cache.learn(1, bounds(1));
        frontier_cache.learn(2, bounds(2));
        assert_eq!([1, 2, 3].map(known), [Some(bounds(1)), Some(bounds(2)), None]);
        frontier_cache.learn(3, bounds(3));
        assert_eq!([1, 2, 3].map(known), [None, Some(bounds(2)), Some(bounds(3))]);
        frontier_cache.learn(3, bounds(4));
        assert_eq!(known(3), Some(bounds(4)), "what was learnt last of a node counts");
    }
}
