//! Expectimax (Michie 1966): every outcome searched with a full window, nothing cut. What the others are measured by.

use super::{Chance, Forgetful, is_frontier, look_everywhere};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::spot::Spot;
use crate::search::window::Window;
use crate::search::worker::{Found, Worker};

/// Every outcome in full.
pub(in crate::search) struct Expectimax;

impl Forgetful for Expectimax {
    fn chance<G: Game, E: Evaluator<G>>(worker: &mut Worker<'_, G, E>, spot: &Spot<'_, G, E>, _: Window) -> Found {
        if is_frontier(worker, spot.game, spot.depth) {
            return look_everywhere(worker, spot);
        }
        let mut node = Chance::new(spot, Window::FULL);
        node.ask_rules();
        for i in worker.tour.over(node.outcomes.len()) {
            if node.is_open(i) {
                let inner = Window::FULL.within(node.outcomes.part(i).bounds);
                node.search::<Self>(worker, i, inner)?;
            }
        }
        Ok(node.outcomes.bounds().lo)
    }
}
