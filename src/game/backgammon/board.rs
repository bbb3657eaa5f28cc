//! The position: checkers on points, who is to move, the roll.

use super::{BAR, CHECKERS, Change, Move, OFF, PLACES, Roll, Win, name};
use crate::game::Player;
use crate::game::mix;
use std::fmt;

/// A position of backgammon.
///
/// Each side's checkers are kept from its own side, so a move changes few bytes and nothing is turned round when the turn
/// passes. Beside the counts stand the points with one checker or more, and with two or more, as bits: move generation
/// works with these.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    checkers: [[u8; PLACES]; 2],
    occupied: [u32; 2],
    made: [u32; 2],
    hash: u64,
    mover: Player,
    roll: Option<Roll>,
    opening: bool,
}

/// Why checkers make no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// A side has more than its fifteen.
    TooMany {
        /// Which side.
        player: Player,
        /// Its checkers.
        count: u32,
    },
    /// Both sides stand on one point.
    Shared {
        /// The point from white's side.
        point: u8,
    },
    /// Both sides have borne off everything.
    Empty,
    /// Both sides are on the bar against six closed points, so nobody can ever move.
    Deadlock,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupError::TooMany { player, count } => {
                write!(f, "{} has {count} checkers; expected at most 15", name(player))
            }
            SetupError::Shared { point } => write!(f, "both sides have checkers on white's point {point}"),
            SetupError::Empty => f.write_str("there is no checker on the board; expected one at least"),
            SetupError::Deadlock => {
                f.write_str("both sides are on the bar against a closed board: nobody can ever move")
            }
        }
    }
}

impl std::error::Error for SetupError {}

/// Odd random numbers whose multiples, one for each checker, add up to the hash.
const KEYS: [[u64; PLACES]; 2] = {
    let mut keys = [[0; PLACES]; 2];
    let mut i = 1;
    while i < PLACES {
        keys[0][i] = mix(2 * i as u64) | 1;
        keys[1][i] = mix(2 * i as u64 + 1) | 1;
        i += 1;
    }
    keys
};

impl Position {
    /// The start of a game: the first player to roll, and no double.
    pub fn opening() -> Position {
        let mut side = [0; PLACES];
        (side[24], side[13], side[8], side[6]) = (2, 5, 3, 5);
        Position { opening: true, ..Position::fill([side; 2], Player::First, None) }
    }

    /// The position with these checkers, each side's from its own side: index 25 is the bar, and what index 0 says does
    /// not count, for checkers that are on no point have been borne off.
    pub fn set_up(checkers: [[u8; PLACES]; 2], mover: Player, roll: Option<Roll>) -> Result<Position, SetupError> {
        for player in Player::BOTH {
            let count = checkers[player as usize][1..].iter().map(|&n| u32::from(n)).sum();
            if count > u32::from(CHECKERS) {
                return Err(SetupError::TooMany { player, count });
            }
        }
        let position = Position::fill(checkers, mover, roll);
        if position.occupied == [0; 2] {
            return Err(SetupError::Empty);
        }
        let shared = position.occupied[0] & turned(position.occupied[1]) & ON_POINTS;
        if shared != 0 {
            return Err(SetupError::Shared { point: shared.trailing_zeros() as u8 });
        }
        let shut_out = |side: usize| position.occupied[side] >> BAR == 1 && position.made[1 - side] & HOME == HOME;
        if shut_out(0) && shut_out(1) {
            return Err(SetupError::Deadlock);
        }
        Ok(position)
    }

    /// The position with at most fifteen checkers on each side.
    fn fill(checkers: [[u8; PLACES]; 2], mover: Player, roll: Option<Roll>) -> Position {
        let mut position = Position {
            checkers: [[0; PLACES]; 2],
            occupied: [0; 2],
            made: [0; 2],
            hash: 0,
            mover,
            roll,
            opening: false,
        };
        for player in Player::BOTH {
            let side = &checkers[player as usize];
            for point in 1..=BAR {
                for _ in 0..side[usize::from(point)] {
                    position.change(player, point, true);
                }
            }
            position.checkers[player as usize][usize::from(OFF)] = CHECKERS - side[1..].iter().sum::<u8>();
        }
        position
    }

    /// Who is to move, or to roll.
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// The roll, if the dice have been rolled.
    pub fn roll(&self) -> Option<Roll> {
        self.roll
    }

    /// Whether the next roll is the first of a game.
    pub fn is_opening(&self) -> bool {
        self.opening
    }

    /// A player's checkers from that player's own side: off, the points 1 to 24, the bar.
    pub fn checkers(&self, player: Player) -> &[u8; PLACES] {
        &self.checkers[player as usize]
    }

    /// The points, and the bar, where a player has one checker or more, as bits from that player's own side.
    #[inline(always)]
    pub fn occupied(&self, player: Player) -> u32 {
        self.occupied[player as usize]
    }

    /// The same with two checkers or more.
    #[inline(always)]
    pub fn made(&self, player: Player) -> u32 {
        self.made[player as usize]
    }

    /// Whether the sides have passed each other, so that nobody can be hit any more.
    #[inline(always)]
    pub fn is_race(&self) -> bool {
        let farthest = |player| u32::BITS - self.occupied(player).leading_zeros();
        // Each is one more than the point, so that there is no farthest for none.
        farthest(Player::First) + farthest(Player::Second) <= u32::from(BAR) + 2
    }

    /// How far a player's checkers have to go in all.
    pub fn pips(&self, player: Player) -> u32 {
        self.checkers(player).iter().zip(0..).map(|(&count, point)| u32::from(count) * point).sum()
    }

    /// How the game ended, if it has.
    #[inline]
    pub fn win(&self) -> Option<Win> {
        let winner = Player::BOTH.into_iter().find(|&player| self.occupied(player) == 0)?;
        let loser = winner.other();
        let points = if self.checkers(loser)[usize::from(OFF)] > 0 {
            1
        } else if self.occupied(loser) & FARTHEST == 0 {
            2
        } else {
            Win::MOST
        };
        Some(Win { winner, points })
    }

    /// Show the dice of an unfinished position that is not rolled.
    pub fn roll_dice(&mut self, roll: Roll) {
        debug_assert!(self.roll.is_none() && self.win().is_none() && !(self.opening && roll.is_double()));
        self.roll = Some(roll);
        self.opening = false;
    }

    /// Make a move that is legal after the roll, or after one that may come; the turn passes.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        mv.for_each_change(self.mover, |Change { player, point, gains }| self.change(player, point, gains));
        self.mover = self.mover.other();
        self.roll = None;
    }

    #[inline(always)]
    fn change(&mut self, player: Player, point: u8, gains: bool) {
        let side = player as usize;
        let count = &mut self.checkers[side][usize::from(point)];
        let key = KEYS[side][usize::from(point)];
        (*count, self.hash) =
            if gains { (*count + 1, self.hash.wrapping_add(key)) } else { (*count - 1, self.hash.wrapping_sub(key)) };
        let (one, two) = (u32::from(*count >= 1), u32::from(*count >= 2));
        let point = u32::from(point);
        // Off, bit 0, is no point.
        self.occupied[side] = (self.occupied[side] & !(1 << point) | one << point) & !1;
        self.made[side] = (self.made[side] & !(1 << point) | two << point) & !1;
    }

    /// The board and its mover, before any roll that may come.
    pub fn without_roll(self) -> Position {
        Position { roll: None, opening: false, ..self }
    }

    /// A hash of board, mover and roll, the same on every machine; and of whether the next roll is a game's first, for
    /// that changes what may come.
    pub fn key(&self) -> u64 {
        let roll = self.roll.map_or(0, |roll| 1 + u64::from(roll.id()));
        let state = self.mover as u64 | u64::from(self.opening) << 1 | roll << 2;
        mix(self.hash ^ mix(state))
    }
}

/// The points 1 to 24.
pub(super) const ON_POINTS: u32 = 0x01ff_fffe;
/// The points 1 to 6.
pub(super) const HOME: u32 = 0x7e;
/// The points 19 to 24, which are the opponent's home, and the bar.
const FARTHEST: u32 = 0x03f8_0000;

/// Points as the other side counts them.
#[inline(always)]
pub(super) fn turned(points: u32) -> u32 {
    points.reverse_bits() >> (u32::BITS - PLACES as u32)
}

/// The XGID.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.xgid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Heaps<'a> = &'a [(usize, u8)];

    /// A position from a few `(point, count)` of white and of black, each from its own side.
    fn place(white: Heaps, black: Heaps, mover: Player) -> Result<Position, SetupError> {
        let mut checkers = [[0; PLACES]; 2];
        for (side, list) in checkers.iter_mut().zip([white, black]) {
            list.iter().for_each(|&(point, count)| side[point] = count);
        }
        Position::set_up(checkers, mover, None)
    }

    #[test]
    fn games_are_worth_one_two_or_three() {
        use Player::{First, Second};
        type Case<'a> = (Heaps<'a>, Heaps<'a>, Option<(Player, u8)>);
        let cases: [Case; 8] = [
            (&[], &[(1, 14)], Some((First, 1))),
            (&[], &[(24, 14)], Some((First, 1))),
            (&[], &[(1, 15)], Some((First, 2))),
            (&[], &[(18, 1), (1, 14)], Some((First, 2))),
            (&[], &[(19, 1), (1, 14)], Some((First, 3))),
            (&[], &[(25, 1), (1, 14)], Some((First, 3))),
            (&[(24, 15)], &[], Some((Second, 3))),
            (&[(1, 1)], &[(1, 15)], None),
        ];
        for (white, black, expected) in cases {
            for mover in Player::BOTH {
                let win = place(white, black, mover).unwrap().win();
                assert_eq!(win.map(|win| (win.winner, win.points)), expected, "{white:?} {black:?}");
            }
        }
    }

    #[test]
    fn wrong_boards_are_refused() {
        let closed: Vec<(usize, u8)> = (1..=6).map(|point| (point, 2)).chain([(25, 1)]).collect();
        let cases: [(Heaps, Heaps, SetupError); 5] = [
            (&[(6, 16)], &[(1, 1)], SetupError::TooMany { player: Player::First, count: 16 }),
            (&[(1, 1)], &[(6, 255), (7, 255)], SetupError::TooMany { player: Player::Second, count: 510 }),
            (&[(6, 2)], &[(19, 1)], SetupError::Shared { point: 6 }),
            (&[], &[], SetupError::Empty),
            (&closed, &closed, SetupError::Deadlock),
        ];
        for (white, black, error) in cases {
            assert_eq!(place(white, black, Player::First), Err(error));
        }
        assert!(place(&[(25, 1)], &[(25, 1)], Player::First).is_ok(), "the bars are two places");
    }

    #[test]
    fn keys_tell_positions_apart() {
        let start = Position::opening();
        let set_up = Position::from_gnubg_id("4HPwATDgc/ABMA").unwrap();
        let rolled = |position: &Position, high, low| {
            let mut position = *position;
            position.roll_dice(Roll::new(high, low).unwrap());
            position
        };
        let keys = [start.key(), set_up.key(), rolled(&set_up, 3, 1).key(), rolled(&set_up, 3, 2).key()];
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{i}");
        }
        assert_eq!(rolled(&start, 3, 1).key(), rolled(&set_up, 3, 1).key());
        assert_eq!(rolled(&start, 3, 1), rolled(&set_up, 3, 1));
    }
}
