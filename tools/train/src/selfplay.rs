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
    /// What the turn should be worth before the roll: the mean over rolls of the best move's value, or what is known of it.
    expected: f64,
    /// What it was worth once it had rolled, where luck is taken off; the same as expected where it is not.
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
    luckless: bool,
    seed: u64,
}

impl<'a> Player<'a> {
    /// A player for the batch that starts after `games` games.
    pub fn new(judge: &'a DiceEvaluator, layout: &'a Layout, recipe: &'a Recipe, seed: u64, games: u64) -> Player<'a> {
        let (lambda, luckless) = (recipe.lambda_at(games), recipe.is_luckless_at(games));
        Player { judge, layout, recipe, lambda, luckless, seed }
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
            let rolls = if self.luckless { lines.len() } else { self.recipe.rolls };
            let expected = match (known, rolls) {
                (Some(worth), _) => worth,
                (None, 0) => best_value.to_f64(),
                (None, rolls) => self.mean_of_best(&board, &game.state, (line, best_value), rolls, draws),
            };
            let backed = if self.luckless { best_value.to_f64() } else { expected };
            let moves = rolled.moves();
            let explore = draws.random_bool(self.recipe.explore) && best_value != Value::WIN;
            let mv = if explore { moves[draws.random_range(0..moves.len())] } else { best_move };
            let sample = self.sample(&board, samples);
            game.turns.push(Played { sample, expected, backed, sure: known.is_some() || mv != best_move });
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
    fn mean_of_best<B: Incremental>(
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

    /// From the last turn to the first: what each was thought worth, and a share of what came after beside what was expected of
    /// it. Where luck is taken off, what was rolled counts for nothing: only whether the network had seen it coming.
    /// `next` is what the side that would move next has in the end.
    fn settle(&self, turns: Vec<Played>, mut next: f64, samples: &mut Samples) {
        for turn in turns.into_iter().rev() {
            let share = if turn.sure { 0.0 } else { self.lambda };
            let luck = turn.backed - turn.expected;
            let target = (1.0 - share) * turn.expected - share * (next + luck);
            samples.list.push(Sample { target: target as f32, ..turn.sample });
            next = target;
        }
        samples.list.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Name;
    use alea::game::dice::Shape;

    fn played(expected: f64, backed: f64, sure: bool) -> Played {
        Played { sample: Sample { features: 0..0, sure: 0.0, target: 0.0 }, expected, backed, sure }
    }

    /// The targets of some turns, the first turn first, of a game that the side after the last of them has lost.
    fn targets(lambda: f64, turns: Vec<Played>) -> Vec<f64> {
        let shape = Shape::new(7, 4).unwrap();
        let recipe = Recipe::new(Name::Strong, shape, None);
        let (judge, layout) = (DiceEvaluator::for_shape(shape), Layout::new(shape, FeatureSet::Counts));
        let player = Player { judge: &judge, layout: &layout, recipe: &recipe, lambda, luckless: true, seed: 1 };
        let mut samples = Samples::default();
        player.settle(turns, -1.0, &mut samples);
        samples.list.iter().map(|sample| f64::from(sample.target)).collect()
    }

    fn assert_near(found: &[f64], due: &[f64]) {
        assert!(
            found.iter().zip(due).all(|(a, b)| (a - b).abs() < 1e-6) && found.len() == due.len(),
            "{found:?}, not {due:?}"
        );
    }

    /// A win that only the roll brought teaches nothing; one that the network had not seen coming after its roll does.
    #[test]
    fn luck_is_not_learnt_from() {
        assert_near(&targets(1.0, vec![played(0.3, 1.0, false)]), &[0.3]);
        assert_near(&targets(1.0, vec![played(0.3, 0.4, false)]), &[0.9]);
        assert_near(&targets(0.5, vec![played(0.3, 0.4, false)]), &[0.6]);
        // Two turns: the second had luck alone, and so the first is told what it was worth before.
        assert_near(&targets(1.0, vec![played(-0.2, -0.3, false), played(0.25, 1.0, false)]), &[-0.15, 0.25]);
    }

    /// Where luck is left in, the two are one, and a target is a share of each.
    #[test]
    fn targets_share_what_came_after() {
        let turns = || vec![played(-0.5, -0.5, false), played(0.25, 0.25, false)];
        assert_near(&targets(1.0, turns()), &[-1.0, 1.0]);
        assert_near(&targets(0.0, turns()), &[-0.5, 0.25]);
        assert_near(&targets(0.8, turns()), &[-0.1 - 0.8 * 0.85, 0.85]);
        assert_near(&targets(0.8, vec![played(-0.5, -0.5, true), played(0.25, 0.25, false)]), &[-0.5, 0.85]);
    }
}
