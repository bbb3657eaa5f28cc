//! A node that a value is asked for, and how precisely.

use super::window::Window;
use crate::eval::Evaluator;
use crate::game::{Game, Key};

/// A node to be searched.
pub(super) struct Spot<'a, G: Game, E: Evaluator<G>> {
    pub game: &'a G,
    pub state: &'a E::State,
    /// The node's key, where somebody has needed it before.
    pub key: Option<Key>,
    pub window: Window,
    pub depth: u32,
    /// How far from the root.
    pub ply: usize,
}

impl<G: Game, E: Evaluator<G>> Clone for Spot<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Evaluator<G>> Copy for Spot<'_, G, E> {}

impl<'a, G: Game, E: Evaluator<G>> Spot<'a, G, E> {
    /// A node one step below the root or one that a line of play has led to.
    pub fn new(game: &'a G, state: &'a E::State, window: Window, depth: u32, ply: usize) -> Self {
        Spot { game, state, key: None, window, depth, ply }
    }

    /// A node one step further, which the same window is asked of.
    pub fn child(&self, game: &'a G, state: &'a E::State) -> Self {
        Spot { game, state, key: None, depth: self.depth - 1, ply: self.ply + 1, ..*self }
    }

    /// The same node with another window.
    pub fn within(self, window: Window) -> Self {
        Spot { window, ..self }
    }

    /// The node's key.
    pub fn key(&self, images: bool) -> Key {
        self.key.unwrap_or_else(|| self.game.key(images))
    }
}
