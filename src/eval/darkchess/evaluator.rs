//! The evaluations of dark chess that the engine offers: a network, material or nothing, each with or without noise.

use super::{DarkChessNetwork, material, shipped};
use crate::eval::{Evaluated, GameEvaluator, NetworkError, Networked, Noise, zero};
use crate::game::darkchess::Position;
use std::sync::Arc;

/// An evaluation of positions.
pub type DarkChessEvaluator = GameEvaluator<Position>;

impl Evaluated for Position {
    type Evaluator = DarkChessEvaluator;
    type Network = DarkChessNetwork;
    const EVALUATIONS: &'static [&'static str] = &["net", "material", "zero"];

    fn evaluator(
        &self,
        name: &str,
        network: Option<&Arc<DarkChessNetwork>>,
        noise: Noise,
    ) -> Option<DarkChessEvaluator> {
        match name {
            "net" => Some(GameEvaluator::by_network(network.map_or_else(shipped, Arc::clone), noise)),
            "material" => Some(GameEvaluator::by_formula(material::value, noise)),
            "zero" => Some(GameEvaluator::by_formula(zero, noise)),
            _ => None,
        }
    }

    fn read_network(&self, bytes: &[u8]) -> Result<DarkChessNetwork, NetworkError> {
        Ok(DarkChessNetwork::from_bytes(bytes)?)
    }

    fn explain(&self, evaluator: &DarkChessEvaluator) -> String {
        evaluator.explain(self)
    }
}

impl Networked for Position {
    type Network = DarkChessNetwork;

    /// That of the position whatever its image and its plies without a flip or a capture.
    fn noise_hash(&self) -> u64 {
        self.key(true, false).hash
    }

    /// The material of the mover and of its opponent.
    fn parts(&self, _network: Option<&DarkChessNetwork>) -> Vec<String> {
        let [own, theirs] = [self.mover(), self.mover().other()].map(|player| material::count(self, player));
        vec![format!("material {own} against {theirs}")]
    }
}
