//! The tables of a report, each from the gathered results.

use super::gather::{Results, Searches, Series};
use super::stats::Stats;
use crate::results::Row;
use alea_tools::tables::{Cell, Table};

/// What a search costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Nodes entered.
    Nodes,
    /// Milliseconds taken.
    Time,
}

impl Metric {
    /// The cost of one search.
    pub fn of(self, row: &Row) -> f64 {
        match self {
            Metric::Nodes => row.nodes as f64,
            Metric::Time => row.time_ms,
        }
    }

    /// What it is called, at the start of a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Nodes => "Nodes",
            Metric::Time => "Time in ms",
        }
    }

    /// A number of it in a table.
    pub fn cell(self) -> fn(f64) -> Cell {
        match self {
            Metric::Nodes => Cell::Count,
            Metric::Time => Cell::Millis,
        }
    }
}

/// Values may differ by this much before they disagree.
const TOLERANCE: f64 = 1e-6;

/// Disagreements listed one by one; the rest are only counted.
const LISTED: usize = 20;

/// The five figures of every algorithm and depth, and how the mean compares with the algorithm before.
pub fn spread(results: &Results, metric: Metric) -> Table {
    let mut rows = Vec::new();
    for (i, series) in results.series.iter().enumerate() {
        for (&depth, searches) in &series.depths {
            let Some(stats) = stats(searches, metric) else { continue };
            let cell = metric.cell();
            let before = i.checked_sub(1).and_then(|i| results.series[i].depths.get(&depth));
            let mut row = vec![Cell::from(series.label.as_str()), Cell::Count(depth.into())];
            row.push(Cell::Count(stats.count as f64));
            row.extend([stats.min, stats.median, stats.mean, stats.max].map(cell));
            row.push(Cell::maybe(stats.deviation, cell));
            row.push(Cell::maybe(before.and_then(|before| ratio(searches, before, metric)), Cell::Ratio));
            rows.push(row);
        }
    }
    Table {
        file: if metric == Metric::Nodes { "nodes" } else { "time" },
        title: format!("{} to each depth", metric.name()),
        remark: "ratio: of the mean to that of the algorithm before, over the positions both have searched.".into(),
        header: words("algorithm depth positions min median mean max deviation ratio"),
        rows,
    }
}

/// Mean cost, a column an algorithm.
pub fn means(results: &Results, metric: Metric) -> Table {
    by_depth(results, |series, depth| {
        Cell::maybe(
            series.depths.get(&depth).and_then(|searches| stats(searches, metric)).map(|stats| stats.mean),
            metric.cell(),
        )
    })
    .titled(
        if metric == Metric::Nodes { "mean-nodes" } else { "mean-time" },
        format!("{}, mean over the positions", metric.name()),
    )
}

/// How often the probing phase cut.
pub fn probing(results: &Results) -> Table {
    let mut rows = Vec::new();
    for series in &results.series {
        for (&depth, searches) in &series.depths {
            let probes: u64 = searches.values().map(|row| row.probes).sum();
            let cuts: u64 = searches.values().map(|row| row.probe_cuts).sum();
            if probes > 0 {
                rows.push(vec![
                    Cell::from(series.label.as_str()),
                    Cell::Count(depth.into()),
                    Cell::Count(probes as f64),
                    Cell::Count(cuts as f64),
                    Cell::Share(cuts as f64 / probes as f64),
                ]);
            }
        }
    }
    Table {
        file: "probing",
        title: "Probe efficiency: chance nodes probed, and cut by that alone".into(),
        header: words("algorithm depth probes cuts efficiency"),
        rows,
        ..Table::default()
    }
}

/// Positions and depths whose value is not the same by every algorithm. There must be none.
pub fn disagreements(results: &Results) -> (usize, Table) {
    let (mut compared, mut found) = (0, Vec::new());
    for depth in results.depths() {
        for position in results.positions() {
            let rows: Vec<(&Series, &Row)> =
                results.series.iter().filter_map(|series| Some((series, series.row(position, depth)?))).collect();
            compared += usize::from(rows.len() > 1);
            let low = rows.iter().min_by(|a, b| a.1.value.total_cmp(&b.1.value));
            let high = rows.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value));
            if let (Some((low, least)), Some((high, most))) = (low, high)
                && most.value - least.value > TOLERANCE
            {
                found.push(vec![
                    Cell::Count(position as f64),
                    Cell::Count(depth.into()),
                    Cell::from(low.label.as_str()),
                    Cell::Value(least.value),
                    Cell::from(high.label.as_str()),
                    Cell::Value(most.value),
                ]);
            }
        }
    }
    let count = found.len();
    found.truncate(LISTED);
    let remark = match (compared, count) {
        (0, _) => "Nothing to compare: only one algorithm was run.".into(),
        (_, 0) => format!("None: all algorithms agree on all {compared} positions and depths, to a millionth."),
        _ => format!("{count} of {compared} positions and depths DISAGREE: one of the algorithms is wrong."),
    };
    let table = Table {
        file: "disagreements",
        title: "Values on which algorithms disagree".into(),
        remark,
        header: words("position depth lowest value highest value"),
        rows: found,
    };
    (count, table)
}

/// How often a shallower search would have played what the deepest plays.
pub fn agreement(results: &Results) -> Table {
    by_depth(results, |series, depth| {
        let Some((_, deepest)) = series.depths.last_key_value() else { return Cell::Missing };
        let Some(searches) = series.depths.get(&depth) else { return Cell::Missing };
        let known = |(position, row): (&usize, &&Row)| {
            let deep = deepest.get(position)?;
            (row.best_move != NO_MOVE).then(|| f64::from(u8::from(row.best_move == deep.best_move)))
        };
        Cell::maybe(Stats::of(searches.iter().filter_map(known)).map(|stats| stats.mean), Cell::Share)
    })
    .titled("best-moves", "Best move the same as that of the deepest search".into())
    .remarked("Several moves can be equally good, and which of them is named is then a matter of move ordering.")
}

/// What stands for the move where the die is not rolled.
pub const NO_MOVE: &str = "(none)";

/// The depths, and the root values to each of them of every position that was searched to all.
fn values_by_depth(results: &Results) -> (Vec<u32>, Vec<Vec<f64>>) {
    let depths: Vec<u32> = results.depths().into_iter().collect();
    let values = results
        .positions()
        .into_iter()
        .filter_map(|position| depths.iter().map(|&depth| results.value(position, depth)).collect())
        .collect();
    (depths, values)
}

/// By how much root values to two depths of one parity differ, position by position: table 3 of Hauk, Buro and Schaeffer (2006).
pub fn differences(results: &Results) -> Table {
    let (depths, values) = values_by_depth(results);
    let pairs = (0..depths.len()).flat_map(|a| (a + 1..depths.len()).map(move |b| (a, b)));
    let near = pairs.filter(|&(a, b)| matches!(depths[b] - depths[a], 2 | 4));
    let rows = near.map(|(a, b)| {
        let signed = Stats::of(values.iter().map(|row| row[a] - row[b]));
        let absolute = Stats::of(values.iter().map(|row| (row[a] - row[b]).abs()));
        vec![
            Cell::Count(depths[a].into()),
            Cell::Count(depths[b].into()),
            Cell::Count(values.len() as f64),
            Cell::maybe(signed.map(|stats| stats.mean), Cell::Value),
            Cell::maybe(absolute.map(|stats| stats.mean), Cell::Error),
            Cell::maybe(absolute.and_then(|stats| stats.deviation), Cell::Error),
        ]
    });
    Table {
        file: "differences",
        title: "Odd and even: the root value to one depth less that to another".into(),
        remark: "absolute: mean and standard deviation of the differences without their signs.".into(),
        header: ["depth", "less depth", "positions", "mean", "absolute", "deviation"].map(String::from).to_vec(),
        rows: rows.collect(),
    }
}

/// How the root value moves with depth, over the positions searched to every depth.
pub fn drift(results: &Results) -> Table {
    let (depths, values) = values_by_depth(results);
    let mean = |column: usize| Stats::of(values.iter().map(|row| row[column])).map(|stats| stats.mean);
    let against = |column: usize, depth: Option<u32>| {
        let other = depths.iter().position(|&there| Some(there) == depth)?;
        Some(mean(column)? - mean(other)?)
    };
    let rows = depths.iter().enumerate().map(|(column, &depth)| {
        let last = depths.len() - 1;
        let error = Stats::of(values.iter().map(|row| (row[column] - row[last]).powi(2)));
        vec![
            Cell::Count(depth.into()),
            Cell::Count(values.len() as f64),
            Cell::maybe(mean(column), Cell::Value),
            Cell::maybe(against(column, depth.checked_sub(1)), Cell::Value),
            Cell::maybe(against(column, depth.checked_sub(2)), Cell::Value),
            Cell::maybe(error.map(|error| error.mean.sqrt()), Cell::Error),
        ]
    });
    Table {
        file: "drift",
        title: "Odd and even: the root value by depth, for the side to move".into(),
        remark: "change: against the mean one and two plies before; rms: of the difference from the deepest search. \
                 With the die rolled, an even depth ends on a roll that the evaluation ignores and adds nothing."
            .into(),
        header: ["depth", "positions", "mean", "change 1", "change 2", "rms"].map(String::from).to_vec(),
        rows: rows.collect(),
    }
}

/// A table with a row a depth and a column an algorithm.
fn by_depth(results: &Results, cell: impl Fn(&Series, u32) -> Cell) -> Table {
    let labels = results.series.iter().map(|series| series.label.clone());
    let row = |depth: u32| {
        let cells = results.series.iter().map(|series| cell(series, depth));
        std::iter::once(Cell::Count(depth.into())).chain(cells).collect()
    };
    Table {
        header: std::iter::once("depth".to_string()).chain(labels).collect(),
        rows: results.depths().into_iter().map(row).collect(),
        ..Table::default()
    }
}

/// The five figures of some searches.
pub fn stats(searches: &Searches, metric: Metric) -> Option<Stats> {
    Stats::of(searches.values().map(|row| metric.of(row)))
}

/// The cost of some searches over that of others, where both have searched.
fn ratio(searches: &Searches, before: &Searches, metric: Metric) -> Option<f64> {
    let both = searches.iter().filter_map(|(position, row)| Some((metric.of(row), metric.of(before.get(position)?))));
    let (own, other) = both.fold((0.0, 0.0), |sum, cost| (sum.0 + cost.0, sum.1 + cost.1));
    (other > 0.0).then(|| own / other)
}

fn words(list: &str) -> Vec<String> {
    list.split(' ').map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::super::gather::Unknown;
    use super::*;

    fn row(algorithm: &str, position: usize, depth: u32, value: f64, nodes: u64) -> Row {
        let probes = algorithm == "Star2";
        Row {
            position,
            shape: "5/4".into(),
            algorithm: algorithm.into(),
            options: if probes { "probing=1".into() } else { String::new() },
            depth,
            value,
            best_move: if depth == 1 && position == 1 { "a1".into() } else { "b2".into() },
            nodes,
            evaluations: nodes / 2,
            probes: if probes { 10 } else { 0 },
            probe_cuts: if probes { 4 } else { 0 },
            table_hits: 0,
            time_ms: nodes as f64 / 100.0,
            exact: false,
        }
    }

    /// Rows in no order; Star2 lacks position 2 at depth 3, and errs at depth 1 of position 2.
    fn rows() -> Vec<Row> {
        vec![
            row("Star2", 2, 1, 0.2, 50),
            row("Star1", 1, 3, 0.5, 1000),
            row("Star1", 2, 1, 0.1, 200),
            row("Star2", 1, 3, 0.5, 500),
            row("Star1", 1, 1, -0.1, 100),
            row("Star1", 2, 3, 0.3, 4000),
            row("Star2", 1, 1, -0.1, 40),
        ]
    }

    fn text(table: &Table) -> String {
        let lines = table.text();
        lines.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn spread_has_figures_and_ratios_over_common_positions() {
        let rows = rows();
        let results = Results::gather(&rows).unwrap();
        assert_eq!(results.len(), 1);
        let nodes = text(&spread(&results[0], Metric::Nodes));
        for part in
            ["Star1 1 2 100 150 150 200 71 -", "Star2 1 2 40 45 45 50 7 0.30", "Star2 3 1 500 500 500 500 - 0.50"]
        {
            assert!(nodes.contains(part), "{nodes}");
        }
        assert!(text(&means(&results[0], Metric::Time)).contains("1 1.50 0.45 3 25.0 5.00"));
    }

    #[test]
    fn disagreements_are_found_and_only_they() {
        let mut rows = rows();
        let count = |rows: &[Row]| disagreements(&Results::gather(rows).unwrap()[0]);
        let (found, table) = count(&rows);
        assert_eq!(found, 1);
        assert!(text(&table).contains("2 1 Star1 +0.1000 Star2 +0.2000"), "{}", table.text());
        assert!(table.remark.starts_with("1 of 3"), "{}", table.remark);
        rows[0].value = 0.1 + 1e-7;
        let (found, table) = count(&rows);
        assert_eq!((found, table.rows.len()), (0, 0));
        assert!(table.remark.starts_with("None"), "{}", table.remark);
        assert!(count(&rows[1..2]).1.remark.starts_with("Nothing to compare"));
    }

    #[test]
    fn probing_agreement_and_drift() {
        let rows = rows();
        let results = &Results::gather(&rows).unwrap()[0];
        assert!(text(&probing(results)).contains("Star2 1 20 8 40.0 % Star2 3 10 4 40.0 %"));
        assert!(
            text(&agreement(results)).contains("1 50.0 % 0.0 % 3 100.0 % 100.0 %"),
            "{}",
            agreement(results).text()
        );
        let drift = text(&drift(results));
        assert!(drift.contains("1 2 +0.0000 - - 0.4472 3 2 +0.4000 - +0.4000 0.0000"), "{drift}");
        let differences = text(&differences(results));
        assert!(differences.contains("1 3 2 -0.4000 0.4000 0.2828"), "{differences}");
    }

    #[test]
    fn unknown_algorithms_are_named() {
        let rows = [row("Star9", 1, 1, 0.0, 1)];
        assert_eq!(Results::gather(&rows).unwrap_err(), Unknown { row: 0, name: "Star9".into() });
    }
}
