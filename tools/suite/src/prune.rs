//! `alea-suite prune`: what forward pruning saves and loses, and what shallow searches predict of deep ones.

use crate::Ended;
use crate::error::Error;
use crate::games::GameArgs;
use crate::judges::{EvalArgs, Judges};
use crate::lists::{Numbers, at_least_one};
use crate::losses::{Comparison, Rival};
use crate::predictions::measure;
use crate::run::stop_at_interrupt;
use crate::suites::{Source, Suite};
use alea::search::{Prune, PruneMargins, Searched, Settings, Stop};
use alea_tools::output::say;
use clap::Args;
use std::path::PathBuf;

/// Options of `prune`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite prune --depth 11                            on the positions of the thesis
  alea-suite prune mine --depth 5 --beam 2-5             on others, with beams of several widths
  alea-suite prune mine --depth 7 --fit                  measure what ProbCut and ChanceProbCut rest on

One line a kind: nodes and milliseconds, each with the ratio to those of the whole search; how far the value lies from the true one, on
average and at most, in points; how often another move is chosen, and what the chosen moves lose in the whole search. The
searches of a position are made side by side, --rounds times, of which the least time counts.")]
pub struct PruneArgs {
    /// A file of positions, one a line as the game writes it [default: those of the thesis]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    eval: EvalArgs,

    /// How deep to search
    #[arg(long, value_name = "N", default_value = "9", value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,

    /// Standard deviations, in hundredths, that ProbCut and ChanceProbCut ask for [default: the engine's]
    #[arg(long, value_name = "LIST")]
    deviations: Option<Numbers<10000>>,

    /// Per cent of the rolls left out at either end [default: the engine's]
    #[arg(long, value_name = "LIST")]
    trim: Option<Numbers<49>>,

    /// Moves kept in a beam [default: the engine's]
    #[arg(long, value_name = "LIST")]
    beam: Option<Numbers<1000>>,

    /// Table of each search, in MB
    #[arg(long, value_name = "MB", value_parser = at_least_one, default_value = "64")]
    hash: usize,

    /// How often to make each search: the least time counts
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "3")]
    rounds: usize,

    /// Measure instead how the value to each depth up to --depth follows from that of a search two steps shallower
    #[arg(long)]
    fit: bool,

    /// Refuse a file that has bad lines, instead of going on with the good ones
    #[arg(long)]
    strict: bool,
}

/// Measure every kind of pruning, or the predictions that some rest on.
pub fn prune(args: &PruneArgs) -> Result<Ended, Error> {
    let source = Source::open(args.file.as_deref(), args.game.game.as_deref())?;
    let ended = alea::with_game!(source.game, G => prune_game::<G>(args, &source));
    ended.unwrap_or_else(|| Err(Error::NoGame(source.game.into())))
}

fn prune_game<G: Searched>(args: &PruneArgs, source: &Source) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let suite = Suite::<G>::load(source, args.strict)?;
    let judges = Judges::new::<G>(&args.eval)?.each(suite.positions())?;
    let positions: Vec<_> = suite.positions().zip(judges).collect();
    let &PruneArgs { depth, hash, rounds, .. } = args;
    let text = if args.fit {
        measure(&positions, depth, hash, &stop)?
    } else {
        let rivals = rivals(args);
        Comparison { positions: &positions, rivals: &rivals, depth, hash, rounds }.run("prune", &stop)?.text() + "\n"
    };
    say(&text);
    Ok(if interrupt.seen() { Ended::Interrupted } else { Ended::Done })
}

/// The whole search, and every kind with each of its margins.
fn rivals(args: &PruneArgs) -> Vec<Rival> {
    let usual = PruneMargins::default();
    let numbers = |list: Option<&Vec<u32>>, usual: u32| list.cloned().unwrap_or_else(|| vec![usual]);
    let deviations = numbers(args.deviations.as_ref().map(|list| &list.0), usual.deviations);
    let trim = numbers(args.trim.as_ref().map(|list| &list.0), usual.trim);
    let beam = numbers(args.beam.as_ref().map(|list| &list.0), usual.beam as u32);
    let mut rivals = Vec::new();
    for prune in Prune::ALL {
        let mut add = |margin: String, prune_margins| {
            let name = format!("{} {margin}", prune.name()).trim_end().into();
            rivals.push(Rival { name, settings: Settings { prune, prune_margins, ..Settings::default() } });
        };
        match prune {
            Prune::None | Prune::Luck => add(String::new(), usual),
            Prune::ChanceProbCut | Prune::ProbCut => deviations.iter().for_each(|&deviations| {
                add(format!("{:.2}", f64::from(deviations) / 100.0), PruneMargins { deviations, ..usual });
            }),
            Prune::Rolls => trim.iter().for_each(|&trim| add(format!("{trim} %"), PruneMargins { trim, ..usual })),
            Prune::Beam => beam.iter().for_each(|&beam| {
                add(beam.to_string(), PruneMargins { beam: beam as usize, ..usual });
            }),
        }
    }
    rivals
}
