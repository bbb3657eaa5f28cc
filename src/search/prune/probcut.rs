//! ProbCut (Buro 1995): a node is not searched in full if a shallower search says that it would probably fail. If the shallow
//! value lies so far above the window that the predicted one, less a few deviations, still does, the node is taken to fail high;
//! likewise below.
//!
//! At chance nodes this is ChanceProbCut (Schadd, Winands & Uiterwijk 2009): they are averages, whose values change less from depth
//! to depth than those of decisions.

use super::prediction::{Prediction, REDUCTION};
use crate::eval::Evaluator;
use crate::game::{Shortcuts, Value};
use crate::search::chance::Method;
use crate::search::node::Node;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

impl<G: Shortcuts, E: Evaluator<G>> Worker<'_, G, E> {
    /// The end of `window` that a node's value probably lies beyond. Only the end that is nearer to the evaluation is tried.
    pub(super) fn predicted_cut<M: Method>(
        &mut self,
        node: &Node<'_, G, E>,
        window: Window,
        prediction: Prediction,
    ) -> Result<Option<Value>, Stopped> {
        let deviations = self.pruning.margins.deviations;
        let shallow = Node::new(node.game, node.state, node.depth - REDUCTION, node.ply);
        if self.leans_up(node, window) {
            let Some(bound) = prediction.above(window.beta, deviations) else { return Ok(None) };
            Ok((self.search::<M>(&shallow, Window::at_least(bound))? >= bound).then_some(window.beta))
        } else {
            let Some(bound) = prediction.below(window.alpha, deviations) else { return Ok(None) };
            Ok((self.search::<M>(&shallow, Window::at_most(bound))? <= bound).then_some(window.alpha))
        }
    }

    /// Whether the evaluation of a node lies nearer to the upper end of `window` than to the lower.
    pub(super) fn leans_up(&mut self, node: &Node<'_, G, E>, window: Window) -> bool {
        self.counters.guiding_evaluations += 1;
        2 * self.evaluator.value(node.state, node.game).raw() >= window.alpha.raw() + window.beta.raw()
    }
}
