//! What is known of a value.

use super::{Turn, Value};

/// What is known of a node's value: it lies in `[lo, hi]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least this.
    pub lo: Value,
    /// At most this.
    pub hi: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lo: Value::LOSS, hi: Value::WIN };

    /// Everything is known.
    pub const fn exactly(value: Value) -> Bounds {
        Bounds { lo: value, hi: value }
    }

    /// Whether only one value is left.
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// What two sources say together. Both are about one node, so they agree on at least one value, if they are sound; if not,
    /// the greater lower bound counts.
    #[inline(always)]
    pub fn meet(self, other: Bounds) -> Bounds {
        let lo = self.lo.max(other.lo);
        Bounds { lo, hi: self.hi.min(other.hi).max(lo) }
    }

    /// The same knowledge from the view of the side before a step that led here.
    pub fn before(self, turn: Turn) -> Bounds {
        match turn {
            Turn::Kept => self,
            Turn::Passed => Bounds { lo: -self.hi, hi: -self.lo },
        }
    }
}
