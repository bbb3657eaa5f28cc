//! What a checker finds in a line before it is put down: places, contents, and what they look like through the segments that
//! hold a place.

use crate::eval::dice::features::DIRECTIONS;
use crate::eval::dice::updates::Codes;
use crate::game::dice::{Shape, Side};
use std::collections::HashMap;

/// A line that is long enough to win in.
pub struct Line {
    pub direction: usize,
    /// In order.
    pub cells: Vec<u16>,
}

/// Those of a shape.
pub fn lines_of(shape: Shape) -> Vec<Line> {
    let size = shape.size() as isize;
    let inside = |row: isize, col: isize| (0..size).contains(&row) && (0..size).contains(&col);
    let mut lines = Vec::new();
    for (direction, (down, right)) in DIRECTIONS.into_iter().enumerate() {
        for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
            if inside(row - down, col - right) {
                continue;
            }
            let along = (0..).map(|i| (row + down * i, col + right * i)).take_while(|&(row, col)| inside(row, col));
            let cells: Vec<u16> = along.map(|(row, col)| (row * size + col) as u16).collect();
            if cells.len() >= shape.win() {
                lines.push(Line { direction, cells });
            }
        }
    }
    lines
}

impl Line {
    /// One of its places.
    pub fn place(&self, at: usize) -> Place {
        Place { length: self.cells.len(), at }
    }

    /// The cell at a place, from the other end if `flipped`.
    pub fn cell(&self, at: usize, flipped: bool) -> u16 {
        self.cells[if flipped { self.cells.len() - 1 - at } else { at }]
    }
}

/// A place in a line of some length.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    pub length: usize,
    pub at: usize,
}

/// What a checker on an empty place finds in the segments of the line that hold the place.
#[derive(Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Where each segment begins, and its code, if the mover is blue.
    pub segments: Vec<(usize, u16)>,
    /// The places that become threats.
    pub made: Vec<usize>,
}

/// The `at`-th digit of a number in base 3: 0 for an empty place, 1 for blue, 2 for red.
fn digit(content: usize, at: usize) -> usize {
    content / 3_usize.pow(at as u32) % 3
}

impl Place {
    /// The same from the end that it is nearer to.
    fn folded(self) -> Place {
        if self.is_far() { self.flipped() } else { self }
    }

    /// Whether it is nearer to the other end.
    pub fn is_far(self) -> bool {
        2 * self.at >= self.length
    }

    /// The same from the other end.
    pub fn flipped(self) -> Place {
        Place { at: self.length - 1 - self.at, ..self }
    }

    /// What blue finds.
    fn find(self, codes: Codes, content: usize) -> Pattern {
        let win = usize::from(codes.win);
        let mut pattern = Pattern { segments: Vec::new(), made: Vec::new() };
        for begin in (self.at + 1).saturating_sub(win)..=self.at.min(self.length - win) {
            let segment = begin..begin + win;
            let count = |digits| segment.clone().filter(|&at| digit(content, at) == digits).count() as u16;
            let code = match [count(1), count(2)] {
                [blue, 0] => codes.alone(Side::Blue, blue),
                [0, red] => codes.alone(Side::Red, red),
                _ => codes.dead(),
            };
            pattern.segments.push((begin, code));
            if code == codes.ripe(Side::Blue) {
                let gap = segment.clone().find(|&at| at != self.at && digit(content, at) == 0);
                pattern.made.extend(gap.filter(|gap| !pattern.made.contains(gap)));
            }
        }
        pattern
    }

    /// All that there is to find, and which of it each content shows; any where the place is taken.
    fn catalogue(self, codes: Codes) -> Patterns {
        let mut found = Patterns { all: Vec::new(), kinds: Vec::new() };
        for content in 0..3_usize.pow(self.length as u32) {
            if digit(content, self.at) != 0 {
                found.kinds.push(0);
                continue;
            }
            let pattern = self.find(codes, content);
            let known = found.all.iter().position(|other| *other == pattern);
            found.kinds.push(known.unwrap_or(found.all.len()) as u8);
            if known.is_none() {
                found.all.push(pattern);
            }
        }
        found
    }
}

/// What there is to find at a place.
pub struct Patterns {
    /// By kind.
    pub all: Vec<Pattern>,
    /// By content.
    pub kinds: Vec<u8>,
}

/// What a shape has to find, by folded place.
pub struct Catalogue {
    pub codes: Codes,
    patterns: HashMap<Place, Patterns>,
}

impl Catalogue {
    /// That of a shape's lines.
    pub fn new(codes: Codes, lines: &[Line]) -> Catalogue {
        let places = lines.iter().flat_map(|line| (0..line.cells.len()).map(|at| line.place(at).folded()));
        let mut patterns = HashMap::new();
        for place in places {
            patterns.entry(place).or_insert_with(|| place.catalogue(codes));
        }
        Catalogue { codes, patterns }
    }

    /// What there is to find at a place, counted from the end that it is nearer to.
    pub fn at(&self, place: Place) -> &Patterns {
        &self.patterns[&place.folded()]
    }
}

/// The number of a line's content from the other end if `flipped`, with the colours exchanged if `swapped`.
pub fn reread(content: usize, length: usize, flipped: bool, swapped: bool) -> usize {
    (0..length).rev().fold(0, |read, at| {
        let seen = digit(content, if flipped { length - 1 - at } else { at });
        3 * read + if swapped { (3 - seen) % 3 } else { seen }
    })
}
