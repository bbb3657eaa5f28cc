//! Regular *-minimax trees (Ballard 1983) as a game: choices and chance alternate, every node of a kind has the same
//! number of children, and leaf values are random.

use super::MAX_BRANCHES;
use alea::eval::PositionValue;
use alea::game::{Game, Key, Kind, Moves, Outcome, Player, Shortcuts, UpTo, Value, mix};
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
        Node { tree: self, level: 0, place: 0, sum: 0, mover: Player::First }
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
    mover: Player,
}

impl Node<'_> {
    /// What the branch to this node, or this leaf, is worth.
    fn worth(&self) -> i64 {
        let level = self.level.checked_sub(1).and_then(|above| self.tree.worths.get(above as usize));
        level.and_then(|level| level.get(self.place as usize)).copied().unwrap_or(0).into()
    }

    fn below(&self, nth: u64) -> Self {
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
    type Move = u16;
    type MoveCapacity = UpTo<MAX_BRANCHES>;
    type OutcomeCapacity = UpTo<MAX_BRANCHES>;

    fn kind(&self) -> Kind {
        if self.tree.plan.is_chance(self.level) { Kind::Chance } else { Kind::Decision }
    }

    fn mover(&self) -> Player {
        self.mover
    }

    fn moves(&self) -> Moves<Self> {
        (0..self.tree.plan.choices).map(|mv| mv as u16).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        (0..self.tree.plan.outcomes).map(|id| Outcome { id: id as u8, weight: 1 })
    }

    fn play(&mut self, mv: u16) {
        let child = self.below(u64::from(mv));
        *self = Node { sum: -child.sum, mover: self.mover.other(), ..child };
    }

    fn resolve(&mut self, outcome: u8) {
        *self = self.below(u64::from(outcome));
    }

    fn key(&self, _images: bool, _depth: u32) -> Key {
        Key { hash: mix(mix(self.tree.salt ^ u64::from(self.level)) ^ self.place), frame: 0 }
    }

    fn code(mv: u16) -> u16 {
        mv
    }
}

impl Shortcuts for Node<'_> {}

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

impl PositionValue<Node<'_>> for Witness {
    fn value(&self, node: &Node<'_>) -> Value {
        if node.level < node.tree.plan.depth {
            return Value::DRAW;
        }
        self.looks.lock().push(node.place);
        node.value()
    }

    fn sees_images_alike(&self) -> bool {
        true
    }
}
