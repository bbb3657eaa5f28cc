//! The hyperbolic tangent in integers: a table and straight lines between its points, the same on every machine.

use crate::game::Value;

/// Binary digits of the distance between two points of the table.
const STEP_BITS: u32 = 7;
/// The table ends here; beyond, the value stands still.
const END: usize = 8;
const POINTS: usize = END << STEP_BITS;

/// e to the `x` for 0 ≤ x ≤ 16, with additions and multiplications only.
const fn exp(x: f64) -> f64 {
    let small = x / 256.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut i = 1;
    while i < 16 {
        term = term * small / i as f64;
        sum += term;
        i += 1;
    }
    let mut squarings = 0;
    while squarings < 8 {
        sum *= sum;
        squarings += 1;
    }
    sum
}

/// tanh at a point, in steps of 2⁻²⁴.
const fn at(point: usize) -> i32 {
    let e = exp(2.0 * point as f64 / (1 << STEP_BITS) as f64);
    ((e - 1.0) / (e + 1.0) * Value::WIN.raw() as f64 + 0.5) as i32
}

/// tanh at every point, and how far it is to the next; none at the last.
static TABLE: [(i32, i32); POINTS + 1] = {
    let mut table = [(at(POINTS), 0); POINTS + 1];
    let mut i = 0;
    while i < POINTS {
        table[i] = (at(i), at(i + 1) - at(i));
        i += 1;
    }
    table
};

/// The smallest number of binary digits [`squash`] takes.
pub const MIN_SHIFT: u32 = STEP_BITS;

/// tanh(x / 2^shift) in steps of 2⁻²⁴, for a shift from [`MIN_SHIFT`] to 24. Odd, rising, and never quite ±1.
#[inline]
pub fn squash(x: i32, shift: u32) -> i32 {
    let fine = shift - STEP_BITS;
    let size = x.unsigned_abs().min((POINTS as u32) << fine);
    let (left, step) = TABLE[(size >> fine) as usize];
    let rest = size & ((1 << fine) - 1);
    // A step of the table is below 2^18 (the slope is at most 1) and the rest below 2^17.
    let tanh = left + ((i64::from(step) * i64::from(rest)) >> fine) as i32;
    if x < 0 { -tanh } else { tanh }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_hyperbolic_tangent() {
        for shift in [MIN_SHIFT, 12, 18, 24] {
            for x in (-9 << shift..=9 << shift).step_by((1 << shift) / 64 + 1) {
                let exact = (f64::from(x) / f64::from(1 << shift)).tanh();
                let got = f64::from(squash(x, shift)) / f64::from(Value::WIN.raw());
                assert!((got - exact).abs() < 1e-5, "{x} {shift}: {got} for {exact}");
                assert_eq!(squash(-x, shift), -squash(x, shift));
            }
            assert!(squash(i32::MAX, shift) < Value::WIN.raw());
            assert_eq!(squash(i32::MIN, shift), -squash(i32::MAX, shift));
        }
    }

    #[test]
    fn rises() {
        let values: Vec<i32> = (-5000..5000).map(|x| squash(x, 9)).collect();
        assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
