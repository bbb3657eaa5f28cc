//! The sums of hidden units side by side, and what an output makes of them: loops that the compiler turns into vector instructions,
//! those of the function that they become a part of.

/// Units that [`Lanes::change`] has in registers at once.
const CHUNK: usize = 32;

/// One number for every unit: `U` of them, room for units that are not there included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes<const U: usize>([i16; U]);

impl<const U: usize> Lanes<U> {
    /// Nothing yet.
    pub const ZERO: Lanes<U> = Lanes([0; U]);

    /// The numbers of the units in order, 0 for those that are not there.
    pub fn new(numbers: impl IntoIterator<Item = i16>) -> Lanes<U> {
        let mut numbers = numbers.into_iter();
        Lanes(std::array::from_fn(|_| numbers.next().unwrap_or(0)))
    }

    /// Add lane by lane. Weights are checked when a network is made: no total ever wraps, only parts of one may.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes<U>) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*x);
        }
    }

    /// Subtract lane by lane.
    #[inline(always)]
    pub fn sub(&mut self, other: &Lanes<U>) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_sub(*x);
        }
    }

    /// Add some, and take others away, all of them at once: sums stay in registers meanwhile.
    #[inline(always)]
    pub fn change(&mut self, less: &[&Lanes<U>], more: &[&Lanes<U>]) {
        const { assert!(U.is_multiple_of(CHUNK), "all units are in some chunk") };
        for (i, sums) in self.0.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            let part = |row: &&Lanes<U>| row.0.as_chunks::<CHUNK>().0[i];
            let mut changed = *sums;
            for row in less.iter().map(part) {
                changed.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.wrapping_sub(x));
            }
            for row in more.iter().map(part) {
                changed.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.wrapping_add(x));
            }
            *sums = changed;
        }
    }

    /// The sum lane by lane.
    #[inline(always)]
    pub fn plus(mut self, other: &Lanes<U>) -> Lanes<U> {
        self.add(other);
        self
    }

    /// The difference lane by lane.
    #[inline(always)]
    pub fn minus(mut self, other: &Lanes<U>) -> Lanes<U> {
        self.sub(other);
        self
    }

    /// Every unit clipped to [0, `one`].
    #[inline(always)]
    fn clipped(&self, one: i16) -> Lanes<U> {
        let mut clipped = *self;
        clipped.0.iter_mut().for_each(|unit| *unit = (*unit).max(0).min(one));
        clipped
    }

    /// Every unit times its weight, summed. Weights are checked too: the sum does not wrap.
    #[inline(always)]
    fn dot(&self, weights: &Lanes<U>) -> i32 {
        self.0.iter().zip(&weights.0).map(|(&unit, &weight)| i32::from(unit) * i32::from(weight)).sum()
    }

    /// Every unit clipped to [0, `one`], times its weight, summed.
    #[inline(always)]
    pub fn clipped_dot(&self, one: i16, weights: &Lanes<U>) -> i32 {
        self.clipped(one).dot(weights)
    }

    /// The same for several lists of weights at once.
    #[inline(always)]
    pub fn clipped_dots<const K: usize>(&self, one: i16, weights: &[Lanes<U>; K]) -> [i32; K] {
        let clipped = self.clipped(one);
        std::array::from_fn(|output| clipped.dot(&weights[output]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_units_in_order() {
        let a = Lanes::<16>::new([5, -3, 700]);
        let b = Lanes::<16>::new((0..16).map(|i| i * 10));
        let sum = a.plus(&b);
        assert_eq!(sum, Lanes::new([5, 7, 720, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150]));
        assert_eq!(sum.minus(&b), a);
        let weights = Lanes::new([2, 1000, -3]);
        assert_eq!(a.clipped_dot(100, &weights), 5 * 2 - 100 * 3);
        assert_eq!(a.clipped_dots(100, &[weights, b]), [5 * 2 - 100 * 3, 100 * 20]);
        assert_eq!(Lanes::<8>::new(1..100), Lanes::new(1..=8), "no more than there is room for");
    }

    #[test]
    fn changes_are_sums_and_differences() {
        let [start, a, b, c] = [1, 7, -30, 400].map(|factor| Lanes::<64>::new((0..64).map(|i| i * factor)));
        let mut changed = start;
        changed.change(&[&a, &b], &[&c]);
        assert_eq!(changed, start.minus(&a).minus(&b).plus(&c));
        changed.change(&[&c], &[&b, &a]);
        assert_eq!(changed, start);
    }

    #[test]
    fn large_products_are_summed_in_32_bits() {
        let full = Lanes::<16>::new([i16::MAX; 16]);
        assert_eq!(full.clipped_dot(i16::MAX, &Lanes::new([4000; 16])), 16 * 4000 * i32::from(i16::MAX));
        assert_eq!(full.clipped_dot(i16::MAX, &Lanes::new([-4000; 16])), -16 * 4000 * i32::from(i16::MAX));
    }
}
