//! What a game's folder of evaluations offers to engine and tools: what the options `Eval`, `EvalFile` and `Noise` choose from.

use super::nn::FileError;
use super::{Evaluator, Noise};
use crate::game::{Notation, Shortcuts};
use std::fmt;
use std::sync::Arc;

/// Why bytes are no network for a game, or not for the position at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkError(pub String);

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NetworkError {}

impl From<FileError> for NetworkError {
    fn from(error: FileError) -> NetworkError {
        NetworkError(error.to_string())
    }
}

/// A game whose positions can be evaluated in several ways.
pub trait Evaluated: Notation + Shortcuts {
    /// An evaluation. Copies share what is large.
    type Evaluator: Evaluator<Self> + Clone + 'static;
    /// What a network file holds.
    type Network: Send + Sync + 'static;

    /// The names of the evaluations, the best first; `zero`, which takes every undecided leaf for a draw, is one of them.
    const EVALUATIONS: &'static [&'static str];

    /// The evaluation of that name for positions like this one, with a network in place of the built-in one if that is
    /// given and fits. `None` if there is no evaluation of that name.
    fn evaluator(&self, name: &str, network: Option<&Arc<Self::Network>>, noise: Noise) -> Option<Self::Evaluator>;

    /// The best evaluation for positions like this one.
    fn best_evaluator(&self) -> Self::Evaluator {
        self.evaluator(Self::EVALUATIONS[0], None, Noise::NONE).expect("every game has an evaluation")
    }

    /// Whether what was learnt of `other` is right here too: one evaluation judges both.
    fn is_evaluated_like(&self, _other: &Self) -> bool {
        true
    }

    /// What a network for positions like this one is for, in words.
    fn network_for(&self) -> String {
        Self::NAME.into()
    }

    /// The network in a file's bytes, for positions like this one.
    fn read_network(&self, bytes: &[u8]) -> Result<Self::Network, NetworkError>;

    /// What the static value of an undecided position is made of: a line a part, the last `value V`.
    fn explain(&self, evaluator: &Self::Evaluator) -> String;
}
