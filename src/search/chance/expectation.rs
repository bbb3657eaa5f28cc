//! Bound arithmetic of chance nodes, shared by every algorithm (Ballard 1983; exact, on integers).
//!
//! For each outcome `i` of weight `wᵢ` out of `W` its value is known to lie in `[loᵢ, hiᵢ]`. The node's value is the
//! weighted mean of its outcomes' values, rounded to the grid. `Σ w·lo` and `Σ w·hi` are kept exactly, so a cut is
//! decided by `Σ w·lo ≥ β·W` or `Σ w·hi ≤ α·W` without any rounding; only what is handed back is rounded: a lower bound
//! down, an upper bound up, an exact mean to nearest. Since rounding keeps order, each is a bound of the node's own
//! rounded value.

use super::super::window::Window;
use crate::game::{Bounds, Capacity, List, Outcome, Value};

/// One outcome and what is known of it, in the view of the chance node.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Part {
    pub outcome: Outcome,
    pub bounds: Bounds,
}

/// What is known of a chance node through its outcomes.
#[derive(Clone, Debug)]
pub(in crate::search) struct Expectation<C: Capacity> {
    parts: C::List<Part>,
    weight: i64,
    sum_lo: i64,
    sum_hi: i64,
}

impl<C: Capacity> Expectation<C> {
    /// No outcome yet.
    #[inline(always)]
    pub fn new() -> Expectation<C> {
        Expectation { parts: Default::default(), weight: 0, sum_lo: 0, sum_hi: 0 }
    }

    /// One more outcome, and what is known of it.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, bounds: Bounds) {
        let weight = i64::from(outcome.weight);
        self.weight += weight;
        self.sum_lo += weight * i64::from(bounds.lo.raw());
        self.sum_hi += weight * i64::from(bounds.hi.raw());
        self.parts.push(Part { outcome, bounds });
    }

    /// How many outcomes there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The `i`-th outcome.
    pub fn part(&self, i: usize) -> &Part {
        &self.parts[i]
    }

    /// Take in what was proven of the `i`-th outcome.
    #[inline]
    pub fn learn(&mut self, i: usize, proven: Bounds) {
        let part = &mut self.parts[i];
        let bounds = part.bounds.meet(proven);
        let weight = i64::from(part.outcome.weight);
        self.sum_lo += weight * i64::from(bounds.lo.raw() - part.bounds.lo.raw());
        self.sum_hi += weight * i64::from(bounds.hi.raw() - part.bounds.hi.raw());
        part.bounds = bounds;
    }

    /// The values of the `i`-th outcome that leave the node inside `window`: below, the node fails low; from the upper
    /// end on, it fails high. Never empty unless the node is settled already.
    #[inline]
    pub fn window(&self, i: usize, window: Window) -> Window {
        let Part { outcome, bounds } = self.parts[i];
        let weight = i64::from(outcome.weight);
        let slack_lo = i64::from(window.alpha.raw()) * self.weight - self.sum_hi;
        let slack_hi = i64::from(window.beta.raw()) * self.weight - self.sum_lo;
        let alpha = slack_lo.div_euclid(weight) + i64::from(bounds.hi.raw());
        let beta = i64::from(bounds.lo.raw()) - (-slack_hi).div_euclid(weight);
        Window { alpha: Value::from_raw(alpha), beta: Value::from_raw(beta) }.within(bounds)
    }

    /// The node's answer to `window`, once its bounds suffice.
    #[inline]
    pub fn settled(&self, window: Window) -> Option<Value> {
        if self.sum_lo >= i64::from(window.beta.raw()) * self.weight {
            Some(self.lower())
        } else if self.sum_hi <= i64::from(window.alpha.raw()) * self.weight {
            Some(self.upper())
        } else if self.sum_lo == self.sum_hi {
            Some(self.mean())
        } else {
            None
        }
    }

    /// Bounds of the node's value.
    pub fn bounds(&self) -> Bounds {
        if self.sum_lo == self.sum_hi {
            Bounds::exactly(self.mean())
        } else {
            Bounds { lo: self.lower(), hi: self.upper() }
        }
    }

    fn lower(&self) -> Value {
        Value::from_raw(self.sum_lo.div_euclid(self.weight))
    }

    fn upper(&self) -> Value {
        Value::from_raw(-(-self.sum_hi).div_euclid(self.weight))
    }

    /// The mean of the lower bounds to nearest, halves away from a draw so that both sides see one value.
    fn mean(&self) -> Value {
        mean(self.sum_lo, self.weight)
    }
}

/// `sum / weight` to nearest, halves away from zero.
pub(in crate::search) fn mean(sum: i64, weight: i64) -> Value {
    let size = (2 * sum.abs() + weight) / (2 * weight);
    Value::from_raw(if sum < 0 { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{UpTo, mix};

    fn parts(list: &[(u32, i64, i64)]) -> Expectation<UpTo<8>> {
        let mut node = Expectation::new();
        for &(weight, lo, hi) in list {
            let bounds = Bounds { lo: Value::from_raw(lo), hi: Value::from_raw(hi) };
            node.add(Outcome { id: 0, weight }, bounds);
        }
        node
    }

    fn window(alpha: i64, beta: i64) -> Window {
        Window { alpha: Value::from_raw(alpha), beta: Value::from_raw(beta) }
    }

    #[test]
    fn rounds_bounds_outwards_and_means_to_nearest() {
        let open = parts(&[(1, 0, 10), (2, 1, 10)]);
        assert_eq!((open.bounds().lo.raw(), open.bounds().hi.raw()), (0, 10));
        let cases = [(2, 3, 1), (1, 3, 0), (3, 2, 2), (-3, 2, -2), (-1, 3, 0), (-2, 3, -1), (7, 1, 7)];
        for (sum, weight, nearest) in cases {
            assert_eq!(mean(sum, weight).raw(), nearest, "{sum}/{weight}");
        }
    }

    #[test]
    fn cuts_are_decided_without_rounding() {
        // 2/3 rounds to 1, but does not reach a beta of 1.
        let near = parts(&[(1, 0, 9), (2, 1, 9)]);
        assert_eq!(near.settled(window(-9, 1)), None);
        let there = parts(&[(1, 1, 9), (2, 1, 9)]);
        assert_eq!(there.settled(window(-9, 1)), Some(Value::from_raw(1)));
        let below = parts(&[(1, -9, -1), (2, -9, 0)]);
        assert_eq!(below.settled(window(-1, 9)), None);
        assert_eq!(below.settled(window(0, 9)), Some(Value::from_raw(0)));
    }

    /// For every value an outcome may turn out to have, its window tells exactly whether the node is settled by it.
    #[test]
    fn windows_tell_what_settles_the_node() {
        for seed in 0..20_000u64 {
            let mut draws = (0..).map(|i| mix(seed * 64 + i));
            let mut below = |n: i64| (draws.next().unwrap() % n as u64) as i64;
            let list: Vec<_> = (0..1 + below(4))
                .map(|_| {
                    let lo = below(40) - 20;
                    (1 + below(5) as u32, lo, lo + below(12))
                })
                .collect();
            let alpha = below(40) - 20;
            let outer = window(alpha, alpha + 1 + below(10));
            let node = parts(&list);
            if node.settled(outer).is_some() {
                continue;
            }
            for i in (0..node.len()).filter(|&i| !node.part(i).bounds.is_exact()) {
                let inner = node.window(i, outer);
                let Bounds { lo, hi } = node.part(i).bounds;
                assert!(
                    inner.alpha < inner.beta && inner.alpha >= lo && inner.beta <= hi,
                    "{node:?} {outer:?} {inner:?}"
                );
                for v in lo.raw()..=hi.raw() {
                    let mut after = node.clone();
                    let v = Value::from_raw(v.into());
                    after.learn(i, Bounds::exactly(v));
                    let high = after.sum_lo >= i64::from(outer.beta.raw()) * after.weight;
                    let low = after.sum_hi <= i64::from(outer.alpha.raw()) * after.weight;
                    // At an end that is the outcome's own bound, the answer is exact and may settle nothing.
                    assert_eq!(
                        high,
                        v >= inner.beta && (inner.beta < hi || high),
                        "{node:?} {outer:?} {inner:?} {v:?}"
                    );
                    assert_eq!(
                        low,
                        v <= inner.alpha && (inner.alpha > lo || low),
                        "{node:?} {outer:?} {inner:?} {v:?}"
                    );
                    let mut told = node.clone();
                    told.learn(i, inner.proves(v));
                    assert!(
                        told.part(i).bounds.is_exact() || told.settled(outer).is_some(),
                        "{node:?} {inner:?} {v:?}"
                    );
                }
            }
        }
    }
}
