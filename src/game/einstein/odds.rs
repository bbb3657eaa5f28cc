//! Who wins with the next roll: the rules alone decide that, and no move ends the game but one that wins it.

use super::die::{self, Set};
use super::position::{Position, TARGETS};
use super::{CUBES, goal};
use crate::game::Player;

impl Position {
    /// The cubes of `player` that a roll would win the game with, if it were the one to roll: those a step from the
    /// opponent's corner, and those a step from the opponent's last cube.
    #[inline]
    pub fn winning_cubes(&self, player: Player) -> Set {
        let opponent = player.other();
        let mut cubes = self.cubes_before(player, goal(player));
        let left = self.left(opponent);
        if left.is_power_of_two()
            && let Some(last) = self.cubes().cell(opponent as usize * CUBES + left.ilog2() as usize)
        {
            cubes |= self.cubes_before(player, last);
        }
        cubes
    }

    /// The cubes of `player` that stand a step before a cell: where the opponent's cubes would step to from there.
    #[inline]
    fn cubes_before(&self, player: Player, cell: u8) -> Set {
        let (count, cells) = &TARGETS[player.other() as usize][usize::from(cell)];
        let first = player as usize * CUBES;
        let standing = cells[..usize::from(*count)].iter().filter_map(|&cell| self.cubes().at(cell));
        standing.filter(|index| (first..first + CUBES).contains(index)).fold(0, |set, index| set | 1 << (index - first))
    }

    /// How many of the six faces let `player` win at once, if it were the one to roll.
    #[inline]
    pub fn winning_faces(&self, player: Player) -> u8 {
        die::faces_moving(self.left(player), self.winning_cubes(player))
    }
}
