//! The exact worth of endings, for targets: plain expectimax with a memory of positions.
//!
//! Search with bounds is quicker for one position, but here every position below the first is wanted too. Values are
//! integers and averages are rounded the same whatever came first, so the memory changes nothing but the time.

use alea::eval::dice::Incremental;
use alea::game::dice::Board;
use alea::game::{Game, Kind, Step, Value};

/// Places in the memory.
const PLACES: usize = 1 << 18;

/// A solver with its memory of chance nodes.
pub struct Solver {
    memory: Vec<(u64, i32)>,
}

impl Solver {
    /// A solver that remembers nothing yet.
    pub fn new() -> Solver {
        Solver { memory: vec![(0, 0); PLACES] }
    }

    /// The worth of a position that has not been rolled.
    pub fn value<B: Incremental>(&mut self, board: &Board<B>) -> Value {
        Value::from_raw(self.chance(board).into())
    }

    fn chance<B: Incremental>(&mut self, board: &Board<B>) -> i32 {
        if let Kind::Over(value) = board.kind() {
            return value.raw();
        }
        let key = board.key(true, 0).hash;
        let place = (key >> 46) as usize % PLACES;
        if self.memory[place].0 == key {
            return self.memory[place].1;
        }
        let lines = board.open_lines();
        let sum: i64 = lines.iter().map(|&line| i64::from(self.decision(&board.child(Step::Outcome(line))))).sum();
        // Half away from zero: the same for a position and its image, and for both sides.
        let count = lines.len() as i64;
        let value = ((2 * sum + sum.signum() * count) / (2 * count)) as i32;
        self.memory[place] = (key, value);
        value
    }

    fn decision<B: Incremental>(&mut self, board: &Board<B>) -> i32 {
        let playable = board.playable();
        if playable.meets(board.threats_of(board.side())) {
            return Value::WIN.raw();
        }
        board.moves().into_iter().map(|mv| -self.chance(&board.child(Step::Move(mv)))).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endings;
    use alea::game::dice::Shape;

    #[test]
    fn agrees_with_the_search() {
        let positions = endings::positions(Shape::default(), 5..=8, 40, 3);
        let endings = endings::solve(&positions, 1, &|| ());
        assert_eq!(endings.len(), 40);
        let mut solver = Solver::new();
        for ending in endings {
            let worth = Value::from_raw(solver.decision(&ending.position).into());
            assert!((worth.to_f64() - ending.value.to_f64()).abs() < 1e-5);
        }
    }
}
