//! The evaluator of Dice that the engine uses.

use super::network::Network;
use super::{Evaluator, Noise};
use crate::game::dice::{Board, Shape, Width};
use crate::game::{Move, Value};
use std::sync::Arc;

/// How undecided positions are judged.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// By a network.
    Net(Arc<Network>),
    /// By the difference of pairs.
    Pairs,
    /// As draws.
    Zero,
}

/// A judge.
#[derive(Clone, Debug)]
pub struct Judge {
    kind: EvalKind,
}

impl Judge {
    /// A judge of a kind.
    pub fn new(kind: EvalKind, _shape: Shape, _noise: Noise) -> Result<Judge, String> {
        Ok(Judge { kind })
    }

    /// The shape's own.
    pub fn for_shape(_shape: Shape) -> Judge {
        Judge { kind: EvalKind::Zero }
    }

    /// How it judges.
    pub fn kind(&self) -> &EvalKind {
        &self.kind
    }

    /// The parts of the value.
    pub fn explain<B: Width>(&self, _game: &Board<B>) -> String {
        format!("value {}", Value::DRAW)
    }
}

impl<B: Width> Evaluator<Board<B>> for Judge {
    type State = ();
    fn state(&self, _game: &Board<B>) {}
    fn after(&self, _state: &(), _game: &Board<B>, _mv: Move) {}
    fn value(&self, _state: &(), _game: &Board<B>) -> Value {
        Value::DRAW
    }
    fn sees_images_alike(&self) -> bool {
        true
    }
    fn ignores_outcomes(&self) -> bool {
        true
    }
}
