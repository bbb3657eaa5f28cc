//! The evaluator of EinStein that the engine uses: a network, the race or nothing, with or without noise.

use super::tables::{Accumulators, ChildSums, EinsteinNetwork};
use super::{race, shipped};
use crate::eval::nn::FileError;
use crate::eval::{ChildEvaluator, Evaluated, Evaluator, NetworkError, Noise, RunningMax, Stepwise};
use crate::game::einstein::{Move, Position};
use crate::game::{Capacity, Game, Notation, Step, Value};
use std::fmt;
use std::sync::Arc;

/// How undecided positions are evaluated.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// By a network.
    Net(Arc<EinsteinNetwork>),
    /// By the race.
    Race,
    /// As draws.
    Zero,
}

/// An evaluation of positions. Copies share the network.
#[derive(Clone, Debug)]
pub struct EinsteinEvaluator {
    kind: EvalKind,
    noise: Noise,
}

impl EinsteinEvaluator {
    /// An evaluation of a kind.
    pub fn new(kind: EvalKind, noise: Noise) -> EinsteinEvaluator {
        EinsteinEvaluator { kind, noise }
    }

    /// How it evaluates.
    pub fn kind(&self) -> &EvalKind {
        &self.kind
    }

    /// The value with no noise, from nothing but the position.
    fn plain(&self, game: &Position) -> Value {
        match &self.kind {
            EvalKind::Net(network) => network.value_afresh(game),
            EvalKind::Race => race::value(game),
            EvalKind::Zero => Value::DRAW,
        }
    }

    /// The noise, in steps of 2⁻²⁴: that of the position whatever the roll and the image.
    fn noise_of(&self, game: &Position) -> i64 {
        self.noise.of(game.without_roll().key(true).hash)
    }

    fn with_noise(&self, plain: Value, game: &Position) -> Value {
        if self.noise.is_none() {
            return plain;
        }
        Value::from_raw(i64::from(plain.raw()) + self.noise_of(game))
    }

    /// The static value of an undecided position, part by part.
    pub fn explain(&self, game: &Position) -> Explanation {
        let mover = game.mover();
        let plain = self.plain(game);
        let network = match &self.kind {
            EvalKind::Net(network) => {
                Some((Value::from_raw(network.output_afresh(game).into()), game.winning_faces(mover)))
            }
            _ => None,
        };
        Explanation {
            race: [mover, mover.other()].map(|player| race::count(game, player)),
            network,
            plain,
            noise: (!self.noise.is_none()).then(|| Value::from_raw(self.noise_of(game))),
            value: self.with_noise(plain, game),
        }
    }
}

impl Evaluated for Position {
    type Evaluator = EinsteinEvaluator;
    type Network = EinsteinNetwork;
    const EVALUATIONS: &'static [&'static str] = &["net", "race", "zero"];

    fn evaluator(&self, name: &str, network: Option<&Arc<EinsteinNetwork>>, noise: Noise) -> Option<EinsteinEvaluator> {
        let kind = match name {
            "net" => EvalKind::Net(network.map_or_else(shipped, Arc::clone)),
            "race" => EvalKind::Race,
            "zero" => EvalKind::Zero,
            _ => return None,
        };
        Some(EinsteinEvaluator::new(kind, noise))
    }

    fn read_network(&self, bytes: &[u8]) -> Result<EinsteinNetwork, NetworkError> {
        let fault = |error: FileError| NetworkError(error.to_string());
        EinsteinNetwork::from_bytes(bytes).map_err(fault)
    }

    fn explain(&self, evaluator: &EinsteinEvaluator) -> String {
        EinsteinEvaluator::explain(evaluator, self).to_string()
    }
}

/// What a static value is made of; all in the view of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The race counts of the mover and of its opponent.
    pub race: [i32; 2],
    /// The network's output, and the faces that win at once, which it was blended with.
    pub network: Option<(Value, u8)>,
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
        writeln!(f, "race {} against {}", self.race[0], self.race[1])?;
        if let Some((output, winning)) = self.network {
            writeln!(f, "network {output}")?;
            match winning {
                0 => writeln!(f, "wins at once with no roll")?,
                winning => writeln!(f, "wins at once with {winning} rolls of 6")?,
            }
        }
        if let Some(noise) = self.noise {
            writeln!(f, "before noise {}", self.plain)?;
            writeln!(f, "noise {noise}")?;
        }
        write!(f, "value {}", self.value)
    }
}

impl Evaluator<Position> for EinsteinEvaluator {
    type State = Accumulators;

    fn state(&self, game: &Position) -> Accumulators {
        match &self.kind {
            EvalKind::Net(network) => network.accumulators(game),
            _ => Accumulators::BLANK,
        }
    }

    #[inline]
    fn advance(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, _next: &Position) {
        if let (EvalKind::Net(network), Step::Move(mv)) = (&self.kind, step) {
            network.play(state, game, mv);
        }
    }

    #[inline]
    fn advance_before_last(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, _next: &Position) {
        if let (EvalKind::Net(network), Step::Move(mv)) = (&self.kind, step) {
            network.play_before_last(state, game, mv);
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

    /// Every unit of a network looks at both images, and race, nothing and noise are the same on both.
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
    /// One whole position after another.
    Stepwise(Stepwise<'a, Position, EinsteinEvaluator>),
}

impl ChildEvaluator<Position> for Children<'_> {
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Value {
        match self {
            Children::Sums(children) => children.value_after(mv),
            Children::Stepwise(children) => children.value_after(mv),
        }
    }

    #[inline(always)]
    fn include(&self, max: &mut RunningMax, mv: Move) {
        match self {
            Children::Sums(children) => children.include(max, mv),
            Children::Stepwise(children) => children.include(max, mv),
        }
    }

    #[inline(always)]
    fn include_all(
        &self,
        game: &Position,
        decisions: impl Iterator<Item = (u8, u16)>,
        maxima: &mut <<Position as Game>::OutcomeCapacity as Capacity>::Slots<RunningMax>,
    ) -> usize {
        match self {
            Children::Sums(children) => children.include_all(game, decisions, maxima),
            Children::Stepwise(children) => children.include_all(game, decisions, maxima),
        }
    }

    #[inline(always)]
    fn maximum(&self, max: RunningMax) -> Value {
        match self {
            Children::Sums(children) => children.maximum(max),
            Children::Stepwise(children) => children.maximum(max),
        }
    }
}
