//! Games a network plays against itself at depth 1, and what it should have thought of the positions it met.

use crate::exact::Truth;
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

/// A game as far as it has been played.
struct Course<B: Incremental> {
    board: Board<B>,
    state: <DiceEvaluator as Evaluator<Board<B>>>::State,
    turns: Vec<Played>,
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

    /// Play game `number` and say what its positions should be worth. Where it comes to a position that is swept, it is played on
    /// from there several times.
    pub fn play<B: Incremental>(&self, number: u64, truth: &mut Truth) -> Samples {
        let mut draws = draws(self.seed, "games", number);
        let mut samples = Samples::default();
        let board = self.start::<B>(&mut draws);
        let mut game = Course { state: self.judge.state(&board), board, turns: Vec::new() };
        self.play_on(&mut game, self.recipe.solve, truth, &mut draws, &mut samples);
        let (board, state) = (game.board, game.state);
        if let Kind::Over(end) = board.kind() {
            self.settle(game.turns, end.to_f64(), &mut samples);
            return samples;
        }
        truth.sweep(&board);
        self.settle(game.turns, truth.known(&board).unwrap_or_default(), &mut samples);
        for _ in 0..self.recipe.fan {
            let mut game = Course { board, state, turns: Vec::new() };
            self.play_on(&mut game, 0, truth, &mut draws, &mut samples);
            let Kind::Over(end) = game.board.kind() else { continue };
            self.settle(game.turns, end.to_f64(), &mut samples);
        }
        samples
    }

    /// Play on until the end, or until no more than `empty` cells are empty.
    fn play_on<B: Incremental>(
        &self,
        game: &mut Course<B>,
        empty: usize,
        truth: &Truth,
        draws: &mut ChaCha8Rng,
        samples: &mut Samples,
    ) {
        while game.board.kind() == Kind::Chance && game.board.empty_count() > empty {
            let board = game.board;
            let lines = board.open_lines();
            let line = lines[draws.random_range(0..lines.len())];
            let rolled = board.child(Step::Outcome(line));
            let (best_move, best_value) = best(self.judge, &game.state, &rolled);
            let known = if self.recipe.solve > 0 { truth.known(&board) } else { None };
            let backed = match (known, self.recipe.rolls) {
                (Some(worth), _) => worth,
                (None, 0) => best_value.to_f64(),
                (None, rolls) => self.backed(&board, &game.state, (line, best_value), rolls, draws),
            };
            let moves = rolled.moves();
            let explore = draws.random_bool(self.recipe.explore) && best_value != Value::WIN;
            let mv = if explore { moves[draws.random_range(0..moves.len())] } else { best_move };
            let sample = self.sample(&board, samples);
            game.turns.push(Played { sample, backed, sure: known.is_some() || mv != best_move });
            if known.is_some() && best_value != Value::WIN {
                let others = moves.iter().filter(|&&other| other != mv).map(|&other| rolled.child(Step::Move(other)));
                others.for_each(|other| self.learn_of(&other, truth, samples));
            }
            game.board = rolled.child(Step::Move(mv));
            game.state = self.judge.advanced(&game.state, &rolled, Step::Move(mv), &game.board);
        }
    }

    /// What a move that was not played leads to is learnt from too, where its worth is known: a search compares them all.
    fn learn_of<B: Incremental>(&self, board: &Board<B>, truth: &Truth, samples: &mut Samples) {
        let known = if board.kind() == Kind::Chance { truth.known(board) } else { None };
        if let Some(worth) = known {
            let sample = self.sample(board, samples);
            samples.list.push(Sample { target: worth as f32, ..sample });
        }
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
    /// `next` is what the side that would move next has in the end.
    fn settle(&self, turns: Vec<Played>, mut next: f64, samples: &mut Samples) {
        for turn in turns.into_iter().rev() {
            let share = if turn.sure { 0.0 } else { self.lambda };
            let target = (1.0 - share) * turn.backed - share * next;
            samples.list.push(Sample { target: target as f32, ..turn.sample });
            next = target;
        }
        samples.list.reverse();
    }
}
