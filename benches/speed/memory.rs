//! RunningMax memory of the engine beyond its table, on boards of every size.

use crate::cli::Effort;
use crate::dialogue::ask;
use crate::engine::Engine;
use crate::numbers::figure;
use crate::os::peak_megabytes;
use crate::positions::mid_game;
use crate::progress::Progress;
use crate::table::Table;
use alea::eval::dice::nets;
use alea::game::dice::{Position, Shape};
use serde::Serialize;

/// What the process may take beyond Hash, in MB.
pub const ALLOWED: f64 = 32.0;

/// Sizes of the table, in MB. The smallest is sure to be full in the time; of a large one, parts may never be touched.
const TABLES: [usize; 3] = [1, 16, 64];

/// Shapes that have no network: the most windows, and the longest.
const OTHERS: [(usize, usize); 2] = [(17, 3), (17, 17)];

/// Seconds that a process takes beside its search.
const OVERHEAD: f64 = 0.05;

/// RunningMax memory of every shape.
#[derive(Serialize)]
pub struct Memory {
    tables_mb: [usize; TABLES.len()],
    rows: Vec<Row>,
}

/// RunningMax memory of a shape.
#[derive(Serialize)]
struct Row {
    shape: String,
    /// Beyond Hash, for each size of the table; nothing where the system does not tell.
    beyond_hash_mb: [Option<f64>; TABLES.len()],
}

fn shapes() -> impl Iterator<Item = Shape> {
    nets::shapes().chain(OTHERS.iter().filter_map(|&(size, win)| Shape::new(size, win)))
}

/// About how many seconds it takes.
pub fn cost(effort: &Effort) -> f64 {
    shapes().count() as f64 * shape_cost(effort)
}

fn shape_cost(effort: &Effort) -> f64 {
    TABLES.len() as f64 * (effort.memory_search.as_secs_f64() + OVERHEAD)
}

/// Measure every shape, print what comes of it, and complain of those that take too much.
pub fn measure(effort: &Effort, progress: &Progress, errors: &mut Vec<String>) -> Result<Memory, String> {
    let mut memory = Memory { tables_mb: TABLES, rows: Vec::new() };
    for shape in shapes() {
        progress.name(&format!("memory of {shape}"));
        let Some(position) = mid_game(shape, 1).pop() else { continue };
        let mut beyond_hash_mb = [None; TABLES.len()];
        for (hash, beyond) in TABLES.into_iter().zip(&mut beyond_hash_mb) {
            *beyond = peak(&position, hash, effort)?.map(|peak| peak - hash as f64);
        }
        memory.rows.push(Row { shape: shape.to_string(), beyond_hash_mb });
        progress.advance(shape_cost(effort));
    }
    for row in &memory.rows {
        for (hash, beyond) in TABLES.iter().zip(row.beyond_hash_mb) {
            if let Some(beyond) = beyond.filter(|&beyond| beyond > ALLOWED) {
                errors.push(format!("{} with Hash {hash} took {beyond:.1} MB more, over {ALLOWED} MB", row.shape));
            }
        }
    }
    progress.print(&memory.text());
    Ok(memory)
}

/// RunningMax memory of an engine that searches a position in mid game on two threads, in MB.
fn peak(position: &Position, hash: usize, effort: &Effort) -> Result<Option<f64>, String> {
    let mut engine = Engine::start();
    let search = format!(
        "setoption name Hash value {hash}\nsetoption name Threads value 2\nposition dpn {}\ngo movetime {}",
        position.dpn(),
        effort.memory_search.as_millis()
    );
    ask(&mut engine, &search, "bestmove")?;
    let peak = peak_megabytes(engine.pid());
    engine.send("quit");
    Ok(peak)
}

impl Memory {
    /// The most that any shape takes beyond Hash, in MB, if that is known.
    pub fn worst(&self) -> Option<f64> {
        self.rows.iter().flat_map(|row| row.beyond_hash_mb).flatten().reduce(f64::max)
    }

    /// For people.
    fn text(&self) -> String {
        let title = "Memory: peak beyond Hash, in MB, of a search in mid game on two threads";
        let header = TABLES.map(|hash| format!("Hash {hash}"));
        let mut table = Table::new(title, ["", &header[0], &header[1], &header[2]]);
        for row in &self.rows {
            let cell = |beyond: Option<f64>| beyond.map_or("-".into(), figure);
            table.row([row.shape.clone()].into_iter().chain(row.beyond_hash_mb.map(cell)));
        }
        let least = self.rows.iter().flat_map(|row| row.beyond_hash_mb).flatten().reduce(f64::min);
        table.text(match least {
            None => "not measured on this system",
            Some(least) if least < 0.0 => "less than nothing: not all of the table was touched",
            Some(_) => "",
        })
    }
}
