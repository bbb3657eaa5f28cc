//! `alea-suite trees`: Ballard's experiment (1983). How many leaves of artificial trees each algorithm need not look at.
//!
//! Search runs without a table. These trees give it nothing to order moves by: killers and history are noise on them, as
//! Ballard's random order was.

mod tree;

use crate::Ended;
use crate::error::Error;
use crate::lists::{BadWord, Numbers, at_least_one};
use crate::variants::Variant;
use alea::eval::Plain;
use alea::search::{Algorithm, Limits, ProbeOrder, Searcher, Stop, TableError};
use alea_tools::files;
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::tables::{Cell, Table};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Instant;
use tree::{Leaves, Plan, Tree, Witness};

/// The most children a node may have.
const MAX_BRANCHES: usize = 32;

/// More leaves than this in one tree would take too long and too much memory.
const MAX_LEAVES: u64 = 50_000_000;

/// What kind of node the root is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Root {
    /// A player chooses
    Choice,
    /// Chance chooses
    Chance,
}

/// Options of `trees`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite trees                                     Ballard's table: 20 choices, 20 outcomes, three levels
  alea-suite trees --leaves independent                the same, with nothing in common between neighbouring leaves
  alea-suite trees --choices 5 --outcomes 6 --depth 5 --factors 1-5

Of each algorithm: the leaves it never looks at, the looks it saves (a probe may look at a leaf that is looked at again
later; with a table it would not be), and how often the probing phase alone cut. Ballard's figures, where he gives one,
stand beside the first.")]
pub struct TreesArgs {
    /// Children of a node where a player chooses
    #[arg(long, value_name = "N", default_value = "20", value_parser = width)]
    choices: u32,

    /// Children of a chance node, all equally likely
    #[arg(long, value_name = "N", default_value = "20", value_parser = width)]
    outcomes: u32,

    /// Levels below the root
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=25))]
    depth: u32,

    /// Whether a player or chance chooses at the root
    #[arg(long, value_enum, default_value = "choice")]
    root: Root,

    /// How leaves come by their values
    #[arg(long, value_enum, default_value = "branches")]
    leaves: Leaves,

    /// Probing factors
    #[arg(long, value_name = "LIST", default_value = "1-5,10,20")]
    factors: Numbers<{ MAX_BRANCHES as u32 }>,

    /// How many trees
    #[arg(long, value_name = "N", default_value = "100", value_parser = at_least_one)]
    trees: usize,

    /// Which trees
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// A CSV to write the table to as well
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
}

fn width(text: &str) -> Result<u32, BadWord> {
    let max = MAX_BRANCHES as u32;
    let number = text.parse().ok().filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| BadWord::NoNumber { word: text.into(), max })
}

/// What one algorithm came to, over all trees.
#[derive(Clone, Copy, Default)]
struct Tally {
    seen: u64,
    looks: u64,
    probes: u64,
    probe_cuts: u64,
}

/// Run the experiment and print its table.
pub fn trees(args: &TreesArgs) -> Result<Ended, Error> {
    let plan = Plan {
        depth: args.depth,
        choices: args.choices,
        outcomes: args.outcomes,
        chance_root: args.root == Root::Chance,
        leaves: args.leaves,
    };
    let leaves = plan.leaf_count().filter(|&leaves| leaves <= MAX_LEAVES);
    let leaves = leaves.ok_or(Error::ManyLeaves { depth: args.depth, limit: MAX_LEAVES })?;
    let factors: Vec<usize> = args.factors.0.iter().map(|&factor| factor as usize).collect();
    let plain = Variant::all(&[Algorithm::Expectimax, Algorithm::Star05, Algorithm::Star1], &[1], &[]);
    let probing = Variant::all(&[Algorithm::Star2, Algorithm::Star25], &factors, &ProbeOrder::ALL);
    let variants = [plain, probing].concat();

    let mut tallies = vec![Tally::default(); variants.len()];
    let mut progress = Progress::new("trees", args.trees);
    let started = Instant::now();
    for done in 0..args.trees {
        let tree = Tree::new(plan, args.seed, done as u64);
        for (variant, tally) in variants.iter().zip(&mut tallies) {
            measure(&tree, variant, tally)?;
        }
        progress.show(done + 1, || at_this_pace(started, done + 1, args.trees));
    }
    progress.finish();
    let table = table(args, leaves, &variants, &tallies);
    say(&table.text());
    if let Some(path) = &args.out {
        files::replace(path, table.csv().as_bytes())?;
    }
    Ok(Ended::Done)
}

/// Search one tree by one algorithm.
fn measure(tree: &Tree, variant: &Variant, tally: &mut Tally) -> Result<(), TableError> {
    let mut searcher = Searcher::new(0)?;
    let (root, depth) = (tree.root(), tree.plan.depth);
    let mut search = |witness: &Witness, depth| {
        let evaluator = Plain(witness.clone());
        let limits = Limits::to_depth(depth);
        searcher.search(&root, &evaluator, &variant.settings(1), &limits, &Stop::new(), &mut |_| ()).counters
    };
    let witness = Witness::default();
    let all = search(&witness, depth);
    // What the last iteration alone did. Looks after it are for the expected line of play, and not counted.
    let before = if depth > 1 { search(&Witness::default(), depth - 1) } else { Default::default() };
    let looks = all.evaluations - before.evaluations;
    tally.looks += looks;
    tally.seen += witness.distinct(looks as usize) as u64;
    tally.probes += all.probes - before.probes;
    tally.probe_cuts += all.probe_cuts - before.probe_cuts;
    Ok(())
}

fn table(args: &TreesArgs, leaves: u64, variants: &[Variant], tallies: &[Tally]) -> Table {
    let total = (leaves * args.trees as u64) as f64;
    let row = |(variant, tally): (&Variant, &Tally)| {
        let probes = variant.options().contains("probing");
        vec![
            Cell::from(variant.algorithm.name()),
            Cell::from(if variant.algorithm == Algorithm::Star25 { variant.order.name() } else { "" }),
            Cell::maybe(probes.then_some(variant.probing as f64), Cell::Count),
            Cell::Share(1.0 - tally.seen as f64 / total),
            Cell::Share(1.0 - tally.looks as f64 / total),
            Cell::maybe((tally.probes > 0).then(|| tally.probe_cuts as f64 / tally.probes as f64), Cell::Share),
            Cell::from(ballard(variant)),
        ]
    };
    let kind = match args.leaves {
        Leaves::Branches => "sums of branches",
        Leaves::Independent => "independent",
    };
    Table {
        file: "trees",
        title: format!(
            "{} trees of {} levels, {} choices, {} outcomes, {leaves} leaves each, {kind}; seed {}",
            args.trees, args.depth, args.choices, args.outcomes, args.seed
        ),
        remark: String::new(),
        header: ["algorithm", "order", "factor", "leaves cut", "looks saved", "probes that cut", "Ballard 1983"]
            .map(String::from)
            .to_vec(),
        rows: variants.iter().zip(tallies).map(row).collect(),
    }
}

/// The leaves cut that Ballard's paper reports.
fn ballard(variant: &Variant) -> &'static str {
    match (variant.algorithm, variant.order, variant.probing) {
        (Algorithm::Star1, ..) => "up to 20 %",
        (Algorithm::Star2, _, 1) => "over 59 %",
        (Algorithm::Star25, ProbeOrder::Cyclic, 3) => "70 %",
        (Algorithm::Star25, ProbeOrder::Cyclic, 20) => "72 %",
        (Algorithm::Star25, ProbeOrder::Sequential, 3) => "65 %, its best",
        (Algorithm::Star25, ProbeOrder::Sequential, 5..) => "worse past 4",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(leaves: Leaves, algorithm: Algorithm, factor: usize, order: ProbeOrder) -> f64 {
        let plan = Plan { depth: 3, choices: 20, outcomes: 20, chance_root: false, leaves };
        let variant = Variant { algorithm, probing: factor, order };
        let mut tally = Tally::default();
        (0..10).for_each(|number| measure(&Tree::new(plan, 1, number), &variant, &mut tally).unwrap());
        1.0 - tally.seen as f64 / 80_000.0
    }

    #[test]
    fn ballards_figures_come_out() {
        let (cyclic, sequential) = (ProbeOrder::Cyclic, ProbeOrder::Sequential);
        let cases = [
            (Algorithm::Expectimax, 1, cyclic, 0.0, 0.0),
            (Algorithm::Star1, 1, cyclic, 0.15, 0.25),
            (Algorithm::Star2, 1, cyclic, 0.54, 0.65),
            (Algorithm::Star25, 3, sequential, 0.60, 0.70),
            (Algorithm::Star25, 3, cyclic, 0.64, 0.74),
            (Algorithm::Star25, 20, cyclic, 0.67, 0.78),
            (Algorithm::Star25, 20, sequential, 0.15, 0.25),
        ];
        for (algorithm, factor, order, low, high) in cases {
            let cut = cut(Leaves::Branches, algorithm, factor, order);
            assert!((low..=high).contains(&cut), "{algorithm:?} {factor} {order:?}: {cut}");
        }
    }

    #[test]
    fn independent_leaves_give_probing_little() {
        let cut = cut(Leaves::Independent, Algorithm::Star2, 1, ProbeOrder::Cyclic);
        assert!((0.0..0.12).contains(&cut), "{cut}");
    }

    #[test]
    fn leaf_counts_by_hand() {
        let plan = Plan { depth: 4, choices: 3, outcomes: 5, chance_root: true, leaves: Leaves::Independent };
        assert_eq!(plan.leaf_count(), Some(225));
        assert_eq!(Plan { depth: 60, ..plan }.leaf_count(), None);
    }
}
