//! Star1 (Ballard 1983): each outcome is searched only as precisely as the node's window, and what the other outcomes
//! can still give, require.

use super::{Chance, Forgetful, Plan};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::spot::Spot;
use crate::search::window::Window;
use crate::search::worker::{Found, Worker};

/// Narrowed windows.
pub(in crate::search) struct Star1;

impl Forgetful for Star1 {
    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: &Spot<'_, G, E>, window: Window) -> Found {
        let mut node = Chance::new(spot, window);
        node.ask_rules();
        if let Some(value) = node.open(worker, Plan::UntilSettled)? {
            return Ok(value);
        }
        node.search_in_windows::<Self>(worker, worker.tour)
    }
}
