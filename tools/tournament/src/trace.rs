//! How a pairing's counts grew, at a few hundred places however many pairs there are: what a curve needs, and no more.

use crate::stats::PairCounts;

/// Places kept at most; when there are more, every second one goes.
const MAX_POINTS: usize = 512;

/// The counts after every so many pairs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Pairs from place to place, as a power of two.
    log_stride: u32,
    points: Vec<PairCounts>,
}

impl Trace {
    /// Another pair was counted; the counts with it.
    pub fn add(&mut self, counts: &PairCounts) {
        let pairs: u64 = counts.iter().sum();
        if !pairs.is_multiple_of(1 << self.log_stride) {
            return;
        }
        self.points.push(*counts);
        if self.points.len() > MAX_POINTS {
            self.log_stride += 1;
            let kept = |counts: &PairCounts| counts.iter().sum::<u64>().is_multiple_of(1 << self.log_stride);
            self.points.retain(kept);
        }
    }

    /// The counts at each place, and at the end.
    pub fn points<'a>(&'a self, last: &'a PairCounts) -> impl Iterator<Item = &'a PairCounts> {
        self.points.iter().chain(std::iter::once(last).filter(|&last| self.points.last() != Some(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_trace_stays_short_and_even() {
        let (mut trace, mut counts) = (Trace::default(), [0; 5]);
        for pair in 0..100_003 {
            counts[pair % 5] += 1;
            trace.add(&counts);
        }
        let pairs: Vec<u64> = trace.points(&counts).map(|counts| counts.iter().sum()).collect();
        assert!((256..=MAX_POINTS + 1).contains(&pairs.len()), "{}", pairs.len());
        assert_eq!(pairs.last(), Some(&100_003));
        let stride = pairs[0];
        assert!(pairs[..pairs.len() - 1].iter().enumerate().all(|(i, &at)| at == stride * (i as u64 + 1)), "{pairs:?}");
    }
}
