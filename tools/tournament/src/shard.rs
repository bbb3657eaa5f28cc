//! A part of a tournament, and which one a job on a cluster is to play.

use alea_tools::words::WordError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// More parts than anybody has machines.
const MAX_SHARDS: u64 = 1_000_000;

/// A part of the pairs: `3/16` is the third sixteenth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// The pairs of this part, of `pairs` altogether.
    pub fn range(&self, pairs: u64) -> Range<u64> {
        let bound = |i: u64| (u128::from(pairs) * u128::from(i) / u128::from(self.of)) as u64;
        bound(self.index - 1)..bound(self.index)
    }
}

impl FromStr for Shard {
    type Err = WordError;
    fn from_str(text: &str) -> Result<Shard, WordError> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) && of <= MAX_SHARDS => Ok(Shard { index, of }),
            _ => Err(WordError::new(text, "expected i/n with 1 <= i <= n, as in 3/16; or auto, or auto/n")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = WordError;
    fn try_from(text: String) -> Result<Shard, WordError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

/// The argument of `--shard`: `3/16`, or what the job array says this job is: `auto`, or `auto/16` where the array does
/// not say how many jobs it has.
pub fn argument(text: &str) -> Result<Shard, WordError> {
    match text.strip_prefix("auto") {
        Some("") => of_job(None, |name| std::env::var(name).ok()),
        Some(of) if of.starts_with('/') => {
            let count = of[1..].parse().ok().filter(|of| (1..=MAX_SHARDS).contains(of));
            let count = count.ok_or_else(|| WordError::new(text, "expected auto/n, as in auto/16"))?;
            of_job(Some(count), |name| std::env::var(name).ok())
        }
        _ => text.parse(),
    }
}

/// The shard of this job: the place of Slurm's task in its array, or of GNU parallel's job in its list.
fn of_job(count: Option<u64>, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, WordError> {
    let number = |name: &str| match variable(name) {
        Some(text) => match text.parse::<u64>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(WordError::new(format!("{name}={text}"), "expected a whole number").within("--shard auto")),
        },
        None => Ok(None),
    };
    let missing = |word: &str, expected: &str| WordError::new(word, expected).within("--shard auto");
    let (index, of) = if let Some(task) = number("SLURM_ARRAY_TASK_ID")? {
        let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1);
        let step = number("SLURM_ARRAY_TASK_STEP")?.filter(|&step| step > 0).unwrap_or(1);
        (task.saturating_sub(first) / step + 1, count.or(number("SLURM_ARRAY_TASK_COUNT")?))
    } else if let Some(job) = number("PARALLEL_SEQ")? {
        (job, count)
    } else {
        let expected = "set by a Slurm array, or PARALLEL_SEQ by GNU parallel; neither is";
        return Err(missing("SLURM_ARRAY_TASK_ID", expected));
    };
    let of = of.ok_or_else(|| missing("auto", "of how many? Say so, as in --shard auto/16"))?;
    format!("{index}/{of}").parse().map_err(|error: WordError| error.within("--shard auto"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        for (pairs, of) in [(200, 16), (5, 7), (1, 1), (17, 3), (1_000_000_000, 999_983)] {
            let mut next = 0;
            for index in 1..=of {
                let range = Shard { index, of }.range(pairs);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, pairs);
        }
        for text in ["0/4", "5/4", "1", "a/b", "1/0", "-1/4", "automatic", "auto/0", "auto/x"] {
            assert!(argument(text).unwrap_err().to_string().contains(&format!("'{text}'")));
        }
    }

    #[test]
    fn a_job_knows_its_part() {
        type Case = (&'static [(&'static str, &'static str)], Option<u64>, &'static str);
        let cases: [Case; 9] = [
            (&[("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "16")], None, "3/16"),
            (
                &[("SLURM_ARRAY_TASK_ID", "0"), ("SLURM_ARRAY_TASK_COUNT", "4"), ("SLURM_ARRAY_TASK_MIN", "0")],
                None,
                "1/4",
            ),
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "14"),
                    ("SLURM_ARRAY_TASK_COUNT", "3"),
                    ("SLURM_ARRAY_TASK_MIN", "10"),
                    ("SLURM_ARRAY_TASK_STEP", "2"),
                ],
                None,
                "3/3",
            ),
            (&[("PARALLEL_SEQ", "2")], Some(5), "2/5"),
            (&[("PARALLEL_SEQ", "2")], None, "of how many"),
            (&[("PARALLEL_SEQ", "6")], Some(5), "6/5"),
            (&[("SLURM_ARRAY_TASK_ID", "x")], None, "SLURM_ARRAY_TASK_ID=x"),
            (&[("SLURM_ARRAY_TASK_ID", "3")], None, "of how many"),
            (&[], Some(5), "SLURM_ARRAY_TASK_ID"),
        ];
        for (variables, count, expected) in cases {
            let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, v)| v.to_string());
            let said = of_job(count, variable).map_or_else(|error| error.to_string(), |shard| shard.to_string());
            assert!(said.contains(expected), "{variables:?}: {said}");
        }
    }
}
