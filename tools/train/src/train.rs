//! A training run: batches of games with one set of weights, then steps of the gradient, until all games are played.
//!
//! A batch is a pure function of the weights, the seed and the games' numbers, and all sums are taken in a fixed order:
//! neither the number of threads nor an interruption changes a bit of the result.

use crate::arena::{self, Dice};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::curve::{Curve, Row, errors};
use crate::endings::{self, Ending};
use crate::exact::Solver;
use crate::model::{Model, Samples};
use crate::recipe::Recipe;
use crate::selfplay::{Draws, Player};
use alea::eval::file::{self, FileError};
use alea::eval::network::{BadWeights, Network};
use alea::eval::{EvalKind, Followed, Judge, Noise};
use alea::game::dice::Shape;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines of the learning curve in a run.
const ROWS: u64 = 20;
/// How often the run is made safe.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);
/// Solved positions that the curve is measured on.
const ENDINGS: usize = 140;

/// What to train, and where to put it.
pub struct Order {
    /// How.
    pub recipe: Recipe,
    /// Which of all runs.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
    /// The network's file; checkpoint and curve lie beside it.
    pub out: PathBuf,
    /// Whether to go on from the checkpoint.
    pub resume: bool,
    /// Stop after about this many games as if interrupted, leaving a checkpoint.
    pub until: Option<u64>,
}

/// Why a run ended early.
#[derive(Debug)]
pub enum Failure {
    /// The checkpoint cannot be used.
    Checkpoint(PathBuf, CheckpointError),
    /// A file cannot be written.
    Write(PathBuf, io::Error),
    /// The network cannot be written.
    Save(PathBuf, FileError),
    /// The weights have grown beyond what integers hold.
    Weights(BadWeights),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Checkpoint(path, error) => write!(f, "checkpoint {}: {error}", path.display()),
            Failure::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Failure::Save(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Failure::Weights(bad) => write!(f, "training went astray: {bad}; try another seed"),
        }
    }
}

impl std::error::Error for Failure {}

impl Order {
    /// A file beside the network's.
    fn beside(&self, extension: &str) -> PathBuf {
        self.out.with_extension(extension)
    }

    /// Where a run goes on from.
    pub fn checkpoint(&self) -> PathBuf {
        self.beside("checkpoint")
    }

    /// Where the learning curve is.
    pub fn curve(&self) -> PathBuf {
        self.beside("csv")
    }

    /// Everything the result depends on.
    fn description(&self) -> String {
        format!("seed {}, {:?}", self.seed, self.recipe)
    }
}

/// A judge by the network as it stands.
pub fn judge_of(model: &Model, shape: Shape) -> Result<Judge, BadWeights> {
    let network = Network::new(model.quantised())?;
    // The network is of the shape it was trained for.
    Ok(Judge::new(EvalKind::Net(Arc::new(network)), shape, Noise::NONE).unwrap_or_else(|_| Judge::for_shape(shape)))
}

/// Carry an order out; `false` if it was stopped before its end, as ordered.
pub fn train<B: Followed>(order: &Order) -> Result<bool, Failure> {
    let recipe = &order.recipe;
    let mut run = Run::<B>::start(order)?;
    let bar = progress(recipe.games);
    bar.set_position(run.games);
    let mut saved = Instant::now();
    while run.games < recipe.games {
        let surprise = run.batch().map_err(Failure::Weights)?;
        bar.set_position(run.games);
        if run.row_is_due() {
            let row = run.row(surprise).map_err(Failure::Weights)?;
            bar.suspend(|| println!("{row}"));
            let path = order.curve();
            run.curve.add(&row, &path).map_err(|error| Failure::Write(path, error))?;
        }
        let leave = order.until.is_some_and(|until| run.games >= until);
        if leave || saved.elapsed() > CHECKPOINT_EVERY {
            run.save_checkpoint()?;
            saved = Instant::now();
        }
        if leave {
            return Ok(false);
        }
    }
    bar.finish_and_clear();
    run.model.settle();
    let weights = run.model.quantised();
    file::save(&order.out, &weights).map_err(|error| Failure::Save(order.out.clone(), error))?;
    remove(&order.checkpoint());
    Ok(true)
}

/// A checkpoint of a finished run is of no more use; if it cannot be removed, no harm is done.
fn remove(path: &Path) {
    std::fs::remove_file(path).ok();
}

fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let template = "{bar:40} {human_pos}/{human_len} games  {per_sec}  {elapsed} gone, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A run between two batches.
struct Run<'a, B: Followed> {
    order: &'a Order,
    model: Model,
    games: u64,
    curve: Curve,
    endings: Vec<Ending>,
    pairs: Judge,
    width: std::marker::PhantomData<B>,
}

impl<'a, B: Followed> Run<'a, B> {
    fn start(order: &'a Order) -> Result<Run<'a, B>, Failure> {
        let recipe = &order.recipe;
        let shape = recipe.shape;
        let mut model = Model::new(shape, recipe.build(), order.seed);
        let mut games = 0;
        if order.resume {
            let path = order.checkpoint();
            let checkpoint = Checkpoint::load(&path, &order.description());
            let checkpoint = checkpoint.map_err(|error| Failure::Checkpoint(path.clone(), error))?;
            if !model.restore(checkpoint.steps, &checkpoint.numbers) {
                return Err(Failure::Checkpoint(path, CheckpointError::Damaged));
            }
            games = checkpoint.games;
        }
        let few = *endings::solvable(shape).start();
        let positions = endings::positions(shape, few..=few + 2, ENDINGS, order.seed);
        let endings = endings::solve(&positions, order.threads, &|| ());
        let curve = if order.resume { Curve::load(&order.curve(), games) } else { Curve::default() };
        let pairs = Judge::new(EvalKind::Pairs, shape, Noise::NONE).unwrap_or_else(|_| Judge::for_shape(shape));
        Ok(Run { order, model, games, curve, endings, pairs, width: std::marker::PhantomData })
    }

    /// Play a batch of games and learn from it; gives back the root mean square of the surprises.
    fn batch(&mut self) -> Result<f64, BadWeights> {
        let (recipe, seed) = (&self.order.recipe, self.order.seed);
        let samples = self.play()?;
        let mut order: Vec<u32> = (0..samples.list.len() as u32).collect();
        let mut draws = Draws::new(!seed, self.games);
        for i in (1..order.len()).rev() {
            order.swap(i, draws.below(i + 1));
        }
        let steps = (order.len() / recipe.batch_samples).max(1);
        let rate = recipe.rate_at(self.games);
        let mut error = 0.0;
        for part in order.chunks(order.len().div_ceil(steps).max(1)) {
            error += self.model.learn(&samples, part, rate, self.order.threads) * part.len() as f64;
        }
        self.games += recipe.batch_games;
        let late = self.games.saturating_sub(recipe.games / 2);
        if late > 0 {
            self.model.take_in(late.div_ceil(recipe.batch_games));
        }
        Ok((error / order.len().max(1) as f64).sqrt())
    }

    fn play(&self) -> Result<Samples, BadWeights> {
        let recipe = &self.order.recipe;
        let judge = judge_of(&self.model, recipe.shape)?;
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

    fn row_is_due(&self) -> bool {
        let recipe = &self.order.recipe;
        let part = |games: u64| games.min(recipe.games) * ROWS / recipe.games.max(1);
        part(self.games) != part(self.games - recipe.batch_games)
    }

    fn row(&self, surprise: f64) -> Result<Row, BadWeights> {
        let shape = self.order.recipe.shape;
        let judge = judge_of(&self.model, shape)?;
        let pairs = if shape.size() > 9 { 50 } else { 250 };
        let score = arena::play::<B>(&judge, &self.pairs, Dice { series: 0, pairs }, self.order.threads);
        Ok(Row { games: self.games, surprise, endings: errors(&judge, &self.endings), score })
    }

    fn save_checkpoint(&self) -> Result<(), Failure> {
        let (steps, numbers) = self.model.snapshot();
        let checkpoint = Checkpoint { games: self.games, steps, numbers };
        let path = self.order.checkpoint();
        checkpoint.save(&path, &self.order.description()).map_err(|error| Failure::Write(path, error))
    }
}
