//! The board for people: coordinates, checkers, the die and the cells it allows.

use std::fmt::Write;

use crate::game::dice::{Cell, Position, Side, Status};

/// A drawing of the position; in colour for a terminal.
pub fn draw(position: &Position, colour: bool) -> String {
    let size = position.shape().size() as u8;
    let legal: Vec<Cell> = position.legal_cells().collect();
    let marked = |side: Side, line: u8| !legal.is_empty() && position.side() == side && position.roll() == Some(line);
    let marks: String = (0..size).map(|col| if marked(Side::Red, col) { " v" } else { "  " }).collect();
    let letters: String = (0..size).flat_map(|col| [' ', char::from(b'a' + col)]).collect();
    let mut text = format!("{}\n{}\n     {letters}", headline(position), format!("     {marks}").trim_end());
    for row in 0..size {
        let mark = if marked(Side::Blue, row) { '>' } else { ' ' };
        let _ = write!(text, "\n {mark}{:>2} ", row + 1);
        for col in 0..size {
            let cell = Cell { row, col };
            text.push(' ');
            text.push_str(symbol(position.at(cell), legal.contains(&cell), colour));
        }
    }
    let _ = write!(text, "\n\ndpn {}", position.dpn());
    text
}

fn symbol(owner: Option<Side>, legal: bool, colour: bool) -> &'static str {
    match (owner, legal, colour) {
        (Some(Side::Blue), _, true) => "\x1b[1;34mb\x1b[0m",
        (Some(Side::Red), _, true) => "\x1b[1;31mr\x1b[0m",
        (None, true, true) => "\x1b[1;32m*\x1b[0m",
        (Some(Side::Blue), _, false) => "b",
        (Some(Side::Red), _, false) => "r",
        (None, true, false) => "*",
        (None, false, _) => ".",
    }
}

fn headline(position: &Position) -> String {
    let shape = position.shape();
    let board = format!("{size}x{size}, {} in a row win", shape.win(), size = shape.size());
    let side = position.side();
    match (position.status(), position.roll()) {
        (Status::Playing, None) => format!("{board}; {side} to roll"),
        (Status::Playing, Some(roll)) if side == Side::Blue => {
            format!("{board}; blue to move, roll {roll}: row {}", roll + 1)
        }
        (Status::Playing, Some(roll)) => {
            format!("{board}; red to move, roll {roll}: column {}", char::from(b'a' + roll))
        }
        (status, _) => format!("{board}; game over: {status}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_die_and_the_legal_cells_are_shown() {
        let position = Position::from_dpn("3 3 r 1 - b - - - - - - -").unwrap();
        let expected = "3x3, 3 in a row win; red to move, roll 1: column b\n        v\n      a b c\n   1  . b .\n   2  . * .\n   3  . * .\n\n\
                        dpn 3 3 r 1 - b - - - - - - -";
        assert_eq!(draw(&position, false), expected);
        let position = Position::from_dpn("3 3 b 0 - b - r - - - - -").unwrap();
        assert!(draw(&position, false).contains("\n > 1  * b *\n   2  r . .\n"));
    }

    #[test]
    fn colour_is_for_terminals() {
        let position = Position::from_dpn("3 3 b 0 - b - r - - - - -").unwrap();
        assert!(!draw(&position, false).contains('\x1b'));
        assert_eq!(draw(&position, true).matches("\x1b[1;").count(), 4);
    }

    #[test]
    fn finished_games_say_so() {
        let position = Position::from_dpn("3 3 r 2 b b b r r - - - -").unwrap();
        let text = draw(&position, false);
        assert!(text.contains("game over: blue wins") && !text.contains('*') && !text.contains(" v"), "{text}");
    }
}
