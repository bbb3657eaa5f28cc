//! How the value of a search follows from that of one two steps shallower: lines fitted through the values of many positions, which
//! ProbCut and ChanceProbCut rest on (`src/search/prune/measured.rs` is made of what is printed here).

use crate::error::Error;
use alea::game::{Kind, Step};
use alea::search::{Limits, Report, Searched, Searcher, Settings, Stop};
use alea_tools::progress::{Progress, at_this_pace};
use std::fmt::Write;
use std::time::Instant;

/// How much shallower the search is that predicts.
const REDUCTION: usize = 2;

/// Fewer pairs of values than this say nothing.
const FEWEST: usize = 30;

/// A line through pairs of values, and the standard deviation from it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Fit {
    slope: f64,
    shift: f64,
    deviation: f64,
}

/// The values of one position by depth, from depth 1.
type Values = Vec<f64>;

/// Measure predictions to every depth up to `depth`: of decisions on the positions themselves, of chance nodes on those after
/// the first move that leads to one. The lines for the engine's table.
pub fn measure<G: Searched>(
    positions: &[(&G, G::Evaluator)],
    depth: u32,
    hash: usize,
    stop: &Stop,
) -> Result<String, Error> {
    let mut searcher = Searcher::new(hash)?;
    let mut progress = Progress::new("positions", positions.len());
    let started = Instant::now();
    let (mut decisions, mut chances): (Vec<Values>, Vec<Values>) = Default::default();
    for (done, (position, judge)) in positions.iter().enumerate() {
        let mut values = |position: &G| values(position, judge, depth, &mut searcher, stop);
        let decided = values(position);
        let after =
            position.moves().iter().map(|&mv| position.child(Step::Move(mv))).find(|next| next.kind() == Kind::Chance);
        let rolled = after.map(|next| values(&next));
        if stop.pulled() {
            break;
        }
        decisions.push(decided);
        chances.extend(rolled);
        progress.show(done + 1, || at_this_pace(started, done + 1, positions.len()));
    }
    progress.finish();
    let name = positions.first().map(|(position, _)| position.network_for()).unwrap_or_default();
    let mut text = String::new();
    let _ = writeln!(text, "// {} decisions, {} chance nodes", decisions.len(), chances.len());
    let _ = writeln!(text, "(\"{name}\", Predictions {{");
    for (what, from, values) in [("decisions", 3, &decisions), ("chances", 4, &chances)] {
        let _ = writeln!(text, "    {what}: &[{}],", rows(values, from, depth as usize).join(", "));
    }
    text += "}),\n";
    Ok(text)
}

/// The values to depth 1, 2 and so on; up to the depth whose value is exact.
fn values<G: Searched>(position: &G, judge: &G::Evaluator, depth: u32, searcher: &mut Searcher, stop: &Stop) -> Values {
    let mut values = Vec::new();
    searcher.forget();
    position.search(searcher, judge, &Settings::default(), &Limits::to_depth(depth), stop, &mut |report| {
        if let Report::Iteration(iteration) = report {
            values.extend(iteration.lines.first().filter(|_| !iteration.exact).map(|line| line.value.to_f64()));
        }
    });
    values
}

/// A row a depth, `from` the least at which the engine prunes; a depth that only repeats what the one before it says has none.
fn rows(all: &[Values], from: usize, depth: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut last = None;
    for depth in from..=depth {
        let pairs: Vec<(f64, f64)> = all
            .iter()
            .filter(|values| values.len() >= depth)
            .map(|values| (values[depth - 1 - REDUCTION], values[depth - 1]))
            .collect();
        let fit = Fit::through(&pairs).filter(|_| pairs.len() >= FEWEST);
        if let Some(Fit { slope, shift, deviation }) = fit.filter(|_| fit != last) {
            // Nothing is 0.0000, be it a little less or more.
            let shift = (shift * 1e4).round() / 1e4 + 0.0;
            rows.push(format!("({depth}, fit({slope:.3}, {shift:.4}, {deviation:.4}))"));
        }
        last = fit;
    }
    rows
}

impl Fit {
    /// The line of least squares; `None` where all first values are one.
    fn through(pairs: &[(f64, f64)]) -> Option<Fit> {
        let count = pairs.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        let spread = mean(&|pair| (pair.0 - x).powi(2));
        let slope = mean(&|pair| (pair.0 - x) * (pair.1 - y)) / spread;
        let shift = y - slope * x;
        let deviation = mean(&|pair| (pair.1 - slope * pair.0 - shift).powi(2)).sqrt();
        (spread > 0.0).then_some(Fit { slope, shift, deviation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_fitted() {
        let line = |x: f64| 0.5 * x + 0.1;
        let exact: Vec<(f64, f64)> = [-0.5, 0.0, 0.2, 0.9].map(|x| (x, line(x))).into();
        let fit = Fit::through(&exact).unwrap();
        assert!((fit.slope - 0.5).abs() < 1e-12 && (fit.shift - 0.1).abs() < 1e-12 && fit.deviation < 1e-12, "{fit:?}");
        let off: Vec<(f64, f64)> =
            [-1.0, 1.0].iter().flat_map(|x| [(*x, line(*x) + 0.3), (*x, line(*x) - 0.3)]).collect();
        let fit = Fit::through(&off).unwrap();
        assert!((fit.slope - 0.5).abs() < 1e-12 && (fit.deviation - 0.3).abs() < 1e-12, "{fit:?}");
        assert_eq!(Fit::through(&[(0.5, 0.1), (0.5, 0.2)]), None);
        assert_eq!(Fit::through(&[]), None);
    }

    #[test]
    fn depths_that_repeat_the_one_before_have_no_row() {
        // As in Dice: each even depth has the value of the odd one before it.
        let values = |i: usize| {
            let [a, b, c] = [0.3, 0.31, 0.29].map(|factor| (i as f64 - 20.0) * factor / 10.0);
            vec![a, a, b, b, c]
        };
        let all: Vec<Values> = (0..40).map(values).collect();
        assert_eq!(rows(&all, 3, 5), ["(3, fit(1.033, 0.0000, 0.0000))", "(5, fit(0.935, 0.0000, 0.0000))"]);
        assert!(rows(&all[..20], 3, 5).is_empty(), "too few");
    }
}
