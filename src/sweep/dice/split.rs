//! Which cells make the rows of a block and which the places within a row.
//!
//! A move on a *high* cell keeps the place: it leads from a whole row to a whole row. A move on a *low* cell keeps the row.
//! Rows in which somebody has won on high cells alone need not be kept, so the low cells are those that the fewest
//! winning segments go through.

use super::board::{Cells, Setup, all_cells, bits, mirrored, segments};
use crate::game::dice::Side;

/// The most low cells: their configurations with given numbers of checkers are then at most 560.
pub const MAX_LOW: usize = 8;

/// More than the configurations of the low cells with given numbers of checkers.
pub const MAX_WIDTH: usize = 1024;

/// The empty cells of a position, divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// Cells whose configuration is a row, the most significant last.
    pub high: Vec<usize>,
    /// Cells whose configuration is a place in a row, the most significant last.
    pub low: Vec<usize>,
}

/// The cells that a side still needs in each segment that can be its own.
pub fn needed(setup: &Setup, side: Side) -> Vec<Cells> {
    let [own, others] = [side, side.other()].map(|side| setup.checkers[side as usize]);
    let open = segments(setup.shape).into_iter().filter(|segment| segment & others == 0);
    open.map(|segment| segment & !own).collect()
}

impl Split {
    /// Divide the empty cells; with `images`, so that mirror images of low cells are low.
    pub fn new(setup: &Setup, images: bool) -> Split {
        let size = setup.shape.size();
        let needs: Vec<Cells> = [Side::Blue, Side::Red].iter().flat_map(|&side| needed(setup, side)).collect();
        // A segment that lacks few cells is completed more often.
        let weight = |cell: usize| {
            let through = needs.iter().filter(|&&need| need >> cell & 1 != 0);
            through.map(|need| 81 / 3_u32.pow(need.count_ones().min(5) - 1)).sum::<u32>()
        };
        let frames = if images { 0..4 } else { 0..1 };
        let orbit = |cell: usize| {
            frames.clone().map(|frame| 1 << mirrored(size, frame, cell)).fold(0, |all, bit: u32| all | bit)
        };
        let mut orbits: Vec<Cells> = bits(setup.empty()).map(orbit).collect();
        orbits.sort_by_key(|&cells| (weight(cells.trailing_zeros() as usize), cells));
        orbits.dedup();
        let mut low = 0_u32;
        for &cells in &orbits {
            if (low | cells).count_ones() as usize <= MAX_LOW {
                low |= cells;
            }
        }
        // Large orbits decide which image is kept: then most moves leave that as it is.
        orbits.sort_by_key(|&cells| (cells.count_ones(), cells));
        let high = orbits.iter().filter(|&&cells| cells & low == 0).flat_map(|&cells| bits(cells)).collect();
        debug_assert_eq!(all_cells(size) & low & !setup.empty(), 0);
        Split { high, low: bits(low).collect() }
    }
}
