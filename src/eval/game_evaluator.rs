//! The evaluator of a game that has a network and formulas: one of them, with or without noise.

use super::{ChildEvaluator, Evaluator, Noise, RunningMax, Stepwise};
use crate::game::{Capacity, Game, Notation, Shortcuts, Step, Turn, Value};
use std::fmt;
use std::sync::Arc;

/// A game that is evaluated by a network that follows it, or by formulas: plain functions of an undecided position for its
/// mover. Neither network nor formulas nor noise tell mirror images (positions that share a key) apart.
pub trait Networked: Notation + Shortcuts {
    /// The network.
    type Network: Evaluator<Self, State: Default> + fmt::Debug + 'static;

    /// Whether network, formulas and noise are the same for a chance node and all its children.
    const IGNORES_OUTCOMES: bool = false;

    /// A number for all that the noise may depend on.
    fn noise_hash(&self) -> u64;

    /// What is worth knowing of a static value besides noise and the value itself, a line a part.
    fn parts(&self, network: Option<&Self::Network>) -> Vec<String>;
}

/// The formula by which every undecided position is a draw.
pub fn zero<G>(_game: &G) -> Value {
    Value::DRAW
}

/// An evaluation of positions. Copies share the network.
pub struct GameEvaluator<G: Networked> {
    way: Way<G>,
    noise: Noise,
}

/// How undecided positions are evaluated.
enum Way<G: Networked> {
    Network(Arc<G::Network>),
    Formula(fn(&G) -> Value),
}

impl<G: Networked> Clone for GameEvaluator<G> {
    fn clone(&self) -> GameEvaluator<G> {
        let way = match &self.way {
            Way::Network(network) => Way::Network(Arc::clone(network)),
            &Way::Formula(formula) => Way::Formula(formula),
        };
        GameEvaluator { way, noise: self.noise }
    }
}

impl<G: Networked> fmt::Debug for GameEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.way {
            Way::Network(network) => network.fmt(f)?,
            Way::Formula(_) => f.write_str("a formula")?,
        }
        if self.noise.is_none() { Ok(()) } else { write!(f, " with {:?}", self.noise) }
    }
}

impl<G: Networked> GameEvaluator<G> {
    /// By a network.
    pub fn by_network(network: Arc<G::Network>, noise: Noise) -> GameEvaluator<G> {
        GameEvaluator { way: Way::Network(network), noise }
    }

    /// By a formula.
    pub fn by_formula(formula: fn(&G) -> Value, noise: Noise) -> GameEvaluator<G> {
        GameEvaluator { way: Way::Formula(formula), noise }
    }

    /// The network, if it is one that evaluates.
    pub fn network(&self) -> Option<&G::Network> {
        match &self.way {
            Way::Network(network) => Some(network),
            Way::Formula(_) => None,
        }
    }

    /// A value with the noise of its position, which is looked at only where there is noise.
    #[inline(always)]
    fn with_noise(&self, plain: Value, game: &G) -> Value {
        if self.noise.is_none() {
            return plain;
        }
        Value::from_raw(i64::from(plain.raw()) + self.noise.of(game.noise_hash()))
    }

    /// The static value of an undecided position, a line a part, all for its mover and the value last.
    pub fn explain(&self, game: &G) -> String {
        let points = |value: Value| value.in_points(G::POINTS);
        let mut lines = game.parts(self.network());
        let plain = match &self.way {
            Way::Network(network) => network.value(&network.state(game), game),
            Way::Formula(formula) => formula(game),
        };
        if !self.noise.is_none() {
            lines.push(format!("before noise {}", points(plain)));
            lines.push(format!("noise {}", points(Value::from_raw(self.noise.of(game.noise_hash())))));
        }
        lines.push(format!("value {}", points(self.with_noise(plain, game))));
        lines.join("\n")
    }
}

impl<G: Networked> Evaluator<G> for GameEvaluator<G> {
    type State = <G::Network as Evaluator<G>>::State;

    fn state(&self, game: &G) -> Self::State {
        match &self.way {
            Way::Network(network) => network.state(game),
            Way::Formula(_) => Self::State::default(),
        }
    }

    #[inline]
    fn advance(&self, state: &mut Self::State, game: &G, step: Step<G::Move>, next: &G) {
        if let Way::Network(network) = &self.way {
            network.advance(state, game, step, next);
        }
    }

    #[inline]
    fn advance_before_last(&self, state: &mut Self::State, game: &G, step: Step<G::Move>, next: &G) {
        if let Way::Network(network) = &self.way {
            network.advance_before_last(state, game, step, next);
        }
    }

    #[inline]
    fn value(&self, state: &Self::State, game: &G) -> Value {
        let plain = match &self.way {
            Way::Network(network) => network.value(state, game),
            Way::Formula(formula) => formula(game),
        };
        self.with_noise(plain, game)
    }

    type Children<'a>
        = Children<'a, G>
    where
        G: 'a;

    #[inline]
    fn children<'a>(&'a self, state: &'a Self::State, game: &'a G) -> Children<'a, G> {
        match &self.way {
            Way::Network(network) if self.noise.is_none() => Children::Network(network.children(state, game)),
            Way::Network(network) => {
                Children::Noisy(NoisyChildren { children: network.children(state, game), evaluator: self, game })
            }
            Way::Formula(_) => Children::Stepwise(Stepwise::new(self, state, game)),
        }
    }

    fn measured_as(&self) -> Option<String> {
        self.network().and_then(Evaluator::measured_as)
    }

    fn sees_images_alike(&self) -> bool {
        true
    }

    fn ignores_outcomes(&self) -> bool {
        G::IGNORES_OUTCOMES
    }
}

/// The children of a network.
type NetworkChildren<'a, G> = <<G as Networked>::Network as Evaluator<G>>::Children<'a>;

/// How the children of a position are evaluated.
pub enum Children<'a, G: Networked> {
    /// As the network does it.
    Network(NetworkChildren<'a, G>),
    /// The same with noise.
    Noisy(NoisyChildren<'a, G>),
    /// One whole position after another.
    Stepwise(Stepwise<'a, G, GameEvaluator<G>>),
}

/// Children as a network values them, with the noise of each.
pub struct NoisyChildren<'a, G: Networked> {
    children: NetworkChildren<'a, G>,
    evaluator: &'a GameEvaluator<G>,
    game: &'a G,
}

impl<G: Networked> ChildEvaluator<G> for NoisyChildren<'_, G> {
    // Like that of `Stepwise`, not worth room in the middle of a faster way.
    #[inline(never)]
    fn value_after(&self, mv: G::Move) -> Value {
        let child = self.game.child(Step::Move(mv));
        let plain = self.children.value_after(mv);
        match Turn::between(self.game.mover(), child.mover()) {
            Turn::Kept => self.evaluator.with_noise(plain, &child),
            Turn::Passed => -self.evaluator.with_noise(-plain, &child),
        }
    }
}

impl<G: Networked> ChildEvaluator<G> for Children<'_, G> {
    #[inline(always)]
    fn value_after(&self, mv: G::Move) -> Value {
        match self {
            Children::Network(children) => children.value_after(mv),
            Children::Noisy(children) => children.value_after(mv),
            Children::Stepwise(children) => children.value_after(mv),
        }
    }

    #[inline(always)]
    fn include(&self, max: &mut RunningMax, mv: G::Move) {
        match self {
            Children::Network(children) => children.include(max, mv),
            Children::Noisy(children) => children.include(max, mv),
            Children::Stepwise(children) => children.include(max, mv),
        }
    }

    #[inline(always)]
    fn include_all(
        &self,
        game: &G,
        decisions: impl Iterator<Item = (u8, u16)>,
        maxima: &mut <<G as Game>::OutcomeCapacity as Capacity>::Slots<RunningMax>,
    ) -> usize {
        match self {
            Children::Network(children) => children.include_all(game, decisions, maxima),
            Children::Noisy(children) => children.include_all(game, decisions, maxima),
            Children::Stepwise(children) => children.include_all(game, decisions, maxima),
        }
    }

    #[inline(always)]
    fn maximum(&self, max: RunningMax) -> Value {
        match self {
            Children::Network(children) => children.maximum(max),
            Children::Noisy(children) => children.maximum(max),
            Children::Stepwise(children) => children.maximum(max),
        }
    }
}
