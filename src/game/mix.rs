//! One stateless mixing function for everything that must be random to look at and the same on every machine and in
//! every release: hash keys, dice, noise.

/// The output function of SplitMix64 (Steele, Lea & Flood 2014): a bijection whose output passes for random.
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of SplitMix64 seeded with 1234567, as its authors' program prints them.
    #[test]
    fn agrees_with_the_published_generator() {
        let step = 0x9e37_79b9_7f4a_7c15_u64;
        let outputs: Vec<u64> = (0..3).map(|i| mix(1_234_567_u64.wrapping_add(step.wrapping_mul(i)))).collect();
        assert_eq!(outputs, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
