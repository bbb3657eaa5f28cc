//! The calibration as a picture: predicted against exact value, position by position and bin by bin.

use crate::check::Bin;
use plotters::prelude::*;
use std::path::Path;

/// How far a bin's mean may lie from the diagonal.
const BAND: f64 = 0.08;

/// Draw the picture into a string, then put it on disk in one piece.
pub fn calibration(path: &Path, title: &str, points: &[(f64, f64)], bins: &[Bin]) -> Result<(), String> {
    let mut svg = String::new();
    draw(&mut svg, title, points, bins).map_err(|error| error.to_string())?;
    alea::files::replace(path, svg.as_bytes()).map_err(|error| error.to_string())
}

fn draw(svg: &mut String, title: &str, points: &[(f64, f64)], bins: &[Bin]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (640, 640)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(-1.0..1.0, -1.0..1.0)?;
    chart.configure_mesh().x_desc("predicted value at depth 1").y_desc("exact value").light_line_style(WHITE).draw()?;
    chart.draw_series(points.iter().map(|&(x, y)| Circle::new((x, y), 1, BLUE.mix(0.35).filled())))?;
    for shift in [-BAND, 0.0, BAND] {
        let line = [(-1.0, -1.0 + shift), (1.0, 1.0 + shift)];
        let style = if shift == 0.0 { BLACK.mix(0.8) } else { BLACK.mix(0.25) };
        chart.draw_series(LineSeries::new(line, style))?;
    }
    let full = bins.iter().filter(|bin| bin.count > 0);
    chart.draw_series(full.map(|bin| Circle::new((bin.predicted, bin.exact), 5, RED.filled())))?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_svg_with_every_point() {
        let mut svg = String::new();
        let bins = [Bin { count: 2, predicted: 0.1, exact: 0.2 }, Bin { count: 0, predicted: 0.0, exact: 0.0 }];
        draw(&mut svg, "A title", &[(0.1, 0.1), (0.2, -0.3)], &bins).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("A title") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<circle").count(), 3);
    }
}
