//! Star1 (Ballard 1983): each outcome is searched only as precisely as the node's window, and what the other outcomes
//! can still give, require.

use super::{Chance, Method, Plan};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::window::Window;
use crate::search::worker::{Found, Worker};

/// Narrowed windows.
pub(in crate::search) struct Star1;

impl Method for Star1 {
    fn chance<G: Game, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        game: &G,
        state: &E::State,
        window: Window,
        depth: u32,
        ply: usize,
    ) -> Found {
        let mut node = Chance::<G, E>::new(game, state, window, depth, ply);
        if let Some(value) = node.settled_unsearched(worker) {
            return Ok(value);
        }
        if node.is_frontier(worker) {
            return node.search_frontier(worker, Plan::UntilSettled);
        }
        node.search_in_windows::<Self>(worker)
    }
}
