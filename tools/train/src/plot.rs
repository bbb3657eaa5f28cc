//! The calibration as a picture: predicted against exact value, position by position and bin by bin.

use crate::check::Bin;
use alea_tools::plots::{self, Area, DrawError, Fault, Name, Swatch};
use plotters::prelude::*;

/// How far a bin's mean may lie from the diagonal.
const BAND: f64 = 0.08;
/// Width and height: names stand beside a plot that is about square.
const SIZE: (u32, u32) = (860, 640);

/// The corners of the band about the diagonal, cut off where the plot ends.
fn band() -> [(f64, f64); 6] {
    [(-1.0, -1.0), (-1.0, -1.0 + BAND), (1.0 - BAND, 1.0), (1.0, 1.0), (1.0, 1.0 - BAND), (-1.0 + BAND, -1.0)]
}

/// The picture as SVG.
pub fn calibration(title: &str, points: &[(f64, f64)], bins: &[Bin]) -> Result<String, DrawError> {
    plots::picture(title, SIZE, |area| draw(area, title, points, bins))
}

fn draw(area: &Area, title: &str, points: &[(f64, f64)], bins: &[Bin]) -> Result<(), Fault> {
    let [position, bin] = [plots::color(3).mix(0.4), plots::color(1).to_rgba()];
    let [band_color, diagonal] = [plots::color(2).mix(0.18), BLACK.mix(0.8)];
    let names = [
        (Swatch::Dot(position, 2), "one position".to_string()),
        (Swatch::Dot(bin, 5), "mean of a bin".into()),
        (Swatch::Line(diagonal), "predicted = exact".into()),
        (Swatch::Band(band_color), format!("within {BAND} of it")),
    ];
    let plot = plots::names_beside(area, &names.map(|(swatch, label)| Name { swatch, label }))?;
    let mut chart = plots::chart(&plot, title).build_cartesian_2d(-1.0..1.0, -1.0..1.0)?;
    plots::style(&mut chart.configure_mesh(), "predicted value at depth 1", "exact value").max_light_lines(2).draw()?;
    chart.draw_series([Polygon::new(band(), band_color)])?;
    chart.draw_series(points.iter().map(|&at| Circle::new(at, 2, position.filled())))?;
    chart.draw_series(LineSeries::new([(-1.0, -1.0), (1.0, 1.0)], diagonal))?;
    let full = bins.iter().filter(|bin| bin.count > 0);
    chart.draw_series(full.map(|mean| Circle::new((mean.predicted, mean.exact), 5, bin.filled())))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_runs_along_the_diagonal() {
        let corners = band();
        assert!(corners.iter().all(|&(x, y)| (-1.0..=1.0).contains(&x) && (-1.0..=1.0).contains(&y)));
        let apart: Vec<i32> = corners.iter().map(|&(x, y)| ((y - x) / BAND * 1000.0).round() as i32).collect();
        assert_eq!(apart, [0, 1000, 1000, 0, -1000, -1000]);
    }

    #[test]
    fn the_picture_has_every_point_and_every_name() {
        let bins = [Bin { count: 2, predicted: 0.1, exact: 0.2 }, Bin { count: 0, predicted: 0.0, exact: 0.0 }];
        let svg = calibration("A title", &[(0.1, 0.1), (0.2, -0.3)], &bins).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("A title") && svg.trim_end().ends_with("</svg>"));
        // Two of the circles are in the legend.
        assert_eq!(svg.matches("<circle").count(), 3 + 2);
        assert_eq!(svg.matches("<polygon").count(), 1);
        for name in ["one position", "mean of a bin", "predicted = exact", "within 0.08 of it"] {
            assert!(svg.contains(name), "{name}");
        }
    }
}
