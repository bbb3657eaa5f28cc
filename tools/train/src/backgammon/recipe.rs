//! What is trained, and how.

/// Everything that determines a run but its seed; its debug form is what a run is known by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Hidden units of the network of contact.
    pub contact_units: usize,
    /// Hidden units of the network of races.
    pub race_units: usize,
    /// Games in all.
    pub games: u64,
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
    /// After which share of the games targets are averaged over all rolls.
    pub averaged_from: f64,
    /// Which share of the positions is learnt from then.
    pub averaged_share: f64,
    /// Pairs of games against the rival that a network is measured by.
    pub pairs: u32,
    /// Measurements in a run.
    pub rows: u64,
}

impl Recipe {
    /// That of the networks that come with the engine.
    pub const SHIPPED: Recipe = Recipe {
        contact_units: 128,
        race_units: 32,
        games: 700_000,
        batch_games: 256,
        batch_samples: 512,
        rate: 1.2e-3,
        scramble: 0.1,
        scramble_plies: 12,
        lambda: 0.9,
        lambda_end: 0.7,
        averaged_from: 1.0,
        averaged_share: 0.25,
        pairs: 1000,
        rows: 20,
    };

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
        self.lambda + (self.lambda_end - self.lambda) * self.progress(games)
    }

    /// Whether targets are averaged over all rolls after `games`.
    pub fn averages_at(&self, games: u64) -> bool {
        self.progress(games) >= self.averaged_from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_shares_fall() {
        let recipe = Recipe::SHIPPED;
        assert_eq!(
            (recipe.rate_at(0), recipe.lambda_at(0), recipe.averages_at(0)),
            (recipe.rate, recipe.lambda, false)
        );
        assert!(
            recipe.rate_at(recipe.games) < 0.011 * recipe.rate && recipe.lambda_at(recipe.games) == recipe.lambda_end
        );
        assert!(recipe.averages_at(recipe.games));
    }
}
