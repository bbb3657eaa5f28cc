//! Endings whose worth is known: positions made by random play and solved exactly by the engine's own search.

use crate::shares;
use alea::eval::Evaluator;
use alea::eval::dice::DiceEvaluator;
use alea::game::dice::{Board, Move, Position, Shape, Wide};
use alea::game::{Game, Kind, Step, Value};
use alea::search::{Limits, Searched, Searcher, Settings, Stop, TableError, Verdict};
use alea_tools::greedy::best;
use alea_tools::random::draws;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;

/// Megabytes of the table a solver has.
const HASH: usize = 32;

/// A rolled position and its exact worth.
pub struct Ending {
    /// The position.
    pub position: Position,
    /// Its worth.
    pub value: Value,
}

/// How many cells may be empty for a position of a shape to be solved in a moment.
pub fn solvable(shape: Shape) -> RangeInclusive<usize> {
    if shape.size() <= 5 { 7..=13 } else { 5..=9 }
}

/// An unfinished, rolled position with `empty` empty cells, from random play; `None` if the game ended before.
fn make(shape: Shape, empty: usize, draws: &mut ChaCha8Rng) -> Option<Position> {
    let mut board = Board::<Wide>::new(shape);
    loop {
        if board.kind() != Kind::Chance {
            return None;
        }
        let lines = board.open_lines();
        let rolled = board.child(Step::Outcome(lines[draws.random_range(0..lines.len())]));
        if board.empty_count() == empty {
            return Some(rolled);
        }
        let moves = rolled.moves();
        board = rolled.child(Step::Move(moves[draws.random_range(0..moves.len())]));
    }
}

/// Rolled, unfinished positions from random play, as many of each number of empty cells as of any other; fewer than
/// `count` where random play hardly ever gets so far.
pub fn positions(shape: Shape, empty: RangeInclusive<usize>, count: usize, seed: u64) -> Vec<Position> {
    let sizes: Vec<usize> = empty.collect();
    let mut found = Vec::new();
    let tries = 40 * count as u64 + 400;
    for number in 0..tries {
        if found.len() == count {
            break;
        }
        let empty = sizes[found.len() % sizes.len()];
        found.extend(make(shape, empty, &mut draws(seed, "endings", number)));
    }
    found
}

/// Solve positions, calling `done` after each. The order is kept.
pub fn solve(positions: &[Position], threads: usize, done: &(dyn Fn() + Sync)) -> Vec<Ending> {
    shares::runs(positions, threads, |mine| solve_part(mine, done)).into_iter().flatten().collect()
}

fn solve_part(positions: &[Position], done: &(dyn Fn() + Sync)) -> Vec<Ending> {
    let Ok(mut solver) = Solver::new() else { return Vec::new() };
    let mut endings = Vec::with_capacity(positions.len());
    for position in positions {
        endings.extend(solver.worth(position).map(|value| Ending { position: *position, value }));
        done();
    }
    endings
}

/// The engine's search, with a table for what is exact and one for what a judge thinks.
pub struct Solver {
    exact: Searcher,
    judged: Searcher,
}

impl Solver {
    /// A solver with empty tables.
    pub fn new() -> Result<Solver, TableError> {
        Ok(Solver { exact: Searcher::new(HASH)?, judged: Searcher::new(1)? })
    }

    /// The exact worth of a position of any kind for the side to move.
    pub fn worth(&mut self, position: &Position) -> Option<Value> {
        if let Kind::Over(value) = position.kind() {
            return Some(value);
        }
        let judge = DiceEvaluator::for_shape(position.shape());
        let verdict = search(&mut self.exact, position, &judge, Limits::default());
        verdict.last.filter(|last| last.exact).map(|_| verdict.value)
    }

    /// The move that a judge chooses at a depth.
    pub fn choice(&mut self, judge: &DiceEvaluator, position: &Position, depth: u32) -> Option<Move> {
        self.judged.forget();
        search(&mut self.judged, position, judge, Limits::to_depth(depth)).best
    }
}

fn search(searcher: &mut Searcher, position: &Position, judge: &DiceEvaluator, limits: Limits<Move>) -> Verdict<Move> {
    position.search(searcher, judge, &Settings::default(), &limits, &Stop::new(), &mut |_| ())
}

/// The value at depth 1: the best of the moves at first sight.
pub fn first_sight(judge: &DiceEvaluator, position: &Position) -> Value {
    best(judge, &judge.state(position), position).1
}
