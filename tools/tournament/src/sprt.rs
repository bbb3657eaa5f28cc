//! The sequential probability ratio test on pair counts (Wald 1945; generalised to frequencies with a fixed mean).
//!
//! Each hypothesis fixes the mean pair score, or the mean in units of the pairs' own deviation. Of all frequencies that
//! fit it, the likeliest stand for it, and the log-likelihood ratio of the two grows or falls with every pair until it
//! leaves the interval in which nothing is decided.

use crate::stats::{PAIR_SCORES, PairCounts, expected_score};
use alea_tools::words::WordError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What stands for a count of zero, so that no frequency is ruled out by not having been seen yet.
const UNSEEN: f64 = 1e-3;

/// In which unit the hypotheses are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo: the mean score is fixed.
    Elo,
    /// Normalised Elo: the mean score in deviations is fixed.
    Nelo,
}

/// A test of `elo0` against `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference that the first hypothesis, H0, claims.
    pub elo0: f64,
    /// The difference that the second, H1, claims.
    pub elo1: f64,
    /// How often H1 may be accepted where H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
}

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Not decided.
    Open,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

/// A test's log-likelihood ratio, between its bounds, and what follows.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct State {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

impl Sprt {
    /// How the test stands after these pairs.
    pub fn state(&self, counts: &PairCounts) -> State {
        let (lower, upper) = ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln());
        let llr = if counts.iter().sum::<u64>() == 0 { 0.0 } else { self.llr(counts) };
        let decision = if llr >= upper {
            Decision::H1
        } else if llr <= lower {
            Decision::H0
        } else {
            Decision::Open
        };
        State { llr, lower, upper, decision }
    }

    fn llr(&self, counts: &PairCounts) -> f64 {
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let pairs: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / pairs);
        let likeliest = |elo: f64| match self.model {
            Model::Elo => with_mean(&seen, expected_score(elo)),
            Model::Nelo => with_normalised_mean(&seen, elo * std::f64::consts::LN_10 / 800.0 * 2f64.sqrt()),
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        pairs * (0..5).map(|i| seen[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }
}

/// Of the frequencies with Σ p·x = 0, those under which `seen` is likeliest: p = seen / (1 + λ·x) for the λ that
/// makes them fit. Σ seen·x / (1 + λ·x) falls steadily in λ between its poles, so halving finds it.
fn constrained(seen: &[f64; 5], x: &[f64; 5]) -> [f64; 5] {
    let (least, most) = x.iter().fold((f64::MAX, f64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
    if least >= 0.0 || most <= 0.0 {
        return *seen; // No frequencies at all fit: the hypothesis is beyond what these scores can show.
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let sum: f64 = (0..5).map(|i| seen[i] * x[i] / (1.0 + middle * x[i])).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    let lambda = 0.5 * (low + high);
    std::array::from_fn(|i| (seen[i] / (1.0 + lambda * x[i])).max(f64::MIN_POSITIVE))
}

fn with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    constrained(seen, &PAIR_SCORES.map(|score| score - mean))
}

/// The likeliest frequencies with (mean − ½) / deviation = `t`, by linearising the condition about the last guess.
fn with_normalised_mean(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..100 {
        let mean: f64 = (0..5).map(|i| guess[i] * PAIR_SCORES[i]).sum();
        let deviation = (0..5).map(|i| guess[i] * (PAIR_SCORES[i] - mean).powi(2)).sum::<f64>().sqrt().max(1e-9);
        let x = PAIR_SCORES.map(|score| {
            let off = (mean - score) / deviation;
            score - 0.5 - 0.5 * t * deviation * (1.0 + off * off)
        });
        let next = constrained(seen, &x);
        let change = (0..5).map(|i| (next[i] - guess[i]).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-12 {
            break;
        }
    }
    guess
}

/// `elo0=0,elo1=10,alpha=0.05,beta=0.05`, and `model=nelo` for normalised Elo.
impl FromStr for Sprt {
    type Err = WordError;
    fn from_str(text: &str) -> Result<Sprt, WordError> {
        let mut sprt = Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::Elo };
        for word in text.split(',') {
            let (key, value) = word.split_once('=').ok_or_else(|| WordError::new(word, "expected key=value"))?;
            let number = || {
                let number: Option<f64> = value.parse().ok();
                number.filter(|x| x.is_finite()).ok_or_else(|| WordError::new(word, "expected a number"))
            };
            match key {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = match value {
                        "elo" => Model::Elo,
                        "nelo" => Model::Nelo,
                        _ => return Err(WordError::new(word, "expected model=elo or model=nelo")),
                    }
                }
                _ => return Err(WordError::new(key, "expected elo0, elo1, alpha, beta or model")),
            }
        }
        sprt.validated()
    }
}

impl Sprt {
    fn validated(self) -> Result<Sprt, WordError> {
        let missing = if self.elo0.is_nan() { "elo0" } else { "elo1" };
        if self.elo0.is_nan() || self.elo1.is_nan() {
            return Err(WordError::new(missing, "it is missing; expected both, as in elo0=0,elo1=10"));
        }
        if self.elo0 >= self.elo1 {
            return Err(WordError::new(
                format!("elo1={}", self.elo1),
                format!("expected more than elo0={}", self.elo0),
            ));
        }
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if elo.abs() > 2000.0 {
                return Err(WordError::new(format!("{name}={elo}"), "expected at most 2000 either way"));
            }
        }
        for (name, risk) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(risk > 0.0 && risk < 0.5) {
                return Err(WordError::new(format!("{name}={risk}"), "expected above 0 and below 0.5"));
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "elo0={},elo1={},alpha={},beta={}", self.elo0, self.elo1, self.alpha, self.beta)?;
        if self.model == Model::Nelo { f.write_str(",model=nelo") } else { Ok(()) }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.decision {
            Decision::Open => "open",
            Decision::H0 => "H0 accepted",
            Decision::H1 => "H1 accepted",
        };
        write!(f, "LLR {:.2} ({:.2}, {:.2}) {verdict}", self.llr, self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(words: &str) -> Sprt {
        words.parse().unwrap()
    }

    fn mean(p: &[f64; 5]) -> f64 {
        (0..5).map(|i| p[i] * PAIR_SCORES[i]).sum()
    }

    #[test]
    fn likeliest_frequencies_fit_the_hypothesis() {
        let seen = [0.1, 0.2, 0.3, 0.25, 0.15];
        for target in [0.02, 0.4, 0.5, 0.514, 0.98] {
            let p = with_mean(&seen, target);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{p:?}");
            assert!((mean(&p) - target).abs() < 1e-9, "{p:?} has not mean {target}");
        }
        for t in [-0.3, 0.0, 0.05, 0.4] {
            let p = with_normalised_mean(&seen, t);
            let m = mean(&p);
            let deviation = (0..5).map(|i| p[i] * (PAIR_SCORES[i] - m).powi(2)).sum::<f64>().sqrt();
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{p:?}");
            assert!(((m - 0.5) / deviation - t).abs() < 1e-6, "{p:?} has not {t}");
        }
    }

    /// For a small difference the ratio nears the one of a normal distribution with the observed variance.
    #[test]
    fn agrees_with_the_normal_approximation() {
        let counts = [177, 1629, 3083, 1780, 221];
        let n: f64 = counts.iter().sum::<u64>() as f64;
        let p = counts.map(|c| c as f64 / n);
        let m = mean(&p);
        let variance: f64 = (0..5).map(|i| p[i] * (PAIR_SCORES[i] - m).powi(2)).sum();
        let (s0, s1) = (expected_score(0.0), expected_score(10.0));
        let normal = n * (s1 - s0) * (2.0 * m - s0 - s1) / (2.0 * variance);
        let llr = sprt("elo0=0,elo1=10").state(&counts).llr;
        assert!((llr - normal).abs() < 0.02 * normal.abs() + 0.02, "{llr} against {normal}");
    }

    #[test]
    fn decides_whatever_the_play() {
        let cases: [(PairCounts, Decision); 8] = [
            ([0, 0, 0, 0, 0], Decision::Open),
            ([0, 0, 1, 0, 0], Decision::Open),
            ([0, 0, 5_000, 0, 0], Decision::H0),
            ([0, 0, 0, 0, 500], Decision::H1),
            ([500, 0, 0, 0, 0], Decision::H0),
            ([0, 0, 0, 500, 0], Decision::H1),
            ([250, 0, 0, 0, 250], Decision::Open),
            ([100_000, 0, 0, 0, 100_000], Decision::H0),
        ];
        for model in ["elo", "nelo"] {
            for (counts, decision) in cases {
                let state = sprt(&format!("elo0=0,elo1=10,model={model}")).state(&counts);
                assert!(state.llr.is_finite(), "{model} {counts:?}: {state:?}");
                assert_eq!(state.decision, decision, "{model} {counts:?}: {state}");
            }
        }
    }

    #[test]
    fn extreme_hypotheses_stay_finite() {
        for words in ["elo0=-2000,elo1=2000", "elo0=1999,elo1=2000,model=nelo", "elo0=-2000,elo1=-1999,model=nelo"] {
            for counts in [[1, 0, 0, 0, 0], [0, 0, 1_000_000, 0, 0], [0, 0, 0, 0, 1], [3, 1, 4, 1, 5]] {
                let state = sprt(words).state(&counts);
                assert!(state.llr.is_finite(), "{words} {counts:?}: {state:?}");
            }
        }
    }

    #[test]
    fn errors_name_the_word() {
        let cases = [
            ("elo0=0", "elo1"),
            ("elo0=0,elo1", "elo1"),
            ("elo0=0,elo1=x", "x"),
            ("elo0=5,elo1=5", "elo1"),
            ("elo0=0,elo1=inf", "inf"),
            ("elo0=0,elo1=1e9", "elo1"),
            ("elo0=0,elo1=5,alpha=0.7", "alpha"),
            ("elo0=0,elo1=5,gamma=0.7", "gamma"),
            ("elo0=0,elo1=5,model=log", "model=log"),
        ];
        for (text, word) in cases {
            let error = text.parse::<Sprt>().unwrap_err();
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
        let whole = "elo0=0,elo1=10,alpha=0.05,beta=0.1,model=nelo";
        assert_eq!(sprt(whole).to_string(), whole);
    }
}
