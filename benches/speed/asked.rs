//! What was asked for, beside what was measured.

use crate::Report;
use crate::memory::ALLOWED;
use crate::numbers::figure;
use crate::table::Table;
use serde::Serialize;

/// A figure that the project set itself.
#[derive(Serialize)]
pub struct Asked {
    what: &'static str,
    unit: &'static str,
    bound: Bound,
    asked: f64,
    measured: f64,
    met: bool,
}

/// Which way a figure is better.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Bound {
    AtLeast,
    AtMost,
}

fn at_least(what: &'static str, unit: &'static str, asked: f64, measured: f64) -> Asked {
    Asked { what, unit, bound: Bound::AtLeast, asked, measured, met: measured >= asked }
}

fn at_most(what: &'static str, unit: &'static str, asked: f64, measured: f64) -> Asked {
    Asked { what, unit, bound: Bound::AtMost, asked, measured, met: measured <= asked }
}

/// The figures for which there are measurements.
pub fn asked(report: &Report) -> Vec<Asked> {
    let mut rows = Vec::new();
    if let Some(suite) = &report.threads {
        let one = &suite.one;
        let speed = one.nodes_per_second.median / 1e6;
        rows.push(at_least("nodes a second, suite to depth 13, one thread", "M", 25.0, speed));
        if let Some(speed) = one.nodes_per_processor_second {
            rows.push(at_least("nodes a second of processor time, those searches", "M", 25.0, speed.median / 1e6));
        }
        rows.push(at_most("mean time of those searches", "ms", 50.0, one.milliseconds.median));
        if let Some(time) = one.processor_milliseconds {
            rows.push(at_most("mean processor time of those searches", "ms", 50.0, time.median));
        }
        rows.push(at_least("two threads against one", "times", 1.7, suite.speedup));
    }
    if let Some(backgammon) = &report.backgammon {
        if let Some(share) = backgammon.share_of_dice() {
            rows.push(at_least("backgammon's nodes a second, of those of 5/4 Dice", "%", 10.0, 100.0 * share));
        }
        if let Some([three, five]) = backgammon.milliseconds() {
            rows.push(at_most("backgammon to depth 3, mean processor time", "ms", 10.0, three));
            rows.push(at_most("backgammon to depth 5, mean processor time", "ms", 1000.0, five));
        }
    }
    if let Some(start) = &report.start {
        rows.push(at_most("starting a search, on one thread or two", "ms", 0.2, start.dearest_search()));
        if let Some(share) = start.idle_share() {
            rows.push(at_most("processor taken by an idle engine", "%", 0.1, 100.0 * share));
        }
    }
    if let Some(worst) = report.memory.as_ref().and_then(|memory| memory.worst()) {
        rows.push(at_most("memory beyond Hash, the worst of all shapes", "MB", ALLOWED, worst));
    }
    rows
}

/// For people.
pub fn text(rows: &[Asked]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = Table::new("Asked and measured", ["", "asked", "measured", ""]);
    for row in rows {
        let met = if row.met { "met" } else { "NOT met" };
        let bound = match row.bound {
            Bound::AtLeast => "at least",
            Bound::AtMost => "at most",
        };
        let (asked, measured) = (row.asked, figure(row.measured));
        let unit = row.unit;
        table.row([row.what.into(), format!("{bound} {asked} {unit}"), format!("{measured} {unit}"), met.into()]);
    }
    table.text("")
}
