//! How long a run will still take. Searches grow by a factor each ply, so an average over those done would promise far
//! too much: each algorithm and depth has its own, and depths not yet reached are extrapolated.

use std::collections::BTreeMap;
use std::time::Duration;

/// Growth a ply where nothing better is known.
const USUAL_GROWTH: f64 = 3.0;
/// No more than the largest board's branching can explain.
const MOST_GROWTH: f64 = 17.0;

/// Searches of one algorithm, done and to do, by depth.
type Depths = BTreeMap<u32, Tally>;

/// Searches of one algorithm to one depth.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    todo: usize,
    done: usize,
    seconds: f64,
}

impl Tally {
    fn mean(&self) -> Option<f64> {
        (self.done > 0).then(|| self.seconds / self.done as f64)
    }
}

/// What is known of a run's pace.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    variants: BTreeMap<usize, Depths>,
}

impl Pace {
    /// A search is to be done.
    pub fn expect(&mut self, variant: usize, depth: u32) {
        self.tally(variant, depth).todo += 1;
    }

    /// A search has been done.
    pub fn ended(&mut self, variant: usize, depth: u32, time: Duration) {
        let tally = self.tally(variant, depth);
        tally.todo = tally.todo.saturating_sub(1);
        tally.done += 1;
        tally.seconds += time.as_secs_f64();
    }

    /// The time left with so many searches at once, once anything is known.
    pub fn left(&self, jobs: usize) -> Option<Duration> {
        let mut seconds = 0.0;
        for depths in self.variants.values() {
            for (&depth, tally) in depths.iter().filter(|(_, tally)| tally.todo > 0) {
                seconds += tally.todo as f64 * expected(depths, depth).or_else(|| self.any(depth))?;
            }
        }
        Duration::try_from_secs_f64(seconds / jobs.max(1) as f64).ok()
    }

    /// What another algorithm leads to expect.
    fn any(&self, depth: u32) -> Option<f64> {
        self.variants.values().find_map(|depths| expected(depths, depth))
    }

    fn tally(&mut self, variant: usize, depth: u32) -> &mut Tally {
        self.variants.entry(variant).or_default().entry(depth).or_default()
    }
}

/// Seconds that a search to `depth` is likely to take.
fn expected(depths: &Depths, depth: u32) -> Option<f64> {
    let known = |(&depth, tally): (&u32, &Tally)| Some((depth, tally.mean()?));
    let (near, mean) = depths.range(..=depth).rev().find_map(known)?;
    // An even depth often adds nothing to the odd one before: growth shows over two plies.
    let before = depths.range(..near.saturating_sub(1)).rev().find_map(known);
    let growth = before.map_or(USUAL_GROWTH, |(far, small)| {
        (mean / small.max(1e-9)).powf(1.0 / f64::from(near - far)).clamp(1.0, MOST_GROWTH)
    });
    Some(mean * growth.powi((depth - near) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_searches_are_expected_to_take_longer() {
        let mut pace = Pace::default();
        for depth in [1, 3, 5, 7] {
            pace.expect(0, depth);
        }
        assert_eq!(pace.left(1), None);
        pace.ended(0, 1, Duration::from_millis(10));
        pace.ended(0, 3, Duration::from_millis(100));
        // Tenfold every two plies: one second, then ten.
        let left = pace.left(1).unwrap().as_secs_f64();
        assert!((left - 11.0).abs() < 1e-6, "{left}");
        assert!((pace.left(2).unwrap().as_secs_f64() - left / 2.0).abs() < 1e-6);
        pace.expect(1, 3);
        let more = pace.left(1).unwrap().as_secs_f64();
        assert!((more - left - 0.1).abs() < 1e-6, "another algorithm is taken to be like the first: {more}");
    }
}
