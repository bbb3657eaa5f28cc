//! A move as the change that it makes to the board.
//!
//! Many sequences of steps lead to one position. A move keeps none of them, only the points that lose a checker of the
//! mover's, those that gain one, and those where an opponent's checker is hit: points that a checker merely passes cancel
//! out. So two moves of one decision are equal exactly if the positions after them are, and what an evaluation must
//! bring up to date can be read off.
//!
//! | bits | contents |
//! |---|---|
//! | 0–19 | points left, five bits each, the highest point in the highest bits; unused fields are 0 |
//! | 20–39 | points reached, as many as are left, in the same order; 0 is off |
//! | 40–59 | points where the opponent is hit, in the same order; unused fields are 0 |

use super::{BAR, PLACES};
use crate::game::Player;
use crate::game::mix;
use std::fmt;

const FIELD: u32 = 5;
const LIST: u32 = 20;
const FIELD_MASK: u64 = (1 << FIELD) - 1;
const LIST_MASK: u64 = (1 << LIST) - 1;

/// A legal way to play a roll; points are seen from the mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u64);

/// A point that gains or loses a checker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// Whose checker.
    pub player: Player,
    /// The point from that player's own side: 0 is off, 25 the bar.
    pub point: u8,
    /// Whether the point gains the checker.
    pub gains: bool,
}

/// A checker that leaves a place or comes to one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Whether it is the mover's.
    pub own: bool,
    /// The place from its owner's side: 0 is off, 25 the bar.
    pub point: u8,
    /// Which of the checkers there it is, counted from 1.
    pub nth: u8,
    /// Whether it comes.
    pub comes: bool,
}

impl Move {
    /// The move where no checker can be played.
    pub const PASS: Move = Move(0);

    /// A move from its three lists, each packed as above.
    #[inline(always)]
    pub(super) fn pack(left: u32, reached: u32, hits: u32) -> Move {
        debug_assert!((left | reached | hits) >> LIST == 0);
        Move(u64::from(left) | u64::from(reached) << LIST | u64::from(hits) << (2 * LIST))
    }

    /// The move that takes steps in any order, each from a point to a lower one, hitting on some of the points.
    pub(super) fn from_steps(steps: &[(u8, u8)], hits: u32) -> Move {
        let mut gains = [0_i8; BAR as usize + 1];
        for &(from, to) in steps {
            gains[usize::from(from)] -= 1;
            gains[usize::from(to)] += 1;
        }
        let list = |sign: i8| {
            let points = (0..=BAR).rev().flat_map(|point| {
                let times = (gains[usize::from(point)] * sign).max(0) as usize;
                std::iter::repeat_n(point, times)
            });
            points.fold(0, push)
        };
        let hits = (1..BAR).rev().filter(|point| hits >> point & 1 == 1).fold(0, push);
        Move::pack(list(-1), list(1), hits)
    }

    /// How many checkers end on another point than they began.
    pub fn checkers(self) -> usize {
        fields(self.0 & LIST_MASK)
    }

    /// The points that lose a checker, the highest first.
    pub fn left(self) -> impl DoubleEndedIterator<Item = u8> {
        unpack(self.0 & LIST_MASK, self.checkers())
    }

    /// The points that gain a checker, the highest first; as many as [`Move::left`] gives.
    pub fn reached(self) -> impl DoubleEndedIterator<Item = u8> {
        unpack(self.0 >> LIST & LIST_MASK, self.checkers())
    }

    /// The points where the opponent is hit, the highest first.
    pub fn hits(self) -> impl DoubleEndedIterator<Item = u8> {
        let list = self.0 >> (2 * LIST);
        unpack(list, fields(list))
    }

    /// Tell `take` what the move changes on the board when `mover` makes it.
    #[inline(always)]
    pub fn for_each_change(self, mover: Player, mut take: impl FnMut(Change)) {
        let (mut left, mut reached, mut hits) = (self.0 & LIST_MASK, self.0 >> LIST, self.0 >> (2 * LIST));
        while left != 0 {
            take(Change { player: mover, point: (left & FIELD_MASK) as u8, gains: false });
            take(Change { player: mover, point: (reached & FIELD_MASK) as u8, gains: true });
            (left, reached) = (left >> FIELD, reached >> FIELD);
        }
        while hits != 0 {
            take(Change { player: mover.other(), point: BAR - (hits & FIELD_MASK) as u8, gains: false });
            take(Change { player: mover.other(), point: BAR, gains: true });
            hits >>= FIELD;
        }
    }

    /// The same for what counts checkers: `take` is told of every checker that leaves a place or comes to one which it is
    /// there, the first, the second and so on, given the checkers of the mover and of the opponent before the move.
    #[inline(always)]
    pub fn for_each_checker(self, own: &[u8; PLACES], other: &[u8; PLACES], mut take: impl FnMut(Counted)) {
        let (mut left, mut reached, mut hits) = (self.0 & LIST_MASK, self.0 >> LIST, self.0 >> (2 * LIST));
        // Equal points stand next to each other; no point is 31.
        let (mut from, mut gone, mut to, mut come) = (FIELD_MASK, 0, FIELD_MASK, 0);
        while left != 0 {
            gone = if left & FIELD_MASK == from { gone + 1 } else { 0 };
            from = left & FIELD_MASK;
            take(Counted { own: true, point: from as u8, nth: own[from as usize] - gone, comes: false });
            come = if reached & FIELD_MASK == to { come + 1 } else { 1 };
            to = reached & FIELD_MASK;
            take(Counted { own: true, point: to as u8, nth: own[to as usize] + come, comes: true });
            (left, reached) = (left >> FIELD, reached >> FIELD);
        }
        let mut on_bar = other[usize::from(BAR)];
        while hits != 0 {
            take(Counted { own: false, point: BAR - (hits & FIELD_MASK) as u8, nth: 1, comes: false });
            on_bar += 1;
            take(Counted { own: false, point: BAR, nth: on_bar, comes: true });
            hits >>= FIELD;
        }
    }

    /// A hash of the move, for tables of what moves were worth elsewhere.
    pub fn code(self) -> u16 {
        (mix(self.0) >> 48) as u16
    }
}

/// A list with one more point, which must not be higher than those before it.
#[inline(always)]
pub(super) fn push(list: u32, point: u8) -> u32 {
    list << FIELD | u32::from(point)
}

/// A list without one of its points.
pub(super) fn remove(list: u32, point: u8) -> u32 {
    for shift in [0, FIELD, 2 * FIELD, 3 * FIELD] {
        if (list >> shift) & FIELD_MASK as u32 == u32::from(point) {
            let below = (1 << shift) - 1;
            return (list & below) | (list >> FIELD & !below);
        }
    }
    list
}

/// Whether a point is one of a list.
pub(super) fn holds(list: u32, point: u8) -> bool {
    [0, FIELD, 2 * FIELD, 3 * FIELD].iter().any(|&shift| (list >> shift) & FIELD_MASK as u32 == u32::from(point))
}

/// How many fields a list has whose first is not 0.
fn fields(list: u64) -> usize {
    (u64::BITS - list.leading_zeros()).div_ceil(FIELD) as usize
}

fn unpack(list: u64, count: usize) -> impl DoubleEndedIterator<Item = u8> {
    (0..count as u32).rev().map(move |i| (list >> (i * FIELD) & FIELD_MASK) as u8)
}

/// The changes: points left, points reached, points hit.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |points: &mut dyn Iterator<Item = u8>| points.map(|p| p.to_string()).collect::<Vec<_>>().join(",");
        write!(f, "{}>{}x{}", list(&mut self.left()), list(&mut self.reached()), list(&mut self.hits()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_pass_a_point_cancel_out() {
        type Case<'a> = (&'a [(u8, u8)], &'a [u8], &'a str);
        let cases: [Case; 7] = [
            (&[], &[], ">x"),
            (&[(24, 20), (20, 16)], &[20], "24>16x20"),
            (&[(20, 16), (24, 20)], &[], "24>16x"),
            (&[(6, 5), (13, 11)], &[5], "13,6>11,5x5"),
            (&[(5, 0), (6, 0)], &[], "6,5>0,0x"),
            (&[(25, 19), (25, 19), (19, 13), (24, 18)], &[18, 19], "25,25,24>19,18,13x19,18"),
            (&[(8, 4), (8, 4), (8, 4), (8, 4)], &[], "8,8,8,8>4,4,4,4x"),
        ];
        for (steps, hits, text) in cases {
            let mask = hits.iter().fold(0, |mask, hit| mask | 1 << hit);
            assert_eq!(format!("{:?}", Move::from_steps(steps, mask)), text);
        }
    }

    #[test]
    fn lists_lose_the_point_that_is_named() {
        let list = [20, 16, 16, 3].into_iter().fold(0, push);
        assert!(holds(list, 3) && holds(list, 20) && !holds(list, 4));
        assert_eq!(remove(list, 16), [20, 16, 3].into_iter().fold(0, push));
        assert_eq!(remove(list, 20), [16, 16, 3].into_iter().fold(0, push));
        assert_eq!(remove(list, 3), [20, 16, 16].into_iter().fold(0, push));
        assert_eq!(remove(list, 9), list);
    }

    #[test]
    fn checkers_are_counted_where_they_leave_and_come() {
        let (mut own, mut other) = ([0; PLACES], [0; PLACES]);
        (own[8], own[4], own[6], other[21], other[25]) = (3, 1, 2, 1, 1);
        let mv = Move::from_steps(&[(8, 4), (8, 4), (6, 2), (6, 2)], 1 << 2);
        let mut found = Vec::new();
        mv.for_each_checker(&own, &other, |c| found.push((c.own, c.point, c.nth, c.comes)));
        found.sort();
        let theirs = [(false, 23, 1, false), (false, 25, 2, true)];
        let mine = [
            (true, 2, 1, true),
            (true, 2, 2, true),
            (true, 4, 2, true),
            (true, 4, 3, true),
            (true, 6, 1, false),
            (true, 6, 2, false),
            (true, 8, 2, false),
            (true, 8, 3, false),
        ];
        assert_eq!(found, [&theirs[..], &mine].concat());
    }

    #[test]
    fn changes_are_in_the_view_of_the_checker_s_owner() {
        let mv = Move::from_steps(&[(13, 11), (6, 5)], 1 << 5);
        let own = |point, gains| Change { player: Player::Second, point, gains };
        let theirs = |point, gains| Change { player: Player::First, point, gains };
        let changes = |mv: Move| {
            let mut changes = Vec::new();
            mv.for_each_change(Player::Second, |change| changes.push(change));
            changes
        };
        let expected =
            [own(6, false), own(5, true), own(13, false), own(11, true), theirs(20, false), theirs(25, true)];
        assert_eq!(changes(mv), expected);
        assert_eq!(changes(Move::PASS), []);
    }
}
