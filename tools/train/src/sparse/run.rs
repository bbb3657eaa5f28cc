//! A training run between its batches: games with one set of weights, then steps of the gradient, and a measurement now and
//! then by which the best network is kept.

use super::arena::{self, Contestant, Score};
use super::draws::{Draws, Purpose};
use super::game::{Taught, evaluator_of, rival_of};
use super::model::{Model, Samples};
use super::recipe::Recipe;
use super::selfplay::Player;
use alea::eval::nn::{BadWeights, Weights, file};
use alea::search::TableError;
use std::fmt;

/// Which dice the measured games are played on.
const SERIES: u32 = 0;
/// Games of the last batch that the rounding of weights is measured on.
const ROUNDED_GAMES: u64 = 32;

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The weights have grown beyond what integers hold.
    Weights(BadWeights),
    /// There is no memory for the measured games.
    Table(TableError),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Weights(bad) => write!(f, "training went astray: {bad}; try another seed"),
            Fault::Table(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Fault {}

/// One line of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Games played.
    pub games: u64,
    /// Root of the mean square of what the last batch was surprised by.
    pub surprise: f64,
    /// Root of the mean square of what rounding to integers changes in a value.
    pub rounding: f64,
    /// What the network scores against the plain evaluation at depth 1.
    pub score: Score,
}

impl Row {
    /// The first line of the curve's file.
    pub const HEADER: &'static str = "games,selfplay_rms,rounding_rms,score,score_margin,pairs";

    /// The line in the file.
    pub fn csv(&self) -> String {
        let Row { games, surprise, rounding, score } = self;
        format!("{games},{surprise:.5},{rounding:.6},{:.4},{:.4},{}", score.mean, score.margin, score.pairs)
    }

    /// The row that a line stands for.
    pub fn parse(line: &str) -> Option<Row> {
        let words: Vec<&str> = line.split(',').collect();
        let &[games, surprise, rounding, mean, margin, pairs] = &words[..] else { return None };
        let score = Score { mean: mean.parse().ok()?, margin: margin.parse().ok()?, pairs: pairs.parse().ok()? };
        Some(Row {
            games: games.parse().ok()?,
            surprise: surprise.parse().ok()?,
            rounding: rounding.parse().ok()?,
            score,
        })
    }
}

/// As it is shown while training.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, margin) = (100.0 * self.score.mean, 100.0 * self.score.margin);
        write!(f, "{:>9} games  surprise {:.4}  rounding {:.5}", self.games, self.surprise, self.rounding)?;
        write!(f, "  against the plain evaluation {mean:.1} % ± {margin:.1}")
    }
}

/// Everything that a run has come to, as a checkpoint keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Games played.
    pub games: u64,
    /// Steps of the gradient taken.
    pub steps: u64,
    /// Everything that training changes.
    pub numbers: Vec<f32>,
    /// The learning curve.
    pub curve: Vec<Row>,
    /// The best network's file, once there is one.
    pub best: Vec<u8>,
}

/// A run between two batches.
pub struct Run<G: Taught> {
    recipe: Recipe,
    seed: u64,
    threads: usize,
    model: Model,
    games: u64,
    curve: Vec<Row>,
    best: Vec<u8>,
    rival: G::Evaluator,
}

impl<G: Taught> Run<G> {
    /// A run from its beginning.
    pub fn new(recipe: Recipe, seed: u64, threads: usize) -> Run<G> {
        let model = Model::new(G::layout(), recipe.units, seed);
        Run { recipe, seed, threads, model, games: 0, curve: Vec::new(), best: Vec::new(), rival: rival_of::<G>() }
    }

    /// Go on from a snapshot of a run like this one; `false` if it is of another size.
    pub fn restore(&mut self, snapshot: Snapshot) -> bool {
        let fits = self.model.restore(snapshot.steps, &snapshot.numbers);
        if fits {
            (self.games, self.curve, self.best) = (snapshot.games, snapshot.curve, snapshot.best);
        }
        fits
    }

    /// What it takes to go on from here.
    pub fn snapshot(&self) -> Snapshot {
        let (steps, numbers) = self.model.snapshot();
        Snapshot { games: self.games, steps, numbers, curve: self.curve.clone(), best: self.best.clone() }
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whether all games are played.
    pub fn is_finished(&self) -> bool {
        self.games >= self.recipe.games
    }

    /// The learning curve so far.
    pub fn curve(&self) -> &[Row] {
        &self.curve
    }

    /// The file of the network that scored best; empty before the first measurement.
    pub fn best(&self) -> &[u8] {
        &self.best
    }

    /// Play a batch of games and learn from it; a row of the curve, where one is due.
    pub fn batch(&mut self) -> Result<Option<Row>, Fault> {
        let numbers = self.games..self.games + self.recipe.batch_games;
        let samples = self.play(numbers.clone(), self.model.quantised())?;
        let surprise = self.learn(&samples);
        self.games = numbers.end;
        let late = self.games.saturating_sub(self.recipe.games / 2).div_ceil(self.recipe.batch_games);
        // Before the second half the mean is of the last weights alone.
        self.model.take_in(late.max(1));
        if self.recipe.row_is_due(self.games) { self.measure(surprise).map(Some) } else { Ok(None) }
    }

    /// Steps down the gradient over all samples in random order; the root of the mean squared error.
    fn learn(&mut self, samples: &Samples) -> f64 {
        let mut order: Vec<u32> = (0..samples.list.len() as u32).collect();
        Draws::new(self.seed, Purpose::Order, self.games).shuffle(&mut order);
        let steps = (order.len() / self.recipe.batch_samples).max(1);
        let rate = self.recipe.rate_at(self.games);
        let mut error = 0.0;
        for part in order.chunks(order.len().div_ceil(steps).max(1)) {
            error += self.model.learn(samples, part, rate, self.threads) * part.len() as f64;
        }
        (error / order.len().max(1) as f64).sqrt()
    }

    fn play(&self, numbers: std::ops::Range<u64>, weights: Weights) -> Result<Samples, Fault> {
        let evaluator = evaluator_of::<G>(weights).map_err(Fault::Weights)?;
        let player = Player::<G>::new(&evaluator, &self.recipe, self.seed, numbers.start);
        let numbers: Vec<u64> = numbers.collect();
        let share = numbers.len().div_ceil(self.threads.max(1)).max(1);
        let play = |mine: &[u64]| mine.iter().map(|&number| player.play(number)).collect::<Vec<Samples>>();
        let play = &play;
        let games: Vec<Samples> = std::thread::scope(|scope| {
            let threads: Vec<_> = numbers.chunks(share).map(|mine| scope.spawn(move || play(mine))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a game that cannot panic")).collect()
        });
        let mut all = Samples::default();
        games.iter().for_each(|game| all.append(game));
        Ok(all)
    }

    /// Measure the network as it stands, and keep it if none was better.
    fn measure(&mut self, surprise: f64) -> Result<Row, Fault> {
        let weights = self.model.quantised();
        let evaluator = evaluator_of::<G>(weights.clone()).map_err(Fault::Weights)?;
        let [one, other] = [&evaluator, &self.rival].map(|evaluator| Contestant::<G> { evaluator, depth: 1 });
        let score = arena::play(&one, &other, SERIES, self.recipe.pairs, self.threads).map_err(Fault::Table)?;
        let row = Row { games: self.games, surprise, rounding: self.rounding(&weights)?, score };
        if self.curve.iter().all(|other| other.score.mean <= score.mean) {
            self.best = file::to_bytes(G::NAME, &weights);
        }
        self.curve.push(row);
        Ok(row)
    }

    /// What rounding to integers changes in the values of some positions.
    fn rounding(&self, weights: &Weights) -> Result<f64, Fault> {
        let numbers = self.games..self.games + ROUNDED_GAMES;
        let samples = self.play(numbers, weights.clone())?;
        Ok(self.model.rounding(&samples, weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::einstein::Position;

    fn recipe() -> Recipe {
        Recipe { games: 240, batch_games: 40, batch_samples: 300, pairs: 10, rows: 3, ..Recipe::EINSTEIN }
    }

    fn finished(mut run: Run<Position>) -> Snapshot {
        while !run.is_finished() {
            run.batch().unwrap();
        }
        run.snapshot()
    }

    /// Neither threads nor an interruption change a bit.
    #[test]
    fn a_seed_gives_one_network() {
        let whole = finished(Run::new(recipe(), 5, 1));
        assert_eq!((whole.games, whole.curve.len()), (240, 3));
        assert!(!whole.best.is_empty());
        assert_eq!(finished(Run::new(recipe(), 5, 3)), whole);
        let mut first = Run::<Position>::new(recipe(), 5, 2);
        for _ in 0..3 {
            first.batch().unwrap();
        }
        let mut second = Run::new(recipe(), 5, 1);
        assert!(second.restore(first.snapshot()));
        assert_eq!(finished(second), whole);
        assert_ne!(finished(Run::new(recipe(), 6, 1)).numbers, whole.numbers);
        let mut other = Run::<Position>::new(Recipe { units: 8, ..recipe() }, 5, 1);
        assert!(!other.restore(whole));
    }

    #[test]
    fn the_best_network_is_kept() {
        let mut run = Run::<Position>::new(recipe(), 5, 1);
        let mut kept = Vec::new();
        while !run.is_finished() {
            if let Some(row) = run.batch().unwrap() {
                let best = run.curve().iter().map(|row| row.score.mean).fold(0.0, f64::max);
                assert_eq!(run.best() != kept, row.score.mean >= best, "{row}");
                kept = run.best().to_vec();
            }
        }
    }

    #[test]
    fn rows_survive_being_written_and_read() {
        let score = Score { mean: 0.625, margin: 0.0125, pairs: 400 };
        let row = Row { games: 1024, surprise: 0.5, rounding: 0.00025, score };
        assert_eq!(Row::parse(&row.csv()), Some(row));
        assert_eq!(Row::HEADER.split(',').count(), row.csv().split(',').count());
        assert_eq!(Row::parse("1,2,3"), None);
    }
}
