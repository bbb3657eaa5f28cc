//! What a network sees of a position, always as if the viewer went from a1 to e5: the board of red is turned half round.
//!
//! | features | of each side, the viewer's first |
//! |---|---|
//! | 2 × 6 × 25 | cube n stands on cell c |
//! | 2 × 6 × 25 | a cube that m of the six faces let move stands on cell c |
//! | 2 × 64 | which cubes are left |
//!
//! The second says of a cube what its number means now: the fewer cubes are left, the oftener each may move. The reflection
//! in the diagonal from a1 to e5 is the same game, and every unit looks at both images.

use crate::eval::nn::{Featured, Group, Layout};
use crate::game::einstein::{CELLS, CUBES, Cube, Position, mobility, reflect};
use crate::game::{Notation, Player};

/// Features of the cubes of one side, by number or by mobility.
const SIDE: usize = CUBES * CELLS;
/// Where mobilities begin.
const MOBILITIES: usize = 2 * SIDE;
/// Where sets of cubes begin.
const SETS: usize = 2 * MOBILITIES;
/// Sets of one side's cubes.
pub const LEFT: usize = 1 << CUBES;

/// A cube of number `cube` (from 0) on a cell as the viewer sees it; `side` is 0 for the viewer's own.
pub const fn cube_feature(side: usize, cube: usize, cell: usize) -> usize {
    side * SIDE + cube * CELLS + cell
}

/// A cube that `mobility` faces (1 to 6) let move, on such a cell.
pub const fn mobility_feature(side: usize, mobility: usize, cell: usize) -> usize {
    MOBILITIES + cube_feature(side, mobility - 1, cell)
}

/// The cubes that a side has left.
pub const fn left_feature(side: usize, left: usize) -> usize {
    SETS + side * LEFT + left
}

/// A cell as `view` sees it: its own corner is a1.
#[inline(always)]
pub const fn seen_by(view: Player, cell: u8) -> usize {
    match view {
        Player::First => cell as usize,
        Player::Second => CELLS - 1 - cell as usize,
    }
}

impl Featured for Position {
    fn layout() -> Layout {
        let cubes = [Group { features: CELLS, most: 1 }; 2 * CUBES];
        let mobilities = [Group { features: SIDE, most: CUBES }; 2];
        let sets = [Group { features: LEFT, most: 1 }; 2];
        let groups = cubes.into_iter().chain(mobilities).chain(sets).collect();
        let mut layout = Layout::new(Position::NAME, groups, 1);
        let reflected =
            (0..SETS).map(|feature| feature - feature % CELLS + usize::from(reflect((feature % CELLS) as u8)));
        layout.images.push(reflected.chain(SETS..layout.features()).map(|feature| feature as u16).collect());
        layout
    }

    fn each_feature(&self, view: Player, mut take: impl FnMut(usize)) {
        for (side, owner) in [view, view.other()].into_iter().enumerate() {
            let left = self.left(owner);
            for (cube, &mobility) in mobility(left).iter().enumerate() {
                if let Some(cell) = self.cell_of(Cube { owner, number: cube as u8 + 1 }) {
                    take(cube_feature(side, cube, seen_by(view, cell)));
                    take(mobility_feature(side, mobility.into(), seen_by(view, cell)));
                }
            }
            take(left_feature(side, left.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fen: &str, view: Player) -> Vec<usize> {
        let position = Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap();
        let mut found = Vec::new();
        position.each_feature(view, |feature| found.push(feature));
        found.sort();
        found
    }

    #[test]
    fn features_by_hand() {
        let layout = Position::layout();
        assert_eq!((layout.features(), layout.images.len()), (728, 2));
        // Blue has cubes 1 on b1 and 4 on c2; red has 6 on e4.
        let fen = ".1.../..4../...../....F/..... b -";
        let own = [cube_feature(0, 0, 1), cube_feature(0, 3, 7), mobility_feature(0, 3, 1), mobility_feature(0, 5, 7)];
        let other = [cube_feature(1, 5, 19), mobility_feature(1, 6, 19)];
        let left = [left_feature(0, 0b1001), left_feature(1, 0b10_0000)];
        let mut expected = [&own[..], &other, &left].concat();
        expected.sort();
        assert_eq!(features(fen, Player::First), expected);
        // The same board turned half round with the colours changed.
        assert_eq!(features("...../6..../...../..D../...A. r -", Player::Second), expected);
    }

    #[test]
    fn images_are_their_own_inverse_and_keep_the_groups() {
        let layout = Position::layout();
        for feature in 0..layout.features() {
            let image = usize::from(layout.images[1][feature]);
            assert_eq!(usize::from(layout.images[1][image]), feature);
            assert_eq!(image / CELLS, if feature < SETS { feature / CELLS } else { image / CELLS });
        }
        assert_eq!(layout.images[1][cube_feature(1, 2, 1)], cube_feature(1, 2, 5) as u16);
        assert_eq!(usize::from(layout.images[1][left_feature(1, 9)]), left_feature(1, 9));
    }
}
