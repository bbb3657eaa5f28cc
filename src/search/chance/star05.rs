//! Star0.5: outcomes searched with full windows, as in Expectimax, but the node is left as soon as those seen so far
//! settle it. The step between Expectimax and Star1.

use super::{Chance, Forgetful, Plan};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::spot::Spot;
use crate::search::window::Window;
use crate::search::worker::{Found, Worker};

/// Full windows, a cut between outcomes.
pub(in crate::search) struct Star05;

impl Forgetful for Star05 {
    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: &Spot<'_, G, E>, window: Window) -> Found {
        let mut node = Chance::new(spot, window);
        node.ask_rules();
        if let Some(value) = node.open(worker, Plan::UntilSettled)? {
            return Ok(value);
        }
        for i in worker.tour.over(node.outcomes.len()) {
            if !node.is_open(i) {
                continue;
            }
            let inner = Window::FULL.within(node.outcomes.part(i).bounds);
            node.search::<Self>(worker, i, inner)?;
            if let Some(value) = node.outcomes.settled(node.window) {
                worker.counters.search_cuts += u64::from(!node.outcomes.bounds().is_exact());
                return Ok(value);
            }
        }
        Ok(node.outcomes.bounds().lo)
    }
}
