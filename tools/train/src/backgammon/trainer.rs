//! Training between two batches: games with one set of weights, then steps of the gradient of both networks.

use super::arena::{self, Contestant, Dice, points};
use super::recipe::Recipe;
use super::selfplay::{BothSamples, Lesson, Player};
use crate::curve::{Choice, Figures};
use crate::shares;
use crate::sparse::draws::{Draws, Purpose};
use crate::sparse::model::{Model, Samples};
use crate::trainer::{Fault, Measured, Plan, Trainer};
use alea::eval::Noise;
use alea::eval::backgammon::features::race_layout;
use alea::eval::backgammon::network::BothWeights;
use alea::eval::backgammon::{BackgammonEvaluator, BackgammonNetwork, pips};
use alea::eval::nn::Featured;
use alea::game::backgammon::Position;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Which dice the measured games are played on.
const SERIES: u32 = 0;
/// Games of the network as it is that the rounding of its weights is measured on.
const ROUNDED_GAMES: u64 = 32;

/// Points a game against the rival; the root of the mean square, in a chance, of what rounding to integers changes, and of the
/// error in unseen games of the teacher, if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    points: f64,
    rounding: f64,
    unseen: Option<f64>,
}

impl Figures for Points {
    const COLUMNS: &'static [&'static str] = &["points", "rounding_rms", "unseen_rms"];

    fn csv(&self) -> String {
        let unseen = self.unseen.map_or_else(String::new, |error| format!("{error:.6}"));
        format!("{:.4},{:.6},{unseen}", self.points, self.rounding)
    }

    fn parse(words: &[&str]) -> Option<Points> {
        let [points, rounding, unseen] = words else { return None };
        let unseen = if unseen.is_empty() { None } else { Some(unseen.parse().ok()?) };
        Some(Points { points: points.parse().ok()?, rounding: rounding.parse().ok()?, unseen })
    }

    fn error(&self) -> Option<f64> {
        self.unseen
    }
}

/// As it is shown while training.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3} points a game, rounding {:.5}", self.points, self.rounding)?;
        self.unseen.map_or(Ok(()), |error| write!(f, ", unseen games {error:.5}"))
    }
}

/// What trains the networks of backgammon.
pub struct BackgammonTrainer {
    recipe: Recipe,
    seed: u64,
    threads: usize,
    contact: Model,
    race: Model,
    /// Whose games are learnt from, in place of one's own.
    teacher: Option<Arc<BackgammonNetwork>>,
    /// The teacher's games that have been played, by their numbers.
    played: HashMap<u64, Vec<Lesson>>,
    /// What there would be to learn from others, once they have been played.
    unseen: Option<BothSamples>,
    rival: BackgammonEvaluator,
}

/// Seeds of the two networks' first weights and of the order in which they learn are apart.
const RACE_SEED: u64 = 1 << 63;

impl BackgammonTrainer {
    /// One at its start, that learns from its own games or from those of a teacher.
    pub fn new(
        recipe: Recipe,
        seed: u64,
        threads: usize,
        teacher: Option<Arc<BackgammonNetwork>>,
    ) -> BackgammonTrainer {
        let contact = Model::new(Position::layout(), recipe.contact_units, seed);
        let race = Model::new(race_layout(), recipe.race_units, seed ^ RACE_SEED);
        let rival = BackgammonEvaluator::by_formula(pips::value, Noise::NONE);
        BackgammonTrainer { recipe, seed, threads, contact, race, teacher, played: HashMap::new(), unseen: None, rival }
    }

    fn weights(&self) -> BothWeights {
        BothWeights { contact: self.contact.quantised(), race: self.race.quantised() }
    }

    /// Play these games as a network of this age plays.
    fn play(&self, numbers: &[u64], network: &BackgammonNetwork, age: u64) -> Vec<Vec<Lesson>> {
        let player = Player::new(network, &self.recipe, self.seed, age);
        shares::each(numbers, self.threads, |&number| player.play(number))
    }

    /// The next batch of games of the network as it is.
    fn own_games(&self, games: u64) -> Result<BothSamples, Fault> {
        let network = BackgammonNetwork::new(self.weights())?;
        let numbers = self.recipe.numbers_after(games, self.recipe.batch_games, self.seed);
        Ok(BothSamples::of(self.play(&numbers, &network, games).iter().flatten()))
    }

    /// The next batch of games of a teacher. They are remembered, for they come again; after an interruption they are
    /// played once more, to the same end: a teacher does not age.
    fn teachers_games(&mut self, games: u64, teacher: &BackgammonNetwork) -> BothSamples {
        let numbers = self.recipe.numbers_after(games, self.recipe.batch_games, self.seed);
        let missing: Vec<u64> = numbers.iter().copied().filter(|number| !self.played.contains_key(number)).collect();
        let played = self.play(&missing, teacher, 0);
        self.played.extend(missing.into_iter().zip(played));
        BothSamples::of(numbers.iter().filter_map(|number| self.played.get(number)).flatten())
    }

    /// The error in games of the teacher that are not learnt from; `None` without a teacher.
    fn unseen_error(&mut self, weights: &BothWeights) -> Option<f64> {
        let teacher = self.teacher.clone()?;
        let unseen = self
            .unseen
            .take()
            .unwrap_or_else(|| BothSamples::of(self.play(&self.recipe.unseen_numbers(), &teacher, 0).iter().flatten()));
        let sum = self.contact.square_error(&unseen.contact, &weights.contact)
            + self.race.square_error(&unseen.race, &weights.race);
        let count = unseen.contact.targets.len() + unseen.race.targets.len();
        self.unseen = Some(unseen);
        Some((sum / count.max(1) as f64).sqrt())
    }

    /// What rounding to integers changes in the chances of some positions.
    fn rounding(&self, games: u64, weights: &BothWeights) -> Result<f64, Fault> {
        let network = BackgammonNetwork::new(weights.clone())?;
        let numbers: Vec<u64> = (games..games + ROUNDED_GAMES).collect();
        let samples = BothSamples::of(self.play(&numbers, &network, games).iter().flatten());
        Ok(self.contact.rounding(&samples.contact, &weights.contact))
    }
}

/// Steps down the gradient over all samples in random order, as often as the recipe says; the sum of the squared errors at the
/// first sight of each.
fn learn(model: &mut Model, samples: &Samples, recipe: &Recipe, games: u64, seed: u64, threads: usize) -> f64 {
    let mut order: Vec<u32> = (0..samples.list.len() as u32).collect();
    let mut draws = Draws::new(seed, Purpose::Order, games);
    let steps = (order.len() / recipe.batch_samples).max(1);
    let rate = recipe.rate_at(games);
    let mut pass = || {
        draws.shuffle(&mut order);
        let parts = order.chunks(order.len().div_ceil(steps).max(1));
        parts.map(|part| model.learn(samples, part, rate, threads) * part.len() as f64).sum()
    };
    let errors: Vec<f64> = (0..recipe.passes_at(games)).map(|_| pass()).collect();
    errors[0]
}

impl Trainer for BackgammonTrainer {
    type Figures = Points;

    const RIVAL: &'static str = "pips";

    fn plan(&self) -> Plan {
        let Recipe { games, batch_games, rows, .. } = self.recipe;
        Plan { games, batch_games, rows }
    }

    /// A pupil comes ever nearer to its teacher's games, and by the score late networks cannot be told apart.
    fn choice(&self) -> Choice {
        if self.teacher.is_some() { Choice::Error("unseen games of its teacher") } else { Choice::Score }
    }

    fn batch(&mut self, games: u64) -> Result<f64, Fault> {
        let end = games + self.recipe.batch_games;
        let samples = match self.teacher.clone() {
            Some(teacher) => self.teachers_games(games, &teacher),
            None => self.own_games(games)?,
        };
        let (recipe, seed, threads) = (self.recipe, self.seed, self.threads);
        let error = learn(&mut self.contact, &samples.contact, &recipe, games, seed, threads)
            + learn(&mut self.race, &samples.race, &recipe, games, seed ^ RACE_SEED, threads);
        let first = (self.recipe.mean_from * self.recipe.games as f64) as u64;
        let late = end.saturating_sub(first).div_ceil(self.recipe.batch_games);
        // Before that the mean is of the last weights alone.
        self.contact.take_in(late.max(1));
        self.race.take_in(late.max(1));
        let count = samples.contact.list.len() + samples.race.list.len();
        Ok((error / count.max(1) as f64).sqrt())
    }

    fn measure(&mut self, games: u64) -> Result<Measured<Points>, Fault> {
        let weights = self.weights();
        let network = Arc::new(BackgammonNetwork::new(weights.clone())?);
        let evaluator = BackgammonEvaluator::by_network(network, Noise::NONE);
        let [one, other] = [&evaluator, &self.rival].map(|evaluator| Contestant { evaluator, depth: 1 });
        let dice = Dice { series: SERIES, pairs: self.recipe.pairs };
        let score = arena::play(one, other, dice, self.threads, &|| ())?;
        let (rounding, unseen) = (self.rounding(games, &weights)?, self.unseen_error(&weights));
        let figures = Points { points: points(score.mean), rounding, unseen };
        Ok(Measured { network: weights.to_bytes(), figures, score })
    }

    fn network(&mut self, _games: u64) -> Vec<u8> {
        self.weights().to_bytes()
    }

    fn snapshot(&self) -> (u64, Vec<f32>) {
        let ((steps, mut numbers), (race_steps, race)) = (self.contact.snapshot(), self.race.snapshot());
        numbers.extend(race);
        // Both counts in one: no run has more steps than 32 bits hold.
        (steps << 32 | race_steps, numbers)
    }

    fn restore(&mut self, steps: u64, numbers: &[f32]) -> bool {
        let contact = self.contact.snapshot().1.len();
        numbers.split_at_checked(contact).is_some_and(|(contact, race)| {
            self.contact.restore(steps >> 32, contact) && self.race.restore(steps & u64::from(u32::MAX), race)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        let recipe = Recipe { contact_units: 8, race_units: 8, games: 48, batch_games: 8, ..Recipe::OWN };
        Recipe { batch_samples: 128, pairs: 5, rows: 3, ..recipe }
    }

    fn trainer(seed: u64, threads: usize) -> BackgammonTrainer {
        BackgammonTrainer::new(recipe(), seed, threads, None)
    }

    /// Play from `games` to the end; what was learnt, the network and its score.
    fn finished(mut trainer: BackgammonTrainer, games: u64) -> ((u64, Vec<f32>), Vec<u8>, String) {
        for games in (games..48).step_by(8) {
            trainer.batch(games).unwrap();
        }
        let measured = trainer.measure(48).unwrap();
        assert_eq!(measured.network, trainer.network(48));
        (trainer.snapshot(), measured.network, measured.score.to_string())
    }

    /// Neither threads nor an interruption change a bit.
    #[test]
    fn a_seed_gives_one_network() {
        let whole = finished(trainer(5, 1), 0);
        assert_eq!(finished(trainer(5, 3), 0), whole);
        let mut first = trainer(5, 2);
        for games in [0, 8, 16] {
            first.batch(games).unwrap();
        }
        let (steps, numbers) = first.snapshot();
        let mut second = trainer(5, 1);
        assert!(second.restore(steps, &numbers));
        assert_eq!(finished(second, 24), whole);
        assert_ne!(finished(trainer(6, 1), 0).0, whole.0);
        let mut other = BackgammonTrainer::new(Recipe { contact_units: 16, ..recipe() }, 5, 1, None);
        assert!(!other.restore(steps, &numbers));
    }

    /// A pupil learns from its teacher's games, whatever it thinks itself, and once more when they have all been played;
    /// an interruption, after which they are played again, changes nothing.
    #[test]
    fn a_teacher_plays_the_games() {
        let teacher = Arc::new(BackgammonNetwork::new(trainer(5, 1).weights()).unwrap());
        let recipe = Recipe { luckless_from: 0.0, different: Some(12), unseen_games: 4, ..recipe() };
        let pupil = |threads: usize| BackgammonTrainer::new(recipe, 6, threads, Some(Arc::clone(&teacher)));
        let mut pupils = [1, 2].map(pupil);
        for games in [0, 8, 16] {
            let surprises = pupils.each_mut().map(|pupil| pupil.batch(games).unwrap());
            assert_eq!(surprises[0], surprises[1]);
            assert!(pupils[0].played.len() <= 12);
            if games == 8 {
                let (steps, numbers) = pupils[1].snapshot();
                pupils[1] = pupil(2);
                assert!(pupils[1].restore(steps, &numbers));
            }
        }
        assert_eq!(pupils[0].snapshot(), pupils[1].snapshot());
        let [one, two] = pupils.each_mut().map(|pupil| pupil.measure(24).unwrap());
        assert!(one.figures.unseen.is_some_and(|error| 0.0 < error && error < 2.0) && one.figures == two.figures);
        let mut alone = BackgammonTrainer::new(recipe, 6, 1, None);
        for games in [0, 8, 16] {
            alone.batch(games).unwrap();
        }
        assert_ne!(alone.snapshot(), pupils[0].snapshot());
        assert_eq!(alone.measure(24).unwrap().figures.unseen, None);
    }

    #[test]
    fn figures_come_back() {
        for (unseen, text) in [(None, "0.5125,0.000250,"), (Some(0.0425), "0.5125,0.000250,0.042500")] {
            let figures = Points { points: 0.5125, rounding: 0.00025, unseen };
            let words: Vec<&str> = text.split(',').collect();
            assert_eq!((figures.csv().as_str(), Points::parse(&words)), (text, Some(figures)));
            assert_eq!(figures.error(), unseen);
        }
        for bad in [&[][..], &["x", "1", ""], &["1", "1", "x"], &["1", "1"]] {
            assert_eq!(Points::parse(bad), None, "{bad:?}");
        }
    }
}
