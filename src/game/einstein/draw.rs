//! The board for people: coordinates, cubes, the die and the cubes that it lets move.

use super::cubes::Cube;
use super::{Position, SIZE, name};
use crate::game::Player;
use std::fmt::Write;

/// A drawing of the position, cubes that may move in brackets; in colour for a terminal.
pub fn draw(position: &Position, colour: bool, last: Option<&str>) -> String {
    let mut text = format!("{}\n\n      a  b  c  d  e", headline(position));
    for row in 0..SIZE as u8 {
        let _ = write!(text, "\n   {} ", row + 1);
        for col in 0..SIZE as u8 {
            text.push_str(&symbol(position, row * SIZE as u8 + col, colour));
        }
        text.truncate(text.trim_end().len());
    }
    text.push('\n');
    if let Some(ply) = last {
        let _ = write!(text, "\nlast move {ply}");
    }
    let _ = write!(text, "\nfen {}", position.fen());
    text
}

fn may_move(position: &Position, cube: Cube) -> bool {
    cube.owner == position.mover() && position.movable() & 1 << (cube.number - 1) != 0
}

fn symbol(position: &Position, cell: u8, colour: bool) -> String {
    let Some(cube) = position.cube_at(cell) else { return " . ".into() };
    let (paint, plain) = match (colour, cube.owner) {
        (false, _) => ("", ""),
        (true, Player::First) => ("\x1b[1;34m", "\x1b[0m"),
        (true, Player::Second) => ("\x1b[1;31m", "\x1b[0m"),
    };
    let (left, right) = if may_move(position, cube) { ('[', ']') } else { (' ', ' ') };
    format!("{left}{paint}{}{plain}{right}", cube.letter())
}

fn headline(position: &Position) -> String {
    let mover = name(position.mover());
    match (position.winner(), position.die()) {
        (Some(winner), _) => format!("5x5, six cubes a side; game over: {} wins", name(winner)),
        (None, None) => format!("5x5, six cubes a side; {mover} to roll"),
        (None, Some(roll)) => {
            let cubes = (1..=6).map(|number| Cube { owner: position.mover(), number });
            let movable: Vec<String> =
                cubes.filter(|&cube| may_move(position, cube)).map(|cube| cube.letter().to_string()).collect();
            format!("5x5, six cubes a side; {mover} to move, roll {roll}: cube {}", movable.join(" or "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(&fen.split(' ').collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_die_and_the_cubes_it_moves_are_shown() {
        let text = "5x5, six cubes a side; blue to move, roll 3: cube 2 or 6\n\n      a  b  c  d  e\n   1  1 [2] .  .  .\n   2  .  .  .  .  .\n   3 [6] .  .  .  F\n\
                    \x20  4  .  .  .  E  D\n   5  .  .  .  .  A\n\nfen 12.../...../6...F/...ED/....A b 3";
        assert_eq!(draw(&position("12.../...../6...F/...ED/....A b 3"), false, None), text);
    }

    #[test]
    fn headlines_say_what_is_next() {
        let cases = [
            ("1..../...../...../...../....A r -", "red to roll"),
            ("1..../...../...../...../.F..A r 2", "red to move, roll 2: cube A or F"),
            ("...../...../..A../...../....1 r 2", "game over: blue wins"),
        ];
        for (fen, words) in cases {
            let text = draw(&position(fen), false, None);
            assert!(text.lines().next().unwrap().ends_with(words), "{text}");
        }
        assert!(!draw(&position(cases[2].0), false, None).contains('['));
    }

    #[test]
    fn colour_is_for_terminals() {
        let position = position("12.../...../...../...../....A b 2");
        assert!(!draw(&position, false, None).contains('\x1b'));
        assert_eq!(draw(&position, true, None).matches("\x1b[1;").count(), 3);
    }
}
