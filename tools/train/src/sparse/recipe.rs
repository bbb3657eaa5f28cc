//! What is trained, and how.

/// Everything that determines a run but its seed; its debug form is what a run is known by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Hidden units, images of the board not counted.
    pub units: usize,
    /// Games in all.
    pub games: u64,
    /// Games played between two sets of weights.
    pub batch_games: u64,
    /// Positions a step of the gradient is averaged over.
    pub batch_samples: usize,
    /// The length of a step at the start; it falls along a cosine.
    pub rate: f32,
    /// How often a move is played at random.
    pub explore: f64,
    /// How often a game starts with random plies, and how many at most.
    pub scramble: f64,
    /// How many random plies at most.
    pub scramble_plies: usize,
    /// The share of what came after in a target, at the start; it falls in a straight line until half the games are played.
    pub lambda: f64,
    /// That share from there on.
    pub late_lambda: f64,
    /// Pairs of games against the rival that a network is measured by.
    pub pairs: u32,
    /// Measurements in a run.
    pub rows: u64,
}

impl Recipe {
    /// That of EinStein's shipped network.
    pub const EINSTEIN: Recipe = Recipe {
        units: 16,
        games: 400_000,
        batch_games: 512,
        batch_samples: 1024,
        rate: 4e-3,
        explore: 0.1,
        scramble: 0.3,
        scramble_plies: 12,
        lambda: 0.7,
        late_lambda: 0.0,
        pairs: 1000,
        rows: 20,
    };

    /// That of the shipped network of dark chess.
    pub const DARK_CHESS: Recipe = Recipe {
        units: 32,
        games: 40_960,
        batch_games: 256,
        batch_samples: 1024,
        rate: 1e-3,
        explore: 0.1,
        scramble: 0.3,
        scramble_plies: 24,
        lambda: 0.7,
        late_lambda: 0.0,
        pairs: 200,
        rows: 10,
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
        let early = 1.0 - (2.0 * self.progress(games)).min(1.0);
        self.late_lambda + (self.lambda - self.late_lambda) * early
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_shares_fall() {
        let recipe = Recipe::EINSTEIN;
        assert_eq!((recipe.rate_at(0), recipe.lambda_at(0)), (recipe.rate, recipe.lambda));
        assert!(recipe.rate_at(recipe.games) < 0.011 * recipe.rate && recipe.lambda_at(recipe.games / 2) == 0.0);
    }
}
