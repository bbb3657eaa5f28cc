//! The pictures of a report: cost against depth, and cost position by position, on logarithmic scales as the thesis
//! draws them.

use super::gather::Results;
use super::tables::{Metric, stats};
use crate::games::title;
use alea_tools::plots::{self, Area, DrawError, Fault, Name, Swatch};
use plotters::prelude::*;

/// Width and height of a picture.
const SIZE: (u32, u32) = (960, 540);

/// One line of a picture.
struct Curve {
    label: String,
    points: Vec<(f64, f64)>,
}

/// Mean nodes against depth.
pub fn nodes_by_depth(results: &Results) -> Result<Option<String>, DrawError> {
    let curves = results.series.iter().map(|series| Curve {
        label: series.label.clone(),
        points: series
            .depths
            .iter()
            .filter_map(|(&depth, searches)| Some((f64::from(depth), stats(searches, Metric::Nodes)?.mean)))
            .collect(),
    });
    let title = format!("Nodes to depth, {}, mean of {} positions", title(&results.shape), results.positions().len());
    draw(&title, "depth", "nodes", &curves.collect::<Vec<_>>())
}

/// The cost of each position to the greatest depth.
pub fn by_position(results: &Results, metric: Metric) -> Result<Option<String>, DrawError> {
    let depth = results.deepest();
    let curves = results.series.iter().map(|series| Curve {
        label: series.label.clone(),
        points: series
            .depths
            .get(&depth)
            .into_iter()
            .flatten()
            .map(|(&position, row)| (position as f64, metric.of(row)))
            .collect(),
    });
    let (name, unit) = match metric {
        Metric::Nodes => ("Nodes", "nodes"),
        Metric::Time => ("Time", "milliseconds"),
    };
    let title = format!("{name} to depth {depth}, {}, position by position", title(&results.shape));
    draw(&title, "position", unit, &curves.collect::<Vec<_>>())
}

/// A picture of named curves, or nothing where there is nothing to draw.
pub fn curves(
    title: &str,
    x_name: &str,
    y_name: &str,
    named: Vec<(String, Vec<(f64, f64)>)>,
) -> Result<Option<String>, DrawError> {
    let curves: Vec<Curve> = named.into_iter().map(|(label, points)| Curve { label, points }).collect();
    draw(title, x_name, y_name, &curves)
}

/// An SVG of the curves, or nothing where there is nothing to draw.
fn draw(title: &str, x_name: &str, y_name: &str, curves: &[Curve]) -> Result<Option<String>, DrawError> {
    // A logarithmic scale has no place for nought.
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(|(_, y)| *y > 0.0);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = points().map(of).min_by(f64::total_cmp)?;
        Some((low, points().map(of).max_by(f64::total_cmp)?))
    };
    let (Some(x), Some(y)) = (range(|point| point.0), range(|point| point.1)) else { return Ok(None) };
    plots::picture(title, SIZE, |area| chart(area, [title, x_name, y_name], x, y, curves)).map(Some)
}

fn chart(
    area: &Area,
    [title, x_name, y_name]: [&str; 3],
    x: (f64, f64),
    y: (f64, f64),
    curves: &[Curve],
) -> Result<(), Fault> {
    let name = |(nth, curve): (usize, &Curve)| Name { swatch: Swatch::Curve(nth), label: curve.label.clone() };
    let plot = plots::names_beside(area, &curves.iter().enumerate().map(name).collect::<Vec<_>>())?;
    let decades = 10f64.powf(y.0.log10().floor())..10f64.powf(y.1.log10().ceil().max(y.0.log10().floor() + 1.0));
    let mut chart = plots::chart(&plot, title).build_cartesian_2d(x.0 - 0.5..x.1 + 0.5, decades.log_scale())?;
    plots::style(&mut chart.configure_mesh(), x_name, y_name)
        .x_labels(((x.1 - x.0) as usize + 1).min(20))
        .x_max_light_lines(1)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&power_of_ten)
        .draw()?;
    for (nth, curve) in curves.iter().enumerate() {
        let points: Vec<(f64, f64)> = curve.points.iter().copied().filter(|(_, y)| *y > 0.0).collect();
        chart.draw_series(LineSeries::new(points.iter().copied(), plots::color(nth).stroke_width(2)))?;
        chart.draw_series(points.iter().map(|&point| plots::marker(nth, point, 3)))?;
    }
    Ok(())
}

fn power_of_ten(y: &f64) -> String {
    if (0.01..10_000.0).contains(y) { format!("{y}") } else { format!("{y:e}") }
}
