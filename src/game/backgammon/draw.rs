//! The board for people, with the mover's home at the lower right.

use super::writing::place_name;
use super::{BAR, OFF, Position, name};
use crate::game::Player;
use std::fmt::Write;

/// How many checkers of a point are drawn before a number stands for them.
const HEIGHT: usize = 5;

impl Position {
    /// A drawing of the position, its points numbered from the mover's side; in colour for a terminal.
    pub fn draw(&self, colour: bool, last: Option<&str>) -> String {
        let mut text = format!("{}\n\n", self.headline());
        self.half(&mut text, Half::Upper, colour);
        text.push_str(" |                  |BAR|                  |\n");
        self.half(&mut text, Half::Lower, colour);
        for player in [self.mover().other(), self.mover()] {
            let off = self.checkers(player)[usize::from(OFF)];
            let pips = self.pips(player);
            let _ = write!(text, "\n {} {}: {off} {}, {pips} pips", letter(player), name(player), place_name(OFF));
        }
        text.push('\n');
        if let Some(ply) = last {
            let _ = write!(text, "\nlast move {ply}");
        }
        let _ = write!(text, "\nxgid {}\ngnubgid {}", self.xgid(), self.gnubg_id());
        text
    }

    fn headline(&self) -> String {
        let mover = format!("{} ({})", name(self.mover()), letter(self.mover()));
        match (self.win(), self.roll()) {
            (Some(win), _) => format!("game over: {win}"),
            (None, Some(roll)) => format!("{mover} to move, roll {roll}"),
            (None, None) if self.is_opening() => format!("{mover} to roll, no double"),
            (None, None) => format!("{mover} to roll"),
        }
    }

    /// Five rows and the numbers of their points above or below.
    fn half(&self, text: &mut String, half: Half, colour: bool) {
        let [left, right] = half.points();
        let numbers = |points: [u8; 6]| points.map(|point| format!("{point:->2}-")).concat();
        let edge = format!(" +{}-----{}+\n", numbers(left), numbers(right));
        if half == Half::Upper {
            text.push_str(&edge);
        }
        for i in 0..HEIGHT {
            let row = if half == Half::Upper { i } else { HEIGHT - 1 - i };
            let cells = |points: [u8; 6]| points.map(|point| self.cell(point, row, colour)).concat();
            let bar = cell(half.on_bar(self), row, colour);
            let _ = writeln!(text, " |{}|{bar}|{}|", cells(left), cells(right));
        }
        if half == Half::Lower {
            text.push_str(&edge);
        }
    }

    /// What is drawn of a point of the mover's in a row, counted from the edge of the board.
    fn cell(&self, point: u8, row: usize, colour: bool) -> String {
        let (mover, other) = (self.mover(), self.mover().other());
        let own = self.checkers(mover)[usize::from(point)];
        let theirs = self.checkers(other)[usize::from(BAR - point)];
        cell(if own > 0 { (mover, own) } else { (other, theirs) }, row, colour)
    }
}

/// A half of the board, as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Upper,
    Lower,
}

impl Half {
    /// The points on the left and on the right of the bar.
    fn points(self) -> [[u8; 6]; 2] {
        match self {
            Half::Upper => [[13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]],
            Half::Lower => [[12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1]],
        }
    }

    /// The checkers on this half of the bar: the opponent's are above.
    fn on_bar(self, position: &Position) -> (Player, u8) {
        let player = match self {
            Half::Upper => position.mover().other(),
            Half::Lower => position.mover(),
        };
        (player, position.checkers(player)[usize::from(BAR)])
    }
}

fn letter(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

/// Three characters: a checker, the number of all checkers in the last row where there is no room for them, or nothing.
fn cell((player, count): (Player, u8), row: usize, colour: bool) -> String {
    let symbol = match usize::from(count) {
        count if row >= count => return "   ".into(),
        count if count > HEIGHT && row == HEIGHT - 1 => format!("{count:^3}"),
        _ => format!(" {} ", letter(player)),
    };
    match (colour, player) {
        (false, _) => symbol,
        (true, Player::First) => format!("\x1b[1;34m{symbol}\x1b[0m"),
        (true, Player::Second) => format!("\x1b[1;31m{symbol}\x1b[0m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_from_the_mover_s_side() {
        let position = Position::from_xgid("XGID=a-B-a--GB---dB---b-e-----A:0:0:-1:31:0:0:0:0:10").unwrap();
        let expected = [
            "black (O) to move, roll 31",
            "",
            " +13-14-15-16-17-18------19-20-21-22-23-24-+",
            " | O           X  X | X |       O     X    |",
            " | O           X  X |   |             X    |",
            " | O              X |   |                  |",
            " | O              X |   |                  |",
            " |                7 |   |                  |",
            " |                  |BAR|                  |",
            " |                  |   | O                |",
            " |                  |   | O                |",
            " |                  |   | O                |",
            " | X           O    |   | O                |",
            " | X           O    | O | O                |",
            " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
            "",
            " X white: 1 off, 120 pips",
            " O black: 2 off, 144 pips",
            "",
            "xgid XGID=a-B-a--GB---dB---b-e-----A:0:0:-1:31:0:0:0:0:10",
            "gnubgid Bn+DASDwGTxACA:MIEFAAAAAAAE",
        ];
        assert_eq!(position.draw(false, None).lines().collect::<Vec<_>>(), expected);
        assert_eq!(position.draw(true, None).matches("\x1b[1;").count(), 25);
    }

    #[test]
    fn headlines_say_what_comes_next() {
        let cases = [
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "white (X) to roll"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:66:0:0:0:0:10", "black (O) to move, roll 66"),
            ("XGID=-a------------------------:0:0:1:00:0:0:0:0:10", "game over: white wins"),
            ("XGID=------------O-------------:0:0:1:00:0:0:0:0:10", "game over: black wins a gammon"),
            ("XGID=------------N------------A:0:0:1:00:0:0:0:0:10", "game over: black wins a backgammon"),
        ];
        for (id, headline) in cases {
            assert_eq!(Position::from_xgid(id).unwrap().draw(false, None).lines().next(), Some(headline));
        }
        assert!(Position::opening().draw(false, None).starts_with("white (X) to roll, no double\n"));
    }
}
