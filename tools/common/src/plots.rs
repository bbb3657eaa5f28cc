//! What the pictures of all tools have in common: size, colours, markers, the look of axes, names beside the plot so that
//! they hide none of it, and SVG as the outcome.

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::element::DynElement;
use plotters::prelude::*;
use std::fmt;
use std::io;

/// Where a picture, or a part of one, is drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Why something cannot be drawn, as plotters says it.
pub type Fault = DrawingAreaErrorKind<io::Error>;

/// A picture that could not be drawn.
#[derive(Debug)]
pub struct DrawError {
    /// Its title.
    pub title: String,
    /// Why.
    pub source: Fault,
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot draw '{}': {}", self.title, self.source)
    }
}

impl std::error::Error for DrawError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

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

/// The colour of the nth thing in a picture.
pub fn color(nth: usize) -> RGBColor {
    COLORS[nth % COLORS.len()]
}

/// The marker of the nth thing: neighbours have other shapes, not only other colours.
pub fn marker<'a, At: Clone + 'static>(nth: usize, at: At, size: i32) -> DynElement<'static, SVGBackend<'a>, At> {
    let style = color(nth);
    match nth % 3 {
        0 => Circle::new(at, size, style.filled()).into_dyn(),
        1 => TriangleMarker::new(at, size + 1, style.filled()).into_dyn(),
        _ => Cross::new(at, size, style.stroke_width(2)).into_dyn(),
    }
}

/// How something looks in the list of names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Swatch {
    /// A line through markers, those of the nth thing.
    Curve(usize),
    /// A line alone.
    Line(RGBAColor),
    /// A point alone, of this radius.
    Dot(RGBAColor, i32),
    /// An area.
    Band(RGBAColor),
}

/// A name and what it stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    /// How it looks.
    pub swatch: Swatch,
    /// What it is called.
    pub label: String,
}

/// Room for names beside the plot: for each letter, and besides.
const LETTER: u32 = 9;
const SWATCH: u32 = 56;

/// An SVG of a size, with a white ground.
pub fn picture(
    title: &str,
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Fault>,
) -> Result<String, DrawError> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = area.fill(&WHITE).and_then(|()| draw(&area)).and_then(|()| area.present());
    drop(area);
    drawn.map_err(|source| DrawError { title: title.into(), source })?;
    Ok(svg)
}

/// Write the names to the right of an area; what is left of it is for the plot.
pub fn names_beside<'a>(area: &Area<'a>, names: &[Name]) -> Result<Area<'a>, Fault> {
    let (width, _) = area.dim_in_pixel();
    let longest = names.iter().map(|name| name.label.chars().count() as u32).max().unwrap_or(0);
    let (plot, list) = area.split_horizontally(width.saturating_sub(SWATCH + LETTER * longest).max(width / 2));
    for (i, name) in names.iter().enumerate() {
        let y = 70 + 24 * i as i32;
        let line = |style: ShapeStyle| PathElement::new([(4, y), (28, y)], style);
        match name.swatch {
            Swatch::Curve(nth) => {
                list.draw(&line(color(nth).stroke_width(3)))?;
                list.draw(&marker(nth, (16, y), 4))?;
            }
            Swatch::Line(color) => list.draw(&line(color.stroke_width(2)))?,
            Swatch::Dot(color, radius) => list.draw(&Circle::new((16, y), radius, color.filled()))?,
            Swatch::Band(color) => list.draw(&Rectangle::new([(4, y - 7), (28, y + 7)], color.filled()))?,
        }
        list.draw(&Text::new(name.label.clone(), (36, y - 8), ("sans-serif", 15)))?;
    }
    Ok(plot)
}

/// A chart with a caption and room for labels, to be given its axes.
pub fn chart<'a, 'b>(plot: &'b Area<'a>, title: &str) -> ChartBuilder<'b, 'b, SVGBackend<'a>>
where
    'a: 'b,
{
    let mut chart = ChartBuilder::on(plot);
    chart.caption(title, ("sans-serif", 20)).margin(14).x_label_area_size(44).y_label_area_size(64);
    chart
}

/// The look of axes and of the lines behind a plot.
pub fn style<'a, 'b, 'c, X: Ranged, Y: Ranged>(
    mesh: &'c mut MeshStyle<'a, 'b, X, Y, SVGBackend<'a>>,
    x_name: &str,
    y_name: &str,
) -> &'c mut MeshStyle<'a, 'b, X, Y, SVGBackend<'a>> {
    mesh.x_desc(x_name)
        .y_desc(y_name)
        .label_style(("sans-serif", 14))
        .light_line_style(BLACK.mix(0.06))
        .bold_line_style(BLACK.mix(0.18))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_its_names() {
        let looks =
            [Swatch::Curve(0), Swatch::Line(RED.into()), Swatch::Dot(BLUE.into(), 3), Swatch::Band(RED.mix(0.2))];
        let names: Vec<Name> =
            (0..).zip(looks).map(|(i, swatch): (i32, _)| Name { swatch, label: format!("name {i}") }).collect();
        let svg = picture("A title", (400, 300), |area| names_beside(area, &names).map(drop)).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(names.iter().all(|name| svg.contains(&name.label)), "{svg}");
    }
}
