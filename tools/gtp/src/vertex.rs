//! Cells as the Go Text Protocol names them: the letter I is left out, and rows count from the bottom, where ours count
//! from the top.

use alea::game::dice::{Cell, Shape, Side};

/// The letters of columns.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The name of a cell.
pub fn name(cell: Cell, shape: Shape) -> String {
    format!("{}{}", char::from(LETTERS[usize::from(cell.col)]), shape.size() - usize::from(cell.row))
}

/// The names of cells, one after the other.
pub fn names(cells: impl IntoIterator<Item = Cell>, shape: Shape) -> String {
    let names: Vec<String> = cells.into_iter().map(|cell| name(cell, shape)).collect();
    names.join(" ")
}

/// The cell of a name, if the board has it.
pub fn parse(text: &str, shape: Shape) -> Option<Cell> {
    let letter = text.bytes().next()?.to_ascii_uppercase();
    let col = LETTERS.iter().position(|known| *known == letter)?;
    let digits = &text[1..];
    let row: usize = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let size = shape.size();
    (col < size && (1..=size).contains(&row)).then(|| Cell { row: (size - row) as u8, col: col as u8 })
}

/// The side of a colour. Black moves first.
pub fn side(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::Blue),
        "w" | "white" => Some(Side::Red),
        _ => None,
    }
}

/// What the colour of a side is called.
pub fn colour(side: Side) -> &'static str {
    match side {
        Side::Blue => "black",
        Side::Red => "white",
    }
}

/// The line of a roll, as the board's edge is labelled.
pub fn line(side: Side, roll: u8, shape: Shape) -> String {
    match side {
        Side::Blue => format!("row {}", shape.size() - usize::from(roll)),
        Side::Red => format!("column {}", char::from(LETTERS[usize::from(roll)])),
    }
}

/// The roll that brings a cell to a side.
pub fn roll_of(cell: Cell, side: Side) -> u8 {
    match side {
        Side::Blue => cell.row,
        Side::Red => cell.col,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_on_every_board() {
        for size in 3..=17 {
            let shape = Shape::new(size, 3).unwrap();
            for row in 0..size as u8 {
                for col in 0..size as u8 {
                    let cell = Cell { row, col };
                    let text = name(cell, shape);
                    assert!(!text.starts_with('I'));
                    assert_eq!(parse(&text, shape), Some(cell));
                    assert_eq!(parse(&text.to_lowercase(), shape), Some(cell));
                }
            }
        }
    }

    #[test]
    fn rows_count_from_the_bottom_and_there_is_no_i() {
        let shape = Shape::new(9, 4).unwrap();
        let cases = [("A9", Some((0, 0))), ("J1", Some((8, 8))), ("H1", Some((8, 7))), ("I1", None), ("A0", None)];
        for (text, cell) in cases {
            assert_eq!(parse(text, shape), cell.map(|(row, col)| Cell { row, col }), "{text}");
        }
        for text in ["", "A", "A10", "K1", "A+1", "1A", "pass", "Ä1", "A1 ", "A99999999999999999999"] {
            assert_eq!(parse(text, shape), None, "{text}");
        }
        assert_eq!((line(Side::Blue, 0, shape), line(Side::Red, 8, shape)), ("row 9".into(), "column J".into()));
    }
}
