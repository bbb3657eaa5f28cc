//! How far each depth is from perfect play, on boards that can be swept.

use super::gather::{Results, Searches};
use super::plots;
use crate::run::cores;
use crate::truth::{COLUMNS, Verdict, Worth, cells, mean_loss};
use alea::game::dice::{Position, Shape};
use alea::sweep::dice::MAX_SIZE;
use alea_tools::plots::DrawError;
use alea_tools::tables::{Cell, Table};
use std::collections::BTreeMap;
use std::thread;

/// The positions of a shape that have been solved, by number.
pub type Solved = BTreeMap<usize, Worth>;

/// Solve the positions that results are of, on all cores: those that the book knows, or that are swept in a moment.
pub fn solve(results: &Results, positions: &[Position]) -> Solved {
    if results.shape.parse::<Shape>().map_or(true, |shape| shape.size() > MAX_SIZE) {
        return Solved::new();
    }
    // The last ones take longest where a suite goes from late positions to early ones: every thread gets some of all.
    let numbers: Vec<usize> = results.positions().into_iter().collect();
    let threads = cores().max(1);
    let part = |first: usize| {
        let worth = |&number: &usize| Some((number, Worth::of(positions.get(number.checked_sub(1)?)?)?));
        numbers.iter().skip(first).step_by(threads).filter_map(worth).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("a sweep that cannot panic")).collect()
    })
}

fn verdicts(searches: &Searches, solved: &Solved) -> Vec<Verdict> {
    let verdict = |(position, row): (&usize, &&crate::results::Row)| {
        Some(solved.get(position)?.against(row.value, &row.best_move))
    };
    searches.iter().filter_map(verdict).collect()
}

/// The figures of every algorithm and depth; `None` where nothing has been solved.
pub fn table(results: &Results, solved: &Solved) -> Option<Table> {
    let mut rows = Vec::new();
    for series in &results.series {
        for (&depth, searches) in &series.depths {
            let mut row = vec![Cell::from(series.label.as_str()), Cell::Count(depth.into())];
            row.extend(cells(&verdicts(searches, solved)));
            rows.push(row);
        }
    }
    let remark = "value: root of the mean square by which it is off; lost: what the move gives away on average; perfect: how often that is \
                  nothing. Over the positions that the book knows or that have at most 19 empty cells.";
    let header = ["algorithm", "depth"].iter().chain(&COLUMNS).map(|&name| name.into()).collect();
    let table = Table { header, rows, remark: remark.into(), ..Table::default() };
    (!solved.is_empty()).then(|| table.titled("truth", "Beside perfect play".into()))
}

/// What moves give away, against depth.
pub fn lost_by_depth(results: &Results, solved: &Solved) -> Result<Option<String>, DrawError> {
    let points = |depths: &BTreeMap<u32, Searches>| {
        let lost = |(&depth, searches)| Some((f64::from(depth), mean_loss(&verdicts(searches, solved))?));
        depths.iter().filter_map(lost).collect()
    };
    let named = results.series.iter().map(|series| (series.label.clone(), points(&series.depths))).collect();
    plots::curves(&format!("Value given away by a move, {}", results.shape), "depth", "mean loss", named)
}
