//! Decision nodes: negamax with fail-soft alpha-beta, the same for every algorithm.

use super::chance::Method;
use super::ordering::{Choice, Choices, by_value};
use super::spot::Spot;
use super::table::{Entry, Known};
use super::window::Window;
use super::worker::{Found, Stopped, Worker};
use crate::eval::{Evaluator, Outlook};
use crate::game::{Bounds, Game, Key, Move, Value};

/// A decision node as far as it is known before its moves are tried.
pub(super) struct Decision {
    pub key: Key,
    pub entry: Entry,
    /// What the rules and the table say of its value.
    pub known: Bounds,
}

/// What some or all moves of a decision node came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    /// The best value, as far as the window asked for it.
    pub value: Value,
    /// The move that has it.
    pub best: Move,
    /// Whether these were all the moves there are, up to a cut.
    pub all: bool,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of a decision node, which has been entered, to a depth of at least 1.
    pub fn decision<M: Method>(&mut self, spot: &Spot<'_, G, E>, window: Window) -> Found {
        let &Spot { game, depth, .. } = spot;
        let judged = self.judgements;
        debug_assert!(!spot.ruled || window.within(game.bounds(depth)) == window);
        let rules = if spot.ruled { Bounds::UNKNOWN } else { game.bounds(depth) };
        if let Some(value) = window.settled(rules) {
            return Ok(value);
        }
        if depth == 1 && game.is_quiet() {
            return self.last_decision(spot);
        }
        if !M::keeps_decisions(game, depth) {
            return Ok(self.try_moves::<M>(spot, window, None, usize::MAX)?.value);
        }
        let node = self.look_at(spot, rules);
        if let Some(value) = window.settled(node.known) {
            self.counters.table_cuts += 1;
            return Ok(value);
        }
        let open = window.within(node.known);
        let tried = self.try_moves::<M>(spot, open, node.entry.best, usize::MAX)?;
        let proven = Known { bounds: open.proves(tried.value), solved: self.judgements == judged };
        self.table.learn(node.key.hash, depth, proven, Some(game.reframe(tried.best, node.key.frame)));
        Ok(tried.value.clamp(node.known.lo, node.known.hi))
    }

    /// The best of the `count` likeliest moves, the table's first. The others are put in order only if it does not cut.
    pub fn try_moves<M: Method>(
        &mut self,
        spot: &Spot<'_, G, E>,
        window: Window,
        first: Option<Move>,
        count: usize,
    ) -> Result<Tried, Stopped> {
        let mut choices = Choices::new();
        Choice::list(&spot.game.moves(), &mut choices);
        let known = first.and_then(|mv| choices.iter().find(|choice| choice.mv == mv)).copied();
        let count = count.min(choices.len());
        let all = count == choices.len();
        let mut tried = None;
        if let Some(choice) = known {
            let (value, best) = self.best_of::<M>(spot, window, &[choice])?;
            if value >= window.beta || count == 1 {
                return Ok(Tried { value, best, all });
            }
            tried = Some(Tried { value, best, all });
        }
        self.put_in_order(spot, &mut choices, first);
        let rest = &choices[usize::from(known.is_some())..count];
        let raised = tried.map_or(window, |tried| window.raised(tried.value));
        let (value, best) = self.best_of::<M>(spot, raised, rest)?;
        Ok(tried.filter(|tried| tried.value >= value).unwrap_or(Tried { value, best, all }))
    }

    /// Look a decision node up in the table.
    pub fn look_at(&mut self, spot: &Spot<'_, G, E>, rules: Bounds) -> Decision {
        let key = spot.key(self.images);
        let (mut entry, told) = self.ask_table(key.hash, spot.depth).unwrap_or((Entry::NONE, Bounds::UNKNOWN));
        entry.best = entry.best.map(|mv| spot.game.reframe(mv, key.frame));
        Decision { key, entry, known: rules.meet(told) }
    }

    /// The moves of a decision node, likeliest first.
    pub fn ordered_moves(&mut self, spot: &Spot<'_, G, E>, first: Option<Move>) -> Choices {
        let mut choices = Choices::new();
        Choice::list(&spot.game.moves(), &mut choices);
        self.put_in_order(spot, &mut choices, first);
        choices
    }

    fn put_in_order(&mut self, spot: &Spot<'_, G, E>, choices: &mut Choices, first: Option<Move>) {
        if let Some(start) = spot.sights {
            let sights = &self.sights[start..start + choices.len()];
            by_value(choices, first, |choice| sights[usize::from(choice.nth)].value);
        } else if spot.depth >= 2 && spot.game.is_quiet() && !spot.game.bounds(1).is_exact() {
            let outlook = self.evaluator.outlook(spot.state, spot.game);
            self.counters.guiding_evaluations += choices.len() as u64;
            by_value(choices, first, |choice| outlook.after(choice.mv));
        } else {
            self.ordering.by_experience(choices, first, spot.ply);
        }
    }

    /// The best of `choices`, which must not be empty, and its value as far as `window` asks for it.
    pub fn best_of<M: Method>(
        &mut self,
        spot: &Spot<'_, G, E>,
        window: Window,
        choices: &[Choice],
    ) -> Result<(Value, Move), Stopped> {
        let mut best = (Value::LOSS, choices[0].mv);
        for (i, &choice) in choices.iter().enumerate() {
            let value = self.try_move::<M>(spot, choice, window.raised(best.0))?;
            if i == 0 || value > best.0 {
                best = (value, choice.mv);
            }
            if value >= window.beta {
                self.ordering.cut(choice.mv, spot.depth, spot.ply);
                break;
            }
        }
        Ok(best)
    }

    /// The exact value of a decision node whose children are all undecided leaves.
    fn last_decision(&mut self, spot: &Spot<'_, G, E>) -> Found {
        let moves = spot.game.moves();
        self.enter(moves.len(), spot.ply + 1)?;
        self.counters.evaluations += moves.len() as u64;
        self.judgements += 1;
        let outlook = self.evaluator.outlook(spot.state, spot.game);
        Ok(moves.iter().map(|&mv| outlook.after(mv)).max().unwrap_or(Value::LOSS))
    }
}
