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
    slots: Box<[Slot]>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    bounds: Bounds,
}

impl Recent {
    /// Nothing proven yet.
    pub fn new() -> Recent {
        Recent { slots: vec![Slot { hash: 0, bounds: Bounds::UNKNOWN }; 1 << SLOT_BITS].into() }
    }

    fn place(hash: u64) -> usize {
        (hash >> (u64::BITS - SLOT_BITS)) as usize
    }

    /// What is known of the node with this hash.
    #[inline]
    pub fn known(&self, hash: u64) -> Option<Known> {
        let slot = self.slots[Recent::place(hash)];
        (slot.hash == hash).then_some(Known { bounds: slot.bounds, solved: false })
    }

    /// Take in what is known of a node by now. What the rules alone settle need not be kept.
    #[inline]
    pub fn learn(&mut self, hash: u64, bounds: Bounds) {
        self.slots[Recent::place(hash)] = Slot { hash, bounds };
    }
}
