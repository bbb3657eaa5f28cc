//! What a network of a game sees, defined once for engine and trainer.

use crate::game::{Game, Player};

/// Consecutive features of which only some can be there at once, such as the cells of one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// How many features.
    pub features: usize,
    /// How many of them a position has at most.
    pub most: usize,
}

/// What a hidden unit makes of its sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Curve {
    /// The sum itself, clipped to where the unit is empty and where it is full.
    Clipped,
    /// The square of that: a unit that fills smoothly says more.
    Squared,
}

impl Curve {
    /// Binary digits that a square drops, so that it fits 16 bits.
    pub const SQUARE_BITS: u32 = 6;

    /// What a sum comes to in a unit that is full at `one`.
    pub fn level(self, sum: i32, one: i32) -> i32 {
        let clipped = sum.clamp(0, one);
        match self {
            Curve::Clipped => clipped,
            Curve::Squared => (clipped * clipped) >> Curve::SQUARE_BITS,
        }
    }

    /// The most that a unit may be full at.
    pub const fn most(self) -> i16 {
        match self {
            Curve::Clipped => i16::MAX,
            // The upper half of a product drops 16 digits: both factors are shifted by five, and still fit 16 bits.
            Curve::Squared => 1023,
        }
    }
}

/// The inputs and outputs of a game's networks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The game's name.
    pub game: &'static str,
    /// All features in order.
    pub groups: Vec<Group>,
    /// How many outputs there are.
    pub outputs: usize,
    /// What its units are.
    pub curve: Curve,
    /// For every image of the board under which the game is the same, the board itself first: the feature that each feature
    /// is there. Every unit looks at all of them.
    pub images: Vec<Vec<u16>>,
    /// Whether a position may have one feature of a group several times, as often as it has any of them.
    pub repeats: bool,
}

impl Layout {
    /// A layout of clipped units, of a board that is its only image.
    pub fn new(game: &'static str, groups: Vec<Group>, outputs: usize) -> Layout {
        let mut layout = Layout { game, groups, outputs, curve: Curve::Clipped, images: Vec::new(), repeats: false };
        layout.images.push((0..layout.features() as u16).collect());
        layout
    }

    /// How many features there are.
    pub fn features(&self) -> usize {
        self.groups.iter().map(|group| group.features).sum()
    }

    /// The least and the greatest sum of one number for each feature that a position can have, starting from `bias`.
    pub fn extremes(&self, bias: f64, numbers: impl Iterator<Item = f64>) -> (f64, f64) {
        let mut numbers = numbers.fuse();
        let (mut least, mut greatest) = (bias, bias);
        for group in &self.groups {
            let mut mine: Vec<f64> = numbers.by_ref().take(group.features).collect();
            mine.sort_by(f64::total_cmp);
            if self.repeats {
                let end = |x: Option<&f64>| group.most as f64 * x.copied().unwrap_or_default();
                least += end(mine.first()).min(0.0);
                greatest += end(mine.last()).max(0.0);
                continue;
            }
            least += mine.iter().take(group.most).map(|x| x.min(0.0)).sum::<f64>();
            greatest += mine.iter().rev().take(group.most).map(|x| x.max(0.0)).sum::<f64>();
        }
        (least, greatest)
    }
}

/// A game whose positions have features.
pub trait Featured: Game {
    /// What they are.
    fn layout() -> Layout;

    /// The features of this position as `view` sees it, in any order, whatever chance has brought last if the game's
    /// evaluation ignores that.
    fn each_feature(&self, view: Player, take: impl FnMut(usize));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_of_features_that_repeat_take_one_again_and_again() {
        let mut layout = Layout::new("test", vec![Group { features: 3, most: 2 }, Group { features: 2, most: 3 }], 1);
        layout.repeats = true;
        let extremes = |numbers: [i32; 5]| layout.extremes(1.0, numbers.into_iter().map(f64::from));
        assert_eq!(extremes([1, -2, 3, 4, 5]), (-3.0, 22.0));
        assert_eq!(extremes([1, 2, 3, -4, -5]), (-14.0, 7.0));
    }

    #[test]
    fn extremes_take_the_most_of_each_group() {
        let layout = Layout::new("test", vec![Group { features: 3, most: 1 }, Group { features: 4, most: 2 }], 1);
        assert_eq!((layout.features(), layout.images[0].len()), (7, 7));
        let cases: [([i32; 7], (f64, f64)); 3] = [
            ([1, 2, 3, 4, 5, 6, 7], (10.0, 26.0)),
            ([-1, -2, 3, -4, 5, -6, 7], (-2.0, 25.0)),
            ([-1, -2, -3, -4, -5, -6, -7], (-6.0, 10.0)),
        ];
        for (numbers, extremes) in cases {
            assert_eq!(layout.extremes(10.0, numbers.into_iter().map(f64::from)), extremes, "{numbers:?}");
        }
    }
}
