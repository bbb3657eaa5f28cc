//! Sets of cells as bitboards, in four widths.
//!
//! Rows are laid one after another with at least one unused column between them, so that a shift along any of the four
//! directions never carries a checker round the edge. The row stride is a constant of each width, which makes every
//! shift a constant too.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of cells.
pub trait Bits:
    'static
    + Send
    + Sync
    + Copy
    + Eq
    + Debug
    + Default
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Bits from one row to the next.
    const STRIDE: usize;
    /// The largest board that fits.
    const MAX_SIZE: usize;

    /// The set holding only bit `i`.
    fn bit(i: usize) -> Self;
    /// Towards higher bits.
    fn up(self, by: usize) -> Self;
    /// Towards lower bits.
    fn down(self, by: usize) -> Self;
    /// How many cells.
    fn count(self) -> u32;
    /// The lowest bit; the set must not be empty.
    fn lowest(self) -> usize;
    /// The set without its lowest bit.
    fn without_lowest(self) -> Self;

    /// Whether there is no cell.
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether bit `i` is in the set.
    fn has(self, i: usize) -> bool {
        !(self & Self::bit(i)).is_empty()
    }

    /// Whether the two sets share a cell.
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The bits, lowest first.
    fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || {
            (!rest.is_empty()).then(|| {
                let i = rest.lowest();
                rest = rest.without_lowest();
                i
            })
        })
    }
}

macro_rules! bits_of_integer {
    ($int:ty, $stride:expr, $max:expr) => {
        impl Bits for $int {
            const STRIDE: usize = $stride;
            const MAX_SIZE: usize = $max;

            fn bit(i: usize) -> Self {
                1 << i
            }
            fn up(self, by: usize) -> Self {
                self << by
            }
            fn down(self, by: usize) -> Self {
                self >> by
            }
            fn count(self) -> u32 {
                self.count_ones()
            }
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

bits_of_integer!(u32, 6, 5);
bits_of_integer!(u64, 8, 7);
bits_of_integer!(u128, 11, 10);

/// 320 bits: room for the largest board, 17 rows of 17 cells and a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wide([u64; 5]);

impl Wide {
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Wide(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Wide {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Wide {
    type Output = Self;
    fn not(self) -> Self {
        Wide(self.0.map(|word| !word))
    }
}

/// Shifts are by 1..64 bits: no direction of play is longer.
impl Bits for Wide {
    const STRIDE: usize = 18;
    const MAX_SIZE: usize = 17;

    fn bit(i: usize) -> Self {
        let mut words = [0; 5];
        words[i / 64] = 1 << (i % 64);
        Wide(words)
    }
    fn up(self, by: usize) -> Self {
        debug_assert!((1..64).contains(&by));
        let w = self.0;
        Wide(std::array::from_fn(|i| w[i] << by | if i > 0 { w[i - 1] >> (64 - by) } else { 0 }))
    }
    fn down(self, by: usize) -> Self {
        debug_assert!((1..64).contains(&by));
        let w = self.0;
        Wide(std::array::from_fn(|i| w[i] >> by | if i < 4 { w[i + 1] << (64 - by) } else { 0 }))
    }
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    fn lowest(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).expect("a set that is not empty");
        word * 64 + self.0[word].trailing_zeros() as usize
    }
    // Compared as a whole, a set would go through a function of the system's.
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    fn has(self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 != 0
    }
    fn without_lowest(self) -> Self {
        let mut words = self.0;
        if let Some(word) = words.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        Wide(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obey_set_laws<B: Bits>() {
        let width = B::STRIDE * B::MAX_SIZE;
        for i in 0..width {
            let one = B::bit(i);
            assert_eq!((one.count(), one.lowest()), (1, i));
            assert!(one.has(i) && one.without_lowest().is_empty());
            for by in [1, B::STRIDE - 1, B::STRIDE, B::STRIDE + 1] {
                if i + by < width {
                    assert_eq!(one.up(by), B::bit(i + by));
                    assert_eq!(B::bit(i + by).down(by), one);
                }
            }
            let other = B::bit((i * 7 + 3) % width);
            assert_eq!((one | other).iter().count() as u32, (one | other).count());
            assert_eq!(one.meets(other), one == other);
            assert_eq!(one.has(other.lowest()), one == other);
            assert_eq!((one ^ other) & !other, if one == other { B::default() } else { one });
        }
    }

    #[test]
    fn every_width_obeys_set_laws() {
        obey_set_laws::<u32>();
        obey_set_laws::<u64>();
        obey_set_laws::<u128>();
        obey_set_laws::<Wide>();
    }
}
