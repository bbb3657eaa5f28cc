//! What can be seen of every move next after a chance node from there, asked for at once.
//!
//! Where the evaluation ignores outcomes, the values that put the moves of the next decisions in order can be had from
//! the chance node itself, and so can the hashes of the nodes that they lead to: if such a node is remembered, its move
//! need not be made. A decision is probed and then searched: both find all of this in the thread's [`Sights`].

use crate::game::{ArrayVec, MAX_BRANCHES, Turn, Value};

/// A move as seen from the chance node before it, which is quiet, as is the one after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct Sight {
    /// What the evaluation says of it.
    pub value: Value,
    /// Whose view the node after it is seen from.
    pub turn: Turn,
    /// The hash of that node.
    pub hash: u64,
}

/// What a thread sees at all chance nodes from the root to where it is.
pub(in crate::search) type Sights = Vec<Sight>;

/// No sights begin here.
const UNSEEN: u32 = u32::MAX;

/// Where among the sights the moves after each outcome begin, as far as they have been looked at.
pub(super) struct Foresight {
    starts: ArrayVec<u32, MAX_BRANCHES>,
}

impl Foresight {
    /// Nothing has been looked at.
    #[inline(always)]
    pub fn new() -> Foresight {
        Foresight { starts: ArrayVec::new() }
    }

    /// The moves after the next outcome are not looked at.
    #[inline(always)]
    pub fn skip(&mut self) {
        self.starts.push(UNSEEN);
    }

    /// The moves after the next outcome come next in `sights`.
    #[inline(always)]
    pub fn begin(&mut self, sights: &Sights) {
        self.starts.push(sights.len() as u32);
    }

    /// Where the moves after the `i`-th outcome begin.
    pub fn of(&self, i: usize) -> Option<usize> {
        self.starts.get(i).filter(|&&start| start != UNSEEN).map(|&start| start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_finds_its_own() {
        let sight = Sight { value: Value::DRAW, turn: Turn::Passed, hash: 7 };
        let mut sights = vec![sight; 3];
        let mut foresight = Foresight::new();
        assert_eq!(foresight.of(0), None);
        foresight.begin(&sights);
        sights.extend([sight; 2]);
        foresight.skip();
        foresight.begin(&sights);
        assert_eq!([0, 1, 2, 3].map(|i| foresight.of(i)), [Some(3), None, Some(5), None]);
    }
}
