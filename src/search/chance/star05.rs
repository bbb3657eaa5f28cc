//! Star0.5: outcomes searched with full windows, as in Expectimax, but the node is left as soon as those seen so far
//! settle it. The step between Expectimax and Star1.

use super::{Chance, Method, Plan};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::window::Window;
use crate::search::worker::{Found, Worker};

/// Full windows, a cut between outcomes.
pub(in crate::search) struct Star05;

impl Method for Star05 {
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
        for i in worker.tour.over(node.outcomes.len()) {
            if !node.is_open(i) {
                continue;
            }
            let inner = Window::FULL.within(node.outcomes.part(i).bounds);
            node.search::<Self>(worker, i, inner)?;
            if let Some(value) = node.outcomes.settled(window) {
                worker.counters.search_cuts += u64::from(!node.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(node.outcomes.bounds().lo)
    }
}
