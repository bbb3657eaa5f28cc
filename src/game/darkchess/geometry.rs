//! Sets of cells as bits of a word: neighbours, jumps, mirror images and hash keys.

use super::{CELLS, COLUMNS, RANKS, ROWS};
use crate::game::{Player, mix};

/// The first column; the last one is this three bits on.
const COLUMN_A: u32 = 0x1111_1111;
const COLUMN_D: u32 = COLUMN_A << (COLUMNS - 1);

/// Images under which the game is the same: the board as it is, mirrored left and right, top and bottom, and both.
pub const FRAMES: usize = 4;

/// What a cell's number is changed by, bit by bit, in each image.
pub const MIRROR: [u8; FRAMES] = [0, COLUMNS as u8 - 1, (CELLS - COLUMNS) as u8, CELLS as u8 - 1];

/// The cell as a set.
#[inline(always)]
pub const fn bit(cell: u8) -> u32 {
    1 << cell
}

/// All cells a step away from one of the set.
#[inline(always)]
pub const fn neighbours(set: u32) -> u32 {
    let (up, down) = (set >> COLUMNS, set << COLUMNS);
    let (left, right) = ((set & !COLUMN_A) >> 1, (set & !COLUMN_D) << 1);
    up | down | left | right
}

/// The cells of a set in order.
#[inline(always)]
pub fn cells(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// The cells in line with each cell, to its right, below, to its left and above.
static RAYS: [[u32; 4]; CELLS] = {
    let mut table = [[0; 4]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let row = 0xf_u32 << (cell / COLUMNS * COLUMNS);
        let column = COLUMN_A << (cell % COLUMNS);
        let below: u32 = (1 << cell) - 1;
        let above = !below & !(1 << cell);
        table[cell] = [row & above, column & above, row & below, column & below];
        cell += 1;
    }
    table
};

/// Where a cannon on `cell` may land when it takes: the second occupied cell in each direction.
#[inline]
pub fn jumps(cell: u8, occupied: u32) -> u32 {
    let [right, down, left, up] = RAYS[usize::from(cell)].map(|ray| ray & occupied);
    second_lowest(right) | second_lowest(down) | second_highest(left) | second_highest(up)
}

#[inline(always)]
fn second_lowest(set: u32) -> u32 {
    let rest = set & set.wrapping_sub(1);
    rest & rest.wrapping_neg()
}

#[inline(always)]
fn second_highest(set: u32) -> u32 {
    second_lowest(set.reverse_bits()).reverse_bits()
}

/// The set on the board and on each of its images.
#[inline]
pub const fn images(set: u32) -> [u32; FRAMES] {
    let turned = set.reverse_bits();
    [set, swap_columns(set), swap_columns(turned), turned]
}

#[inline]
const fn swap_columns(set: u32) -> u32 {
    let pairs = (set & 0x5555_5555) << 1 | set >> 1 & 0x5555_5555;
    (pairs & 0x3333_3333) << 2 | pairs >> 2 & 0x3333_3333
}

/// A random number for every rank of piece on every cell, and for a flip there.
static KEYS: [[u64; CELLS]; RANKS + 1] = {
    let mut keys = [[0; CELLS]; RANKS + 1];
    let mut i = 0;
    while i < (RANKS + 1) * CELLS {
        keys[i / CELLS][i % CELLS] = mix(mix(i as u64));
        i += 1;
    }
    keys
};

/// The Zobrist hashes of the board and of each of its images (Zobrist 1970).
///
/// A piece of the second player has the number of the first player's, its halves exchanged: so exchanging the halves of a
/// hash exchanges the players.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hashes([u64; FRAMES]);

impl Hashes {
    /// Of an empty board.
    pub const EMPTY: Hashes = Hashes([0; FRAMES]);

    /// Put a player's piece on a cell, or take it away.
    #[inline(always)]
    pub fn toggle(&mut self, owner: Player, rank: usize, cell: u8) {
        for (hash, mirror) in self.0.iter_mut().zip(MIRROR) {
            *hash ^= KEYS[rank][usize::from(cell ^ mirror)].rotate_left(halves(owner));
        }
    }

    /// The hashes as a player sees the board, with face-down pieces and the flip that is pending.
    #[inline]
    pub fn seen_by(&self, player: Player, face_down: u32, flip: Option<u8>) -> [u64; FRAMES] {
        let face_down = images(face_down);
        std::array::from_fn(|frame| {
            let flip = flip.map_or(0, |cell| KEYS[RANKS][usize::from(cell ^ MIRROR[frame])]);
            // An odd factor keeps different sets different.
            let face_down = u64::from(face_down[frame]).wrapping_mul(mix(0) | 1);
            self.0[frame].rotate_left(halves(player)) ^ flip ^ face_down
        })
    }
}

/// By how many bits a player's numbers are rotated.
#[inline(always)]
const fn halves(player: Player) -> u32 {
    player as u32 * (u64::BITS / 2)
}

const _: () = assert!(COLUMNS.is_power_of_two() && ROWS.is_power_of_two() && CELLS == 32);

#[cfg(test)]
mod tests {
    use super::super::GRID;
    use super::*;

    fn names(set: u32) -> Vec<String> {
        cells(set).map(|cell| GRID.name(cell).to_string()).collect()
    }

    fn set(names: &[&str]) -> u32 {
        names.iter().fold(0, |set, name| set | bit(GRID.cell(name).unwrap()))
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        let cases: [(&str, &[&str]); 5] = [
            ("a1", &["b1", "a2"]),
            ("d1", &["c1", "d2"]),
            ("a8", &["a7", "b8"]),
            ("d8", &["d7", "c8"]),
            ("b4", &["b3", "a4", "c4", "b5"]),
        ];
        for (cell, expected) in cases {
            assert_eq!(names(neighbours(set(&[cell]))), expected, "{cell}");
        }
    }

    #[test]
    fn jumps_land_on_the_second_piece_of_each_direction() {
        let cases: [(&str, &[&str], &[&str]); 6] = [
            ("a1", &["a1"], &[]),
            ("a1", &["a1", "b1", "a2"], &[]),
            ("a1", &["a1", "b1", "c1", "d1"], &["c1"]),
            ("a1", &["a1", "a3", "a8", "b1", "d1"], &["d1", "a8"]),
            ("c5", &["c5", "c4", "c1", "b5", "a5", "d5", "c7", "c8"], &["c1", "a5", "c8"]),
            ("d8", &["d8", "c8", "a8", "d7", "d6", "d1"], &["d6", "a8"]),
        ];
        for (cell, occupied, expected) in cases {
            let cell = GRID.cell(cell).unwrap();
            assert_eq!(names(jumps(cell, set(occupied))), expected, "{cell} {occupied:?}");
        }
    }

    #[test]
    fn mirrors_swap_the_corners() {
        for (frame, corner) in [(0, "a1"), (1, "d1"), (2, "a8"), (3, "d8")] {
            assert_eq!(names(bit(MIRROR[frame])), [corner]);
        }
        // A step stays a step in every image.
        for cell in 0..CELLS as u8 {
            for (frame, mirror) in MIRROR.into_iter().enumerate() {
                assert_eq!(images(bit(cell))[frame], bit(cell ^ mirror));
                let image = cells(neighbours(bit(cell))).fold(0, |set, other| set | bit(other ^ mirror));
                assert_eq!(image, neighbours(bit(cell ^ mirror)));
            }
        }
    }
}
