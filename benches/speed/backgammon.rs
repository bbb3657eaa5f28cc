//! Backgammon beside Dice, in the same rounds: nodes a second and time to depth from rolled positions in mid game, and the
//! evaluator alone.

use crate::cli::Effort;
use crate::numbers::{Spread, figure};
use crate::os::processor_seconds;
use crate::positions::mid_game;
use crate::progress::Progress;
use crate::race::TABLE;
use crate::table::Table;
use alea::eval::backgammon::BackgammonEvaluator;
use alea::eval::{ChildEvaluator, Evaluated, Evaluator, best_at_sight};
use alea::game::backgammon::{Move, Position};
use alea::game::dice::Shape;
use alea::game::{Game, Kind, Notation, Shortcuts, Step};
use alea::search::{Limits, Searched, Searcher, Settings, Stop};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// What is searched: a name, a depth, and the seconds that a search may take.
const FIELDS: [(&str, u32, f64); 3] = [("5/4", 13, 0.11), ("backgammon", 3, 0.002), ("backgammon", 5, 0.3)];
/// Games that positions are taken from: the one in the middle of each.
const GAMES: usize = 16;

/// The figures of one field.
#[derive(Serialize)]
struct Row {
    name: String,
    positions: usize,
    /// Processor time a position where that can be told, else time.
    milliseconds: Spread,
    mean_nodes: f64,
    nodes_per_second: Spread,
}

/// The figures of backgammon.
#[derive(Serialize)]
pub struct Backgammon {
    rows: Vec<Row>,
    /// Children evaluated a second, all of a node one after the other.
    children: Spread,
}

/// The middle position of each of some games that the evaluation plays against itself, rolled: always the same ones.
fn positions(count: usize) -> Vec<Position> {
    let evaluator = Position::opening().best_evaluator();
    (0..count as u64).map(|seed| middle(&evaluator, seed)).collect()
}

fn middle(evaluator: &BackgammonEvaluator, seed: u64) -> Position {
    let mut rolled = Vec::new();
    let mut game = Position::opening();
    loop {
        let step = match game.kind() {
            Kind::Over(_) => return rolled[rolled.len() / 2],
            Kind::Chance => Step::Outcome(game.chance(seed, rolled.len() as u32).expect("a chance node has outcomes")),
            Kind::Decision => {
                rolled.push(game);
                Step::Move(best_at_sight(evaluator, &game, &evaluator.state(&game), &game.moves()))
            }
        };
        game = game.child(step);
    }
}

/// Seconds of processor time, or of time, that `work` takes.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (before, start) = (processor_seconds(), Instant::now());
    let result = work();
    let busy = processor_seconds().zip(before).map(|(after, before)| after - before);
    (result, busy.unwrap_or_else(|| start.elapsed().as_secs_f64()).max(1e-9))
}

/// Search every position from an empty table; nodes and seconds in all.
fn search_all<G: Searched>(games: &[G], evaluator: &G::Evaluator, depth: u32, searcher: &mut Searcher) -> (u64, f64) {
    let mut nodes = 0;
    let mut seconds = 0.0;
    for game in games {
        searcher.forget();
        let limits = Limits::to_depth(depth);
        let (verdict, taken) =
            timed(|| game.search(searcher, evaluator, &Settings::default(), &limits, &Stop::new(), &mut |_| ()));
        nodes += verdict.counters.nodes;
        seconds += taken;
    }
    (nodes, seconds)
}

/// About how many seconds it takes.
pub fn cost(effort: &Effort) -> f64 {
    FIELDS.iter().map(|(.., seconds)| seconds * (GAMES.div_ceil(effort.stride) * effort.rounds) as f64).sum()
}

/// Measure, and print what comes of it.
pub fn measure(effort: &Effort, progress: &Progress) -> Result<Backgammon, String> {
    let count = GAMES.div_ceil(effort.stride);
    let (dice, games) = (mid_game(Shape::default(), count), positions(count));
    let dice_evaluator = alea::eval::dice::DiceEvaluator::for_shape(Shape::default());
    let evaluator = Position::opening().best_evaluator();
    let mut searcher = Searcher::new(TABLE).map_err(|error| error.to_string())?;
    let mut runs: Vec<Vec<(u64, f64)>> = FIELDS.iter().map(|_| Vec::new()).collect();
    let mut children = Vec::new();
    for _ in 0..effort.rounds {
        for (&(name, depth, expected), runs) in FIELDS.iter().zip(&mut runs) {
            progress.name(&format!("{name} to depth {depth}"));
            let depth = effort.depth(depth);
            runs.push(match name {
                "5/4" => search_all(&dice, &dice_evaluator, depth, &mut searcher),
                _ => search_all(&games, &evaluator, depth, &mut searcher),
            });
            progress.advance(expected * count as f64);
        }
        children.push(children_a_second(&evaluator, &games));
    }
    let row = |name: &str, depth: u32, runs: &[(u64, f64)]| {
        let nodes = runs.first().map_or(0.0, |run| run.0 as f64);
        let seconds = Spread::of(runs.iter().map(|run| run.1));
        Row {
            name: format!("{name} to depth {}", effort.depth(depth)),
            positions: count,
            milliseconds: seconds.times(1e3 / count as f64),
            mean_nodes: nodes / count as f64,
            nodes_per_second: seconds.rate(nodes),
        }
    };
    let rows = FIELDS.iter().zip(&runs).map(|(&(name, depth, _), runs)| row(name, depth, runs)).collect();
    let backgammon = Backgammon { rows, children: Spread::of(children) };
    progress.print(&backgammon.text());
    Ok(backgammon)
}

/// How many children the evaluator takes in a second, all rolls of a node after each other.
fn children_a_second(evaluator: &BackgammonEvaluator, games: &[Position]) -> f64 {
    let nodes: Vec<(Position, _, Vec<Move>)> = games
        .iter()
        .filter(|game| game.is_quiet())
        .map(|game| {
            let before = game.without_roll();
            let moves = before.outcomes().flat_map(|roll| before.moves_after(roll.id).collect::<Vec<_>>()).collect();
            (before, evaluator.state(&before), moves)
        })
        .collect();
    let (done, seconds) = timed(|| {
        let mut done = 0;
        for (game, state, moves) in nodes.iter().cycle().take(8 * nodes.len()) {
            let children = evaluator.children(state, game);
            moves.iter().for_each(|&mv| {
                black_box(children.value_after(mv));
            });
            done += moves.len();
        }
        done
    });
    done as f64 / seconds
}

impl Backgammon {
    /// Nodes a second of backgammon to the greater depth over those of Dice.
    pub fn share_of_dice(&self) -> Option<f64> {
        let [dice, .., backgammon] = &self.rows[..] else { return None };
        Some(backgammon.nodes_per_second.median / dice.nodes_per_second.median)
    }

    /// Milliseconds a position to depths 3 and 5.
    pub fn milliseconds(&self) -> Option<[f64; 2]> {
        let [_, three, five] = &self.rows[..] else { return None };
        Some([three, five].map(|row| row.milliseconds.median))
    }

    /// For people.
    fn text(&self) -> String {
        let positions = self.rows.first().map_or(0, |row| row.positions);
        let title =
            format!("Backgammon beside Dice: StarETC, one thread, {TABLE} MB, positions in mid game: {positions} each");
        let mut table = Table::new(title, ["", "ms a position", "spread", "mean nodes", "M nodes/s"]);
        for row in &self.rows {
            let [time, spread] = row.milliseconds.cells();
            let speed = figure(row.nodes_per_second.median / 1e6);
            table.row([row.name.clone(), time, spread, format!("{:.0}", row.mean_nodes), speed]);
        }
        let alone = figure(self.children.median / 1e6);
        table.text(&format!(
            "processor time where the system tells it; backgammon's evaluator alone takes {alone} million children a second"
        ))
    }
}
