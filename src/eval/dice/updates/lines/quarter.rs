//! What checkers change on the first quarter of the board, which stands for all of it.

use super::patterns::{Catalogue, Line};
use crate::eval::dice::features::Layout;
use crate::eval::dice::lanes::Lanes;
use crate::eval::dice::updates::{Segments, segments};
use crate::game::dice::Side;
use std::collections::HashMap;

/// The board as a view sees it from one cell: the view is the row player and its checkers are blue, and the cell lies in
/// the first quarter.
#[derive(Clone, Copy)]
pub struct Angle<'a> {
    layout: &'a Layout,
    view: Side,
    /// The image of the view's own board that this is.
    pub frame: usize,
}

impl<'a> Angle<'a> {
    /// How a view sees the board from a cell.
    pub fn new(layout: &'a Layout, view: Side, cell: u16) -> Angle<'a> {
        let size = layout.shape().size();
        let upright = Angle { layout, view, frame: 0 };
        let place = usize::from(upright.sees(cell));
        let far = |at: usize| usize::from(2 * at >= size);
        Angle { frame: far(place % size) | far(place / size) << 1, ..upright }
    }

    /// Where it sees a cell.
    fn sees(self, cell: u16) -> u16 {
        let turned = if self.view == Side::Blue { cell.into() } else { self.layout.cell_turned(cell.into()) };
        self.layout.cell_image(turned, self.frame) as u16
    }

    /// Which of `lines` it sees in the place of a line, and whether from the other end.
    pub fn sees_line<'l>(self, lines: &'l [Line], line: &Line) -> (&'l Line, bool) {
        let ends = |line: &Line| [line.cell(0, false), line.cell(0, true)];
        let [first, last] = ends(line).map(|cell| self.sees(cell));
        let seen = lines.iter().find(|line| [[first, last], [last, first]].contains(&ends(line)));
        let seen = seen.expect("lines are seen as lines");
        (seen, seen.cells[0] != first)
    }
}

/// What checkers change in blue's view, for those cells of the first quarter and those directions that were asked for.
pub struct Quarter<'a> {
    pub layout: &'a Layout,
    catalogue: &'a Catalogue,
    source: &'a segments::Perspective,
    mover: Side,
    pub steps: Vec<Lanes>,
    /// By cell, direction and end from which kinds are counted.
    starts: HashMap<(u16, usize, bool), u16>,
}

impl<'a> Quarter<'a> {
    /// Nothing has been asked for of a mover's checkers.
    pub fn new(layout: &'a Layout, catalogue: &'a Catalogue, segments: &'a Segments, mover: Side) -> Quarter<'a> {
        let source = segments.perspective_of(mover, Side::Blue);
        Quarter { layout, catalogue, source, mover, steps: vec![Lanes::ZERO], starts: HashMap::new() }
    }

    /// Where the steps begin for a checker at a place of a line, counted from the other end if `flipped`.
    pub fn start(&mut self, line: &Line, at: usize, flipped: bool) -> u16 {
        let cell = line.cells[at];
        let key = (cell, line.direction, flipped);
        if let Some(&start) = self.starts.get(&key) {
            return start;
        }
        let start = self.steps.len() as u16;
        self.starts.insert(key, start);
        let win = self.layout.shape().win();
        for pattern in &self.catalogue.at(line.place(at)).all {
            let mut step = if line.direction == 0 { *self.source.checker(cell.into()) } else { Lanes::ZERO };
            for &(begin, code) in &pattern.segments {
                let ends = [begin, begin + win - 1].map(|at| line.cell(at, flipped));
                let code = if self.mover == Side::Blue { code } else { self.catalogue.codes.swapped(code) };
                step.add(self.source.step_in(self.layout.segment(&ends), code));
            }
            for &gap in &pattern.made {
                step.add(self.source.own_threat(line.cell(gap, flipped).into()));
            }
            self.steps.push(step);
        }
        start
    }
}
