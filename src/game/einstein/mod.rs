//! EinStein würfelt nicht (Althöfer 2004): six numbered cubes a side race to the opponent's corner of a 5×5 board, and a
//! die says which cube moves.
//!
//! Blue is [`Player::First`], starts at a1 and goes right and down; red starts at e5 and goes left and up.

mod cubes;
mod die;
mod draw;
mod game;
mod notation;
mod odds;
mod position;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

pub use cubes::{Cube, Cubes, reflect};
pub use die::{Set, faces_moving, mobility, movable};
pub use draw::draw;
pub use notation::{Fault, Mistake};
pub use position::{FRAMES, MOVE_CODES, Move, Moves, Position};

use crate::game::{Grid, Player};

/// Rows and columns of the board.
pub const SIZE: usize = 5;
/// Cells of the board, numbered row by row from a1.
pub const CELLS: usize = SIZE * SIZE;
/// Cubes of a side, and faces of the die.
pub const CUBES: usize = 6;

/// The names of cells.
const GRID: Grid = Grid { columns: SIZE as u8, rows: SIZE as u8 };

/// What people call a player.
pub const fn name(player: Player) -> &'static str {
    match player {
        Player::First => "blue",
        Player::Second => "red",
    }
}

/// The cell where a player wins: the opponent's corner.
pub const fn goal(player: Player) -> u8 {
    match player {
        Player::First => CELLS as u8 - 1,
        Player::Second => 0,
    }
}
