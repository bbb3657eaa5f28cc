//! Lucky and unlucky rolls left out: the mean over outcomes is taken without its extremes, a trimmed mean.
//!
//! Which outcomes are extreme is said by the evaluation of the best move after each. From either end as many are left out as
//! weigh no more than their share together. Those that are as lucky as one that stays, stay too: so the choice does not depend
//! on the order of outcomes, and mirror images have one value.

use crate::eval::{Evaluator, at_sight};
use crate::game::{Bounds, Kind, Shortcuts, Step, Value};
use crate::search::node::Node;
use crate::search::window::before;
use crate::search::worker::Worker;

/// Which outcomes stay, given the weight and the luck of each, where `share` per cent of all weight may go at either end.
pub(in crate::search) fn trimmed(outcomes: &[(u32, Value)], share: u32) -> Vec<bool> {
    let total: u64 = outcomes.iter().map(|&(weight, _)| u64::from(weight)).sum();
    // Less than half, so that something stays.
    let room = total * u64::from(share.min(49)) / 100;
    let mut order: Vec<usize> = (0..outcomes.len()).collect();
    order.sort_by_key(|&i| outcomes[i].1);
    let worst_kept = first_kept(outcomes, order.iter().copied(), room);
    let best_kept = first_kept(outcomes, order.iter().rev().copied(), room);
    outcomes.iter().map(|(_, luck)| (worst_kept..=best_kept).contains(luck)).collect()
}

/// The luck of the first outcome in some order that does not fit into `room` with those before it.
fn first_kept(outcomes: &[(u32, Value)], mut order: impl Iterator<Item = usize>, room: u64) -> Value {
    let mut used = 0;
    let stays = |&i: &usize| {
        used += u64::from(outcomes[i].0);
        used > room
    };
    order.find(stays).map_or(Value::DRAW, |i| outcomes[i].1)
}

impl<G: Shortcuts, E: Evaluator<G>> Worker<'_, G, E> {
    /// How lucky an outcome of a chance node is, in the node's view: what the evaluation says of the best move after it. `told` is
    /// what the rules say.
    pub fn luck(&mut self, node: &Node<'_, G, E>, outcome: u8, told: Bounds) -> Value {
        if told.is_exact() {
            return told.lo;
        }
        let step = Step::Outcome(outcome);
        let child = node.game.child(step);
        let turn = node.game.turn(step, &child);
        let state = node.state_after(self.evaluator, outcome, &child);
        let value = match child.kind() {
            Kind::Over(value) => value,
            Kind::Chance => self.evaluator.value(&state, &child),
            Kind::Decision => {
                let (moves, children) = (child.moves(), self.evaluator.children(&state, &child));
                self.counters.guiding_evaluations += moves.len() as u64;
                moves.iter().map(|&mv| at_sight(&children, &child, mv)).max().unwrap_or(Value::LOSS)
            }
        };
        before(value, turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stay(outcomes: &[(u32, i64)], share: u32) -> Vec<usize> {
        let outcomes: Vec<(u32, Value)> = outcomes.iter().map(|&(w, v)| (w, Value::from_raw(v))).collect();
        (0..).zip(trimmed(&outcomes, share)).filter(|&(_, stays)| stays).map(|(i, _)| i).collect()
    }

    #[test]
    fn the_ends_go_as_far_as_their_share_reaches() {
        let five = [(1, 30), (1, 10), (1, 50), (1, 20), (1, 40)];
        assert_eq!(stay(&five, 20), [0, 3, 4]);
        assert_eq!(stay(&five, 19), [0, 1, 2, 3, 4]);
        assert_eq!(stay(&five, 40), [0]);
        assert_eq!(stay(&five, 0), [0, 1, 2, 3, 4]);
        // Uneven: the rare ones go, the common one stays wherever it lies.
        assert_eq!(stay(&[(1, 1), (2, 2), (30, 3), (2, 4), (1, 5)], 10), [2]);
        assert_eq!(stay(&[(9, 1), (1, 2)], 20), [0]);
        assert_eq!(stay(&[(1, 7)], 100), [0]);
        assert_eq!(stay(&five, u32::MAX), [0]);
    }

    #[test]
    fn what_is_as_lucky_as_what_stays_stays() {
        assert_eq!(stay(&[(1, 10), (1, 10), (1, 20), (1, 30), (1, 40)], 20), [0, 1, 2, 3]);
        assert_eq!(stay(&[(1, 5); 5], 20), [0, 1, 2, 3, 4]);
        assert_eq!(stay(&[(1, 5); 5], 49), [0, 1, 2, 3, 4]);
    }
}
