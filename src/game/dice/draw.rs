//! The board for people: coordinates, checkers, the die and the cells it allows.

use std::fmt::Write;

use super::{Cell, Position, Side, Status, parse_cell};

/// A drawing of the position; in colour for a terminal. The last move and a winning line are written in capitals.
pub fn draw(position: &Position, colour: bool, last: Option<&str>) -> String {
    let size = position.shape().size() as u8;
    let legal: Vec<Cell> = position.legal_cells().collect();
    let winning: Vec<Cell> = position.winning_cells().collect();
    let played = last.and_then(|ply| parse_cell(ply.split_once(':').map_or(ply, |(_, cell)| cell)));
    let marked = |side: Side, line: u8| !legal.is_empty() && position.side() == side && position.roll() == Some(line);
    let marks: String = (0..size).map(|col| if marked(Side::Red, col) { " v" } else { "  " }).collect();
    let letters: String = (0..size).flat_map(|col| [' ', char::from(b'a' + col)]).collect();
    let mut text = format!("{}\n{}\n     {letters}", headline(position), format!("     {marks}").trim_end());
    for row in 0..size {
        let mark = if marked(Side::Blue, row) { '>' } else { ' ' };
        let _ = write!(text, "\n {mark}{:>2} ", row + 1);
        for col in 0..size {
            let cell = Cell { row, col };
            let strong = played == Some(cell) || winning.contains(&cell);
            text.push(' ');
            text.push_str(&symbol(position.at(cell), legal.contains(&cell), strong, colour));
        }
    }
    text.push('\n');
    if let Some(ply) = last {
        let _ = write!(text, "\nlast move {ply}");
    }
    if !winning.is_empty() {
        let cells: Vec<String> = winning.iter().map(Cell::to_string).collect();
        let _ = write!(text, "\nwinning line {}", cells.join(" "));
    }
    let _ = write!(text, "\ndpn {}", position.dpn());
    text
}

fn symbol(owner: Option<Side>, legal: bool, strong: bool, colour: bool) -> String {
    let letter = owner.map_or(if legal { '*' } else { '.' }, Side::letter);
    let letter = if strong { letter.to_ascii_uppercase() } else { letter };
    let code = match owner {
        Some(Side::Blue) => 34,
        Some(Side::Red) => 31,
        None if legal => 32,
        None => return letter.into(),
    };
    if colour { format!("\x1b[1;{code}m{letter}\x1b[0m") } else { letter.into() }
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
        assert_eq!(draw(&position, false, None), expected);
        let position = Position::from_dpn("3 3 b 0 - b - r - - - - -").unwrap();
        assert!(draw(&position, false, None).contains("\n > 1  * b *\n   2  r . .\n"));
    }

    #[test]
    fn colour_is_for_terminals() {
        let position = Position::from_dpn("3 3 b 0 - b - r - - - - -").unwrap();
        assert!(!draw(&position, false, None).contains('\x1b'));
        assert_eq!(draw(&position, true, None).matches("\x1b[1;").count(), 4);
    }

    #[test]
    fn finished_games_say_so() {
        let position = Position::from_dpn("3 3 r 2 b b b r r - - - -").unwrap();
        let text = draw(&position, false, None);
        assert!(text.contains("game over: blue wins") && !text.contains('*') && !text.contains(" v"), "{text}");
    }
    #[test]
    fn the_last_move_and_the_winning_line_stand_out() {
        let position = Position::from_dpn("3 3 r -1 b b b r r - - - -").unwrap();
        let text = draw(&position, false, Some("0:b1"));
        assert!(text.contains("\n   1  B B B\n   2  r r .\n"), "{text}");
        assert!(text.contains("\nlast move 0:b1\nwinning line a1 b1 c1\ndpn 3 3 r"), "{text}");
        let position = Position::from_dpn("3 3 b -1 b - - r - - - - -").unwrap();
        assert!(draw(&position, false, Some("0:a2")).contains("\n   1  b . .\n   2  R . .\n"));
    }
}
