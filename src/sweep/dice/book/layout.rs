//! Where each position of a layer stands in its table.

use super::super::board::{Cells, Setup, all_cells, bits, mirrored, segments};
use crate::game::dice::Shape;

/// The most checkers of one colour, and one more.
pub const MAX_CHECKERS: usize = 5;

/// `C(n, k)`.
pub fn choose(n: usize, k: usize) -> usize {
    if k > n { 0 } else { (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1)) }
}

/// The rows and places of one layer.
pub struct Layout {
    shape: Shape,
    counts: [usize; 2],
    /// Sets of blue checkers that are the least of their images, in order.
    rows: Vec<Cells>,
    won: Vec<bool>,
    /// Sets of red checkers as they stand among the cells that are left, in order.
    places: Vec<u32>,
    /// `images[frame][half][part of a set]`.
    images: Vec<[Vec<Cells>; 2]>,
    /// `ways[k][n]`: `C(n, k)`.
    ways: Vec<Vec<usize>>,
}

/// Cells in the first half of a set, for the tables of images.
const HALF: usize = 13;

/// Sets of `count` of the lowest `size` bits, in order.
fn subsets(size: usize, count: usize) -> Vec<u32> {
    let all = 0..1_u32 << size;
    if count == 0 {
        return vec![0];
    }
    // From one set to the next of as many bits (Gosper).
    let next = |set: &u32| {
        let low = set & set.wrapping_neg();
        let carried = set + low;
        Some(carried | (((set ^ carried) >> 2) / low))
    };
    std::iter::successors(Some((1 << count) - 1), next).take_while(|set| all.contains(set)).collect()
}

impl Layout {
    /// The layer with so many checkers.
    pub fn new(shape: Shape, layer: usize) -> Layout {
        let size = shape.size();
        let counts = [layer.div_ceil(2), layer / 2];
        let image = |frame, set: u32, from: usize| -> Cells {
            let inside = bits(set).map(|bit| bit + from).filter(|&cell| cell < size * size);
            inside.map(|cell| 1 << mirrored(size, frame, cell)).sum()
        };
        let half = |frame, from| (0..1 << HALF).map(|set| image(frame, set, from)).collect();
        let images: Vec<[Vec<Cells>; 2]> = (0..4).map(|frame| [half(frame, 0), half(frame, HALF)]).collect();
        let ways = (0..=MAX_CHECKERS).map(|k| (0..=size * size).map(|n| choose(n, k)).collect()).collect();
        let places = subsets(size * size - counts[0], counts[1]);
        let mut layout = Layout { shape, counts, rows: Vec::new(), won: Vec::new(), places, images, ways };
        let mut rows = subsets(size * size, counts[0]);
        rows.retain(|&row| (1..4).all(|frame| layout.image(frame, row) >= row));
        let segments = segments(shape);
        layout.won = rows.iter().map(|row| segments.iter().any(|segment| segment & !row == 0)).collect();
        layout.rows = rows;
        layout
    }

    fn image(&self, frame: usize, set: Cells) -> Cells {
        let [low, high] = &self.images[frame];
        low[set as usize % (1 << HALF)] | high[set as usize >> HALF]
    }

    /// How many checkers.
    pub fn layer(&self) -> usize {
        self.counts[0] + self.counts[1]
    }

    /// How many cells the board has.
    pub fn cells(&self) -> usize {
        self.shape.size() * self.shape.size()
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Blue's checkers in a row.
    pub fn blue(&self, row: usize) -> Cells {
        self.rows[row]
    }

    /// Whether blue has won, whatever red has.
    pub fn is_won(&self, row: usize) -> bool {
        self.won[row]
    }

    /// Sets of red checkers, in the order of a row, as they stand among the cells that blue leaves.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.rows.len() * self.places.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells that blue leaves, in order.
    pub fn left(&self, row: usize) -> Vec<usize> {
        bits(all_cells(self.shape.size()) & !self.rows[row]).collect()
    }

    /// The position in a place of a row.
    pub fn setup(&self, row: usize, place: usize) -> Setup {
        let left = self.left(row);
        let red = bits(self.places[place]).map(|i| 1 << left[i]).sum();
        let side =
            if self.layer().is_multiple_of(2) { crate::game::dice::Side::Blue } else { crate::game::dice::Side::Red };
        Setup { shape: self.shape, checkers: [self.rows[row], red], side }
    }

    /// Where a position of this layer stands.
    pub fn index(&self, setup: &Setup) -> usize {
        let images = (0..4).map(|frame| self.image(frame, setup.checkers[0]));
        let (blue, frame) = images.zip(0..).min().unwrap_or((setup.checkers[0], 0));
        let row = self.rows.binary_search(&blue).unwrap_or_default();
        let red = self.image(frame, setup.checkers[1]);
        let rank = |(i, cell): (usize, usize)| {
            let left = cell - (blue & ((1 << cell) - 1)).count_ones() as usize;
            self.ways[i + 1][left]
        };
        row * self.places.len() + bits(red).enumerate().map(rank).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_place_and_images_share_it() {
        for (layer, shape) in [(0, (5, 4)), (1, (5, 4)), (4, (4, 3)), (7, (4, 4)), (4, (5, 4))] {
            let layout = Layout::new(Shape::new(shape.0, shape.1).unwrap(), layer);
            for row in 0..layout.rows() {
                for place in (0..layout.places().len()).step_by(7) {
                    let setup = layout.setup(row, place);
                    assert_eq!(layout.index(&setup), row * layout.places().len() + place);
                    for frame in 1..4 {
                        let image = layout.index(&setup.image(frame));
                        let same = layout.setup(image / layout.places().len(), image % layout.places().len());
                        assert!((0..4).any(|frame| same.image(frame) == setup), "{setup:?}");
                    }
                }
            }
        }
    }
}
