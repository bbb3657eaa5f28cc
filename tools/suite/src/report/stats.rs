//! What a list of numbers comes to.

/// The five figures the thesis gives of each algorithm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stats {
    /// How many numbers.
    pub count: usize,
    /// The smallest.
    pub min: f64,
    /// The middle one; the mean of the two middle ones of an even count.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// The standard deviation of the sample; none of a single number.
    pub deviation: Option<f64>,
}

impl Stats {
    /// The figures of some numbers, if there are any.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Stats> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let count = sorted.len();
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        Some(Stats {
            count,
            min,
            median: f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
            mean,
            max,
            deviation: (count > 1).then(|| (squares / (count - 1) as f64).sqrt()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        let stats = Stats::of([4.0, 1.0, 7.0, 2.0]).unwrap();
        assert_eq!((stats.count, stats.min, stats.median, stats.mean, stats.max), (4, 1.0, 3.0, 3.5, 7.0));
        assert!((stats.deviation.unwrap() - 7f64.sqrt()).abs() < 1e-12);
        let one = Stats::of([5.0]).unwrap();
        assert_eq!((one.median, one.deviation), (5.0, None));
        assert_eq!(Stats::of([]), None);
    }
}
