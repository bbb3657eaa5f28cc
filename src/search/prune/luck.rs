//! The Lucky/Unlucky Roll heuristic (Veness 2006, further work): a chance node is left if not even the luckiest outcome would
//! bring it into the window from below, or the unluckiest from above, by the word of shallower searches.

use super::prediction::REDUCTION;
use crate::eval::Evaluator;
use crate::game::{Outcome, Shortcuts, Step, Value};
use crate::search::chance::Method;
use crate::search::node::Node;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

impl<G: Shortcuts, E: Evaluator<G>> Worker<'_, G, E> {
    /// The end of `window` that all outcomes of a chance node seem to lie beyond. Only the end that is nearer to the evaluation is
    /// tried.
    pub(super) fn hopeless_or_safe<M: Method>(
        &mut self,
        node: &Node<'_, G, E>,
        window: Window,
    ) -> Result<Option<Value>, Stopped> {
        let up = self.leans_up(node, window);
        let end = if up { window.beta } else { window.alpha };
        if end == Value::WIN || end == Value::LOSS {
            return Ok(None);
        }
        let test = if up { Window::at_least(end) } else { Window::at_most(end) };
        let outcomes: Vec<Outcome> = node.game.outcomes().collect();
        for outcome in outcomes {
            let step = Step::Outcome(outcome.id);
            let child = node.game.child(step);
            let turn = node.game.turn(step, &child);
            let state = node.state_after(self.evaluator, outcome.id, &child);
            let below = Node::new(&child, &*state, node.depth - 1 - REDUCTION, node.ply + 1);
            let value = self.step::<M>(&below, test, turn)?;
            let inside = if up { value < end } else { value > end };
            if inside {
                return Ok(None);
            }
        }
        Ok(Some(end))
    }
}
