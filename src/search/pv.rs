//! Expected play after an iteration, followed through the table.

use super::chance::{Method, mean};
use super::node::{Node, state_after};
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{Bounds, Kind, Shortcuts, Step};

/// Expected play from a node on, until the depth runs out, the game ends, or the worker's nodes are spent.
pub(super) fn expected_play<M: Method, G: Shortcuts, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    game: &G,
    state: &E::State,
    depth: u32,
    ply: usize,
) -> Vec<Step<G::Move>> {
    let mut line = Vec::new();
    let (mut game, mut state) = (game.clone(), state.clone());
    for (depth, ply) in (1..=depth).rev().zip(ply..) {
        let step = match game.kind() {
            Kind::Over(_) => break,
            Kind::Chance => typical_outcome::<M, G, E>(worker, &game, &state, depth, ply).map(Step::Outcome),
            Kind::Decision => best_move::<M, G, E>(worker, &game, &state, depth, ply).map(Step::Move),
        };
        let Ok(step) = step else { break };
        let next = game.child(step);
        state = worker.evaluator.advanced(&state, &game, step, &next);
        game = next;
        line.push(step);
    }
    line
}

/// The outcome whose value lies nearest the node's.
fn typical_outcome<M: Method, G: Shortcuts, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    game: &G,
    state: &E::State,
    depth: u32,
    ply: usize,
) -> Result<u8, Stopped> {
    let outcomes: Vec<_> = game.outcomes().collect();
    let mut values = Vec::with_capacity(outcomes.len());
    let (mut sum, mut weight) = (0, 0);
    for outcome in &outcomes {
        let step = Step::Outcome(outcome.id);
        let child = game.child(step);
        let turn = game.turn(step, &child);
        let state = state_after(worker.evaluator, game, state, outcome.id, &child);
        let value = worker.step::<M>(&Node::<G, E>::new(&child, &state, depth - 1, ply + 1), Window::FULL, turn)?;
        sum += i64::from(outcome.weight) * i64::from(value.raw());
        weight += i64::from(outcome.weight);
        values.push(value);
    }
    let centre = mean(sum, weight);
    let distance = |i: &usize| values[*i].raw().abs_diff(centre.raw());
    Ok(outcomes[(0..outcomes.len()).min_by_key(distance).unwrap_or(0)].id)
}

/// The table's move where its value is exact; otherwise the best by search.
fn best_move<M: Method, G: Shortcuts, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    game: &G,
    state: &E::State,
    depth: u32,
    ply: usize,
) -> Result<G::Move, Stopped> {
    let node = Node::new(game, state, depth, ply);
    let remembered = worker.remember(&node, Bounds::UNKNOWN);
    let (moves, certain) = worker.ordered_moves(&node, remembered.first);
    match moves.first() {
        Some(best) if certain && remembered.known.is_exact() => Ok(best.mv),
        _ => Ok(worker.best_of::<M>(&node, Window::FULL, &moves)?.1),
    }
}
