//! The thesis's own tables (Veness 2006, figures 5.2 and 5.5), to stand beside ours.

use super::gather::Results;
use super::tables::{Metric, stats};
use alea::search::Algorithm;
use alea_tools::tables::{Cell, Table};

/// The depth of the thesis's tables.
pub const DEPTH: u32 = 13;

/// min, median, mean, max and deviation of one algorithm.
type Figures = [f64; 5];

const NAMES: [&str; 5] = ["min", "median", "mean", "max", "deviation"];

const ALGORITHMS: [Algorithm; 4] = [Algorithm::Expectimax, Algorithm::Star1, Algorithm::Star2, Algorithm::StarEtc];

/// Nodes to depth 13 over its 100 positions.
const NODES: [Figures; 4] = [
    [5813.0, 1.28e7, 3.48e7, 2.73e8, 4.99e7],
    [3997.0, 3.91e6, 1.32e7, 1.35e8, 2.06e7],
    [8720.0, 2.95e6, 5.71e6, 3.23e7, 6.31e6],
    [5536.0, 1.83e6, 3.58e6, 2.20e7, 4.12e6],
];

/// Milliseconds to depth 13, on one 2.6 GHz core of 2006.
const TIME: [Figures; 4] = [
    [219.0, 1.92e5, 5.51e5, 4.53e6, 8.15e5],
    [187.0, 6.02e4, 2.10e5, 2.26e6, 3.39e5],
    [250.0, 4.18e4, 8.16e4, 4.89e5, 9.25e4],
    [219.0, 2.76e4, 5.62e4, 3.65e5, 6.63e4],
];

/// The thesis's table of a metric with ours between its columns, if we have searched that deep by any of its algorithms.
pub fn beside(results: &Results, metric: Metric) -> Option<Table> {
    let theirs = if metric == Metric::Nodes { NODES } else { TIME };
    let mut header = vec!["depth 13".to_string()];
    let mut rows: Vec<Vec<Cell>> = NAMES.map(|name| vec![name.into()]).into();
    let mut ratio = vec![Cell::from("ratio of means")];
    let mut before: Option<[f64; 2]> = None;
    for (algorithm, theirs) in ALGORITHMS.into_iter().zip(theirs) {
        let default = |variant: &crate::variants::Variant| variant.algorithm == algorithm && variant.probing == 1;
        let Some(series) = results.series.iter().find(|series| default(&series.variant)) else { continue };
        let Some(ours) = series.depths.get(&DEPTH).and_then(|searches| stats(searches, metric)) else { continue };
        header.extend([algorithm.name().into(), format!("{} 2006", algorithm.name())]);
        let mine = [ours.min, ours.median, ours.mean, ours.max, ours.deviation.unwrap_or(f64::NAN)];
        for (row, (mine, theirs)) in rows.iter_mut().zip(mine.into_iter().zip(theirs)) {
            row.extend([Cell::maybe(Some(mine), metric.cell()), metric.cell()(theirs)]);
        }
        let means = [ours.mean, theirs[2]];
        ratio.extend([0, 1].map(|i| Cell::maybe(before.map(|before| means[i] / before[i]), Cell::Ratio)));
        before = Some(means);
    }
    rows.push(ratio);
    (header.len() > 1).then(|| Table {
        file: if metric == Metric::Nodes { "nodes-beside-thesis" } else { "time-beside-thesis" },
        title: format!("{} to depth 13, beside the 2006 thesis", metric.name()),
        remark: "Ours over the 75 of its 100 positions that survive; the thesis on one 2.6 GHz core of 2006. \
                 ratio of means: to the algorithm before."
            .into(),
        header,
        rows,
    })
}
