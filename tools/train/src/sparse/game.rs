//! What a game says about itself so that its network can be trained.

use super::draws::Draws;
use super::model::Samples;
use super::recipe::Recipe;
use super::selfplay::Player;
use alea::eval::nn::{BadWeights, Featured, Weights};
use alea::eval::{Evaluator, Noise};
use alea::game::{ArrayVec, Kind, Value};
use alea::search::Searched;
use std::sync::Arc;

/// What a network says of a position, or should say: one number an output, in the view of the mover. A single output is the
/// value in [−1, 1], several are probabilities.
pub type Outputs = ArrayVec<f32, 8>;

/// The state of a game's evaluation.
pub type State<G> = <<G as alea::eval::Evaluated>::Evaluator as Evaluator<G>>::State;

/// A game whose networks are trained.
pub trait Taught: Featured + Searched {
    /// The name of the plain evaluation that networks are measured against.
    const RIVAL: &'static str;

    /// How its networks are trained.
    const RECIPE: Recipe;

    /// A start position of self-play and of measured games.
    fn random_start(draws: &mut Draws) -> Self;

    /// Play a game of self-play and say what its positions should be worth.
    fn self_play(player: &Player<'_, Self>, number: u64) -> Samples {
        player.play(number)
    }

    /// In whose view the network looks at a position.
    fn looker(&self) -> alea::game::Player {
        self.mover()
    }

    /// A network of these numbers.
    fn network(weights: Weights) -> Result<Self::Network, BadWeights>;

    /// The chance that the mover wins at once, where the evaluation knows it from the rules: the value is
    /// `sure + (1 − sure) · output`.
    fn sure(&self) -> f32 {
        0.0
    }

    /// What the evaluation says of an undecided position, output by output.
    fn outputs(&self, evaluator: &Self::Evaluator, state: &State<Self>) -> Outputs {
        [evaluator.value(state, self).to_f64() as f32].into_iter().collect()
    }

    /// What is true of a finished game, which is worth `value` to its mover.
    fn final_outputs(&self, value: Value) -> Outputs {
        [value.to_f64() as f32].into_iter().collect()
    }

    /// The same in the view of the other player.
    fn turned(outputs: Outputs) -> Outputs {
        outputs.into_iter().map(|x| -x).collect()
    }
}

/// What is known, or said, of a position of any kind, output by output.
pub fn outputs_of<G: Taught>(game: &G, evaluator: &G::Evaluator, state: &State<G>) -> Outputs {
    match game.kind() {
        Kind::Over(value) => game.final_outputs(value),
        _ => game.outputs(evaluator, state),
    }
}

/// The evaluator of a game by a network of these numbers.
pub fn evaluator_of<G: Taught>(weights: Weights) -> Result<G::Evaluator, BadWeights> {
    let network = Arc::new(G::network(weights)?);
    let start = G::start(&[]).expect("every game has a start position");
    Ok(start.evaluator(G::EVALUATIONS[0], Some(&network), Noise::NONE).expect("every game has its first evaluation"))
}

/// The evaluator that networks are measured against.
pub fn rival_of<G: Taught>() -> G::Evaluator {
    let start = G::start(&[]).expect("every game has a start position");
    start.evaluator(G::RIVAL, None, Noise::NONE).expect("the rival is one of the game's evaluations")
}
