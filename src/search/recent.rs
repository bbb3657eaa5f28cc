//! What the threads of a search have lately proven of chance nodes at the frontier.
//!
//! They are most of all nodes, cheap to search again, and met again soon or never. In the large table each would cost
//! a trip to memory and push out something dearer; here they stay near the processor. Threads share it without
//! locks, as they do the table.

use super::memory::{Memory, prefetch};
use super::table::Known;
use crate::game::{Bounds, Value, mix};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Binary digits of the number of slots: 2 MB in all.
const SLOT_BITS: u32 = 17;

/// A node's bounds, and before them its hash xored with them: of two threads writing at once each may leave one of the
/// words, and then they do not belong together.
type Slot = [AtomicU64; SLOT_WORDS];
const SLOT_WORDS: usize = 2;

/// One node in the place of another as soon as their hashes begin alike. All nodes are to one depth.
pub(super) struct Recent {
    memory: Memory,
    /// Mixed into every hash, so that what was there before the last [`forget`](Recent::forget) is never found.
    salt: u64,
}

impl Recent {
    /// A memory with nothing in it; if there is none to be had, one that keeps nothing.
    pub fn new() -> Recent {
        let memory = Memory::new(SLOT_WORDS << SLOT_BITS).unwrap_or_default();
        Recent { memory, salt: mix(0) }
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
    fn slot(&self, hash: u64) -> Option<&Slot> {
        let place = (hash >> (u64::BITS - SLOT_BITS)) as usize;
        self.memory.words().get(SLOT_WORDS * place..)?.first_chunk()
    }

    /// Have the slot of a hash at hand for a look-up soon.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.slot(hash));
    }

    /// What is known of the node with this hash.
    #[inline]
    pub fn known(&self, hash: u64) -> Option<Known> {
        let [check, bounds] = self.slot(hash)?;
        let bounds = bounds.load(Relaxed);
        (check.load(Relaxed) ^ bounds == hash ^ self.salt).then(|| Known { bounds: unpack(bounds), solved: false })
    }

    /// Take in what is known of a node by now. What the rules alone settle need not be kept.
    #[inline]
    pub fn learn(&self, hash: u64, bounds: Bounds) {
        let Some([check, place]) = self.slot(hash) else { return };
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
        let mut recent = Recent::new();
        for i in 0..160_000 {
            assert_eq!(recent.known(hash(i)), None);
            recent.learn(hash(i), bounds(i));
            assert_eq!(recent.known(hash(i)), Some(Known { bounds: bounds(i), solved: false }));
        }
        let kept = (0..160_000).filter(|&i| recent.known(hash(i)).is_some_and(|known| known.bounds == bounds(i)));
        // 131072 slots, each with the last of 1.22 nodes on average: all but e^-1.22 of them are taken.
        assert!((91_900..92_900).contains(&kept.count()));
        recent.forget();
        assert!((0..160_000).all(|i| recent.known(hash(i)).is_none()), "what was forgotten is not found");
    }

    #[test]
    fn words_of_two_writers_are_not_taken_for_one_node() {
        let recent = Recent::new();
        recent.learn(hash(1), bounds(1));
        let [_, place] = recent.slot(hash(1)).unwrap();
        place.store(pack(bounds(2)), Relaxed);
        assert_eq!(recent.known(hash(1)), None);
    }
}
