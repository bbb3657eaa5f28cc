//! A network in integers: one hidden layer of clipped units, one output through a hyperbolic tangent.
//!
//! A unit accumulator the weights of the position's features and clips the sum to [0, `one`]; the output is the weighted sum
//! of the units. A network may have straight units too, whose accumulator are not clipped: on large boards, where hundreds of
//! segments add up, clipped units are soon full and tell moves apart no more. All of it is integer arithmetic, so a value is the same to the bit on every machine, however it was
//! summed.
//!
//! With [`FeatureSet::Lines`] each unit stands for four, which look at the four mirror images of the board and share
//! one output weight: mirror images get one value by construction. What the output means there is the worth of the
//! game should the side to move not win at once; the chance that it does is exact and comes from the rules
//! ([`Odds`]). With [`FeatureSet::Counts`] mirror images look alike to every unit, which stands for itself alone, and the output
//! means the same.

use super::accumulator::Tables;
use super::features::{Feature, FeatureSet, Grid, IMAGES, Layout};
use super::lanes::{Lanes, MAX_UNITS};
use super::updates::Lines;
use crate::eval::nn::squash::{MIN_SHIFT, squash};
use crate::game::dice::{Board, Odds, Shape, Width};
use crate::game::{ArrayVec, Value};
use std::fmt;

/// The most units a network has, images counted.
const LANES: usize = IMAGES * MAX_UNITS;

/// The numbers a network is made of, as its file holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The shape it was trained for.
    pub shape: Shape,
    /// What it sees.
    pub set: FeatureSet,
    /// Where a unit is full.
    pub one: i16,
    /// The output is in steps of 2^-shift before the tangent.
    pub shift: u8,
    /// Weights of the features: for each feature in the order of [`Layout`], one for each unit.
    pub first: Vec<i16>,
    /// What each unit starts from.
    pub bias: Vec<i16>,
    /// What each unit adds to the output, times how full it is.
    pub out: Vec<i16>,
    /// What the output starts from.
    pub out_bias: i32,
    /// How many of the units, the last ones, are straight: never clipped.
    pub straight: usize,
}

/// Why numbers make no network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadWeights {
    /// A scale is out of range.
    Scale {
        /// Which field.
        field: &'static str,
        /// What it holds.
        value: i64,
    },
    /// There are no units, or more than fit.
    Units {
        /// How many.
        units: usize,
        /// How many fit.
        most: usize,
    },
    /// The features are not for boards so small.
    Small(Shape),
    /// A list is not as long as shape and units demand.
    Length {
        /// Which list.
        list: &'static str,
        /// Its length.
        got: usize,
        /// Its due length.
        due: usize,
    },
    /// A sum could leave the range of its integers.
    Overflow {
        /// In which unit; none for the output.
        unit: Option<usize>,
    },
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BadWeights::Scale { field, value } => write!(f, "{field} is {value}, out of range"),
            BadWeights::Units { units, most } => write!(f, "it has {units} hidden units, expected 1 to {most}"),
            BadWeights::Small(shape) => write!(f, "its features are for larger boards than {shape}"),
            BadWeights::Length { list, got, due } => write!(f, "{list} has {got} numbers, expected {due}"),
            BadWeights::Overflow { unit: Some(unit) } => write!(f, "the accumulator of unit {unit} could overflow"),
            BadWeights::Overflow { unit: None } => f.write_str("the sum of the output could overflow"),
        }
    }
}

impl std::error::Error for BadWeights {}

/// How many images of itself a unit of this set stands for.
pub fn images(set: FeatureSet) -> usize {
    match set {
        FeatureSet::Streaks | FeatureSet::Counts => 1,
        FeatureSet::Lines => IMAGES,
    }
}

impl Weights {
    /// How many units, images not counted.
    pub fn units(&self) -> usize {
        self.out.len()
    }

    /// The weights of one feature as every unit sees it in every image.
    pub fn lanes_of(&self, layout: &Layout, feature: Feature) -> Lanes {
        let units = self.units();
        let seen_as = |feature| &self.first[layout.index(feature) * units..][..units];
        match self.set {
            FeatureSet::Counts => Lanes::from_units(seen_as(feature)),
            _ => Lanes::from_images(|image| seen_as(layout.image(feature, image)).iter().copied()),
        }
    }

    /// One number for every unit, in every image alike.
    pub fn lanes(&self, numbers: &[i16]) -> Lanes {
        match self.set {
            FeatureSet::Counts => Lanes::from_units(numbers),
            _ => Lanes::from_images(|_| numbers.iter().copied()),
        }
    }

    /// What every unit starts from.
    pub fn bias_lanes(&self) -> Lanes {
        self.lanes(&self.bias)
    }

    fn check(&self, layout: &Layout) -> Result<(), BadWeights> {
        let most = LANES / images(self.set);
        let units = self.units();
        if !(1..=most).contains(&units) {
            return Err(BadWeights::Units { units, most });
        }
        if self.set == FeatureSet::Counts && Lines::fit(self.shape) {
            return Err(BadWeights::Small(self.shape));
        }
        for (list, got, due) in
            [("bias", self.bias.len(), units), ("first layer", self.first.len(), layout.len() * units)]
        {
            if got != due {
                return Err(BadWeights::Length { list, got, due });
            }
        }
        if !(MIN_SHIFT..=24).contains(&u32::from(self.shift)) {
            return Err(BadWeights::Scale { field: "shift", value: self.shift.into() });
        }
        if self.one < 1 {
            return Err(BadWeights::Scale { field: "one", value: self.one.into() });
        }
        // Only accumulator that are kept in lanes are bounded, and so may go unclipped.
        let kept = self.set != FeatureSet::Streaks;
        if self.straight > if self.set == FeatureSet::Lines { units } else { 0 } {
            return Err(BadWeights::Scale { field: "straight", value: self.straight as i64 });
        }
        let room = i64::from(i16::MAX);
        if let Some(unit) = (0..units).find(|&unit| kept && self.worst(layout, unit) > room) {
            return Err(BadWeights::Overflow { unit: Some(unit) });
        }
        let most = |unit: usize| if self.is_straight(unit) { self.worst(layout, unit) } else { self.one.into() };
        let out: i64 = (0..units).map(|unit| i64::from(self.out[unit]).abs() * most(unit)).sum();
        let output = out * images(self.set) as i64 + i64::from(self.out_bias).abs();
        if output >= i64::from(i32::MAX) { Err(BadWeights::Overflow { unit: None }) } else { Ok(()) }
    }

    /// Whether a unit is straight.
    pub fn is_straight(&self, unit: usize) -> bool {
        unit >= self.units() - self.straight
    }

    /// No position takes the sum of a unit further from zero than this.
    fn worst(&self, layout: &Layout, unit: usize) -> i64 {
        let units = self.units();
        let weights: Vec<f64> = (0..layout.len()).map(|i| f64::from(self.first[i * units + unit])).collect();
        worst_sum(layout, f64::from(self.bias[unit]), &weights) as i64
    }
}

/// A bound on the size of a unit's sum over all positions of a shape, from its weights: a cell holds one checker or is a
/// threat, perhaps of both sides, and a segment has one count. Where places are not told apart, weights count as often as there
/// are places.
pub fn worst_sum(layout: &Layout, bias: f64, weights: &[f64]) -> f64 {
    let places = layout.places();
    let alike = (layout.shape().size() * layout.shape().size() / places) as f64;
    let (in_cells, in_segments) = weights.split_at((4 * places).min(weights.len()));
    let furthest = |sign: f64| {
        let most = |weights: &[f64]| weights.iter().map(|weight| sign * weight).fold(0.0, f64::max);
        let in_cell = |cell: usize| {
            let at = |part: usize| in_cells.get(part * places + cell).map_or(0.0, |weight| (sign * weight).max(0.0));
            at(0).max(at(1)).max(at(2) + at(3))
        };
        let cells: f64 = (0..places).map(in_cell).sum();
        let told: Vec<f64> = in_segments.chunks(2 * (layout.shape().win() - 1)).map(most).collect();
        let segments: f64 = (0..layout.segments().len()).map(|segment| told[layout.told(segment)]).sum();
        sign * bias + alike * cells + segments
    };
    furthest(1.0).max(furthest(-1.0))
}

/// A network ready for use.
pub struct Network {
    weights: Weights,
    layout: Layout,
    /// None for features that do not follow the game.
    tables: Option<Tables>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({}, {:?}, {} units)", self.weights.shape, self.weights.set, self.weights.units())
    }
}

impl Network {
    /// Check the weights and make a network of them.
    pub fn new(weights: Weights) -> Result<Network, BadWeights> {
        let layout = Layout::new(weights.shape, weights.set);
        weights.check(&layout)?;
        let tables = (weights.set != FeatureSet::Streaks).then(|| Tables::new(&weights, &layout));
        Ok(Network { weights, layout, tables })
    }

    /// The numbers it is made of.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Its features.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The weights laid out for updates move by move, if its features follow the game.
    #[inline]
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref()
    }

    /// The output for what all units come to, in steps of 2⁻²⁴. Rises with it.
    #[inline(always)]
    pub fn output(&self, total: i32) -> i32 {
        squash(total, u32::from(self.weights.shift))
    }

    /// The output computed afresh from the definition of the features.
    pub fn output_afresh<B: Width>(&self, board: &Board<B>) -> i32 {
        let units = self.weights.units();
        let images = images(self.weights.set);
        let mut accumulator: ArrayVec<i32, LANES> =
            lanes(&self.weights).map(|u| i32::from(self.weights.bias[u])).collect();
        self.layout.visit(&Grid::of(board, board.side()), |feature| {
            let named = self.layout.feature(feature);
            for (image, accumulator) in accumulator.chunks_mut(units).enumerate().take(images) {
                let seen = self.layout.index(self.layout.image(named, image));
                for (sum, weight) in accumulator.iter_mut().zip(&self.weights.first[seen * units..]) {
                    *sum += i32::from(*weight);
                }
            }
        });
        let one = i32::from(self.weights.one);
        let added = |(&sum, unit): (&i32, usize)| {
            let sum = if self.weights.is_straight(unit) { sum } else { sum.clamp(0, one) };
            sum * i32::from(self.weights.out[unit])
        };
        let total: i32 = accumulator.iter().zip(lanes(&self.weights)).map(added).sum();
        self.output(self.weights.out_bias + total)
    }

    /// The value of an undecided position, computed afresh: what every quicker way must agree with.
    pub fn value_afresh<B: Width>(&self, board: &Board<B>) -> Value {
        let output = self.output_afresh(board);
        match self.weights.set {
            FeatureSet::Streaks => Value::from_raw(output.into()),
            FeatureSet::Lines | FeatureSet::Counts => Odds::of(board, board.side()).blend(output),
        }
    }
}

/// The unit that each lane in use belongs to.
fn lanes(weights: &Weights) -> impl Iterator<Item = usize> {
    let units = weights.units();
    (0..images(weights.set)).flat_map(move |_| 0..units)
}
