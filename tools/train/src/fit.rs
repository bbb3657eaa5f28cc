//! The scale of the pairs evaluation: what one more pair is worth, fitted to how games ended.

use alea::eval::dice::{DiceEvaluator, EvalKind, Incremental, pairs};
use alea::eval::{Evaluator, Noise};
use alea::game::dice::{Board, Shape};
use alea::game::{Game, Kind, Step};
use alea_tools::greedy::best;
use alea_tools::random::draws;
use rand::RngExt;

/// Games that `pairs` plays against itself.
const GAMES: u64 = 4000;
/// How often it plays at random.
const EXPLORE: f64 = 0.1;

/// The scale for which tanh(scale * lead in pairs) is nearest, in the mean square over all positions of the games, to
/// the outcome for the side to move.
pub fn scale<B: Incremental>(shape: Shape) -> f64 {
    let Ok(judge) = DiceEvaluator::new(EvalKind::Pairs, shape, Noise::NONE) else { return 0.0 };
    let games = if shape.size() > 9 { GAMES / 8 } else { GAMES };
    let seen: Vec<(f64, f64)> = (0..games).flat_map(|number| game::<B>(&judge, shape, number)).collect();
    let error = |scale: f64| -> f64 {
        seen.iter().map(|&(lead, end)| ((scale * lead).tanh() - end) * ((scale * lead).tanh() - end)).sum()
    };
    // The error has one valley: close in on it.
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..40 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(a) < error(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

/// The lead in pairs of the side to move at each turn of a game, and what the game ended with for it.
fn game<B: Incremental>(judge: &DiceEvaluator, shape: Shape, number: u64) -> Vec<(f64, f64)> {
    let mut draws = draws(0, "fit", number);
    let mut board = Board::<B>::new(shape);
    let mut leads = Vec::new();
    while board.kind() == Kind::Chance {
        let side = board.side();
        leads.push(f64::from(pairs::pairs_of(&board, side) - pairs::pairs_of(&board, side.other())));
        let lines = board.open_lines();
        let rolled = board.child(Step::Outcome(lines[draws.random_range(0..lines.len())]));
        let moves = rolled.moves();
        let mv = match draws.random_bool(EXPLORE) {
            true => moves[draws.random_range(0..moves.len())],
            false => best(judge, &judge.state(&rolled), &rolled).0,
        };
        board = rolled.child(Step::Move(mv));
    }
    let Kind::Over(end) = board.kind() else { return Vec::new() };
    // The end is seen by the side that would move next; the sign changes with every turn before it.
    let ends = std::iter::successors(Some(-end.to_f64()), |end| Some(-end));
    leads.into_iter().rev().zip(ends).collect()
}
