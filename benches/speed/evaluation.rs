//! The evaluator alone, in a loop, on one thread: what no search by it can exceed.

use crate::cli::Effort;
use crate::numbers::Spread;
use crate::os::processor_seconds;
use crate::positions::around_mid_game;
use crate::progress::Progress;
use crate::table::Table;
use alea::eval::dice::{DiceEvaluator, Incremental, nets};
use alea::eval::{ChildEvaluator, Evaluator, RunningMax};
use alea::game::dice::Move;
use alea::game::dice::{Board, Position, Shape, Status};
use alea::game::{Capacity, Game, Shortcuts, Slots, Step};
use alea::with_width;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Games that the positions of a shape are taken from, and positions of each: enough that no processor learns them by
/// heart, few enough to stay in its cache.
const GAMES: u64 = 16;
const OF_A_GAME: usize = 4;

/// Ways of evaluating.
const WAYS: usize = 4;

/// Evaluations a second of processor time on one shape.
#[derive(Serialize)]
pub struct Row {
    #[serde(skip)]
    shape: Shape,
    name: String,
    positions: usize,
    /// All children of a position at once, for the best after each roll, as the search does at its last one where rolls are
    /// few.
    pub children: Spread,
    /// One child at a time, each with its own look at the position.
    pub probes: Spread,
    /// One move, then its value.
    steps: Spread,
    /// The same value from nothing but the position.
    afresh: Spread,
}

/// Evaluations a second of processor time on each shape.
#[derive(Serialize)]
pub struct Evaluations {
    rows: Vec<Row>,
}

/// The shapes that have a network.
pub fn shapes() -> impl Iterator<Item = Shape> {
    nets::shapes()
}

/// About how many seconds so many shapes take.
pub fn cost(shapes: usize, effort: &Effort) -> f64 {
    (shapes * WAYS * effort.short_rounds) as f64 * effort.slice.as_secs_f64()
}

/// Measure these shapes.
pub fn measure(shapes: impl Iterator<Item = Shape>, effort: &Effort, progress: &Progress) -> Evaluations {
    let loops: Vec<(Shape, Box<dyn Bare>)> = shapes.map(|shape| (shape, bare(shape))).collect();
    let mut rates: Vec<[Vec<f64>; WAYS]> = loops.iter().map(|_| [const { Vec::new() }; WAYS]).collect();
    for _ in 0..effort.short_rounds {
        for ((shape, bare), rates) in loops.iter().zip(&mut rates) {
            progress.name(&format!("evaluations of {shape}"));
            rates[0].push(rate(effort.slice, || bare.children()));
            rates[1].push(rate(effort.slice, || bare.probes()));
            rates[2].push(rate(effort.slice, || bare.steps()));
            rates[3].push(rate(effort.slice, || bare.afresh()));
            progress.advance(WAYS as f64 * effort.slice.as_secs_f64());
        }
    }
    let mut rows = Vec::new();
    for ((shape, bare), rates) in loops.iter().zip(rates) {
        let [children, probes, steps, afresh] = rates.map(Spread::of);
        rows.push(Row {
            shape: *shape,
            name: shape.to_string(),
            positions: bare.positions(),
            children,
            probes,
            steps,
            afresh,
        });
    }
    Evaluations { rows }
}

/// How often something is done, of which a pass does some, in a second of processor time; by the clock where the system
/// does not tell that.
fn rate(slice: Duration, pass: impl Fn() -> usize) -> f64 {
    let before = processor_seconds();
    let (start, mut done) = (Instant::now(), 0);
    while start.elapsed() < slice {
        done += pass();
    }
    let elapsed = start.elapsed().as_secs_f64();
    let busy = processor_seconds().zip(before).map(|(after, before)| after - before);
    done as f64 / busy.unwrap_or(elapsed).max(f64::MIN_POSITIVE)
}

/// One pass over the positions of a shape, in each of the ways; each says how many values it found.
trait Bare {
    fn positions(&self) -> usize;
    fn children(&self) -> usize;
    fn probes(&self) -> usize;
    fn steps(&self) -> usize;
    fn afresh(&self) -> usize;
}

/// The loop for a shape, on bitboards as wide as the search would use.
fn bare(shape: Shape) -> Box<dyn Bare> {
    with_width!(shape, B => Box::new(Loop::<B>::new(shape)))
}

struct Loop<B: Incremental> {
    evaluator: DiceEvaluator,
    samples: Vec<Sample<B>>,
}

/// A position before its roll, with all that the evaluator may know of it, and what can follow.
struct Sample<B: Incremental> {
    board: Board<B>,
    state: <DiceEvaluator as Evaluator<Board<B>>>::State,
    /// The rolls after which no move ends the game, numbered.
    decisions: Vec<(u8, u16)>,
    /// The moves after those.
    moves: Vec<Move>,
    /// What they lead to.
    children: Vec<Board<B>>,
}

impl<B: Incremental> Loop<B> {
    fn new(shape: Shape) -> Loop<B> {
        let evaluator = DiceEvaluator::for_shape(shape);
        let sample = |position: Position| {
            let board = position.to_width::<B>().without_roll();
            let goes_on = |mv: Move| board.child(Step::Move(mv)).status() == Status::Playing;
            let quiet = board.outcomes().filter(|outcome| board.moves_after(outcome.id).all(goes_on));
            let decisions: Vec<(u8, u16)> = quiet.map(|outcome| outcome.id).zip(0..).collect();
            let moves = decisions.iter().flat_map(|&(outcome, _)| board.moves_after(outcome).collect::<Vec<_>>());
            let moves: Vec<Move> = moves.collect();
            let children = moves.iter().map(|&mv| board.child(Step::Move(mv))).collect();
            Sample { board, state: evaluator.state(&board), decisions, moves, children }
        };
        let samples = around_mid_game(shape, GAMES, OF_A_GAME).into_iter().map(sample).collect();
        Loop { evaluator, samples }
    }
}

impl<B: Incremental> Loop<B> {
    /// How many values a pass finds, in any of the ways.
    fn values(&self) -> usize {
        self.samples.iter().map(|sample| sample.children.len()).sum()
    }
}

impl<B: Incremental> Bare for Loop<B> {
    fn positions(&self) -> usize {
        self.samples.len()
    }

    fn children(&self) -> usize {
        for sample in &self.samples {
            let children = self.evaluator.children(&sample.state, &sample.board);
            let mut maxima = <<Board<B> as Game>::OutcomeCapacity as Capacity>::Slots::filled(RunningMax::NONE);
            children.include_all(&sample.board, sample.decisions.iter().copied(), &mut maxima);
            for &max in &maxima.all()[..sample.decisions.len()] {
                black_box(children.maximum(max));
            }
        }
        self.values()
    }

    fn probes(&self) -> usize {
        for sample in &self.samples {
            for &mv in &sample.moves {
                black_box(self.evaluator.children(&sample.state, &sample.board).value_after(mv));
            }
        }
        self.values()
    }

    fn steps(&self) -> usize {
        for sample in &self.samples {
            for (mv, child) in sample.moves.iter().zip(&sample.children) {
                black_box(
                    self.evaluator
                        .value(&self.evaluator.advanced(&sample.state, &sample.board, Step::Move(*mv), child), child),
                );
            }
        }
        self.values()
    }

    fn afresh(&self) -> usize {
        for child in self.samples.iter().flat_map(|sample| &sample.children) {
            black_box(self.evaluator.value(&self.evaluator.state(child), child));
        }
        self.values()
    }
}

impl Evaluations {
    /// The figures of a shape, if it was measured.
    pub fn of(&self, shape: Shape) -> Option<&Row> {
        self.rows.iter().find(|row| row.shape == shape)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut table = Table::new(
            "Evaluations alone: million a second of processor time, one thread",
            ["", "all children", "spread", "one child", "spread", "made move", "spread", "from nothing", "spread"],
        );
        for row in &self.rows {
            let cells = [row.children, row.probes, row.steps, row.afresh].map(|rate| rate.times(1e-6).cells());
            table.row([row.name.clone()].into_iter().chain(cells.into_iter().flatten()));
        }
        table.text(
            "in a loop over positions from mid game: all children of a node at once for the best after each roll, as the\n\
             search does before the leaves where rolls are few; one child alone; and for comparison, a move made and the\n\
             position after it evaluatord, and all sums from nothing",
        )
    }
}
