//! What a network sees of a position, of each side from that side of the board, the viewer's first.
//!
//! | features | of each side |
//! |---|---|
//! | 189 | the first, second, ... checker on each place, up to the [`most`] that are told apart there |
//! | 24 × 12 | a blot, and one of the opponent's points from which it can be hit, so many pips away |
//! | 5 × 64 | which of six neighbouring points are made |
//! | 7 × 64 | a checker on the opponent's home or on the bar, and which of the six points before it the opponent has made |
//! | 2 × 64 | how many pips away, 1 to 6 and 7 to 12, somebody stands who can hit some blot |
//!
//! Of the first kind a checker that leaves or comes is one feature less or more, whatever else stands there: search carries
//! their sums along. The others are read off the [`Bits`] of a position when it is evaluated, and only while there is
//! contact: races have networks that see the first kind alone.

use crate::eval::nn::{Curve, Featured, Group, Layout};
use crate::game::backgammon::{BAR, CHECKERS, Counted, OFF, PLACES, Position};
use crate::game::{Notation, Player};

/// How many checkers are told apart on a place.
pub const fn most(place: usize) -> usize {
    const ON_BAR: usize = 6;
    const ON_POINT: usize = 7;
    if place == OFF as usize {
        CHECKERS as usize
    } else if place == BAR as usize {
        ON_BAR
    } else {
        ON_POINT
    }
}

/// Where the features of a place begin among those of a side.
const STARTS: [usize; PLACES + 1] = {
    let mut starts = [0; PLACES + 1];
    let mut place = 0;
    while place < PLACES {
        starts[place + 1] = starts[place] + most(place);
        place += 1;
    }
    starts
};

/// Features of the checkers of one side, and of both.
const SIDE: usize = STARTS[PLACES];
const BOTH: usize = 2 * SIDE;
/// How far off a blot is in danger.
const REACH: usize = 12;
/// Features of the blots of one side.
const SHOTS: usize = (PLACES - 2) * REACH;
/// The points that windows begin at, and how many they have.
const WINDOWS: [u32; 5] = [1, 4, 7, 13, 19];
const WIDTH: u32 = 6;
/// Where windows begin among the features.
const WINDOW_START: usize = BOTH + 2 * SHOTS;
/// The first place from which a checker has to get away, and how many there are, up to the bar.
const BACK: usize = 19;
const BACK_PLACES: usize = PLACES - BACK;
/// Where checkers to get away begin among the features, those of one side, and where dangers begin.
const TRAPPED_START: usize = WINDOW_START + ((2 * WINDOWS.len()) << WIDTH);
const TRAPPED: usize = BACK_PLACES << WIDTH;
const DANGER_START: usize = TRAPPED_START + 2 * TRAPPED;
/// How many blots with points that threaten them a side is taken to have at most: it has fifteen checkers.
const MOST_SHOTS: usize = 30;

/// The `nth` checker, counted from 1, on a place; `side` is 0 for the viewer's own. `None` if it is not told apart.
pub const fn checker_feature(side: usize, place: usize, nth: usize) -> Option<usize> {
    if nth == 0 || nth > most(place) { None } else { Some(side * SIDE + STARTS[place] + nth - 1) }
}

/// A blot of a side on a point, and an enemy so many pips behind it.
const fn shot_feature(side: usize, point: usize, pips: usize) -> usize {
    BOTH + side * SHOTS + (point - 1) * REACH + pips - 1
}

/// What a side has made in a window.
const fn window_feature(side: usize, window: usize, made: usize) -> usize {
    WINDOW_START + ((side * WINDOWS.len() + window) << WIDTH) + made
}

/// A checker of a side on a place far back, and what the opponent has made before it.
const fn trapped_feature(side: usize, place: usize, made: usize) -> usize {
    TRAPPED_START + side * TRAPPED + ((place - BACK) << WIDTH) + made
}

/// The pips from which some blot of a side can be hit: those up to six, or those beyond.
const fn danger_feature(side: usize, far: usize, pips: usize) -> usize {
    DANGER_START + ((2 * side + far) << WIDTH) + pips
}

/// Where each side has checkers, as bits from its own side; the viewer comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// One checker or more.
    pub occupied: [u32; 2],
    /// Two or more.
    pub made: [u32; 2],
}

impl Bits {
    /// Those of a position.
    pub fn of(game: &Position, view: Player) -> Bits {
        let sides = [view, view.other()];
        Bits { occupied: sides.map(|side| game.occupied(side)), made: sides.map(|side| game.made(side)) }
    }

    /// Bring them up to a checker of a side that leaves a place or comes to one.
    #[inline(always)]
    pub fn change(&mut self, side: usize, checker: Counted) {
        // Off, bit 0, is no point.
        let bit = |nth: u8| (u32::from(checker.nth == nth) << checker.point) & !1;
        self.occupied[side] ^= bit(1);
        self.made[side] ^= bit(2);
    }

    /// The features that are read off when a position with contact is evaluated.
    #[inline(always)]
    pub fn each_feature(&self, mut take: impl FnMut(usize)) {
        for side in 0..2 {
            self.each_window(side, &mut take);
            self.each_trapped(side, &mut take);
            self.each_danger(side, &mut take);
        }
    }

    /// Those of the points that a side has made: no move of the other side changes them, for it hits blots alone.
    #[inline(always)]
    pub fn each_window(&self, side: usize, mut take: impl FnMut(usize)) {
        for (window, start) in WINDOWS.into_iter().enumerate() {
            take(window_feature(side, window, pattern(self.made[side] >> start)));
        }
    }

    /// Those of a side's checkers far back. They are the same for all positions where these stand on the same places ([`Bits::back`])
    /// and the other side has made the same points.
    #[inline(always)]
    pub fn each_trapped(&self, side: usize, mut take: impl FnMut(usize)) {
        let enemy_points = turned(self.made[1 - side]);
        let mut back = self.back(side);
        while back != 0 {
            let place = BACK + back.trailing_zeros() as usize;
            back &= back - 1;
            take(trapped_feature(side, place, pattern(enemy_points >> (place - WIDTH as usize))));
        }
    }

    /// The places far back where a side has checkers.
    #[inline(always)]
    pub fn back(&self, side: usize) -> u32 {
        self.occupied[side] >> BACK
    }

    /// Those of a side's blots, and of who can hit them.
    #[inline(always)]
    pub fn each_danger(&self, side: usize, mut take: impl FnMut(usize)) {
        let enemies = turned(self.occupied[1 - side]);
        let on_points = (1 << BAR) - 2;
        let mut blots = self.occupied[side] & !self.made[side] & on_points;
        let (mut shots, mut dangers) = (0, 0);
        while blots != 0 {
            let point = blots.trailing_zeros();
            blots &= blots - 1;
            // The points behind, the nearest in the highest bit.
            let mut behind = (u64::from(enemies) << REACH >> point) as u32 & ((1 << REACH) - 1);
            dangers |= behind;
            while behind != 0 && shots < MOST_SHOTS {
                let place = behind.trailing_zeros() as usize;
                behind &= behind - 1;
                take(shot_feature(side, point as usize, REACH - place));
                shots += 1;
            }
        }
        take(danger_feature(side, 0, pattern(dangers >> WIDTH)));
        take(danger_feature(side, 1, pattern(dangers)));
    }
}

/// The lowest bits, as many as a window has points.
#[inline(always)]
fn pattern(bits: u32) -> usize {
    (bits & ((1 << WIDTH) - 1)) as usize
}

/// The places of one side as the other counts them; its bar is behind point 1.
#[inline(always)]
fn turned(bits: u32) -> u32 {
    bits.reverse_bits() >> (u32::BITS - PLACES as u32)
}

/// The features of checkers alone.
fn checker_groups() -> Vec<Group> {
    vec![Group { features: SIDE, most: CHECKERS.into() }; 2]
}

/// What the units of all networks are, as a constant: a loop over leaves need not ask.
pub const CURVE: Curve = Curve::Squared;

/// A layout with the outputs and units of all networks.
fn layout_of(name: &'static str, groups: Vec<Group>) -> Layout {
    Layout { curve: CURVE, ..Layout::new(name, groups, 5) }
}

/// What the networks of races see.
pub fn race_layout() -> Layout {
    layout_of("backgammon-race", checker_groups())
}

impl Featured for Position {
    fn layout() -> Layout {
        let shots = [Group { features: SHOTS, most: MOST_SHOTS }; 2];
        let windows = [Group { features: 1 << WIDTH, most: 1 }; 2 * WINDOWS.len()];
        let trapped = [Group { features: TRAPPED, most: BACK_PLACES }; 2];
        let dangers = [Group { features: 1 << WIDTH, most: 1 }; 4];
        let groups = checker_groups().into_iter().chain(shots).chain(windows).chain(trapped).chain(dangers);
        layout_of(Position::NAME, groups.collect())
    }

    fn each_feature(&self, view: Player, mut take: impl FnMut(usize)) {
        for (side, owner) in [view, view.other()].into_iter().enumerate() {
            for (place, &count) in self.checkers(owner).iter().enumerate() {
                (1..=count.into()).filter_map(|nth| checker_feature(side, place, nth)).for_each(&mut take);
            }
        }
        if !self.is_race() {
            Bits::of(self, view).each_feature(take);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(game: &Position, view: Player) -> Vec<usize> {
        let mut found = Vec::new();
        game.each_feature(view, |feature| found.push(feature));
        found.sort();
        found
    }

    #[test]
    fn features_by_hand() {
        assert_eq!(Position::layout().features(), BOTH + 2 * SHOTS + 2 * 5 * 64 + 2 * 7 * 64 + 4 * 64);
        assert_eq!(race_layout().features(), BOTH);
        let heaps = [(6, 5), (8, 3), (13, 5), (24, 2)];
        let checkers = (0..2)
            .flat_map(|side| heaps.iter().flat_map(move |&(place, count)| (1..=count).map(move |n| (side, place, n))))
            .map(|(side, place, nth)| checker_feature(side, place, nth).unwrap());
        let windows = (0..2).flat_map(|side| {
            let made = [0b10_0000, 0b01_0100, 0b00_0010, 0b00_0001, 0b10_0000];
            made.into_iter().enumerate().map(move |(window, made)| window_feature(side, window, made))
        });
        // Before the checkers on 24 stands the point 19, and nobody threatens anybody.
        let trapped = (0..2).map(|side| trapped_feature(side, 24, 0b00_0010));
        let dangers = (0..2).flat_map(|side| (0..2).map(move |far| danger_feature(side, far, 0)));
        let expected: Vec<usize> = checkers.chain(windows).chain(trapped).chain(dangers).collect();
        assert_eq!(features(&Position::opening(), Player::Second), expected);
        let far = [checker_feature(0, 3, 7).is_some(), checker_feature(0, 3, 8).is_none()];
        assert_eq!((far, checker_feature(1, 25, 0)), ([true; 2], None));
    }

    /// Blots see who may hit them from up to twelve pips away, from the bar too.
    #[test]
    fn blots_see_who_may_hit_them() {
        let (mut white, mut black) = ([0; PLACES], [0; PLACES]);
        (white[7], white[14], white[3]) = (1, 1, 2);
        // Black's 25 is behind white's point 1, its 24 is white's 1, its 20 white's 5, and its 12 white's 13.
        (black[25], black[24], black[20], black[12]) = (1, 2, 1, 2);
        let game = Position::set_up([white, black], Player::First, None).unwrap();
        let shots: Vec<usize> =
            features(&game, Player::First).into_iter().filter(|f| (BOTH..WINDOW_START).contains(f)).collect();
        let mut expected = vec![
            shot_feature(0, 7, 7),
            shot_feature(0, 7, 6),
            shot_feature(0, 7, 2),
            shot_feature(0, 14, 9),
            shot_feature(0, 14, 1),
            // The blot on black's 20 is white's 5: white's points 7 and 14 are behind it.
            shot_feature(1, 20, 2),
            shot_feature(1, 20, 9),
        ];
        expected.sort();
        assert_eq!(shots, expected);
        let rest: Vec<usize> = features(&game, Player::First).into_iter().filter(|&f| f >= TRAPPED_START).collect();
        let expected = [
            // White has made its 3, which is black's 22: nearest to black's 25 but for two, and next to 24 but for one.
            trapped_feature(1, 20, 0b00_0000),
            trapped_feature(1, 24, 0b01_0000),
            trapped_feature(1, 25, 0b00_1000),
            // From 1 to 6 pips away white's blots can be hit from 6, 2 and 1; from 7 to 12 from 7 and 9. The nearest is the highest bit.
            danger_feature(0, 0, 0b11_0001),
            danger_feature(0, 1, 0b10_1000),
            danger_feature(1, 0, 0b01_0000),
            danger_feature(1, 1, 0b00_1000),
        ];
        assert_eq!(rest, expected);
    }

    #[test]
    fn features_are_all_different() {
        let places = (0..2).flat_map(|side| (0..PLACES).map(move |place| (side, place)));
        let checkers = places.flat_map(|(side, place)| (1..=15).filter_map(move |n| checker_feature(side, place, n)));
        let blots = (0..2).flat_map(|side| (1..=24).map(move |point| (side, point)));
        let shots = blots.flat_map(|(side, point)| (1..=REACH).map(move |pips| shot_feature(side, point, pips)));
        let windows = (0..2).flat_map(|side| (0..5).map(move |window| (side, window)));
        let made = windows.flat_map(|(side, window)| (0..64).map(move |made| window_feature(side, window, made)));
        let back = (0..2).flat_map(|side| (BACK..PLACES).map(move |place| (side, place)));
        let trapped = back.flat_map(|(side, place)| (0..64).map(move |made| trapped_feature(side, place, made)));
        let sides = (0..2).flat_map(|side| (0..2).map(move |far| (side, far)));
        let dangers = sides.flat_map(|(side, far)| (0..64).map(move |pips| danger_feature(side, far, pips)));
        let all: Vec<usize> = checkers.chain(shots).chain(made).chain(trapped).chain(dangers).collect();
        assert_eq!(all, (0..Position::layout().features()).collect::<Vec<_>>());
    }
}
