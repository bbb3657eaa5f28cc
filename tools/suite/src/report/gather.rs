//! Results sorted for reporting: by shape, algorithm, depth and position, whatever the order of the rows.

use crate::results::Row;
use crate::variants::Variant;
use std::collections::{BTreeMap, BTreeSet};

/// Searches of one algorithm to one depth, by position.
pub type Searches<'a> = BTreeMap<usize, &'a Row>;

/// One algorithm with its options.
#[derive(Debug)]
pub struct Series<'a> {
    /// Which.
    pub variant: Variant,
    /// What to call it: the algorithm's name, with the probing factor and order only where they tell two apart.
    pub label: String,
    /// Its searches.
    pub depths: BTreeMap<u32, Searches<'a>>,
}

impl Series<'_> {
    /// The search of a position to a depth.
    pub fn row(&self, position: usize, depth: u32) -> Option<&Row> {
        self.depths.get(&depth)?.get(&position).copied()
    }
}

/// All results of one shape.
#[derive(Debug)]
pub struct Results<'a> {
    /// n/k in Dice; the game's name in others.
    pub shape: String,
    /// Plainest algorithm first.
    pub series: Vec<Series<'a>>,
}

/// A row of an algorithm that this program does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// How many rows come before it.
    pub row: usize,
    /// The algorithm's name and options.
    pub name: String,
}

impl<'a> Results<'a> {
    /// Sort rows by shape; complains of one that names no algorithm.
    pub fn gather(rows: &'a [Row]) -> Result<Vec<Results<'a>>, Unknown> {
        let mut shapes: BTreeMap<&str, Vec<Series>> = BTreeMap::new();
        for (i, row) in rows.iter().enumerate() {
            let unknown = || Unknown { row: i, name: format!("{} {}", row.algorithm, row.options).trim().into() };
            let variant = Variant::parse(&row.algorithm, &row.options).ok_or_else(unknown)?;
            let series = shapes.entry(&row.shape).or_default();
            let place = series.iter().position(|series| series.variant == variant).unwrap_or_else(|| {
                series.push(Series { variant, label: String::new(), depths: BTreeMap::new() });
                series.len() - 1
            });
            series[place].depths.entry(row.depth).or_default().insert(row.position, row);
        }
        let sorted = shapes.into_iter().map(|(shape, mut series)| {
            series.sort_by_key(|series| series.variant.rank());
            label(&mut series);
            Results { shape: shape.to_string(), series }
        });
        Ok(sorted.collect())
    }

    /// Every depth that was searched.
    pub fn depths(&self) -> BTreeSet<u32> {
        self.series.iter().flat_map(|series| series.depths.keys().copied()).collect()
    }

    /// The greatest depth.
    pub fn deepest(&self) -> u32 {
        self.depths().last().copied().unwrap_or(0)
    }

    /// Every position that was searched.
    pub fn positions(&self) -> BTreeSet<usize> {
        let searches = self.series.iter().flat_map(|series| series.depths.values());
        searches.flat_map(|searches| searches.keys().copied()).collect()
    }

    /// The value of a position to a depth, from whichever algorithm has it: all agree, or the report says so.
    pub fn value(&self, position: usize, depth: u32) -> Option<f64> {
        self.series.iter().find_map(|series| series.row(position, depth)).map(|row| row.value)
    }
}

fn label(series: &mut [Series]) {
    let algorithms: Vec<_> = series.iter().map(|series| series.variant.algorithm).collect();
    for series in series {
        let alone = algorithms.iter().filter(|&&other| other == series.variant.algorithm).count() == 1;
        series.label = if alone { series.variant.algorithm.name().into() } else { series.variant.full_name() };
    }
}
