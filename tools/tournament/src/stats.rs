//! The statistics of games played in pairs: one dice sequence, played twice with the seats swapped.
//!
//! The pair, not the game, is the independent sample: luck with the dice is shared by its two games, and most of it
//! cancels. So everything here is a function of five counts, the pairs that scored 0, ½, 1, 1½ and 2 points.

use serde::Serialize;

/// Standard deviations to each side that hold 95 % of a normal distribution.
const Z95: f64 = 1.96;

/// Elo points of a unit of logit, and of normalised mean.
const ELO_SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// How many pairs the first engine scored 0, ½, 1, 1½ and 2 points in.
pub type PairCounts = [u64; 5];

/// The scores of a pair, as a share of its two points.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A figure and how far its 95 % interval reaches to each side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Half the width of its 95 % interval; none where every pair scored the same, which says nothing of the spread.
    pub error: Option<f64>,
}

/// What pairs say about the first engine against the second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// Pairs counted.
    pub pairs: u64,
    /// Share of the points, 0 to 1.
    pub score: Estimate,
    /// Elo; `None` where the score or an end of its interval is 0 or 1, so that it has no finite value, or where there
    /// is no interval.
    pub elo: Option<Estimate>,
    /// Normalised Elo; `None` where every pair scored the same.
    pub nelo: Option<Estimate>,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
    /// Both games of every pair were the same, move by move: the engines play alike.
    pub identical: bool,
}

impl Stats {
    /// The statistics of these counts, where in so many pairs the two games were the same; `None` for no pairs at all.
    pub fn of(counts: &PairCounts, same_games: u64) -> Option<Stats> {
        let pairs: u64 = counts.iter().sum();
        if pairs == 0 {
            return None;
        }
        let n = pairs as f64;
        let share = |i: usize| counts[i] as f64 / n;
        let mean: f64 = (0..5).map(|i| share(i) * PAIR_SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| share(i) * (PAIR_SCORES[i] - mean).powi(2)).sum();
        let identical = same_games == pairs;
        let spread = if identical {
            Some(0.0)
        } else {
            // Pairs that all scored the same vary in what they have not shown yet.
            (!counts.contains(&pairs)).then(|| Z95 * (variance / n).sqrt())
        };
        let nelo = spread.filter(|&error| error > 0.0).map(|error| {
            let scale = 2.0 * ELO_SCALE / (2.0 * variance).sqrt();
            Estimate { value: (mean - 0.5) * scale, error: Some(error * scale) }
        });
        Some(Stats {
            pairs,
            score: Estimate { value: mean, error: spread },
            elo: spread.and_then(|error| elo_of(mean, error)),
            nelo,
            los: superiority(mean, spread.unwrap_or(0.0) / Z95),
            identical,
        })
    }
}

/// What pairs were worth to the first engine, in points: a game won counts as many as it is worth, a game lost as many
/// below zero. Whole numbers, so that the order of pairs leaves no trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PointSums {
    pairs: u64,
    sum: i64,
    squares: u64,
}

impl PointSums {
    /// Count a pair that was worth so much.
    pub fn add(&mut self, points: i64) {
        self.pairs += 1;
        self.sum += points;
        self.squares += points.unsigned_abs().pow(2);
    }

    /// Mean worth of a game; `None` for no pairs at all. `identical` says that both games of every pair were the same.
    pub fn mean(&self, identical: bool) -> Option<Estimate> {
        if self.pairs == 0 {
            return None;
        }
        let n = self.pairs as f64;
        // n times the sum of squared distances from the mean, exactly.
        let spread = i128::from(self.pairs) * i128::from(self.squares) - i128::from(self.sum).pow(2);
        let error = match spread {
            0 if identical => Some(0.0),
            0 => None,
            spread => Some(Z95 * (spread as f64 / n).sqrt() / n / 2.0),
        };
        Some(Estimate { value: self.sum as f64 / n / 2.0, error })
    }
}

/// The Elo difference at which `score` is expected; `None` at 0 and 1, where no difference is enough.
pub fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_SCALE * (score / (1.0 - score)).ln())
}

/// The score expected at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_SCALE).exp())
}

fn elo_of(mean: f64, error: f64) -> Option<Estimate> {
    let (low, high) = (elo(mean - error)?, elo(mean + error)?);
    Some(Estimate { value: elo(mean)?, error: Some((high - low) / 2.0) })
}

/// Φ of the distance from an even score, with the limits where nothing varies.
fn superiority(mean: f64, deviation: f64) -> f64 {
    let lead = mean - 0.5;
    if deviation > 0.0 {
        0.5 * libm::erfc(-lead / deviation / std::f64::consts::SQRT_2)
    } else if lead == 0.0 {
        0.5
    } else if lead > 0.0 {
        1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(x: f64, y: f64, within: f64) {
        assert!((x - y).abs() <= within, "{x} is not {y}");
    }

    #[test]
    fn agrees_with_the_published_check_value() {
        let stats = Stats::of(&[177, 1629, 3083, 1780, 221], 12).unwrap();
        let (elo, nelo) = (stats.elo.unwrap(), stats.nelo.unwrap());
        close(elo.value, 6.03, 0.005);
        close(elo.error.unwrap(), 3.49, 0.005);
        close(nelo.value, 10.01, 0.005);
        close(nelo.error.unwrap(), 5.80, 0.005);
        close(stats.los, 0.9996, 0.00005);
        assert!(!stats.identical);
    }

    /// Where every win is worth one point, points say what the score does.
    #[test]
    fn points_of_plain_wins_follow_the_score() {
        let counts = [177, 1629, 3083, 1780, 221];
        let mut sums = PointSums::default();
        for (points, count) in (-2..=2).zip(counts) {
            (0..count).for_each(|_| sums.add(points));
        }
        let (stats, points) = (Stats::of(&counts, 12).unwrap(), sums.mean(false).unwrap());
        close(points.value, 2.0 * stats.score.value - 1.0, 1e-12);
        close(points.error.unwrap(), 2.0 * stats.score.error.unwrap(), 1e-12);
    }

    #[test]
    fn points_may_differ_where_scores_do_not() {
        type Mean = (f64, Option<f64>);
        let cases: [(&[i64], bool, Option<Mean>); 6] = [
            (&[], false, None),
            (&[2], false, Some((1.0, None))),
            (&[0, 0], true, Some((0.0, Some(0.0)))),
            (&[0, 0], false, Some((0.0, None))),
            (&[6, 2], false, Some((2.0, Some(Z95 * 0.5f64.sqrt())))),
            (&[-1, 1], false, Some((0.0, Some(Z95 * 0.5 * 0.5f64.sqrt())))),
        ];
        for (pairs, identical, expected) in cases {
            let mut sums = PointSums::default();
            pairs.iter().for_each(|&points| sums.add(points));
            let found = sums.mean(identical);
            assert_eq!(found.is_some(), expected.is_some(), "{pairs:?}");
            if let (Some(found), Some((value, error))) = (found, expected) {
                close(found.value, value, 1e-12);
                assert_eq!(found.error.is_some(), error.is_some(), "{pairs:?}");
                close(found.error.unwrap_or(0.0), error.unwrap_or(0.0), 1e-12);
            }
        }
    }

    #[test]
    fn degenerate_counts_give_finite_figures_or_none() {
        struct Case {
            counts: PairCounts,
            same: u64,
            score: f64,
            los: f64,
            error: bool,
            elo: bool,
            nelo: bool,
        }
        let case = |counts, same, score, los, [error, elo, nelo]: [bool; 3]| Case {
            counts,
            same,
            score,
            los,
            error,
            elo,
            nelo,
        };
        let cases = [
            case([0, 0, 1, 0, 0], 1, 0.5, 0.5, [true, true, false]),
            case([0, 0, 99_999, 0, 0], 99_999, 0.5, 0.5, [true, true, false]),
            case([0, 0, 1, 0, 0], 0, 0.5, 0.5, [false, false, false]),
            case([0, 0, 99_999, 0, 0], 99_998, 0.5, 0.5, [false, false, false]),
            case([0, 0, 0, 0, 7], 0, 1.0, 1.0, [false, false, false]),
            case([7, 0, 0, 0, 0], 0, 0.0, 0.0, [false, false, false]),
            case([0, 3, 0, 0, 0], 0, 0.25, 0.0, [false, false, false]),
            case([1, 0, 0, 0, 1], 0, 0.5, 0.5, [true, false, true]),
            case([0, 0, 0, 1, 999], 0, 0.99975, 1.0, [true, false, true]),
        ];
        for Case { counts, same, score, los, error, elo, nelo } in cases {
            let stats = Stats::of(&counts, same).unwrap();
            close(stats.score.value, score, 1e-12);
            close(stats.los, los, 1e-6);
            let has = [stats.score.error.is_some(), stats.elo.is_some(), stats.nelo.is_some()];
            assert_eq!(has, [error, elo, nelo], "{counts:?}");
            assert_eq!(stats.identical, same == stats.pairs, "{counts:?}");
            let text = serde_json::to_string(&stats).unwrap();
            let nulls = usize::from(!error) + usize::from(!elo) + usize::from(!nelo);
            assert_eq!(text.matches("null").count(), nulls, "{text}");
        }
        assert_eq!(Stats::of(&[0; 5], 0), None);
    }

    #[test]
    fn elo_and_expected_score_undo_each_other() {
        for x in [-400.0, -10.0, 0.0, 3.0, 250.0] {
            close(elo(expected_score(x)).unwrap(), x, 1e-9);
        }
        close(expected_score(400.0), 10.0 / 11.0, 1e-12);
        assert!(elo(0.5).is_some_and(f64::is_sign_positive), "an even score prints as +0.0");
    }
}
