//! What a network sees of a Dice position: one definition, for the trainer and the engine alike.
//!
//! A position is seen as a grid in the view of the side to move, which is always the row player: for red the board is
//! transposed and the colours change places. A feature is a number; a position is the list of its features.
//!
//! Three sets exist. `Streaks` is Veness's (2006): the checkers, and how many unbroken streaks of each length each side
//! has. `Lines` is made for accumulator search: the checkers, the empty cells that complete k in a row ("threats"), and
//! for every segment of k cells in a line that only one side has entered, how many checkers it has there. `Counts` is the
//! same with the places forgotten: how many checkers and threats each side has, and how many segments along its own lines,
//! across them and slanting it is alone in with each number of checkers.

use crate::game::dice::{Board, Shape, Side, Width, mirror};
use std::collections::HashMap;

/// The most cells a board has.
pub const MAX_CELLS: usize = 289;

/// Mirror images of a board that keep rows rows: bit 0 mirrors the columns, bit 1 the rows.
pub const IMAGES: usize = 4;

/// The longest streak that is told from longer ones, and the shortest that counts.
const STREAKS: std::ops::RangeInclusive<usize> = 2..=7;
const STREAK_LENGTHS: usize = 6;

/// The four directions of a line, as steps of row and column.
pub(super) const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// What directions come to where the two diagonals are one: along a row, along a column, slanting.
const SLANTS: usize = 3;

fn slant(direction: usize) -> usize {
    direction.min(SLANTS - 1)
}

/// Who stands on a cell, in the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Nobody.
    Empty,
    /// The side to move.
    Own,
    /// Its opponent.
    Other,
}

/// A position in the view of the side to move; cell (row, col) is at `row * n + col`.
#[derive(Clone, Copy)]
pub struct Grid {
    cells: [Seen; MAX_CELLS],
    size: usize,
}

impl Grid {
    /// The board as `view` sees it when it is to move.
    pub fn of<B: Width>(board: &Board<B>, view: Side) -> Grid {
        let size = board.shape().size();
        let mut cells = [Seen::Empty; MAX_CELLS];
        for (cell, owner) in board.checkers() {
            let (row, col) = (usize::from(cell.row), usize::from(cell.col));
            let place = if view == Side::Blue { row * size + col } else { col * size + row };
            cells[place] = if owner == view { Seen::Own } else { Seen::Other };
        }
        Grid { cells, size }
    }

    fn at(&self, row: isize, col: isize) -> Option<Seen> {
        let inside = 0..self.size as isize;
        (inside.contains(&row) && inside.contains(&col)).then(|| self.cells[row as usize * self.size + col as usize])
    }
}

/// Which of the sets of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureSet {
    /// Checkers and counts of streaks, as in Veness's thesis.
    Streaks,
    /// Checkers, threats and live segments.
    Lines,
    /// How many of those there are, wherever they lie.
    Counts,
}

/// What a feature says; `own` is of the side to move. Among [`FeatureSet::Counts`] the place of any stands for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// A checker stands on `cell`.
    Checker {
        /// Whose.
        own: bool,
        /// Where.
        cell: usize,
    },
    /// The empty `cell` completes k in a row.
    Threat {
        /// For whom.
        own: bool,
        /// Where.
        cell: usize,
    },
    /// One side alone is in a segment, with `count` checkers, at least 1 and fewer than k.
    Live {
        /// Which segment.
        segment: usize,
        /// Whose.
        own: bool,
        /// How many.
        count: usize,
    },
    /// One more streak of `length` (2 to 7, the last for longer ones too).
    Streak {
        /// Whose.
        own: bool,
        /// How long.
        length: usize,
    },
}

/// k cells in a line.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The cells, in order along the line.
    pub cells: Vec<u16>,
    /// 0 along a row, 1 along a column, 2 and 3 the diagonals.
    pub direction: usize,
}

/// The features of one shape, numbered.
pub struct Layout {
    shape: Shape,
    set: FeatureSet,
    segments: Vec<Segment>,
    by_ends: HashMap<(u16, u16), usize>,
    /// A segment of each slant.
    slanted: [usize; SLANTS],
}

/// Every segment of a shape.
fn segments_of(shape: Shape) -> Vec<Segment> {
    let (size, win) = (shape.size() as isize, shape.win() as isize);
    let mut segments = Vec::new();
    for (direction, (down, right)) in DIRECTIONS.into_iter().enumerate() {
        for row in 0..size {
            for col in 0..size {
                let end = (row + down * (win - 1), col + right * (win - 1));
                if (0..size).contains(&end.0) && (0..size).contains(&end.1) {
                    let cells = (0..win).map(|i| ((row + down * i) * size + col + right * i) as u16).collect();
                    segments.push(Segment { cells, direction });
                }
            }
        }
    }
    segments
}

/// The two ends of a segment, the lower first: they name it.
fn ends(cells: &[u16]) -> (u16, u16) {
    let (first, last) = (cells[0], cells[cells.len() - 1]);
    (first.min(last), first.max(last))
}

impl Layout {
    /// The features of a shape.
    pub fn new(shape: Shape, set: FeatureSet) -> Layout {
        let segments = segments_of(shape);
        let by_ends = segments.iter().enumerate().map(|(i, segment)| (ends(&segment.cells), i)).collect();
        let first = |wanted| segments.iter().position(|segment| slant(segment.direction) == wanted).unwrap_or_default();
        let slanted = std::array::from_fn(first);
        Layout { shape, set, segments, by_ends, slanted }
    }

    /// Size and win length.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Which set.
    pub fn set(&self) -> FeatureSet {
        self.set
    }

    /// Every segment.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segment of these cells, which must be one.
    pub fn segment(&self, cells: &[u16]) -> usize {
        self.by_ends[&ends(cells)]
    }

    fn cells(&self) -> usize {
        self.shape.size() * self.shape.size()
    }

    /// How many features there are.
    pub fn len(&self) -> usize {
        match self.set {
            FeatureSet::Streaks => 2 * self.cells() + 2 * STREAK_LENGTHS,
            FeatureSet::Lines => 4 * self.cells() + self.segments.len() * 2 * (self.shape.win() - 1),
            FeatureSet::Counts => 4 + SLANTS * 2 * (self.shape.win() - 1),
        }
    }

    /// Never: every shape has cells.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// In how many places a checker or a threat is told from others.
    pub(super) fn places(&self) -> usize {
        if self.set == FeatureSet::Counts { 1 } else { self.cells() }
    }

    /// The number of what a live segment is told from others by: its place, or its slant alone.
    pub(super) fn told(&self, segment: usize) -> usize {
        match self.set {
            FeatureSet::Counts => slant(self.segments[segment].direction),
            _ => segment,
        }
    }

    /// One segment for each of those numbers.
    pub(super) fn told_apart(&self) -> impl Iterator<Item = usize> {
        let counts = self.set == FeatureSet::Counts;
        let number = if counts { SLANTS } else { self.segments.len() };
        (0..number).map(move |told| if counts { self.slanted[told] } else { told })
    }

    /// The number of a feature of this set.
    pub fn index(&self, feature: Feature) -> usize {
        let cells = self.places();
        match feature {
            Feature::Checker { own, cell } => usize::from(!own) * cells + cell % cells,
            Feature::Threat { own, cell } => (2 + usize::from(!own)) * cells + cell % cells,
            Feature::Live { segment, own, count } => {
                4 * cells + (2 * self.told(segment) + usize::from(!own)) * (self.shape.win() - 1) + count - 1
            }
            Feature::Streak { own, length } => {
                2 * cells + usize::from(!own) * STREAK_LENGTHS + length - STREAKS.start()
            }
        }
    }

    /// The feature of a number below [`Layout::len`].
    pub fn feature(&self, index: usize) -> Feature {
        let cells = self.places();
        let (part, cell) = (index / cells, index % cells);
        match (part, self.set) {
            (0 | 1, _) => Feature::Checker { own: part == 0, cell },
            (_, FeatureSet::Streaks) => {
                let i = index - 2 * cells;
                Feature::Streak { own: i < STREAK_LENGTHS, length: i % STREAK_LENGTHS + STREAKS.start() }
            }
            (2 | 3, _) => Feature::Threat { own: part == 2, cell },
            _ => {
                let (i, counts) = (index - 4 * cells, self.shape.win() - 1);
                let told = i / counts / 2;
                let segment = if self.set == FeatureSet::Counts { self.slanted[told] } else { told };
                Feature::Live { segment, own: i / counts % 2 == 0, count: i % counts + 1 }
            }
        }
    }

    /// What becomes of a feature when every cell moves to its `place` and, with `swap`, the sides change places. `place` must
    /// carry lines to lines.
    fn moved(&self, feature: Feature, swap: bool, place: impl Fn(usize) -> usize) -> Feature {
        match feature {
            Feature::Checker { own, cell } => Feature::Checker { own: own != swap, cell: place(cell) },
            Feature::Threat { own, cell } => Feature::Threat { own: own != swap, cell: place(cell) },
            Feature::Streak { own, length } => Feature::Streak { own: own != swap, length },
            Feature::Live { segment, own, count } => {
                let (first, last) = ends(&self.segments[segment].cells);
                let moved = [first, last].map(|cell| place(usize::from(cell)) as u16);
                Feature::Live { segment: self.segment(&moved), own: own != swap, count }
            }
        }
    }

    /// Where a cell lies in a mirror image.
    pub fn cell_image(&self, cell: usize, image: usize) -> usize {
        let size = self.shape.size();
        let (row, col) = mirror(size, image as u8, cell / size, cell % size);
        row * size + col
    }

    /// Where the other side sees a cell when it is to move.
    pub fn cell_turned(&self, cell: usize) -> usize {
        let size = self.shape.size();
        cell % size * size + cell / size
    }

    /// The same feature in a mirror image.
    pub fn image(&self, feature: Feature, image: usize) -> Feature {
        self.moved(feature, false, |cell| self.cell_image(cell, image))
    }

    /// The same feature as the other side sees it when it is to move.
    pub fn other_view(&self, feature: Feature) -> Feature {
        self.moved(feature, true, |cell| self.cell_turned(cell))
    }

    /// Call `visit` with the number of every feature of a position; a feature that is a count comes that many times.
    pub fn visit(&self, grid: &Grid, mut visit: impl FnMut(usize)) {
        for (cell, &seen) in grid.cells[..self.cells()].iter().enumerate() {
            if seen != Seen::Empty {
                visit(self.index(Feature::Checker { own: seen == Seen::Own, cell }));
            }
        }
        match self.set {
            FeatureSet::Streaks => self.visit_streaks(grid, visit),
            FeatureSet::Lines | FeatureSet::Counts => self.visit_lines(grid, visit),
        }
    }

    fn visit_lines(&self, grid: &Grid, mut visit: impl FnMut(usize)) {
        let mut threats = [[false; MAX_CELLS]; 2];
        for (i, segment) in self.segments.iter().enumerate() {
            let mut counts = [0; 2];
            let mut gap = 0;
            for &cell in &segment.cells {
                match grid.cells[usize::from(cell)] {
                    Seen::Empty => gap = usize::from(cell),
                    Seen::Own => counts[0] += 1,
                    Seen::Other => counts[1] += 1,
                }
            }
            let (own, count) = match counts {
                [count, 0] => (true, count),
                [0, count] => (false, count),
                _ => continue,
            };
            if (1..self.shape.win()).contains(&count) {
                visit(self.index(Feature::Live { segment: i, own, count }));
            }
            let threat = &mut threats[usize::from(!own)][gap];
            if count == self.shape.win() - 1 && !*threat {
                *threat = true;
                visit(self.index(Feature::Threat { own, cell: gap }));
            }
        }
    }

    fn visit_streaks(&self, grid: &Grid, mut visit: impl FnMut(usize)) {
        let size = self.shape.size() as isize;
        for (down, right) in DIRECTIONS {
            for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
                let seen = grid.at(row, col);
                let starts = seen != Some(Seen::Empty) && grid.at(row - down, col - right) != seen;
                if !starts {
                    continue;
                }
                let length = (1..).take_while(|&i| grid.at(row + down * i, col + right * i) == seen).count() + 1;
                if length >= *STREAKS.start() {
                    let length = length.min(*STREAKS.end());
                    visit(self.index(Feature::Streak { own: seen == Some(Seen::Own), length }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::Position;

    fn features(dpn: &str, set: FeatureSet) -> Vec<Feature> {
        let board = Position::from_dpn(dpn).unwrap();
        let layout = Layout::new(board.shape(), set);
        let mut found = Vec::new();
        layout.visit(&Grid::of(&board, board.side()), |i| found.push(layout.feature(i)));
        found.retain(|feature| !matches!(feature, Feature::Checker { .. }));
        found
    }

    #[test]
    fn numbers_and_features_are_one_to_one() {
        for (n, k) in [(3, 3), (5, 4), (9, 6), (17, 8)] {
            for set in [FeatureSet::Streaks, FeatureSet::Lines, FeatureSet::Counts] {
                let layout = Layout::new(Shape::new(n, k).unwrap(), set);
                for i in 0..layout.len() {
                    let feature = layout.feature(i);
                    assert_eq!(layout.index(feature), i);
                    assert_eq!(layout.other_view(layout.other_view(feature)), feature);
                    for image in 0..IMAGES {
                        assert_eq!(layout.image(layout.image(feature, image), image), feature);
                    }
                }
            }
        }
    }

    #[test]
    fn streaks_are_maximal_runs() {
        // Blue: a row of three and a diagonal of two; red: a column of two.
        let found = features("5 4 b -1 b b b - r - - - - r r - - b - - - - - b r - r - -", FeatureSet::Streaks);
        let count = |own, length| found.iter().filter(|&&f| f == Feature::Streak { own, length }).count();
        assert_eq!((count(true, 2), count(true, 3), count(false, 2)), (1, 1, 1));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn a_threat_through_two_windows_is_one_feature() {
        // Blue's c1 completes both a row and a diagonal.
        let found = features("4 3 b -1 b b - r - b - r b - - - - r - r", FeatureSet::Lines);
        let threats: Vec<_> = found.iter().filter(|f| matches!(f, Feature::Threat { own: true, .. })).collect();
        assert!(threats.contains(&&Feature::Threat { own: true, cell: 2 }), "{threats:?}");
        let unique: std::collections::HashSet<String> = found.iter().map(|f| format!("{f:?}")).collect();
        assert_eq!(unique.len(), found.len());
    }
}
