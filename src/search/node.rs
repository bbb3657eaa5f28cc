//! A node that a value is asked for.

use std::borrow::Cow;

use crate::eval::Evaluator;
use crate::game::{Key, Shortcuts, Step};

/// A node to be searched.
pub(super) struct Node<'a, G: Shortcuts, E: Evaluator<G>> {
    pub game: &'a G,
    pub state: &'a E::State,
    /// The node's key, where somebody has needed it before.
    pub key: Option<Key>,
    /// Where the thread's previews of a decision's moves, in their order, begin, if they have been made.
    pub previews: Option<usize>,
    /// Whether the window that the node is searched in leaves out what the rules rule out, so that they need not be asked.
    pub ruled: bool,
    pub depth: u32,
    /// How far from the root.
    pub ply: usize,
}

impl<'a, G: Shortcuts, E: Evaluator<G>> Node<'a, G, E> {
    /// A node out of the blue.
    pub fn new(game: &'a G, state: &'a E::State, depth: u32, ply: usize) -> Self {
        Node { game, state, key: None, previews: None, ruled: false, depth, ply }
    }

    /// A node one step further.
    pub fn child<'b>(&self, game: &'b G, state: &'b E::State) -> Node<'b, G, E> {
        Node::new(game, state, self.depth - 1, self.ply + 1)
    }

    /// The state of the evaluation after an outcome of this chance node.
    #[inline(always)]
    pub fn state_after(&self, evaluator: &E, outcome: u8, child: &G) -> Cow<'a, E::State> {
        state_after(evaluator, self.game, self.state, outcome, child)
    }

    /// The node's key.
    pub fn key(&self, images: bool) -> Key {
        self.key.unwrap_or_else(|| self.game.key(images, self.depth))
    }
}

/// The state of `child`, the position after `outcome` in `game`: that of `game` itself where outcomes are ignored.
#[inline(always)]
pub(super) fn state_after<'a, G: Shortcuts, E: Evaluator<G>>(
    evaluator: &E,
    game: &G,
    state: &'a E::State,
    outcome: u8,
    child: &G,
) -> Cow<'a, E::State> {
    if evaluator.ignores_outcomes() {
        Cow::Borrowed(state)
    } else {
        Cow::Owned(evaluator.advanced(state, game, Step::Outcome(outcome), child))
    }
}
