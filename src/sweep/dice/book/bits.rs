//! Numbers in as many bits as they need: Golomb-Rice codes that follow the size of what they code (Rice 1979).

/// How quickly the code follows: the mean is over about this many numbers, a power of 2.
const MEMORY: u64 = 64;

/// A quotient of this many is written out as it is instead.
const ESCAPE: u32 = 24;

/// How large numbers have been.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// [`MEMORY`] times the mean.
    sum: u64,
}

impl Scale {
    const START: Scale = Scale { sum: MEMORY << 10 };

    /// How many low bits are written as they are.
    fn low_bits(self) -> u32 {
        // Numbers spread as these do are coded best where the quotient is about 1.
        let mean = self.sum * 7 / (10 * MEMORY);
        mean.checked_ilog2().map_or(0, |log| log + 1).min(30)
    }

    fn follow(&mut self, number: u32) {
        self.sum = self.sum - self.sum / MEMORY + u64::from(number);
    }
}

/// Signed numbers as unsigned ones, small where those are small.
fn fold(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

fn unfold(folded: u32) -> i32 {
    (folded >> 1) as i32 ^ -((folded & 1) as i32)
}

/// Writes codes.
pub struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
    scale: Scale,
}

impl Default for BitWriter {
    fn default() -> BitWriter {
        BitWriter { bytes: Vec::new(), pending: 0, count: 0, scale: Scale::START }
    }
}

impl BitWriter {
    fn bits(&mut self, value: u64, count: u32) {
        self.pending |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// One number.
    pub fn residual(&mut self, number: i32) {
        let folded = fold(number);
        let low = self.scale.low_bits();
        let quotient = folded >> low;
        if quotient < ESCAPE {
            self.bits((1 << quotient) - 1, quotient + 1);
            self.bits(u64::from(folded) & ((1 << low) - 1), low);
        } else {
            self.bits((1 << ESCAPE) - 1, ESCAPE);
            self.bits(u64::from(folded), 32);
        }
        self.scale.follow(folded);
    }

    /// All that was written.
    pub fn finish(mut self) -> Vec<u8> {
        self.bits(0, 7);
        self.bytes
    }
}

/// Reads codes.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    pending: u64,
    count: u32,
    scale: Scale,
}

impl<'a> BitReader<'a> {
    /// From the start.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, pending: 0, count: 0, scale: Scale::START }
    }

    /// Have at least 56 bits at hand, as far as there are any.
    fn fill(&mut self) {
        while self.count <= 56 {
            let Some((&first, rest)) = self.bytes.split_first() else { return };
            self.pending |= u64::from(first) << self.count;
            self.bytes = rest;
            self.count += 8;
        }
    }

    fn take(&mut self, count: u32) -> Option<u64> {
        if self.count < count {
            return None;
        }
        let value = self.pending & ((1 << count) - 1);
        self.pending >>= count;
        self.count -= count;
        Some(value)
    }

    /// The next number; `None` at the end.
    pub fn residual(&mut self) -> Option<i32> {
        self.fill();
        let low = self.scale.low_bits();
        let quotient = self.pending.trailing_ones().min(ESCAPE);
        let folded = if quotient < ESCAPE {
            self.take(quotient + 1)?;
            u64::from(quotient) << low | self.take(low)?
        } else {
            self.take(ESCAPE)?;
            self.take(32)?
        };
        let folded = u32::try_from(folded).ok()?;
        self.scale.follow(folded);
        Some(unfold(folded))
    }

    /// Whether nothing but the filling of the last byte is left.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty() && self.count < 8 && self.pending == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut numbers: Vec<i32> = (-300..300).collect();
        numbers.extend([i32::MAX, i32::MIN, 0, 0, 0, 1 << 20, -(1 << 29)]);
        numbers.extend((0..2000_i64).map(|i| ((i * i * 7919) % 1000 - 500) as i32));
        let mut writer = BitWriter::default();
        numbers.iter().for_each(|&number| writer.residual(number));
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for &number in &numbers {
            assert_eq!(reader.residual(), Some(number));
        }
        assert!(reader.is_at_end());
        let mut short = BitReader::new(&bytes[..bytes.len() / 2]);
        assert!((0..numbers.len()).any(|_| short.residual().is_none()));
    }
}
