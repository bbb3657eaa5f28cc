//! Lists as the command line takes them: `1-9,13` for numbers, names for algorithms.

use alea::search::{Algorithm, ProbeOrder};
use std::str::FromStr;

/// Numbers in rising order, none twice, from `1-9,13`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers<const MAX: u32>(pub Vec<u32>);

impl<const MAX: u32> FromStr for Numbers<MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers<MAX>, String> {
        let mut numbers = Vec::new();
        for word in text.split(',') {
            let (low, high) = word.split_once('-').unwrap_or((word, word));
            let fault = || format!("'{word}': expected a number from 1 to {MAX}, or a range of them as 1-9");
            let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=MAX).contains(number));
            match (number(low), number(high)) {
                (Some(low), Some(high)) if low <= high => numbers.extend(low..=high),
                (Some(_), Some(_)) => return Err(format!("'{word}': the range ends before it begins")),
                _ => return Err(fault()),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Numbers(numbers))
    }
}

/// An algorithm by name, in any case.
pub fn algorithm(name: &str) -> Result<Algorithm, String> {
    let names = || Algorithm::ALL.map(Algorithm::name).join(", ");
    Algorithm::ALL
        .into_iter()
        .find(|algorithm| algorithm.name().eq_ignore_ascii_case(name.trim()))
        .ok_or_else(|| format!("no such algorithm; expected {}", names()))
}

/// An order of probes by name, in any case.
pub fn probe_order(name: &str) -> Result<ProbeOrder, String> {
    ProbeOrder::ALL
        .into_iter()
        .find(|order| order.name().eq_ignore_ascii_case(name.trim()))
        .ok_or_else(|| format!("no such order; expected {}", ProbeOrder::ALL.map(ProbeOrder::name).join(", ")))
}

/// A whole number of at least 1.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a whole number, at least 1".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        let cases: [(&str, &[u32]); 5] =
            [("1-3", &[1, 2, 3]), ("7", &[7]), ("5,1-2,2", &[1, 2, 5]), ("9-9", &[9]), ("1, 3", &[1, 3])];
        for (text, numbers) in cases {
            assert_eq!(text.parse::<Numbers<99>>().unwrap().0, numbers, "{text}");
        }
        let cases =
            [("", "''"), ("0", "'0'"), ("100", "1 to 99"), ("3-1", "ends before"), ("1,x", "'x'"), ("1-2-3", "2-3")];
        for (text, message) in cases {
            let error = text.parse::<Numbers<99>>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn names_in_any_case() {
        assert_eq!(algorithm("staretc"), Ok(Algorithm::StarEtc));
        assert_eq!(algorithm("Star2.5"), Ok(Algorithm::Star25));
        assert!(algorithm("Star3").unwrap_err().contains("Star2.5"));
        assert_eq!(probe_order("Sequential"), Ok(ProbeOrder::Sequential));
        assert!(probe_order("any").is_err());
        assert!(at_least_one("0").is_err() && at_least_one("-1").is_err() && at_least_one("2") == Ok(2));
    }
}
