//! Lists as the command line takes them: `1-9,13` for numbers, names for algorithms.

use alea::search::{Algorithm, ProbeOrder};
use std::fmt;
use std::str::FromStr;

/// A word of the command line that means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadWord {
    /// Neither a number up to a limit nor a range of them.
    NoNumber {
        /// The word.
        word: String,
        /// The limit.
        max: u32,
    },
    /// A range that ends before it begins.
    Backwards(String),
    /// None of these algorithms.
    NoAlgorithm(&'static [Algorithm]),
    /// No order of probes.
    NoOrder,
    /// Something else was expected.
    Expected(&'static str),
}

impl fmt::Display for BadWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadWord::NoNumber { word, max } => {
                write!(f, "'{word}': expected a number from 1 to {max}, or a range of them as 1-9")
            }
            BadWord::Backwards(word) => write!(f, "'{word}': the range ends before it begins"),
            BadWord::NoAlgorithm(expected) => {
                let names: Vec<&str> = expected.iter().map(|algorithm| algorithm.name()).collect();
                write!(f, "no such algorithm; expected {}", names.join(", "))
            }
            BadWord::NoOrder => {
                write!(f, "no such order; expected {}", ProbeOrder::ALL.map(ProbeOrder::name).join(", "))
            }
            BadWord::Expected(what) => write!(f, "expected {what}"),
        }
    }
}

impl std::error::Error for BadWord {}

/// Numbers in rising order, none twice, from `1-9,13`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers<const MAX: u32>(pub Vec<u32>);

impl<const MAX: u32> FromStr for Numbers<MAX> {
    type Err = BadWord;

    fn from_str(text: &str) -> Result<Numbers<MAX>, BadWord> {
        let mut numbers = Vec::new();
        for word in text.split(',') {
            let (low, high) = word.split_once('-').unwrap_or((word, word));
            let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=MAX).contains(number));
            match (number(low), number(high)) {
                (Some(low), Some(high)) if low <= high => numbers.extend(low..=high),
                (Some(_), Some(_)) => return Err(BadWord::Backwards(word.into())),
                _ => return Err(BadWord::NoNumber { word: word.into(), max: MAX }),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Numbers(numbers))
    }
}

/// As it may be given.
impl<const MAX: u32> fmt::Display for Numbers<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
            [one] => one.to_string(),
            _ => format!("{}-{}", run[0], run[run.len() - 1]),
        });
        f.write_str(&runs.collect::<Vec<_>>().join(","))
    }
}

/// One of some algorithms by name, in any case.
pub fn algorithm_of(list: &'static [Algorithm], name: &str) -> Result<Algorithm, BadWord> {
    let is_it = |algorithm: &Algorithm| algorithm.name().eq_ignore_ascii_case(name.trim());
    list.iter().copied().find(is_it).ok_or(BadWord::NoAlgorithm(list))
}

/// An algorithm that finds Expectimax's value.
pub fn algorithm(name: &str) -> Result<Algorithm, BadWord> {
    algorithm_of(&Algorithm::EXACT, name)
}

/// An order of probes by name, in any case.
pub fn probe_order(name: &str) -> Result<ProbeOrder, BadWord> {
    let is_it = |order: &ProbeOrder| order.name().eq_ignore_ascii_case(name.trim());
    ProbeOrder::ALL.into_iter().find(is_it).ok_or(BadWord::NoOrder)
}

/// A whole number of at least 1.
pub fn at_least_one(text: &str) -> Result<usize, BadWord> {
    text.parse().ok().filter(|&number| number > 0).ok_or(BadWord::Expected("a whole number, at least 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        let cases: [(&str, &[u32]); 5] =
            [("1-3", &[1, 2, 3]), ("7", &[7]), ("5,1-2,2", &[1, 2, 5]), ("9-9", &[9]), ("1, 3", &[1, 3])];
        for (text, numbers) in cases {
            let list = text.parse::<Numbers<99>>().unwrap();
            assert_eq!(list.0, numbers, "{text}");
            assert_eq!(list.to_string().parse(), Ok(list), "{text}");
        }
        assert_eq!(Numbers::<99>(vec![1, 2, 3, 5, 7, 8]).to_string(), "1-3,5,7-8");
        let cases =
            [("", "''"), ("0", "'0'"), ("100", "1 to 99"), ("3-1", "ends before"), ("1,x", "'x'"), ("1-2-3", "2-3")];
        for (text, message) in cases {
            let error = text.parse::<Numbers<99>>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn names_in_any_case() {
        assert_eq!(algorithm("staretc"), Ok(Algorithm::StarEtc));
        assert_eq!(algorithm("Star2.5"), Ok(Algorithm::Star25));
        assert!(algorithm("Star3").unwrap_err().to_string().contains("Star2.5"));
        assert_eq!(probe_order("Sequential"), Ok(ProbeOrder::Sequential));
        assert!(probe_order("any").is_err());
        assert!(at_least_one("0").is_err() && at_least_one("-1").is_err() && at_least_one("2") == Ok(2));
    }
}
