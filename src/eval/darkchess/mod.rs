//! The evaluation of Chinese dark chess: a network ([`features`], defined once for engine and trainer, whose sums follow the
//! game by [`accumulators`]), plain [`material`], or nothing; each with noise on request.

pub mod accumulators;
mod evaluator;
pub mod features;
pub mod material;
#[cfg(test)]
mod tests;

pub use accumulators::DarkChessNetwork;
pub use evaluator::DarkChessEvaluator;

use std::sync::{Arc, LazyLock};

/// The network that comes with the engine.
static SHIPPED: &[u8] = include_bytes!("darkchess.net");

/// The network that comes with the engine, read once.
pub fn shipped() -> Arc<DarkChessNetwork> {
    static NETWORK: LazyLock<Arc<DarkChessNetwork>> =
        LazyLock::new(|| Arc::new(DarkChessNetwork::from_bytes(SHIPPED).expect("the network in the program is sound")));
    Arc::clone(&NETWORK)
}
