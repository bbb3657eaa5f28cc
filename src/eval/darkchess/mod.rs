//! The evaluation of Chinese dark chess: material, face up and face down alike, or nothing.

use super::formula::{Formula, FormulaEvaluator, zero};
use super::nn::squash::squash;
use super::{Evaluated, NetworkError, Noise, Plain};
use crate::game::darkchess::{Position, RANKS, Rank};
use crate::game::{Player, Value};
use std::convert::Infallible;
use std::sync::Arc;

/// Binary digits of the scale.
const SHIFT: u32 = 16;
/// What a point of material is worth before the tangent: some thirty of them are a game that is nearly won.
const POINT: i32 = (1 << SHIFT) / 30;

/// What a piece of each rank is worth. Guards rule the board once the enemy king is gone; cannons take anything.
const WORTH: [i32; RANKS] = [9, 9, 6, 4, 3, 5, 2];

/// What a player's pieces are worth, whether they lie face up or down.
fn material(position: &Position, player: Player) -> i32 {
    let count = |rank: Rank| {
        let up = position.pieces(player)[rank as usize].count_ones();
        (up + u32::from(position.hidden(player, rank))) as i32
    };
    Rank::ALL.into_iter().map(|rank| count(rank) * WORTH[rank as usize]).sum()
}

fn value(position: &Position) -> Value {
    let own = material(position, position.mover());
    let theirs = material(position, position.mover().other());
    Value::from_raw(squash((own - theirs) * POINT, SHIFT).into())
}

fn noise_hash(position: &Position) -> u64 {
    position.key(true, false).hash
}

impl Evaluated for Position {
    type Evaluator = FormulaEvaluator<Position>;
    type Network = Infallible;
    const EVALUATIONS: &'static [&'static str] = &["material", "zero"];

    fn evaluator(&self, name: &str, _network: Option<&Arc<Infallible>>, noise: Noise) -> Option<Self::Evaluator> {
        let value = match name {
            "material" => value,
            "zero" => zero,
            _ => return None,
        };
        Some(Plain(Formula { value, noise_hash, ignores_outcomes: false, sees_images_alike: true, noise }))
    }

    fn read_network(&self, _bytes: &[u8]) -> Result<Infallible, NetworkError> {
        Err(NetworkError("darkchess has no networks".into()))
    }

    fn explain(&self, evaluator: &Self::Evaluator) -> String {
        let [own, theirs] = [self.mover(), self.mover().other()].map(|player| material(self, player));
        format!("material {own} against {theirs}\n{}", evaluator.0.explain(self, |value| value.to_string()))
    }
}
