//! Figures with their spread, and how people read them.

use serde::Serialize;

/// The middle of some measurements, and how far they spread.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct Spread {
    /// Half of them are below.
    pub median: f64,
    /// One in twenty is below: the least, if they are fewer.
    pub low: f64,
    /// One in twenty is above: the greatest, if they are fewer.
    pub high: f64,
}

impl Spread {
    /// Of at least one measurement; all zero of none.
    pub fn of(measured: impl IntoIterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = measured.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else { return Spread { median: 0.0, low: 0.0, high: 0.0 } };
        let tail = last / 20;
        let median = (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0;
        Spread { median, low: sorted[tail], high: sorted[last - tail] }
    }

    /// The same in another unit.
    pub fn times(self, factor: f64) -> Spread {
        Spread { median: self.median * factor, low: self.low * factor, high: self.high * factor }
    }

    /// How often in a second something happens of which `count` take this many seconds.
    pub fn rate(self, count: f64) -> Spread {
        let per = |seconds: f64| count / seconds.max(f64::MIN_POSITIVE);
        Spread { median: per(self.median), low: per(self.high), high: per(self.low) }
    }

    /// What many things came to together, each with a spread of its own.
    pub fn sum(parts: impl IntoIterator<Item = Spread>) -> Spread {
        parts.into_iter().fold(Spread { median: 0.0, low: 0.0, high: 0.0 }, |sum, part| Spread {
            median: sum.median + part.median,
            low: sum.low + part.low,
            high: sum.high + part.high,
        })
    }

    /// The median and the two ends, as cells of a table.
    pub fn cells(self) -> [String; 2] {
        let ends =
            if self.low == self.high { "-".into() } else { format!("{}-{}", figure(self.low), figure(self.high)) };
        [figure(self.median), ends]
    }
}

/// A number to three digits, more or less.
pub fn figure(number: f64) -> String {
    match number.abs() {
        0.0 => "0".into(),
        size if size < 0.01 => format!("{number:.4}"),
        size if size < 1.0 => format!("{number:.3}"),
        size if size < 10.0 => format!("{number:.2}"),
        size if size < 100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// A part of one in per cent.
pub fn per_cent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
