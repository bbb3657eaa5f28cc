//! What shallow searches predict, game by game: printed by `alea-suite prune --fit`, as tools/suite/RESULTS.md says in full.

use super::prediction::{Prediction, Predictions};

/// By the name of an evaluation.
pub(super) const MEASURED: &[(&str, Predictions)] = &[];

const fn fit(slope: f64, shift: f64, deviation: f64) -> Prediction {
    Prediction { slope, shift, deviation }
}
