//! The network in floating point, as it is trained: forward, backward, Adam. The way into integers is [`integers`].
//!
//! Every sum is taken in a fixed order, so that a seed gives the same network whatever the number of threads.

mod counts;
mod integers;

use crate::shares;
use alea::eval::dice::features::{Feature, FeatureSet, IMAGES, Layout};
use alea::eval::dice::network::images;
use alea::game::dice::Shape;
use alea_tools::random::draws;
use rand::RngExt;

/// Samples are summed in this many parts, whatever the number of threads.
const PARTS: usize = 4;
/// The slope that the gradient sees where a unit is empty or full, so that none stays there for ever.
const LEAK: f32 = 0.02;

/// One position to learn from. Its value is `sure + rest * tanh(output)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Where its features lie in the list they are kept in; of [`FeatureSet::Counts`] it has one number each, how many.
    pub features: std::ops::Range<usize>,
    /// The chance that the side to move wins at once, where the network is told of it.
    pub sure: f32,
    /// What the value should be.
    pub target: f32,
}

/// Positions to learn from, with their features in one list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// The features of one sample after another.
    pub features: Vec<u16>,
    /// The samples.
    pub list: Vec<Sample>,
}

impl Samples {
    /// Append the samples of another list.
    pub fn append(&mut self, other: &Samples) {
        let shift = self.features.len();
        self.features.extend(&other.features);
        self.list.extend(
            other.list.iter().map(|sample| Sample {
                features: sample.features.start + shift..sample.features.end + shift,
                ..*sample
            }),
        );
    }
}

/// The parts of the parameters, in the one list that the optimiser sees.
#[derive(Clone, Copy)]
struct Parts {
    /// Weights of the features: one a feature and unit.
    local: usize,
    /// Weights that all features of a class share: added to the local ones.
    shared: usize,
    /// Numbers for each unit.
    stride: usize,
}

impl Parts {
    fn bias(self) -> usize {
        self.local + self.shared
    }
    fn out(self) -> usize {
        self.bias() + self.stride
    }
    fn out_bias(self) -> usize {
        self.out() + self.stride
    }
    fn len(self) -> usize {
        self.out_bias() + 1
    }
}

/// What backward leaves: the slopes of the summed weights, then those of bias, output weights and output bias.
struct Slopes {
    numbers: Vec<f32>,
    error: f64,
}

/// A network being trained.
pub struct Model {
    layout: Layout,
    units: usize,
    parts: Parts,
    /// The feature that each image of a unit sees in place of a feature.
    seen: Vec<[u16; IMAGES]>,
    /// The class that a feature shares weights with.
    class: Vec<u16>,
    /// What a shared weight of each class is multiplied by: little where many features of the class come at once.
    scales: Vec<f32>,
    /// Steps in 1 of the integers that weights are rounded to in training already; 0 if they are not.
    grid: f64,
    params: Vec<f32>,
    /// Local and shared weights summed.
    summed: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
    /// The mean of the parameters over the later part of a run, where one is taken.
    average: Vec<f32>,
    local_rate: f32,
    /// The last unit is straight: never clipped, its output weight fixed.
    straight: bool,
}

/// How a network is built.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// What it sees.
    pub set: FeatureSet,
    /// Units in the integers of its file, mirror images not counted.
    pub units: usize,
    /// Whether it has a straight part, which takes two of the units in integers.
    pub straight: bool,
    /// Whether the mean of the weights is kept.
    pub average: bool,
    /// How fast weights of single places learn, against those that all places share.
    pub local_rate: f32,
}

/// The class of a feature: what it says but for where.
fn class_of(layout: &Layout, feature: Feature) -> usize {
    match feature {
        Feature::Checker { own, .. } => usize::from(own),
        Feature::Threat { own, .. } => 2 + usize::from(own),
        Feature::Streak { own, length } => 4 + 2 * length + usize::from(own),
        Feature::Live { segment, own, count } => {
            4 + 2 * (layout.segments()[segment].direction * layout.shape().win() + count) + usize::from(own)
        }
    }
}

impl Model {
    /// A network with small random weights. With a `local_rate` below 1, weights of single places start from nothing
    /// and learn that much slower than those that all places share.
    pub fn new(shape: Shape, build: Build, seed: u64) -> Model {
        let Build { set, straight, local_rate, .. } = build;
        let units = build.units - usize::from(straight);
        let layout = Layout::new(shape, set);
        let stride = units.next_multiple_of(8).next_power_of_two();
        let features = layout.len();
        let class: Vec<u16> = (0..features).map(|i| class_of(&layout, layout.feature(i)) as u16).collect();
        let classes = class.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let parts = Parts { local: features * stride, shared: classes * stride, stride };
        let counts = set == FeatureSet::Counts;
        let scales = if counts { counts::scales(&layout, &class, classes) } else { vec![1.0; classes] };
        let seen = (0..features)
            .map(|i| std::array::from_fn(|image| layout.index(layout.image(layout.feature(i), image)) as u16))
            .collect();
        let mut params = vec![0.0; parts.len()];
        let mut draws = draws(seed, "weights", 0);
        let mut draw = || 2.0 * draws.random::<f32>() - 1.0;
        let spread = if counts { counts::SPREAD } else { 1.0 / ((shape.size() * shape.size()) as f32).sqrt() };
        for row in params[..parts.bias()].chunks_mut(stride) {
            row[..units].fill_with(|| draw() * spread * 0.5);
        }
        if local_rate < 1.0 {
            params[..parts.local].fill(0.0);
        }
        params[parts.bias()..][..units].fill_with(|| 0.5 + 0.3 * draw());
        params[parts.out()..][..units].fill_with(|| draw() / images(set) as f32);
        if straight {
            let last = units - 1;
            params[..parts.out()].chunks_mut(stride).for_each(|row| row[last] = 0.0);
            params[parts.out() + last] = 1.0 / images(set) as f32;
        }
        let [mean, square] = [(); 2].map(|()| vec![0.0; params.len()]);
        let average = if build.average { params.clone() } else { Vec::new() };
        let mut model = Model {
            layout,
            units,
            parts,
            seen,
            class,
            scales,
            grid: 0.0,
            params,
            summed: Vec::new(),
            mean,
            square,
            steps: 0,
            average,
            local_rate,
            straight,
        };
        model.sum_up();
        model
    }

    /// Its features.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Everything that changes in training, to be put back by [`Model::restore`].
    pub fn snapshot(&self) -> (u64, Vec<f32>) {
        (self.steps, [&self.params[..], &self.mean, &self.square, &self.average].concat())
    }

    /// Put a snapshot of a like model back; `false` if it is of another size.
    pub fn restore(&mut self, steps: u64, numbers: &[f32]) -> bool {
        let len = self.params.len();
        if numbers.len() != 3 * len + self.average.len() {
            return false;
        }
        self.params.copy_from_slice(&numbers[..len]);
        self.mean.copy_from_slice(&numbers[len..2 * len]);
        self.square.copy_from_slice(&numbers[2 * len..3 * len]);
        self.average.copy_from_slice(&numbers[3 * len..]);
        self.steps = steps;
        self.sum_up();
        true
    }

    /// Take the parameters as they are into their mean, as the last of `count`.
    pub fn take_in(&mut self, count: u64) {
        for (mean, x) in self.average.iter_mut().zip(&self.params) {
            *mean += (x - *mean) / count.max(1) as f32;
        }
    }

    fn sum_up(&mut self) {
        let stride = self.parts.stride;
        self.summed.resize(self.parts.local, 0.0);
        let (local, shared) = self.params[..self.parts.bias()].split_at(self.parts.local);
        for ((sums, local), &class) in self.summed.chunks_mut(stride).zip(local.chunks(stride)).zip(&self.class) {
            let scale = self.scales[usize::from(class)];
            for ((sum, a), b) in sums.iter_mut().zip(local).zip(&shared[usize::from(class) * stride..]) {
                *sum = a + b * scale;
            }
        }
        if self.layout.set() == FeatureSet::Counts {
            self.round_off();
        }
    }

    /// One step down the gradient of the mean squared error over `batch`; gives back that error.
    pub fn learn(&mut self, samples: &Samples, batch: &[u32], rate: f32, threads: usize) -> f64 {
        let mut slopes = self.slopes(samples, batch, threads);
        let mut total = slopes.remove(0);
        for part in slopes {
            for (sum, x) in total.numbers.iter_mut().zip(&part.numbers) {
                *sum += x;
            }
            total.error += part.error;
        }
        self.step(&total.numbers, batch.len() as f32, rate);
        total.error / batch.len().max(1) as f64
    }

    fn slopes(&self, samples: &Samples, batch: &[u32], threads: usize) -> Vec<Slopes> {
        let size = batch.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[u32]> = (0..PARTS).map(|i| batch.chunks(size).nth(i).unwrap_or(&[])).collect();
        let work = |part: &[u32]| match self.parts.stride {
            8 if self.grid > 0.0 => self.backward_counts::<8>(samples, part),
            16 if self.grid > 0.0 => self.backward_counts::<16>(samples, part),
            32 if self.grid > 0.0 => self.backward_counts::<32>(samples, part),
            8 => self.backward::<8>(samples, part),
            16 => self.backward::<16>(samples, part),
            _ => self.backward::<32>(samples, part),
        };
        // Small batches are summed sooner than threads are started.
        if threads < 2 || batch.len() < 256 {
            return parts.into_iter().map(work).collect();
        }
        shares::each(&parts, threads, |part| work(part))
    }

    fn backward<const S: usize>(&self, samples: &Samples, batch: &[u32]) -> Slopes {
        let local = self.parts.local;
        let mut numbers = vec![0.0; local + 2 * S + 1];
        let mut error = 0.0;
        let images = images(self.layout.set());
        let bias: [f32; S] = std::array::from_fn(|i| self.params[self.parts.bias() + i]);
        let out: [f32; S] = std::array::from_fn(|i| self.params[self.parts.out() + i]);
        let straight = |i: usize| self.straight && i == self.units - 1;
        let low: [f32; S] = std::array::from_fn(|i| if straight(i) { f32::MIN } else { 0.0 });
        let high: [f32; S] = std::array::from_fn(|i| if straight(i) { f32::MAX } else { 1.0 });
        for &index in batch {
            let sample = &samples.list[index as usize];
            let features = &samples.features[sample.features.clone()];
            let mut sums = [bias; IMAGES];
            for &feature in features {
                for (sums, &seen) in sums.iter_mut().zip(&self.seen[usize::from(feature)]).take(images) {
                    let row: &[f32; S] = row(&self.summed, seen);
                    for (sum, x) in sums.iter_mut().zip(row) {
                        *sum += x;
                    }
                }
            }
            let mut output = self.params[self.parts.out_bias()];
            for sums in &sums[..images] {
                for i in 0..S {
                    output += sums[i].clamp(low[i], high[i]) * out[i];
                }
            }
            let tanh = tanh(output);
            let rest = 1.0 - sample.sure;
            let miss = sample.sure + rest * tanh - sample.target;
            error += f64::from(miss) * f64::from(miss);
            let slope = 2.0 * miss * rest * (1.0 - tanh * tanh);
            let mut deltas = [[0.0; S]; IMAGES];
            for (deltas, sums) in deltas.iter_mut().zip(&sums).take(images) {
                for i in 0..S {
                    let inside = (low[i]..=high[i]).contains(&sums[i]);
                    deltas[i] = slope * out[i] * if inside { 1.0 } else { LEAK };
                    numbers[local + i] += deltas[i];
                    numbers[local + S + i] += slope * sums[i].clamp(low[i], high[i]);
                }
            }
            numbers[local + 2 * S] += slope;
            for &feature in features {
                for (deltas, &seen) in deltas.iter().zip(&self.seen[usize::from(feature)]).take(images) {
                    let row = &mut numbers[usize::from(seen) * S..][..S];
                    for (slope, x) in row.iter_mut().zip(deltas) {
                        *slope += x;
                    }
                }
            }
        }
        if self.straight {
            // The output starts from its own number, and the scale is the weights' own.
            numbers[local + self.units - 1] = 0.0;
            numbers[local + S + self.units - 1] = 0.0;
        }
        Slopes { numbers, error }
    }

    /// Adam (Kingma & Ba 2015).
    fn step(&mut self, slopes: &[f32], samples: f32, rate: f32) {
        let (local, stride) = (self.parts.local, self.parts.stride);
        let mut gradient = vec![0.0; self.params.len()];
        gradient[..local].copy_from_slice(&slopes[..local]);
        gradient[self.parts.bias()..].copy_from_slice(&slopes[local..]);
        for (row, &class) in slopes[..local].chunks(stride).zip(&self.class) {
            let scale = self.scales[usize::from(class)];
            for (sum, x) in gradient[local + usize::from(class) * stride..].iter_mut().zip(row) {
                *sum += x * scale;
            }
        }
        self.steps += 1;
        let (keep_mean, keep_square) = (0.9_f32, 0.999_f32);
        let steps = self.steps.min(100_000) as i32;
        let rate = rate * (1.0 - power(keep_square, steps)).sqrt() / (1.0 - power(keep_mean, steps));
        let rates = std::iter::repeat_n(rate * self.local_rate, local).chain(std::iter::repeat(rate));
        for ((((param, mean), square), slope), rate) in
            self.params.iter_mut().zip(&mut self.mean).zip(&mut self.square).zip(&gradient).zip(rates)
        {
            let slope = slope / samples.max(1.0);
            *mean = keep_mean * *mean + (1.0 - keep_mean) * slope;
            *square = keep_square * *square + (1.0 - keep_square) * slope * slope;
            *param -= rate * *mean / (square.sqrt() + 1e-8);
        }
        self.sum_up();
    }
}

fn row<const S: usize>(numbers: &[f32], index: u16) -> &[f32; S] {
    let rows = numbers.as_chunks::<S>().0;
    &rows[usize::from(index)]
}

/// `x` to the `n`, the same on every machine.
fn power(x: f32, n: i32) -> f32 {
    let (mut result, mut square, mut n) = (1.0, x, n);
    while n > 0 {
        if n & 1 == 1 {
            result *= square;
        }
        square *= square;
        n >>= 1;
    }
    result
}

/// tanh by a short series and repeated squaring of e^x: the same on every machine, unlike the system's own.
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-9.0, 9.0);
    let small = 2.0 * x / 32.0;
    let series = 1.0 + small * (1.0 + small * (0.5 + small * (1.0 / 6.0 + small * (1.0 / 24.0 + small / 120.0))));
    let mut e = series;
    for _ in 0..5 {
        e *= e;
    }
    (e - 1.0) / (e + 1.0)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn built(set: FeatureSet, units: usize, straight: bool) -> Build {
        Build { set, units, straight, average: false, local_rate: 1.0 }
    }

    fn samples(layout: &Layout, count: usize) -> Samples {
        let mut samples = Samples::default();
        for i in 0..count as u64 {
            let start = samples.features.len();
            let mut draws = draws(1, "test", i);
            samples.features.extend((0..20).map(|_| draws.random_range(0..layout.len()) as u16));
            let features = start..samples.features.len();
            samples.list.push(Sample { features, sure: 0.2 * (i % 3) as f32, target: (i % 5) as f32 / 2.5 - 0.8 });
        }
        samples
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        let shape = Shape::new(4, 3).unwrap();
        for (set, units, straight) in
            [(FeatureSet::Lines, 3, false), (FeatureSet::Lines, 4, true), (FeatureSet::Streaks, 10, false)]
        {
            let mut model = Model::new(shape, built(set, units, straight), 5);
            let units = model.units;
            // Far from the corners of the clipped units, where the slope is not what the gradient pretends.
            for i in 0..units {
                model.params[model.parts.bias() + i] = 0.5;
            }
            for x in &mut model.params[..model.parts.bias()] {
                *x *= 0.1;
            }
            model.sum_up();
            let samples = samples(&model.layout, 8);
            let batch: Vec<u32> = (0..8).collect();
            let parts = model.slopes(&samples, &batch, 1);
            let slope_at = |i: usize| parts.iter().map(|part| part.numbers[i]).sum::<f32>();
            let error = |model: &Model| model.slopes(&samples, &batch, 1).iter().map(|part| part.error).sum::<f64>();
            let local = model.parts.local;
            for i in
                [0, units - 1, model.parts.stride, local, local + model.parts.stride, local + 2 * model.parts.stride]
            {
                let param = if i < local { i } else { i - local + model.parts.bias() };
                let before = model.params[param];
                let mut sides = [-1e-2_f32, 1e-2].map(|step| {
                    model.params[param] = before + step;
                    model.sum_up();
                    error(&model)
                });
                model.params[param] = before;
                model.sum_up();
                sides[1] -= sides[0];
                let measured = sides[1] / 2e-2;
                let told = f64::from(slope_at(i));
                assert!((measured - told).abs() < 1e-3 + 0.02 * told.abs(), "{set:?} {i}: {measured} {told}");
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        let shape = Shape::new(4, 3).unwrap();
        let train = |threads| {
            let mut model = Model::new(shape, built(FeatureSet::Lines, 8, false), 1);
            let samples = samples(&model.layout, 50);
            let batch: Vec<u32> = (0..50).collect();
            (0..20).for_each(|_| {
                model.learn(&samples, &batch, 1e-2, threads);
            });
            model.snapshot()
        };
        let one = train(1);
        assert_eq!(one, train(2));
        assert_eq!(one, train(3));
    }
}
