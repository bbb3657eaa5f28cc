//! The evaluation of backgammon: networks of contact and of races ([`features`], defined once for engine and trainer, whose
//! sums follow the game in [`network`]) with a table of [`bearoff`]s, a [`linear`] one, plain
//! [`pips`], or nothing; each with noise on request.

pub mod bearoff;
mod chances;
mod evaluator;
pub mod features;
pub mod linear;
pub mod network;
pub mod pips;

pub use chances::Chances;
pub use evaluator::BackgammonEvaluator;
pub use network::BackgammonNetwork;

use std::sync::{Arc, LazyLock};

/// The networks that come with the engine.
static SHIPPED: &[u8] = include_bytes!("backgammon.net");

/// The networks that come with the engine, read once.
pub fn shipped() -> Arc<BackgammonNetwork> {
    static NETWORK: LazyLock<Arc<BackgammonNetwork>> = LazyLock::new(|| {
        Arc::new(BackgammonNetwork::from_bytes(SHIPPED).expect("the networks in the program are sound"))
    });
    Arc::clone(&NETWORK)
}

/// The table that comes with the engine.
static BEAROFF: &[u8] = include_bytes!("bearoff.tab");

/// The table that comes with the engine, read once.
pub fn bearoff_table() -> &'static bearoff::Bearoff {
    static TABLE: LazyLock<bearoff::Bearoff> =
        LazyLock::new(|| bearoff::Bearoff::from_bytes(BEAROFF).expect("the table in the program is sound"));
    &TABLE
}
