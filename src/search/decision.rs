//! Decision nodes: negamax with fail-soft alpha-beta, the same for every algorithm.

use super::chance::Method;
use super::node::Node;
use super::ordering::{Choice, Choices, by_value};
use super::prune::Prune;
use super::table::{Known, TableMove};
use super::window::Window;
use super::worker::{SearchResult, Stopped, Worker};
use crate::eval::{ChildEvaluator, Evaluator};
use crate::game::{Bounds, Game, Key, Shortcuts, Value};

/// What the table and the rules say of a decision node before its moves are tried.
pub(super) struct Remembered {
    pub key: Key,
    /// The move that was best or that cut.
    pub first: Option<FirstMove>,
    /// What is known of its value.
    pub known: Bounds,
}

/// A move of the table, in the frame that it was stored in.
#[derive(Clone, Copy)]
pub(super) struct FirstMove {
    mv: TableMove,
    frame: u8,
}

impl FirstMove {
    /// Whether it is this move.
    fn is<G: Game>(self, game: &G, mv: G::Move) -> bool {
        TableMove::of::<G>(game.reframe(mv, self.frame)) == self.mv
    }
}

/// What some or all moves of a decision node came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried<M> {
    /// The best value, as far as the window asked for it.
    pub value: Value,
    /// The move that has it.
    pub best: M,
    /// Whether these were all the moves there are, up to a cut.
    pub all: bool,
}

impl<G: Shortcuts, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of a decision node, which has been entered, to a depth of at least 1.
    pub fn decision<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window) -> SearchResult {
        let &Node { game, depth, .. } = node;
        let estimates_before = self.estimates;
        self.estimates += u64::from(game.withholds_moves());
        debug_assert!(!node.ruled || window.within(game.bounds(depth)) == window);
        let rules = if node.ruled { Bounds::UNKNOWN } else { game.bounds(depth) };
        if let Some(value) = window.settled(rules) {
            return Ok(value);
        }
        if depth == 1 && game.is_quiet() {
            return self.last_decision(node);
        }
        if !M::keeps_decisions(game, depth) {
            if let Some(end) = self.cut_decision::<M>(node, window)? {
                return Ok(end);
            }
            return Ok(self.try_moves::<M>(node, window, None, usize::MAX)?.value);
        }
        let Remembered { key, first, known } = self.remember(node, rules);
        if let Some(value) = window.settled(known) {
            self.counters.table_cuts += 1;
            return Ok(value);
        }
        let open = window.within(known);
        if let Some(end) = self.cut_decision::<M>(node, open)? {
            return Ok(end);
        }
        let tried = self.try_moves::<M>(node, open, first, usize::MAX)?;
        let proven = Known { bounds: open.proves(tried.value), solved: self.estimates == estimates_before };
        self.keep_decision(node, key, proven, tried.best);
        Ok(tried.value.clamp(known.lo, known.hi))
    }

    /// Store what is proven of a decision node, and its best move.
    pub fn keep_decision(&self, node: &Node<'_, G, E>, key: Key, proven: Known, best: G::Move) {
        let best = TableMove::of::<G>(node.game.reframe(best, key.frame));
        self.table.learn(key.hash, node.depth, proven, Some(best));
    }

    /// The best of the `count` likeliest moves, the table's first. The others are put in order only if it does not cut.
    pub fn try_moves<M: Method>(
        &mut self,
        node: &Node<'_, G, E>,
        window: Window,
        first: Option<FirstMove>,
        count: usize,
    ) -> Result<Tried<G::Move>, Stopped> {
        // A pruned search solves nothing.
        self.estimates += u64::from(self.pruning.is_on());
        let mut choices = Choices::<G>::default();
        self.list_moves(node, &mut choices);
        let known = first.and_then(|first| choices.iter().find(|choice| first.is(node.game, choice.mv))).copied();
        let count = count.min(choices.len());
        let all = count == choices.len();
        let mut tried = None;
        if let Some(choice) = known {
            let (value, best) = self.best_of::<M>(node, window, &[choice])?;
            if value >= window.beta || count == 1 {
                return Ok(Tried { value, best, all });
            }
            tried = Some(Tried { value, best, all });
        }
        self.put_in_order(node, &mut choices, known.map(|choice| choice.mv));
        let rest = &choices[usize::from(known.is_some())..count];
        let raised = tried.map_or(window, |tried| window.raised(tried.value));
        let (value, best) = self.best_of::<M>(node, raised, rest)?;
        Ok(tried.filter(|tried| tried.value >= value).unwrap_or(Tried { value, best, all }))
    }

    /// The moves of a decision node that are to be searched, as the game lists them.
    #[inline(always)]
    fn list_moves(&mut self, node: &Node<'_, G, E>, choices: &mut Choices<G>) {
        Choice::list(&node.game.moves(), choices);
        if self.pruning.applies(Prune::Beam, node.depth) {
            self.narrow(node, choices);
        }
    }

    /// Look a decision node up in the table.
    pub fn remember(&mut self, node: &Node<'_, G, E>, rules: Bounds) -> Remembered {
        let key = node.key(self.images);
        let Some((entry, told)) = self.ask_table(key.hash, node.depth) else {
            return Remembered { key, first: None, known: rules };
        };
        let first = entry.best.map(|mv| FirstMove { mv, frame: key.frame });
        Remembered { key, first, known: rules.meet(told) }
    }

    /// The moves of a decision node, likeliest first, and whether the first is certainly the table's.
    pub fn ordered_moves(&mut self, node: &Node<'_, G, E>, first: Option<FirstMove>) -> (Choices<G>, bool) {
        let mut choices = Choices::<G>::default();
        self.list_moves(node, &mut choices);
        let mut known = choices.iter().filter(|choice| first.is_some_and(|first| first.is(node.game, choice.mv)));
        let (first, other) = (known.next().map(|choice| choice.mv), known.next());
        let certain = first.is_some() && other.is_none();
        self.put_in_order(node, &mut choices, first);
        (choices, certain)
    }

    fn put_in_order(&mut self, node: &Node<'_, G, E>, choices: &mut [Choice<G::Move>], first: Option<G::Move>) {
        let &Node { game, state, depth, ply, .. } = node;
        if let Some(start) = node.previews {
            let previews = &self.previews[start..];
            by_value(choices, first, |choice| previews[usize::from(choice.nth)].value);
        } else if depth >= 2 && game.is_quiet() && !game.bounds(1).is_exact() {
            let children = self.evaluator.children(state, game);
            self.counters.guiding_evaluations += choices.len() as u64;
            by_value(choices, first, |choice| children.value_after(choice.mv));
        } else {
            self.ordering.by_experience(choices, first, game.mover(), ply, |mv| game.promise(mv));
        }
    }

    /// The best of `choices`, which must not be empty, and its value as far as `window` asks for it.
    pub fn best_of<M: Method>(
        &mut self,
        node: &Node<'_, G, E>,
        window: Window,
        choices: &[Choice<G::Move>],
    ) -> Result<(Value, G::Move), Stopped> {
        let mut best = (Value::LOSS, choices[0].mv);
        for (i, &choice) in choices.iter().enumerate() {
            let value = self.try_move::<M>(node, choice, window.raised(best.0))?;
            if i == 0 || value > best.0 {
                best = (value, choice.mv);
            }
            if value >= window.beta {
                self.ordering.cut(choice.mv, node.game.mover(), node.depth, node.ply);
                break;
            }
        }
        Ok(best)
    }

    /// The exact value of a decision node whose children are all undecided leaves.
    fn last_decision(&mut self, node: &Node<'_, G, E>) -> SearchResult {
        let moves = node.game.moves();
        self.enter(moves.len(), node.ply + 1)?;
        self.counters.evaluations += moves.len() as u64;
        self.estimates += 1;
        let children = self.evaluator.children(node.state, node.game);
        Ok(moves.iter().map(|&mv| children.value_after(mv)).max().unwrap_or(Value::LOSS))
    }
}
