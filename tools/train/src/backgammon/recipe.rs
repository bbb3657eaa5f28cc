//! What is trained, and how.

use crate::sparse::draws::{Draws, Purpose};

/// Everything that determines a run but its seed; its debug form is what a run is known by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Hidden units of the network of contact.
    pub contact_units: usize,
    /// Hidden units of the network of races.
    pub race_units: usize,
    /// Games learnt from in all.
    pub games: u64,
    /// How many of them are different games, if games are learnt from once more when so many have been played.
    pub different: Option<u64>,
    /// Games of a teacher beside those, in which the error is measured and which are not learnt from.
    pub unseen_games: u64,
    /// Games played between two sets of weights.
    pub batch_games: u64,
    /// Positions a step of the gradient is averaged over.
    pub batch_samples: usize,
    /// The length of a step at the start; it falls along a cosine.
    pub rate: f32,
    /// How often a game starts with random plies.
    pub scramble: f64,
    /// How many random plies at most.
    pub scramble_plies: usize,
    /// The share of what came after in a target, at the start; it falls in a straight line.
    pub lambda: f64,
    /// The same at the end. With 0 targets are the network's own opinion alone, and it gets worse.
    pub lambda_end: f64,
    /// After which share of the games luck is taken off: what each roll brought, beside the mean of all rolls, is not learnt from.
    pub luckless_from: f64,
    /// The share of what came after in a target, from then on.
    pub luckless_lambda: f64,
    /// Times that a batch of such games is learnt from: they take long to play.
    pub luckless_passes: usize,
    /// In such games one more move is looked at each turn, drawn from those that are worth at most so many points less than the
    /// best: moves that are never made would never be found to be better than they were thought.
    pub near: f64,
    /// How often it is made.
    pub explore: f64,
    /// After which share of the games weights are averaged.
    pub mean_from: f64,
    /// Pairs of games against the rival that a network is measured by.
    pub pairs: u32,
    /// Measurements in a run.
    pub rows: u64,
}

impl Recipe {
    /// That of networks that learn from games of their own.
    pub const OWN: Recipe = Recipe {
        contact_units: 128,
        race_units: 32,
        games: 300_000,
        different: None,
        unseen_games: 0,
        batch_games: 256,
        batch_samples: 512,
        rate: 8e-4,
        scramble: 0.1,
        scramble_plies: 12,
        lambda: 0.9,
        lambda_end: 0.7,
        luckless_from: 0.3,
        luckless_lambda: 0.95,
        luckless_passes: 3,
        near: 0.35,
        explore: 0.08,
        mean_from: 0.85,
        pairs: 1000,
        rows: 20,
    };

    /// That of networks that learn from the games of a teacher, whose opinions stand still: from all that it takes to
    /// play so well, but with none of the weights that it took to get there. All its games are learnt from again and
    /// again, each time in another order.
    pub const TAUGHT: Recipe = Recipe {
        games: 8 * Recipe::TAUGHT_DIFFERENT,
        different: Some(Recipe::TAUGHT_DIFFERENT),
        unseen_games: 1000,
        batch_games: 2048,
        luckless_from: 0.0,
        luckless_passes: 1,
        ..Recipe::OWN
    };

    /// How many games a teacher plays.
    const TAUGHT_DIFFERENT: u64 = 120_000;

    /// That of a run with or without a teacher.
    pub fn usual(taught: bool) -> Recipe {
        if taught { Recipe::TAUGHT } else { Recipe::OWN }
    }

    /// How far a run has come, from 0 to 1.
    fn progress(&self, games: u64) -> f64 {
        (games as f64 / self.games.max(1) as f64).min(1.0)
    }

    /// The length of a step after `games`.
    pub fn rate_at(&self, games: u64) -> f32 {
        // 1 − 2x² + x⁴ falls from 1 to 0 as a cosine does, and is the same on every machine.
        let x = self.progress(games);
        let fall = (1.0 - x * x) * (1.0 - x * x);
        self.rate * (0.01 + 0.99 * fall as f32)
    }

    /// The share of what came after in a target, after `games`.
    pub fn lambda_at(&self, games: u64) -> f64 {
        if self.is_luckless_at(games) {
            return self.luckless_lambda;
        }
        self.lambda + (self.lambda_end - self.lambda) * self.progress(games)
    }

    /// Whether luck is taken off after `games`.
    pub fn is_luckless_at(&self, games: u64) -> bool {
        self.progress(games) >= self.luckless_from
    }

    /// Which games are the next `count` to be learnt from after `games`: once all are played, each pass over them has an
    /// order of its own.
    pub fn numbers_after(&self, games: u64, count: u64, seed: u64) -> Vec<u64> {
        let Some(different) = self.different.map(|different| different.max(1)) else {
            return (games..games + count).collect();
        };
        let mut numbers = Vec::new();
        let end = games + count;
        let mut next = games;
        while next < end {
            let pass = next / different;
            let mut order: Vec<u64> = (0..different).collect();
            if pass > 0 {
                Draws::new(seed, Purpose::Again, pass).shuffle(&mut order);
            }
            let places = (next - pass * different)..(end - pass * different).min(different);
            next += places.end - places.start;
            numbers.extend(&order[places.start as usize..places.end as usize]);
        }
        numbers
    }

    /// Which games of a teacher show the error in what is not learnt from.
    pub fn unseen_numbers(&self) -> Vec<u64> {
        let first = self.different.unwrap_or(self.games);
        (first..first + self.unseen_games).collect()
    }

    /// Times that the batch that starts after `games` is learnt from.
    pub fn passes_at(&self, games: u64) -> usize {
        if self.is_luckless_at(games) { self.luckless_passes } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_shares_fall() {
        let recipe = Recipe::OWN;
        let at = |games: u64| (recipe.lambda_at(games), recipe.is_luckless_at(games), recipe.passes_at(games));
        assert_eq!((recipe.rate_at(0), at(0)), (recipe.rate, (recipe.lambda, false, 1)));
        assert!(recipe.rate_at(recipe.games) < 0.011 * recipe.rate);
        assert_eq!(at(recipe.games), (recipe.luckless_lambda, true, recipe.luckless_passes));
        let last = (recipe.luckless_from * recipe.games as f64) as u64 - 1;
        let fallen = recipe.lambda + (recipe.lambda_end - recipe.lambda) * recipe.luckless_from;
        assert!((recipe.lambda_at(last) - fallen).abs() < 1e-3 && !recipe.is_luckless_at(last));
    }

    /// However they are cut into batches.
    #[test]
    fn games_come_again_in_another_order() {
        let own = Recipe::OWN;
        assert_eq!(own.numbers_after(1000, 3, 7), [1000, 1001, 1002]);
        let recipe = Recipe { different: Some(50), ..Recipe::TAUGHT };
        let whole = recipe.numbers_after(0, 150, 7);
        let parts: Vec<u64> = (0..150).step_by(30).flat_map(|games| recipe.numbers_after(games, 30, 7)).collect();
        assert_eq!(whole, parts);
        let mut passes: Vec<Vec<u64>> = whole.chunks(50).map(<[u64]>::to_vec).collect();
        assert!(passes[0].is_sorted() && !passes[1].is_sorted() && passes[1] != passes[2]);
        passes.iter_mut().for_each(|pass| pass.sort());
        assert!(passes.iter().all(|pass| *pass == (0..50).collect::<Vec<_>>()));
        assert_ne!(recipe.numbers_after(50, 50, 8), whole[50..100]);
    }

    #[test]
    fn unseen_games_are_never_learnt_from() {
        for different in [None, Some(50)] {
            let recipe = Recipe { games: 150, different, unseen_games: 7, ..Recipe::TAUGHT };
            let (learnt, unseen) = (recipe.numbers_after(0, recipe.games, 7), recipe.unseen_numbers());
            assert_eq!((learnt.len(), unseen.len()), (150, 7));
            assert!(unseen.iter().all(|number| !learnt.contains(number)), "{unseen:?}");
        }
    }
}
