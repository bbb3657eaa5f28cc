//! The five probabilities that a game of backgammon comes down to, and the equity that follows from them.

use crate::game::backgammon::Position;
use crate::game::{Game, Value};
use std::fmt;

/// How a game may end, in the view of one side; each in steps of 2⁻²⁴.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chances {
    /// Any win.
    pub win: i32,
    /// A gammon or a backgammon.
    pub win_gammon: i32,
    /// A backgammon.
    pub win_backgammon: i32,
    /// A gammon or a backgammon of the opponent's.
    pub lose_gammon: i32,
    /// A backgammon of the opponent's.
    pub lose_backgammon: i32,
}

impl Chances {
    /// What is certain.
    pub const ONE: i32 = Value::WIN.raw();

    /// A game that was won by this many points.
    pub fn won(points: u8) -> Chances {
        let over = |least: u8| if points >= least { Chances::ONE } else { 0 };
        Chances { win: Chances::ONE, win_gammon: over(2), win_backgammon: over(3), ..Chances::default() }
    }

    /// In the order of the fields.
    pub fn list(self) -> [i32; 5] {
        [self.win, self.win_gammon, self.win_backgammon, self.lose_gammon, self.lose_backgammon]
    }

    /// The same in the view of the other side.
    pub fn turned(self) -> Chances {
        Chances {
            win: Chances::ONE - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// The expected result, a third of it in points.
    #[inline(always)]
    pub fn value(self) -> Value {
        let plain = 2 * self.win - Chances::ONE;
        let extra = self.win_gammon - self.lose_gammon + self.win_backgammon - self.lose_backgammon;
        Value::from_legal((plain + extra) / Position::POINTS as i32)
    }
}

/// In per cent: `win 52.1 gammon 14.2 backgammon 0.6 lose gammon 12.0 backgammon 0.5`.
impl fmt::Display for Chances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [win, gammon, backgammon, lost, worse] =
            self.list().map(|chance| 100.0 * f64::from(chance) / f64::from(Chances::ONE));
        write!(f, "win {win:.2} gammon {gammon:.2} backgammon {backgammon:.2}")?;
        write!(f, " lose gammon {lost:.2} backgammon {worse:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equity_counts_gammons_twice_and_backgammons_thrice() {
        for points in 1..=3 {
            let won = Chances::won(points);
            assert!((won.value().to_f64() * 3.0 - f64::from(points)).abs() < 1e-6);
            assert_eq!(won.turned().value(), -won.value());
            assert_eq!(won.turned().turned(), won);
        }
        let half = Chances { win: Chances::ONE / 2, win_gammon: Chances::ONE / 4, ..Chances::default() };
        assert!((half.value().to_f64() - 0.25 / 3.0).abs() < 1e-6);
        assert_eq!(half.to_string(), "win 50.00 gammon 25.00 backgammon 0.00 lose gammon 0.00 backgammon 0.00");
    }
}
