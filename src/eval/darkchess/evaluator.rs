//! The evaluator of dark chess that the engine uses: a network, material or nothing, with or without noise.

use super::accumulators::{Accumulators, ChildSums, DarkChessNetwork};
use super::{material, shipped};
use crate::eval::nn::FileError;
use crate::eval::{ChildEvaluator, Evaluated, Evaluator, NetworkError, Noise, Stepwise};
use crate::game::darkchess::{Move, Position};
use crate::game::{Notation, Step, Value};
use std::sync::Arc;

/// How undecided positions are evaluated.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// By a network.
    Net(Arc<DarkChessNetwork>),
    /// By what is left.
    Material,
    /// As draws.
    Zero,
}

/// An evaluation of positions. Copies share the network.
#[derive(Clone, Debug)]
pub struct DarkChessEvaluator {
    kind: EvalKind,
    noise: Noise,
}

impl DarkChessEvaluator {
    /// An evaluation of a kind.
    pub fn new(kind: EvalKind, noise: Noise) -> DarkChessEvaluator {
        DarkChessEvaluator { kind, noise }
    }

    /// The value with no noise, from nothing but the position.
    fn plain(&self, game: &Position) -> Value {
        match &self.kind {
            EvalKind::Net(network) => network.value_afresh(game),
            EvalKind::Material => material::value(game),
            EvalKind::Zero => Value::DRAW,
        }
    }

    /// The noise, in steps of 2⁻²⁴: that of the position whatever its image and its plies without a flip or a capture.
    fn noise_of(&self, game: &Position) -> i64 {
        self.noise.of(game.key(true, false).hash)
    }

    fn with_noise(&self, plain: Value, game: &Position) -> Value {
        if self.noise.is_none() {
            return plain;
        }
        Value::from_raw(i64::from(plain.raw()) + self.noise_of(game))
    }
}

impl Evaluated for Position {
    type Evaluator = DarkChessEvaluator;
    type Network = DarkChessNetwork;
    const EVALUATIONS: &'static [&'static str] = &["net", "material", "zero"];

    fn evaluator(
        &self,
        name: &str,
        network: Option<&Arc<DarkChessNetwork>>,
        noise: Noise,
    ) -> Option<DarkChessEvaluator> {
        let kind = match name {
            "net" => EvalKind::Net(network.map_or_else(shipped, Arc::clone)),
            "material" => EvalKind::Material,
            "zero" => EvalKind::Zero,
            _ => return None,
        };
        Some(DarkChessEvaluator::new(kind, noise))
    }

    fn read_network(&self, bytes: &[u8]) -> Result<DarkChessNetwork, NetworkError> {
        let fault = |error: FileError| NetworkError(error.to_string());
        DarkChessNetwork::from_bytes(bytes).map_err(fault)
    }

    /// Material, what came before noise, the noise and the value, a line each.
    fn explain(&self, evaluator: &DarkChessEvaluator) -> String {
        let [own, theirs] = [self.mover(), self.mover().other()].map(|player| material::count(self, player));
        let plain = evaluator.plain(self);
        let mut lines = vec![format!("material {own} against {theirs}")];
        if !evaluator.noise.is_none() {
            lines.push(format!("before noise {plain}"));
            lines.push(format!("noise {}", Value::from_raw(evaluator.noise_of(self))));
        }
        lines.push(format!("value {}", evaluator.with_noise(plain, self)));
        lines.join("\n")
    }
}

impl Evaluator<Position> for DarkChessEvaluator {
    type State = Accumulators;

    fn state(&self, game: &Position) -> Accumulators {
        match &self.kind {
            EvalKind::Net(network) => network.accumulators(game),
            _ => Accumulators::BLANK,
        }
    }

    #[inline]
    fn advance(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, next: &Position) {
        if let EvalKind::Net(network) = &self.kind {
            network.advance(state, game, step, next);
        }
    }

    #[inline]
    fn value(&self, state: &Accumulators, game: &Position) -> Value {
        let plain = match &self.kind {
            EvalKind::Net(network) => network.value(state, game),
            _ => self.plain(game),
        };
        self.with_noise(plain, game)
    }

    type Children<'a> = Children<'a>;

    #[inline]
    fn children<'a>(&'a self, state: &'a Accumulators, game: &'a Position) -> Children<'a> {
        match &self.kind {
            EvalKind::Net(network) if self.noise.is_none() => Children::Sums(network.children(state, game)),
            _ => Children::Stepwise(Stepwise::new(self, state, game)),
        }
    }

    /// No feature tells images apart, and material, nothing and noise do not either.
    fn measured_as(&self) -> Option<String> {
        matches!(self.kind, EvalKind::Net(_)).then(|| <Position as Notation>::NAME.into())
    }

    fn sees_images_alike(&self) -> bool {
        true
    }
}

/// How the children of a position are evaluated.
pub enum Children<'a> {
    /// From the sums of their parent.
    Sums(ChildSums<'a>),
    /// One whole position after another.
    Stepwise(Stepwise<'a, Position, DarkChessEvaluator>),
}

impl ChildEvaluator<Position> for Children<'_> {
    #[inline]
    fn value_after(&self, mv: Move) -> Value {
        match self {
            Children::Sums(children) => children.value_after(mv),
            Children::Stepwise(children) => children.value_after(mv),
        }
    }
}
