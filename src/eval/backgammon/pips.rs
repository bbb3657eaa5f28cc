//! The plain evaluation of backgammon: the lead in the race, with what blots stand to lose.

use crate::eval::nn::squash::squash;
use crate::game::backgammon::Position;
use crate::game::{Game, Player, Value};

/// Binary digits of the scale.
const SHIFT: u32 = 16;
/// What a pip is worth before the tangent: some 28 of them are a game that is nearly won.
const PIP: i32 = (1 << SHIFT) / 28;
/// The mover is half a roll ahead.
const TURN: i32 = 4;

/// What a checker that has been borne off is worth beyond its pips: dice that take it off often have some to spare.
const OFF_BONUS: i32 = 2;
/// A blot that the opponent has yet to pass stands to lose its way so far; about one in so many is hit.
const HIT_ODDS: i32 = 4;

/// How far a player still has to go, in pips: the way of its checkers, and what its blots stand to lose.
fn distance(position: &Position, player: Player) -> i32 {
    let checkers = position.checkers(player);
    let enemies = position.checkers(player.other());
    let mut lost = 0;
    for point in 1..=24 {
        // The opponent's checkers that have not passed it: on its bar, or on points that are higher from its side.
        let behind = || enemies[25 - point + 1..].iter().any(|&count| count > 0);
        if checkers[point] == 1 && behind() {
            lost += (25 - point) as i32;
        }
    }
    position.pips(player) as i32 + lost / HIT_ODDS - OFF_BONUS * i32::from(checkers[0])
}

/// The lead in the race, and half a roll for the turn, as the chance of winning a single game.
pub fn value(position: &Position) -> Value {
    let mover = position.mover();
    let single = squash((distance(position, mover.other()) - distance(position, mover) + TURN) * PIP, SHIFT);
    // A single game is a third of what a backgammon is worth.
    Value::from_raw(i64::from(single) / i64::from(Position::POINTS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;

    #[test]
    fn the_race_is_seen_alike_from_both_sides() {
        let start = Position::opening();
        assert!(value(&start) > Value::DRAW, "the turn is worth something");
        let rolled = start.child(Step::Outcome(start.outcomes().next().unwrap().id));
        assert_eq!(value(&rolled), value(&start));
        let moved = rolled.child(Step::Move(rolled.moves()[0]));
        assert!(value(&moved) < value(&start), "the opponent has moved on");
    }
}
