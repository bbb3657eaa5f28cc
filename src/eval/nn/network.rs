//! A network of sparse features: one hidden layer, one or several outputs.
//!
//! A unit sums the weights of the position's features and lays its [`Curve`](super::Curve) over the sum, clipped to
//! [0, `one`]; an output is the weighted sum of the units. All of it is integer arithmetic, so a value is the same to the bit
//! on every machine, however it was summed. Where
//! a board has images under which the game is the same, each unit stands for one that looks at each of them, and all of
//! these share its output weights: images get one value by construction.

use super::lanes::Lanes;
use super::layout::{Featured, Layout};
use super::squash::{MIN_SHIFT, squash};
use crate::game::Player;
use std::fmt;

/// The numbers a network is made of, as its file holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Where a unit is full.
    pub one: i16,
    /// An output is in steps of 2^-shift.
    pub shift: u8,
    /// Weights of the features: for each feature in order, one for each unit.
    pub first: Vec<i16>,
    /// What each unit starts from.
    pub bias: Vec<i16>,
    /// For each output, what each unit adds to it, times how full it is.
    pub out: Vec<Vec<i16>>,
    /// What each output starts from.
    pub out_bias: Vec<i32>,
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
    /// A list is not as long as features, units and outputs demand.
    Length {
        /// Which list.
        list: &'static str,
        /// Its length.
        got: usize,
        /// Its due length.
        due: usize,
    },
    /// The sum of a unit could leave the range of its integers.
    UnitOverflow(usize),
    /// An output could.
    OutputOverflow(usize),
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BadWeights::Scale { field, value } => write!(f, "{field} is {value}, out of range"),
            BadWeights::Units { units, most } => write!(f, "it has {units} hidden units, expected 1 to {most}"),
            BadWeights::Length { list, got, due } => write!(f, "{list} has {got} numbers, expected {due}"),
            BadWeights::UnitOverflow(unit) => write!(f, "the sum of unit {unit} could overflow"),
            BadWeights::OutputOverflow(output) => write!(f, "the sum of output {output} could overflow"),
        }
    }
}

impl std::error::Error for BadWeights {}

impl Weights {
    /// How many units, images not counted.
    pub fn units(&self) -> usize {
        self.bias.len()
    }

    /// Whether these numbers make a network of a layout with no more than `most` units, images not counted.
    fn check(&self, layout: &Layout, most: usize) -> Result<(), BadWeights> {
        let units = self.units();
        if !(1..=most).contains(&units) {
            return Err(BadWeights::Units { units, most });
        }
        let lists = [
            ("the first layer", self.first.len(), layout.features() * units),
            ("the list of outputs", self.out.len(), layout.outputs),
            ("the list of what outputs start from", self.out_bias.len(), layout.outputs),
        ];
        let outputs = self.out.iter().map(|out| ("an output", out.len(), units));
        if let Some((list, got, due)) = lists.into_iter().chain(outputs).find(|(_, got, due)| got != due) {
            return Err(BadWeights::Length { list, got, due });
        }
        if !(MIN_SHIFT..=24).contains(&u32::from(self.shift)) {
            return Err(BadWeights::Scale { field: "shift", value: self.shift.into() });
        }
        if !(1..=layout.curve.most()).contains(&self.one) {
            return Err(BadWeights::Scale { field: "one", value: self.one.into() });
        }
        for unit in 0..units {
            let numbers = self.first.iter().skip(unit).step_by(units).map(|&weight| f64::from(weight));
            let (least, greatest) = layout.extremes(self.bias[unit].into(), numbers);
            if least < f64::from(i16::MIN) || greatest > f64::from(i16::MAX) {
                return Err(BadWeights::UnitOverflow(unit));
            }
        }
        let images = layout.images.len() as i64;
        let full = i64::from(layout.curve.level(self.one.into(), self.one.into()));
        for (output, (weights, bias)) in self.out.iter().zip(&self.out_bias).enumerate() {
            let sum: i64 = weights.iter().map(|&weight| i64::from(weight).abs() * full).sum();
            if sum * images + i64::from(*bias).abs() >= i64::from(i32::MAX) {
                return Err(BadWeights::OutputOverflow(output));
            }
        }
        Ok(())
    }
}

/// A network ready for use, its units in `N` registers.
pub struct Network<const N: usize> {
    weights: Weights,
    layout: Layout,
    rows: Vec<Lanes<N>>,
    bias: Lanes<N>,
    out: Vec<Lanes<N>>,
}

impl<const N: usize> fmt::Debug for Network<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({}, {} units)", self.layout.game, self.weights.units())
    }
}

impl<const N: usize> Network<N> {
    /// The most units, images not counted.
    pub fn most_units(layout: &Layout) -> usize {
        Lanes::<N>::UNITS / layout.images.len().max(1)
    }

    /// Check the weights and make a network of them.
    pub fn new(layout: Layout, weights: Weights) -> Result<Network<N>, BadWeights> {
        weights.check(&layout, Network::<N>::most_units(&layout))?;
        let units = weights.units();
        let row = |feature: usize| {
            let seen = layout.images.iter().map(|image| usize::from(image[feature]));
            Lanes::new(seen.flat_map(|seen| weights.first[seen * units..][..units].iter().copied()))
        };
        let repeated = |list: &[i16]| Lanes::new(layout.images.iter().flat_map(|_| list.iter().copied()));
        let rows = (0..layout.features()).map(row).collect();
        let (bias, out) = (repeated(&weights.bias), weights.out.iter().map(|out| repeated(out)).collect());
        Ok(Network { rows, bias, out, weights, layout })
    }

    /// The numbers it is made of.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What it sees.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What all units start from.
    #[inline]
    pub fn bias(&self) -> Lanes<N> {
        self.bias
    }

    /// What a feature adds to all units.
    #[inline]
    pub fn row(&self, feature: usize) -> &Lanes<N> {
        &self.rows[feature]
    }

    /// What all units add to an output, times how full they are.
    pub fn out(&self, output: usize) -> &Lanes<N> {
        &self.out[output]
    }

    /// The sums of all units of a position met out of the blue, as `view` sees it.
    pub fn accumulator<G: Featured>(&self, game: &G, view: Player) -> Lanes<N> {
        let mut sums = self.bias;
        game.each_feature(view, |feature| sums.add(&self.rows[feature]));
        sums
    }

    /// What all units come to in one output, before any curve is laid over it.
    #[inline(always)]
    pub fn total(&self, output: usize, sums: &Lanes<N>) -> i32 {
        let [total] = sums.dots(self.layout.curve, self.weights.one, std::array::from_ref(&self.out[output]));
        self.weights.out_bias[output] + total
    }

    /// The hyperbolic tangent of an output, in steps of 2⁻²⁴. Rises with it.
    #[inline(always)]
    pub fn squashed(&self, total: i32) -> i32 {
        squash(total, u32::from(self.weights.shift))
    }

    /// An output computed afresh from the definition: what every quicker way must agree with.
    pub fn total_afresh<G: Featured>(&self, output: usize, game: &G, view: Player) -> i32 {
        let Weights { one, first, bias, out, out_bias, .. } = &self.weights;
        let units = bias.len();
        let mut total = out_bias[output];
        for image in &self.layout.images {
            let mut sums: Vec<i32> = bias.iter().map(|&bias| bias.into()).collect();
            game.each_feature(view, |feature| {
                let row = &first[usize::from(image[feature]) * units..][..units];
                sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i32::from(weight));
            });
            total += sums
                .iter()
                .zip(&out[output])
                .map(|(sum, &out)| self.layout.curve.level(*sum, (*one).into()) * i32::from(out))
                .sum::<i32>();
        }
        total
    }
}
