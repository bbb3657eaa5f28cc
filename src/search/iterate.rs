//! Iterative deepening from the root, over one root move after another.

use super::chance::{Method, mean};
use super::node::{Node, state_after};
use super::pv::expected_play;
use super::window::{Window, before};
use super::worker::{Stopped, Worker};
use crate::eval::{Evaluator, best_at_sight};
use crate::game::{Kind, Outcome, Shortcuts, Step, Value};

/// What a search starts from.
pub(super) struct Root<'a, G: Shortcuts, E: Evaluator<G>> {
    pub game: &'a G,
    pub state: E::State,
    /// The root moves to look at, best guess first; none at a chance node.
    pub moves: Vec<G::Move>,
    /// How many moves to value exactly.
    pub lines: usize,
}

/// A root move and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub mv: M,
    pub value: Value,
}

/// An outcome of a chance root, its value and, if a decision follows, the best move.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedOutcome<M> {
    pub outcome: u8,
    pub value: Value,
    pub best: Option<M>,
}

/// The value of a chance root, and its outcomes.
type RankedChance<M> = (Value, Vec<RankedOutcome<M>>);

/// A finished iteration.
#[derive(Clone, Debug)]
pub(super) struct RootResult<M> {
    pub depth: u32,
    /// The depth searched: one less where the last ply could only have been a roll that changes nothing.
    pub searched: u32,
    pub value: Value,
    /// The best moves, best first, with exact values; none at a chance root.
    pub moves: Vec<Ranked<M>>,
    /// Every outcome of a chance root; none at a decision.
    pub outcomes: Vec<RankedOutcome<M>>,
    /// Whether no heuristic leaf was met.
    pub exact: bool,
}

impl<G: Shortcuts, E: Evaluator<G>> Root<'_, G, E> {
    /// Deepen until the last depth, an exact result, or the worker's limits; tell `report` of each finished iteration.
    pub fn deepen<M: Method>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        last_depth: u32,
        mut report: impl FnMut(&mut Worker<'_, G, E>, &Self, &RootResult<G::Move>),
    ) -> Option<RootResult<G::Move>> {
        let mut last: Option<RootResult<G::Move>> = None;
        for depth in 1..=last_depth {
            if last.is_some() && worker.out_of_time() {
                break;
            }
            worker.ordering.reach(depth as usize + 1);
            let result = match &last {
                Some(last) if self.adds_nothing(worker, depth) => RootResult { depth, ..last.clone() },
                _ => match self.result::<M>(worker, depth) {
                    Ok(result) => result,
                    Err(Stopped) => break,
                },
            };
            report(worker, self, &result);
            let exact = result.exact;
            last = Some(result);
            if exact {
                break;
            }
        }
        last
    }

    /// Whether a search to `depth` only rolls the die once more before the same leaves as one ply less.
    fn adds_nothing(&self, worker: &Worker<'_, G, E>, depth: u32) -> bool {
        let last_is_chance = (self.game.kind() == Kind::Chance) == (depth % 2 == 1);
        G::ALTERNATES && worker.evaluator.ignores_outcomes() && last_is_chance && depth > 1
    }

    fn result<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, depth: u32) -> Result<RootResult<G::Move>, Stopped> {
        let estimates_before = worker.estimates;
        worker.enter(1, 0)?;
        let (value, moves, outcomes) = match self.game.kind() {
            Kind::Over(value) => (value, Vec::new(), Vec::new()),
            Kind::Decision => {
                let ranked = self.rank_moves::<M>(worker, depth)?;
                (ranked[0].value, ranked, Vec::new())
            }
            Kind::Chance => {
                let (value, outcomes) = self.rank_outcomes::<M>(worker, depth)?;
                (value, Vec::new(), outcomes)
            }
        };
        let exact = worker.estimates == estimates_before && !worker.pruning.is_on();
        Ok(RootResult { depth, searched: depth, value, moves, outcomes, exact })
    }

    /// The best root moves with exact values. The order of all moves is kept for the next iteration.
    fn rank_moves<M: Method>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        depth: u32,
    ) -> Result<Vec<Ranked<G::Move>>, Stopped> {
        let mut ranked: Vec<Ranked<G::Move>> = Vec::with_capacity(self.moves.len());
        let order: Vec<G::Move> = worker.order.after(self.lines, self.moves.len()).map(|i| self.moves[i]).collect();
        for (i, &mv) in order.iter().enumerate() {
            let full = ranked.len() >= self.lines;
            let floor = if full { ranked[self.lines - 1].value } else { Value::LOSS };
            if full && floor == Value::WIN {
                ranked.extend(order[i..].iter().map(|&mv| Ranked { mv, value: Value::LOSS }));
                break;
            }
            let step = Step::Move(mv);
            let child = self.game.child(step);
            let turn = self.game.turn(step, &child);
            let state = worker.evaluator.advanced(&self.state, self.game, step, &child);
            let value =
                worker.step::<M>(&Node::<G, E>::new(&child, &state, depth - 1, 1), Window::FULL.raised(floor), turn)?;
            // A value at or below the floor is only an upper bound: it stays behind those that are exact.
            let better = |other: &Ranked<G::Move>| other.value >= value;
            let place = ranked.iter().position(|other| !better(other)).unwrap_or(ranked.len());
            ranked.insert(place, Ranked { mv, value });
        }
        self.moves = ranked.iter().map(|ranked| ranked.mv).collect();
        ranked.truncate(self.lines);
        Ok(ranked)
    }

    /// The value of a chance root and of each outcome, all exact.
    fn rank_outcomes<M: Method>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        depth: u32,
    ) -> Result<RankedChance<G::Move>, Stopped> {
        let mut ranked = Vec::new();
        let (mut sum, mut weight) = (0, 0);
        let outcomes: Vec<Outcome> = self.game.outcomes().collect();
        for i in worker.order.over(outcomes.len()) {
            let outcome = outcomes[i];
            let step = Step::Outcome(outcome.id);
            let child = self.game.child(step);
            let turn = self.game.turn(step, &child);
            worker.enter(1, 1)?;
            let state = state_after(worker.evaluator, self.game, &self.state, outcome.id, &child);
            let node = Node::<G, E>::new(&child, &state, depth - 1, 1);
            let (value, best) = match child.kind() {
                Kind::Over(value) => (value, None),
                Kind::Chance => (worker.search::<M>(&node, Window::FULL)?, None),
                Kind::Decision if depth == 1 => (
                    worker.evaluate(&child, &state),
                    Some(best_at_sight(worker.evaluator, &child, &state, &child.moves())),
                ),
                Kind::Decision => {
                    let (moves, _) = worker.ordered_moves(&node, None);
                    let (value, best) = worker.best_of::<M>(&node, Window::FULL, &moves)?;
                    (value, Some(best))
                }
            };
            let value = before(value, turn);
            sum += i64::from(outcome.weight) * i64::from(value.raw());
            weight += i64::from(outcome.weight);
            ranked.push(RankedOutcome { outcome: outcome.id, value, best });
        }
        Ok((mean(sum, weight), ranked))
    }

    /// What there is to say when not even one iteration was finished: the value of each outcome at first sight.
    pub fn outcomes_at_sight(&self, evaluator: &E) -> Vec<RankedOutcome<G::Move>> {
        let ranked = |outcome: Outcome| {
            let step = Step::Outcome(outcome.id);
            let child = self.game.child(step);
            let state = state_after(evaluator, self.game, &self.state, outcome.id, &child);
            let (value, best) = match child.kind() {
                Kind::Over(value) => (value, None),
                Kind::Chance => (evaluator.value(&state, &child), None),
                Kind::Decision => {
                    (evaluator.value(&state, &child), Some(best_at_sight(evaluator, &child, &state, &child.moves())))
                }
            };
            RankedOutcome { outcome: outcome.id, value: before(value, self.game.turn(step, &child)), best }
        };
        self.game.outcomes().map(ranked).collect()
    }

    /// Expected play after the best moves, as far as `scout`'s nodes reach.
    pub fn expected_play<M: Method>(
        &self,
        scout: &mut Worker<'_, G, E>,
        mv: G::Move,
        depth: u32,
    ) -> Vec<Step<G::Move>> {
        let step = Step::Move(mv);
        let mut line = vec![step];
        let child = self.game.child(step);
        let state = scout.evaluator.advanced(&self.state, self.game, step, &child);
        scout.ordering.reach(depth as usize + 1);
        line.extend(expected_play::<M, G, E>(scout, &child, &state, depth - 1, 1));
        line
    }
}
