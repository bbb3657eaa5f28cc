//! What a game of chance is to the search: positions of three kinds, steps between them, and outcomes with integer weights.
//!
//! [`Game`] is all that a game must say. It asks nothing about who rolls when: a chance node may come before a player's
//! choice (a die that says what one may play) or after it (a flip that decides what a move does), and any step may pass
//! the turn or keep it. [`Shortcuts`] is what a game may offer beyond that to be searched faster, and [`Notation`] how it is
//! written for people and other programs;
//! [`AnyPosition`] is a position of whichever game, in words.

mod any;
pub mod backgammon;
mod bounds;
mod chance;
pub mod darkchess;
pub mod dice;
pub mod einstein;
mod grid;
mod lists;
mod mix;
mod notation;
mod perft;
mod player;
mod playout;
mod plies;
mod shortcuts;
mod value;
mod word_error;

pub use any::AnyPosition;
pub use arrayvec::ArrayVec;
pub use bounds::Bounds;
pub use chance::draw;
pub(crate) use grid::Grid;
pub use lists::{Capacity, List, Slots, UpTo};
pub use mix::mix;
pub use notation::{Fault, GameResult, Notation, Pieces};
pub use perft::perft;
pub use player::Player;
pub use playout::{Random, Trace, play_out};
pub use plies::{read_plies, write_plies};
pub use shortcuts::Shortcuts;
pub use value::Value;
pub use word_error::{END_OF_LINE, WordError};

use std::fmt::Debug;

/// One way a chance node may turn out, with its integer weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Which outcome, a number the game understands.
    pub id: u8,
    /// Its probability is this over the sum of the weights; at least 1.
    pub weight: u32,
}

/// What leads from one position to the next: principal variations, records of games and the states of evaluations
/// follow steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<M> {
    /// A player's choice.
    Move(M),
    /// What chance brings: the number of an outcome.
    Outcome(u8),
}

impl<M> Step<M> {
    /// The same step of a game that calls its moves otherwise.
    pub fn map<N>(self, name: impl FnOnce(M) -> N) -> Step<N> {
        match self {
            Step::Move(mv) => Step::Move(name(mv)),
            Step::Outcome(id) => Step::Outcome(id),
        }
    }
}

/// Steps one after another, from some position on.
pub type Steps<G> = Vec<Step<<G as Game>::Move>>;

/// What kind of node a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A player chooses.
    Decision,
    /// Chance chooses.
    Chance,
    /// The game has ended with this value for the mover.
    Over(Value),
}

/// Whether a step changes whose view values are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The same player's as before the step.
    Kept,
    /// The other player's: values change sign.
    Passed,
}

impl Turn {
    /// From a position of one mover to one of another.
    #[inline]
    pub fn between(before: Player, after: Player) -> Turn {
        if before == after { Turn::Kept } else { Turn::Passed }
    }
}

/// The name of a position in the transposition table, and the frame its moves are stored in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Equal for positions that are one another's images; different, but for chance, for others.
    pub hash: u64,
    /// Which image of this position the hash is of: the argument of [`Game::reframe`]. 0 is the position itself.
    pub frame: u8,
}

/// The moves of one node.
pub type Moves<G> = <<G as Game>::MoveCapacity as Capacity>::List<<G as Game>::Move>;

/// A two-player zero-sum game of chance with perfect information. A value of this type is a position.
///
/// Positions are small and copied: a child is a new value, and taking a step back is dropping it.
pub trait Game: Clone + Send + Sync {
    /// A player's choice at a decision node.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// The most moves a node can have.
    type MoveCapacity: Capacity;
    /// The most outcomes a node can have.
    type OutcomeCapacity: Capacity;

    /// The greatest result of a game, in points: what [`Value::WIN`] stands for.
    const POINTS: u32 = 1;

    /// What kind of node this is.
    fn kind(&self) -> Kind;

    /// Whose view the values of this position are from: at a decision, who is to choose.
    fn mover(&self) -> Player;

    /// The moves of a decision node, at least one.
    fn moves(&self) -> Moves<Self>;

    /// The outcomes of a chance node, at least one. Those that lead to positions which differ in nothing but their looks
    /// should be one, their weights added.
    fn outcomes(&self) -> impl Iterator<Item = Outcome>;

    /// Make a legal move.
    fn play(&mut self, mv: Self::Move);

    /// Let chance bring a possible outcome.
    fn resolve(&mut self, outcome: u8);

    /// The position's key: the position's value to `depth` is a function of it. With `images`, positions that are mirror
    /// images of each other share one.
    fn key(&self, images: bool, depth: u32) -> Key;

    /// Translate a move between this position and the image that `frame` names; its own inverse.
    fn reframe(&self, mv: Self::Move, _frame: u8) -> Self::Move {
        mv
    }

    /// A number for a move, by which experience with it is remembered. Moves may share one; better if they do not.
    fn code(mv: Self::Move) -> u16;

    /// The position after a step.
    #[inline(always)]
    fn child(&self, step: Step<Self::Move>) -> Self {
        let mut child = self.clone();
        match step {
            Step::Move(mv) => child.play(mv),
            Step::Outcome(id) => child.resolve(id),
        }
        child
    }
}
