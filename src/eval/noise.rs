//! Noise.

/// Which noise.
#[derive(Clone, Copy, Debug)]
pub struct Noise;

impl Noise {
    /// No noise.
    pub const NONE: Noise = Noise;

    /// Noise of a deviation.
    pub fn new(_deviation: f64, _seed: u64) -> Option<Noise> {
        Some(Noise)
    }
}
