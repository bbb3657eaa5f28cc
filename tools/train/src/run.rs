//! A run between two batches, whatever is trained: games played, learning curve and best network, and how they are kept.

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::curve::{Choice, Curve, News, Row};
use crate::train::{Failure, Order};
use crate::trainer::{Fault, Trainer};
use alea_tools::files;

/// A run between two batches.
pub struct Run<'a, T: Trainer> {
    order: &'a Order,
    trainer: T,
    /// Games played.
    pub games: u64,
    /// What was measured.
    pub curve: Curve<T::Figures>,
    /// The file of the best network measured.
    best: Vec<u8>,
}

impl<'a, T: Trainer> Run<'a, T> {
    /// A run at its start, or where a checkpoint left it.
    pub fn start(order: &'a Order, mut trainer: T, known: Option<Checkpoint>) -> Result<Run<'a, T>, Failure> {
        let (mut games, mut curve, mut best) = (0, Curve::default(), Vec::new());
        if let Some(checkpoint) = known {
            let damaged = || Failure::Checkpoint(order.paths.checkpoint.clone(), CheckpointError::Damaged);
            trainer.restore(checkpoint.steps, &checkpoint.numbers).then_some(()).ok_or_else(damaged)?;
            curve = Curve::parse(&checkpoint.curve).ok_or_else(damaged)?;
            (games, best) = (checkpoint.games, checkpoint.best);
        }
        Ok(Run { order, trainer, games, curve, best })
    }

    /// By what the best network is chosen.
    pub fn choice(&self) -> Choice {
        self.trainer.choice()
    }

    /// The row of the best network measured.
    pub fn best_row(&self) -> Option<&Row<T::Figures>> {
        self.curve.best(self.choice())
    }

    /// Games in all.
    pub fn total(&self) -> u64 {
        self.trainer.plan().games
    }

    /// Whether all games are played.
    pub fn is_finished(&self) -> bool {
        self.games >= self.total()
    }

    /// Play a batch of games and learn from it; gives back the root mean square of the surprises.
    pub fn batch(&mut self) -> Result<f64, Fault> {
        let surprise = self.trainer.batch(self.games)?;
        self.games += self.trainer.plan().batch_games;
        Ok(surprise)
    }

    /// Whether the curve has a row for the games played last.
    pub fn row_is_due(&self) -> bool {
        self.trainer.plan().row_is_due(self.games)
    }

    /// Measure the network as it stands, which adds a row to the curve, and keep it if it is the best.
    pub fn measure(&mut self, surprise: f64) -> Result<News<T::Figures>, Fault> {
        let measured = self.trainer.measure(self.games)?;
        let row = Row::new(self.games, surprise, measured.figures, measured.score);
        let news = self.curve.push(row, self.choice());
        if news == News::Best {
            self.best = measured.network;
        }
        Ok(news)
    }

    /// Write the best network, which is the last one as long as none has been measured, and the last one.
    pub fn save_networks(&mut self) -> Result<(), Failure> {
        let paths = &self.order.paths;
        let last = self.trainer.network(self.games);
        let best = if self.best.is_empty() { &last } else { &self.best };
        files::replace(&paths.net, best).map_err(Failure::Write)?;
        files::replace(&paths.last, &last).map_err(Failure::Write)
    }

    /// Make the run safe.
    pub fn save_checkpoint(&self) -> Result<(), Failure> {
        let (steps, numbers) = self.trainer.snapshot();
        let checkpoint = Checkpoint {
            games: self.games,
            steps,
            conditions: self.order.conditions.clone(),
            curve: self.curve.csv(),
            best: self.best.clone(),
            numbers,
        };
        checkpoint.save(&self.order.paths.checkpoint).map_err(Failure::Write)
    }
}
