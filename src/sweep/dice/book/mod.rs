//! The book: the values of all positions of some layers, up to mirror images, in a few megabytes.
//!
//! A layer is a table with a row for each set of blue checkers that is the least of its images, and a place in the row for each set of
//! red ones ([`layout`]). What a model of all small groups of checkers predicts ([`model`]) is taken off, and what is left is
//! written in as many bits as it needs ([`bits`]). Positions of layers that are not in the book follow from those that are.

mod bits;
mod layout;
mod model;
mod shipped;

pub use bits::{BitReader, BitWriter};
pub use layout::Layout;
pub use model::{FRACTION, Families, Model, Sums, prediction};
pub use shipped::{Shipped, shipped, shipped_book};

use std::fmt;

use super::board::{Setup, bits as cells_of, line_of};
use crate::game::dice::{Shape, Side};
use crate::sweep::WIN;

/// The beginning of every book, with the version of its form.
const MAGIC: &[u8; 8] = b"ALEABK01";

/// Layers in a book: few enough small ones to follow from, and the last.
pub const LAYERS: [usize; 6] = [0, 1, 2, 3, 4, 7];

/// The layer whose values are predicted by a model; the others are small.
pub const LAST: usize = 7;

/// Binary digits of a value after the point: of the last layer, and of the small ones.
const DIGITS: [u32; 2] = [14, 22];

/// How many binary digits after the point the values of a layer have.
pub fn digits(layer: usize) -> u32 {
    DIGITS[usize::from(layer != LAST)]
}

/// The most checkers that are looked at together.
pub fn order(layer: usize) -> usize {
    if layer == LAST { model::MAX_ORDER } else { 0 }
}

/// Why a book is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookError {
    /// It does not begin as a book does.
    NoBook,
    /// The checksum is wrong.
    Damaged,
    /// It ends too soon, or has more than it should.
    Length,
    /// A shape that has no book.
    Shape,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BookError::NoBook => "this is no book",
            BookError::Damaged => "the checksum is wrong: the book is damaged",
            BookError::Length => "the book ends too soon or too late",
            BookError::Shape => "there are no books of this shape",
        })
    }
}

impl std::error::Error for BookError {}

/// Values of all positions with few checkers.
pub struct Book {
    shape: Shape,
    layers: Vec<(Layout, Vec<i32>)>,
}

/// Whether a book of this shape has something to keep.
pub fn has_book(shape: Shape) -> bool {
    (4..=super::MAX_SIZE).contains(&shape.size())
}

/// The form of a book around its content.
pub fn seal(shape: Shape, content: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend([shape.size() as u8, shape.win() as u8]);
    bytes.extend(content);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

impl Book {
    /// Read a book; anything that is not one, whole and undamaged, is refused.
    pub fn decode(bytes: &[u8]) -> Result<Book, BookError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(BookError::NoBook)?;
        let (covered, checksum) = bytes.split_last_chunk::<4>().ok_or(BookError::Length)?;
        if crc32fast::hash(covered) != u32::from_le_bytes(*checksum) {
            return Err(BookError::Damaged);
        }
        let content = &body[..body.len().checked_sub(4).ok_or(BookError::Length)?];
        let (&[size, win], content) = content.split_first_chunk::<2>().ok_or(BookError::Length)?;
        let shape = Shape::new(size.into(), win.into()).filter(|&shape| has_book(shape)).ok_or(BookError::Shape)?;
        let mut reader = BitReader::new(content);
        let mut layers = Vec::new();
        for layer in LAYERS {
            let layout = Layout::new(shape, layer);
            let values = read_layer(&layout, &mut reader).ok_or(BookError::Length)?;
            layers.push((layout, values));
        }
        if reader.is_at_end() { Ok(Book { shape, layers }) } else { Err(BookError::Length) }
    }

    /// The shape it is of.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The value of a position before its roll, in blue's view and 2⁻²⁸ of a won game; `None` if the book does not reach so far.
    pub fn number(&self, setup: &Setup) -> Option<i32> {
        let last = setup.side.other();
        if setup.shape != self.shape || setup.count() > LAST {
            return None;
        }
        if setup.has_won(last) {
            return Some(if last == Side::Blue { WIN } else { -WIN });
        }
        let kept = self.layers.iter().find(|(layout, _)| layout.layer() == setup.count());
        match kept {
            Some((layout, values)) => Some(values[layout.index(setup)]),
            None => self.mean_of_children(setup),
        }
    }

    fn mean_of_children(&self, setup: &Setup) -> Option<i32> {
        let size = setup.shape.size();
        let mut best: Vec<Option<i32>> = vec![None; size];
        for cell in cells_of(setup.empty()) {
            let number = self.number(&setup.after(cell))?;
            let line = &mut best[line_of(size, setup.side, cell)];
            *line = Some(match *line {
                None => number,
                Some(best) if setup.side == Side::Blue => best.max(number),
                Some(best) => best.min(number),
            });
        }
        let open: Vec<i64> = best.into_iter().flatten().map(i64::from).collect();
        (open.iter().sum::<i64>()).checked_div(open.len() as i64).map(|mean| mean as i32)
    }
}

/// The numbers of one layer as they are written: model, then what it does not predict, row by row.
fn read_layer(layout: &Layout, reader: &mut BitReader<'_>) -> Option<Vec<i32>> {
    let model = Model::read(layout, order(layout.layer()), reader)?;
    let shift = 28 - digits(layout.layer());
    let (mut values, mut sums) = (Vec::with_capacity(layout.len()), Sums::default());
    for row in 0..layout.rows() {
        let won = layout.is_won(row);
        for &sum in model.sums(layout, row, &mut sums) {
            let number = if won { 0 } else { prediction(sum).checked_add(reader.residual()?)? };
            values.push(number.checked_mul(1 << shift)?);
        }
    }
    Some(values)
}
