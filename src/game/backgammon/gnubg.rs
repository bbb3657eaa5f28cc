//! GNU Backgammon's position ID and match ID.
//!
//! Both are bit strings, packed from the lowest bit of the first byte up and written in base 64. The position ID has, for
//! the side that is not on roll and then for the side that is, from its own ace point to its bar, a 1 for each checker and
//! a 0 after each point. The match ID says whose turn it is and what the dice are, besides cube and score; alea writes
//! those of a money game without Jacoby's rule, and reads over them. The first player is GNU Backgammon's player 1, `X`.
//! (GNU Backgammon manual, "A technical description of the Position ID" and "of the Match ID".)

use super::{BAR, IdError, IdFault, Position, Roll};
use crate::game::Player;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const BOARD: Part = Part { name: "position ID", bits: 80, length: 14 };
const MATCH: Part = Part { name: "match ID", bits: 72, length: 12 };

/// One of the two parts of an ID.
struct Part {
    name: &'static str,
    bits: u32,
    length: usize,
}

/// Where the fields of a match ID that matter begin; the first bit is 0.
mod field {
    /// The owner of the cube: 3 is nobody.
    pub const CUBE_OWNER: u32 = 4;
    /// The player on roll.
    pub const ON_ROLL: u32 = 6;
    /// 1 while a game is played, 2 when it is over.
    pub const STATE: u32 = 8;
    /// The player whose decision it is.
    pub const TURN: u32 = 11;
    /// Three bits for each die.
    pub const DICE: [u32; 2] = [15, 18];
    /// Set where Jacoby's rule does not hold.
    pub const NO_JACOBY: u32 = 66;
}

impl Part {
    fn write(&self, bits: u128) -> String {
        // Base 64 takes its six bits from the highest bit of a byte down.
        let byte = |i: usize| ((bits >> (8 * i)) & 0xff) as u32;
        let sextet = |i: usize| {
            let (at, shift) = (6 * i / 8, 6 * i % 8);
            (byte(at) << 8 | byte(at + 1)) >> (10 - shift) & 0x3f
        };
        (0..self.length).map(|i| char::from(ALPHABET[sextet(i) as usize])).collect()
    }

    fn read(&self, word: &str) -> Result<u128, IdFault> {
        let got = word.chars().count();
        if got != self.length {
            return Err(IdFault::Length { part: self.name, expected: self.length, got });
        }
        let mut bytes = [0_u8; 11];
        for (i, character) in word.chars().enumerate() {
            let value = ALPHABET.iter().position(|&letter| char::from(letter) == character);
            let expected = "letters, digits, + and /";
            let value = value.ok_or(IdFault::Character { character, expected })? as u32;
            let (at, shift) = (6 * i / 8, 6 * i % 8);
            let pair = value << (10 - shift);
            bytes[at] |= (pair >> 8) as u8;
            bytes[at + 1] |= pair as u8;
        }
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
        if bits >> self.bits == 0 { Ok(bits) } else { Err(IdFault::SpareBits) }
    }
}

impl Position {
    /// The GNUBG position ID and match ID, joined by a colon.
    pub fn gnubg_id(&self) -> String {
        let mut bits = 0;
        let mut at = 0;
        for player in [self.mover().other(), self.mover()] {
            for &count in &self.checkers(player)[1..] {
                bits |= ((1 << count) - 1) << at;
                at += u32::from(count) + 1;
            }
        }
        format!("{}:{}", BOARD.write(bits), MATCH.write(self.match_bits()))
    }

    fn match_bits(&self) -> u128 {
        let player = match self.mover() {
            Player::First => 1,
            Player::Second => 0,
        };
        let state = if self.win().is_some() { 2 } else { 1 };
        let [first, second] = self.roll().map_or([0, 0], |roll| [roll.high(), roll.low()]);
        3 << field::CUBE_OWNER
            | player << field::ON_ROLL
            | state << field::STATE
            | player << field::TURN
            | u128::from(first) << field::DICE[0]
            | u128::from(second) << field::DICE[1]
            | 1 << field::NO_JACOBY
    }

    /// Read a GNUBG position ID, with a match ID after a colon if there is one. Without it the first player is to roll.
    pub fn from_gnubg_id(word: &str) -> Result<Position, IdError> {
        let (board, rest) = word.split_once(':').map_or((word, None), |(board, rest)| (board, Some(rest)));
        let fault = |part: &str, fault| IdError::in_part(part, word, fault);
        let sides = read_board(board).map_err(|reason| fault(board, reason))?;
        let state = rest.map(|rest| read_match(rest).map_err(|reason| fault(rest, reason)));
        let (mover, roll) = state.transpose()?.unwrap_or((Player::First, None));
        let [opponent, own] = sides;
        let checkers = match mover {
            Player::First => [own, opponent],
            Player::Second => [opponent, own],
        };
        Position::set_up(checkers, mover, roll).map_err(|error| fault(board, IdFault::Setup(error)))
    }
}

type Side = [u8; BAR as usize + 1];

/// The side that is not on roll, then the side that is.
fn read_board(word: &str) -> Result<[Side; 2], IdFault> {
    let mut bits = BOARD.read(word)?;
    let mut left = BOARD.bits;
    let mut sides = [[0; BAR as usize + 1]; 2];
    for count in sides.iter_mut().flat_map(|side| &mut side[1..]) {
        let ones = bits.trailing_ones();
        if ones >= left {
            return Err(IdFault::TooManyCheckers);
        }
        *count = ones as u8;
        bits >>= ones + 1;
        left -= ones + 1;
    }
    if bits == 0 { Ok(sides) } else { Err(IdFault::SpareBits) }
}

/// The player on roll and the dice.
fn read_match(word: &str) -> Result<(Player, Option<Roll>), IdFault> {
    let bits = MATCH.read(word)?;
    let mover = if bits >> field::ON_ROLL & 1 == 1 { Player::First } else { Player::Second };
    match field::DICE.map(|at| (bits >> at & 7) as u8) {
        [0, 0] => Ok((mover, None)),
        [one, other] => Ok((mover, Some(Roll::new(one, other).ok_or(IdFault::Dice)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What GNU Backgammon 1.07 shows for these positions.
    #[test]
    fn ids_are_those_of_gnubg() {
        let cases = [
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAE"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", "4HPwATDgc/ABMA:MAEAAAAAAAAE"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "4HPwATDgc/ABMA:cIkFAAAAAAAE"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:62:0:0:0:0:10", "4HPwATDgc/ABMA:MAELAAAAAAAE"),
        ];
        for (xgid, id) in cases {
            assert_eq!(Position::from_xgid(xgid).unwrap().gnubg_id(), id);
            assert_eq!(Position::from_gnubg_id(id).unwrap().xgid(), xgid);
        }
    }

    #[test]
    fn cube_and_score_are_read_over() {
        let plain = Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap();
        assert_eq!((plain.mover(), plain.roll(), plain.is_opening()), (Player::First, None, false));
        for rest in ["cAkAAAAAAAAA", "QYkqASAAIAAA", "8IhuACAACAAE"] {
            let position = Position::from_gnubg_id(&format!("4HPwATDgc/ABMA:{rest}")).unwrap();
            assert_eq!(position.checkers(Player::First), plain.checkers(Player::First), "{rest}");
        }
        let quoted = Position::from_gnubg_id("4HPwATDgc/ABMA:QYkqASAAIAAA").unwrap();
        assert_eq!((quoted.mover(), quoted.roll()), (Player::First, Roll::new(5, 2)));
    }

    #[test]
    fn bad_ids_name_the_word() {
        let cases = [
            ("", "", "14 characters for the position ID, got 0"),
            ("4HPwATDgc/ABM", "4HPwATDgc/ABM", "14 characters for the position ID, got 13"),
            ("4HPwATDgc/ABMA:", "4HPwATDgc/ABMA:", "12 characters for the match ID, got 0"),
            ("4HPwATDgc/ABMA:cAkAAAAAAAAAA", "cAkAAAAAAAAAA", "got 13"),
            ("4HPwATDgc/ABMA:cAkA:AAAAAAA", "cAkA:AAAAAAA", "':' in it"),
            ("4HPwATDgc_ABMA", "4HPwATDgc_ABMA", "'_' in it"),
            ("4HPwATDgc/ABMé", "4HPwATDgc/ABMé", "'é' in it"),
            ("4HPwATDgc/ABMB", "4HPwATDgc/ABMB", "last bits"),
            ("4AAAAP7/AQAAAA", "4AAAAP7/AQAAAA", "white has 16 checkers"),
            ("YAAAAABgAAAAAA", "YAAAAABgAAAAAA", "both sides have checkers on white's point 19"),
            ("27YBANC2bQAABA", "27YBANC2bQAABA", "closed board"),
            ("//////////////", "//////////////", "last bits"),
            ("/////////////w", "/////////////w", "more than 30"),
            ("AAAAAAAAAAAAAA", "AAAAAAAAAAAAAA", "no checker"),
            ("4HPwATDgc/ABMA:cAkCAAAAAAAA", "cAkCAAAAAAAA", "two dice"),
            ("4HPwATDgc/ABMA:cIk/AAAAAAAA", "cIk/AAAAAAAA", "two dice"),
        ];
        for (id, word, reason) in cases {
            let error = Position::from_gnubg_id(id).expect_err(id);
            assert_eq!(error.word, word, "{id}");
            assert!(error.to_string().contains(reason), "{id}: {error}");
        }
    }
}
