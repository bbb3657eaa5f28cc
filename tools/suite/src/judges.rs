//! How leaves are judged: by the engine's own networks unless asked otherwise.

use alea::eval::file::{self, FileError};
use alea::eval::network::Network;
use alea::eval::{EvalKind, Judge, Noise, OtherShape, nets};
use alea::game::dice::Shape;
use clap::{Args, ValueEnum};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The kinds of evaluation, as the engine's option Eval names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Eval {
    /// The shape's own network; pairs for a shape that has none
    Net,
    /// Hauk's pair count
    Pairs,
    /// Every undecided leaf is a draw
    Zero,
}

/// Options that choose how leaves are judged.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// How undecided leaves are judged
    #[arg(long, value_enum, default_value = "net")]
    eval: Eval,

    /// A network file to judge by instead of the built-in ones; every position must be of its shape
    #[arg(long, value_name = "FILE", conflicts_with = "eval")]
    eval_file: Option<PathBuf>,
}

/// A network file that cannot judge.
#[derive(Debug)]
pub enum JudgeError {
    /// It holds no network.
    File(PathBuf, FileError),
    /// Its network is for another shape.
    Shape(PathBuf, OtherShape),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::File(path, error) => write!(f, "{}: {error}", path.display()),
            JudgeError::Shape(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for JudgeError {}

/// Makes a judge for any shape.
#[derive(Clone, Debug)]
pub struct Judges {
    eval: Eval,
    own: Option<(PathBuf, Arc<Network>)>,
}

impl Judges {
    /// What the options ask for.
    pub fn new(args: &EvalArgs) -> Result<Judges, JudgeError> {
        let own = match &args.eval_file {
            None => None,
            Some(path) => {
                let network = file::load_any(path).map_err(|error| JudgeError::File(path.clone(), error))?;
                Some((path.clone(), Arc::new(network)))
            }
        };
        Ok(Judges { eval: args.eval, own })
    }

    /// The built-in networks.
    pub fn built_in() -> Judges {
        Judges { eval: Eval::Net, own: None }
    }

    /// The name of the kind of evaluation.
    pub fn name(&self) -> String {
        match (&self.own, self.eval) {
            (Some((path, _)), _) => format!("net {}", path.display()),
            (None, Eval::Net) => "net".into(),
            (None, Eval::Pairs) => "pairs".into(),
            (None, Eval::Zero) => "zero".into(),
        }
    }

    /// A judge for a shape.
    pub fn judge(&self, shape: Shape) -> Result<Judge, JudgeError> {
        self.noisy(shape, Noise::NONE)
    }

    /// A judge for a shape who errs.
    pub fn noisy(&self, shape: Shape, noise: Noise) -> Result<Judge, JudgeError> {
        let kind = match (&self.own, self.eval) {
            (Some((_, network)), _) => EvalKind::Net(network.clone()),
            (None, Eval::Net) => nets::shipped(shape).map_or(EvalKind::Pairs, EvalKind::Net),
            (None, Eval::Pairs) => EvalKind::Pairs,
            (None, Eval::Zero) => EvalKind::Zero,
        };
        let path = || self.own.as_ref().map(|(path, _)| path.clone()).unwrap_or_default();
        Judge::new(kind, shape, noise).map_err(|error| JudgeError::Shape(path(), error))
    }
}
