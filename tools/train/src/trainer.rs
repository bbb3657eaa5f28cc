//! What the frame around a training run ([`crate::run`], [`crate::train`]) knows of what is trained.

use crate::arena::Score;
use crate::curve::{Choice, Figures};
use alea::eval::{dice, nn};
use alea::search::TableError;
use std::fmt;

/// How a run is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Games in all.
    pub games: u64,
    /// Games played between two sets of weights.
    pub batch_games: u64,
    /// Lines of the learning curve.
    pub rows: u64,
}

impl Plan {
    /// Whether the curve has a line for the batch that ended with `games`.
    pub fn row_is_due(&self, games: u64) -> bool {
        let part =
            |games: u64| u128::from(games.min(self.games)) * u128::from(self.rows) / u128::from(self.games.max(1));
        part(games) != part(games.saturating_sub(self.batch_games))
    }
}

/// A network as it was measured.
pub struct Measured<F> {
    /// Its file.
    pub network: Vec<u8>,
    /// What its game measures beside the score.
    pub figures: F,
    /// What it scores against the plain evaluation.
    pub score: Score,
}

/// What plays, learns and measures. All of it is a pure function of the seed, the weights and the number of games played.
pub trait Trainer {
    /// What is measured beside the score.
    type Figures: Figures;

    /// The name of the plain evaluation that networks are measured against.
    const RIVAL: &'static str;

    /// How the run is divided.
    fn plan(&self) -> Plan;

    /// By what the best network is chosen.
    fn choice(&self) -> Choice {
        Choice::Score
    }

    /// Play a batch of games after `games`, and learn from it; gives back the root mean square of the surprises.
    fn batch(&mut self, games: u64) -> Result<f64, Fault>;

    /// Measure the network that the run would end with after `games`.
    fn measure(&mut self, games: u64) -> Result<Measured<Self::Figures>, Fault>;

    /// The file of that network.
    fn network(&mut self, games: u64) -> Vec<u8>;

    /// Steps of the gradient taken, and everything that training changes.
    fn snapshot(&self) -> (u64, Vec<f32>);

    /// Go on from a snapshot; `false` if it is of another size.
    fn restore(&mut self, steps: u64, numbers: &[f32]) -> bool;
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The weights have grown beyond what integers hold.
    Weights(nn::BadWeights),
    /// The same of a network for Dice.
    DiceWeights(dice::network::BadWeights),
    /// There is no memory for the measured games.
    Table(TableError),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Weights(bad) => write!(f, "training went astray: {bad}; try another seed"),
            Fault::DiceWeights(bad) => write!(f, "training went astray: {bad}; try another seed"),
            Fault::Table(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<nn::BadWeights> for Fault {
    fn from(bad: nn::BadWeights) -> Fault {
        Fault::Weights(bad)
    }
}

impl From<dice::network::BadWeights> for Fault {
    fn from(bad: dice::network::BadWeights) -> Fault {
        Fault::DiceWeights(bad)
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Fault {
        Fault::Table(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_has_its_rows() {
        let cases =
            [(400_000, 512, 20, 20), (2500, 128, 20, 20), (600, 512, 20, 2), (5120, 64, 20, 20), (1, 512, 20, 1)];
        for (games, batch_games, rows, due) in cases {
            let plan = Plan { games, batch_games, rows };
            let batches = 1..=games.div_ceil(batch_games);
            let found = batches.filter(|batch| plan.row_is_due(batch * batch_games)).count();
            assert_eq!(found, due, "{plan:?}");
        }
        assert!(Plan { games: u64::MAX, batch_games: 512, rows: 20 }.row_is_due(u64::MAX));
    }
}
