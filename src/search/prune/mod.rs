//! Forward pruning: to leave out what is likely not to matter, without proof. None of it is on unless it is asked for.
//!
//! One file an idea. [`probcut`] trusts a shallower search, as far as [`prediction`] says what that is worth ([`measured`] has the
//! numbers); [`luck`] asks one of every outcome; [`rolls`] leaves outcomes out, and [`beam`] moves.
//!
//! Under [`rolls`] and [`beam`] a value is still a function of position and depth, so that all algorithms agree on it; cuts by
//! prediction depend on the window. Either way no value is the game's own: a pruned search solves nothing, and what it puts into
//! the table is only for searches that are pruned alike.

mod beam;
mod luck;
mod measured;
mod prediction;
mod probcut;
mod rolls;

pub(super) use rolls::trimmed;

use super::chance::Method;
use super::limits::Settings;
use super::node::Node;
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::eval::Evaluator;
use crate::game::{Game, Shortcuts, Value};
use prediction::Predictions;

/// What is left out without proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// Nothing.
    #[default]
    None,
    /// Chance nodes that a shallower search puts well outside the window (Schadd, Winands & Uiterwijk 2009).
    ChanceProbCut,
    /// Decisions that a shallower search puts well outside the window (Buro 1995).
    ProbCut,
    /// Chance nodes that not even the luckiest outcome, or the unluckiest, brings into the window (Veness 2006).
    Luck,
    /// The luckiest and the unluckiest outcomes.
    Rolls,
    /// All but the best moves at first sight, as GNU Backgammon's move filters do.
    Beam,
}

impl Prune {
    /// Every kind, none first.
    pub const ALL: [Prune; 6] =
        [Prune::None, Prune::ChanceProbCut, Prune::ProbCut, Prune::Luck, Prune::Rolls, Prune::Beam];

    /// The name users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Prune::None => "none",
            Prune::ChanceProbCut => "ChanceProbCut",
            Prune::ProbCut => "ProbCut",
            Prune::Luck => "luck",
            Prune::Rolls => "rolls",
            Prune::Beam => "beam",
        }
    }

    /// Nodes nearer to the leaves than this are left alone: there is too little to save.
    const fn least_depth(self) -> u32 {
        match self {
            Prune::None => u32::MAX,
            Prune::ChanceProbCut | Prune::Luck | Prune::Rolls => 4,
            Prune::ProbCut => 3,
            Prune::Beam => 2,
        }
    }
}

/// How far each kind goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PruneMargins {
    /// How many standard deviations, in hundredths, a shallower search must lie outside the window to be trusted.
    pub deviations: u32,
    /// How much of the weight of all outcomes may be left out at either end, in per cent.
    pub trim: u32,
    /// How many moves are kept; at least 1.
    pub beam: usize,
}

impl PruneMargins {
    /// Margins so wide that nothing is ever left out.
    pub const WIDEST: PruneMargins = PruneMargins { deviations: u32::MAX, trim: 0, beam: usize::MAX };
}

impl Default for PruneMargins {
    fn default() -> PruneMargins {
        PruneMargins { deviations: 150, trim: 20, beam: 3 }
    }
}

/// What one search leaves out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruning {
    kind: Prune,
    least_depth: u32,
    pub margins: PruneMargins,
    pub predictions: Predictions,
}

impl Pruning {
    /// As the settings say. Searches by chance have no use for it.
    pub fn new<G: Game, E: Evaluator<G>>(settings: &Settings, evaluator: &E) -> Pruning {
        let kind = if settings.algorithm.is_exact() { settings.prune } else { Prune::None };
        let predictions = match kind {
            Prune::ChanceProbCut | Prune::ProbCut => Predictions::of(evaluator.measured_as().as_deref()),
            _ => Predictions::UNMEASURED,
        };
        Pruning { kind, least_depth: kind.least_depth(), margins: settings.prune_margins, predictions }
    }

    /// Whether anything may be left out.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.kind != Prune::None
    }

    /// Whether nodes to `depth` are pruned in this way.
    #[inline(always)]
    pub fn applies(&self, kind: Prune, depth: u32) -> bool {
        self.kind == kind && depth >= self.least_depth
    }
}

/// An end of a window that a value is taken to lie beyond, if it is.
type Cut = Result<Option<Value>, Stopped>;

/// (The ways that prune are kept apart from the way of a search that does not, so that it need not make room for them.)
impl<G: Shortcuts, E: Evaluator<G>> Worker<'_, G, E> {
    /// The end of `window` that a decision's value is taken to lie beyond.
    #[inline(always)]
    pub fn cut_decision<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window) -> Cut {
        if self.pruning.is_on() { self.cut_decision_in_doubt::<M>(node, window) } else { Ok(None) }
    }

    #[cold]
    fn cut_decision_in_doubt<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window) -> Cut {
        if !self.pruning.applies(Prune::ProbCut, node.depth) {
            return Ok(None);
        }
        self.predicted_cut::<M>(node, window, self.pruning.predictions.decision(node.depth))
    }

    /// The end of `window` that a chance node's value is taken to lie beyond.
    #[inline(always)]
    pub fn cut_chance<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window) -> Cut {
        if self.pruning.is_on() { self.cut_chance_in_doubt::<M>(node, window) } else { Ok(None) }
    }

    #[cold]
    fn cut_chance_in_doubt<M: Method>(&mut self, node: &Node<'_, G, E>, window: Window) -> Cut {
        // Nothing below is solved.
        self.estimates += 1;
        if self.pruning.applies(Prune::ChanceProbCut, node.depth) {
            self.predicted_cut::<M>(node, window, self.pruning.predictions.chance(node.depth))
        } else if self.pruning.applies(Prune::Luck, node.depth) {
            self.hopeless_or_safe::<M>(node, window)
        } else {
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::dice::DiceEvaluator;
    use crate::game::dice::{Board, Shape};
    use crate::search::Algorithm;

    #[test]
    fn only_what_is_asked_for_is_pruned_and_not_next_to_the_leaves() {
        let evaluator = DiceEvaluator::for_shape(Shape::default());
        for asked in Prune::ALL {
            for algorithm in Algorithm::ALL {
                let settings = Settings { prune: asked, algorithm, ..Settings::default() };
                let pruning = Pruning::new::<Board<u32>, _>(&settings, &evaluator);
                let on = asked != Prune::None && algorithm.is_exact();
                assert_eq!(pruning.is_on(), on, "{asked:?} {algorithm:?}");
                for kind in Prune::ALL {
                    assert_eq!(pruning.applies(kind, 9), kind == asked && on);
                    assert!(!pruning.applies(kind, 1));
                }
            }
        }
    }
}
