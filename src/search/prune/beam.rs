//! A beam: at each decision but the last before the leaves, only the moves that look best are searched.
//!
//! So GNU Backgammon's move filters work (Hauk, Buro & Schaeffer 2006): a static evaluation of all children, of which a fixed number
//! is kept. Moves that look as good as one that is kept are kept too: so the choice does not depend on the order of moves, and
//! mirror images have one value. The moves of the root are all kept.

use crate::eval::{Evaluator, at_sight};
use crate::game::{Shortcuts, Value};
use crate::search::node::Node;
use crate::search::ordering::Choices;
use crate::search::worker::Worker;

/// The value that a move must look worth to be one of the `count` best.
fn bar(values: &mut [Value], count: usize) -> Value {
    values.sort_unstable_by(|a, b| b.cmp(a));
    values.get(count.max(1) - 1).copied().unwrap_or(Value::LOSS)
}

impl<G: Shortcuts, E: Evaluator<G>> Worker<'_, G, E> {
    /// Leave out all but the best of a decision's moves.
    #[cold]
    pub fn narrow(&mut self, node: &Node<'_, G, E>, choices: &mut Choices<G>) {
        let count = self.pruning.margins.beam;
        if choices.len() <= count {
            return;
        }
        let children = self.evaluator.children(node.state, node.game);
        let values: Vec<Value> = match node.previews {
            Some(start) => self.previews[start..start + choices.len()].iter().map(|preview| preview.value).collect(),
            None => {
                self.counters.guiding_evaluations += choices.len() as u64;
                choices.iter().map(|choice| at_sight(&children, node.game, choice.mv)).collect()
            }
        };
        let least = bar(&mut values.clone(), count);
        *choices =
            choices.iter().zip(&values).filter(|&(_, &value)| value >= least).map(|(&choice, _)| choice).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_the_last_of_the_best() {
        for (count, least) in [(1, 9), (2, 7), (3, 7), (4, 1), (5, i64::MIN), (usize::MAX, i64::MIN), (0, 9)] {
            let mut values = [7, 1, 9, 7].map(Value::from_raw);
            assert_eq!(bar(&mut values, count), Value::from_raw(least), "{count}");
        }
    }
}
