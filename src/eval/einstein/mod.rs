//! The evaluation of EinStein: a network ([`features`], defined once for engine and trainer, whose sums follow the game by
//! [`tables`]), a plain [`race`], or nothing; each with noise on request.

mod evaluator;
pub mod features;
pub mod race;
pub mod tables;

pub use evaluator::EinsteinEvaluator;
pub use tables::EinsteinNetwork;

use std::sync::{Arc, LazyLock};

/// The network that comes with the engine.
static SHIPPED: &[u8] = include_bytes!("einstein.net");

/// The network that comes with the engine, read once.
pub fn shipped() -> Arc<EinsteinNetwork> {
    static NETWORK: LazyLock<Arc<EinsteinNetwork>> =
        LazyLock::new(|| Arc::new(EinsteinNetwork::from_bytes(SHIPPED).expect("the network in the program is sound")));
    Arc::clone(&NETWORK)
}
