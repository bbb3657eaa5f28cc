//! Iterative deepening from the root, over one root move after another.

use super::chance::{Method, mean};
use super::pv::Step;
use super::spot::Spot;
use super::window::{Window, before};
use super::worker::{Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{Game, Kind, Move, Outcome, Value};

/// What a search starts from.
pub(super) struct Root<'a, G: Game, E: Evaluator<G>> {
    pub game: &'a G,
    pub state: E::State,
    /// The root moves to look at, best guess first; none at a chance node.
    pub moves: Vec<Move>,
    /// How many moves to value exactly.
    pub lines: usize,
}

/// A root move and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub mv: Move,
    pub value: Value,
}

/// An outcome of a chance root, its value and the best move.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedOutcome {
    pub outcome: u8,
    pub value: Value,
    pub best: Move,
}

/// A finished iteration.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    pub depth: u32,
    /// The depth searched: one less where the last ply could only have been a roll that changes nothing.
    pub searched: u32,
    pub value: Value,
    /// The best moves, best first, with exact values; none at a chance root.
    pub moves: Vec<Ranked>,
    /// Every outcome of a chance root; none at a decision.
    pub outcomes: Vec<RankedOutcome>,
    /// Whether no heuristic leaf was met.
    pub exact: bool,
}

impl<G: Game, E: Evaluator<G>> Root<'_, G, E> {
    /// Deepen until the last depth, an exact result, or the worker's limits; tell `report` of each finished iteration.
    pub fn deepen<M: Method>(
        &mut self,
        worker: &mut Worker<'_, G, E>,
        last_depth: u32,
        mut report: impl FnMut(&mut Worker<'_, G, E>, &Self, &Sweep),
    ) -> Option<Sweep> {
        let mut last: Option<Sweep> = None;
        for depth in 1..=last_depth {
            if last.is_some() && worker.out_of_time() {
                break;
            }
            let sweep = match &last {
                Some(last) if self.adds_nothing(worker, depth) => Sweep { depth, ..last.clone() },
                _ => match self.sweep::<M>(worker, depth) {
                    Ok(sweep) => sweep,
                    Err(Stopped) => break,
                },
            };
            report(worker, self, &sweep);
            let exact = sweep.exact;
            last = Some(sweep);
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

    fn sweep<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, depth: u32) -> Result<Sweep, Stopped> {
        let judged = worker.judgements;
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
        Ok(Sweep { depth, searched: depth, value, moves, outcomes, exact: worker.judgements == judged })
    }

    /// The best root moves with exact values. The order of all moves is kept for the next iteration.
    fn rank_moves<M: Method>(&mut self, worker: &mut Worker<'_, G, E>, depth: u32) -> Result<Vec<Ranked>, Stopped> {
        let mut ranked: Vec<Ranked> = Vec::with_capacity(self.moves.len());
        let tour: Vec<Move> = worker.tour.after(self.lines, self.moves.len()).map(|i| self.moves[i]).collect();
        for (i, &mv) in tour.iter().enumerate() {
            let full = ranked.len() >= self.lines;
            let floor = if full { ranked[self.lines - 1].value } else { Value::LOSS };
            if full && floor == Value::WIN {
                ranked.extend(tour[i..].iter().map(|&mv| Ranked { mv, value: Value::LOSS }));
                break;
            }
            let (child, turn) = self.game.after(mv);
            let state = worker.evaluator.after(&self.state, self.game, mv, &child);
            let value = worker.step::<M>(&Spot::new(&child, &state, depth - 1, 1), Window::FULL.raised(floor), turn)?;
            // A value at or below the floor is only an upper bound: it stays behind those that are exact.
            let better = |other: &Ranked| other.value >= value;
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
    ) -> Result<(Value, Vec<RankedOutcome>), Stopped> {
        let mut ranked = Vec::new();
        let (mut sum, mut weight) = (0, 0);
        let outcomes: Vec<Outcome> = self.game.outcomes().collect();
        for i in worker.tour.over(outcomes.len()) {
            let outcome = outcomes[i];
            let (child, turn) = self.game.rolled(outcome.id);
            worker.enter(1, 1)?;
            let spot = Spot::new(&child, &self.state, depth - 1, 1);
            let (value, best) = match child.kind() {
                Kind::Decision => {
                    let moves = worker.ordered_moves(&spot, None);
                    match depth {
                        1 => (worker.judge(&child, &self.state), moves[0].mv),
                        _ => worker.best_of::<M>(&spot, Window::FULL, &moves)?,
                    }
                }
                _ => (worker.search::<M>(&spot, Window::FULL)?, Move(0)),
            };
            let value = before(value, turn);
            sum += i64::from(outcome.weight) * i64::from(value.raw());
            weight += i64::from(outcome.weight);
            ranked.push(RankedOutcome { outcome: outcome.id, value, best });
        }
        Ok((mean(sum, weight), ranked))
    }

    /// Expected play after the best moves, as far as `scout`'s nodes reach.
    pub fn expected_play<M: Method>(&self, scout: &mut Worker<'_, G, E>, mv: Move, depth: u32) -> Vec<Step> {
        let mut line = vec![(None, mv)];
        let (child, _) = self.game.after(mv);
        let state = scout.evaluator.after(&self.state, self.game, mv, &child);
        line.extend(scout.expected_play::<M>(&child, &state, depth - 1, 1));
        line
    }
}
