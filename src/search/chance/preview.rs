//! What can be seen of every move next after a chance node from there, asked for at once.
//!
//! Where the evaluation ignores outcomes, the values that put the moves of the next decisions in order can be had from
//! the chance node itself, and so can the hashes of the nodes that they lead to: if such a node is remembered, its move
//! need not be made. A decision is probed and then searched: both find all of this in the thread's [`Previews`].

use crate::game::{Capacity, List, Turn, Value};

/// A move as seen from the chance node before it, which is quiet, as is the one after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct Preview {
    /// What the evaluation says of it.
    pub value: Value,
    /// Whose view the node after it is seen from.
    pub turn: Turn,
    /// The hash of that node.
    pub hash: u64,
}

/// What a thread sees at all chance nodes from the root to where it is.
pub(in crate::search) type Previews = Vec<Preview>;

/// No previews begin here.
const UNSEEN: u32 = u32::MAX;

/// Where among the previews the moves after each outcome begin, as far as they have been looked at.
pub(super) struct PreviewIndex<C: Capacity> {
    starts: C::List<u32>,
}

impl<C: Capacity> PreviewIndex<C> {
    /// Nothing has been looked at.
    #[inline(always)]
    pub fn new() -> PreviewIndex<C> {
        PreviewIndex { starts: Default::default() }
    }

    /// The moves after the next outcome are not looked at.
    #[inline(always)]
    pub fn skip(&mut self) {
        self.starts.push(UNSEEN);
    }

    /// The moves after the next outcome come next in `previews`.
    #[inline(always)]
    pub fn begin(&mut self, previews: &Previews) {
        self.starts.push(previews.len() as u32);
    }

    /// Where the moves after the `i`-th outcome begin.
    pub fn of(&self, i: usize) -> Option<usize> {
        self.starts.get(i).filter(|&&start| start != UNSEEN).map(|&start| start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::UpTo;

    #[test]
    fn every_outcome_finds_its_own() {
        let preview = Preview { value: Value::DRAW, turn: Turn::Passed, hash: 7 };
        let mut previews = vec![preview; 3];
        let mut preview_index = PreviewIndex::<UpTo<4>>::new();
        assert_eq!(preview_index.of(0), None);
        preview_index.begin(&previews);
        previews.extend([preview; 2]);
        preview_index.skip();
        preview_index.begin(&previews);
        assert_eq!([0, 1, 2, 3].map(|i| preview_index.of(i)), [Some(3), None, Some(5), None]);
    }
}
