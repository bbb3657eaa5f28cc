//! How good is a network? Its score against the plain evaluation.

use super::arena::{self, Contestant, Dice};
use super::game::{Taught, rival_of};
use alea::eval::{NetworkError, Noise};
use alea::search::TableError;
use alea_tools::output::say;
use alea_tools::shared_progress::SharedProgress;
use std::fmt;
use std::sync::Arc;

/// The depths, of both sides, at which games are played.
const DEPTHS: [u32; 2] = [1, 3];

/// Why there is nothing to report.
#[derive(Debug)]
pub enum CheckError {
    /// A file holds no network of the game.
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

/// The evaluator of the network in a file's bytes, or of the one that comes with the engine.
fn evaluator<G: Taught>(bytes: Option<&[u8]>) -> Result<G::Evaluator, NetworkError> {
    let start = G::start(&[]).expect("every game has a start position");
    let network = bytes.map(|bytes| start.read_network(bytes)).transpose()?.map(Arc::new);
    let evaluator = start.evaluator(G::EVALUATIONS[0], network.as_ref(), Noise::NONE);
    Ok(evaluator.expect("every game has its first evaluation"))
}

/// Report on a network that is called `name`.
pub fn check<G: Taught>(name: &str, bytes: Option<&[u8]>, dice: Dice, threads: usize) -> Result<(), CheckError> {
    let network = evaluator::<G>(bytes).map_err(|error| CheckError::Network(name.into(), error))?;
    let rival = rival_of::<G>();
    say(&format!("{name}: a network for {}\n\n", G::NAME));
    say(&format!("Against {}, fixed dice and start positions, seats swapped:\n", G::RIVAL));
    for depth in DEPTHS {
        let [one, other] = [&network, &rival].map(|evaluator| Contestant::<G> { evaluator, depth });
        let progress = SharedProgress::new("pairs of games", dice.pairs as usize);
        let score = arena::play(&one, &other, dice, threads, &|| progress.count()).map_err(CheckError::Table)?;
        progress.finish();
        say(&format!("  depth {depth} on both sides: {score}\n"));
    }
    Ok(())
}
