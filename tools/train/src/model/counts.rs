//! What is different where features are counts: each is a number, few of them are 0, and some are a hundred times others.
//!
//! A step of the optimiser is of one length for every weight. A weight that counts a hundredfold would move the sum of a unit a
//! hundred times as far as another, past the range in which the unit learns: so such weights are learnt in smaller
//! measure. And a weight's rounding to integers counts as often as the feature does: so training sees the rounded weights.

use super::{LEAK, Model, Samples, Slopes, tanh};
use alea::eval::dice::features::{Grid, Layout};
use alea::game::dice::{Board, Wide};
use alea::game::{Game, Kind, Step};
use alea_tools::random::draws;
use rand::RngExt;

/// The weights to start from are drawn from twice this width, half of it to either side.
pub const SPREAD: f32 = 0.6;
/// Random games that show how often features come.
const GAMES: u64 = 40;

/// What the weights of each class are learnt in: the inverse of how often its features come together in random play, plus 1.
pub fn scales(layout: &Layout, class: &[u16], classes: usize) -> Vec<f32> {
    let mut squares = vec![0.0_f64; classes];
    let mut positions = 0.0;
    for game in 0..GAMES {
        let mut draws = draws(game, "scales", 0);
        let mut board = Board::<Wide>::new(layout.shape());
        while board.kind() == Kind::Chance {
            let lines = board.open_lines();
            let rolled = board.child(Step::Outcome(lines[draws.random_range(0..lines.len())]));
            let moves = rolled.moves();
            board = rolled.child(Step::Move(moves[draws.random_range(0..moves.len())]));
            let mut counts = vec![0.0; classes];
            layout.visit(&Grid::of(&board, board.side()), |feature| counts[usize::from(class[feature])] += 1.0);
            squares.iter_mut().zip(&counts).for_each(|(sum, count): (&mut f64, &f64)| *sum += count * count);
            positions += 1.0;
        }
    }
    squares.iter().map(|sum| 1.0 / (1.0 + (sum / positions).sqrt() as f32)).collect()
}

impl Model {
    /// Round the weights to the integers that they will be.
    pub(super) fn round_off(&mut self) {
        self.grid = self.one();
        let grid = self.grid as f32;
        for weight in &mut self.summed {
            *weight = (*weight * grid).round() / grid;
        }
    }

    /// As for other features, but with each one's count.
    pub(super) fn backward_counts<const S: usize>(&self, samples: &Samples, batch: &[u32]) -> Slopes {
        let local = self.parts.local;
        let mut numbers = vec![0.0; local + 2 * S + 1];
        let mut error = 0.0;
        let bias: [f32; S] = std::array::from_fn(|i| self.params[self.parts.bias() + i]);
        let out: [f32; S] = std::array::from_fn(|i| self.params[self.parts.out() + i]);
        let rows = self.summed.as_chunks::<S>().0;
        for &index in batch {
            let sample = &samples.list[index as usize];
            let counts = &samples.features[sample.features.clone()];
            let mut sums = bias;
            for (row, &count) in rows.iter().zip(counts).filter(|(_, count)| **count > 0) {
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += f32::from(count) * x);
            }
            let full: [f32; S] = sums.map(|sum| sum.clamp(0.0, 1.0));
            let output = full.iter().zip(&out).fold(self.params[self.parts.out_bias()], |sum, (a, b)| sum + a * b);
            let tanh = tanh(output);
            let rest = 1.0 - sample.sure;
            let miss = sample.sure + rest * tanh - sample.target;
            error += f64::from(miss) * f64::from(miss);
            let slope = 2.0 * miss * rest * (1.0 - tanh * tanh);
            let deltas: [f32; S] =
                std::array::from_fn(|i| slope * out[i] * if full[i] == sums[i] { 1.0 } else { LEAK });
            for i in 0..S {
                numbers[local + i] += deltas[i];
                numbers[local + S + i] += slope * full[i];
            }
            numbers[local + 2 * S] += slope;
            for (row, &count) in numbers.as_chunks_mut::<S>().0.iter_mut().zip(counts).filter(|(_, count)| **count > 0)
            {
                row.iter_mut().zip(&deltas).for_each(|(sum, x)| *sum += f32::from(count) * x);
            }
        }
        Slopes { numbers, error }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sample;
    use super::super::tests::built;
    use super::*;
    use alea::eval::dice::features::FeatureSet;
    use alea::eval::dice::network::Network;
    use alea::game::dice::Shape;

    /// Random counts, once one number a feature and once a feature as often as it counts.
    fn samples(features: usize) -> [Samples; 2] {
        let [mut counted, mut listed] = [Samples::default(), Samples::default()];
        for i in 0..30_u16 {
            let mut draws = draws(3, "test", i.into());
            let counts: Vec<u16> = (0..features).map(|_| draws.random_range(0..4) * draws.random_range(0..2)).collect();
            let list = (0..).zip(&counts).flat_map(|(feature, &count)| std::iter::repeat_n(feature, count.into()));
            for (samples, numbers) in [(&mut counted, counts.clone()), (&mut listed, list.collect())] {
                let features = samples.features.len()..samples.features.len() + numbers.len();
                samples.features.extend(numbers);
                samples.list.push(Sample {
                    features,
                    sure: 0.1 * f32::from(i % 3),
                    target: f32::from(i % 5) / 2.5 - 0.8,
                });
            }
        }
        [counted, listed]
    }

    /// A count is worth as much as the feature that many times, forward and backward.
    #[test]
    fn counts_are_features_told_at_once() {
        for units in [5, 13, 32] {
            let shape = Shape::new(9, 6).unwrap();
            let model = Model::new(shape, built(FeatureSet::Counts, units, false), 2);
            let [counted, listed] = samples(model.layout.len());
            let batch: Vec<u32> = (0..30).collect();
            let [one, other] = match model.parts.stride {
                8 => [model.backward_counts::<8>(&counted, &batch), model.backward::<8>(&listed, &batch)],
                16 => [model.backward_counts::<16>(&counted, &batch), model.backward::<16>(&listed, &batch)],
                _ => [model.backward_counts::<32>(&counted, &batch), model.backward::<32>(&listed, &batch)],
            };
            assert!((one.error - other.error).abs() < 1e-4 && one.error > 1.0);
            for (a, b) in one.numbers.iter().zip(&other.numbers) {
                assert!((a - b).abs() < 1e-3 + 1e-3 * a.abs(), "{a} {b}");
            }
        }
    }

    /// What training sees is what the integers are, and they hold.
    #[test]
    fn training_sees_the_integers() {
        for (n, k) in [(6, 4), (9, 6), (13, 6), (17, 4), (17, 8)] {
            let mut model = Model::new(Shape::new(n, k).unwrap(), built(FeatureSet::Counts, 32, false), 4);
            let [counted, _] = samples(model.layout.len());
            for _ in 0..20 {
                model.learn(&counted, &(0..30).collect::<Vec<u32>>(), 0.05, 1);
            }
            let weights = model.quantised();
            let back: Vec<f32> = weights.first.iter().map(|&whole| f32::from(whole) / model.grid as f32).collect();
            assert!(back == model.summed && back.iter().any(|&weight| weight != 0.0));
            assert!(Network::new(weights).is_ok(), "{n}/{k}");
        }
    }

    #[test]
    fn what_comes_often_is_learnt_in_small_measure() {
        let layout = Layout::new(Shape::new(13, 6).unwrap(), FeatureSet::Counts);
        let class: Vec<u16> = (0..layout.len() as u16).collect();
        let scales = scales(&layout, &class, layout.len());
        // Checkers, threats, segments along a row with 1 to 5 checkers: the more checkers, the fewer there are.
        assert!(scales[2] > 10.0 * scales[0], "{scales:?}");
        assert!(scales[4..9].is_sorted() && scales[4] < 0.1, "{scales:?}");
    }
}
