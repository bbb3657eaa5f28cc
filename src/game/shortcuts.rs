//! What a game may offer beyond its rules, to be searched faster.
//!
//! A game that offers nothing writes `impl Shortcuts for MyGame {}` and is searched correctly and well. Everything here must
//! agree with the rules: tests hold each answer to its definition.

use super::{Bounds, Game, Key, Outcome, Random, Step, Trace, Turn, Value, play_out};

/// Answers about a position that the rules could give too, but sooner.
pub trait Shortcuts: Game {
    /// Whether a chance node and all nodes one outcome away are decided alike, and chance and decision nodes alternate
    /// strictly. Then an evaluation that ignores outcomes gives a chance node the same value to an odd depth as to the
    /// even one before it, and a decision node to an even depth as to the odd one before it.
    const ALTERNATES: bool = false;

    /// Whose view `child`, the position after `step`, is seen from.
    #[inline(always)]
    fn turn(&self, _step: Step<Self::Move>, child: &Self) -> Turn {
        Turn::between(self.mover(), child.mover())
    }

    /// No chance node from here on has more outcomes than this.
    fn most_outcomes(&self) -> usize {
        usize::MAX
    }

    /// What the rules alone say of this node's value to `depth` (at least 1), under any evaluation.
    fn bounds(&self, _depth: u32) -> Bounds {
        Bounds::UNKNOWN
    }

    /// The outcomes of a chance node, each with what the rules alone say of the child that it leads to, searched to `depth`,
    /// in this node's view. Of a child that is not searched they say nothing.
    fn bounded_outcomes(&self, depth: u32) -> impl Iterator<Item = (Outcome, Bounds)> {
        self.outcomes().map(move |outcome| {
            if depth == 0 {
                return (outcome, Bounds::UNKNOWN);
            }
            let step = Step::Outcome(outcome.id);
            let child = self.child(step);
            (outcome, child.bounds(depth).before(self.turn(step, &child)))
        })
    }

    /// The moves of the decision that `outcome` of this chance node leads to, in the order of [`Game::moves`].
    fn moves_after(&self, outcome: u8) -> impl Iterator<Item = Self::Move> {
        self.child(Step::Outcome(outcome)).moves().into_iter()
    }

    /// Whether `mv` is one of those.
    fn is_move_after(&self, outcome: u8, mv: Self::Move) -> bool {
        self.moves_after(outcome).any(|other| other == mv)
    }

    /// Call `take` for every move of some decisions that outcomes of this chance node lead to, in any order. The decisions
    /// are given by outcome, each with a number to hand on to `take`.
    fn each_move_after(&self, decisions: impl Iterator<Item = (u8, u16)>, mut take: impl FnMut(Self::Move, u16)) {
        for (outcome, number) in decisions {
            self.moves_after(outcome).for_each(|mv| take(mv, number));
        }
    }

    /// The key, to `depth`, of the position that `outcome` of this chance node and then `mv` lead to, and whose view it is
    /// seen from.
    fn key_after(&self, outcome: u8, mv: Self::Move, images: bool, depth: u32) -> (Key, Turn) {
        let next = self.child(Step::Outcome(outcome)).child(Step::Move(mv));
        (next.key(images, depth), Turn::between(self.mover(), next.mover()))
    }

    /// How likely a move of this decision is to be a good one, before anything is known of it: the more, the sooner it is tried.
    #[inline(always)]
    fn promise(&self, _mv: Self::Move) -> u32 {
        0
    }

    /// Whether this decision has moves that [`Game::moves`] leaves out, so that its value is a judgement and not the rules'.
    #[inline(always)]
    fn withholds_moves(&self) -> bool {
        false
    }

    /// Whether no move of this decision node, or of any decision next after this chance node, ends the game, given that
    /// [`Shortcuts::bounds`] sees no win at once there; and whether every outcome of such a chance node leads to a decision
    /// of the same side. Search then evaluates all leaves after a last decision, or a last chance node, together.
    fn is_quiet(&self) -> bool {
        false
    }

    /// Whether this chance node is quiet, and all moves next after it lead to chance nodes that are quiet too: but for moves
    /// after an outcome where [`Shortcuts::bounded_outcomes`] sees a win at once.
    fn is_quiet_beyond(&self) -> bool {
        false
    }

    /// Play on from this undecided position, by chance more or less, until the game ends: the result for its mover, or `None`
    /// where no end was reached. Of so many `candidates` drawn by chance the most promising move is made, where the game can
    /// tell promise fast. Moves are noted in `trace`.
    fn play_out(&self, _candidates: u32, random: &mut Random, trace: &mut Trace) -> Option<Value> {
        play_out(self, random, trace)
    }
}
