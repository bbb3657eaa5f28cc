//! How charts are drawn: scores with their 95 % intervals side by side, or one score as it settles.

use crate::stats::Estimate;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// Colours that differ in lightness too.
const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 190, 207),
];

/// The size of a picture, and what of it the axes leave.
const SIZE: (u32, u32) = (800, 500);
const PLOT_WIDTH: f64 = 720.0;
const PLOT_HEIGHT: f64 = 400.0;

/// The height of a line of the legend.
const LEGEND_LINE: f64 = 18.0;

/// The radius of a marker, and how far markers at one place stand apart: so that none touches another.
const RADIUS: i32 = 4;
const APART: f64 = 3.0 * RADIUS as f64;

/// What stands beside the y axis.
const SCORE: &str = "won % (draws half), 95 % interval";

/// One line of a chart.
pub struct Series {
    /// What it is; empty if there is only one.
    pub name: String,
    /// Place on the x axis, score.
    pub points: Vec<(f64, Estimate)>,
}

/// What stands below the x axis.
pub struct Axis {
    /// What its places are.
    pub title: &'static str,
    /// Names of the places 0, 1, …; none if the places are numbers themselves.
    pub names: Vec<String>,
}

/// The score after so many pairs.
pub type Curve = Vec<(u64, Estimate)>;

/// Why a picture cannot be drawn.
pub type DrawError = Box<dyn std::error::Error>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Scores with their intervals, a series a colour.
pub fn intervals(title: &str, axis: &Axis, series: &[Series]) -> Result<String, DrawError> {
    picture(|area| draw_intervals(area, title, axis, series))
}

/// A score as it settled, with its band.
pub fn running(title: &str, curve: &Curve) -> Result<String, DrawError> {
    picture(|area| draw_running(area, title, curve))
}

fn picture(draw: impl FnOnce(&Area<'_>) -> Result<(), DrawError>) -> Result<String, DrawError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    Ok(svg)
}

/// An empty chart with its axes.
fn frame<'a, 'b>(
    area: &'a Area<'b>,
    title: &str,
    ranges: (Range<f64>, Range<f64>),
    x_title: &str,
    (labels, label): (usize, &dyn Fn(&f64) -> String),
) -> Result<Chart<'a, 'b>, DrawError> {
    let x = ranges.0.clone();
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(46)
        .y_label_area_size(56)
        .build_cartesian_2d(ranges.0, ranges.1)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_labels(labels)
        .x_label_formatter(&label)
        .x_desc(x_title)
        .y_desc(SCORE)
        .axis_desc_style(("sans-serif", 16))
        .label_style(("sans-serif", 14))
        .draw()?;
    chart.draw_series([PathElement::new([(x.start, 50.0), (x.end, 50.0)], BLACK.mix(0.5))])?;
    Ok(chart)
}

/// The ends of an interval.
fn ends(score: Estimate) -> [f64; 2] {
    let error = score.error.unwrap_or(0.0);
    [score.value - error, score.value + error]
}

/// How much of the score's range stays free at the top for the names of the series.
fn legend_room(series: &[Series], range: f64) -> f64 {
    if series.iter().all(|series| series.name.is_empty()) {
        return 0.0;
    }
    let share = ((LEGEND_LINE * (series.len() + 1) as f64) / PLOT_HEIGHT).min(0.5);
    range * share / (1.0 - share)
}

fn draw_intervals(area: &Area<'_>, title: &str, axis: &Axis, series: &[Series]) -> Result<(), DrawError> {
    let points = || series.iter().flat_map(|series| &series.points);
    let (x_min, x_max) = points().fold((f64::MAX, f64::MIN), |(a, b), point| (a.min(point.0), b.max(point.0)));
    let (low, high) =
        points().flat_map(|(_, score)| ends(*score)).fold((0.5f64, 0.5f64), |(a, b), v| (a.min(v), b.max(v)));
    // Room for markers side by side and, with named places, for half a place to each side.
    let spread = APART * series.len() as f64 / PLOT_WIDTH;
    let x_room = if axis.names.is_empty() { ((x_max - x_min) * (0.06 + spread)).max(0.01) } else { 0.5 };
    let y_room = ((high - low) * 0.08).max(0.01);
    let y_range = 100.0 * (low - y_room).max(0.0)..100.0 * (high + y_room + legend_room(series, high - low)).min(1.0);
    let name = |x: &f64| {
        if axis.names.is_empty() {
            return format!("{}", (x * 1e4).round() / 1e4 + 0.0);
        }
        let whole = (x - x.round()).abs() < 1e-6 && *x > -0.5;
        if whole { axis.names.get(x.round() as usize).cloned().unwrap_or_default() } else { String::new() }
    };
    let labels = if axis.names.is_empty() { 10 } else { 2 * axis.names.len() + 1 };
    let x_range = x_min - x_room..x_max + x_room;
    let pixel = (x_range.end - x_range.start) / PLOT_WIDTH;
    let mut chart = frame(area, title, (x_range, y_range), axis.title, (labels, &name))?;
    for (i, one) in series.iter().enumerate() {
        let shift = (i as f64 - 0.5 * (series.len() - 1) as f64) * APART * pixel;
        let colour = COLOURS[i % COLOURS.len()];
        let style = Style { colour, shift, cap: f64::from(RADIUS) * pixel, joined: axis.names.is_empty() };
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
        let [low, high] = ends(*score);
        let style = colour.stroke_width(1);
        chart.draw_series([
            PathElement::new([at(*x, low), at(*x, high)], style),
            PathElement::new([at(x - cap, low), at(x + cap, low)], style),
            PathElement::new([at(x - cap, high), at(x + cap, high)], style),
        ])?;
        chart.draw_series([Circle::new(at(*x, score.value), RADIUS, colour.filled())])?;
    }
    Ok(())
}

fn draw_running(area: &Area<'_>, title: &str, curve: &Curve) -> Result<(), DrawError> {
    let Some(&(pairs, last)) = curve.last() else { return Ok(()) };
    // What the first few pairs say is off the chart: the range is that of the end, with room for how it got there.
    let [low, high] = ends(last);
    let room = (3.0 * last.error.unwrap_or(0.0)).max(0.05);
    let (low, high) = ((low.min(0.5) - room).max(0.0), (high.max(0.5) + room).min(1.0));
    let title = match last.error {
        Some(error) => format!("{title}: {:.1} ± {:.1} %", 100.0 * last.value, 100.0 * error),
        None => format!("{title}: {:.1} %", 100.0 * last.value),
    };
    let label = |x: &f64| if (x - x.round()).abs() < 1e-6 { format!("{}", x.round()) } else { String::new() };
    let ranges = (0.0..1.02 * pairs as f64, 100.0 * low..100.0 * high);
    let mut chart = frame(area, &title, ranges, "pairs played", (10, &label))?;
    let colour = COLOURS[0];
    let at = |pairs: u64, y: f64| (pairs as f64, 100.0 * y.clamp(low, high));
    let known = || curve.iter().filter(|(_, score)| score.error.is_some());
    let upper = known().map(|(pairs, score)| at(*pairs, ends(*score)[1]));
    let lower = known().rev().map(|(pairs, score)| at(*pairs, ends(*score)[0]));
    let band: Vec<(f64, f64)> = upper.chain(lower).collect();
    if band.len() > 2 {
        chart.draw_series([Polygon::new(band, colour.mix(0.2))])?;
    }
    let line = curve.iter().map(|(pairs, score)| at(*pairs, score.value));
    chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
    chart.draw_series([Circle::new(at(pairs, last.value), RADIUS, colour.filled())])?;
    Ok(())
}
