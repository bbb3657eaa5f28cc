//! Nodes a second and time to depth on boards of every size, from positions in mid game: StarETC, one thread.

use crate::cli::Effort;
use crate::positions::mid_game;
use crate::progress::Progress;
use crate::race::{self, Entrant, Summary};
use crate::table::Table;
use alea::eval::dice::DiceEvaluator;
use alea::game::dice::{Position, Shape};
use alea::search::Settings;
use serde::Serialize;

/// Size, win length, depth, and the seconds that a search may take.
const DEPTHS: [(usize, usize, u32, f64); 11] = [
    (5, 4, 13, 0.11),
    (7, 4, 9, 0.04),
    (9, 4, 7, 0.01),
    (9, 6, 7, 0.01),
    (9, 8, 7, 0.005),
    (13, 4, 5, 0.005),
    (13, 6, 5, 0.006),
    (13, 8, 5, 0.004),
    (17, 4, 5, 0.02),
    (17, 6, 5, 0.01),
    (17, 8, 5, 0.01),
];

/// The figures of every shape.
#[derive(Serialize)]
pub struct Shapes {
    rows: Vec<Summary>,
}

/// What is searched of one shape.
struct Field {
    shape: Shape,
    positions: Vec<Position>,
    depth: u32,
    expected: f64,
}

impl Field {
    fn entrant(&self) -> Entrant<'_> {
        Entrant {
            name: format!("{} to depth {}", self.shape, self.depth),
            positions: &self.positions,
            evaluator: DiceEvaluator::for_shape(self.shape),
            settings: Settings::default(),
            depth: self.depth,
            at_once: 1,
            expected: self.expected,
        }
    }
}

/// About how many seconds it takes.
pub fn cost(effort: &Effort) -> f64 {
    DEPTHS.iter().map(|(.., seconds)| seconds * (effort.positions * effort.rounds) as f64).sum()
}

/// Race the shapes, and print what comes of it.
pub fn measure(effort: &Effort, progress: &Progress, errors: &mut Vec<String>) -> Result<Shapes, String> {
    let field = |&(size, win, depth, expected)| {
        let shape = Shape::new(size, win)?;
        Some(Field { shape, positions: mid_game(shape, effort.positions), depth: effort.depth(depth), expected })
    };
    let fields: Vec<Field> = DEPTHS.iter().filter_map(field).collect();
    let entrants: Vec<Entrant<'_>> = fields.iter().map(Field::entrant).collect();
    let records = race::race(&entrants, effort.rounds, progress)?;
    for (record, entrant) in records.iter().zip(&entrants) {
        errors.extend(race::disagreements(std::slice::from_ref(record), entrant.positions, entrant.depth));
    }
    let shapes = Shapes { rows: records.iter().map(race::Record::summary).collect() };
    progress.print(&shapes.text());
    Ok(shapes)
}

impl Shapes {
    /// For people.
    fn text(&self) -> String {
        let positions = self.rows.first().map_or(0, |row| row.positions);
        let title =
            format!("By shape: StarETC, one thread, {} MB, positions in mid game: {positions} each", race::TABLE);
        let mut table = Table::new(title, Summary::COLUMNS);
        self.rows.iter().for_each(|row| table.row(row.cells()));
        table.text("cpu: the share of the time in which the search had a processor; M nodes/cpu s: counting only that")
    }
}
