//! What a network sees of a position: for every place, from its owner's side, how many checkers stand there.
//!
//! Of each side, the viewer's first: the first, second, ... checker on each place is a feature of its own, up to the
//! [`most`] that are told apart there. So a checker that leaves or comes is one feature less or more, whatever else stands
//! there, and a side has no more features than checkers.

use crate::eval::nn::{Featured, Group, Layout};
use crate::game::backgammon::{BAR, CHECKERS, OFF, PLACES, Position};
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

/// Features of one side.
const SIDE: usize = STARTS[PLACES];

/// The `nth` checker, counted from 1, on a place; `side` is 0 for the viewer's own. `None` if it is not told apart.
pub const fn feature(side: usize, place: usize, nth: usize) -> Option<usize> {
    if nth == 0 || nth > most(place) { None } else { Some(side * SIDE + STARTS[place] + nth - 1) }
}

/// What is known of the networks of races, but for how they are called.
pub fn race_layout() -> Layout {
    Layout { game: "backgammon-race", ..Position::layout() }
}

impl Featured for Position {
    fn layout() -> Layout {
        Layout::new(Position::NAME, vec![Group { features: SIDE, most: CHECKERS.into() }; 2], 5)
    }

    fn each_feature(&self, view: Player, mut take: impl FnMut(usize)) {
        for (side, owner) in [view, view.other()].into_iter().enumerate() {
            for (place, &count) in self.checkers(owner).iter().enumerate() {
                (1..=count.into()).filter_map(|nth| feature(side, place, nth)).for_each(&mut take);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_by_hand() {
        assert_eq!(Position::layout().features(), 2 * (24 * 7 + 6 + 15));
        let start = Position::opening();
        let mut found = Vec::new();
        start.each_feature(Player::Second, |feature| found.push(feature));
        let heaps = [(6, 5), (8, 3), (13, 5), (24, 2)];
        let expected: Vec<usize> = (0..2)
            .flat_map(|side| heaps.iter().flat_map(move |&(place, count)| (1..=count).map(move |n| (side, place, n))))
            .map(|(side, place, nth)| feature(side, place, nth).unwrap())
            .collect();
        assert_eq!(found, expected);
        assert_eq!((feature(0, 3, 7).is_some(), feature(0, 3, 8), feature(1, 25, 0)), (true, None, None));
    }

    #[test]
    fn features_are_all_different() {
        let places = (0..2).flat_map(|side| (0..PLACES).map(move |place| (side, place)));
        let all: Vec<usize> =
            places.flat_map(|(side, place)| (1..=15).filter_map(move |nth| feature(side, place, nth))).collect();
        assert_eq!(all, (0..2 * SIDE).collect::<Vec<_>>());
    }
}
