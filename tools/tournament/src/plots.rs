//! Pictures of the results: score with its 95 % interval, by noise and by depth, or by pairing.

use crate::conditions::{Conditions, Pairing};
use crate::schedule::Format;
use crate::stats::{Estimate, Stats};
use crate::summary::Results;
use crate::table::pairing_name;
use alea_tools::files;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::path::Path;

/// Colours that differ in lightness too.
const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 190, 207),
];

/// One line of a chart.
struct Series {
    name: String,
    /// Place on the x axis, score.
    points: Vec<(f64, Estimate)>,
}

/// What stands below the x axis.
struct Axis {
    title: &'static str,
    /// Names of the places 0, 1, …; none if the places are numbers themselves.
    names: Vec<String>,
}

/// Draw every chart these results have, into the folder.
pub fn write(dir: &Path, conditions: &Conditions, results: &Results) -> Result<(), String> {
    let pairings = conditions.pairings();
    let cells: Vec<(Pairing, Estimate)> = pairings
        .iter()
        .zip(&results.tallies)
        .filter_map(|(&pairing, tally)| Some((pairing, Stats::of(&tally.pair_counts)?.score)))
        .collect();
    if cells.is_empty() {
        return Ok(());
    }
    let draw = |file: &str, title: &str, axis: &Axis, series: &[Series]| {
        let svg = chart(title, axis, series).map_err(|error| format!("{file}: cannot draw it: {error}"))?;
        Ok(files::replace(&dir.join(file), svg.as_bytes())?)
    };
    if conditions.format != Format::Depths {
        let title = format!("Dice {}: score of the engine named first", conditions.shape);
        let names = cells.iter().map(|(pairing, _)| pairing_name(conditions, *pairing)).collect();
        let points = cells.iter().enumerate().map(|(i, (_, score))| (i as f64, *score)).collect();
        let series = Series { name: String::new(), points };
        return draw("score.svg", &title, &Axis { title: "pairing", names }, &[series]);
    }
    let title = format!("Dice {}: score of the deeper side", conditions.shape);
    let noise = |pairing: Pairing| conditions.noise(pairing.first).unwrap_or("0").to_string();
    let (by_noise, _) =
        grouped(&cells, |p| format!("depth {}", pairing_name(conditions, p)), |p, _| noise(p).parse().unwrap_or(0.0));
    draw("score-by-noise.svg", &title, &Axis { title: "noise (standard deviation)", names: Vec::new() }, &by_noise)?;
    let (by_depth, names) = grouped(
        &cells,
        |p| format!("noise {}", noise(p)),
        |p, names: &mut Vec<String>| {
            let name = pairing_name(conditions, p);
            let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            place as f64
        },
    );
    draw("score-by-depth.svg", &title, &Axis { title: "depths", names }, &by_depth)
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

type DrawError = Box<dyn std::error::Error>;

fn chart(title: &str, axis: &Axis, series: &[Series]) -> Result<String, DrawError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 500)).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area, title, axis, series)?;
        area.present()?;
    }
    Ok(svg)
}

fn draw(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    axis: &Axis,
    series: &[Series],
) -> Result<(), DrawError> {
    let points = || series.iter().flat_map(|series| &series.points);
    let (x_min, x_max) = points().fold((f64::MAX, f64::MIN), |(a, b), point| (a.min(point.0), b.max(point.0)));
    let ends = points().flat_map(|(_, score)| [score.value - score.error, score.value + score.error]);
    let (low, high) = ends.fold((0.5f64, 0.5f64), |(a, b), end| (a.min(end), b.max(end)));
    // Room for the intervals and, with named places, for half a place to each side.
    let x_room = if axis.names.is_empty() { ((x_max - x_min) * 0.06).max(0.01) } else { 0.5 };
    let y_room = ((high - low) * 0.08).max(0.01);
    let y_range = 100.0 * (low - y_room).max(0.0)..100.0 * (high + y_room).min(1.0);

    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(46)
        .y_label_area_size(56)
        .build_cartesian_2d(x_min - x_room..x_max + x_room, y_range)?;
    let name = |x: &f64| {
        if axis.names.is_empty() {
            return format!("{}", (x * 1e4).round() / 1e4 + 0.0);
        }
        let whole = (x - x.round()).abs() < 1e-6 && *x > -0.5;
        if whole { axis.names.get(x.round() as usize).cloned().unwrap_or_default() } else { String::new() }
    };
    let labels = if axis.names.is_empty() { 10 } else { 2 * axis.names.len() + 1 };
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_labels(labels)
        .x_label_formatter(&name)
        .x_desc(axis.title)
        .y_desc("won % (draws half), 95 % interval")
        .axis_desc_style(("sans-serif", 16))
        .label_style(("sans-serif", 14))
        .draw()?;
    chart.draw_series([PathElement::new([(x_min - x_room, 50.0), (x_max + x_room, 50.0)], BLACK.mix(0.5))])?;

    let step = (x_max - x_min + 2.0 * x_room) / 200.0;
    for (i, one) in series.iter().enumerate() {
        // Side by side, so that no interval hides another.
        let shift = (i as f64 - 0.5 * (series.len() - 1) as f64) * step;
        let style = Style { colour: COLOURS[i % COLOURS.len()], shift, cap: 0.4 * step, joined: axis.names.is_empty() };
        draw_one(&mut chart, one, &style)?;
    }
    if series.iter().any(|series| !series.name.is_empty()) {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .label_font(("sans-serif", 14))
            .draw()?;
    }
    Ok(())
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// How a series is drawn.
struct Style {
    colour: RGBColor,
    /// To the right of its places.
    shift: f64,
    /// Half the width of an interval's ends.
    cap: f64,
    /// Whether a line joins the points: between named places there is nothing for it to pass.
    joined: bool,
}

fn draw_one(chart: &mut Chart<'_, '_>, series: &Series, style: &Style) -> Result<(), DrawError> {
    let &Style { colour, shift, cap, joined } = style;
    let at = |x: f64, y: f64| (x + shift, 100.0 * y);
    let line = series.points.iter().filter(|_| joined).map(|(x, score)| at(*x, score.value));
    let drawn = chart.draw_series(LineSeries::new(line, colour.mix(0.6).stroke_width(2)))?;
    if !series.name.is_empty() {
        let sample = move |(x, y): (i32, i32)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2));
        drawn.label(&series.name).legend(sample);
    }
    for (x, score) in &series.points {
        let (low, high) = (score.value - score.error, score.value + score.error);
        let style = colour.stroke_width(1);
        chart.draw_series([
            PathElement::new([at(*x, low), at(*x, high)], style),
            PathElement::new([at(x - cap, low), at(x + cap, low)], style),
            PathElement::new([at(x - cap, high), at(x + cap, high)], style),
        ])?;
        chart.draw_series([Circle::new(at(*x, score.value), 4, colour.filled())])?;
    }
    Ok(())
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
        for format in [Format::Depths, Format::RoundRobin] {
            for half_points in [[0, 0], [1, 1], [2, 2], [2, 1]] {
                let dir = tempfile::tempdir().unwrap();
                let mut conditions = example(&[1, 3, 5], &["0", "0.1"]);
                conditions.format = format;
                let mut results = Results::new(&conditions);
                write(dir.path(), &conditions, &results).unwrap();
                assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing to draw yet");
                results.add(&conditions, 1, &pair(task, half_points));
                write(dir.path(), &conditions, &results).unwrap();
                for entry in std::fs::read_dir(dir.path()).unwrap() {
                    let svg = std::fs::read_to_string(entry.unwrap().path()).unwrap();
                    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                }
            }
        }
    }
}
