//! How good is a network? Errors against positions solved exactly, calibration, strength against pairs.

use crate::arena::{self, Dice};
use crate::endings::{self, Solver};
use crate::plot;
use crate::shares;
use alea::eval::Noise;
use alea::eval::dice::file::{self, FileError};
use alea::eval::dice::{DiceEvaluator, EvalKind, nets};
use alea::game::dice::{Position, Shape};
use alea::game::{Game, Step};
use alea::search::TableError;
use alea::with_width;
use alea_tools::files::{self, FileError as WriteError};
use alea_tools::output::say;
use alea_tools::plots::DrawError;
use alea_tools::shared_progress::SharedProgress;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The depths at which the value thrown away is measured.
const DEPTHS: [u32; 3] = [1, 3, 5];
/// Bins of predicted value over [−1, 1].
const BINS: usize = 10;
/// A bin with fewer positions says nothing.
const FEW: usize = 10;

/// What to check, and on what.
pub struct Order {
    /// A file, or a shape.
    pub network: String,
    /// Solved positions.
    pub positions: usize,
    /// Pairs of games, or as many as the shape's size allows.
    pub pairs: Option<u32>,
    /// Which dice they are played on.
    pub dice: u32,
    /// Which positions.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
    /// Where to draw the calibration, or beside the user.
    pub svg: Option<PathBuf>,
}

/// Why there is nothing to report.
#[derive(Debug)]
pub enum Failure {
    /// The file holds no network.
    File(PathBuf, FileError),
    /// The shape has no network of its own.
    NotShipped(Shape),
    /// There is no memory for the solver.
    Table(TableError),
    /// The plot cannot be drawn.
    Plot(DrawError),
    /// The plot cannot be written.
    Write(WriteError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::File(path, error) => write!(f, "{}: {error}", path.display()),
            Failure::NotShipped(shape) => {
                let shipped: Vec<String> = nets::shapes().map(|shape| shape.to_string()).collect();
                write!(f, "no network comes with the engine for {shape}; there is one for {}", shipped.join(", "))
            }
            Failure::Table(error) => write!(f, "{error}"),
            Failure::Plot(error) => write!(f, "{error}"),
            Failure::Write(error) => write!(f, "cannot write {error}"),
        }
    }
}

impl std::error::Error for Failure {}

/// The judge that `name` stands for: a shape's own network, or a file's.
fn judge(name: &str) -> Result<DiceEvaluator, Failure> {
    if let Ok(shape) = name.parse::<Shape>() {
        let network = nets::shipped(shape).ok_or(Failure::NotShipped(shape))?;
        return Ok(of_its_shape(network));
    }
    let network = file::load_any(Path::new(name)).map_err(|error| Failure::File(name.into(), error))?;
    Ok(of_its_shape(Arc::new(network)))
}

fn of_its_shape(network: Arc<alea::eval::dice::network::Network>) -> DiceEvaluator {
    let shape = network.weights().shape;
    DiceEvaluator::new(EvalKind::Net(network), shape, Noise::NONE).unwrap_or_else(|_| DiceEvaluator::for_shape(shape))
}

/// What a network thought of one position, and what is true.
#[derive(Clone, Copy)]
struct Study {
    predicted: f64,
    exact: f64,
    /// The value thrown away by the move chosen at each depth.
    thrown: [f64; DEPTHS.len()],
}

/// Report on a network.
pub fn check(order: &Order) -> Result<(), Failure> {
    let judge = judge(&order.network)?;
    let shape = judge.shape();
    if let EvalKind::Net(network) = judge.kind() {
        let weights = network.weights();
        let (name, set, units) = (&order.network, weights.set, weights.units());
        say(&format!("{name}: shape {shape}, {set:?} features, {units} hidden units\n"));
    }
    let empty = endings::solvable(shape);
    let positions = endings::positions(shape, empty.clone(), order.positions, order.seed);
    if positions.is_empty() {
        say(&format!("\nNo position of {shape} from random play is near enough to its end to be solved.\n"));
    } else {
        let studies = study(&judge, &positions, order.threads)?;
        let (first, last) = (empty.start(), empty.end());
        let (count, seed) = (studies.len(), order.seed);
        say(&format!("\n{count} positions with {first} to {last} empty cells, solved exactly (seed {seed}):\n"));
        let svg = order.svg.clone();
        let svg = svg.unwrap_or_else(|| format!("calibration-{}-{}.svg", shape.size(), shape.win()).into());
        say(&report(&studies, shape, &svg)?);
    }
    let pairs = order.pairs.unwrap_or(if shape.size() > 9 { 300 } else { 1000 });
    let against =
        DiceEvaluator::new(EvalKind::Pairs, shape, Noise::NONE).unwrap_or_else(|_| DiceEvaluator::for_shape(shape));
    let dice = Dice { series: order.dice, pairs };
    let progress = SharedProgress::new("pairs of games", pairs as usize);
    let count = || progress.count();
    let score = with_width!(shape, B => arena::play::<B>(&judge, &against, dice, order.threads, &count));
    progress.finish();
    say(&format!("\nAgainst pairs, depth 1 on both sides, fixed dice, seats swapped:\n  {score}\n"));
    Ok(())
}

/// Solve the positions and let the judge choose in each.
fn study(judge: &DiceEvaluator, positions: &[Position], threads: usize) -> Result<Vec<Study>, Failure> {
    let progress = SharedProgress::new("positions", positions.len());
    let part = |mine: &[Position]| {
        let mut solver = Solver::new()?;
        let mut studies = Vec::with_capacity(mine.len());
        for position in mine {
            studies.extend(study_one(judge, position, &mut solver));
            progress.count();
        }
        Ok(studies)
    };
    let parts: Result<Vec<Vec<Study>>, TableError> = shares::runs(positions, threads, part).into_iter().collect();
    progress.finish();
    Ok(parts.map_err(Failure::Table)?.concat())
}

fn study_one(judge: &DiceEvaluator, position: &Position, solver: &mut Solver) -> Option<Study> {
    let exact = solver.worth(position)?.to_f64();
    let mut thrown = [0.0; DEPTHS.len()];
    for (thrown, depth) in thrown.iter_mut().zip(DEPTHS) {
        let best = solver.choice(judge, position, depth)?;
        let after = position.child(Step::Move(best));
        *thrown = exact + solver.worth(&after)?.to_f64();
    }
    Some(Study { predicted: endings::first_sight(judge, position).to_f64(), exact, thrown })
}

/// One bin of the calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// How many positions.
    pub count: usize,
    /// Their mean predicted value.
    pub predicted: f64,
    /// Their mean exact value.
    pub exact: f64,
}

/// Positions binned by predicted value.
fn calibration(studies: &[Study]) -> Vec<Bin> {
    let bin = |study: &Study| (((study.predicted + 1.0) / 2.0 * BINS as f64) as usize).min(BINS - 1);
    let bins = (0..BINS).map(|i| {
        let mine: Vec<&Study> = studies.iter().filter(|study| bin(study) == i).collect();
        let mean = |f: fn(&Study) -> f64| mine.iter().map(|study| f(study)).sum::<f64>() / mine.len().max(1) as f64;
        Bin { count: mine.len(), predicted: mean(|study| study.predicted), exact: mean(|study| study.exact) }
    });
    bins.collect()
}

/// What the studies come to, in words; the calibration is drawn too.
fn report(studies: &[Study], shape: Shape, svg: &Path) -> Result<String, Failure> {
    let n = studies.len().max(1) as f64;
    let mean = |f: &dyn Fn(&Study) -> f64| studies.iter().map(f).sum::<f64>() / n;
    let rms = mean(&|study| (study.predicted - study.exact).powi(2)).sqrt();
    let bias = mean(&|study| study.predicted - study.exact);
    let mut text = format!("  root-mean-square error of the depth-1 value  {rms:.4} (mean {bias:+.4})\n");
    for (i, depth) in DEPTHS.into_iter().enumerate() {
        let thrown = mean(&|study| study.thrown[i]);
        text += &format!("  value thrown away by the move at depth {depth}     {thrown:.4}\n");
    }
    text += "\n  calibration   positions  predicted  exact    difference\n";
    let bins = calibration(studies);
    bins.iter().enumerate().for_each(|(i, bin)| text += &bin_line(i, bin));
    let worst = bins.iter().filter(|bin| bin.count >= FEW).map(|bin| (bin.exact - bin.predicted).abs());
    text += &format!("  largest difference {:.4}; drawn in {}\n", worst.fold(0.0, f64::max), svg.display());
    let points: Vec<(f64, f64)> = studies.iter().map(|study| (study.predicted, study.exact)).collect();
    let title = format!("Calibration of the network for {shape}");
    let picture = plot::calibration(&title, &points, &bins).map_err(Failure::Plot)?;
    files::replace(svg, picture.as_bytes()).map_err(Failure::Write)?;
    Ok(text)
}

fn bin_line(i: usize, bin: &Bin) -> String {
    let width = 2.0 / BINS as f64;
    let (low, high) = (-1.0 + i as f64 * width, -1.0 + (i + 1) as f64 * width);
    let note = if bin.count < FEW { "  (too few to say)" } else { "" };
    let Bin { count, predicted, exact } = bin;
    match count {
        0 => format!("  {low:+.1} to {high:+.1} {:>10}{note}\n", 0),
        _ => {
            let difference = exact - predicted;
            format!("  {low:+.1} to {high:+.1} {count:>10}    {predicted:+.4}  {exact:+.4}  {difference:+.4}{note}\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_what_was_predicted() {
        let study = |predicted, exact| Study { predicted, exact, thrown: [0.0; 3] };
        let bins = calibration(&[study(-1.0, -0.5), study(-0.9, -1.0), study(1.0, 1.0), study(0.05, 0.2)]);
        assert_eq!(bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!((bins[0].predicted, bins[0].exact), (-0.95, -0.75));
    }

    #[test]
    fn names_that_are_no_network_are_refused() {
        let refused = |name: &str| judge(name).unwrap_err().to_string();
        assert!(refused("6/5").contains("no network comes with the engine for 6/5"));
        assert!(refused("nowhere.net").starts_with("nowhere.net: "));
        assert!(refused("Cargo.toml").contains("does not start with ALEA-NET"));
    }
}
