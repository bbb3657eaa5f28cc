//! Noise on purpose (Hauk 2006): how much does search mend a worse evaluation?
//!
//! The error of a position is a pure function of the position, the side to move and a seed, drawn from a normal
//! distribution: the same position always has the same error. Only additions,
//! multiplications, divisions and square roots are used, whose results are the same on every machine.

use crate::game::{Value, mix};

/// Which noise, and how much.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Noise {
    deviation: f64,
    seed: u64,
}

impl Noise {
    /// No noise.
    pub const NONE: Noise = Noise { deviation: 0.0, seed: 0 };

    /// Noise of a standard deviation, which must be a finite number and not negative; larger ones than 100 change
    /// nothing any more and count as 100.
    pub fn new(deviation: f64, seed: u64) -> Option<Noise> {
        (deviation.is_finite() && deviation >= 0.0).then_some(Noise { deviation: deviation.min(100.0), seed })
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.deviation == 0.0
    }

    /// Its standard deviation.
    pub fn deviation(self) -> f64 {
        self.deviation
    }

    /// The error, in steps of 2⁻²⁴, of a position that this hash stands for: of all that the error may depend on, and of
    /// nothing else.
    pub fn of(self, hash: u64) -> i64 {
        if self.is_none() {
            return 0;
        }
        let hash = mix(mix(self.seed ^ 0x6e6f_6973_6520_6f66) ^ hash);
        (self.deviation * normal(hash) * f64::from(Value::WIN.raw())).round() as i64
    }
}

/// A standard normal deviate from 64 random bits: the sum of twelve uniform ones less six would have thin tails, so the
/// distribution function is inverted, with P. J. Acklam's rational approximation (relative error 1.2e-9).
fn normal(bits: u64) -> f64 {
    // Strictly between 0 and 1, and symmetric about 1/2.
    let p = ((bits >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
    if p < 0.5 { -upper(p) } else { upper(1.0 - p) }
}

/// The deviate that a tail of probability `tail`, at most 1/2, lies above.
fn upper(tail: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    let central = |q: f64| {
        let r = q * q;
        let top = A.iter().fold(0.0, |sum, a| sum * r + a) * q;
        top / (B.iter().fold(0.0, |sum, b| sum * r + b) * r + 1.0)
    };
    if tail > 0.02425 {
        return central(0.5 - tail);
    }
    far(tail)
}

/// [`upper`] for small tails, by Newton's method on a continued fraction of the tail's probability: no logarithm needed.
fn far(tail: f64) -> f64 {
    let mut x = 2.0;
    // The steps shrink by squares: the one after a small one is lost in rounding.
    for _ in 0..60 {
        let density = bell(x);
        let above = density * mills(x);
        let step = (above - tail) / density;
        x += step.clamp(-0.5, 0.5);
        if step.abs() < 1e-9 {
            break;
        }
    }
    x
}

/// The normal density.
fn bell(x: f64) -> f64 {
    // e^(−x²/2) as the 256th power of a short series.
    let small = -x * x / 512.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for i in 1..14 {
        term = term * small / f64::from(i);
        sum += term;
    }
    for _ in 0..8 {
        sum *= sum;
    }
    sum * 0.398_942_280_401_432_7
}

/// The tail above `x` over the density at `x`, by Laplace's continued fraction; for x of 1.9 or more.
fn mills(x: f64) -> f64 {
    let mut rest = x;
    for i in (1..=200).rev() {
        rest = x + f64::from(i) / rest;
    }
    1.0 / rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dice::{Board, Position, Shape, rolls};
    use crate::game::{Game, Step};
    use std::collections::HashMap;

    #[test]
    fn quantiles_are_right() {
        let cases = [
            (0.5, 0.0),
            (0.158_655_253_931_457, 1.0),
            (0.025, 1.959_963_984_540),
            (1e-3, 3.090_232_306_168),
            (1e-9, 5.997_807_015_008),
            (0.02275013194817921, 2.0),
        ];
        for (tail, deviate) in cases {
            assert!((upper(tail) - deviate).abs() < 1e-7, "{tail}: {} for {deviate}", upper(tail));
        }
    }

    fn positions() -> Vec<Board<u64>> {
        let mut found = HashMap::new();
        for seed in 0..1500 {
            let mut board = Board::<u64>::new(Shape::default());
            for ply in 0.. {
                let Some(roll) = rolls::roll(seed, ply, &board) else { break };
                found.insert(board.key(true, 0).hash, board);
                board = board.with_roll(roll.into()).unwrap();
                let moves = board.moves();
                board = board.child(Step::Move(moves[mix(seed ^ u64::from(ply) << 32) as usize % moves.len()]));
            }
        }
        found.into_values().collect()
    }

    #[test]
    fn moments_are_those_asked_for() {
        let positions = positions();
        assert!(positions.len() > 10_000);
        let noise = Noise::new(0.03, 7).unwrap();
        let errors: Vec<f64> =
            positions.iter().map(|p| noise.of(p.image_hash()) as f64 / f64::from(Value::WIN.raw())).collect();
        let n = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / n;
        let deviation = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / n).sqrt();
        let skew = errors.iter().map(|e| (e / 0.03).powi(3)).sum::<f64>() / n;
        let kurtosis = errors.iter().map(|e| (e / 0.03).powi(4)).sum::<f64>() / n;
        assert!(mean.abs() < 4.0 * 0.03 / n.sqrt(), "mean {mean}");
        assert!((deviation / 0.03 - 1.0).abs() < 0.03, "deviation {deviation}");
        assert!(skew.abs() < 0.15 && (kurtosis - 3.0).abs() < 0.3, "skew {skew}, kurtosis {kurtosis}");
        let other = Noise::new(0.03, 8).unwrap();
        let same = positions.iter().filter(|p| noise.of(p.image_hash()) == other.of(p.image_hash())).count();
        assert!(same < 5, "{same} errors equal under another seed");
        assert!(positions.iter().all(|p| noise.of(p.image_hash()) == noise.of(p.clone().image_hash())));
    }

    /// Tournaments with noise can be repeated with any release.
    #[test]
    fn errors_stay_what_they_are() {
        let cases = [
            ("5 4 b -1 - - - - - - - - - - - - - - - - - - - - - - - - -", -0.025_124),
            ("5 4 b -1 - - - b - - r - - - - - b - - - - - r - - - - - -", -0.032_118),
        ];
        for (dpn, error) in cases {
            let board = Position::from_dpn(dpn).unwrap();
            let found = Noise::new(0.1, 7).unwrap().of(board.image_hash()) as f64 / f64::from(Value::WIN.raw());
            assert!((found - error).abs() < 1e-6, "{dpn}: {found} for {error}");
        }
    }

    #[test]
    fn bad_deviations_are_refused() {
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Noise::new(bad, 0), None);
        }
        assert!(Noise::new(0.0, 3).unwrap().is_none());
    }
}
