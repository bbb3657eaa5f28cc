//! How good are networks? Their score against plain evaluations, and against those that come with the engine.

use super::arena::{self, Contestant, Dice, points};
use crate::arena::Score;
use alea::eval::backgammon::{BackgammonEvaluator, bearoff, linear, pips};
use alea::eval::{Evaluated, NetworkError, Noise};
use alea::game::backgammon::Position;
use alea::search::TableError;
use alea_tools::files::{self, FileError};
use alea_tools::output::say;
use alea_tools::shared_progress::SharedProgress;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Games with a search in them take longer: so many times fewer of them.
const FEWER: u32 = 20;

/// Why there is nothing to report.
#[derive(Debug)]
pub enum CheckError {
    /// A file holds no networks of backgammon.
    Network(String, NetworkError),
    /// There is no memory to search in.
    Table(TableError),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Network(name, error) => write!(f, "{name}: {error}"),
            CheckError::Table(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// Make the table of bearoffs.
pub fn make_bearoff(out: &Path) -> Result<(), FileError> {
    let progress = SharedProgress::new("entries", bearoff::ENTRIES);
    let table = bearoff::Bearoff::compute(|| progress.count());
    progress.finish();
    let bytes = table.to_bytes();
    files::replace(out, &bytes)?;
    say(&format!("{}: {} entries, {} bytes.\n", out.display(), bearoff::ENTRIES, bytes.len()));
    Ok(())
}

/// Points a game, with their interval.
pub fn shown(score: &Score) -> String {
    let [mean, low, high] = [score.mean, score.mean - score.margin, score.mean + score.margin].map(points);
    format!("{mean:+.3} points a game in {} pairs (95 %: {low:+.3} to {high:+.3})", score.pairs)
}

/// Report on networks that are called `name`; without `bytes`, on those that come with the engine.
pub fn check(name: &str, bytes: Option<&[u8]>, dice: Dice, threads: usize) -> Result<(), CheckError> {
    let start = Position::opening();
    let shipped = start.best_evaluator();
    let network = match bytes {
        None => shipped.clone(),
        Some(bytes) => {
            let network = start.read_network(bytes).map_err(|error| CheckError::Network(name.into(), error))?;
            BackgammonEvaluator::by_network(Arc::new(network), Noise::NONE)
        }
    };
    let [linear, pips] =
        [linear::value, pips::value].map(|formula| BackgammonEvaluator::by_formula(formula, Noise::NONE));
    say(&format!("{name}: networks for backgammon\n\nFixed dice, seats swapped:\n"));
    let few = Dice { pairs: dice.pairs.div_ceil(FEWER), ..dice };
    let mut matches = vec![("pips", &pips, 1, dice), ("linear", &linear, 1, dice), ("linear", &linear, 3, few)];
    if bytes.is_some() {
        matches.push(("the engine's own networks", &shipped, 1, dice));
    }
    for (rival, other, depth, dice) in matches {
        let [one, other] = [&network, other].map(|evaluator| Contestant { evaluator, depth });
        let progress = SharedProgress::new("pairs of games", dice.pairs as usize);
        let score = arena::play(one, other, dice, threads, &|| progress.count()).map_err(CheckError::Table)?;
        progress.finish();
        say(&format!("  against {rival}, depth {depth} on both sides: {}\n", shown(&score)));
    }
    Ok(())
}
