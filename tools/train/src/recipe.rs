//! What is trained, and how: the two recipes.

use crate::model::Build;
use alea::eval::dice::features::FeatureSet;
use alea::game::dice::Shape;
use std::fmt;

/// Which recipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Name {
    /// Veness 2006: checkers and streaks, 10 to 30 units, TD(0), depth-1 self-play.
    Thesis,
    /// What the shipped networks are made with: live segments and threats, by place on the smallest boards and counted on the
    /// others.
    Strong,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Name::Thesis => "thesis",
            Name::Strong => "strong",
        })
    }
}

/// Everything that determines a run but its seed; its debug form is what a checkpoint knows a run by.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The shape to train for.
    pub shape: Shape,
    /// What the network sees.
    pub set: FeatureSet,
    /// Hidden units of the finished network, mirror images not counted.
    pub units: usize,
    /// Whether the network has a straight part, which takes two of the units: a sum that is never clipped.
    pub straight: bool,
    /// Whether the network is the mean of what the weights were in the second half of the run.
    pub average: bool,
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
    /// How often a game starts with random plies.
    pub scramble: f64,
    /// How many random plies at most.
    pub scramble_plies: usize,
    /// How fast weights learn that belong to one place on the board, against those that all places share.
    pub local_rate: f32,
    /// The share of what came after in a target, at the start; it falls in a straight line.
    pub lambda: f64,
    /// The same at half the games, and from then on.
    pub lambda_end: f64,
    /// After which share of the games luck is taken off: all rolls are looked at, and what the one that came brought, beside their
    /// mean, is not learnt from.
    pub luckless_from: f64,
    /// How many rolls a target is averaged over, before that; 0 for the one that was rolled, as TD(0) has it.
    pub rolls: usize,
    /// Positions with no more empty cells than this are swept: they get their exact worth as target.
    pub solve: usize,
    /// Games that are played on from a position that is swept.
    pub fan: usize,
    /// Times that a batch is learnt from.
    pub passes: usize,
}

/// Hidden units of the thesis: 10, 15, 20, 30 for boards of 5, 9, 13, 17, and in proportion between.
fn thesis_units(size: usize) -> usize {
    match size {
        ..=5 => 10,
        6..=9 => 10 + (size - 5) * 5 / 4,
        10..=13 => 15 + (size - 9) * 5 / 4,
        _ => 20 + (size - 13) * 10 / 4,
    }
}

/// Games of the strong recipe: as many as a minute or two of one core allow, a few minutes where positions are swept or all
/// rolls looked at.
fn strong_games(shape: Shape) -> u64 {
    match (shape.size(), shape.win()) {
        (..=5, _) => 6400,
        (6..=10, ..=6) => 200_000,
        (6..=10, _) => 100_000,
        (11.., 7..) => 40_000,
        _ => 60_000,
    }
}

/// The strong recipe, in two sizes. On the smallest boards targets are exact, from the book and by sweeps, and every place learns for itself; games are few, for a sweep costs more than steps, so each batch is learnt from many times. On larger ones
/// the network only counts, there is less random play to learn from, and targets take most from how the game went on: there are
/// too many moves between a position and the end for one-step targets, and a network that learns from its own opinion alone
/// may be carried away by it. Up to ten lines and six in a row luck is taken off: a turn has few rolls there, and all are soon looked
/// at. Races to four on the largest boards have a recipe of their own.
fn strong(shape: Shape, games: Option<u64>) -> Recipe {
    let small = Recipe {
        shape,
        set: FeatureSet::Lines,
        units: 8,
        straight: false,
        average: true,
        games: games.unwrap_or(strong_games(shape)),
        batch_games: 64,
        batch_samples: 1024,
        rate: 4e-3,
        explore: 0.2,
        scramble: 0.7,
        scramble_plies: shape.size() * shape.size() * 2 / 3,
        local_rate: 1.0,
        lambda: 0.5,
        lambda_end: 0.0,
        luckless_from: 1.0,
        rolls: 5,
        solve: 17,
        fan: 8,
        passes: 12,
    };
    let large = Recipe {
        set: FeatureSet::Counts,
        units: 32,
        average: true,
        batch_games: 128,
        batch_samples: 128,
        rate: 3e-3,
        explore: 0.05,
        scramble: 0.2,
        scramble_plies: 8,
        local_rate: 0.0,
        lambda: 0.9,
        lambda_end: 0.8,
        rolls: 0,
        solve: 0,
        fan: 0,
        passes: 1,
        ..small.clone()
    };
    // The dice decide all but a twentieth of a race on the largest boards. Clipped units learn their noise, and so do
    // targets that lean on the network's own opinion; a sum of weights that is the mean of many does so least.
    let race = Recipe {
        set: FeatureSet::Lines,
        units: 2,
        straight: true,
        batch_games: 512,
        batch_samples: 2048,
        rate: 2e-3,
        explore: 0.01,
        scramble: 0.1,
        lambda: 1.0,
        lambda_end: 1.0,
        ..large.clone()
    };
    match (shape.size(), shape.win()) {
        (..=5, _) => small,
        (..=10, ..=6) => Recipe { luckless_from: 0.05, ..large },
        (14.., ..=4) => race,
        _ => large,
    }
}

impl Recipe {
    /// The recipe for a shape; `games` in place of its own number of games.
    pub fn new(name: Name, shape: Shape, games: Option<u64>) -> Recipe {
        match name {
            Name::Thesis => Recipe {
                shape,
                set: FeatureSet::Streaks,
                units: thesis_units(shape.size()),
                straight: false,
                average: false,
                games: games.unwrap_or(300_000),
                batch_games: 64,
                batch_samples: 64,
                rate: 2e-3,
                explore: 0.0,
                scramble: 0.0,
                scramble_plies: 0,
                local_rate: 1.0,
                lambda: 0.0,
                lambda_end: 0.0,
                luckless_from: 1.0,
                rolls: 0,
                solve: 0,
                fan: 0,
                passes: 1,
            },
            Name::Strong => strong(shape, games),
        }
    }

    /// How the network is built.
    pub fn build(&self) -> Build {
        let Recipe { set, units, straight, average, local_rate, .. } = *self;
        Build { set, units, straight, average, local_rate }
    }

    /// How far a run has come, from 0 to 1.
    fn progress(&self, games: u64) -> f64 {
        games as f64 / self.games.max(1) as f64
    }

    /// The length of a step after `games`.
    pub fn rate_at(&self, games: u64) -> f32 {
        // 1 − 2x² + x⁴ falls from 1 to 0 as a cosine does, and is the same on every machine.
        let x = self.progress(games).min(1.0);
        let fall = (1.0 - x * x) * (1.0 - x * x);
        self.rate * (0.01 + 0.99 * fall as f32)
    }

    /// The share of what came after in a target, after `games`.
    pub fn lambda_at(&self, games: u64) -> f64 {
        let fall = (2.0 * self.progress(games)).min(1.0);
        self.lambda + (self.lambda_end - self.lambda) * fall
    }

    /// Whether luck is taken off after `games`.
    pub fn is_luckless_at(&self, games: u64) -> bool {
        self.progress(games) >= self.luckless_from
    }
}
