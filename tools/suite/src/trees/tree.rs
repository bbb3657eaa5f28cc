//! Regular *-minimax trees (Ballard 1983) as a game: choices and chance alternate, every node of a kind has the same
//! number of children, and leaf values are random.

use alea::eval::{Evaluator, Stepwise};
use alea::game::{Game, Key, Kind, Move, Moves, Outcome, Turn, Value, mix};
use alea_tools::random::draws;
use clap::ValueEnum;
use parking_lot::Mutex;
use rand::RngExt;
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

/// One tree with all its random numbers.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Its shape.
    pub plan: Plan,
    /// What keys of its nodes differ by from those of other trees.
    salt: u64,
    /// Level by level below the root, from the left: what the branch to a node, or a leaf, is worth. A number uniform in
    /// [−1, 1], in steps of 2⁻²⁴.
    worths: Vec<Vec<i32>>,
}

impl Tree {
    /// Tree `number` of those that a seed stands for.
    pub fn new(plan: Plan, seed: u64, number: u64) -> Tree {
        let mut draws = draws(seed, "trees", number);
        let salt = draws.random();
        let mut count = 1;
        let level = |level: u32| {
            count *= u64::from(plan.width(level));
            // Of leaves drawn by themselves only they count.
            let drawn = if plan.leaves == Leaves::Branches || level + 1 == plan.depth { count } else { 0 };
            (0..drawn).map(|_| draws.random_range(-(1 << 24)..=1 << 24)).collect()
        };
        Tree { plan, salt, worths: (0..plan.depth).map(level).collect() }
    }

    /// The root.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, level: 0, place: 0, sum: 0 }
    }
}

/// A node: how deep it stands, its place among the nodes of its level, from the left, and the sum of the branches above
/// it in the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tree: &'a Tree,
    level: u32,
    place: u64,
    sum: i64,
}

impl Node<'_> {
    /// What the branch to this node, or this leaf, is worth.
    fn worth(&self) -> i64 {
        let level = self.level.checked_sub(1).and_then(|above| self.tree.worths.get(above as usize));
        level.and_then(|level| level.get(self.place as usize)).copied().unwrap_or(0).into()
    }

    fn child(&self, nth: u64) -> Self {
        let place = self.place * u64::from(self.tree.plan.width(self.level)) + nth;
        let mut child = Node { level: self.level + 1, place, ..*self };
        child.sum += child.worth();
        child
    }

    fn value(&self) -> Value {
        Value::from_raw(match self.tree.plan.leaves {
            Leaves::Branches => self.sum / i64::from(self.tree.plan.depth),
            Leaves::Independent => self.worth(),
        })
    }
}

impl Game for Node<'_> {
    fn kind(&self) -> Kind {
        if self.tree.plan.is_chance(self.level) { Kind::Chance } else { Kind::Decision }
    }

    fn moves(&self) -> Moves {
        (0..self.tree.plan.choices).map(|mv| Move(mv as u16)).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        (0..self.tree.plan.outcomes).map(|id| Outcome { id: id as u8, weight: 1 })
    }

    fn after(&self, mv: Move) -> (Self, Turn) {
        let child = self.child(u64::from(mv.0));
        (Node { sum: -child.sum, ..child }, Turn::Passed)
    }

    fn rolled(&self, outcome: u8) -> (Self, Turn) {
        (self.child(u64::from(outcome)), Turn::Kept)
    }

    fn key(&self, _images: bool) -> Key {
        Key { hash: mix(mix(self.tree.salt ^ u64::from(self.level)) ^ self.place), frame: 0 }
    }

    fn reframe(&self, mv: Move, _frame: u8) -> Move {
        mv
    }

    fn plies_left(&self) -> u32 {
        self.tree.plan.depth - self.level
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
        if node.level < node.tree.plan.depth {
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
