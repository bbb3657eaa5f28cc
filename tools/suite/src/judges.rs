//! How leaves are judged: by the best evaluation the game has unless asked otherwise.

use crate::suites::read;
use alea::eval::{Evaluated, NetworkError, Noise};
use alea::games::NAMES;
use clap::Args;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// No network of any game has more bytes.
const MAX_BYTES: u64 = 1 << 26;

/// Options that choose how leaves are judged.
#[derive(Args, Clone, Debug, Default)]
pub struct EvalArgs {
    #[arg(long, value_name = "EVAL", help = eval_help())]
    eval: Option<String>,

    /// A network file to judge by instead of the built-in ones; every position must be of its kind
    #[arg(long, value_name = "FILE", conflicts_with = "eval")]
    eval_file: Option<PathBuf>,
}

/// What `--eval` may be, in every game.
fn eval_help() -> String {
    let names = |game: &&str| {
        let names = alea::with_game!(*game, G => G::EVALUATIONS).unwrap_or_default();
        format!("{game} has {}", names.join(", "))
    };
    let games: Vec<String> = NAMES.iter().map(names).collect();
    format!("How undecided leaves are judged [default: the game's best, its first]; {}", games.join("; "))
}

/// Why there is nobody to judge.
#[derive(Debug)]
pub enum JudgeError {
    /// The game has no evaluation of that name.
    NoEvaluation {
        /// The name.
        word: String,
        /// The game.
        game: &'static str,
        /// The names it has.
        known: &'static [&'static str],
    },
    /// A file cannot be read.
    File(PathBuf, io::Error),
    /// It holds no network, or one for other positions.
    Network {
        /// The file.
        path: PathBuf,
        /// What it should be a network for.
        wanted: String,
        /// What is wrong with it.
        error: NetworkError,
    },
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::NoEvaluation { word, game, known } => {
                write!(f, "--eval '{word}': {game} has no such evaluation; expected {}", known.join(", "))
            }
            JudgeError::File(path, error) => write!(f, "{}: {error}", path.display()),
            JudgeError::Network { path, wanted, error } => {
                write!(f, "{}: expected a network file for {wanted}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for JudgeError {}

/// Makes judges for the positions of a game.
#[derive(Clone, Debug)]
pub struct Judges {
    eval: &'static str,
    own: Option<(PathBuf, Vec<u8>)>,
}

/// A network that was read for some positions, if one was asked for.
type Own<G> = Option<Arc<<G as Evaluated>::Network>>;

impl Judges {
    /// What the options ask for.
    pub fn new<G: Evaluated>(args: &EvalArgs) -> Result<Judges, JudgeError> {
        let eval =
            match &args.eval {
                None => G::EVALUATIONS[0],
                Some(word) => G::EVALUATIONS.iter().find(|name| *name == word).ok_or_else(|| {
                    JudgeError::NoEvaluation { word: word.clone(), game: G::NAME, known: G::EVALUATIONS }
                })?,
            };
        let bytes = |path: &PathBuf| -> Result<(PathBuf, Vec<u8>), JudgeError> {
            let bytes = read(path, MAX_BYTES).map_err(|error| JudgeError::File(path.clone(), error))?;
            Ok((path.clone(), bytes))
        };
        Ok(Judges { eval, own: args.eval_file.as_ref().map(bytes).transpose()? })
    }

    /// The name of the evaluation.
    pub fn name(&self) -> String {
        match &self.own {
            Some((path, _)) => format!("{} {}", self.eval, path.display()),
            None => self.eval.into(),
        }
    }

    /// The network for positions like this one.
    pub fn network<G: Evaluated>(&self, position: &G) -> Result<Own<G>, JudgeError> {
        let Some((path, bytes)) = &self.own else { return Ok(None) };
        let fault = |error| JudgeError::Network { path: path.clone(), wanted: position.network_for(), error };
        let network = position.read_network(bytes).map_err(fault)?;
        Ok(Some(Arc::new(network)))
    }

    /// A judge for positions like this one, who errs.
    pub fn noisy<G: Evaluated>(&self, position: &G, network: &Own<G>, noise: Noise) -> G::Evaluator {
        let judge = position.evaluator(self.eval, network.as_ref(), noise);
        judge.unwrap_or_else(|| position.best_evaluator())
    }

    /// A judge for each position; those that are evaluated alike share what is large.
    pub fn each<'p, G: Evaluated>(
        &self,
        positions: impl Iterator<Item = &'p G>,
    ) -> Result<Vec<G::Evaluator>, JudgeError> {
        let mut kinds: Vec<(&G, G::Evaluator)> = Vec::new();
        let judge = |position: &'p G| {
            if let Some((_, judge)) = kinds.iter().find(|(known, _)| known.is_evaluated_like(position)) {
                return Ok(judge.clone());
            }
            let judge = self.noisy(position, &self.network(position)?, Noise::NONE);
            kinds.push((position, judge.clone()));
            Ok(judge)
        };
        positions.map(judge).collect()
    }
}
