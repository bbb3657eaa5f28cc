//! The network in floating point, as it is trained: forward, backward, Adam, and the way into integers.
//!
//! Every sum is taken in a fixed order, so that a seed gives the same network whatever the number of threads.

use super::draws::{Draws, Purpose};
use crate::shares;
use alea::eval::nn::{Curve, Layout, Weights};
use std::mem;
use std::ops::Range;

/// Samples are summed in this many parts, whatever the number of threads.
const PARTS: usize = 4;
/// The slope that the gradient sees where a unit is empty or full, so that none stays there for ever.
const LEAK: f32 = 0.02;

/// Smaller batches are learnt from sooner than threads are started.
const WORTH_THREADS: usize = 256;

/// Units need not be finer than that.
const FINEST: i16 = 2048;

/// One position to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Where its features lie in the list they are kept in.
    pub features: Range<usize>,
    /// Where its targets begin, one an output.
    pub targets: usize,
    /// The chance that the mover wins at once, where the evaluation knows it.
    pub sure: f32,
}

/// Positions to learn from, with their features and targets in one list each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// The features of one sample after another.
    pub features: Vec<u16>,
    /// The targets of one sample after another.
    pub targets: Vec<f32>,
    /// The samples.
    pub list: Vec<Sample>,
}

impl Samples {
    /// Append the samples of another list.
    pub fn append(&mut self, other: &Samples) {
        let (features, targets) = (self.features.len(), self.targets.len());
        self.features.extend(&other.features);
        self.targets.extend(&other.targets);
        self.list.extend(other.list.iter().map(|sample| Sample {
            features: sample.features.start + features..sample.features.end + features,
            targets: sample.targets + targets,
            ..*sample
        }));
    }
}

/// Where the parts of the parameters lie in the one list that the optimiser sees.
#[derive(Clone, Copy, Debug)]
struct Parts {
    features: usize,
    outputs: usize,
    /// Units, with room to fill whole registers.
    stride: usize,
}

impl Parts {
    fn bias(self) -> usize {
        self.features * self.stride
    }
    fn out(self) -> usize {
        self.bias() + self.stride
    }
    fn out_bias(self) -> usize {
        self.out() + self.outputs * self.stride
    }
    fn len(self) -> usize {
        self.out_bias() + self.outputs
    }
}

/// The slopes of all parameters, and the squared error summed.
#[derive(Default)]
struct Slopes {
    numbers: Vec<f32>,
    error: f64,
}

/// A network being trained.
pub struct Model {
    layout: Layout,
    units: usize,
    parts: Parts,
    params: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
    /// The mean of the parameters over the later part of a run.
    average: Vec<f32>,
    /// Room for the slopes of every part of a batch.
    room: Vec<Slopes>,
}

impl Model {
    /// A network with small random weights.
    pub fn new(layout: Layout, units: usize, seed: u64) -> Model {
        let stride = units.next_multiple_of(8).next_power_of_two();
        let parts = Parts { features: layout.features(), outputs: layout.outputs, stride };
        let mut params = vec![0.0; parts.len()];
        let mut draws = Draws::new(seed, Purpose::Weights, 0);
        let active: usize = layout.groups.iter().map(|group| group.most).sum();
        let spread = 0.5 / (active.max(1) as f32).sqrt();
        for row in params[..parts.bias()].chunks_mut(stride) {
            row[..units].fill_with(|| draws.signed() * spread);
        }
        params[parts.bias()..][..units].fill_with(|| 0.5 + 0.3 * draws.signed());
        for row in params[parts.out()..parts.out_bias()].chunks_mut(stride) {
            row[..units].fill_with(|| draws.signed() / layout.images.len() as f32);
        }
        let [mean, square] = [(); 2].map(|()| vec![0.0; params.len()]);
        let average = params.clone();
        Model { layout, units, parts, params, mean, square, steps: 0, average, room: Vec::new() }
    }

    /// Everything that changes in training, to be put back by [`Model::restore`], and the steps taken.
    pub fn snapshot(&self) -> (u64, Vec<f32>) {
        (self.steps, [&self.params[..], &self.mean, &self.square, &self.average].concat())
    }

    /// Put a snapshot of a like model back; `false` if it is of another size.
    pub fn restore(&mut self, steps: u64, numbers: &[f32]) -> bool {
        let len = self.params.len();
        if numbers.len() != 4 * len {
            return false;
        }
        let lists = [&mut self.params, &mut self.mean, &mut self.square, &mut self.average];
        lists.into_iter().zip(numbers.chunks(len)).for_each(|(list, numbers)| list.copy_from_slice(numbers));
        self.steps = steps;
        true
    }

    /// Take the parameters as they are into their mean, as the last of `count`.
    pub fn take_in(&mut self, count: u64) {
        for (mean, x) in self.average.iter_mut().zip(&self.params) {
            *mean += (x - *mean) / count.max(1) as f32;
        }
    }

    /// One step down the gradient of the mean squared error over `batch`; gives back that error.
    pub fn learn(&mut self, samples: &Samples, batch: &[u32], rate: f32, threads: usize) -> f64 {
        let threads = if batch.len() < WORTH_THREADS { 1 } else { threads };
        let mut slopes = mem::take(&mut self.room);
        slopes.resize_with(PARTS, Slopes::default);
        self.slopes(samples, batch, &mut slopes, threads);
        self.step(&slopes, batch.len() as f32, rate, threads);
        let error = slopes.iter().map(|part| part.error).sum::<f64>();
        self.room = slopes;
        error / batch.len().max(1) as f64
    }

    /// The slopes of every part of a batch.
    fn slopes(&self, samples: &Samples, batch: &[u32], parts: &mut [Slopes], threads: usize) {
        let size = batch.len().div_ceil(PARTS).max(1);
        let batches = (0..PARTS).map(|i| batch.chunks(size).nth(i).unwrap_or(&[]));
        let mut work: Vec<(&[u32], &mut Slopes)> = batches.zip(parts).collect();
        shares::each_mut(&mut work, threads, |(batch, slopes)| match self.parts.stride {
            8 => self.backward::<8>(samples, batch, slopes),
            16 => self.backward::<16>(samples, batch, slopes),
            32 => self.backward::<32>(samples, batch, slopes),
            64 => self.backward::<64>(samples, batch, slopes),
            128 => self.backward::<128>(samples, batch, slopes),
            _ => self.backward::<256>(samples, batch, slopes),
        });
    }

    /// The row of `S` numbers that begins at `at`.
    fn row<const S: usize>(numbers: &[f32], at: usize) -> &[f32; S] {
        numbers[at..].first_chunk().expect("rows are whole")
    }

    /// The sums of all units of a sample in one image.
    #[inline(always)]
    fn sums<const S: usize>(params: &[f32], bias: usize, features: &[u16], image: &[u16]) -> [f32; S] {
        let mut sums = *Self::row::<S>(params, bias);
        for &feature in features {
            let row = Self::row::<S>(params, usize::from(image[usize::from(feature)]) * S);
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        sums
    }

    /// What the units make of their sums.
    #[inline(always)]
    fn levels<const S: usize>(&self, sums: &[f32; S]) -> [f32; S] {
        let clipped = sums.map(|sum| sum.clamp(0.0, 1.0));
        match self.layout.curve {
            Curve::Clipped => clipped,
            Curve::Squared => clipped.map(|x| x * x),
        }
    }

    /// The slopes of that.
    #[inline(always)]
    fn unit_slopes<const S: usize>(&self, sums: &[f32; S]) -> [f32; S] {
        let inside = |sum: f32, slope: f32| if (0.0..=1.0).contains(&sum) { slope } else { LEAK };
        match self.layout.curve {
            Curve::Clipped => sums.map(|sum| inside(sum, 1.0)),
            Curve::Squared => sums.map(|sum| inside(sum, 2.0 * sum)),
        }
    }

    /// The outputs before their curve, for units that look at the images in turn.
    fn raw_outputs<const S: usize>(&self, params: &[f32], levels: &[[f32; S]]) -> Vec<f32> {
        let output = |output: usize| {
            let row = Self::row::<S>(params, self.parts.out() + output * S);
            let add = |total: f32, (level, out): (&f32, &f32)| total + level * out;
            let bias = params[self.parts.out_bias() + output];
            levels.iter().fold(bias, |total, levels| levels.iter().zip(row).fold(total, add))
        };
        (0..self.parts.outputs).map(output).collect()
    }

    fn backward<const S: usize>(&self, samples: &Samples, batch: &[u32], slopes: &mut Slopes) {
        let Parts { outputs, .. } = self.parts;
        let (bias, out, out_bias) = (self.parts.bias(), self.parts.out(), self.parts.out_bias());
        let Slopes { numbers, error } = slopes;
        numbers.clear();
        numbers.resize(self.parts.len(), 0.0);
        *error = 0.0;
        for &index in batch {
            let sample = &samples.list[index as usize];
            let features = &samples.features[sample.features.clone()];
            let sums: Vec<[f32; S]> =
                self.layout.images.iter().map(|image| Self::sums(&self.params, bias, features, image)).collect();
            let levels: Vec<[f32; S]> = sums.iter().map(|sums| self.levels(sums)).collect();
            let raw = self.raw_outputs(&self.params, &levels);
            let mut deltas = vec![[0.0; S]; sums.len()];
            for (output, raw) in raw.into_iter().enumerate() {
                let (value, factor) = curve(raw, sample.sure, outputs);
                let miss = value - samples.targets[sample.targets + output];
                *error += f64::from(miss) * f64::from(miss);
                let slope = 2.0 * miss * factor;
                numbers[out_bias + output] += slope;
                let weights = Self::row::<S>(&self.params, out + output * S);
                let slopes = &mut numbers[out + output * S..][..S];
                for (levels, deltas) in levels.iter().zip(&mut deltas) {
                    for i in 0..S {
                        slopes[i] += slope * levels[i];
                        deltas[i] += slope * weights[i];
                    }
                }
            }
            for ((image, sums), deltas) in self.layout.images.iter().zip(&sums).zip(&mut deltas) {
                deltas.iter_mut().zip(self.unit_slopes(sums)).for_each(|(delta, slope)| *delta *= slope);
                let rows = features.iter().map(|&feature| usize::from(image[usize::from(feature)]) * S);
                for row in rows.chain([bias]) {
                    numbers[row..][..S].iter_mut().zip(&*deltas).for_each(|(slope, x)| *slope += x);
                }
            }
        }
    }

    /// Adam (Kingma & Ba 2015), on the sum of the slopes. Threads have parameters of their own: each number comes to be as
    /// it would with one of them.
    fn step(&mut self, slopes: &[Slopes], samples: f32, rate: f32, threads: usize) {
        const KEEP: f32 = 0.9;
        const KEEP_SQUARE: f32 = 0.999;
        self.steps += 1;
        let power = |base: f32| 1.0 - (0..self.steps.min(20_000)).fold(1.0, |power, _| power * base);
        let (mean_scale, square_scale) = (1.0 / power(KEEP), 1.0 / power(KEEP_SQUARE));
        let share = self.params.len().div_ceil(threads.max(1)).max(1);
        let numbers = self.params.chunks_mut(share).zip(self.mean.chunks_mut(share)).zip(self.square.chunks_mut(share));
        let mut work: Vec<_> = (0..).step_by(share).zip(numbers).collect();
        shares::each_mut(&mut work, threads, |(first, ((params, mean), square))| {
            let mut sums = vec![0.0; params.len()];
            for part in slopes {
                sums.iter_mut().zip(&part.numbers[*first..]).for_each(|(sum, x)| *sum += x);
            }
            for (((param, mean), square), sum) in params.iter_mut().zip(&mut **mean).zip(&mut **square).zip(&sums) {
                let slope = sum / samples;
                *mean += (1.0 - KEEP) * (slope - *mean);
                *square += (1.0 - KEEP_SQUARE) * (slope * slope - *square);
                *param -= rate * *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-8);
            }
        });
    }

    /// The root mean square difference, over samples and outputs, between the averaged parameters in floating point and the
    /// same in integers.
    pub fn rounding(&self, samples: &Samples, weights: &Weights) -> f64 {
        let back = self.restored(weights);
        let (mut sum, mut count) = (0.0, 0);
        for sample in &samples.list {
            let features = &samples.features[sample.features.clone()];
            let outputs = [&self.average, &back].map(|params| self.outputs(params, features));
            for (exact, rounded) in outputs[0].iter().zip(&outputs[1]) {
                let [exact, rounded] = [exact, rounded].map(|&raw| curve(raw, sample.sure, self.parts.outputs).0);
                sum += f64::from(exact - rounded).powi(2);
                count += 1;
            }
        }
        (sum / f64::from(count.max(1))).sqrt()
    }

    /// The sum of the squared errors in some positions, over all outputs, with parameters rounded as these weights are.
    pub fn square_error(&self, samples: &Samples, weights: &Weights) -> f64 {
        let params = self.restored(weights);
        let of = |sample: &Sample| {
            let targets = &samples.targets[sample.targets..][..self.parts.outputs];
            let raw = self.outputs(&params, &samples.features[sample.features.clone()]);
            let misses =
                raw.iter().zip(targets).map(|(&raw, target)| curve(raw, sample.sure, self.parts.outputs).0 - target);
            misses.map(|miss| f64::from(miss) * f64::from(miss)).sum::<f64>()
        };
        samples.list.iter().map(of).sum()
    }

    /// The outputs of a sample before their curve, by some parameters.
    fn outputs(&self, params: &[f32], features: &[u16]) -> Vec<f32> {
        match self.parts.stride {
            8 => self.outputs_in::<8>(params, features),
            16 => self.outputs_in::<16>(params, features),
            32 => self.outputs_in::<32>(params, features),
            64 => self.outputs_in::<64>(params, features),
            128 => self.outputs_in::<128>(params, features),
            _ => self.outputs_in::<256>(params, features),
        }
    }

    fn outputs_in<const S: usize>(&self, params: &[f32], features: &[u16]) -> Vec<f32> {
        let images = self.layout.images.iter();
        let sums = images.map(|image| Self::sums::<S>(params, self.parts.bias(), features, image));
        let levels: Vec<[f32; S]> = sums.map(|sums| self.levels(&sums)).collect();
        self.raw_outputs(params, &levels)
    }

    /// The parameters that weights in integers stand for.
    fn restored(&self, weights: &Weights) -> Vec<f32> {
        let (one, scale) = (f32::from(weights.one), (1_u32 << weights.shift) as f32);
        let full = self.full(one.into()) as f32;
        let mut params = vec![0.0; self.parts.len()];
        let rows = weights.first.chunks(self.units).chain([&weights.bias[..]]);
        let outs = weights.out.iter().map(|out| &out[..]);
        let rows = rows.map(|row| (row, 1.0 / one)).chain(outs.map(|row| (row, full / scale)));
        for (params, (row, step)) in params.chunks_mut(self.parts.stride).zip(rows) {
            params.iter_mut().zip(row).for_each(|(param, &x)| *param = f32::from(x) * step);
        }
        let biases = params[self.parts.out_bias()..].iter_mut().zip(&weights.out_bias);
        biases.for_each(|(param, &x)| *param = x as f32 / scale);
        params
    }

    /// What a full unit counts in integers, where it is full at `one`.
    fn full(&self, one: f64) -> f64 {
        match self.layout.curve {
            Curve::Clipped => one,
            Curve::Squared => one * one / f64::from(1_u32 << Curve::SQUARE_BITS),
        }
    }

    /// The averaged parameters in integers, as finely as they fit.
    pub fn quantised(&self) -> Weights {
        let Parts { features, outputs, stride } = self.parts;
        let at = |i: usize| f64::from(self.average[i]);
        // Rounding adds at most half a step a number.
        let active: usize = self.layout.groups.iter().map(|group| group.most).sum();
        let room = 32_767.0 - 0.5 * (active + 1) as f64;
        let worst = |unit: usize| {
            let numbers = (0..features).map(|feature| at(feature * stride + unit));
            let (least, greatest) = self.layout.extremes(at(self.parts.bias() + unit), numbers);
            (-least).max(greatest)
        };
        let one = (room / (0..self.units).map(worst).fold(1.0, f64::max)).floor();
        let one = one.clamp(1.0, f64::from(self.layout.curve.most().min(FINEST)));
        let full = self.full(one);
        let out = |output: usize, unit: usize| at(self.parts.out() + output * stride + unit);
        let sizes = |output: usize| (0..self.units).map(move |unit| out(output, unit).abs());
        let fits = |shift: &u8| {
            let scale = f64::from(1_u32 << shift);
            (0..outputs).all(|output| {
                let most = sizes(output).fold(0.0, f64::max);
                let bias = at(self.parts.out_bias() + output).abs();
                let sum = sizes(output).sum::<f64>() * self.layout.images.len() as f64 + bias;
                most * scale / full < 32_000.0 && sum * scale < 1e9
            })
        };
        let shift = (8..=22).rev().find(fits).unwrap_or(8);
        let scale = f64::from(1_u32 << shift);
        let units = 0..self.units;
        let first = (0..features).flat_map(|feature| units.clone().map(move |unit| feature * stride + unit));
        Weights {
            one: one as i16,
            shift,
            first: first.map(|i| whole(at(i) * one)).collect(),
            bias: units.clone().map(|unit| whole(at(self.parts.bias() + unit) * one)).collect(),
            out: (0..outputs)
                .map(|output| units.clone().map(|unit| whole(out(output, unit) * scale / full)).collect())
                .collect(),
            out_bias: (0..outputs).map(|output| (at(self.parts.out_bias() + output) * scale).round() as i32).collect(),
        }
    }
}

/// The nearest whole number.
fn whole(x: f64) -> i16 {
    x.round() as i16
}

/// The value of an output, and what a miss is multiplied by to be a slope: a hyperbolic tangent that is blended with what
/// is sure and learns by squared error, or, of several outputs, a logistic curve that learns by cross-entropy. Its slope is
/// the miss itself; that of a squared error vanishes near 0 and 1, and a rare event that was once taken for impossible would
/// stay so: the first games hardly ever end in a gammon.
fn curve(raw: f32, sure: f32, outputs: usize) -> (f32, f32) {
    if outputs == 1 {
        let (tanh, rest) = (tanh(raw), 1.0 - sure);
        (sure + rest * tanh, rest * (1.0 - tanh * tanh))
    } else {
        let logistic = 0.5 + 0.5 * tanh(0.5 * raw);
        (logistic, 1.0)
    }
}

/// The hyperbolic tangent, with operations only whose results are the same on every machine.
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
mod tests {
    use super::*;
    use alea::eval::nn::{Group, Network};

    /// Networks of one output have clipped units, those of several squared ones.
    fn layout(outputs: usize) -> Layout {
        let mut layout =
            Layout::new("test", vec![Group { features: 10, most: 2 }, Group { features: 20, most: 4 }], outputs);
        layout.images.push((0..30).map(|feature| if feature < 10 { 9 - feature } else { feature }).collect());
        layout.curve = if outputs == 1 { Curve::Clipped } else { Curve::Squared };
        layout
    }

    /// Targets that a network of this kind can learn: they depend on few features.
    fn samples(outputs: usize, count: u64) -> Samples {
        let mut samples = Samples::default();
        for i in 0..count {
            let mut draws = Draws::new(9, Purpose::Games, i);
            let mut features: Vec<u16> =
                (0..6).map(|j| (if j < 2 { draws.below(10) } else { 10 + draws.below(20) }) as u16).collect();
            features.sort();
            features.dedup();
            let start = samples.features.len();
            samples.features.extend(&features);
            let has = |feature: u16| f32::from(u8::from(features.contains(&feature)));
            samples.list.push(Sample {
                features: start..samples.features.len(),
                targets: samples.targets.len(),
                sure: 0.0,
            });
            samples.targets.extend((0..outputs).map(|output| 0.2 + 0.6 * has(12 + output as u16) * (1.0 - has(20))));
        }
        samples
    }

    /// What the model learns by: squared error of one output, cross-entropy (twice, as a squared error counts) of several.
    fn loss(model: &Model, samples: &Samples) -> f64 {
        let outputs = model.parts.outputs;
        let mut sum = 0.0;
        for sample in &samples.list {
            let raw = model.outputs(&model.params, &samples.features[sample.features.clone()]);
            for (output, &raw) in raw.iter().enumerate() {
                let target = f64::from(samples.targets[sample.targets + output]);
                let value = f64::from(curve(raw, sample.sure, outputs).0);
                sum += match outputs {
                    1 => (value - target).powi(2),
                    _ => -2.0 * (target * value.ln() + (1.0 - target) * (1.0 - value).ln()),
                };
            }
        }
        sum
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        for outputs in [1, 3] {
            let samples = samples(outputs, 40);
            let batch: Vec<u32> = (0..40).collect();
            let mut model = Model::new(layout(outputs), 5, 3);
            let mut slopes: Vec<Slopes> = (0..PARTS).map(|_| Slopes::default()).collect();
            model.slopes(&samples, &batch, &mut slopes, 1);
            let slope = |i: usize| slopes.iter().map(|part| f64::from(part.numbers[i])).sum::<f64>();
            // Where units are clipped the slope is not that of the loss: the others are compared.
            let (mut compared, step) = (0, 1e-2);
            for i in (0..model.params.len()).step_by(7).chain(model.parts.out()..model.params.len()) {
                let before = model.params[i];
                let sides = [step, -step].map(|step| {
                    model.params[i] = before + step;
                    loss(&model, &samples)
                });
                model.params[i] = before;
                let found = (sides[0] - sides[1]) / f64::from(2.0 * step);
                compared += usize::from((found - slope(i)).abs() < 0.02 + 0.05 * found.abs());
            }
            assert!(compared * 10 > (model.params.len() / 7) * 8, "{outputs}: {compared}");
        }
    }

    /// A rare event that was taken for impossible is believed in again: the slope there is the whole miss.
    #[test]
    fn a_chance_near_none_is_learnt_from() {
        let (value, factor) = curve(-14.0, 0.0, 5);
        assert!(value < 1e-5 && factor == 1.0, "{value} {factor}");
    }

    #[test]
    fn networks_learn_and_survive_rounding() {
        for outputs in [1, 3] {
            let samples = samples(outputs, 2000);
            let order: Vec<u32> = (0..2000).collect();
            let mut model = Model::new(layout(outputs), 5, 3);
            let mut errors = Vec::new();
            for _ in 0..40 {
                errors.push(order.chunks(100).map(|part| model.learn(&samples, part, 1e-2, 1)).sum::<f64>());
            }
            assert!(errors[39] < errors[0] / 20.0, "{errors:?}");
            model.take_in(1);
            let weights = model.quantised();
            assert!(model.rounding(&samples, &weights) < 2e-3);
            let error = model.square_error(&samples, &weights) / 2000.0;
            assert!((error / errors[39] * 20.0 - 1.0).abs() < 0.2, "{error} {errors:?}");
            assert!(Network::<2>::new(layout(outputs), weights).is_ok());
        }
    }

    #[test]
    fn threads_and_snapshots_change_nothing() {
        let samples = samples(1, 1000);
        let order: Vec<u32> = (0..1000).collect();
        let [mut one, mut two, mut three] = [(); 3].map(|()| Model::new(layout(1), 12, 3));
        for step in 0..6 {
            one.learn(&samples, &order, 1e-2, 1);
            two.learn(&samples, &order, 1e-2, 3);
            if step == 2 {
                let (steps, numbers) = one.snapshot();
                assert!(three.restore(steps, &numbers) && !three.restore(steps, &numbers[1..]));
            } else if step > 2 {
                three.learn(&samples, &order, 1e-2, 2);
            }
        }
        assert_eq!(one.snapshot(), two.snapshot());
        assert_eq!(one.snapshot(), three.snapshot());
    }
}
