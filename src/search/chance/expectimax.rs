//! Expectimax (Michie 1966): every outcome searched with a full window, nothing cut. What the others are measured by.

use super::{Chance, Memoryless, evaluate_all_leaves};
use crate::eval::Evaluator;
use crate::game::Shortcuts;
use crate::search::node::Node;
use crate::search::window::Window;
use crate::search::worker::{SearchResult, Worker};

/// Every outcome in full.
pub(in crate::search) struct Expectimax;

impl Memoryless for Expectimax {
    fn chance<G: Shortcuts, E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E>,
        node: &Node<'_, G, E>,
        _: Window,
        frontier: bool,
    ) -> SearchResult {
        if frontier {
            return evaluate_all_leaves(worker, node);
        }
        let mut node = Chance::new(node, Window::FULL, frontier);
        node.list_outcomes(worker);
        for i in worker.order.over(node.outcomes.len()) {
            if node.is_open(i) {
                let inner = Window::FULL.within(node.outcomes.part(i).bounds);
                node.search::<Self>(worker, i, inner)?;
            }
        }
        Ok(node.outcomes.bounds().lo)
    }
}
