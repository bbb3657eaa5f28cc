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
mod lanes;
pub mod nets;
pub mod network;
pub mod noise;
pub mod pairs;
pub mod squash;
mod steps;

pub use incremental::Followed;
pub use judge::{EvalKind, Explanation, Judge, OtherShape};
pub use noise::Noise;

use crate::game::{Game, MAX_BRANCHES, Move, Turn, Value};

/// A judge of undecided positions, with a state that search carries along the moves it makes.
///
/// Values are for the side to move and lie in [−1, 1]. A position's value is a pure function of the position: the state
/// only saves computing it afresh.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is known of one position from those before it. Chance outcomes leave it as it is.
    type State: Clone;

    /// The state of a position met out of the blue.
    fn state(&self, game: &G) -> Self::State;

    /// Bring the state of `game` up to `next`, the position after `mv`.
    fn play(&self, state: &mut Self::State, game: &G, mv: Move, next: &G);

    /// The same, if `next` itself will not be judged, only positions one move further.
    fn play_before_last(&self, state: &mut Self::State, game: &G, mv: Move, next: &G) {
        self.play(state, game, mv, next);
    }

    /// The state of `next`, the position after `mv` in `game`, from the state of `game`.
    fn after(&self, state: &Self::State, game: &G, mv: Move, next: &G) -> Self::State {
        let mut state = state.clone();
        self.play(&mut state, game, mv, next);
        state
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

/// How good the best of some moves is, as an [`Outlook`] finds out.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// Of moves whose values rise as some measure falls: the least.
    least: i32,
    /// Of the others: the best value.
    best: Value,
}

impl Peak {
    /// Of no moves.
    pub const NONE: Peak = Peak { least: i32::MAX, best: Value::LOSS };

    /// Add a move of this value.
    #[inline(always)]
    fn raise(&mut self, value: Value) {
        self.best = self.best.max(value);
    }
}

/// A position as its evaluator sees what may come next.
pub trait Outlook {
    /// The value, in the view of the position, of the undecided one after `mv`.
    fn after(&self, mv: Move) -> Value;

    /// Add `mv`, which must not end the game, to the moves that `peak` is the best of.
    #[inline(always)]
    fn climb(&self, peak: &mut Peak, mv: Move) {
        peak.raise(self.after(mv));
    }

    /// The same for all moves of some decisions, as [`Game::each_move_after`] names them, each a place in `peaks`. How many
    /// there were.
    #[inline(always)]
    fn climb_all<G: Game>(
        &self,
        game: &G,
        decisions: impl Iterator<Item = (u8, u16)>,
        peaks: &mut [Peak; MAX_BRANCHES],
    ) -> usize {
        let mut moves = 0;
        game.each_move_after(decisions, |mv, i| {
            self.climb(&mut peaks[usize::from(i) % MAX_BRANCHES], mv);
            moves += 1;
        });
        moves
    }

    /// The value of the best move; a lost game if there is none.
    #[inline(always)]
    fn height(&self, peak: Peak) -> Value {
        peak.best
    }
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
        let seen = self.evaluator.value(&self.evaluator.after(self.state, self.game, mv, &child), &child);
        if turn == Turn::Passed { -seen } else { seen }
    }
}
