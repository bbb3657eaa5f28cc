//! What an undecided position is worth at first sight.
//!
//! An evaluation must be proportional to the expected outcome, not merely in the right order: chance nodes average it.
//!
//! Search knows only [`Evaluator`]. [`Judge`] is the one for Dice: a network ([`network`], whose [`features`] are
//! defined once for engine and trainer, kept up to date by [`incremental`] and stored as [`file`] says), Hauk's
//! [`pairs`], or nothing; each with [`noise`] on request.

pub mod features;
pub mod file;
pub mod incremental;
mod judge;
pub mod nets;
pub mod network;
pub mod noise;
pub mod pairs;
pub mod squash;
mod steps;

pub use incremental::Followed;
pub use judge::{EvalKind, Explanation, Judge, OtherShape};
pub use noise::Noise;

use crate::game::{Game, Move, Turn, Value};

/// A judge of undecided positions, with a state that search carries along the moves it makes.
///
/// Values are for the side to move and lie in [−1, 1]. A position's value is a pure function of the position: the state
/// only saves computing it afresh.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is known of one position from those before it. Chance outcomes leave it as it is.
    type State: Clone;

    /// The state of a position met out of the blue.
    fn state(&self, game: &G) -> Self::State;

    /// Bring the state of `game` up to the position after `mv`.
    fn play(&self, state: &mut Self::State, game: &G, mv: Move);

    /// The state after `mv` in `game`, from the state before it.
    fn after(&self, state: &Self::State, game: &G, mv: Move) -> Self::State {
        let mut next = state.clone();
        self.play(&mut next, game, mv);
        next
    }

    /// The value of an undecided position of either kind.
    fn value(&self, state: &Self::State, game: &G) -> Value;

    /// A position whose undecided children are being evaluated.
    type Outlook<'a>: Outlook
    where
        Self: 'a,
        G: 'a;

    /// Get ready to evaluate children of `game`. Where outcomes are ignored, `game` may also be the chance node before
    /// the decisions that the moves belong to.
    fn outlook<'a>(&'a self, state: &'a Self::State, game: &'a G) -> Self::Outlook<'a>;

    /// The values, in the view of `game`, of the undecided positions after each of `moves`.
    fn children(&self, state: &Self::State, game: &G, moves: &[Move], values: &mut [Value]) {
        let outlook = self.outlook(state, game);
        for (&mv, value) in moves.iter().zip(values) {
            *value = outlook.after(mv);
        }
    }

    /// Whether mirror images (positions that share a key) always have one value.
    fn sees_images_alike(&self) -> bool;

    /// Whether a chance node and all its children always have one value, so that search need not roll just before a
    /// leaf.
    fn ignores_outcomes(&self) -> bool;
}

/// A position as its evaluator sees what may come next.
pub trait Outlook {
    /// The value, in the view of the position, of the undecided one after `mv`.
    fn after(&self, mv: Move) -> Value;
}

/// The outlook of any evaluator: make the move, take the state along, evaluate.
pub struct Stepwise<'a, G: Game, E: Evaluator<G>> {
    evaluator: &'a E,
    state: &'a E::State,
    game: &'a G,
}

impl<'a, G: Game, E: Evaluator<G>> Stepwise<'a, G, E> {
    /// The outlook of a position.
    pub fn new(evaluator: &'a E, state: &'a E::State, game: &'a G) -> Self {
        Stepwise { evaluator, state, game }
    }
}

impl<G: Game, E: Evaluator<G>> Outlook for Stepwise<'_, G, E> {
    // Not worth room in the middle of a faster way.
    #[inline(never)]
    fn after(&self, mv: Move) -> Value {
        let (child, turn) = self.game.after(mv);
        let seen = self.evaluator.value(&self.evaluator.after(self.state, self.game, mv), &child);
        if turn == Turn::Passed { -seen } else { seen }
    }
}
