//! The evaluator of backgammon that the engine uses: networks, a linear function, pips or nothing, with or without noise.

use super::chances::Chances;
use super::network::{Accumulators, BackgammonNetwork, ChildSums};
use super::{linear, pips, shipped};
use crate::eval::nn::FileError;
use crate::eval::{ChildEvaluator, Evaluated, Evaluator, NetworkError, Noise, Stepwise};
use crate::game::backgammon::{Move, Position};
use crate::game::{Game, Notation, Player, Step, Value};
use std::fmt;
use std::sync::Arc;

/// How undecided positions are evaluated.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// By networks.
    Net(Arc<BackgammonNetwork>),
    /// By a linear function of the position.
    Linear,
    /// By pips and blots.
    Pips,
    /// As draws.
    Zero,
}

/// An evaluation of positions. Copies share the networks.
#[derive(Clone, Debug)]
pub struct BackgammonEvaluator {
    kind: EvalKind,
    noise: Noise,
}

impl BackgammonEvaluator {
    /// An evaluation of a kind.
    pub fn new(kind: EvalKind, noise: Noise) -> BackgammonEvaluator {
        BackgammonEvaluator { kind, noise }
    }

    /// How it evaluates.
    pub fn kind(&self) -> &EvalKind {
        &self.kind
    }

    /// The noise, in steps of 2⁻²⁴: that of the position whatever the roll.
    fn noise_of(&self, game: &Position) -> i64 {
        self.noise.of(game.without_roll().key())
    }

    /// A value with the noise of its position, which is looked at only where there is noise.
    #[inline(always)]
    fn with_noise(&self, plain: Value, game: &Position) -> Value {
        if self.noise.is_none() {
            return plain;
        }
        Value::from_raw(i64::from(plain.raw()) + self.noise_of(game))
    }

    /// The static value of an undecided position, part by part.
    pub fn explain(&self, game: &Position) -> Explanation {
        let mover = game.mover();
        let chances = match &self.kind {
            EvalKind::Net(network) => Some(network.chances_afresh(game)),
            _ => None,
        };
        let plain = match &self.kind {
            EvalKind::Linear => linear::value(game),
            EvalKind::Pips => pips::value(game),
            _ => chances.map_or(Value::DRAW, Chances::value),
        };
        Explanation {
            pips: [mover, mover.other()].map(|player| game.pips(player)),
            chances,
            plain,
            noise: (!self.noise.is_none()).then(|| Value::from_raw(self.noise_of(game))),
            value: self.with_noise(plain, game),
        }
    }
}

impl Evaluated for Position {
    type Evaluator = BackgammonEvaluator;
    type Network = BackgammonNetwork;
    const EVALUATIONS: &'static [&'static str] = &["net", "linear", "pips", "zero"];

    fn evaluator(
        &self,
        name: &str,
        network: Option<&Arc<BackgammonNetwork>>,
        noise: Noise,
    ) -> Option<BackgammonEvaluator> {
        let kind = match name {
            "net" => EvalKind::Net(network.map_or_else(shipped, Arc::clone)),
            "linear" => EvalKind::Linear,
            "pips" => EvalKind::Pips,
            "zero" => EvalKind::Zero,
            _ => return None,
        };
        Some(BackgammonEvaluator::new(kind, noise))
    }

    fn read_network(&self, bytes: &[u8]) -> Result<BackgammonNetwork, NetworkError> {
        let fault = |error: FileError| NetworkError(error.to_string());
        BackgammonNetwork::from_bytes(bytes).map_err(fault)
    }

    fn explain(&self, evaluator: &BackgammonEvaluator) -> String {
        BackgammonEvaluator::explain(evaluator, self).to_string()
    }
}

/// What a static value is made of; all in the view of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// How far the mover and its opponent have to go.
    pub pips: [u32; 2],
    /// How the game will end, as the networks have it.
    pub chances: Option<Chances>,
    /// The value before noise.
    pub plain: Value,
    /// The noise, brought into [−1, 1], if there is any.
    pub noise: Option<Value>,
    /// The value.
    pub value: Value,
}

/// One part a line, the value, in points, last.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |value: Value| format!("{:.6}", value.to_f64() * f64::from(Position::POINTS));
        writeln!(f, "pips {} against {}", self.pips[0], self.pips[1])?;
        if let Some(chances) = self.chances {
            writeln!(f, "{chances}")?;
        }
        if let Some(noise) = self.noise {
            writeln!(f, "before noise {}", points(self.plain))?;
            writeln!(f, "noise {}", points(noise))?;
        }
        write!(f, "value {}", points(self.value))
    }
}

impl Evaluator<Position> for BackgammonEvaluator {
    type State = Accumulators;

    fn state(&self, game: &Position) -> Accumulators {
        match &self.kind {
            EvalKind::Net(network) => network.accumulators(game),
            _ => Accumulators::BLANK,
        }
    }

    #[inline]
    fn advance(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, next: &Position) {
        if let (EvalKind::Net(network), Step::Move(mv)) = (&self.kind, step) {
            network.play(state, game, mv, next, &Player::BOTH);
        }
    }

    /// After one move more it is the mover's turn again.
    #[inline]
    fn advance_before_last(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, next: &Position) {
        if let (EvalKind::Net(network), Step::Move(mv)) = (&self.kind, step) {
            network.play(state, game, mv, next, &[game.mover()]);
        }
    }

    #[inline]
    fn value(&self, state: &Accumulators, game: &Position) -> Value {
        let plain = match &self.kind {
            EvalKind::Net(network) => network.chances(state, game).value(),
            EvalKind::Linear => linear::value(game),
            EvalKind::Pips => pips::value(game),
            EvalKind::Zero => Value::DRAW,
        };
        self.with_noise(plain, game)
    }

    type Children<'a> = Children<'a>;

    #[inline]
    fn children<'a>(&'a self, state: &'a Accumulators, game: &'a Position) -> Children<'a> {
        match &self.kind {
            EvalKind::Net(network) if self.noise.is_none() => Children::Sums(network.children(state, game)),
            EvalKind::Net(network) => Children::Noisy(network.children(state, game), self, game),
            _ => Children::Stepwise(Stepwise::new(self, state, game)),
        }
    }

    fn measured_as(&self) -> Option<String> {
        matches!(self.kind, EvalKind::Net(_)).then(|| <Position as Notation>::NAME.into())
    }

    fn sees_images_alike(&self) -> bool {
        true
    }

    fn ignores_outcomes(&self) -> bool {
        true
    }
}

/// How the children of a position are evaluated.
pub enum Children<'a> {
    /// From the sums of their parent.
    Sums(ChildSums<'a>),
    /// The same with noise.
    Noisy(ChildSums<'a>, &'a BackgammonEvaluator, &'a Position),
    /// One whole position after another.
    Stepwise(Stepwise<'a, Position, BackgammonEvaluator>),
}

impl ChildEvaluator<Position> for Children<'_> {
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Value {
        match self {
            Children::Sums(children) => children.value_after(mv),
            Children::Noisy(children, evaluator, game) => {
                -evaluator.with_noise(-children.value_after(mv), &game.child(Step::Move(mv)))
            }
            Children::Stepwise(children) => children.value_after(mv),
        }
    }
}
