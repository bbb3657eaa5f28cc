//! A node that a value is asked for.

use crate::eval::Evaluator;
use crate::game::{Game, Key};

/// A node to be searched.
pub(super) struct Spot<'a, G: Game, E: Evaluator<G>> {
    pub game: &'a G,
    pub state: &'a E::State,
    /// The node's key, where somebody has needed it before.
    pub key: Option<Key>,
    /// Where the thread's sights of a decision's moves, in their order, begin, if somebody has looked at them before.
    pub sights: Option<usize>,
    /// Whether the window that the node is searched in leaves out what the rules rule out, so that they need not be asked.
    pub ruled: bool,
    pub depth: u32,
    /// How far from the root.
    pub ply: usize,
}

impl<'a, G: Game, E: Evaluator<G>> Spot<'a, G, E> {
    /// A node out of the blue.
    pub fn new(game: &'a G, state: &'a E::State, depth: u32, ply: usize) -> Self {
        Spot { game, state, key: None, sights: None, ruled: false, depth, ply }
    }

    /// A node one step further.
    pub fn child<'b>(&self, game: &'b G, state: &'b E::State) -> Spot<'b, G, E> {
        Spot::new(game, state, self.depth - 1, self.ply + 1)
    }

    /// The node's key.
    pub fn key(&self, images: bool) -> Key {
        self.key.unwrap_or_else(|| self.game.key(images))
    }
}
