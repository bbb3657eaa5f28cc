//! The board for people: coordinates, pieces as letters or as Chinese characters, and what is still face down.

use super::geometry::bit;
use super::{COLUMNS, Colour, GRID, Piece, Position, ROWS, Rank, Status};
use std::fmt::Write;

/// A drawing of the position, in colour for a terminal; with `chinese`, in characters that are two columns wide.
pub fn draw(position: &Position, colour: bool, chinese: bool, last: Option<&str>) -> String {
    let letters = if chinese { "  a  b  c  d" } else { " a b c d" };
    let mut text = format!("{}\n\n     {letters}", headline(position));
    for row in 0..ROWS as u8 {
        let _ = write!(text, "\n   {} ", row + 1);
        for col in 0..COLUMNS as u8 {
            text.push(' ');
            text.push_str(&symbol(position, row * COLUMNS as u8 + col, colour, chinese));
        }
    }
    let pool = position.pool_letters();
    let _ = write!(text, "\n\nface down: {}", if pool.is_empty() { "none" } else { &pool });
    if let Some(ply) = last {
        let _ = write!(text, "\nlast move {ply}");
    }
    let _ = write!(text, "\nfen {}", position.fen());
    text
}

fn symbol(position: &Position, cell: u8, colour: bool, chinese: bool) -> String {
    let Some(piece) = position.piece_at(cell) else {
        let face_down = position.face_down() & bit(cell) != 0;
        let symbol = match (face_down, position.pending() == Some(cell), chinese) {
            (_, true, false) => "?",
            (_, true, true) => "？",
            (true, _, false) => "X",
            (true, _, true) => "Ｘ",
            (false, _, false) => ".",
            (false, _, true) => "．",
        };
        return symbol.into();
    };
    let symbol = if chinese { character(piece) } else { piece.letter() };
    match (colour, piece.colour) {
        (false, _) => symbol.to_string(),
        (true, Colour::Red) => format!("\x1b[1;31m{symbol}\x1b[0m"),
        (true, Colour::Black) => format!("\x1b[1;34m{symbol}\x1b[0m"),
    }
}

/// What is written on the piece.
const fn character(piece: Piece) -> char {
    let (red, black) = match piece.rank {
        Rank::King => ('帥', '將'),
        Rank::Guard => ('仕', '士'),
        Rank::Minister => ('相', '象'),
        Rank::Rook => ('俥', '車'),
        Rank::Knight => ('傌', '馬'),
        Rank::Cannon => ('炮', '砲'),
        Rank::Pawn => ('兵', '卒'),
    };
    match piece.colour {
        Colour::Red => red,
        Colour::Black => black,
    }
}

fn headline(position: &Position) -> String {
    let mover = position.name(position.mover());
    let next = match (position.status(), position.pending()) {
        (Status::Won(winner), _) => format!("game over: {} wins", position.name(winner)),
        (Status::Drawn, _) => "game over: draw".into(),
        (Status::Playing, Some(cell)) => format!("{mover} flips {}", GRID.name(cell)),
        (Status::Playing, None) => format!("{mover} to move"),
    };
    match position.plies() {
        0 => format!("4x8, dark chess; {next}"),
        plies => format!("4x8, dark chess, {plies} plies without a flip or a capture; {next}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn pieces_are_letters_or_characters() {
        let fen = "KXX./..p./..../..../..../..../..../c... b 7 Np b1";
        let letters = "4x8, dark chess, 7 plies without a flip or a capture; black flips b1\n\n      a b c d\n   1  K ? X .\n   2  . . p .\n   3  . . . .\n\
                       \x20  4  . . . .\n   5  . . . .\n   6  . . . .\n   7  . . . .\n   8  c . . .\n\nface down: Np\nfen KXX./..p./..../..../..../..../..../c... b 7 Np b1";
        assert_eq!(draw(&position(fen), false, false, None), letters);
        let characters = draw(&position(fen), false, true, None);
        assert!(characters.contains("\n       a  b  c  d\n   1  帥 ？ Ｘ ．\n   2  ． ． 卒 ．\n"), "{characters}");
        assert!(characters.contains("\n   8  砲 ． ． ．\n"), "{characters}");
    }

    #[test]
    fn every_piece_has_a_character_of_its_own() {
        let characters: std::collections::HashSet<char> = (0..14).filter_map(Piece::from_id).map(character).collect();
        assert_eq!(characters.len(), 14);
    }

    #[test]
    fn headlines_say_what_is_next() {
        let cases = [
            (Position::default(), "4x8, dark chess; the first player to move"),
            (position("K..k/..../..../..../..../..../..../.... r 0 -"), "4x8, dark chess; red to move"),
            (position("K.../..../..../..../..../..../..../.... b 0 -"), "4x8, dark chess; game over: red wins"),
            (
                position("K..k/..../..../..../..../..../..../.... b 50 -"),
                "4x8, dark chess, 50 plies without a flip or a capture; game over: draw",
            ),
        ];
        for (position, headline) in cases {
            assert_eq!(draw(&position, false, false, None).lines().next(), Some(headline));
        }
    }

    #[test]
    fn colour_is_for_terminals() {
        let position = position("K..k/P.../..../..../..../..../..../.... r 0 -");
        assert!(!draw(&position, false, true, None).contains('\x1b'));
        assert_eq!(draw(&position, true, false, None).matches("\x1b[1;").count(), 3);
    }
}
