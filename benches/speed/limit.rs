//! How far the search is from its limit: nodes a second against evaluations a second of the evaluator alone.

use crate::evaluation::Evaluations;
use crate::numbers::{figure, per_cent};
use crate::progress::Progress;
use crate::suite::Threads;
use crate::table::Table;
use alea::game::dice::Shape;
use serde::Serialize;

/// The search of 5/4 against its evaluator.
#[derive(Serialize)]
pub struct Limit {
    nodes_per_second: f64,
    evaluations_per_second_alone: f64,
    /// Nodes a second of the one over evaluations a second of the other.
    ratio: f64,
    evaluations_per_node: f64,
    evaluations_per_second_in_search: f64,
    /// The share of the search's time that its leaves would take if they were evaluated in a loop.
    evaluation_share: f64,
    table_hits_per_node: f64,
    nanoseconds_per_node: f64,
    nanoseconds_per_evaluation: f64,
}

/// Set the suite's search against the evaluator alone, and print what comes of it.
pub fn derive(alone: &Evaluations, suite: &Threads, progress: &Progress) -> Option<Limit> {
    let alone = alone.of(Shape::default())?.children.median;
    let search = &suite.one;
    let nodes = search.nodes_per_second.median;
    let inside = nodes * search.evaluations_per_node;
    let limit = Limit {
        nodes_per_second: nodes,
        evaluations_per_second_alone: alone,
        ratio: nodes / alone,
        evaluations_per_node: search.evaluations_per_node,
        evaluations_per_second_in_search: inside,
        evaluation_share: inside / alone,
        table_hits_per_node: search.table_hits_per_node,
        nanoseconds_per_node: 1e9 / nodes,
        nanoseconds_per_evaluation: 1e9 / alone,
    };
    progress.print(&limit.text(suite.depth));
    Some(limit)
}

impl Limit {
    /// For people.
    fn text(&self, depth: u32) -> String {
        let title = format!("Distance to the limit: 5/4 to depth {depth}, one thread");
        let mut table = Table::new(title, ["", ""]);
        let million = |rate: f64| format!("{} M/s", figure(rate / 1e6));
        let rows = [
            ("nodes of the search", million(self.nodes_per_second)),
            ("evaluations of the evaluator alone", million(self.evaluations_per_second_alone)),
            ("ratio", figure(self.ratio)),
            ("a node takes", format!("{} ns", figure(self.nanoseconds_per_node))),
            ("an evaluation alone takes", format!("{} ns", figure(self.nanoseconds_per_evaluation))),
            ("leaves evaluated, a node", figure(self.evaluations_per_node)),
            ("share of the time that those would take alone", per_cent(self.evaluation_share)),
            ("table look-ups that found something, a node", figure(self.table_hits_per_node)),
        ];
        for (name, cell) in rows {
            table.row([name.to_string(), cell]);
        }
        table.text("the rest: moves made, bounds of chance nodes, the table, and evaluations made only to order moves")
    }
}
