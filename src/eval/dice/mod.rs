//! The evaluation of Dice: a network ([`network`], whose [`features`] are defined once for engine and trainer, kept up to
//! date by [`accumulator`] and stored as [`file`](mod@file) says), Hauk's [`pairs`], or nothing; each with noise on request.

pub mod accumulator;
mod evaluator;
pub mod features;
pub mod file;
mod lanes;
pub mod nets;
pub mod network;
pub mod pairs;
mod updates;

pub use accumulator::Incremental;
pub use evaluator::{DiceEvaluator, EvalKind, Explanation, OtherShape};
