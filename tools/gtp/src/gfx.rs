//! What GoGui draws on its board: lines of its `gfx` commands.

use crate::game::Game;
use crate::vertex;
use alea::game::dice::{Cell, Side, Status};

/// The legal line.
const TINT: &str = "#f0d060";

/// Dice as people know them.
const FACES: [&str; 6] = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

/// What a side is called; on GoGui's board blue has the black stones.
fn player(side: Side) -> &'static str {
    match side {
        Side::Blue => "Black",
        Side::Red => "White",
    }
}

/// The face of a die: the first line is one pip. Boards of more lines than a die has faces, and terminals without such
/// letters, have numbers.
pub fn face(game: &Game, roll: u8, ascii: bool) -> String {
    match FACES.get(usize::from(roll)) {
        Some(face) if !ascii && game.shape().size() <= FACES.len() => (*face).to_string(),
        _ => roll.to_string(),
    }
}

/// The board while it is played on: the legal line tinted, a die on each legal cell, and in words who rolled what; when
/// the game is over, the winning line.
pub fn board(game: &Game, ascii: bool) -> String {
    let (shape, rolled) = (game.shape(), game.rolled());
    let Some(roll) = rolled.roll() else {
        let winning = vertex::names(rolled.winning_cells(), shape);
        let square =
            if winning.is_empty() { String::new() } else { format!("COLOR {TINT} {winning}\nSQUARE {winning}\n") };
        return format!("{square}TEXT {}", result(game));
    };
    let face = face(game, roll, ascii);
    let legal: Vec<Cell> = rolled.legal_cells().collect();
    let labels: Vec<String> = legal.iter().map(|cell| format!("{} {face}", vertex::name(*cell, shape))).collect();
    format!(
        "COLOR {TINT} {}\nLABEL {}\nTEXT {}",
        vertex::names(legal, shape),
        labels.join(" "),
        status(game, roll, ascii)
    )
}

/// Who rolled what.
pub fn status(game: &Game, roll: u8, ascii: bool) -> String {
    let side = game.side();
    let face = face(game, roll, ascii);
    let number = if face == roll.to_string() { String::new() } else { format!(" (roll {roll})") };
    format!("{} rolled {face}{number}: {}", player(side), vertex::line(side, roll, game.shape()))
}

/// How the game stands, in words.
pub fn result(game: &Game) -> String {
    match game.position().status() {
        Status::Playing => "The game is not over.".into(),
        Status::Won(side) => format!("{} wins: {} in a row.", player(side), game.shape().win()),
        Status::Drawn => "A draw: the board is full.".into(),
    }
}

/// A value for people: `+0.123`.
pub fn value(value: f64) -> String {
    format!("{value:+.3}")
}

/// Cells with their values, from orange for the worst to blue for the best, and each value in hundredths.
pub fn heat(cells: &[(Cell, f64)], game: &Game) -> String {
    let values = cells.iter().map(|(_, value)| *value);
    let (worst, best) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
    let mut text = String::new();
    let mut cells = cells.to_vec();
    cells.sort_by_key(|(cell, _)| (cell.row, cell.col));
    for (cell, value) in &cells {
        let part = if best > worst { (value - worst) / (best - worst) } else { 1.0 };
        let name = vertex::name(*cell, game.shape());
        text.push_str(&format!("COLOR {} {name}\nLABEL {name} {:+.0}\n", shade(part), 100.0 * value));
    }
    text
}

/// A colour between orange (0) and blue (1) by way of white: people who see no green tell them apart as well.
fn shade(part: f64) -> String {
    const ENDS: [[f64; 3]; 3] = [[230.0, 140.0, 50.0], [250.0, 250.0, 245.0], [90.0, 160.0, 230.0]];
    let (from, to, share) = if part < 0.5 { (0, 1, 2.0 * part) } else { (1, 2, 2.0 * part - 1.0) };
    let mix = |i: usize| (ENDS[from][i] + (ENDS[to][i] - ENDS[from][i]) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_run_from_orange_over_white_to_blue() {
        let shades = [0.0, 0.5, 1.0].map(shade);
        assert_eq!(shades, ["#e68c32", "#fafaf5", "#5aa0e6"]);
    }
}
