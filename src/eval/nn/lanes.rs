//! The sums of hidden units side by side in vector registers, and what an output makes of them.

use wide::{i16x8, i32x4};

/// Units in one register.
pub const REGISTER: usize = 8;

/// One number for every unit: `N` registers of eight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes<const N: usize>([i16x8; N]);

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

    /// Every unit clipped to [0, `one`], times its weight, summed. Weights are checked too: the sum does not wrap.
    #[inline(always)]
    pub fn clipped_dot(&self, one: i16, weights: &Lanes<N>) -> i32 {
        let one = i16x8::splat(one);
        let mut sum = i32x4::ZERO;
        for (units, weights) in self.0.iter().zip(&weights.0) {
            sum += units.max(i16x8::ZERO).min(one).dot(*weights);
        }
        sum.reduce_add()
    }

    /// The same for several lists of weights at once.
    #[inline(always)]
    pub fn clipped_dots<const K: usize>(&self, one: i16, weights: &[Lanes<N>; K]) -> [i32; K] {
        let one = i16x8::splat(one);
        let mut sums = [i32x4::ZERO; K];
        for (i, units) in self.0.iter().enumerate() {
            let units = units.max(i16x8::ZERO).min(one);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += units.dot(weights.0[i]);
            }
        }
        sums.map(|sum| sum.reduce_add())
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
        assert_eq!(a.clipped_dot(100, &weights), 5 * 2 - 100 * 3);
        assert_eq!(a.clipped_dots(100, &[weights, b]), [5 * 2 - 100 * 3, 100 * 20]);
        assert_eq!(Lanes::<1>::new(1..100), Lanes::new(1..=8), "no more than there is room for");
    }

    #[test]
    fn large_products_are_summed_in_32_bits() {
        let full = Lanes::<2>::new([i16::MAX; 16]);
        assert_eq!(full.clipped_dot(i16::MAX, &Lanes::new([4000; 16])), 16 * 4000 * i32::from(i16::MAX));
        assert_eq!(full.clipped_dot(i16::MAX, &Lanes::new([-4000; 16])), -16 * 4000 * i32::from(i16::MAX));
    }
}
