//! Every algorithm held to plain Expectimax.

#[path = "plain.rs"]
pub mod plain;

use alea::eval::Evaluator;
use alea::game::{Shortcuts, mix};
use alea::search::{Algorithm, Limits, ProbeOrder, Searcher, Settings, Stop};

/// Every algorithm, with every probing factor and order that makes a difference to it.
pub fn all_settings() -> Vec<Settings> {
    let mut list = Vec::new();
    for algorithm in Algorithm::EXACT {
        for probing_factor in [1, 2, 3, 5, 20] {
            for probe_order in ProbeOrder::ALL {
                let probes = matches!(algorithm, Algorithm::Star2 | Algorithm::Star25 | Algorithm::StarEtc);
                let orders = algorithm == Algorithm::Star25;
                if (probes || probing_factor == 1) && (orders || probe_order == ProbeOrder::Cyclic) {
                    list.push(Settings { algorithm, probing_factor, probe_order, ..Settings::default() });
                }
            }
        }
    }
    list
}

/// Hold every algorithm to `expected`: with no table, a fresh one, and one that everything else has been using.
pub fn check<G: Shortcuts, E: Evaluator<G> + std::fmt::Debug>(
    game: &G,
    evaluator: &E,
    depth: u32,
    worn: &mut Searcher,
    label: &str,
) {
    let expected = plain::value(game, evaluator, depth);
    let limits = Limits::to_depth(depth);
    let stop = Stop::new();
    for settings in all_settings() {
        let check = |searcher: &mut Searcher, table: &str| {
            let verdict = searcher.search(game, evaluator, &settings, &limits, &stop, &mut |_| ());
            let last = verdict.last.expect("an iteration");
            assert!(last.depth == depth || last.exact, "{label}");
            assert_eq!(verdict.value, expected, "{label}, {evaluator:?}, depth {depth}, {settings:?}, {table}");
        };
        check(&mut Searcher::new(0).unwrap(), "no table");
        let mut fresh = Searcher::new(1).unwrap();
        check(&mut fresh, "fresh table");
        check(&mut fresh, "second search");
        let cut_short = Limits { nodes: Some(1 + mix(depth.into()) % 200), ..limits.clone() };
        worn.search(game, evaluator, &settings, &cut_short, &stop, &mut |_| ());
        check(worn, "worn table");
    }
}
