//! How the game is written: positions in FEN, start positions, moves (`a1b2`), rolls, and what can be wrong with them.

use super::cubes::Cube;
use super::{CELLS, CUBES, GRID, Move, Position, SIZE, name};
use crate::game::dice::Cell;
use crate::game::{END_OF_LINE, Player, WordError};
use std::fmt;

/// The order in which cubes stand at the start if nothing else is said.
const PLAIN_ORDER: &str = "123456";

/// The cells of blue's cubes at the start; red's are their point reflections.
const START_CELLS: [&str; CUBES] = ["a1", "b1", "c1", "a2", "b2", "a3"];

/// A word of a position, a move or a roll that cannot stand, and why.
pub type Mistake = WordError<Fault>;

/// What is wrong with a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A start position needs an order of the cubes for this player.
    NotAnOrder(Player),
    /// A position needs rows first.
    NoRows,
    /// The board has not five rows.
    RowCount(usize),
    /// A row, counted from 1, has not five cells.
    RowLength {
        /// Which row.
        row: usize,
        /// Its length.
        length: usize,
    },
    /// This is no cube and no empty cell.
    NotACube(char),
    /// A cube stands on two cells.
    Twice(char),
    /// There are no cubes at all.
    NoCubes,
    /// Both players have won.
    BothWon,
    /// The side to move is neither blue nor red.
    NotASide,
    /// This is not what a die shows, nor the sign that it was not rolled.
    NotARollOrNone,
    /// This is not what a die shows.
    NotARoll,
    /// Nothing more was expected.
    Surplus,
    /// The game is over: this player has won.
    GameOver(Player),
    /// The die has been rolled and shows this.
    OtherRoll(u8),
    /// The die has not been rolled.
    NotRolled,
    /// This is not a pair of cells.
    NotAMove,
    /// The move starts from an empty cell.
    Empty(Cell),
    /// The move starts from a cube of the opponent's, this player.
    NotYours(Cell, Player),
    /// The roll does not let this cube move.
    OtherCube {
        /// The letter or digit of the cube.
        cube: char,
        /// What the die shows.
        roll: u8,
    },
    /// Cubes of this player do not go there.
    NotAStep(Player),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NotAnOrder(player) => {
                write!(f, "expected an order of {}'s cubes, the digits 1 to 6 once each, as in 632541", name(player))
            }
            Fault::NoRows => f.write_str("expected a position, five rows joined by /"),
            Fault::RowCount(count) => write!(f, "expected five rows joined by /, found {count}"),
            Fault::RowLength { row, length } => write!(f, "expected five cells in row {row}, found {length}"),
            Fault::NotACube(letter) => write!(f, "expected 1 to 6, A to F or . for a cell, found {letter:?}"),
            Fault::Twice(letter) => write!(f, "cube {letter} stands on two cells"),
            Fault::NoCubes => f.write_str("there are no cubes"),
            Fault::BothWon => f.write_str("both sides have won: blue stands on e5 and red on a1"),
            Fault::NotASide => f.write_str("expected the side to move, b or r"),
            Fault::NotARollOrNone => f.write_str("expected a roll from 1 to 6, or -"),
            Fault::NotARoll => f.write_str("expected a roll from 1 to 6"),
            Fault::Surplus => f.write_str("expected the end of the position"),
            Fault::GameOver(winner) => write!(f, "the game is over ({} wins)", name(winner)),
            Fault::OtherRoll(stands) => write!(f, "the roll is {stands}"),
            Fault::NotRolled => f.write_str("the die has not been rolled"),
            Fault::NotAMove => f.write_str("expected a move, two cells from a1 to e5 as in a1b2"),
            Fault::Empty(cell) => write!(f, "{cell} is empty"),
            Fault::NotYours(cell, owner) => write!(f, "the cube on {cell} is {}'s", name(owner)),
            Fault::OtherCube { cube, roll } => write!(f, "roll {roll} does not move cube {cube}"),
            Fault::NotAStep(Player::First) => f.write_str("blue's cubes go one step right, down or both"),
            Fault::NotAStep(Player::Second) => f.write_str("red's cubes go one step left, up or both"),
        }
    }
}

impl Cube {
    /// A digit for blue's, a letter for red's.
    pub fn letter(self) -> char {
        let first = if self.owner == Player::First { b'1' } else { b'A' };
        char::from(first + self.number - 1)
    }

    fn from_letter(letter: char) -> Option<Cube> {
        (0..2 * CUBES).map(Cube::from_index).find(|cube| cube.letter() == letter)
    }
}

/// `a1b2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", GRID.name(self.from), GRID.name(self.to))
    }
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

/// The usual start, cubes in order.
impl Default for Position {
    fn default() -> Position {
        let orders = [[1, 2, 3, 4, 5, 6]; 2];
        Position::with_orders(orders).expect("nobody has won at the start")
    }
}

impl Position {
    /// The start position whose words are those after `startpos`: blue's order of cubes and red's, or nothing for the
    /// usual one.
    pub fn start(words: &[&str]) -> Result<Position, Mistake> {
        let orders = match words {
            [] => [PLAIN_ORDER; 2],
            [_] => return Err(WordError::new(END_OF_LINE, Fault::NotAnOrder(Player::Second))),
            [blue, red] => [*blue, *red],
            [_, _, surplus, ..] => return Err(WordError::new(surplus, Fault::Surplus)),
        };
        let [blue, red] = [0, 1].map(|i| {
            read_order(orders[i]).ok_or_else(|| WordError::new(orders[i], Fault::NotAnOrder(Player::BOTH[i])))
        });
        Ok(Position::with_orders([blue?, red?]).expect("nobody has won at the start"))
    }

    /// The start position with each player's cubes, by number, in this order on the start cells.
    fn with_orders(orders: [[u8; CUBES]; 2]) -> Option<Position> {
        let cubes = Player::BOTH.into_iter().flat_map(|owner| {
            let cells = START_CELLS.iter().filter_map(|name| GRID.cell(name));
            cells.zip(orders[owner as usize]).map(move |(cell, number)| {
                let cell = if owner == Player::First { cell } else { CELLS as u8 - 1 - cell };
                (cell, Cube { owner, number })
            })
        });
        Position::set_up(Player::First, cubes)
    }

    /// The position whose FEN has these words: rows, side to move, roll.
    pub fn from_fen(words: &[&str]) -> Result<Position, Mistake> {
        let word = |i: usize, missing: Fault| words.get(i).copied().ok_or_else(|| WordError::new(END_OF_LINE, missing));
        let rows = word(0, Fault::NoRows)?;
        let side = word(1, Fault::NotASide)?;
        let roll = word(2, Fault::NotARollOrNone)?;
        let cubes = read_rows(rows).map_err(|fault| WordError::new(rows, fault))?;
        let mover = match side {
            "b" => Player::First,
            "r" => Player::Second,
            _ => return Err(WordError::new(side, Fault::NotASide)),
        };
        let face = match read_roll(roll) {
            None if roll != "-" => return Err(WordError::new(roll, Fault::NotARollOrNone)),
            face => face,
        };
        if let Some(surplus) = words.get(3) {
            return Err(WordError::new(surplus, Fault::Surplus));
        }
        if cubes.is_empty() {
            return Err(WordError::new(rows, Fault::NoCubes));
        }
        let position = Position::set_up(mover, cubes.into_iter());
        Ok(position.ok_or_else(|| WordError::new(rows, Fault::BothWon))?.showing(face))
    }

    /// The position in FEN.
    pub fn fen(&self) -> String {
        let row = |row: u8| -> String {
            let cells = row * SIZE as u8..(row + 1) * SIZE as u8;
            cells.map(|cell| self.cube_at(cell).map_or('.', Cube::letter)).collect()
        };
        let rows = [0, 1, 2, 3, 4].map(row).join("/");
        let side = if self.mover() == Player::First { 'b' } else { 'r' };
        let roll = self.die().map_or("-".into(), |face| face.to_string());
        format!("{rows} {side} {roll}")
    }

    /// The face that a word rolls here: that which the die shows already, if it does.
    pub fn parse_roll(&self, word: &str) -> Result<u8, Mistake> {
        let fault = match (self.winner(), read_roll(word), self.die()) {
            (Some(winner), ..) => Fault::GameOver(winner),
            (_, None, _) => Fault::NotARoll,
            (_, Some(face), Some(stands)) if face != stands => Fault::OtherRoll(stands),
            (_, Some(face), _) => return Ok(face),
        };
        Err(WordError::new(word, fault))
    }

    /// The legal move that a word names.
    pub fn parse_move(&self, word: &str) -> Result<Move, Mistake> {
        self.read_move(word).map_err(|fault| WordError::new(word, fault))
    }

    fn read_move(&self, word: &str) -> Result<Move, Fault> {
        if let Some(winner) = self.winner() {
            return Err(Fault::GameOver(winner));
        }
        let roll = self.die().ok_or(Fault::NotRolled)?;
        let (from, to) = word.split_at_checked(2).ok_or(Fault::NotAMove)?;
        let (from, to) = GRID.cell(from).zip(GRID.cell(to)).ok_or(Fault::NotAMove)?;
        let cube = self.cube_at(from).ok_or(Fault::Empty(GRID.name(from)))?;
        if cube.owner != self.mover() {
            return Err(Fault::NotYours(GRID.name(from), cube.owner));
        }
        if self.movable() & 1 << (cube.number - 1) == 0 {
            return Err(Fault::OtherCube { cube: cube.letter(), roll });
        }
        let mv = Move { from, to };
        if self.moves().contains(&mv) { Ok(mv) } else { Err(Fault::NotAStep(self.mover())) }
    }
}

/// The numbers of the cubes in order, each of 1 to 6 once.
fn read_order(word: &str) -> Option<[u8; CUBES]> {
    let digits: [u8; CUBES] = word.as_bytes().try_into().ok()?;
    let mut sorted = digits;
    sorted.sort_unstable();
    (sorted == *b"123456").then(|| digits.map(|digit| digit - b'0'))
}

fn read_roll(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [face @ b'1'..=b'6'] => Some(face - b'0'),
        _ => None,
    }
}

fn read_rows(word: &str) -> Result<Vec<(u8, Cube)>, Fault> {
    let count = word.split('/').count();
    if count != SIZE {
        return Err(Fault::RowCount(count));
    }
    let mut cubes: Vec<(u8, Cube)> = Vec::new();
    for (row, text) in word.split('/').enumerate() {
        let length = text.chars().count();
        if length != SIZE {
            return Err(Fault::RowLength { row: row + 1, length });
        }
        for (col, letter) in text.chars().enumerate().filter(|&(_, letter)| letter != '.') {
            let cube = Cube::from_letter(letter).ok_or(Fault::NotACube(letter))?;
            if cubes.iter().any(|&(_, other)| other == cube) {
                return Err(Fault::Twice(letter));
            }
            cubes.push(((row * SIZE + col) as u8, cube));
        }
    }
    Ok(cubes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_fen(text: &str) -> Result<Position, Mistake> {
        Position::from_fen(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn start_positions_place_the_cubes_in_order() {
        let cases: [(&[&str], &str); 3] = [
            (&[], "123../45.../6...F/...ED/..CBA b -"),
            (&["123456", "123456"], "123../45.../6...F/...ED/..CBA b -"),
            (&["632541", "165432"], "632../54.../1...B/...CD/..EFA b -"),
        ];
        for (words, fen) in cases {
            assert_eq!(Position::start(words).unwrap().fen(), fen);
        }
        assert_eq!(Position::default(), Position::start(&[]).unwrap());
    }

    #[test]
    fn bad_start_positions_name_the_word() {
        use Player::{First, Second};
        let cases: [(&[&str], &str, Fault); 8] = [
            (&["123456"], "end of line", Fault::NotAnOrder(Second)),
            (&["12345", "123456"], "12345", Fault::NotAnOrder(First)),
            (&["1234567", "123456"], "1234567", Fault::NotAnOrder(First)),
            (&["123455", "123456"], "123455", Fault::NotAnOrder(First)),
            (&["123456", "ABCDEF"], "ABCDEF", Fault::NotAnOrder(Second)),
            (&["123456", "023456"], "023456", Fault::NotAnOrder(Second)),
            (&["é3456", "123456"], "é3456", Fault::NotAnOrder(First)),
            (&["123456", "123456", "b"], "b", Fault::Surplus),
        ];
        for (words, word, fault) in cases {
            assert_eq!(Position::start(words), Err(WordError::new(word, fault)), "{words:?}");
        }
    }

    #[test]
    fn bad_fens_name_the_word() {
        let rows = "123../45.../6...F/...ED/..CBA";
        let cases = [
            ("", "end of line", Fault::NoRows),
            (rows, "end of line", Fault::NotASide),
            ("123../45.../6...F/...ED/..CBA b", "end of line", Fault::NotARollOrNone),
            ("123../45.../6...F/...ED b -", "123../45.../6...F/...ED", Fault::RowCount(4)),
            ("123../45.../6...F/...ED/..CBA/ b -", "123../45.../6...F/...ED/..CBA/", Fault::RowCount(6)),
            (
                "123../45../...../...../..CBA b -",
                "123../45../...../...../..CBA",
                Fault::RowLength { row: 2, length: 4 },
            ),
            (
                "1..../...../...../...../....AA b -",
                "1..../...../...../...../....AA",
                Fault::RowLength { row: 5, length: 6 },
            ),
            ("12a../...../...../...../....A b -", "12a../...../...../...../....A", Fault::NotACube('a')),
            ("127../...../...../...../....A b -", "127../...../...../...../....A", Fault::NotACube('7')),
            ("12é../...../...../...../....A b -", "12é../...../...../...../....A", Fault::NotACube('é')),
            ("121../...../...../...../....A b -", "121../...../...../...../....A", Fault::Twice('1')),
            ("12.../...../...../...C./...CA b -", "12.../...../...../...C./...CA", Fault::Twice('C')),
            ("...../...../...../...../..... b -", "...../...../...../...../.....", Fault::NoCubes),
            ("A..../...../...../...../....1 b -", "A..../...../...../...../....1", Fault::BothWon),
            ("1..../...../...../...../....A w -", "w", Fault::NotASide),
            ("1..../...../...../...../....A - b", "-", Fault::NotASide),
            ("1..../...../...../...../....A b 0", "0", Fault::NotARollOrNone),
            ("1..../...../...../...../....A b 7", "7", Fault::NotARollOrNone),
            ("1..../...../...../...../....A b +1", "+1", Fault::NotARollOrNone),
            ("1..../...../...../...../....A b - 3", "3", Fault::Surplus),
        ];
        for (text, word, fault) in cases {
            assert_eq!(from_fen(text), Err(WordError::new(word, fault)), "{text}");
        }
    }

    #[test]
    fn decided_positions_can_be_set_up() {
        let cases = [
            ("...../...../...../...../....1 r -", Player::First),
            ("...../...../..A../...../....1 r -", Player::First),
            ("...../...../..A../...../....1 b 3", Player::First),
            ("...../...../..1../...../..... b -", Player::First),
            ("A..../...../..1../...../..... b 6", Player::Second),
            ("...../...../..B../...../..... b 2", Player::Second),
        ];
        for (text, winner) in cases {
            let position = from_fen(text).unwrap();
            assert_eq!((position.fen().as_str(), position.winner()), (text, Some(winner)));
            assert!(
                position.moves().is_empty()
                    && position.outcomes().next().is_none()
                    && position.faces().next().is_none()
            );
            position.key(true);
        }
        // A cube in its own corner has won nothing.
        assert_eq!(from_fen("1..../...../...../...../....A r -").unwrap().winner(), None);
    }

    #[test]
    fn bad_moves_name_what_is_wrong() {
        let cell = |name| GRID.name(GRID.cell(name).unwrap());
        let cases = [
            ("a1", Fault::NotAMove),
            ("", Fault::NotAMove),
            ("a1f1", Fault::NotAMove),
            ("a6b6", Fault::NotAMove),
            ("a1b2c", Fault::NotAMove),
            ("éa1b", Fault::NotAMove),
            ("d1e1", Fault::Empty(cell("d1"))),
            ("e5d4", Fault::NotYours(cell("e5"), Player::Second)),
            ("a1b1", Fault::OtherCube { cube: '1', roll: 3 }),
            ("c1b1", Fault::NotAStep(Player::First)),
            ("c1e1", Fault::NotAStep(Player::First)),
            ("c1c1", Fault::NotAStep(Player::First)),
        ];
        let mut position = Position::default();
        assert_eq!(position.parse_move("c1c2"), Err(WordError::new("c1c2", Fault::NotRolled)));
        position.roll(position.parse_roll("3").unwrap());
        for (word, fault) in cases {
            assert_eq!(position.parse_move(word), Err(WordError::new(word, fault)), "{word}");
        }
        for word in ["c1d1", "c1c2", "c1d2"] {
            assert_eq!(position.parse_move(word).unwrap().to_string(), word);
        }
        let over = from_fen("...../...../..A../...../....1 r 1").unwrap();
        assert_eq!(over.parse_move("c3b3"), Err(WordError::new("c3b3", Fault::GameOver(Player::First))));
        assert_eq!(over.parse_roll("1"), Err(WordError::new("1", Fault::GameOver(Player::First))));
    }

    #[test]
    fn bad_rolls_name_what_is_wrong() {
        let start = Position::default();
        for word in ["0", "7", "-", "", "12", "+3", "x"] {
            assert_eq!(start.parse_roll(word), Err(WordError::new(word, Fault::NotARoll)));
        }
        let rolled = start.showing(Some(2));
        assert_eq!(rolled.parse_roll("2"), Ok(2));
        assert_eq!(rolled.parse_roll("3"), Err(WordError::new("3", Fault::OtherRoll(2))));
    }

    #[test]
    fn every_fault_reads_as_a_sentence() {
        let error = from_fen("1..../...../...../...../....A x -").unwrap_err();
        assert_eq!(error.to_string(), "'x': expected the side to move, b or r");
        let error = Position::default().showing(Some(4)).parse_move("a1b2").unwrap_err();
        assert_eq!(error.to_string(), "'a1b2': roll 4 does not move cube 1");
    }
}
