//! How far the search is from its limit: nodes a second against evaluations a second of the evaluator alone, both of
//! processor time where the system tells it.

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
    probes_per_second_alone: f64,
    /// Nodes a second of the one over evaluations a second of the other.
    ratio: f64,
    evaluations_per_node: f64,
    evaluations_per_second_in_search: f64,
    /// The share of the search's time that its evaluations would take alone, all children at once.
    evaluation_share: f64,
    /// The same, one child at a time. What the search does lies between the two.
    probe_share: f64,
    guiding_evaluations_per_node: f64,
    table_lookups_per_node: f64,
    table_hits_per_node: f64,
    nanoseconds_per_node: f64,
    nanoseconds_per_evaluation: f64,
}

/// Set the suite's search against the evaluator alone, and print what comes of it.
pub fn derive(alone: &Evaluations, suite: &Threads, progress: &Progress) -> Option<Limit> {
    let row = alone.of(Shape::default())?;
    let (alone, probes) = (row.children.median, row.probes.median);
    let search = &suite.one;
    let nodes = search.nodes_per_processor_second.unwrap_or(search.nodes_per_second).median;
    let inside = nodes * (search.evaluations_per_node + search.guiding_evaluations_per_node);
    let limit = Limit {
        nodes_per_second: nodes,
        evaluations_per_second_alone: alone,
        probes_per_second_alone: probes,
        ratio: nodes / alone,
        evaluations_per_node: search.evaluations_per_node,
        evaluations_per_second_in_search: inside,
        evaluation_share: inside / alone,
        probe_share: inside / probes,
        guiding_evaluations_per_node: search.guiding_evaluations_per_node,
        table_lookups_per_node: search.table_lookups_per_node,
        table_hits_per_node: search.table_hits_per_node,
        nanoseconds_per_node: 1e9 / nodes,
        nanoseconds_per_evaluation: 1e9 / alone,
    };
    progress.print(&limit.text(suite.depth));
    Some(limit)
}

impl Limit {
    fn shares(&self) -> String {
        format!("{} to {}", per_cent(self.evaluation_share), per_cent(self.probe_share))
    }

    /// For people.
    fn text(&self, depth: u32) -> String {
        let title = format!("Distance to the limit: 5/4 to depth {depth}, one thread, by processor time");
        let mut table = Table::new(title, ["", ""]);
        let million = |rate: f64| format!("{} M/s", figure(rate / 1e6));
        let rows = [
            ("nodes of the search", million(self.nodes_per_second)),
            ("evaluations of the evaluator alone, all children at once", million(self.evaluations_per_second_alone)),
            ("evaluations of the evaluator alone, one child at a time", million(self.probes_per_second_alone)),
            ("nodes over evaluations, all children at once", figure(self.ratio)),
            ("a node takes", format!("{} ns", figure(self.nanoseconds_per_node))),
            ("an evaluation alone takes", format!("{} ns", figure(self.nanoseconds_per_evaluation))),
            ("leaves evaluated, a node", figure(self.evaluations_per_node)),
            ("positions evaluated to guide the search, a node", figure(self.guiding_evaluations_per_node)),
            ("share of the time that those would take alone", self.shares()),
            ("table look-ups, a node", figure(self.table_lookups_per_node)),
            ("table look-ups that found something, a node", figure(self.table_hits_per_node)),
        ];
        for (name, cell) in rows {
            table.row([name.to_string(), cell]);
        }
        table.text("the rest: moves made, states brought up to date, bounds of chance nodes, the table")
    }
}
