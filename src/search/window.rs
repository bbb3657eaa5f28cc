//! The interval of values that a caller can tell apart.

use crate::game::{Bounds, Turn, Value};

/// A caller needs the value if it lies strictly between `alpha` and `beta`, and otherwise only on which side.
///
/// A search answers with a value `v` such that: inside, `v` is exact; `v ≤ alpha` says the true value is at most `v`;
/// `v ≥ beta` says it is at least `v` (fail-soft).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub const FULL: Window = Window { alpha: Value::LOSS, beta: Value::WIN };

    /// All that matters is whether the value is at least `value`, which is no lost game.
    pub fn at_least(value: Value) -> Window {
        Window { alpha: Value::from_raw(i64::from(value.raw()) - 1), beta: value }
    }

    /// All that matters is whether the value is at most `value`, which is no won game.
    pub fn at_most(value: Value) -> Window {
        Window { alpha: value, beta: Value::from_raw(i64::from(value.raw()) + 1) }
    }

    /// The same window for a node one step further.
    pub fn after(self, turn: Turn) -> Window {
        match turn {
            Turn::Kept => self,
            Turn::Passed => Window { alpha: -self.beta, beta: -self.alpha },
        }
    }

    /// Something at least as good as `value` is had already.
    pub fn raised(self, value: Value) -> Window {
        Window { alpha: self.alpha.max(value), ..self }
    }

    /// The part of the window that `known` leaves open. Not for bounds that settle it.
    pub fn within(self, known: Bounds) -> Window {
        Window { alpha: self.alpha.max(known.lo), beta: self.beta.min(known.hi) }
    }

    /// The answer, if `known` suffices for one.
    pub fn settled(self, known: Bounds) -> Option<Value> {
        if known.lo >= self.beta || known.is_exact() {
            Some(known.lo)
        } else if known.hi <= self.alpha {
            Some(known.hi)
        } else {
            None
        }
    }

    /// What an answer says of the true value.
    pub fn proves(self, answer: Value) -> Bounds {
        if answer <= self.alpha {
            Bounds { hi: answer, ..Bounds::UNKNOWN }
        } else if answer >= self.beta {
            Bounds { lo: answer, ..Bounds::UNKNOWN }
        } else {
            Bounds::exactly(answer)
        }
    }
}

/// A value seen from before the step that led to it.
pub(super) fn before(value: Value, turn: Turn) -> Value {
    match turn {
        Turn::Kept => value,
        Turn::Passed => -value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(raw: i64) -> Value {
        Value::from_raw(raw)
    }

    #[test]
    fn only_a_value_strictly_inside_is_exact() {
        let window = Window { alpha: value(-5), beta: value(5) };
        let cases = [
            (-6, Bounds { hi: value(-6), ..Bounds::UNKNOWN }),
            (-5, Bounds { hi: value(-5), ..Bounds::UNKNOWN }),
            (-4, Bounds::exactly(value(-4))),
            (4, Bounds::exactly(value(4))),
            (5, Bounds { lo: value(5), ..Bounds::UNKNOWN }),
            (9, Bounds { lo: value(9), ..Bounds::UNKNOWN }),
        ];
        for (answer, proven) in cases {
            assert_eq!(window.proves(value(answer)), proven, "{answer}");
        }
    }

    #[test]
    fn bounds_settle_a_window_from_either_side() {
        let window = Window { alpha: value(-5), beta: value(5) };
        let cases =
            [(-9, -5, Some(-5)), (5, 9, Some(5)), (-9, 9, None), (2, 2, Some(2)), (-5, 5, None), (-9, -4, None)];
        for (lo, hi, answer) in cases {
            let known = Bounds { lo: value(lo), hi: value(hi) };
            assert_eq!(window.settled(known), answer.map(value), "[{lo}, {hi}]");
        }
        assert_eq!(window.after(Turn::Passed), window);
        assert_eq!(window.raised(value(1)).after(Turn::Passed), Window { alpha: value(-5), beta: value(-1) });
    }
}
