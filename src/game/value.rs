//! The worth of a position as an integer on a fixed grid.
//!
//! Chance nodes average, and floating-point averages do not compare: a cut found by division can return a sum one
//! rounding step short of the bound it proved. On a grid of 2⁻²⁴ sums of weighted values are exact in 64 bits, so
//! every comparison is too. (Hauk used a grid of 2⁻¹⁸ for the same reason.)

use std::fmt;
use std::ops::Neg;

/// Utility for the side to move: `WIN` = 2²⁴ is a won game, `-WIN` a lost one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(i32);

impl Value {
    /// A won game.
    pub const WIN: Value = Value(1 << 24);
    /// A drawn game.
    pub const DRAW: Value = Value(0);
    /// A lost game.
    pub const LOSS: Value = Value(-(1 << 24));

    /// The value `raw` steps of 2⁻²⁴ above a draw, brought into the legal range.
    pub const fn from_raw(raw: i64) -> Value {
        let win = Value::WIN.0 as i64;
        if raw > win {
            Value::WIN
        } else if raw < -win {
            Value::LOSS
        } else {
            Value(raw as i32)
        }
    }

    /// The same for a `raw` that is known to be in range.
    #[inline(always)]
    pub const fn from_legal(raw: i32) -> Value {
        debug_assert!(raw.abs() <= Value::WIN.0);
        Value(raw)
    }

    /// The grid point nearest to `x`, brought into the legal range; a NaN counts as a draw.
    pub fn from_f64(x: f64) -> Value {
        Value((x.clamp(-1.0, 1.0) * f64::from(Value::WIN.0)).round() as i32)
    }

    /// Steps of 2⁻²⁴ above a draw.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The utility in [−1, 1].
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Value::WIN.0)
    }

    /// The points that it stands for where a won game is worth `most`, with six decimals; never `-0.000000`.
    pub fn in_points(self, most: u32) -> String {
        let millionths = (self.to_f64() * f64::from(most) * 1e6).round() as i64;
        let sign = if millionths < 0 { "-" } else { "" };
        let size = millionths.abs();
        format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000)
    }

    /// The utility in hundredths of a won game, rounded to nearest.
    pub fn centi(self) -> i32 {
        (self.to_f64() * 100.0).round() as i32
    }
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// Where a won game is worth a point.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_points(1))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_six_decimals() {
        let cases = [
            (1.0, "1.000000"),
            (-1.0, "-1.000000"),
            (0.0, "0.000000"),
            (-1e-9, "0.000000"),
            (0.347451, "0.347451"),
            (-0.25, "-0.250000"),
        ];
        for (x, text) in cases {
            assert_eq!(Value::from_f64(x).to_string(), text);
        }
    }

    #[test]
    fn stays_in_range() {
        assert_eq!(Value::from_f64(7.0), Value::WIN);
        assert_eq!(Value::from_f64(f64::NAN), Value::DRAW);
        assert_eq!(Value::from_raw(i64::MIN), Value::LOSS);
        assert_eq!(-Value::WIN, Value::LOSS);
        assert_eq!(Value::from_f64(-0.1234).centi(), -12);
    }
}
