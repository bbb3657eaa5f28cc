//! The evaluator of Dice that the engine uses: a network, pairs or nothing, with or without noise.

use super::features::FeatureSet;
use super::incremental::{Followed, NextSums, Sums, Tables, Views};
use super::network::Network;
use super::noise::Noise;
use super::{Evaluator, Outlook, Peak, Stepwise, nets, pairs};
use crate::game::dice::{Board, Odds, Shape, Width};
use crate::game::{Game, MAX_BRANCHES, Move, Value};
use std::fmt;
use std::sync::Arc;

/// How undecided positions are judged.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// By a network, which must be of the shape that is played.
    Net(Arc<Network>),
    /// By the difference of pairs.
    Pairs,
    /// As draws.
    Zero,
}

/// A judge of positions of one shape. Copies share the network.
#[derive(Clone, Debug)]
pub struct Judge {
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

impl Judge {
    /// A judge of a kind, refused if its network is of another shape.
    pub fn new(kind: EvalKind, shape: Shape, noise: Noise) -> Result<Judge, OtherShape> {
        match &kind {
            EvalKind::Net(network) if network.weights().shape != shape => {
                Err(OtherShape { network: network.weights().shape, game: shape })
            }
            _ => Ok(Judge { kind, shape, noise, scale: pairs::scale(shape) }),
        }
    }

    /// The shape's own network, or pairs where there is none; no noise.
    pub fn for_shape(shape: Shape) -> Judge {
        let kind = nets::shipped(shape).map_or(EvalKind::Pairs, EvalKind::Net);
        Judge { kind, shape, noise: Noise::NONE, scale: pairs::scale(shape) }
    }

    /// How it judges.
    pub fn kind(&self) -> &EvalKind {
        &self.kind
    }

    /// The shape it judges.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The network and its tables, if it is one that keeps sums.
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
        Value::from_raw(i64::from(plain.raw()) + self.noise.of(&game.without_roll()))
    }

    /// The static value of an undecided position, part by part.
    pub fn explain<B: Width>(&self, game: &Board<B>) -> Explanation {
        let plain = self.plain(game);
        let (own, other) = (game.side(), game.side().other());
        let network = match &self.kind {
            EvalKind::Net(network) => {
                let odds = (network.weights().set == FeatureSet::Lines).then(|| Odds::of(game, own));
                Some((Value::from_raw(network.output_afresh(game).into()), odds))
            }
            _ => None,
        };
        let value = self.with_noise(plain, game);
        Explanation {
            pairs: [pairs::pairs_of(game, own), pairs::pairs_of(game, other)],
            network,
            plain,
            noise: (!self.noise.is_none()).then(|| Value::from_raw(self.noise.of(&game.without_roll()))),
            value,
        }
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

impl<B: Followed> Evaluator<Board<B>> for Judge {
    type State = Sums<B>;

    fn state(&self, game: &Board<B>) -> Sums<B> {
        debug_assert_eq!(game.shape(), self.shape);
        self.keeping().map_or(Sums::BLANK, |(_, tables)| tables.sums(game))
    }

    #[inline]
    fn play(&self, state: &mut Sums<B>, game: &Board<B>, mv: Move, next: &Board<B>) {
        if let Some((_, tables)) = self.keeping() {
            tables.play(state, game, mv, next, Views::Both);
        }
    }

    #[inline]
    fn play_before_last(&self, state: &mut Sums<B>, game: &Board<B>, mv: Move, next: &Board<B>) {
        if let Some((_, tables)) = self.keeping() {
            tables.play(state, game, mv, next, Views::Own);
        }
    }

    #[inline]
    fn value(&self, state: &Sums<B>, game: &Board<B>) -> Value {
        let plain = match self.keeping() {
            Some((network, tables)) => tables.value(network, state, game),
            None => self.plain(game),
        };
        self.with_noise(plain, game)
    }

    type Outlook<'a> = Prospect<'a, B>;

    #[inline]
    fn outlook<'a>(&'a self, state: &'a Sums<B>, game: &'a Board<B>) -> Prospect<'a, B> {
        match self.keeping() {
            Some((network, tables)) if self.noise.is_none() => Prospect::Sums(tables.next_sums(network, state, game)),
            _ => Prospect::Stepwise(Stepwise::new(self, state, game)),
        }
    }

    /// All but networks that do not tie the images together.
    fn sees_images_alike(&self) -> bool {
        !matches!(&self.kind, EvalKind::Net(network) if network.weights().set == FeatureSet::Streaks)
    }

    fn ignores_outcomes(&self) -> bool {
        true
    }
}

/// How a judge looks at the children of a position.
pub enum Prospect<'a, B: Followed> {
    /// From the sums of their parent.
    Sums(NextSums<'a, B>),
    /// One whole position after another.
    Stepwise(Stepwise<'a, Board<B>, Judge>),
}

impl<B: Followed> Outlook for Prospect<'_, B> {
    #[inline(always)]
    fn after(&self, mv: Move) -> Value {
        match self {
            Prospect::Sums(sums) => sums.after(mv),
            Prospect::Stepwise(steps) => steps.after(mv),
        }
    }

    #[inline(always)]
    fn climb(&self, peak: &mut Peak, mv: Move) {
        match self {
            Prospect::Sums(sums) => sums.climb(peak, mv),
            Prospect::Stepwise(steps) => steps.climb(peak, mv),
        }
    }

    #[inline(always)]
    fn climb_all<G: Game>(
        &self,
        game: &G,
        decisions: impl Iterator<Item = (u8, u16)>,
        peaks: &mut [Peak; MAX_BRANCHES],
    ) -> usize {
        match self {
            Prospect::Sums(sums) => sums.climb_all(game, decisions, peaks),
            Prospect::Stepwise(steps) => steps.climb_all(game, decisions, peaks),
        }
    }

    #[inline(always)]
    fn height(&self, peak: Peak) -> Value {
        match self {
            Prospect::Sums(sums) => sums.height(peak),
            Prospect::Stepwise(steps) => steps.height(peak),
        }
    }
}
