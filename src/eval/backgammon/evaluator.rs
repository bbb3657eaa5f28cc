//! The evaluations of backgammon that the engine offers: networks, a linear function, pips or nothing, each with or without noise.

use super::{BackgammonNetwork, linear, pips, shipped};
use crate::eval::{Evaluated, GameEvaluator, NetworkError, Networked, Noise, zero};
use crate::game::backgammon::Position;
use std::sync::Arc;

/// An evaluation of positions.
pub type BackgammonEvaluator = GameEvaluator<Position>;

impl Evaluated for Position {
    type Evaluator = BackgammonEvaluator;
    type Network = BackgammonNetwork;
    const EVALUATIONS: &'static [&'static str] = &["net", "linear", "pips", "zero"];

    fn evaluator(
        &self,
        name: &str,
        network: Option<&Arc<BackgammonNetwork>>,
        noise: Noise,
    ) -> Option<BackgammonEvaluator> {
        match name {
            "net" => Some(GameEvaluator::by_network(network.map_or_else(shipped, Arc::clone), noise)),
            "linear" => Some(GameEvaluator::by_formula(linear::value, noise)),
            "pips" => Some(GameEvaluator::by_formula(pips::value, noise)),
            "zero" => Some(GameEvaluator::by_formula(zero, noise)),
            _ => None,
        }
    }

    fn read_network(&self, bytes: &[u8]) -> Result<BackgammonNetwork, NetworkError> {
        Ok(BackgammonNetwork::from_bytes(bytes)?)
    }

    fn explain(&self, evaluator: &BackgammonEvaluator) -> String {
        evaluator.explain(self)
    }
}

impl Networked for Position {
    type Network = BackgammonNetwork;
    const IGNORES_OUTCOMES: bool = true;

    /// That of the position whatever the roll.
    fn noise_hash(&self) -> u64 {
        self.without_roll().key()
    }

    /// How far the mover and its opponent have to go, and how the game will end, as the networks have it.
    fn parts(&self, network: Option<&BackgammonNetwork>) -> Vec<String> {
        let [own, theirs] = [self.mover(), self.mover().other()].map(|player| self.pips(player));
        let chances = network.map(|network| network.chances_afresh(self).to_string());
        [format!("pips {own} against {theirs}")].into_iter().chain(chances).collect()
    }
}
