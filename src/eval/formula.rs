//! Evaluations by a formula: a plain function of the position, with noise on request.

use super::{Noise, Plain, PositionValue};
use crate::game::{Game, Value};

/// A formula.
#[derive(Clone, Copy, Debug)]
pub struct Formula<G: Game> {
    /// The value of an undecided position for its mover.
    pub value: fn(&G) -> Value,
    /// A number for all that the noise may depend on: the position and its mover.
    pub noise_hash: fn(&G) -> u64,
    /// Whether value and noise are the same before and after a roll.
    pub ignores_outcomes: bool,
    /// Whether they are the same for mirror images.
    pub sees_images_alike: bool,
    /// What is added.
    pub noise: Noise,
}

impl<G: Game> Formula<G> {
    /// The value before noise, the noise if there is any, and the value, a line each.
    pub fn explain(&self, game: &G, show: impl Fn(Value) -> String) -> String {
        let plain = (self.value)(game);
        if self.noise.is_none() {
            return format!("value {}", show(plain));
        }
        let noise = Value::from_raw(self.noise.of((self.noise_hash)(game)));
        format!("before noise {}\nnoise {}\nvalue {}", show(plain), show(noise), show(PositionValue::value(self, game)))
    }
}

impl<G: Game> PositionValue<G> for Formula<G> {
    fn value(&self, game: &G) -> Value {
        let plain = (self.value)(game);
        if self.noise.is_none() {
            return plain;
        }
        Value::from_raw(i64::from(plain.raw()) + self.noise.of((self.noise_hash)(game)))
    }

    fn ignores_outcomes(&self) -> bool {
        self.ignores_outcomes
    }

    fn sees_images_alike(&self) -> bool {
        self.sees_images_alike
    }
}

/// A formula as an evaluator.
pub type FormulaEvaluator<G> = Plain<Formula<G>>;

/// Every undecided position is a draw.
pub fn zero<G>(_game: &G) -> Value {
    Value::DRAW
}
