//! `alea-suite report`: what a run's results come to, as text, Markdown, CSV and pictures.

mod gather;
mod plots;
mod stats;
mod tables;
mod thesis;
mod truth;

use crate::Ended;
use crate::conditions::Conditions;
use crate::error::Error;
use crate::games::{DICE, title};
use crate::results::{Row, read};
use crate::suites::{BUILT_IN, Suite};
use alea::game::dice::Position;
use alea_tools::files::{self, FileError, make_dir};
use alea_tools::output::say;
use alea_tools::plots::DrawError;
use alea_tools::tables::Table;
use clap::Args;
use gather::Results;
pub use plots::curves;
use std::path::{Path, PathBuf};
use tables::Metric;
pub use tables::NO_MOVE;

/// Options of `report`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes to DIR/report: report.txt and report.md with all tables, one CSV a table, and the plots nodes-by-depth.svg,
nodes-by-position.svg and time-by-position.svg; with several shapes in the suite, a set for each. It may be run while
`alea-suite run` is still at work: it reports what is there. On boards of up to 5x5 each depth stands beside perfect
play, with the plot lost-by-depth.svg. Ends with status 1 if algorithms disagree on a value.
tools/suite/COLUMNS.md explains every column.")]
pub struct ReportArgs {
    /// The directory that `alea-suite run` wrote to
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// A report on one shape.
struct Section {
    shape: String,
    tables: Vec<Table>,
    plots: Vec<(&'static str, String)>,
    disagreements: usize,
}

/// Report on a directory of results.
pub fn report(args: &ReportArgs) -> Result<Ended, Error> {
    let path = args.dir.join("results.csv");
    let (conditions, positions) = Conditions::load(&args.dir)?.ok_or_else(|| Error::NoRun(args.dir.clone()))?;
    let rows: Vec<Row> = read(&path)?;
    let results = gather(&path, &rows)?;
    if results.is_empty() {
        return Err(Error::NoResults(path));
    }
    let of_thesis = conditions.suite == BUILT_IN;
    let positions: Vec<Position> = match conditions.game.as_str() {
        DICE => Suite::parse(&conditions.suite, &positions).entries.into_iter().map(|entry| entry.position).collect(),
        _ => Vec::new(),
    };
    let sections = results.iter().map(|results| section(results, of_thesis, &positions));
    let sections = sections.collect::<Result<Vec<_>, _>>()?;
    let out = args.dir.join("report");
    make_dir(&out)?;
    let intro = introduction(&conditions, rows.len());
    let text = write_report(&out, &intro, &sections)?;
    say(&format!("{text}Written to {}: report.txt, report.md, a CSV for each table, SVG plots.\n", out.display()));
    match sections.iter().map(|section| section.disagreements).sum::<usize>() {
        0 => Ok(Ended::Done),
        count => Err(Error::Disagreement(count)),
    }
}

/// The rows of a file sorted.
fn gather<'a>(path: &Path, rows: &'a [Row]) -> Result<Vec<Results<'a>>, Error> {
    Results::gather(rows).map_err(|unknown| Error::UnknownAlgorithm {
        path: path.to_owned(),
        // The first line has the names of the columns.
        line: unknown.row + 2,
        name: unknown.name,
    })
}

/// Mean nodes and time at every depth of the rows of a file, for the end of a run.
pub fn summary(path: &Path, rows: &[Row]) -> Result<String, Error> {
    let results = gather(path, rows)?;
    let mut text = String::new();
    for results in &results {
        let (_, disagreements) = tables::disagreements(results);
        let parts = [tables::means(results, Metric::Nodes), tables::means(results, Metric::Time)];
        for table in parts {
            text += &format!("{}. {}\n", title(&results.shape), table.text());
        }
        text += &format!("{}: {}\n\n", disagreements.title, disagreements.remark);
    }
    Ok(text)
}

fn introduction(conditions: &Conditions, searches: usize) -> String {
    format!(
        "{searches} searches of the suite {} of {}, each from an empty table: {}, {} MB of table, {} thread{}, eval {}, signature {}.",
        conditions.suite,
        conditions.game,
        conditions.program,
        conditions.hash,
        conditions.threads,
        if conditions.threads == 1 { "" } else { "s" },
        conditions.eval,
        conditions.signature,
    )
}

fn section(results: &Results, of_thesis: bool, positions: &[Position]) -> Result<Section, DrawError> {
    let solved = truth::solve(results, positions);
    let (count, disagreements) = tables::disagreements(results);
    let mut list = Vec::new();
    if of_thesis {
        list.extend([Metric::Nodes, Metric::Time].into_iter().filter_map(|metric| thesis::beside(results, metric)));
    }
    list.extend([Metric::Nodes, Metric::Time].map(|metric| tables::means(results, metric)));
    list.extend([Metric::Nodes, Metric::Time].map(|metric| tables::spread(results, metric)));
    list.extend([tables::probing(results), disagreements, tables::agreement(results)]);
    list.extend([tables::drift(results), tables::differences(results)]);
    list.extend(truth::table(results, &solved));
    let plots = [
        ("nodes-by-depth", plots::nodes_by_depth(results)?),
        ("nodes-by-position", plots::by_position(results, Metric::Nodes)?),
        ("time-by-position", plots::by_position(results, Metric::Time)?),
        ("lost-by-depth", truth::lost_by_depth(results, &solved)?),
    ];
    Ok(Section {
        shape: results.shape.clone(),
        tables: list,
        plots: plots.into_iter().filter_map(|(name, svg)| Some((name, svg?))).collect(),
        disagreements: count,
    })
}

/// Write every file of a report; hands back its text.
fn write_report(out: &Path, intro: &str, sections: &[Section]) -> Result<String, FileError> {
    let (mut text, mut markdown) = (format!("{intro}\n\n"), format!("{intro}\n\n"));
    for section in sections {
        let suffix = if sections.len() > 1 { format!("-{}", section.shape.replace('/', "-")) } else { String::new() };
        if sections.len() > 1 {
            text += &format!("=== {} ===\n\n", title(&section.shape));
            markdown += &format!("## {}\n\n", title(&section.shape));
        }
        for (name, svg) in &section.plots {
            let file = format!("{name}{suffix}.svg");
            files::replace(&out.join(&file), svg.as_bytes())?;
            markdown += &format!("![{}]({file})\n\n", name.replace('-', " "));
        }
        for table in &section.tables {
            text += &format!("{}\n", table.text());
            markdown += &format!("{}\n", table.markdown());
            files::replace(&out.join(format!("{}{suffix}.csv", table.file)), table.csv().as_bytes())?;
        }
    }
    files::replace(&out.join("report.txt"), text.as_bytes())?;
    files::replace(&out.join("report.md"), markdown.as_bytes())?;
    Ok(text)
}
