//! What reading the two kinds of position IDs can find wrong, and which kind a word is.

use super::{Position, SetupError, name};
use crate::game::Player;
use std::fmt;

/// An ID that names no position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdError {
    /// The part of the ID at fault, as it was written.
    pub word: String,
    /// What is wrong with it.
    pub fault: IdFault,
}

/// What is wrong with an ID.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IdFault {
    /// It begins as neither kind does.
    Neither,
    /// A part of an ID has the wrong length.
    Length {
        /// Which part.
        part: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        got: usize,
    },
    /// A character has no meaning where it stands.
    Character {
        /// Which character.
        character: char,
        /// What would have one.
        expected: &'static str,
    },
    /// There are bits set beyond the end of the ID.
    SpareBits,
    /// The bits of a GNUBG position ID end before 24 points and the bar have been read for both sides.
    TooManyCheckers,
    /// Two dice of which one is not there or not from 1 to 6.
    Dice,
    /// A field of an XGID is not what it should be.
    Field {
        /// Which field.
        name: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// An XGID has too few or too many fields.
    FieldCount {
        /// How many it has.
        got: usize,
    },
    /// A checker of the wrong side is on a bar.
    WrongBar {
        /// Whose bar it is.
        owner: Player,
    },
    /// The checkers make no position.
    Setup(SetupError),
}

impl fmt::Display for IdFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdFault::Neither => f.write_str("expected a GNUBG ID, which begins with 14 characters, or an XGID"),
            IdFault::Length { part, expected, got } => {
                write!(f, "expected {expected} characters for the {part}, got {got}")
            }
            IdFault::Character { character, expected } => write!(f, "{character:?} in it; expected {expected}"),
            IdFault::SpareBits => f.write_str("its last bits are set; expected them to be 0"),
            IdFault::TooManyCheckers => f.write_str("it has more than 30 checkers; expected at most 15 a side"),
            IdFault::Dice => f.write_str("expected two dice from 1 to 6, or none"),
            IdFault::Field { name, expected } => write!(f, "expected {expected} for the {name}"),
            IdFault::FieldCount { got } => write!(f, "expected 5 to 10 fields with colons between, got {got}"),
            IdFault::WrongBar { owner } => {
                write!(f, "a checker of {} is on the bar of {}", name(owner.other()), name(*owner))
            }
            IdFault::Setup(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.word, self.fault)
    }
}

impl std::error::Error for IdError {}

impl IdError {
    /// About a part of an ID, or all of it if that part is empty.
    pub(super) fn in_part(part: &str, id: &str, fault: IdFault) -> IdError {
        IdError { word: if part.is_empty() { id } else { part }.into(), fault }
    }
}

impl Position {
    /// Read an XGID or a GNUBG ID, whichever it is.
    pub fn from_id(word: &str) -> Result<Position, IdError> {
        let board = word.split(':').next().unwrap_or(word);
        let named = board.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("xgid="));
        match board.chars().count() {
            _ if named => Position::from_xgid(word),
            21.. => Position::from_xgid(word),
            14 => Position::from_gnubg_id(word),
            _ => Err(IdError { word: word.into(), fault: IdFault::Neither }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_kind_is_known_by_its_beginning() {
        let opening = Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap();
        let (id, xgid) = (opening.gnubg_id(), opening.xgid());
        for word in ["4HPwATDgc/ABMA", &id, &xgid, &xgid["XGID=".len()..]] {
            assert_eq!(Position::from_id(word), Ok(opening), "{word}");
        }
        for (word, at_fault, reason) in [
            ("hello", "hello", "expected a GNUBG ID, which begins with 14 characters, or an XGID"),
            ("XGID", "XGID", "or an XGID"),
            (":", ":", "or an XGID"),
            ("XGID=", "XGID=", "26 characters for the board, got 0"),
            ("4HPwATDgc/ABM_", "4HPwATDgc/ABM_", "'_' in it"),
        ] {
            let error = Position::from_id(word).expect_err(word);
            assert_eq!(error.word, at_fault);
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
