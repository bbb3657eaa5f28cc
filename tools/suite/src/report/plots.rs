//! The pictures of a report: cost against depth, and cost position by position, on logarithmic scales as the thesis
//! draws them.

use super::gather::Results;
use super::tables::{Metric, stats};
use plotters::prelude::*;

/// Width and height of a picture.
const SIZE: (u32, u32) = (960, 540);

/// Room for names beside the plot, for each letter and besides.
const LETTER: u32 = 9;
const SWATCH: u32 = 56;

/// Colours that those who see few can tell apart (Okabe & Ito 2008).
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(0, 114, 178),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// One line of a picture.
struct Curve {
    label: String,
    points: Vec<(f64, f64)>,
}

/// Mean nodes against depth.
pub fn nodes_by_depth(results: &Results) -> Result<Option<String>, String> {
    let curves = results.series.iter().map(|series| Curve {
        label: series.label.clone(),
        points: series
            .depths
            .iter()
            .filter_map(|(&depth, searches)| Some((f64::from(depth), stats(searches, Metric::Nodes)?.mean)))
            .collect(),
    });
    let title = format!("Nodes to depth, {} Dice, mean of {} positions", results.shape, results.positions().len());
    draw(&title, "depth", "nodes", &curves.collect::<Vec<_>>())
}

/// The cost of each position to the greatest depth.
pub fn by_position(results: &Results, metric: Metric) -> Result<Option<String>, String> {
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
    let title = format!("{name} to depth {depth}, {} Dice, position by position", results.shape);
    draw(&title, "position", unit, &curves.collect::<Vec<_>>())
}

/// An SVG of the curves, or nothing where there is nothing to draw.
fn draw(title: &str, x_name: &str, y_name: &str, curves: &[Curve]) -> Result<Option<String>, String> {
    // A logarithmic scale has no place for nought.
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(|(_, y)| *y > 0.0);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = points().map(of).min_by(f64::total_cmp)?;
        Some((low, points().map(of).max_by(f64::total_cmp)?))
    };
    let (Some(x), Some(y)) = (range(|point| point.0), range(|point| point.1)) else { return Ok(None) };
    let mut svg = String::new();
    let drawn = chart(&mut svg, [title, x_name, y_name], x, y, curves);
    drawn.map_err(|error| format!("cannot draw '{title}': {error}"))?;
    Ok(Some(svg))
}

fn chart(
    svg: &mut String,
    [title, x_name, y_name]: [&str; 3],
    x: (f64, f64),
    y: (f64, f64),
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let longest = curves.iter().map(|curve| curve.label.chars().count() as u32).max().unwrap_or(0);
    let (plot, names) = area.split_horizontally(SIZE.0.saturating_sub(SWATCH + LETTER * longest).max(SIZE.0 / 2));
    legend(&names, curves)?;
    let decades = 10f64.powf(y.0.log10().floor())..10f64.powf(y.1.log10().ceil().max(y.0.log10().floor() + 1.0));
    let mut chart = ChartBuilder::on(&plot)
        .caption(title, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(x.0 - 0.5..x.1 + 0.5, decades.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc(y_name)
        .x_labels(((x.1 - x.0) as usize + 1).min(20))
        .x_max_light_lines(1)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&power_of_ten)
        .label_style(("sans-serif", 14))
        .light_line_style(BLACK.mix(0.06))
        .bold_line_style(BLACK.mix(0.18))
        .draw()?;
    for (i, curve) in curves.iter().enumerate() {
        let color = COLORS[i % COLORS.len()];
        let points: Vec<(f64, f64)> = curve.points.iter().copied().filter(|(_, y)| *y > 0.0).collect();
        chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?;
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, color.filled())))?;
    }
    area.present()?;
    Ok(())
}

/// The names of the curves, beside the plot so that they hide none of it.
fn legend(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    for (i, curve) in curves.iter().enumerate() {
        let (color, y) = (COLORS[i % COLORS.len()], 70 + 24 * i as i32);
        area.draw(&PathElement::new([(4, y), (28, y)], color.stroke_width(3)))?;
        area.draw(&Circle::new((16, y), 4, color.filled()))?;
        area.draw(&Text::new(curve.label.clone(), (36, y - 8), ("sans-serif", 15)))?;
    }
    Ok(())
}

fn power_of_ten(y: &f64) -> String {
    if (0.01..10_000.0).contains(y) { format!("{y}") } else { format!("{y:e}") }
}
