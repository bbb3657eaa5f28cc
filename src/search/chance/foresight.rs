//! What the evaluation says of every move next after a chance node, asked for at once.
//!
//! Where the evaluation ignores outcomes, the values that put the moves of the next decisions in order can be had from
//! the chance node itself. A decision is probed and then searched: both find them here.

use super::MAX_LEAVES;
use crate::game::{ArrayVec, MAX_BRANCHES, Value};

/// Values of the moves after each outcome, as far as they have been asked for.
pub(super) struct Foresight {
    values: ArrayVec<Value, MAX_LEAVES>,
    /// Where the values of each outcome end.
    ends: ArrayVec<u16, MAX_BRANCHES>,
}

impl Foresight {
    /// Nothing has been asked for.
    #[inline(always)]
    pub fn new() -> Foresight {
        Foresight { values: ArrayVec::new(), ends: ArrayVec::new() }
    }

    /// Take no values of the moves after the next outcome.
    #[inline(always)]
    pub fn skip(&mut self) {
        self.add(std::iter::empty());
    }

    /// Take the values of the moves after the next outcome.
    #[inline(always)]
    pub fn add(&mut self, values: impl Iterator<Item = Value>) {
        self.values.extend(values);
        self.ends.push(self.values.len() as u16);
    }

    /// The values of the moves after the `i`-th outcome, if they have been asked for.
    pub fn of(&self, i: usize) -> Option<&[Value]> {
        let end = usize::from(*self.ends.get(i)?);
        let start = if i == 0 { 0 } else { usize::from(self.ends[i - 1]) };
        (start < end).then(|| &self.values[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_finds_its_own() {
        let v = Value::from_raw;
        let mut foresight = Foresight::new();
        assert_eq!(foresight.of(0), None);
        foresight.add([v(1), v(2)].into_iter());
        foresight.skip();
        foresight.add([v(3)].into_iter());
        assert_eq!(foresight.of(0), Some(&[v(1), v(2)][..]));
        assert_eq!(foresight.of(1), None);
        assert_eq!(foresight.of(2), Some(&[v(3)][..]));
        assert_eq!(foresight.of(3), None);
    }
}
