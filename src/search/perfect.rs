//! Perfect play in Dice on small boards: where time alone limits the search, the truth if it can be had in that time.
//!
//! Positions with few checkers on the standard board are in a book. For others a short search comes first, so that there is always a good
//! answer. Then everything that can come of the position is
//! swept (see [`crate::sweep`]), if that is likely to end in time and fits the memory that may be used. If it turns out slower than was
//! thought, the search goes on where it was.

use std::time::{Duration, Instant};

use super::limits::{Limits, Settings, Stop};
use super::report::{Counters, Iteration, Line, OutcomeValue, Report, Verdict};
use super::searcher::Searcher;
use crate::eval::dice::DiceEvaluator;
use crate::game::dice::{Cell, Move, Position, Side};
use crate::game::{Game, Kind, Step, Value};
use crate::sweep::dice::book::{Book, Shipped, shipped};
use crate::sweep::dice::{DiceSweep, Setup, Solved, bits, line_of};
use crate::sweep::{Pace, Progress, value};

/// The most empty cells that are swept: for 19 it takes up to 250 MB.
pub const MAX_EMPTY: usize = 19;

/// The search before the sweep goes to this depth,
const FIRST_DEPTH: u32 = 5;

/// and takes at most this share of the time.
const FIRST_SHARE: u32 = 10;

/// What a position is thought to cost on one thread, in nanoseconds.
const COST: u64 = 5;

/// How often a sweep gives a sign of life.
const PULSE: Duration = Duration::from_millis(250);

/// Where true values come from: before the roll, in blue's view, as sweeps count.
trait Truth {
    fn number(&self, setup: &Setup) -> Option<i32>;
}

impl Truth for Book {
    fn number(&self, setup: &Setup) -> Option<i32> {
        Book::number(self, setup)
    }
}

impl Truth for Solved {
    fn number(&self, setup: &Setup) -> Option<i32> {
        Solved::number(self, setup)
    }
}

/// One search for the truth.
pub(super) struct Perfect<'a> {
    pub position: &'a Position,
    pub evaluator: &'a DiceEvaluator,
    pub settings: &'a Settings,
    pub limits: &'a Limits<Move>,
    pub stop: &'a Stop,
}

impl Perfect<'_> {
    /// Search, by what there is time for.
    pub fn run(&self, searcher: &mut Searcher, handler: &mut dyn FnMut(Report<Move>)) -> Verdict<Move> {
        let start = Instant::now();
        let threads = searcher.threads(self.settings);
        let Some(setup) = self.setup() else { return self.search(searcher, self.limits, handler) };
        let in_book = match shipped(&setup) {
            Shipped::Open(book) => {
                return self.tell(&setup, book, Counters::default(), searcher.hashfull(), start, handler);
            }
            Shipped::Opening => true,
            Shipped::Unknown => false,
        };
        if !in_book && !self.affordable(&setup, threads, start) {
            return self.search(searcher, self.limits, handler);
        }
        let first = self.search(searcher, &self.first_limits(start), handler);
        if first.is_exact() || self.over() {
            return first;
        }
        if in_book {
            return match self.wait_for_book(&setup) {
                Some(book) => self.tell(&setup, book, first.counters, searcher.hashfull(), start, handler),
                None if self.over() => first,
                None => self.go_on(searcher, first.counters.nodes, start, handler),
            };
        }
        let nodes = first.counters.nodes;
        let mut sweeping = Sweeping { start, deadline: self.limits.deadline, nodes, pulsed: start, done: 0, handler };
        if let Some(solved) = sweeping.solve(setup, threads, self.stop) {
            let counters = Counters { nodes: nodes + sweeping.done, ..first.counters };
            return self.tell(&setup, &solved, counters, searcher.hashfull(), start, handler);
        }
        if self.over() {
            return first;
        }
        // The sweep has given up: what is left of the time is for the search.
        let spent = nodes + sweeping.done;
        self.go_on(searcher, spent, start, handler)
    }

    /// The book, once it is open, unless the search is over before; `None` also if there is none after all.
    fn wait_for_book(&self, setup: &Setup) -> Option<&'static Book> {
        while !self.over() {
            match shipped(setup) {
                Shipped::Open(book) => return Some(book),
                Shipped::Opening => std::thread::sleep(Duration::from_millis(1)),
                Shipped::Unknown => break,
            }
        }
        None
    }

    /// Report the truth, and hand it back.
    fn tell(
        &self,
        setup: &Setup,
        truth: &impl Truth,
        counters: Counters,
        hashfull: u32,
        start: Instant,
        handler: &mut dyn FnMut(Report<Move>),
    ) -> Verdict<Move> {
        let verdict = self.verdict(setup, truth, counters, hashfull, start);
        verdict.last.iter().for_each(|last| handler(Report::Iteration(last.clone())));
        verdict
    }

    fn setup(&self) -> Option<Setup> {
        matches!(self.position.kind(), Kind::Decision | Kind::Chance).then(|| Setup::of(self.position)).flatten()
    }

    fn search(
        &self,
        searcher: &mut Searcher,
        limits: &Limits<Move>,
        handler: &mut dyn FnMut(Report<Move>),
    ) -> Verdict<Move> {
        searcher.search_dice(self.position, self.evaluator, self.settings, limits, self.stop, handler)
    }

    /// Search on after so many nodes, counting from where they ended.
    fn go_on(
        &self,
        searcher: &mut Searcher,
        spent: u64,
        start: Instant,
        handler: &mut dyn FnMut(Report<Move>),
    ) -> Verdict<Move> {
        let mut verdict = self.search(searcher, self.limits, &mut |report| {
            handler(match report {
                Report::Iteration(last) => {
                    Report::Iteration(Iteration { nodes: last.nodes + spent, time: start.elapsed(), ..last })
                }
                Report::Progress { nodes, .. } => Report::Progress { nodes: nodes + spent, time: start.elapsed() },
            });
        });
        verdict.counters.nodes += spent;
        verdict.time = start.elapsed();
        if let Some(last) = &mut verdict.last {
            last.nodes += spent;
        }
        verdict
    }

    fn over(&self) -> bool {
        self.stop.pulled() || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether a sweep fits the memory that may be used and is likely to end in time.
    fn affordable(&self, setup: &Setup, threads: usize, now: Instant) -> bool {
        let empty = setup.empty().count_ones() as usize;
        let cost = Duration::from_nanos(most_positions(empty).saturating_mul(COST) / threads as u64);
        let in_time = self.limits.deadline.is_none_or(|deadline| cost <= deadline.saturating_duration_since(now));
        empty <= MAX_EMPTY && in_time
    }

    fn first_limits(&self, now: Instant) -> Limits<Move> {
        let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / FIRST_SHARE;
        Limits { depth: Some(FIRST_DEPTH), deadline: self.limits.deadline.map(share), ..self.limits.clone() }
    }

    /// What the truth makes of the position.
    fn verdict(
        &self,
        setup: &Setup,
        truth: &impl Truth,
        counters: Counters,
        hashfull: u32,
        start: Instant,
    ) -> Verdict<Move> {
        let size = setup.shape.size();
        let name = |cell: usize| self.position.cell_move(Cell { row: (cell / size) as u8, col: (cell % size) as u8 });
        let steps = 2 * setup.empty().count_ones();
        let (depth, lines, outcomes) = match self.position.roll() {
            Some(roll) => {
                let mut moves = moves_by_value(setup, truth, roll.into());
                let asked = &self.limits.search_moves;
                moves.retain(|&(cell, _)| asked.is_empty() || asked.contains(&name(cell)));
                moves.truncate(self.settings.multi_pv.max(1));
                let line = |&(cell, value): &(usize, Value)| {
                    let mut pv = vec![Step::Move(name(cell))];
                    pv.extend(expected_play(setup.after(cell), truth).into_iter().map(|step| step.map(name)));
                    Line { value, pv }
                };
                (steps - 1, moves.iter().map(line).collect::<Vec<_>>(), Vec::new())
            }
            None => {
                let outcome = |roll: u8| {
                    let (cell, value) = moves_by_value(setup, truth, roll.into())[0];
                    OutcomeValue { outcome: roll, value, best: Some(name(cell)) }
                };
                let value = for_mover(setup.side, truth.number(setup).unwrap_or_default());
                let outcomes = self.position.open_lines().into_iter().map(outcome).collect();
                (steps, vec![Line { value, pv: Vec::new() }], outcomes)
            }
        };
        let (best, value) = (lines[0].first().copied(), lines[0].value);
        let time = start.elapsed();
        let last = Iteration { depth, seldepth: depth, lines, nodes: counters.nodes, hashfull, time, exact: true };
        Verdict { best, last: Some(last), outcomes, value, counters, time }
    }
}

/// More positions than can come of one with so many empty cells: all ways to fill them in turn.
fn most_positions(empty: usize) -> u64 {
    let choose = |n: usize, k: usize| (0..k).fold(1_u64, |ways, i| ways * (n - i) as u64 / (i as u64 + 1));
    let layer = |checkers: usize| choose(empty, checkers) * choose(checkers, checkers / 2);
    (0..=empty).map(layer).sum()
}

/// A number of a sweep as the side to move sees it.
fn for_mover(side: Side, number: i32) -> Value {
    value(if side == Side::Blue { number } else { -number })
}

/// The legal cells with a roll and what they are worth, best first.
fn moves_by_value(setup: &Setup, truth: &impl Truth, roll: usize) -> Vec<(usize, Value)> {
    let size = setup.shape.size();
    let legal = bits(setup.empty()).filter(|&cell| line_of(size, setup.side, cell) == roll);
    let worth = |cell| for_mover(setup.side, truth.number(&setup.after(cell)).unwrap_or_default());
    let mut moves: Vec<(usize, Value)> = legal.map(|cell| (cell, worth(cell))).collect();
    moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    moves
}

/// Expected play from a position before its roll, as far as the truth is known.
fn expected_play(mut setup: Setup, truth: &impl Truth) -> Vec<Step<usize>> {
    let mut play = Vec::new();
    while [Side::Blue, Side::Red].iter().all(|&side| !setup.has_won(side)) {
        let known = bits(setup.empty()).all(|cell| truth.number(&setup.after(cell)).is_some());
        let (true, Some(number)) = (known, truth.number(&setup)) else { break };
        let expected = for_mover(setup.side, number);
        let best = |roll: usize| moves_by_value(&setup, truth, roll).first().copied().map(|best| (roll, best));
        let rolls = (0..setup.shape.size()).filter_map(best);
        let Some((roll, (cell, _))) = rolls.min_by_key(|(_, (_, value))| value.raw().abs_diff(expected.raw())) else {
            break;
        };
        play.extend([Step::Outcome(roll as u8), Step::Move(cell)]);
        setup = setup.after(cell);
    }
    play
}

/// A sweep under way.
struct Sweeping<'a> {
    start: Instant,
    deadline: Option<Instant>,
    /// Nodes of the search before.
    nodes: u64,
    pulsed: Instant,
    /// Positions swept.
    done: u64,
    handler: &'a mut dyn FnMut(Report<Move>),
}

impl Sweeping<'_> {
    /// Sweep, unless there is a stop, the time is up, or it will be before the end.
    fn solve(&mut self, setup: Setup, threads: usize, stop: &Stop) -> Option<Solved> {
        let began = Instant::now();
        let hopeless = std::sync::atomic::AtomicBool::new(false);
        let deadline = self.deadline;
        let over = || {
            stop.pulled()
                || hopeless.load(std::sync::atomic::Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let mut progress = |progress: Progress| {
            self.done = progress.done;
            self.pulse();
            if self.is_hopeless(began, progress) {
                hopeless.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        Solved::new(DiceSweep::new(setup), &mut Pace { threads, stop: &over, progress: &mut progress })
    }

    fn pulse(&mut self) {
        if self.pulsed.elapsed() >= PULSE {
            self.pulsed = Instant::now();
            (self.handler)(Report::Progress { nodes: self.nodes + self.done, time: self.start.elapsed() });
        }
    }

    /// Whether, after a fair try, the end is much further off than the deadline.
    fn is_hopeless(&self, began: Instant, progress: Progress) -> bool {
        let Some(deadline) = self.deadline else { return false };
        let (spent, left) = (began.elapsed(), deadline.saturating_duration_since(Instant::now()));
        let tried = spent > (spent + left) / 5;
        let needed = spent.as_secs_f64() / progress.done.max(1) as f64 * (progress.total - progress.done) as f64;
        tried && needed > 1.5 * left.as_secs_f64()
    }
}
