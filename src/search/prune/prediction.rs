//! What a shallow search says of a deep one: over many positions the deep value is `slope · s + shift + e`, where s is the
//! shallow one and e an error of some standard deviation (Buro 1995).

use super::measured::MEASURED;
use crate::game::Value;

/// How much shallower the search is that predicts. Even, so that both end with the same kind of step where kinds alternate.
pub(super) const REDUCTION: u32 = 2;

/// Steps after which it is the same player's turn again, at the most: both players roll and move.
const ROUND: u32 = 4;

/// How the value to some depth follows from that of a search [`REDUCTION`] shallower; a won game is 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prediction {
    pub slope: f64,
    pub shift: f64,
    /// Standard deviation of the error.
    pub deviation: f64,
}

impl Prediction {
    /// Where nobody has measured: the values are taken to be alike, with more error than was ever measured.
    const UNMEASURED: Prediction = Prediction { slope: 1.0, shift: 0.0, deviation: 0.2 };

    /// The least shallow value that makes a deep one of `beta` or more likely enough; `None` if no value does.
    pub fn above(&self, beta: Value, deviations: u32) -> Option<Value> {
        legal((beta.to_f64() + self.margin(deviations) - self.shift) / self.slope, f64::ceil)
    }

    /// The greatest shallow value that makes a deep one of `alpha` or less likely enough; `None` if no value does.
    pub fn below(&self, alpha: Value, deviations: u32) -> Option<Value> {
        legal((alpha.to_f64() - self.margin(deviations) - self.shift) / self.slope, f64::floor)
    }

    fn margin(&self, deviations: u32) -> f64 {
        f64::from(deviations) / 100.0 * self.deviation
    }
}

/// A value on the grid, if it is neither a certain win or loss nor beyond.
fn legal(x: f64, round: fn(f64) -> f64) -> Option<Value> {
    let raw = round(x * f64::from(Value::WIN.raw()));
    (raw.abs() < f64::from(Value::WIN.raw())).then(|| Value::from_raw(raw as i64))
}

/// Predictions for one kind of node, each from its depth on to the next one's.
type ByDepth = &'static [(u32, Prediction)];

/// The predictions of searches under one evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::search) struct Predictions {
    pub(super) decisions: ByDepth,
    pub(super) chances: ByDepth,
}

impl Predictions {
    /// Of an evaluation that nobody has measured.
    pub const UNMEASURED: Predictions = Predictions { decisions: &[], chances: &[] };

    /// Those of the evaluation that was measured under a name.
    pub fn of(name: Option<&str>) -> Predictions {
        let found = MEASURED.iter().find(|(measured, _)| Some(*measured) == name);
        found.map_or(Predictions::UNMEASURED, |&(_, predictions)| predictions)
    }

    /// That of decisions to `depth`.
    pub(super) fn decision(&self, depth: u32) -> Prediction {
        nearest(self.decisions, depth)
    }

    /// That of chance nodes to `depth`.
    pub(super) fn chance(&self, depth: u32) -> Prediction {
        nearest(self.chances, depth)
    }
}

/// The deepest prediction up to `depth`. Values rise and fall as the last move is one's own or the opponent's, so that deeper than
/// was measured the one counts that ends with the same player's.
fn nearest(list: ByDepth, depth: u32) -> Prediction {
    let round = |&&(from, _): &&(u32, Prediction)| from <= depth && (depth - from).is_multiple_of(ROUND);
    let found = list.iter().rev().find(round).or_else(|| list.iter().rev().find(|(from, _)| *from <= depth));
    found.map_or(Prediction::UNMEASURED, |&(_, prediction)| prediction)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREDICTION: Prediction = Prediction { slope: 0.5, shift: 0.1, deviation: 0.02 };

    #[test]
    fn the_bound_predicts_a_value_so_many_deviations_outside() {
        let value = Value::from_f64;
        for (beta, deviations, bound) in [(0.2, 0, 0.2), (0.2, 100, 0.24), (-0.3, 150, -0.74), (0.2, 50, 0.22)] {
            let above = PREDICTION.above(value(beta), deviations).unwrap();
            assert!((above.to_f64() - bound).abs() < 1e-6, "{beta} {deviations}: {above}");
            // The same seen from below, with everything mirrored.
            let mirrored = Prediction { shift: -0.1, ..PREDICTION };
            assert_eq!(mirrored.below(-value(beta), deviations), Some(-above));
        }
    }

    #[test]
    fn what_no_shallow_value_can_tell_is_not_asked() {
        let value = Value::from_f64;
        assert_eq!(PREDICTION.above(value(0.6), 0), None);
        assert_eq!(PREDICTION.above(Value::WIN, 0), None);
        assert_eq!(PREDICTION.below(Value::LOSS, 0), None);
        for deviations in [10_000, u32::MAX] {
            assert_eq!(PREDICTION.above(Value::LOSS, deviations), None);
            assert_eq!(PREDICTION.below(Value::WIN, deviations), None);
        }
    }

    #[test]
    fn predictions_are_those_of_the_nearest_depth() {
        let one = Prediction { slope: 1.0, shift: 0.0, deviation: 0.1 };
        let other = Prediction { deviation: 0.05, ..one };
        let list: ByDepth = Box::leak(Box::new([(3, one), (5, other)]));
        let cases = [
            (2, Prediction::UNMEASURED),
            (3, one),
            (4, one),
            (5, other),
            (7, one),
            (8, other),
            (99, one),
            (101, other),
        ];
        for (depth, prediction) in cases {
            assert_eq!(nearest(list, depth), prediction, "{depth}");
        }
    }

    #[test]
    fn the_measured_table_is_sane_and_the_rest_more_careful() {
        for (name, predictions) in MEASURED {
            for (_, prediction) in predictions.decisions.iter().chain(predictions.chances) {
                assert!(
                    (0.5..1.5).contains(&prediction.slope) && prediction.shift.abs() < 0.2,
                    "{name} {prediction:?}"
                );
                assert!(prediction.deviation > 0.0, "{name} {prediction:?}");
                assert!(prediction.deviation <= Prediction::UNMEASURED.deviation, "{name} {prediction:?}");
            }
            assert_eq!(Predictions::of(Some(name)), *predictions);
        }
        assert_eq!(Predictions::of(Some("7/7")), Predictions::UNMEASURED);
        assert_eq!(Predictions::of(None), Predictions::UNMEASURED);
    }
}
