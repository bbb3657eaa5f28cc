//! What one thread has lately proven of chance nodes at the frontier.
//!
//! They are most of all nodes, cheap to search again, and met again soon or never. In the large table each would cost
//! a trip to memory and push out something dearer; here they stay in the processor's own cache.

use super::memory::prefetch;
use super::table::Known;
use crate::game::{Bounds, mix};
use parking_lot::Mutex;

/// Binary digits of the number of slots: 256 KB in all.
const SLOT_BITS: u32 = 14;

/// One node in the place of another as soon as their hashes begin alike. All nodes are to one depth.
#[derive(Default)]
pub(super) struct Recent {
    /// None until there is something to keep: the shortest searches have nothing.
    slots: Vec<Slot>,
    /// Mixed into every hash, so that what an earlier search left behind is never found.
    salt: u64,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    bounds: Bounds,
}

/// Memories that are not in use: making one anew for every short search would cost more than the search.
#[derive(Default)]
pub(super) struct Pool {
    idle: Mutex<(u64, Vec<Recent>)>,
}

impl Pool {
    /// A memory that remembers nothing.
    pub fn take(&self) -> Recent {
        let (taken, idle) = &mut *self.idle.lock();
        *taken += 1;
        Recent { salt: mix(*taken), ..idle.pop().unwrap_or_default() }
    }

    /// Keep a memory for another search.
    pub fn give_back(&self, recent: Recent) {
        self.idle.lock().1.push(recent);
    }
}

impl Recent {
    fn place(hash: u64) -> usize {
        (hash >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// Have the slot of a hash at hand for a look-up soon.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.slots.get(Recent::place(hash)));
    }

    /// What is known of the node with this hash.
    #[inline]
    pub fn known(&self, hash: u64) -> Option<Known> {
        let slot = self.slots.get(Recent::place(hash))?;
        (slot.hash == hash ^ self.salt).then_some(Known { bounds: slot.bounds, solved: false })
    }

    /// Take in what is known of a node by now. What the rules alone settle need not be kept.
    #[inline]
    pub fn learn(&mut self, hash: u64, bounds: Bounds) {
        if self.slots.is_empty() {
            self.make_room();
        }
        self.slots[Recent::place(hash)] = Slot { hash: hash ^ self.salt, bounds };
    }

    #[cold]
    fn make_room(&mut self) {
        self.slots = vec![Slot { hash: 0, bounds: Bounds::UNKNOWN }; 1 << SLOT_BITS];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;

    #[test]
    fn answers_for_the_node_it_was_told_of_and_no_other() {
        let pool = Pool::default();
        let mut recent = pool.take();
        let hash = |i: u64| mix(i << 32);
        let bounds = |i: u64| Bounds { lo: Value::from_raw(i as i64), hi: Value::WIN };
        for i in 0..20_000 {
            assert_eq!(recent.known(hash(i)), None);
            recent.learn(hash(i), bounds(i));
            assert_eq!(recent.known(hash(i)), Some(Known { bounds: bounds(i), solved: false }));
        }
        let kept = (0..20_000).filter(|&i| recent.known(hash(i)).is_some_and(|known| known.bounds == bounds(i)));
        // 16384 slots, each with the last of 1.22 nodes on average: all but e^-1.22 of them are taken.
        assert!((11_400..11_700).contains(&kept.count()));
        pool.give_back(recent);
        let recent = pool.take();
        assert!((0..20_000).all(|i| recent.known(hash(i)).is_none()), "another search knows nothing of this one");
    }
}
