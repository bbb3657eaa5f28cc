//! Expected play after an iteration, followed through the table.

use super::chance::{Method, mean};
use super::spot::Spot;
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{Bounds, Game, Kind, Move};

/// A step of expected play: the outcome supposed before it, if any, and the move.
pub(super) type Step = (Option<u8>, Move);

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Expected play from a node on, until the depth runs out, the game ends, or this worker's nodes are spent.
    pub fn expected_play<M: Method>(&mut self, game: &G, state: &E::State, depth: u32, ply: usize) -> Vec<Step> {
        let mut line = Vec::new();
        let mut here = (game.clone(), state.clone());
        let (mut depth, mut ply, mut outcome) = (depth, ply, None);
        while depth > 0 {
            let (game, state) = &here;
            let next = match game.kind() {
                Kind::Over(_) => break,
                Kind::Chance => self.typical_outcome::<M>(game, state, depth, ply).map(|id| {
                    outcome = Some(id);
                    (game.rolled(id).0, state.clone())
                }),
                Kind::Decision => self.best_move::<M>(game, state, depth, ply).map(|mv| {
                    line.push((outcome.take(), mv));
                    let next = game.after(mv).0;
                    let state = self.evaluator.after(state, game, mv, &next);
                    (next, state)
                }),
            };
            match next {
                Ok(next) => here = next,
                Err(Stopped) => break,
            }
            depth -= 1;
            ply += 1;
        }
        line
    }

    /// The outcome whose value lies nearest the node's.
    fn typical_outcome<M: Method>(
        &mut self,
        game: &G,
        state: &E::State,
        depth: u32,
        ply: usize,
    ) -> Result<u8, Stopped> {
        let outcomes: Vec<_> = game.outcomes().collect();
        let mut values = Vec::with_capacity(outcomes.len());
        let (mut sum, mut weight) = (0, 0);
        for outcome in &outcomes {
            let (child, turn) = game.rolled(outcome.id);
            let value = self.step::<M>(&Spot::new(&child, state, depth - 1, ply + 1), Window::FULL, turn)?;
            sum += i64::from(outcome.weight) * i64::from(value.raw());
            weight += i64::from(outcome.weight);
            values.push(value);
        }
        let centre = mean(sum, weight);
        let distance = |i: &usize| values[*i].raw().abs_diff(centre.raw());
        Ok(outcomes[(0..outcomes.len()).min_by_key(distance).unwrap_or(0)].id)
    }

    /// The table's move where its value is exact; otherwise the best by search.
    fn best_move<M: Method>(&mut self, game: &G, state: &E::State, depth: u32, ply: usize) -> Result<Move, Stopped> {
        let spot = Spot::new(game, state, depth, ply);
        let node = self.look_at(&spot, Bounds::UNKNOWN);
        let moves = self.ordered_moves(&spot, node.entry.best);
        match node.entry.best {
            Some(best) if node.known.is_exact() && moves.iter().any(|choice| choice.mv == best) => Ok(best),
            _ => Ok(self.best_of::<M>(&spot, Window::FULL, &moves)?.1),
        }
    }
}
