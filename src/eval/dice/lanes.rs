//! The accumulator of a network's hidden units side by side, and what the output makes of them.
//!
//! A unit that tells places apart stands for four, which look at the four mirror images of the board: one register an
//! image, one lane of it a unit. To the output all images are alike. Units that do not have four registers for themselves.

use super::features::IMAGES;
use super::network::Weights;
use wide::{i16x8, i32x4};

/// The units of a register.
pub const MAX_UNITS: usize = 8;

/// One number for every unit in every image, or for four times as many units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes([i16x8; IMAGES]);

/// One number for every unit, 0 for those that are not there.
fn register(numbers: impl Iterator<Item = i16>) -> i16x8 {
    let mut lanes = [0; MAX_UNITS];
    for (lane, number) in lanes.iter_mut().zip(numbers) {
        *lane = number;
    }
    i16x8::new(lanes)
}

impl Lanes {
    /// Nothing yet.
    pub const ZERO: Lanes = Lanes([i16x8::ZERO; IMAGES]);

    /// The numbers of all units in each image.
    pub fn from_images<I: Iterator<Item = i16>>(numbers: impl Fn(usize) -> I) -> Lanes {
        Lanes(std::array::from_fn(|image| register(numbers(image))))
    }

    /// The numbers of all units of a network that tells no places apart.
    pub fn from_units(numbers: &[i16]) -> Lanes {
        Lanes::from_images(|part| numbers.iter().copied().skip(part * MAX_UNITS).take(MAX_UNITS))
    }

    /// Add lane by lane. Weights are checked when a network is made: no total ever wraps, only parts of one may.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum += *x;
        }
    }

    /// Subtract lane by lane.
    #[inline(always)]
    pub fn sub(&mut self, other: &Lanes) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum -= *x;
        }
    }

    /// Add what is on the image of this board that `frame` names, lane by lane.
    #[inline(always)]
    pub fn add_reframed(&mut self, other: &Lanes, frame: usize) {
        for (image, sum) in self.0.iter_mut().enumerate() {
            *sum += other.0[(image ^ frame) % IMAGES];
        }
    }

    /// The same on a board that is the image named `frame` of this one; its own inverse.
    #[inline(always)]
    pub fn reframed(&self, frame: usize) -> Lanes {
        Lanes(std::array::from_fn(|image| self.0[(image ^ frame) % IMAGES]))
    }
}

/// The output layer of a network whose accumulator are kept.
pub struct OutputLayer {
    weights: Lanes,
    /// What each unit's sum is brought up to, and down to: these are far out for straight units.
    low: i16x8,
    high: i16x8,
    bias: i32,
}

impl OutputLayer {
    /// That of a network.
    pub fn new(weights: &Weights) -> OutputLayer {
        let limit = |clipped: i16, straight: i16| {
            let units = weights.units().min(MAX_UNITS);
            register((0..units).map(|unit| if weights.is_straight(unit) { straight } else { clipped }))
        };
        OutputLayer {
            weights: weights.lanes(&weights.out),
            low: limit(0, -i16::MAX),
            high: limit(weights.one, i16::MAX),
            bias: weights.out_bias,
        }
    }

    /// What all units come to, before the tangent.
    #[inline(always)]
    pub fn total(&self, accumulator: &Lanes) -> i32 {
        let part = |i: usize| accumulator.0[i].max(self.low).min(self.high).dot(self.weights.0[i]);
        let [a, b, c, d]: [i32x4; IMAGES] = std::array::from_fn(part);
        self.bias + ((a + b) + (c + d)).reduce_add()
    }
}
