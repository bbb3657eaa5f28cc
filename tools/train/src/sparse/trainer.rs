//! Training between two batches: games with one set of weights, then steps of the gradient.

use super::arena::{self, Contestant, Dice};
use super::draws::{Draws, Purpose};
use super::game::{Taught, evaluator_of, rival_of};
use super::model::{Model, Samples};
use super::recipe::Recipe;
use super::selfplay::Player;
use crate::curve::Figures;
use crate::shares;
use crate::trainer::{Fault, Measured, Plan, Trainer};
use alea::eval::nn::{Weights, file};
use std::fmt;
use std::ops::Range;

/// Which dice the measured games are played on.
const SERIES: u32 = 0;
/// Games of the network as it is that the rounding of its weights is measured on.
const ROUNDED_GAMES: u64 = 32;

/// Root of the mean square of what rounding to integers changes in a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounding(f64);

impl Figures for Rounding {
    const COLUMNS: &'static [&'static str] = &["rounding_rms"];

    fn csv(&self) -> String {
        format!("{:.6}", self.0)
    }

    fn parse(words: &[&str]) -> Option<Rounding> {
        let [word] = words else { return None };
        word.parse().ok().map(Rounding)
    }
}

/// As it is shown while training.
impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rounding {:.5}", self.0)
    }
}

/// What trains a network of sparse features.
pub struct SparseTrainer<G: Taught> {
    recipe: Recipe,
    seed: u64,
    threads: usize,
    model: Model,
    rival: G::Evaluator,
}

impl<G: Taught> SparseTrainer<G> {
    /// One at its start.
    pub fn new(recipe: Recipe, seed: u64, threads: usize) -> SparseTrainer<G> {
        let model = Model::new(G::layout(), recipe.units, seed);
        SparseTrainer { recipe, seed, threads, model, rival: rival_of::<G>() }
    }

    /// Steps down the gradient over all samples in random order; the root of the mean squared error.
    fn learn(&mut self, games: u64, samples: &Samples) -> f64 {
        let mut order: Vec<u32> = (0..samples.list.len() as u32).collect();
        Draws::new(self.seed, Purpose::Order, games).shuffle(&mut order);
        let steps = (order.len() / self.recipe.batch_samples).max(1);
        let rate = self.recipe.rate_at(games);
        let mut error = 0.0;
        for part in order.chunks(order.len().div_ceil(steps).max(1)) {
            error += self.model.learn(samples, part, rate, self.threads) * part.len() as f64;
        }
        (error / order.len().max(1) as f64).sqrt()
    }

    fn play(&self, numbers: Range<u64>, weights: Weights) -> Result<Samples, Fault> {
        let evaluator = evaluator_of::<G>(weights)?;
        let player = Player::<G>::new(&evaluator, &self.recipe, self.seed, numbers.start);
        let numbers: Vec<u64> = numbers.collect();
        let mut all = Samples::default();
        let games = shares::each(&numbers, self.threads, |&number| G::self_play(&player, number));
        games.iter().for_each(|game| all.append(game));
        Ok(all)
    }

    /// What rounding to integers changes in the values of some positions.
    fn rounding(&self, games: u64, weights: &Weights) -> Result<Rounding, Fault> {
        let samples = self.play(games..games + ROUNDED_GAMES, weights.clone())?;
        Ok(Rounding(self.model.rounding(&samples, weights)))
    }
}

impl<G: Taught> Trainer for SparseTrainer<G> {
    type Figures = Rounding;

    const RIVAL: &'static str = G::RIVAL;

    fn plan(&self) -> Plan {
        let Recipe { games, batch_games, rows, .. } = self.recipe;
        Plan { games, batch_games, rows }
    }

    fn batch(&mut self, games: u64) -> Result<f64, Fault> {
        let end = games + self.recipe.batch_games;
        let samples = self.play(games..end, self.model.quantised())?;
        let surprise = self.learn(games, &samples);
        let late = end.saturating_sub(self.recipe.games / 2).div_ceil(self.recipe.batch_games);
        // Before the second half the mean is of the last weights alone.
        self.model.take_in(late.max(1));
        Ok(surprise)
    }

    fn measure(&mut self, games: u64) -> Result<Measured<Rounding>, Fault> {
        let weights = self.model.quantised();
        let evaluator = evaluator_of::<G>(weights.clone())?;
        let [one, other] = [&evaluator, &self.rival].map(|evaluator| Contestant::<G> { evaluator, depth: 1 });
        let dice = Dice { series: SERIES, pairs: self.recipe.pairs };
        let score = arena::play(&one, &other, dice, self.threads, &|| ())?;
        let network = file::to_bytes(&G::layout(), &weights);
        Ok(Measured { network, figures: self.rounding(games, &weights)?, score })
    }

    fn network(&mut self, _games: u64) -> Vec<u8> {
        file::to_bytes(&G::layout(), &self.model.quantised())
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
    use alea::game::einstein::Position;

    fn recipe() -> Recipe {
        Recipe { games: 240, batch_games: 40, batch_samples: 300, pairs: 10, rows: 3, ..Recipe::EINSTEIN }
    }

    fn trainer(seed: u64, threads: usize) -> SparseTrainer<Position> {
        SparseTrainer::new(recipe(), seed, threads)
    }

    /// Play from `games` to the end; what was learnt, the network and its score.
    fn finished(mut trainer: SparseTrainer<Position>, games: u64) -> ((u64, Vec<f32>), Vec<u8>, String) {
        for games in (games..240).step_by(40) {
            trainer.batch(games).unwrap();
        }
        let measured = trainer.measure(240).unwrap();
        assert_eq!(measured.network, trainer.network(240));
        (trainer.snapshot(), measured.network, measured.score.to_string())
    }

    /// Neither threads nor an interruption change a bit.
    #[test]
    fn a_seed_gives_one_network() {
        let whole = finished(trainer(5, 1), 0);
        assert_eq!(finished(trainer(5, 3), 0), whole);
        let mut first = trainer(5, 2);
        for games in [0, 40, 80] {
            first.batch(games).unwrap();
        }
        let (steps, numbers) = first.snapshot();
        let mut second = trainer(5, 1);
        assert!(second.restore(steps, &numbers));
        assert_eq!(finished(second, 120), whole);
        assert_ne!(finished(trainer(6, 1), 0).0, whole.0);
        let mut other = SparseTrainer::<Position>::new(Recipe { units: 8, ..recipe() }, 5, 1);
        assert!(!other.restore(steps, &numbers));
    }

    #[test]
    fn figures_come_back() {
        let text = Rounding(0.00025).csv();
        assert_eq!((text.as_str(), Rounding::parse(&[&text])), ("0.000250", Some(Rounding(0.00025))));
        for bad in [&[][..], &["x"], &["1", "2"]] {
            assert_eq!(Rounding::parse(bad), None, "{bad:?}");
        }
    }
}
