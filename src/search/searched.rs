//! A game with all that it takes to be searched.

use super::{Limits, Report, Searcher, Settings, Stop, Verdict};
use crate::eval::Evaluated;
use crate::game::{backgammon, darkchess, einstein};

/// A game that can be searched under the evaluations it offers. Some change to a quicker form of position first.
pub trait Searched: Evaluated {
    /// Search this position, telling `handler` how it goes.
    fn search(
        &self,
        searcher: &mut Searcher,
        evaluator: &Self::Evaluator,
        settings: &Settings,
        limits: &Limits<Self::Move>,
        stop: &Stop,
        handler: &mut dyn FnMut(Report<Self::Move>),
    ) -> Verdict<Self::Move>;
}

/// Positions that are searched as they are. (Written out for each game, not provided by the trait: so the search of a game
/// is compiled once, here, and not again in every program that uses it.)
macro_rules! searched_as_it_is {
    ($($position:ty),*) => {$(
        impl Searched for $position {
            fn search(
                &self,
                searcher: &mut Searcher,
                evaluator: &Self::Evaluator,
                settings: &Settings,
                limits: &Limits<Self::Move>,
                stop: &Stop,
                handler: &mut dyn FnMut(Report<Self::Move>),
            ) -> Verdict<Self::Move> {
                searcher.search(self, evaluator, settings, limits, stop, handler)
            }
        }
    )*};
}

searched_as_it_is!(einstein::Position, backgammon::Position);

impl Searched for darkchess::Position {
    fn search(
        &self,
        searcher: &mut Searcher,
        evaluator: &Self::Evaluator,
        settings: &Settings,
        limits: &Limits<Self::Move>,
        stop: &Stop,
        handler: &mut dyn FnMut(Report<Self::Move>),
    ) -> Verdict<Self::Move> {
        match settings.flip_limit {
            0 => searcher.search(self, evaluator, settings, limits, stop, handler),
            flips => searcher.search(&self.with_flip_limit(flips), evaluator, settings, limits, stop, handler),
        }
    }
}
