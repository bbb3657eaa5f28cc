//! The evaluations of EinStein that the engine offers: a network, the race or nothing, each with or without noise.

use super::{EinsteinNetwork, race, shipped};
use crate::eval::{Evaluated, GameEvaluator, NetworkError, Networked, Noise, zero};
use crate::game::Value;
use crate::game::einstein::Position;
use std::sync::Arc;

/// An evaluation of positions.
pub type EinsteinEvaluator = GameEvaluator<Position>;

impl Evaluated for Position {
    type Evaluator = EinsteinEvaluator;
    type Network = EinsteinNetwork;
    const EVALUATIONS: &'static [&'static str] = &["net", "race", "zero"];

    fn evaluator(&self, name: &str, network: Option<&Arc<EinsteinNetwork>>, noise: Noise) -> Option<EinsteinEvaluator> {
        match name {
            "net" => Some(GameEvaluator::by_network(network.map_or_else(shipped, Arc::clone), noise)),
            "race" => Some(GameEvaluator::by_formula(race::value, noise)),
            "zero" => Some(GameEvaluator::by_formula(zero, noise)),
            _ => None,
        }
    }

    fn read_network(&self, bytes: &[u8]) -> Result<EinsteinNetwork, NetworkError> {
        Ok(EinsteinNetwork::from_bytes(bytes)?)
    }

    fn explain(&self, evaluator: &EinsteinEvaluator) -> String {
        evaluator.explain(self)
    }
}

impl Networked for Position {
    type Network = EinsteinNetwork;
    const IGNORES_OUTCOMES: bool = true;

    /// That of the position whatever the roll and the image.
    fn noise_hash(&self) -> u64 {
        self.without_roll().key(true).hash
    }

    /// The race counts of the mover and of its opponent; the network's output, and the faces that win at once, which it is
    /// blended with.
    fn parts(&self, network: Option<&EinsteinNetwork>) -> Vec<String> {
        let [own, theirs] = [self.mover(), self.mover().other()].map(|player| race::count(self, player));
        let mut parts = vec![format!("race {own} against {theirs}")];
        if let Some(network) = network {
            parts.push(format!("network {}", Value::from_raw(network.output_afresh(self).into())));
            parts.push(match self.winning_faces(self.mover()) {
                0 => "wins at once with no roll".into(),
                winning => format!("wins at once with {winning} rolls of 6"),
            });
        }
        parts
    }
}
