//! Networks.

use crate::game::dice::Shape;

/// A network.
#[derive(Debug)]
pub struct Network(Weights);

/// What a network is made of.
#[derive(Debug)]
pub struct Weights {
    /// The shape it is for.
    pub shape: Shape,
}

impl Network {
    /// What it is made of.
    pub fn weights(&self) -> &Weights {
        &self.0
    }
}
