//! The 21 rolls of two dice.

use super::{Position, Win};
use crate::game::Outcome;
use std::fmt;

/// How many different rolls there are.
pub const ROLLS: u8 = 21;

/// Two dice, the higher one first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// Every roll, in the order of their numbers.
    pub const ALL: [Roll; ROLLS as usize] = {
        let mut rolls = [Roll { high: 1, low: 1 }; ROLLS as usize];
        let mut id = 1;
        while id < rolls.len() {
            let Roll { high, low } = rolls[id - 1];
            rolls[id] = if low < high { Roll { high, low: low + 1 } } else { Roll { high: high + 1, low: 1 } };
            id += 1;
        }
        rolls
    };

    /// The roll of two dice in any order; `None` if one is not from 1 to 6.
    pub fn new(one: u8, other: u8) -> Option<Roll> {
        let face = 1..=6;
        (face.contains(&one) && face.contains(&other)).then(|| Roll { high: one.max(other), low: one.min(other) })
    }

    /// Two dice in any order, as in `31`.
    pub fn read(word: &str) -> Option<Roll> {
        match word.as_bytes() {
            &[one @ b'1'..=b'6', other @ b'1'..=b'6'] => Roll::new(one - b'0', other - b'0'),
            _ => None,
        }
    }

    /// The higher die.
    pub fn high(self) -> u8 {
        self.high
    }

    /// The lower die.
    pub fn low(self) -> u8 {
        self.low
    }

    /// Whether both dice are alike, so that they are played twice.
    pub fn is_double(self) -> bool {
        self.high == self.low
    }

    /// A number below [`ROLLS`]: 11, 21, 22, 31 and so on, in this order.
    pub fn id(self) -> u8 {
        self.high * (self.high - 1) / 2 + self.low - 1
    }

    /// The roll of that number; `None` if there is none.
    pub fn from_id(id: u8) -> Option<Roll> {
        Roll::ALL.get(usize::from(id)).copied()
    }

    /// How many of the 36 ways that two dice fall make this roll.
    pub fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }
}

/// The higher die, then the lower.
impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

/// A roll that cannot come now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalRoll {
    /// The roll as it was written.
    pub word: String,
    /// What is wrong with it.
    pub fault: RollFault,
}

/// What is wrong with a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RollFault {
    /// It is not two digits from 1 to 6.
    NotDice,
    /// The first roll of a game decides who begins, and so is no double.
    OpeningDouble,
    /// The dice lie there already.
    Rolled(Roll),
    /// The game has ended.
    GameOver(Win),
}

impl fmt::Display for RollFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RollFault::NotDice => f.write_str("expected two dice from 1 to 6, as in 31"),
            RollFault::OpeningDouble => f.write_str("the first roll of a game is no double"),
            RollFault::Rolled(roll) => write!(f, "the roll is {roll} already"),
            RollFault::GameOver(win) => write!(f, "the game is over ({win})"),
        }
    }
}

impl fmt::Display for IllegalRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.word, self.fault)
    }
}

impl std::error::Error for IllegalRoll {}

impl Position {
    /// The rolls that may come next, with their weights: none where the dice are rolled or the game is over.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> + use<> {
        let waiting = self.roll().is_none() && self.win().is_none();
        let opening = self.is_opening();
        let rolls = Roll::ALL.into_iter().filter(move |roll| waiting && !(opening && roll.is_double()));
        rolls.map(|roll| Outcome { id: roll.id(), weight: roll.weight() })
    }

    /// Read the roll that is to come next, its dice in any order.
    pub fn parse_roll(&self, word: &str) -> Result<Roll, IllegalRoll> {
        let fault = |fault| IllegalRoll { word: word.into(), fault };
        let roll = Roll::read(word).ok_or_else(|| fault(RollFault::NotDice))?;
        match (self.win(), self.roll()) {
            (Some(win), _) => Err(fault(RollFault::GameOver(win))),
            (None, Some(stands)) => Err(fault(RollFault::Rolled(stands))),
            (None, None) if self.is_opening() && roll.is_double() => Err(fault(RollFault::OpeningDouble)),
            (None, None) => Ok(roll),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_have_numbers_and_weights() {
        assert_eq!(Roll::ALL[20].to_string(), "66");
        for (id, roll) in Roll::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(roll.id()), id, "{roll}");
            assert_eq!(Roll::from_id(roll.id()), Some(roll));
            assert_eq!(Roll::new(roll.low(), roll.high()), Some(roll));
        }
        assert_eq!(Roll::from_id(ROLLS), None);
        assert_eq!(Roll::ALL.map(Roll::weight).iter().sum::<u32>(), 36);
        assert_eq!((Roll::new(0, 3), Roll::new(3, 7)), (None, None));
    }

    #[test]
    fn the_first_roll_of_a_game_is_no_double() {
        let start = Position::opening();
        let set_up = Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap();
        let weights = |position: &Position| position.outcomes().map(|o| o.weight).collect::<Vec<_>>();
        assert_eq!(weights(&start), [2; 15]);
        assert_eq!(weights(&set_up).len(), 21);
        assert_eq!(weights(&set_up).iter().sum::<u32>(), 36);
        let mut rolled = start;
        rolled.roll_dice(start.parse_roll("31").unwrap());
        assert!(weights(&rolled).is_empty());
        rolled.play(rolled.moves()[0]);
        assert_eq!(weights(&rolled).len(), 21);
    }

    #[test]
    fn bad_rolls_say_why() {
        let start = Position::opening();
        let mut rolled = start;
        rolled.roll_dice(Roll::new(3, 1).unwrap());
        let over = Position::from_xgid("XGID=-b------------------------:0:0:1:00:0:0:0:0:10").unwrap();
        let win = over.win().unwrap();
        let cases = [
            (&start, "31", None),
            (&start, "13", None),
            (&start, "33", Some(RollFault::OpeningDouble)),
            (&start, "", Some(RollFault::NotDice)),
            (&start, "3", Some(RollFault::NotDice)),
            (&start, "70", Some(RollFault::NotDice)),
            (&start, "311", Some(RollFault::NotDice)),
            (&start, "3é", Some(RollFault::NotDice)),
            (&rolled, "42", Some(RollFault::Rolled(Roll::new(3, 1).unwrap()))),
            (&over, "42", Some(RollFault::GameOver(win))),
        ];
        for (position, word, fault) in cases {
            match position.parse_roll(word) {
                Ok(roll) => assert_eq!((roll.to_string().as_str(), None), ("31", fault)),
                Err(error) => assert_eq!((error.word.as_str(), Some(error.fault)), (word, fault)),
            }
        }
    }
}
