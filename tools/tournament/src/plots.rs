//! Pictures of the results: the running score of one pairing, or the scores of several by noise, by depth or by name.

use crate::chart::{self, Axis, Curve, DrawError, Series};
use crate::conditions::{Conditions, Pairing};
use crate::error::Error;
use crate::schedule::Format;
use crate::stats::{Estimate, Stats};
use crate::summary::{Results, Tally};
use crate::table::pairing_name;
use alea_tools::files;
use std::path::Path;

/// Draw every chart these results have, into the folder.
pub fn write(dir: &Path, conditions: &Conditions, results: &Results) -> Result<(), Error> {
    let pairings = conditions.pairings();
    let cells: Vec<(Pairing, Estimate)> = pairings
        .iter()
        .zip(&results.tallies)
        .filter_map(|(&pairing, tally)| Some((pairing, tally.stats()?.score)))
        .collect();
    if cells.is_empty() {
        return Ok(());
    }
    let save = |file: &str, drawn: Result<String, DrawError>| {
        let svg = drawn.map_err(|error| Error::Draw { file: file.to_string(), why: error.to_string() })?;
        files::replace(&dir.join(file), svg.as_bytes()).map_err(Error::from)
    };
    let game = &conditions.variant;
    if conditions.format == Format::Depths {
        let title = format!("{game}: score of the deeper side");
        let (by_noise, by_depth) = (by_noise(conditions, &cells), by_depth(conditions, &cells));
        save("score-by-noise.svg", chart::intervals(&title, &by_noise.1, &by_noise.0))?;
        return save("score-by-depth.svg", chart::intervals(&title, &by_depth.1, &by_depth.0));
    }
    if let ([pairing], [tally]) = (pairings.as_slice(), results.tallies.as_slice()) {
        let title = format!("{game}: score of {}", pairing_name(conditions, *pairing));
        return save("score.svg", chart::running(&title, &curve(tally)));
    }
    let title = format!("{game}: score of the engine named first");
    let names = cells.iter().map(|(pairing, _)| pairing_name(conditions, *pairing)).collect();
    let points = cells.iter().enumerate().map(|(i, (_, score))| (i as f64, *score)).collect();
    let series = [Series { name: String::new(), points }];
    save("score.svg", chart::intervals(&title, &Axis { title: "pairing", names }, &series))
}

/// How the score of a pairing came about.
fn curve(tally: &Tally) -> Curve {
    let point = |stats: Stats| (stats.pairs, stats.score);
    // What play was alike at every place is not known; at the end it is.
    let stats = |counts: &_| if counts == &tally.pair_counts { tally.stats() } else { Stats::of(counts, 0) };
    tally.trace.points(&tally.pair_counts).filter_map(stats).map(point).collect()
}

fn noise(conditions: &Conditions, pairing: Pairing) -> String {
    conditions.noise(pairing.first).unwrap_or("0").to_string()
}

fn by_noise(conditions: &Conditions, cells: &[(Pairing, Estimate)]) -> (Vec<Series>, Axis) {
    let name = |pairing| format!("depth {}", pairing_name(conditions, pairing));
    let place = |pairing, _: &mut Vec<String>| noise(conditions, pairing).parse().unwrap_or(0.0);
    (grouped(cells, name, place).0, Axis { title: "noise (standard deviation)", names: Vec::new() })
}

fn by_depth(conditions: &Conditions, cells: &[(Pairing, Estimate)]) -> (Vec<Series>, Axis) {
    let name = |pairing| format!("noise {}", noise(conditions, pairing));
    let place = |pairing, names: &mut Vec<String>| {
        let name = pairing_name(conditions, pairing);
        let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        place as f64
    };
    let (series, names) = grouped(cells, name, place);
    (series, Axis { title: "depths", names })
}

/// The cells as series of the same name, each at its place; with the names of the places, if they have any.
fn grouped(
    cells: &[(Pairing, Estimate)],
    name: impl Fn(Pairing) -> String,
    place: impl Fn(Pairing, &mut Vec<String>) -> f64,
) -> (Vec<Series>, Vec<String>) {
    let mut all: Vec<Series> = Vec::new();
    let mut names = Vec::new();
    for &(pairing, score) in cells {
        let (name, point) = (name(pairing), (place(pairing, &mut names), score));
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name, points: vec![point] }),
        }
    }
    (all, names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::tests::example;
    use crate::records::tests::pair;
    use crate::schedule::Task;

    #[test]
    fn charts_are_drawn_for_any_results() {
        let task = Task { number: 0, pairing: 0, pair: 0 };
        for (format, depths) in [(Format::Depths, vec![1, 3, 5]), (Format::RoundRobin, vec![1, 3, 5])] {
            for half_points in [[0, 0], [1, 1], [2, 2], [2, 1]] {
                let mut conditions = example(&depths, &["0", "0.1"]);
                conditions.format = format;
                drawn(&conditions, 1, &[pair(task, half_points)]);
            }
        }
    }

    /// One pairing is a curve over its pairs, not a single point.
    #[test]
    fn one_pairing_is_a_curve() {
        let task = |number| Task { number, pairing: 0, pair: number };
        let mut conditions = example(&[1, 3], &["0"]);
        conditions.format = Format::RoundRobin;
        let sequences: [&[[usize; 2]]; 4] = [&[[2, 0]], &[[2, 2]; 3], &[[2, 0], [2, 2], [0, 0]], &[[2, 2], [2, 1]]];
        for sequence in sequences {
            let pairs: Vec<_> = sequence.iter().enumerate().map(|(i, points)| pair(task(i as u64), *points)).collect();
            let svg = drawn(&conditions, 0, &pairs);
            assert!(svg.contains("pairs played"), "{svg}");
        }
    }

    fn drawn(conditions: &Conditions, pairing: usize, pairs: &[crate::records::PairRecord]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let mut results = Results::new(conditions);
        write(dir.path(), conditions, &results).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing to draw yet");
        for pair in pairs {
            results.add(conditions, pairing, pair);
        }
        write(dir.path(), conditions, &results).unwrap();
        let mut last = String::new();
        for entry in std::fs::read_dir(dir.path()).unwrap() {
            let svg = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            last = svg;
        }
        last
    }
}
