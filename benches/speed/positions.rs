//! What is searched and evaluated: the positions of the thesis, and others from the middle of games.

use alea::eval::dice::DiceEvaluator;
use alea::eval::{Evaluator, best_at_sight};
use alea::game::dice::{Position, Shape, rolls};
use alea::game::{Game, Shortcuts, Step, mix};

/// The positions that survive of those the 2006 thesis measured its algorithms by, 5/4.
const THESIS: &str = include_str!("../../tools/suite/thesis-5x5.dpn");

/// One move in so many is drawn by lot, so that games differ.
const WHIM: u64 = 4;

/// The first of every `stride` positions of the thesis.
pub fn thesis(stride: usize) -> Result<Vec<Position>, String> {
    let lines = THESIS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |line: &str| Position::from_dpn(line).map_err(|error| format!("thesis-5x5.dpn: '{line}': {error}"));
    lines.step_by(stride).map(read).collect()
}

/// The middle position of each of `count` games, rolled and not to be won at once: always the same ones.
pub fn mid_game(shape: Shape, count: usize) -> Vec<Position> {
    let games = (0..).map(|seed| game(shape, seed));
    let middles = games.map(|game| game[game.len() / 2]);
    middles.filter(|position| !position.bounds(1).is_exact()).take(count).collect()
}

/// Positions from the middle half of each of `games` games, `each` of a game at most.
pub fn around_mid_game(shape: Shape, games: u64, each: usize) -> Vec<Position> {
    let middle = |seed| {
        let game = game(shape, seed);
        let half = game[game.len() / 4..game.len() * 3 / 4].to_vec();
        let step = half.len().div_ceil(each).max(1);
        half.into_iter().step_by(step)
    };
    (0..games).flat_map(middle).collect()
}

/// The rolled positions of a game that the evaluation plays against itself, looking one move ahead, with whims.
fn game(shape: Shape, seed: u64) -> Vec<Position> {
    let evaluator = DiceEvaluator::for_shape(shape);
    let mut positions = Vec::new();
    let mut board = Position::new(shape);
    let mut state = evaluator.state(&board);
    while let Some(roll) = rolls::roll(seed, positions.len() as u32, &board) {
        let rolled = board.child(Step::Outcome(roll));
        let chance = mix(mix(!seed) ^ positions.len() as u64);
        positions.push(rolled);
        let moves = rolled.moves();
        let best = || best_at_sight(&evaluator, &rolled, &state, &moves);
        let whim = || moves[(chance >> 32) as usize % moves.len()];
        let mv = if chance.is_multiple_of(WHIM) { whim() } else { best() };
        board = rolled.child(Step::Move(mv));
        state = evaluator.advanced(&state, &rolled, Step::Move(mv), &board);
    }
    positions
}
