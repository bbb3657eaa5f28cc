//! The evaluator of Dice that the engine uses: a network, pairs or nothing, with or without noise.

use super::accumulator::{Accumulator, ChildAccumulators, Incremental, Perspectives, Tables};
use super::features::FeatureSet;
use super::file::{self, FileError};
use super::network::Network;
use super::{nets, pairs};
use crate::eval::{ChildEvaluator, Evaluated, Evaluator, NetworkError, Noise, RunningMax, Stepwise};
use crate::game::dice::{Board, Move, Odds, Position, Shape, Width};
use crate::game::{Capacity, Game, Step, Value};
use std::fmt;
use std::sync::Arc;

/// How undecided positions are evaluated.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// By a network, which must be of the shape that is played.
    Net(Arc<Network>),
    /// By the difference of pairs.
    Pairs,
    /// As draws.
    Zero,
}

/// An evaluation of positions of one shape. Copies share the network.
#[derive(Clone, Debug)]
pub struct DiceEvaluator {
    kind: EvalKind,
    shape: Shape,
    noise: Noise,
    scale: i32,
}

/// A network is of another shape than the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherShape {
    /// The network's.
    pub network: Shape,
    /// The game's.
    pub game: Shape,
}

impl fmt::Display for OtherShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the network is for {}, the game is {}", self.network, self.game)
    }
}

impl std::error::Error for OtherShape {}

impl DiceEvaluator {
    /// An evaluation of a kind, refused if its network is of another shape.
    pub fn new(kind: EvalKind, shape: Shape, noise: Noise) -> Result<DiceEvaluator, OtherShape> {
        match &kind {
            EvalKind::Net(network) if network.weights().shape != shape => {
                Err(OtherShape { network: network.weights().shape, game: shape })
            }
            _ => Ok(DiceEvaluator { kind, shape, noise, scale: pairs::scale(shape) }),
        }
    }

    /// The shape's own network, or pairs where there is none; no noise.
    pub fn for_shape(shape: Shape) -> DiceEvaluator {
        let kind = nets::shipped(shape).map_or(EvalKind::Pairs, EvalKind::Net);
        DiceEvaluator { kind, shape, noise: Noise::NONE, scale: pairs::scale(shape) }
    }

    /// How it evaluates.
    pub fn kind(&self) -> &EvalKind {
        &self.kind
    }

    /// The shape it is for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The network and its tables, if it is one that keeps accumulators.
    #[inline]
    fn keeping(&self) -> Option<(&Network, &Tables)> {
        match &self.kind {
            EvalKind::Net(network) => network.tables().map(|tables| (&**network, tables)),
            _ => None,
        }
    }

    /// The value with no noise, from nothing but the position.
    fn plain<B: Width>(&self, game: &Board<B>) -> Value {
        match &self.kind {
            EvalKind::Net(network) => network.value_afresh(game),
            EvalKind::Pairs => pairs::value(game, self.scale),
            EvalKind::Zero => Value::DRAW,
        }
    }

    fn with_noise<B: Width>(&self, plain: Value, game: &Board<B>) -> Value {
        if self.noise.is_none() {
            return plain;
        }
        Value::from_raw(i64::from(plain.raw()) + self.noise.of(game.image_hash()))
    }

    /// The static value of an undecided position, part by part.
    pub fn explain<B: Width>(&self, game: &Board<B>) -> Explanation {
        let plain = self.plain(game);
        let (own, other) = (game.side(), game.side().other());
        let network = match &self.kind {
            EvalKind::Net(network) => {
                let odds = (network.weights().set != FeatureSet::Streaks).then(|| Odds::of(game, own));
                Some((Value::from_raw(network.output_afresh(game).into()), odds))
            }
            _ => None,
        };
        let value = self.with_noise(plain, game);
        Explanation {
            pairs: [pairs::pairs_of(game, own), pairs::pairs_of(game, other)],
            network,
            plain,
            noise: (!self.noise.is_none()).then(|| Value::from_raw(self.noise.of(game.image_hash()))),
            value,
        }
    }
}

impl Evaluated for Position {
    type Evaluator = DiceEvaluator;
    type Network = Network;
    const EVALUATIONS: &'static [&'static str] = &["net", "pairs", "zero"];

    fn evaluator(&self, name: &str, network: Option<&Arc<Network>>, noise: Noise) -> Option<DiceEvaluator> {
        let shape = self.shape();
        let kind = match (name, network) {
            ("net", Some(network)) if network.weights().shape == shape => EvalKind::Net(Arc::clone(network)),
            ("net", _) => DiceEvaluator::for_shape(shape).kind,
            ("pairs", _) => EvalKind::Pairs,
            ("zero", _) => EvalKind::Zero,
            _ => return None,
        };
        DiceEvaluator::new(kind, shape, noise).ok()
    }

    fn is_evaluated_like(&self, other: &Position) -> bool {
        self.shape() == other.shape()
    }

    fn network_for(&self) -> String {
        self.shape().to_string()
    }

    fn read_network(&self, bytes: &[u8]) -> Result<Network, NetworkError> {
        let fault = |error: FileError| NetworkError(error.to_string());
        let network = file::from_bytes(bytes).map_err(fault)?;
        match network.weights().shape {
            got if got != self.shape() => Err(fault(FileError::OtherShape { got, due: self.shape() })),
            _ => Ok(network),
        }
    }

    fn explain(&self, evaluator: &DiceEvaluator) -> String {
        DiceEvaluator::explain(evaluator, self).to_string()
    }
}

/// What a static value is made of; all in the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The pairs of the side to move and of its opponent.
    pub pairs: [i32; 2],
    /// The network's output, and the odds of winning at once that it was blended with, if it is blended.
    pub network: Option<(Value, Option<Odds>)>,
    /// The value before noise.
    pub plain: Value,
    /// The noise, brought into [−1, 1], if there is any.
    pub noise: Option<Value>,
    /// The value.
    pub value: Value,
}

/// One part a line, `name value`, the value last.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pairs {} against {}", self.pairs[0], self.pairs[1])?;
        if let Some((output, odds)) = self.network {
            writeln!(f, "network {output}")?;
            match odds {
                Some(Odds { winning: 0, .. }) => writeln!(f, "wins at once with no roll")?,
                Some(odds) => writeln!(f, "wins at once with {} rolls of {}", odds.winning, odds.open)?,
                None => {}
            }
        }
        if let Some(noise) = self.noise {
            writeln!(f, "before noise {}", self.plain)?;
            writeln!(f, "noise {noise}")?;
        }
        write!(f, "value {}", self.value)
    }
}

impl<B: Incremental> Evaluator<Board<B>> for DiceEvaluator {
    type State = Accumulator<B>;

    fn state(&self, game: &Board<B>) -> Accumulator<B> {
        debug_assert_eq!(game.shape(), self.shape);
        self.keeping().map_or(Accumulator::BLANK, |(_, tables)| tables.accumulator(game))
    }

    #[inline]
    fn advance(&self, state: &mut Accumulator<B>, game: &Board<B>, step: Step<Move>, next: &Board<B>) {
        if let (Some((_, tables)), Step::Move(mv)) = (self.keeping(), step) {
            tables.play(state, game, mv, next, Perspectives::Both);
        }
    }

    #[inline]
    fn advance_before_last(&self, state: &mut Accumulator<B>, game: &Board<B>, step: Step<Move>, next: &Board<B>) {
        if let (Some((_, tables)), Step::Move(mv)) = (self.keeping(), step) {
            tables.play(state, game, mv, next, Perspectives::Own);
        }
    }

    #[inline]
    fn value(&self, state: &Accumulator<B>, game: &Board<B>) -> Value {
        let plain = match self.keeping() {
            Some((network, tables)) => tables.value(network, state, game),
            None => self.plain(game),
        };
        self.with_noise(plain, game)
    }

    type Children<'a> = Children<'a, B>;

    #[inline]
    fn children<'a>(&'a self, state: &'a Accumulator<B>, game: &'a Board<B>) -> Children<'a, B> {
        match self.keeping() {
            Some((network, tables)) if self.noise.is_none() => {
                Children::Accumulator(tables.children(network, state, game))
            }
            _ => Children::Stepwise(Stepwise::new(self, state, game)),
        }
    }

    /// All but networks that do not tie the images together.
    fn measured_as(&self) -> Option<String> {
        matches!(self.kind, EvalKind::Net(_)).then(|| self.shape.to_string())
    }

    fn sees_images_alike(&self) -> bool {
        !matches!(&self.kind, EvalKind::Net(network) if network.weights().set == FeatureSet::Streaks)
    }

    fn ignores_outcomes(&self) -> bool {
        true
    }
}

/// How the children of a position are evaluated.
pub enum Children<'a, B: Incremental> {
    /// From the accumulator of their parent.
    Accumulator(ChildAccumulators<'a, B>),
    /// One whole position after another.
    Stepwise(Stepwise<'a, Board<B>, DiceEvaluator>),
}

impl<B: Incremental> ChildEvaluator<Board<B>> for Children<'_, B> {
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Value {
        match self {
            Children::Accumulator(children) => children.value_after(mv),
            Children::Stepwise(children) => children.value_after(mv),
        }
    }

    #[inline(always)]
    fn include(&self, max: &mut RunningMax, mv: Move) {
        match self {
            Children::Accumulator(children) => children.include(max, mv),
            Children::Stepwise(children) => children.include(max, mv),
        }
    }

    #[inline(always)]
    fn include_all(
        &self,
        game: &Board<B>,
        decisions: impl Iterator<Item = (u8, u16)>,
        maxima: &mut <<Board<B> as Game>::OutcomeCapacity as Capacity>::Slots<RunningMax>,
    ) -> usize {
        match self {
            Children::Accumulator(children) => children.include_all(game, decisions, maxima),
            Children::Stepwise(children) => children.include_all(game, decisions, maxima),
        }
    }

    #[inline(always)]
    fn maximum(&self, max: RunningMax) -> Value {
        match self {
            Children::Accumulator(children) => children.maximum(max),
            Children::Stepwise(children) => children.maximum(max),
        }
    }
}
