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

/// [`upper`] for small tails: M. J. Wichura's rational approximations (AS 241, 1988; relative error 1e-16).
fn far(tail: f64) -> f64 {
    const MIDDLE: Fraction = Fraction {
        over: [
            7.745_450_142_783_414e-4,
            2.272_384_498_926_918_4e-2,
            2.417_807_251_774_506e-1,
            1.270_458_252_452_368_4,
            3.647_848_324_763_204_5,
            5.769_497_221_460_691,
            4.630_337_846_156_546,
            1.423_437_110_749_683_5,
        ],
        under: [
            1.050_750_071_644_416_9e-9,
            5.475_938_084_995_345e-4,
            1.519_866_656_361_645_7e-2,
            1.481_039_764_274_800_8e-1,
            6.897_673_349_851e-1,
            1.676_384_830_183_803_8,
            2.053_191_626_637_759,
            1.0,
        ],
    };
    const FARTHEST: Fraction = Fraction {
        over: [
            2.010_334_399_292_288_1e-7,
            2.711_555_568_743_487_6e-5,
            1.242_660_947_388_078_4e-3,
            2.653_218_952_657_612_4e-2,
            2.965_605_718_285_048_7e-1,
            1.784_826_539_917_291_3,
            5.463_784_911_164_114,
            6.657_904_643_501_103,
        ],
        under: [
            2.044_263_103_389_939_8e-15,
            1.421_511_758_316_446e-7,
            1.846_318_317_510_054_8e-5,
            7.868_691_311_456_133e-4,
            1.487_536_129_085_061_5e-2,
            1.369_298_809_227_358e-1,
            5.998_322_065_558_879e-1,
            1.0,
        ],
    };
    let r = (-ln(tail)).sqrt();
    if r <= 5.0 { MIDDLE.at(r - 1.6) } else { FARTHEST.at(r - 5.0) }
}

/// One polynomial over another, the highest powers first.
struct Fraction {
    over: [f64; 8],
    under: [f64; 8],
}

impl Fraction {
    fn at(&self, x: f64) -> f64 {
        let polynomial = |factors: &[f64; 8]| factors.iter().fold(0.0, |sum, factor| sum * x + factor);
        polynomial(&self.over) / polynomial(&self.under)
    }
}

/// The natural logarithm of a normal positive number.
fn ln(x: f64) -> f64 {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    const ONE: u64 = 1.0_f64.to_bits();
    // x = fraction · 2^exponent, with the fraction between √½ and √2.
    let exponent = ((x * std::f64::consts::SQRT_2).to_bits() as i64 - ONE as i64) >> FRACTION_BITS;
    let fraction = f64::from_bits((x.to_bits() as i64 - (exponent << FRACTION_BITS)) as u64);
    // ln f = 2 artanh((f − 1) / (f + 1)); terms beyond these eleven are below 1e-17.
    let s = (fraction - 1.0) / (fraction + 1.0);
    let series = (0..11).rev().fold(0.0, |sum, i| sum * (s * s) + 1.0 / f64::from(2 * i + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * series
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

    /// Tournaments with noise can be repeated with any release: what is drawn was once found as the reference finds it.
    #[test]
    fn tails_are_those_of_a_slow_reference() {
        let mut tail = 0.024_249;
        while tail > 1e-16 {
            let (found, expected) = (far(tail), far_by_newton(tail));
            assert!((found / expected - 1.0).abs() < 1e-14, "{tail:e}: {found} for {expected}");
            tail *= 0.9973;
        }
        assert!((ln(0.024) - 0.024_f64.ln()).abs() < 1e-15 && ln(1.0) == 0.0);
    }

    /// [`far`] by Newton's method on a continued fraction of the tail's probability: slow, and nothing to mistype.
    fn far_by_newton(tail: f64) -> f64 {
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
