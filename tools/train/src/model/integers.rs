//! A network's way from floating point into the integers of its file.

use super::Model;
use alea::eval::dice::features::FeatureSet;
use alea::eval::dice::network::{Weights, images, worst_sum};

impl Model {
    /// The network in integers with the mean in place of the parameters, if one is taken: it is freer of the noise of the
    /// last games.
    pub fn quantised_mean(&mut self) -> Weights {
        if self.average.is_empty() {
            return self.quantised();
        }
        std::mem::swap(&mut self.params, &mut self.average);
        self.sum_up();
        let weights = self.quantised();
        std::mem::swap(&mut self.params, &mut self.average);
        self.sum_up();
        weights
    }

    /// The weights of a unit, feature by feature.
    fn column(&self, unit: usize) -> impl Iterator<Item = f64> {
        self.summed.iter().skip(unit).step_by(self.parts.stride).map(|&weight| f64::from(weight))
    }

    /// How far from zero the sum of a unit may get.
    fn worst(&self, unit: usize) -> f64 {
        let bias = f64::from(self.params[self.parts.bias() + unit]);
        match self.layout.set() {
            // Sums of this set are taken in wider integers: only the single weights must fit.
            FeatureSet::Streaks => self.column(unit).map(f64::abs).fold(bias.abs(), f64::max),
            _ => worst_sum(&self.layout, bias, &self.column(unit).collect::<Vec<f64>>()),
        }
    }

    /// What sums in integers may come to before rounding, which adds at most half a step a feature that a position has.
    fn room(&self) -> f64 {
        let cells = self.layout.shape().size() * self.layout.shape().size();
        let features = match self.layout.set() {
            FeatureSet::Counts => 2 * cells + self.layout.segments().len(),
            _ => self.layout.len(),
        };
        32_767.0 - 0.5 * (features + 1) as f64
    }

    /// Where a clipped unit is full in integers: as far as its sums allow without overflow.
    pub(super) fn one(&self) -> f64 {
        let clipped = self.units - usize::from(self.straight);
        let worst = (0..clipped).map(|unit| self.worst(unit)).fold(1.0, f64::max);
        (self.room() / worst).floor().clamp(1.0, 1024.0)
    }

    /// The network in integers: as fine as its sums allow without overflow.
    pub fn quantised(&self) -> Weights {
        let clipped = self.units - usize::from(self.straight);
        let set = self.layout.set();
        let (room, one) = (self.room(), if self.grid > 0.0 { self.grid } else { self.one() });
        let out = |unit: usize| f64::from(self.params[self.parts.out() + unit]);
        let out_bias = f64::from(self.params[self.parts.out_bias()]);
        let straight = if self.straight { self.worst(clipped) } else { 0.0 };
        let sum =
            (0..clipped).map(|unit| out(unit).abs()).sum::<f64>() * images(set) as f64 + out_bias.abs() + straight;
        let most = (0..clipped).map(|unit| out(unit).abs()).fold(0.0, f64::max);
        let fits = |shift: &u8| {
            let scale = f64::from(1_u32 << shift);
            most * scale / one < 32_000.0 && sum * scale < 1e9
        };
        let shift = (8..=22).rev().find(fits).unwrap_or(8);
        let scale = f64::from(1_u32 << shift);
        let bias = |unit: usize| f64::from(self.params[self.parts.bias() + unit]);
        let mut units: Vec<Unit> = (0..clipped)
            .map(|unit| Unit {
                weights: self.column(unit).map(|weight| whole(weight * one)).collect(),
                bias: whole(bias(unit) * one),
                out: whole(out(unit) * scale / one),
            })
            .collect();
        if self.straight {
            units.extend(straight_units(
                &self.column(clipped).collect::<Vec<f64>>(),
                straight / room,
                out(clipped) * scale,
            ));
        }
        Weights {
            shape: self.layout.shape(),
            set,
            one: one as i16,
            shift,
            first: (0..self.layout.len()).flat_map(|i| units.iter().map(move |unit| unit.weights[i])).collect(),
            bias: units.iter().map(|unit| unit.bias).collect(),
            out: units.iter().map(|unit| unit.out).collect(),
            out_bias: (out_bias * scale).round() as i32,
            straight: units.len() - clipped,
        }
    }
}

/// A unit in integers.
struct Unit {
    weights: Vec<i16>,
    bias: i16,
    out: i16,
}

/// Fine steps in a coarse one: so few that half of that for every feature still fits a sum of any shape.
const COARSE: f64 = 32.0;

/// The straight part as two units, the second for what the steps of the first are too coarse for. Steps of the first
/// must not be below `least`; a sum of 1 is worth `worth` of the output.
fn straight_units(weights: &[f64], least: f64, worth: f64) -> [Unit; 2] {
    let fine_out = (worth * least / COARSE).ceil().clamp(1.0, 32_767.0 / COARSE);
    let fine = fine_out / worth;
    let steps = |weight: f64| {
        let coarse = (weight / (fine * COARSE)).round();
        (whole(coarse), whole(weight / fine - coarse * COARSE))
    };
    let (coarse, rest) = weights.iter().map(|&weight| steps(weight)).unzip();
    [
        Unit { weights: coarse, bias: 0, out: whole(fine_out * COARSE) },
        Unit { weights: rest, bias: 0, out: whole(fine_out) },
    ]
}

fn whole(x: f64) -> i16 {
    x.round().clamp(-32_767.0, 32_767.0) as i16
}

#[cfg(test)]
mod tests {
    use super::super::tests::built;
    use super::*;
    use alea::eval::dice::features::IMAGES;
    use alea::eval::dice::network::Network;
    use alea::game::dice::Shape;
    use alea_tools::random::draws;
    use rand::RngExt;

    #[test]
    fn integers_are_sound() {
        for (n, k) in [(4, 3), (9, 8), (17, 4)] {
            let model = Model::new(Shape::new(n, k).unwrap(), built(FeatureSet::Lines, 8, false), 3);
            assert!(Network::new(model.quantised()).is_ok());
        }
        let model = Model::new(Shape::new(17, 8).unwrap(), built(FeatureSet::Streaks, 30, false), 3);
        assert!(Network::new(model.quantised()).is_ok());
    }

    /// A straight part in integers is what it was in floating point, to a step of its fine unit.
    #[test]
    fn straight_parts_keep_their_weights() {
        for (n, k) in [(4, 3), (13, 4), (17, 3), (17, 8)] {
            let mut model = Model::new(Shape::new(n, k).unwrap(), built(FeatureSet::Lines, 8, true), 3);
            let (stride, last) = (model.parts.stride, model.units - 1);
            let mut draws = draws(1, "test", 0);
            for row in model.params[..model.parts.local].chunks_mut(stride) {
                row[last] = draws.random_range(-0.125..0.125);
            }
            model.sum_up();
            let weights = model.quantised();
            assert_eq!((weights.units(), weights.straight), (8, 2));
            let scale = f64::from(1_u32 << weights.shift) / IMAGES as f64;
            for (row, weight) in weights.first.chunks(8).zip(model.column(last)) {
                let back = [6, 7].map(|unit| f64::from(row[unit]) * f64::from(weights.out[unit])).iter().sum::<f64>();
                assert!((back / scale - weight).abs() < 1e-3, "{n}/{k}: {weight} became {}", back / scale);
            }
            assert!(Network::new(weights).is_ok());
        }
    }
}
