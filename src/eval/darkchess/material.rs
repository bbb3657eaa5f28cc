//! Plain material, face up and face down alike.

use crate::eval::nn::squash::squash;
use crate::game::darkchess::{Position, RANKS, Rank};
use crate::game::{Player, Value};

/// Binary digits of the scale.
const SHIFT: u32 = 16;
/// What a point of material is worth before the tangent: some thirty of them are a game that is nearly won.
const POINT: i32 = (1 << SHIFT) / 30;

/// What a piece of each rank is worth. Guards rule the board once the enemy king is gone; cannons take anything.
const WORTH: [i32; RANKS] = [9, 9, 6, 4, 3, 5, 2];

/// What a player's pieces are worth, whether they lie face up or down.
pub fn count(position: &Position, player: Player) -> i32 {
    Rank::ALL.into_iter().map(|rank| i32::from(position.alive(player, rank)) * WORTH[rank as usize]).sum()
}

/// The value of a position by the difference.
pub fn value(position: &Position) -> Value {
    let own = count(position, position.mover());
    let theirs = count(position, position.mover().other());
    Value::from_raw(squash((own - theirs) * POINT, SHIFT).into())
}
