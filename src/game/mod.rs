//! What a game of chance is, to the search: positions of three kinds, moves, and outcomes with integer weights.
//!
//! The trait asks nothing about who rolls when: a chance node may come before a player's choice (a die that says where
//! one may play) or after it (a flip that decides what a move does), and any step may pass the turn or keep it.

pub mod dice;
mod mix;
mod value;

pub use arrayvec::ArrayVec;
pub use mix::mix;
pub use value::Value;

/// The most moves or outcomes one node may have.
pub const MAX_BRANCHES: usize = 32;

/// Moves are numbers below this; what a number means is the game's affair.
pub const MOVE_LIMIT: usize = 512;

/// A player's choice at a decision node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move(pub u16);

/// One way a chance node may turn out, with its integer weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Which outcome, a number the game understands.
    pub id: u8,
    /// Its probability is this over the sum of the weights; at least 1.
    pub weight: u32,
}

/// What kind of node a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A player chooses.
    Decision,
    /// Chance chooses.
    Chance,
    /// The game has ended with this worth for the side to move.
    Over(Value),
}

/// Whose view the values after a step are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The same side's as before the step.
    Kept,
    /// The other side's: values change sign.
    Passed,
}

/// What is known of a node's worth: it lies in `[lo, hi]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least this.
    pub lo: Value,
    /// At most this.
    pub hi: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lo: Value::LOSS, hi: Value::WIN };

    /// Everything is known.
    pub const fn exactly(value: Value) -> Bounds {
        Bounds { lo: value, hi: value }
    }

    /// Whether only one value is left.
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// What two sources say together. Both are about one node, so they agree on at least one value.
    #[inline(always)]
    pub fn meet(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The same knowledge from the view of the side before a step that led here.
    pub fn before(self, turn: Turn) -> Bounds {
        match turn {
            Turn::Kept => self,
            Turn::Passed => Bounds { lo: -self.hi, hi: -self.lo },
        }
    }
}

/// The name of a position in the transposition table, and the frame its moves are stored in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Equal for positions that are one another's images; different, but for chance, for others.
    pub hash: u64,
    /// Which image of this position the hash is of: the argument of [`Game::reframe`].
    pub frame: u8,
}

/// Moves of one node.
pub type Moves = ArrayVec<Move, MAX_BRANCHES>;

/// A two-player zero-sum game of chance with perfect information. A value of this type is a position.
///
/// Positions are small and copied: a child is a new value, and taking a move back is dropping it.
pub trait Game: Clone + Send + Sync {
    /// What kind of node this is.
    fn kind(&self) -> Kind;

    /// The moves of a decision node, at least one.
    fn moves(&self) -> Moves;

    /// The outcomes of a chance node, at least one and at most [`MAX_BRANCHES`].
    fn outcomes(&self) -> impl Iterator<Item = Outcome>;

    /// No chance node from here on has more outcomes than this.
    fn most_outcomes(&self) -> usize {
        MAX_BRANCHES
    }

    /// The position after a legal move, and whose view it is seen from.
    fn after(&self, mv: Move) -> (Self, Turn);

    /// Make a legal move, and say whose view the position is now seen from.
    fn make(&mut self, mv: Move) -> Turn {
        let (next, turn) = self.after(mv);
        *self = next;
        turn
    }

    /// The position after a possible outcome, and whose view it is seen from.
    fn rolled(&self, outcome: u8) -> (Self, Turn);

    /// The position's key. With `images`, positions that are mirror images of each other share one.
    fn key(&self, images: bool) -> Key;

    /// The key of the position that `outcome` of this chance node and then `mv` lead to, and whose view it is seen from.
    fn key_after(&self, outcome: u8, mv: Move, images: bool) -> (Key, Turn) {
        let (rolled, first) = self.rolled(outcome);
        let (next, second) = rolled.after(mv);
        (next.key(images), if first == second { Turn::Kept } else { Turn::Passed })
    }

    /// Translate a move between this position and the image that `frame` names; its own inverse.
    fn reframe(&self, mv: Move, frame: u8) -> Move;

    /// No line from here is longer than this many nodes of either kind.
    fn plies_left(&self) -> u32;

    /// Whether a chance node and all nodes one outcome away are decided alike, and chance and decision nodes alternate
    /// strictly. Then an evaluation that ignores outcomes gives a chance node the same value to an odd depth as to the
    /// even one before it, and a decision node to an even depth as to the odd one before it.
    const ALTERNATES: bool = false;

    /// What the rules alone say of this node's value to `depth` (at least 1), under any evaluation.
    fn bounds(&self, _depth: u32) -> Bounds {
        Bounds::UNKNOWN
    }

    /// The outcomes of a chance node, each with what the rules alone say of the child that it leads to, searched to `depth`,
    /// in this node's view. Of a child that is not searched they say nothing.
    fn ruled_outcomes(&self, depth: u32) -> impl Iterator<Item = (Outcome, Bounds)> {
        self.outcomes().map(move |outcome| {
            let (child, turn) = self.rolled(outcome.id);
            (outcome, if depth == 0 { Bounds::UNKNOWN } else { child.bounds(depth).before(turn) })
        })
    }

    /// The moves of the decision that `outcome` of this chance node leads to, in the order of [`Game::moves`].
    fn moves_after(&self, outcome: u8) -> impl Iterator<Item = Move> {
        self.rolled(outcome).0.moves().into_iter()
    }

    /// Whether `mv` is one of those.
    fn follows(&self, outcome: u8, mv: Move) -> bool {
        self.moves_after(outcome).any(|other| other == mv)
    }

    /// Call `take` for every move of some decisions that outcomes of this chance node lead to, in any order. The decisions
    /// are given by outcome, each with a name to hand on to `take`.
    fn each_move_after(&self, decisions: impl Iterator<Item = (u8, u16)>, mut take: impl FnMut(Move, u16)) {
        for (outcome, name) in decisions {
            self.moves_after(outcome).for_each(|mv| take(mv, name));
        }
    }

    /// Whether no move of this decision node, or of any decision next after this chance node, ends the game, given that
    /// [`Game::bounds`] sees no win at once there; and whether every outcome of such a chance node leads to a decision of the
    /// same side. Search then evaluates all leaves after a last decision, or a last chance node, together.
    fn is_quiet(&self) -> bool {
        false
    }

    /// Whether this chance node is quiet, and all moves next after it lead to chance nodes that are quiet too: but for moves
    /// after an outcome where [`Game::ruled_outcomes`] sees a win at once.
    fn is_quiet_beyond(&self) -> bool {
        false
    }
}
