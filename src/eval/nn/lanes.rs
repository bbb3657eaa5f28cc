//! The sums of hidden units side by side in vector registers, and what an output makes of them.

use super::layout::Curve;
use wide::{i16x8, i32x4};

/// Units in one register.
pub const REGISTER: usize = 8;

/// One number for every unit: `N` registers of eight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes<const N: usize>([i16x8; N]);

impl<const N: usize> Default for Lanes<N> {
    fn default() -> Lanes<N> {
        Lanes::ZERO
    }
}

impl<const N: usize> Lanes<N> {
    /// How many units there is room for.
    pub const UNITS: usize = N * REGISTER;

    /// Nothing yet.
    pub const ZERO: Lanes<N> = Lanes([i16x8::ZERO; N]);

    /// The numbers of the units in order, 0 for those that are not there.
    pub fn new(numbers: impl IntoIterator<Item = i16>) -> Lanes<N> {
        let mut numbers = numbers.into_iter();
        Lanes(std::array::from_fn(|_| i16x8::new(std::array::from_fn(|_| numbers.next().unwrap_or(0)))))
    }

    /// Add lane by lane. Weights are checked when a network is made: no total ever wraps, only parts of one may.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes<N>) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum += *x;
        }
    }

    /// Subtract lane by lane.
    #[inline(always)]
    pub fn sub(&mut self, other: &Lanes<N>) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum -= *x;
        }
    }

    /// The sum lane by lane.
    #[inline(always)]
    pub fn plus(mut self, other: &Lanes<N>) -> Lanes<N> {
        self.add(other);
        self
    }

    /// The difference lane by lane.
    #[inline(always)]
    pub fn minus(mut self, other: &Lanes<N>) -> Lanes<N> {
        self.sub(other);
        self
    }

    /// What every unit that is full at `one` makes of its sum, times its weight, summed; for several lists of weights.
    /// Weights are checked too: no sum wraps.
    #[inline(always)]
    pub fn dots<const K: usize>(&self, curve: Curve, one: i16, weights: &[Lanes<N>; K]) -> [i32; K] {
        let one = i16x8::splat(one);
        let clipped = |sums: i16x8| sums.max(i16x8::ZERO).min(one);
        match curve {
            Curve::Clipped => self.dots_of(clipped, weights),
            Curve::Squared => {
                // The upper half of a product drops 16 digits, so many too many.
                const FINER: u32 = (16 - Curve::SQUARE_BITS) / 2;
                let squared = |sums: i16x8| {
                    let fine = clipped(sums) << FINER;
                    fine.mul_keep_high(fine)
                };
                self.dots_of(squared, weights)
            }
        }
    }

    #[inline(always)]
    fn dots_of<const K: usize>(&self, level: impl Fn(i16x8) -> i16x8, weights: &[Lanes<N>; K]) -> [i32; K] {
        let mut totals = [i32x4::ZERO; K];
        for (i, &sums) in self.0.iter().enumerate() {
            let units = level(sums);
            for (total, weights) in totals.iter_mut().zip(weights) {
                *total += units.dot(weights.0[i]);
            }
        }
        totals.map(|total| total.reduce_add())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_units_in_order() {
        let a = Lanes::<2>::new([5, -3, 700]);
        let b = Lanes::<2>::new((0..16).map(|i| i * 10));
        let sum = a.plus(&b);
        assert_eq!(sum, Lanes::new([5, 7, 720, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150]));
        assert_eq!(sum.minus(&b), a);
        let weights = Lanes::new([2, 1000, -3]);
        assert_eq!(a.dots(Curve::Clipped, 100, &[weights, b]), [5 * 2 - 100 * 3, 100 * 20]);
        assert_eq!(Lanes::<1>::new(1..100), Lanes::new(1..=8), "no more than there is room for");
    }

    #[test]
    fn large_products_are_summed_in_32_bits() {
        let full = Lanes::<2>::new([i16::MAX; 16]);
        for weight in [4000, -4000] {
            let total = full.dots(Curve::Clipped, i16::MAX, &[Lanes::new([weight; 16])]);
            assert_eq!(total, [16 * i32::from(weight) * i32::from(i16::MAX)]);
        }
    }

    #[test]
    fn units_make_of_sums_what_their_curve_says() {
        for curve in [Curve::Clipped, Curve::Squared] {
            for one in [1, 63, 500, 1023] {
                for sum in (-40..1100).chain([i16::MIN, i16::MAX]) {
                    let level = curve.level(sum.into(), one.into());
                    assert_eq!(Lanes::<1>::new([0, sum]).dots(curve, one, &[Lanes::new([9, 3])]), [3 * level]);
                }
            }
        }
        let squares = [-5, 0, 7, 8, 1000, 2000].map(|sum| Curve::Squared.level(sum, 1023));
        assert_eq!(squares, [0, 0, 0, 1, 15_625, 16_352]);
    }
}
