//! What an undecided position is worth at first sight.
//!
//! An evaluation must be proportional to the expected outcome, not merely in the right order: chance nodes average it.
//!
//! Search knows only [`Evaluator`]. Each game has a folder with its own; [`nn`] is what their networks share, [`noise`] what
//! makes any of them worse on purpose. A game's own network or a formula, with noise on request, is a [`GameEvaluator`]; an
//! evaluation that is nothing but a function of the position is a [`Plain`].

pub mod backgammon;
pub mod darkchess;
pub mod dice;
pub mod einstein;
mod evaluated;
mod game_evaluator;
pub mod nn;
pub mod noise;
mod plain;

pub use evaluated::{Evaluated, NetworkError};
pub use game_evaluator::{Children, GameEvaluator, Networked, zero};
pub use noise::Noise;
pub use plain::{Plain, PositionValue};

use crate::game::{Capacity, Game, Kind, Shortcuts, Slots, Step, Turn, Value};

/// An evaluation of undecided positions, with a state that search carries along the steps of the game.
///
/// Values are for the mover and lie in [−1, 1]. A position's value is a pure function of the position: the state only
/// saves computing it afresh.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is known of one position from those before it.
    type State: Clone;

    /// The state of a position met out of the blue.
    fn state(&self, game: &G) -> Self::State;

    /// Bring the state of `game` up to `next`, the position after `step`. Where outcomes are ignored, steps of chance are
    /// left out.
    fn advance(&self, state: &mut Self::State, _game: &G, _step: Step<G::Move>, next: &G) {
        *state = self.state(next);
    }

    /// The same, if `next` itself will not be evaluated, only positions one move further.
    fn advance_before_last(&self, state: &mut Self::State, game: &G, step: Step<G::Move>, next: &G) {
        self.advance(state, game, step, next);
    }

    /// The state of `next`, the position after `step` in `game`, from the state of `game`.
    fn advanced(&self, state: &Self::State, game: &G, step: Step<G::Move>, next: &G) -> Self::State {
        let mut state = state.clone();
        if !(self.ignores_outcomes() && matches!(step, Step::Outcome(_))) {
            self.advance(&mut state, game, step, next);
        }
        state
    }

    /// The value of an undecided position of either kind.
    fn value(&self, state: &Self::State, game: &G) -> Value;

    /// A position whose undecided children are being evaluated; [`Stepwise`] will do for any evaluation.
    type Children<'a>: ChildEvaluator<G>
    where
        Self: 'a,
        G: 'a;

    /// Get ready to evaluate children of `game`. Where outcomes are ignored, `game` may also be the chance node before
    /// the decisions that the moves belong to.
    fn children<'a>(&'a self, state: &'a Self::State, game: &'a G) -> Self::Children<'a>;

    /// Whether mirror images (positions that share a key) always have one value.
    fn sees_images_alike(&self) -> bool {
        false
    }

    /// The name under which it has been measured how well shallow searches predict deep ones; `None` if nobody has.
    fn measured_as(&self) -> Option<String> {
        None
    }

    /// Whether a chance node and all its children always have one value, so that search need not roll just before a
    /// leaf, and states need not follow outcomes.
    fn ignores_outcomes(&self) -> bool {
        false
    }
}

/// The greatest value of some moves, as a [`ChildEvaluator`] finds it out.
#[derive(Clone, Copy, Debug)]
pub struct RunningMax {
    /// Of moves whose values rise as some measure falls: the least.
    least: i32,
    /// Of the others: the greatest value.
    greatest: Value,
}

impl RunningMax {
    /// Of no moves.
    pub const NONE: RunningMax = RunningMax { least: i32::MAX, greatest: Value::LOSS };

    /// Add a move of this value.
    #[inline(always)]
    fn raise(&mut self, value: Value) {
        self.greatest = self.greatest.max(value);
    }

    /// Add all moves of another maximum.
    #[inline(always)]
    fn join(&mut self, other: RunningMax) {
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }
}

/// Evaluates the children of one position.
pub trait ChildEvaluator<G: Game> {
    /// The value, in the view of the position, of the undecided one after `mv`.
    fn value_after(&self, mv: G::Move) -> Value;

    /// Add `mv`, which must not end the game, to the moves that `max` is the maximum of.
    #[inline(always)]
    fn include(&self, max: &mut RunningMax, mv: G::Move) {
        max.raise(self.value_after(mv));
    }

    /// The same for all moves of some decisions, as [`Shortcuts::each_move_after`] numbers them, each a slot of `maxima`.
    /// How many moves there were.
    #[inline(always)]
    fn include_all(
        &self,
        game: &G,
        decisions: impl Iterator<Item = (u8, u16)>,
        maxima: &mut <G::OutcomeCapacity as Capacity>::Slots<RunningMax>,
    ) -> usize
    where
        G: Shortcuts,
    {
        let mut moves = 0;
        game.each_move_after(decisions, |mv, i| {
            self.include(maxima.slot(i.into()), mv);
            moves += 1;
        });
        moves
    }

    /// The greatest value; a lost game if there was no move.
    #[inline(always)]
    fn maximum(&self, max: RunningMax) -> Value {
        max.greatest
    }
}

/// Children for any evaluator: make the move, take the state along, evaluate.
pub struct Stepwise<'a, G: Game, E: Evaluator<G>> {
    evaluator: &'a E,
    state: &'a E::State,
    game: &'a G,
}

impl<'a, G: Game, E: Evaluator<G>> Stepwise<'a, G, E> {
    /// The children of a position.
    pub fn new(evaluator: &'a E, state: &'a E::State, game: &'a G) -> Self {
        Stepwise { evaluator, state, game }
    }
}

impl<G: Game, E: Evaluator<G>> ChildEvaluator<G> for Stepwise<'_, G, E> {
    // Not worth room in the middle of a faster way.
    #[inline(never)]
    fn value_after(&self, mv: G::Move) -> Value {
        let step = Step::Move(mv);
        let child = self.game.child(step);
        let seen = self.evaluator.value(&self.evaluator.advanced(self.state, self.game, step, &child), &child);
        match Turn::between(self.game.mover(), child.mover()) {
            Turn::Kept => seen,
            Turn::Passed => -seen,
        }
    }
}

/// What a move of `game` is worth at first sight, in the view of `game`: the result if it ends the game, or else what `children`, those of
/// `game`, say.
pub fn at_sight<G: Game>(children: &impl ChildEvaluator<G>, game: &G, mv: G::Move) -> Value {
    let child = game.child(Step::Move(mv));
    match (child.kind(), Turn::between(game.mover(), child.mover())) {
        (Kind::Over(value), Turn::Kept) => value,
        (Kind::Over(value), Turn::Passed) => -value,
        _ => children.value_after(mv),
    }
}

/// The one of some moves of a decision node, at least one, that leads to the best position at first sight; the first of
/// several that are equally good.
pub fn best_at_sight<G: Game, E: Evaluator<G>>(
    evaluator: &E,
    game: &G,
    state: &E::State,
    moves: &[G::Move],
) -> G::Move {
    let children = evaluator.children(state, game);
    let best = moves.iter().rev().max_by_key(|&&mv| at_sight(&children, game, mv));
    *best.expect("a decision has a move")
}
