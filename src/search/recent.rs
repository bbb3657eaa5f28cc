//! What one thread has lately proven of chance nodes at the frontier.
//!
//! They are most of all nodes, cheap to search again, and met again soon or never. In the large table each would cost
//! a trip to memory and push out something dearer; here they stay in the processor's own cache.

use super::table::Known;
use crate::game::Bounds;

/// Binary digits of the number of slots: 128 KB in all.
const SLOT_BITS: u32 = 13;

/// One node in the place of another as soon as their hashes begin alike. All nodes are to one depth.
pub(super) struct Recent {
    /// None until there is something to keep: the shortest searches have nothing.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    bounds: Bounds,
}

impl Recent {
    /// Nothing proven yet.
    pub fn new() -> Recent {
        Recent { slots: Vec::new() }
    }

    fn place(hash: u64) -> usize {
        (hash >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// What is known of the node with this hash.
    #[inline]
    pub fn known(&self, hash: u64) -> Option<Known> {
        let slot = self.slots.get(Recent::place(hash))?;
        (slot.hash == hash).then_some(Known { bounds: slot.bounds, solved: false })
    }

    /// Take in what is known of a node by now. What the rules alone settle need not be kept.
    #[inline]
    pub fn learn(&mut self, hash: u64, bounds: Bounds) {
        if self.slots.is_empty() {
            self.make_room();
        }
        self.slots[Recent::place(hash)] = Slot { hash, bounds };
    }

    #[cold]
    fn make_room(&mut self) {
        self.slots = vec![Slot { hash: 0, bounds: Bounds::UNKNOWN }; 1 << SLOT_BITS];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Value, mix};

    #[test]
    fn answers_for_the_node_it_was_told_of_and_no_other() {
        let mut recent = Recent::new();
        let bounds = |i: u64| Bounds { lo: Value::from_raw(i as i64), hi: Value::WIN };
        for i in 0..20_000 {
            let hash = mix(i);
            assert_eq!(recent.known(hash), None);
            recent.learn(hash, bounds(i));
            assert_eq!(recent.known(hash), Some(Known { bounds: bounds(i), solved: false }));
        }
        let kept = (0..20_000).filter(|&i| recent.known(mix(i)).is_some_and(|known| known.bounds == bounds(i)));
        // 8192 slots, each with the last of 2.44 nodes on average: all but e^-2.44 of them are taken.
        assert!((7_300..7_600).contains(&kept.count()));
    }
}
