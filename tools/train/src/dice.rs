//! Training for Dice between two batches: games with one set of weights, then steps of the gradient.
//!
//! A batch is a pure function of the weights, the seed and the games' numbers, and all sums are taken in a fixed order:
//! neither the number of threads nor an interruption changes a bit of the result.

use crate::arena::{self, Dice};
use crate::curve::{Choice, Figures};
use crate::endings::{self, Ending, first_sight};
use crate::exact::Truth;
use crate::model::{Model, Samples};
use crate::recipe::Recipe;
use crate::selfplay::Player;
use crate::shares;
use crate::trainer::{Fault, Measured, Plan, Trainer};
use alea::eval::Noise;
use alea::eval::dice::file;
use alea::eval::dice::network::{BadWeights, Network, Weights};
use alea::eval::dice::{DiceEvaluator, EvalKind, Incremental};
use alea::game::dice::Shape;
use alea::sweep::dice::MAX_SIZE;
use alea_tools::random::draws;
use rand::seq::SliceRandom;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Lines of the learning curve in a run.
const ROWS: u64 = 20;
/// Solved positions that the curve is measured on: so many that the best of a run is not only the luckiest.
const ENDINGS: usize = 1000;

/// Pairs of games against `pairs` that a network is measured by, so many for the same reason.
fn check_pairs(shape: Shape) -> u32 {
    if shape.size() > 5 { 1000 } else { 500 }
}

/// A judge by a network.
fn judge_of(weights: Weights, shape: Shape) -> Result<DiceEvaluator, BadWeights> {
    let network = Network::new(weights)?;
    // The network is of the shape it was trained for.
    Ok(DiceEvaluator::new(EvalKind::Net(Arc::new(network)), shape, Noise::NONE)
        .unwrap_or_else(|_| DiceEvaluator::for_shape(shape)))
}

/// Error of the depth-1 value against exact endings, if the shape has any: root mean square and mean size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndingErrors(Option<(f64, f64)>);

impl EndingErrors {
    /// Those of a judge.
    fn of(judge: &DiceEvaluator, endings: &[Ending]) -> EndingErrors {
        let misses: Vec<f64> = endings
            .iter()
            .map(|ending| first_sight(judge, &ending.position).to_f64() - ending.value.to_f64())
            .collect();
        let n = misses.len() as f64;
        let square = misses.iter().map(|miss| miss * miss).sum::<f64>() / n;
        let mean = misses.iter().map(|miss| miss.abs()).sum::<f64>() / n;
        EndingErrors((!misses.is_empty()).then_some((square.sqrt(), mean)))
    }
}

impl Figures for EndingErrors {
    const COLUMNS: &'static [&'static str] = &["endings_rms", "endings_mean_error"];

    fn csv(&self) -> String {
        self.0.map_or(",".to_owned(), |(rms, mean)| format!("{rms:.5},{mean:.5}"))
    }

    fn parse(words: &[&str]) -> Option<EndingErrors> {
        match words {
            ["", ""] => Some(EndingErrors(None)),
            [rms, mean] => Some(EndingErrors(Some((rms.parse().ok()?, mean.parse().ok()?)))),
            _ => None,
        }
    }

    fn error(&self) -> Option<f64> {
        self.0.map(|(rms, _)| rms)
    }
}

/// As it is shown while training.
impl fmt::Display for EndingErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((rms, mean)) => write!(f, "exact endings: rms {rms:.4}, mean {mean:.4}"),
            None => f.write_str("exact endings: none"),
        }
    }
}

/// What trains a network for a shape.
pub struct DiceTrainer<B: Incremental> {
    recipe: Recipe,
    seed: u64,
    threads: usize,
    model: Model,
    endings: Vec<Ending>,
    pairs: DiceEvaluator,
    width: PhantomData<B>,
}

impl<B: Incremental> DiceTrainer<B> {
    /// One at its start.
    pub fn new(recipe: Recipe, seed: u64, threads: usize) -> DiceTrainer<B> {
        let shape = recipe.shape;
        let model = Model::new(shape, recipe.build(), seed);
        let few = *endings::solvable(shape).start();
        let positions = endings::positions(shape, few..=few + 2, ENDINGS, seed);
        let endings = endings::solve(&positions, threads, &|| ());
        let pairs =
            DiceEvaluator::new(EvalKind::Pairs, shape, Noise::NONE).unwrap_or_else(|_| DiceEvaluator::for_shape(shape));
        DiceTrainer { recipe, seed, threads, model, endings, pairs, width: PhantomData }
    }

    /// How many of `games` are in the second half of the run, over which the weights are averaged.
    fn late_games(&self, games: u64) -> u64 {
        games.saturating_sub(self.recipe.games / 2)
    }

    fn play(&self, games: u64) -> Result<Samples, BadWeights> {
        let judge = judge_of(self.model.quantised(), self.recipe.shape)?;
        let player = Player::new(&judge, self.model.layout(), &self.recipe, self.seed, games);
        let numbers: Vec<u64> = (games..games + self.recipe.batch_games).collect();
        let play = |&number: &u64| player.play::<B>(number, &mut Truth::default());
        let games = shares::each(&numbers, self.threads, play);
        let mut all = Samples::default();
        games.iter().for_each(|game| all.append(game));
        Ok(all)
    }

    /// The weights that the run would end with now: their mean, where one is taken.
    fn weights(&mut self, games: u64) -> Weights {
        if self.late_games(games) > 0 { self.model.quantised_mean() } else { self.model.quantised() }
    }
}

impl<B: Incremental> Trainer for DiceTrainer<B> {
    type Figures = EndingErrors;

    const RIVAL: &'static str = "pairs";

    fn plan(&self) -> Plan {
        Plan { games: self.recipe.games, batch_games: self.recipe.batch_games, rows: ROWS }
    }

    /// Where all targets are exact, so is the choice.
    fn choice(&self) -> Choice {
        let exact = self.recipe.solve > 0 && self.recipe.shape.size() <= MAX_SIZE && !self.endings.is_empty();
        if exact { Choice::Error("exact endings") } else { Choice::Score }
    }

    fn batch(&mut self, games: u64) -> Result<f64, Fault> {
        let samples = self.play(games)?;
        let mut order: Vec<u32> = (0..samples.list.len() as u32).collect();
        let mut draws = draws(self.seed, "shuffle", games);
        let steps = (order.len() / self.recipe.batch_samples).max(1);
        let rate = self.recipe.rate_at(games);
        let mut error = 0.0;
        for _ in 0..self.recipe.passes {
            order.shuffle(&mut draws);
            error = 0.0;
            for part in order.chunks(order.len().div_ceil(steps).max(1)) {
                error += self.model.learn(&samples, part, rate, self.threads) * part.len() as f64;
            }
        }
        let late = self.late_games(games + self.recipe.batch_games);
        if late > 0 {
            self.model.take_in(late.div_ceil(self.recipe.batch_games));
        }
        Ok((error / order.len().max(1) as f64).sqrt())
    }

    fn measure(&mut self, games: u64) -> Result<Measured<EndingErrors>, Fault> {
        let shape = self.recipe.shape;
        let weights = self.weights(games);
        let network = file::to_bytes(&weights);
        let judge = judge_of(weights, shape)?;
        let dice = Dice { series: 0, pairs: check_pairs(shape) };
        let score = arena::play::<B>(&judge, &self.pairs, dice, self.threads, &|| ());
        Ok(Measured { network, figures: EndingErrors::of(&judge, &self.endings), score })
    }

    fn network(&mut self, games: u64) -> Vec<u8> {
        file::to_bytes(&self.weights(games))
    }

    fn snapshot(&self) -> (u64, Vec<f32>) {
        self.model.snapshot()
    }

    fn restore(&mut self, steps: u64, numbers: &[f32]) -> bool {
        self.model.restore(steps, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_come_back() {
        for figures in [EndingErrors(None), EndingErrors(Some((0.25, 0.125)))] {
            let text = figures.csv();
            let words: Vec<&str> = text.split(',').collect();
            assert_eq!((EndingErrors::parse(&words), words.len()), (Some(figures), EndingErrors::COLUMNS.len()));
        }
        for bad in [&["0.1"][..], &["", "0.1"], &["x", "0.1"], &["1", "2", "3"]] {
            assert_eq!(EndingErrors::parse(bad), None, "{bad:?}");
        }
    }
}
