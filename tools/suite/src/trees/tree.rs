//! Regular *-minimax trees (Ballard 1983) as a game: choices and chance alternate, every node of a kind has the same
//! number of children, and leaf values are random.

use alea::eval::{Evaluator, Stepwise};
use alea::game::{Game, Key, Kind, Move, Moves, Outcome, Turn, Value, mix};
use clap::ValueEnum;
use parking_lot::Mutex;
use std::sync::Arc;

/// How leaves come by their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Leaves {
    /// Every branch has a value drawn uniformly; a leaf's is the mean of those that lead to it
    Branches,
    /// Every leaf's value is drawn uniformly, independently of all others
    Independent,
}

/// What all nodes of a tree have in common.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Levels below the root.
    pub depth: u32,
    /// Children of a node where a player chooses.
    pub choices: u32,
    /// Children of a chance node.
    pub outcomes: u32,
    /// Whether the root is a chance node.
    pub chance_root: bool,
    /// How leaves come by their values.
    pub leaves: Leaves,
}

impl Plan {
    /// Leaves of the whole tree, unless they are too many to count.
    pub fn leaf_count(&self) -> Option<u64> {
        (0..self.depth).try_fold(1u64, |leaves, level| leaves.checked_mul(u64::from(self.width(level))))
    }

    fn is_chance(&self, level: u32) -> bool {
        self.chance_root == level.is_multiple_of(2)
    }

    fn width(&self, level: u32) -> u32 {
        if self.is_chance(level) { self.outcomes } else { self.choices }
    }
}

/// A node: how deep it stands, its place among the nodes of its level, from the left, and the sum of the branches above
/// it in the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    plan: &'a Plan,
    seed: u64,
    level: u32,
    place: u64,
    sum: i64,
}

impl<'a> Node<'a> {
    /// The root of the tree that `seed` stands for.
    pub fn root(plan: &'a Plan, seed: u64) -> Node<'a> {
        Node { plan, seed, level: 0, place: 0, sum: 0 }
    }

    fn hash(&self) -> u64 {
        mix(mix(mix(self.seed) ^ u64::from(self.level)) ^ self.place)
    }

    /// A number uniform in [−1, 1], in steps of 2⁻²⁴: what the branch to this node, or this leaf, is worth.
    fn draw(&self) -> i64 {
        (self.hash() % ((1 << 25) + 1)) as i64 - (1 << 24)
    }

    fn child(&self, nth: u64) -> Self {
        let place = self.place * u64::from(self.plan.width(self.level)) + nth;
        let mut child = Node { level: self.level + 1, place, ..*self };
        child.sum += child.draw();
        child
    }

    fn value(&self) -> Value {
        Value::from_raw(match self.plan.leaves {
            Leaves::Branches => self.sum / i64::from(self.plan.depth),
            Leaves::Independent => self.draw(),
        })
    }
}

impl Game for Node<'_> {
    fn kind(&self) -> Kind {
        if self.plan.is_chance(self.level) { Kind::Chance } else { Kind::Decision }
    }

    fn moves(&self) -> Moves {
        (0..self.plan.choices).map(|mv| Move(mv as u16)).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        (0..self.plan.outcomes).map(|id| Outcome { id: id as u8, weight: 1 })
    }

    fn after(&self, mv: Move) -> (Self, Turn) {
        let child = self.child(u64::from(mv.0));
        (Node { sum: -child.sum, ..child }, Turn::Passed)
    }

    fn rolled(&self, outcome: u8) -> (Self, Turn) {
        (self.child(u64::from(outcome)), Turn::Kept)
    }

    fn key(&self, _images: bool) -> Key {
        Key { hash: self.hash(), frame: 0 }
    }

    fn reframe(&self, mv: Move, _frame: u8) -> Move {
        mv
    }

    fn plies_left(&self) -> u32 {
        self.plan.depth - self.level
    }
}

/// Gives each leaf its value and takes note of it. Search deepens step by step and asks about inner nodes too: those are
/// called even, and not noted.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    looks: Arc<Mutex<Vec<u64>>>,
}

impl Witness {
    /// Of the first `looks` looks at leaves, how many were at leaves not seen before.
    pub fn distinct(&self, looks: usize) -> usize {
        let mut seen = self.looks.lock().clone();
        seen.truncate(looks);
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }
}

impl<'n> Evaluator<Node<'n>> for Witness {
    type State = ();

    fn state(&self, _game: &Node<'n>) {}

    fn play(&self, (): &mut (), _game: &Node<'n>, _mv: Move, _next: &Node<'n>) {}

    fn value(&self, (): &(), node: &Node<'n>) -> Value {
        if node.level < node.plan.depth {
            return Value::DRAW;
        }
        self.looks.lock().push(node.place);
        node.value()
    }

    type Outlook<'a>
        = Stepwise<'a, Node<'n>, Witness>
    where
        'n: 'a;

    fn outlook<'a>(&'a self, state: &'a (), game: &'a Node<'n>) -> Self::Outlook<'a> {
        Stepwise::new(self, state, game)
    }

    fn sees_images_alike(&self) -> bool {
        true
    }

    fn ignores_outcomes(&self) -> bool {
        false
    }
}
