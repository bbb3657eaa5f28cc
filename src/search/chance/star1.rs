//! Star1 (Ballard 1983): each outcome is searched only as precisely as the node's window, and what the other outcomes
//! can still give, require.

use super::{Chance, Memoryless, Plan};
use crate::eval::Evaluator;
use crate::game::Shortcuts;
use crate::search::node::Node;
use crate::search::window::Window;
use crate::search::worker::{SearchResult, Worker};

/// Narrowed windows.
pub(in crate::search) struct Star1;

impl Memoryless for Star1 {
    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        window: Window,
        frontier: bool,
    ) -> SearchResult {
        let mut node = Chance::new(node, window, frontier);
        node.list_outcomes(worker);
        if let Some(value) = node.open(worker, Plan::UntilSettled)? {
            return Ok(value);
        }
        node.search_in_windows::<Self>(worker, worker.order)
    }
}
