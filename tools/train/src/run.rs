//! A run between two batches: games with one set of weights, then steps of the gradient.
//!
//! A batch is a pure function of the weights, the seed and the games' numbers, and all sums are taken in a fixed order:
//! neither the number of threads nor an interruption changes a bit of the result.

use crate::arena::{self, Dice};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::curve::{Curve, News, Row, errors};
use crate::endings::{self, Ending};
use crate::exact::Solver;
use crate::model::{Model, Samples};
use crate::selfplay::Player;
use crate::train::{Failure, Order};
use alea::eval::Noise;
use alea::eval::dice::file;
use alea::eval::dice::network::{BadWeights, Network, Weights};
use alea::eval::dice::{DiceEvaluator, EvalKind, Incremental};
use alea::game::dice::Shape;
use alea_tools::files;
use alea_tools::random::draws;
use rand::seq::SliceRandom;
use std::sync::Arc;

/// Lines of the learning curve in a run.
const ROWS: u64 = 20;
/// Solved positions that the curve is measured on.
const ENDINGS: usize = 140;

/// Pairs of games against `pairs` that a network is measured by.
fn check_pairs(shape: Shape) -> u32 {
    if shape.size() > 9 { 100 } else { 500 }
}

/// A judge by a network.
fn judge_of(weights: Weights, shape: Shape) -> Result<DiceEvaluator, BadWeights> {
    let network = Network::new(weights)?;
    // The network is of the shape it was trained for.
    Ok(DiceEvaluator::new(EvalKind::Net(Arc::new(network)), shape, Noise::NONE)
        .unwrap_or_else(|_| DiceEvaluator::for_shape(shape)))
}

/// A run between two batches.
pub struct Run<'a, B: Incremental> {
    order: &'a Order,
    model: Model,
    /// Games played.
    pub games: u64,
    /// What was measured.
    pub curve: Curve,
    /// The file of the best network measured.
    best: Vec<u8>,
    endings: Vec<Ending>,
    pairs: DiceEvaluator,
    width: std::marker::PhantomData<B>,
}

impl<'a, B: Incremental> Run<'a, B> {
    /// A run at its start, or where a checkpoint left it.
    pub fn start(order: &'a Order, known: Option<Checkpoint>) -> Result<Run<'a, B>, Failure> {
        let shape = order.recipe.shape;
        let mut model = Model::new(shape, order.recipe.build(), order.seed);
        let (mut games, mut curve, mut best) = (0, Curve::default(), Vec::new());
        if let Some(checkpoint) = known {
            let damaged = || Failure::Checkpoint(order.paths.checkpoint.clone(), CheckpointError::Damaged);
            model.restore(checkpoint.steps, &checkpoint.numbers).then_some(()).ok_or_else(damaged)?;
            curve = Curve::parse(&checkpoint.curve).ok_or_else(damaged)?;
            (games, best) = (checkpoint.games, checkpoint.best);
        }
        let few = *endings::solvable(shape).start();
        let positions = endings::positions(shape, few..=few + 2, ENDINGS, order.seed);
        let endings = endings::solve(&positions, order.threads, &|| ());
        let pairs =
            DiceEvaluator::new(EvalKind::Pairs, shape, Noise::NONE).unwrap_or_else(|_| DiceEvaluator::for_shape(shape));
        Ok(Run { order, model, games, curve, best, endings, pairs, width: std::marker::PhantomData })
    }

    /// Whether all games are played.
    pub fn is_finished(&self) -> bool {
        self.games >= self.order.recipe.games
    }

    /// Play a batch of games and learn from it; gives back the root mean square of the surprises.
    pub fn batch(&mut self) -> Result<f64, BadWeights> {
        let (recipe, seed) = (&self.order.recipe, self.order.seed);
        let samples = self.play()?;
        let mut order: Vec<u32> = (0..samples.list.len() as u32).collect();
        order.shuffle(&mut draws(seed, "shuffle", self.games));
        let steps = (order.len() / recipe.batch_samples).max(1);
        let rate = recipe.rate_at(self.games);
        let mut error = 0.0;
        for part in order.chunks(order.len().div_ceil(steps).max(1)) {
            error += self.model.learn(&samples, part, rate, self.order.threads) * part.len() as f64;
        }
        self.games += recipe.batch_games;
        if self.late_games() > 0 {
            self.model.take_in(self.late_games().div_ceil(recipe.batch_games));
        }
        Ok((error / order.len().max(1) as f64).sqrt())
    }

    /// Games played in the second half of the run, over which the weights are averaged.
    fn late_games(&self) -> u64 {
        self.games.saturating_sub(self.order.recipe.games / 2)
    }

    fn play(&self) -> Result<Samples, BadWeights> {
        let recipe = &self.order.recipe;
        let judge = judge_of(self.model.quantised(), recipe.shape)?;
        let player = Player::new(&judge, self.model.layout(), recipe, self.order.seed, self.games);
        let numbers: Vec<u64> = (self.games..self.games + recipe.batch_games).collect();
        let share = numbers.len().div_ceil(self.order.threads.max(1)).max(1);
        let play = |mine: &[u64]| {
            let mut solver = Solver::new();
            mine.iter().map(|&number| player.play::<B>(number, &mut solver)).collect::<Vec<Samples>>()
        };
        let play = &play;
        let games: Vec<Samples> = std::thread::scope(|scope| {
            let threads: Vec<_> = numbers.chunks(share).map(|mine| scope.spawn(move || play(mine))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a game that cannot panic")).collect()
        });
        let mut all = Samples::default();
        games.iter().for_each(|game| all.append(game));
        Ok(all)
    }

    /// Whether the curve has a row for the games played last.
    pub fn row_is_due(&self) -> bool {
        let recipe = &self.order.recipe;
        let part = |games: u64| games.min(recipe.games) * ROWS / recipe.games.max(1);
        part(self.games) != part(self.games - recipe.batch_games)
    }

    /// Measure the network as it stands, and keep it if it is the best.
    pub fn measure(&mut self, surprise: f64) -> Result<(Row, News), BadWeights> {
        let shape = self.order.recipe.shape;
        let weights = self.network();
        let bytes = file::to_bytes(&weights);
        let judge = judge_of(weights, shape)?;
        let dice = Dice { series: 0, pairs: check_pairs(shape) };
        let score = arena::play::<B>(&judge, &self.pairs, dice, self.order.threads, &|| ());
        let row = Row::new(self.games, surprise, errors(&judge, &self.endings), score);
        let news = self.curve.push(row);
        if news == News::Best {
            self.best = bytes;
        }
        Ok((row, news))
    }

    /// The network that the run would end with now: the mean of the weights, where one is taken.
    fn network(&mut self) -> Weights {
        if self.late_games() > 0 { self.model.quantised_mean() } else { self.model.quantised() }
    }

    /// Write the best network, which is the last one as long as none has been measured, and the last one.
    pub fn save_networks(&mut self) -> Result<(), Failure> {
        let paths = &self.order.paths;
        let last = file::to_bytes(&self.network());
        let best = if self.best.is_empty() { &last } else { &self.best };
        files::replace(&paths.net, best).map_err(Failure::Write)?;
        files::replace(&paths.last, &last).map_err(Failure::Write)
    }

    /// Make the run safe.
    pub fn save_checkpoint(&self) -> Result<(), Failure> {
        let (steps, numbers) = self.model.snapshot();
        let checkpoint = Checkpoint {
            games: self.games,
            steps,
            conditions: self.order.conditions(),
            curve: self.curve.csv(),
            best: self.best.clone(),
            numbers,
        };
        checkpoint.save(&self.order.paths.checkpoint).map_err(Failure::Write)
    }
}
