//! Making a book: a model is fitted to each layer, and what it does not predict is written down.

use alea::game::dice::Shape;
use alea::sweep::dice::Setup;
use alea::sweep::dice::book::{
    BitWriter, FRACTION, Families, LAYERS, Layout, Model, Sums, digits, has_book, order, prediction, seal,
};

/// Steps of the fit: by then it hardly changes any more.
const ITERATIONS: usize = 24;

/// The book of a shape by the value of every position, in blue's view and 2⁻²⁸ of a won game; `None` if it has none.
pub fn encode<E>(shape: Shape, mut number: impl FnMut(&Setup) -> Result<i32, E>) -> Result<Option<Vec<u8>>, E> {
    if !has_book(shape) {
        return Ok(None);
    }
    let mut writer = BitWriter::default();
    for layer in LAYERS {
        let layout = Layout::new(shape, layer);
        let shift = 28 - digits(layer);
        let mut steps = Vec::with_capacity(layout.len());
        for row in 0..layout.rows() {
            for place in 0..layout.places().len() {
                let number = if layout.is_won(row) { 0 } else { number(&layout.setup(row, place))? };
                steps.push((number + (1 << (shift - 1))) >> shift);
            }
        }
        write_layer(&layout, &steps, &mut writer);
    }
    Ok(Some(seal(shape, &writer.finish())))
}

fn write_layer(layout: &Layout, steps: &[i32], writer: &mut BitWriter) {
    let families = Families::new(layout, order(layout.layer()));
    let weights = Fit { layout, families: &families }.weights(steps);
    weights.iter().for_each(|&weight| writer.residual(weight));
    let mut rest = weights.into_iter();
    let model = Model::new(layout, &families, || rest.next()).expect("there is a weight for every family");
    let mut sums = Sums::default();
    for (row, steps) in steps.chunks_exact(layout.places().len()).enumerate() {
        if !layout.is_won(row) {
            for (&step, &sum) in steps.iter().zip(model.sums(layout, row, &mut sums)) {
                writer.residual(step - prediction(sum));
            }
        }
    }
}

/// Least squares by conjugate gradients (Hestenes & Stiefel 1952), each family's weight scaled by how often it occurs.
struct Fit<'a> {
    layout: &'a Layout,
    families: &'a Families,
}

impl Fit<'_> {
    fn model(&self, weights: &[f64]) -> Model<f32> {
        let mut rest = weights.iter().map(|&weight| weight as f32);
        Model::new(self.layout, self.families, || rest.next()).expect("there is a weight for every family")
    }

    /// What weights predict of every place; nothing of rows that are won.
    fn predict(&self, weights: &[f64]) -> Vec<f32> {
        let (model, mut sums) = (self.model(weights), Sums::default());
        let mut all = Vec::with_capacity(self.layout.len());
        for row in 0..self.layout.rows() {
            all.extend(model.sums(self.layout, row, &mut sums));
            if self.layout.is_won(row) {
                let len = all.len();
                all[len - self.layout.places().len()..].fill(0.0);
            }
        }
        all
    }

    /// The sum of an amount over all places where a family occurs.
    fn gather(&self, amounts: &[f32]) -> Vec<f64> {
        let model = self.model(&vec![0.0; self.families.counts.iter().sum()]);
        let mut totals: Vec<Vec<f64>> = self.families.of.iter().map(|of| vec![0.0; of.len()]).collect();
        for (row, amounts) in amounts.chunks_exact(self.layout.places().len()).enumerate() {
            if !self.layout.is_won(row) {
                model.spread(self.layout, row, amounts, &mut totals);
            }
        }
        let mut gathered = Vec::new();
        for ((of, &count), totals) in self.families.of.iter().zip(&self.families.counts).zip(&totals) {
            let first = gathered.len();
            gathered.resize(first + count, 0.0);
            for (&family, total) in of.iter().zip(totals) {
                gathered[first + family as usize] += total;
            }
        }
        gathered
    }

    /// Whole weights, in parts of a step.
    fn weights(&self, steps: &[i32]) -> Vec<i32> {
        let mut residual: Vec<f32> = steps.iter().map(|&step| step as f32).collect();
        let occurrences = self.gather(&vec![1.0; steps.len()]);
        let scaled = |gradient: &[f64]| -> Vec<f64> {
            gradient.iter().zip(&occurrences).map(|(gradient, count)| gradient / count.max(1.0)).collect()
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut weights = vec![0.0; occurrences.len()];
        let mut gradient = self.gather(&residual);
        let mut direction = scaled(&gradient);
        let mut size = dot(&gradient, &direction);
        for _ in 0..ITERATIONS {
            let change = self.predict(&direction);
            let curvature: f64 = change.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            if curvature <= 0.0 {
                break;
            }
            let length = size / curvature;
            weights.iter_mut().zip(&direction).for_each(|(weight, step)| *weight += length * step);
            residual.iter_mut().zip(&change).for_each(|(left, step)| *left -= length as f32 * step);
            gradient = self.gather(&residual);
            let downhill = scaled(&gradient);
            let next = dot(&gradient, &downhill);
            direction = downhill.iter().zip(&direction).map(|(new, old)| new + next / size * old).collect();
            size = next;
        }
        weights.iter().map(|weight| (weight * f64::from(FRACTION)).round() as i32).collect()
    }
}
