//! Star0.5: outcomes searched with full windows, as in Expectimax, but the node is left as soon as those seen so far
//! settle it. The step between Expectimax and Star1.

use super::{Chance, Memoryless, Plan};
use crate::eval::Evaluator;
use crate::game::Shortcuts;
use crate::search::node::Node;
use crate::search::window::Window;
use crate::search::worker::{SearchResult, Worker};

/// Full windows, a cut between outcomes.
pub(in crate::search) struct Star05;

impl Memoryless for Star05 {
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
        for i in worker.order.over(node.outcomes.len()) {
            if !node.is_open(i) {
                continue;
            }
            let inner = Window::FULL.within(node.outcomes.part(i).bounds);
            node.search::<Self>(worker, i, inner)?;
            if let Some(value) = node.outcomes.settled(node.window) {
                worker.counters.search_cuts += u64::from(!node.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(node.outcomes.bounds().lo)
    }
}
