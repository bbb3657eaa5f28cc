//! Games a network plays against itself at depth 1, and what it should have thought of the positions it met.

use crate::exact::Solver;
use crate::model::{Sample, Samples};
use crate::recipe::Recipe;
use alea::eval::Evaluator;
use alea::eval::dice::features::{FeatureSet, Grid, Layout};
use alea::eval::dice::{DiceEvaluator, Incremental};
use alea::game::dice::{Board, Odds};
use alea::game::{Game, Kind, Step, Value};
use alea_tools::greedy::best;
use alea_tools::random::draws;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// One turn of a game, as it is remembered until the game's end is known.
struct Played {
    sample: Sample,
    /// The worth of the turn averaged over rolls.
    backed: f64,
    /// Whether what came after says nothing more: the worth is exact, or a move was played at random.
    sure: bool,
}

/// Plays games with one set of weights.
pub struct Player<'a> {
    judge: &'a DiceEvaluator,
    layout: &'a Layout,
    recipe: &'a Recipe,
    lambda: f64,
    seed: u64,
}

impl<'a> Player<'a> {
    /// A player for the batch that starts after `games` games.
    pub fn new(judge: &'a DiceEvaluator, layout: &'a Layout, recipe: &'a Recipe, seed: u64, games: u64) -> Player<'a> {
        Player { judge, layout, recipe, lambda: recipe.lambda_at(games), seed }
    }

    /// Play game `number` and say what its positions should be worth.
    pub fn play<B: Incremental>(&self, number: u64, solver: &mut Solver) -> Samples {
        let mut draws = draws(self.seed, "games", number);
        let mut board = self.start::<B>(&mut draws);
        let mut state = self.judge.state(&board);
        let mut samples = Samples::default();
        let mut turns: Vec<Played> = Vec::new();
        while board.kind() == Kind::Chance {
            let lines = board.open_lines();
            let line = lines[draws.random_range(0..lines.len())];
            let rolled = board.child(Step::Outcome(line));
            let (best_move, best_value) = best(self.judge, &state, &rolled);
            let solved = board.empty_count() <= self.recipe.solve;
            let backed = match self.recipe.rolls {
                _ if solved => solver.value(&board).to_f64(),
                0 => best_value.to_f64(),
                rolls => self.backed(&board, &state, (line, best_value), rolls, &mut draws),
            };
            let moves = rolled.moves();
            let explore = draws.random_bool(self.recipe.explore) && best_value != Value::WIN;
            let mv = if explore { moves[draws.random_range(0..moves.len())] } else { best_move };
            let sample = self.sample(&board, &mut samples);
            turns.push(Played { sample, backed, sure: solved || mv != best_move });
            board = rolled.child(Step::Move(mv));
            state = self.judge.advanced(&state, &rolled, Step::Move(mv), &board);
        }
        let Kind::Over(end) = board.kind() else { return samples };
        self.settle(turns, end, &mut samples);
        samples
    }

    /// The position a game starts from: the empty board, or one after random plies.
    fn start<B: Incremental>(&self, draws: &mut ChaCha8Rng) -> Board<B> {
        let shape = self.recipe.shape;
        let empty = Board::<B>::new(shape);
        if !draws.random_bool(self.recipe.scramble) {
            return empty;
        }
        let plies = 1 + draws.random_range(0..self.recipe.scramble_plies.max(1));
        let mut board = empty;
        for _ in 0..plies {
            let lines = board.open_lines();
            let rolled = board.child(Step::Outcome(lines[draws.random_range(0..lines.len())]));
            let moves = rolled.moves();
            let next = rolled.child(Step::Move(moves[draws.random_range(0..moves.len())]));
            if next.kind() != Kind::Chance {
                break;
            }
            board = next;
        }
        board
    }

    /// The worth of a chance node: wins at once are counted exactly, the other rolls by the best move of each, or of
    /// some of them drawn at random.
    fn backed<B: Incremental>(
        &self,
        board: &Board<B>,
        state: &<DiceEvaluator as Evaluator<Board<B>>>::State,
        rolled: (u8, Value),
        rolls: usize,
        draws: &mut ChaCha8Rng,
    ) -> f64 {
        let threats = board.threats_of(board.side());
        let lines = board.lines(board.side());
        let open = board.open_lines();
        let mut quiet: Vec<u8> = open.iter().copied().filter(|&l| !lines[usize::from(l)].meets(threats)).collect();
        let sure = 1.0 - quiet.len() as f64 / open.len() as f64;
        if quiet.is_empty() {
            return 1.0;
        }
        // The roll of the game comes first: its best move is known already.
        if let Some(at) = quiet.iter().position(|&line| line == rolled.0) {
            quiet.swap(0, at);
        }
        let taken = quiet.len().min(rolls);
        let mut sum = 0.0;
        for i in 0..taken {
            let fixed = usize::from(quiet[0] == rolled.0);
            if i >= fixed && taken < quiet.len() {
                let other = i + draws.random_range(0..quiet.len() - i);
                quiet.swap(i, other);
            }
            sum += match quiet[i] {
                line if line == rolled.0 => rolled.1.to_f64(),
                line => best(self.judge, state, &board.child(Step::Outcome(line))).1.to_f64(),
            };
        }
        sure + (1.0 - sure) * sum / taken as f64
    }

    fn sample<B: Incremental>(&self, board: &Board<B>, samples: &mut Samples) -> Sample {
        let start = samples.features.len();
        let grid = Grid::of(board, board.side());
        match self.layout.set() {
            FeatureSet::Counts => {
                samples.features.resize(start + self.layout.len(), 0);
                self.layout.visit(&grid, |feature| samples.features[start + feature] += 1);
            }
            _ => self.layout.visit(&grid, |feature| samples.features.push(feature as u16)),
        }
        let sure = match self.layout.set() {
            FeatureSet::Streaks => 0.0,
            FeatureSet::Lines | FeatureSet::Counts => {
                let odds = Odds::of(board, board.side());
                odds.winning as f32 / odds.open as f32
            }
        };
        Sample { features: start..samples.features.len(), sure, target: 0.0 }
    }

    /// From the last turn to the first: mix what each was thought worth with what became of it.
    fn settle(&self, turns: Vec<Played>, end: Value, samples: &mut Samples) {
        // The end is seen by the side that would move next.
        let mut next = end.to_f64();
        for turn in turns.into_iter().rev() {
            let share = if turn.sure { 0.0 } else { self.lambda };
            let target = (1.0 - share) * turn.backed - share * next;
            samples.list.push(Sample { target: target as f32, ..turn.sample });
            next = target;
        }
        samples.list.reverse();
    }
}
