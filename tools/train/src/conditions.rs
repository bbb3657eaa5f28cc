//! Everything that a run's result depends on: what its checkpoint is known by.

use std::fmt;

/// Settings by name, those a user gives first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions(Vec<(String, String)>);

/// The name of what a user cannot change but by another version of the program.
const REST: &str = "recipe";

impl Conditions {
    /// Those of a run: options as a user gives them, and all that a recipe holds.
    pub fn new(options: &[(&str, String)], recipe: &impl fmt::Debug) -> Conditions {
        let rest = (REST, format!("{recipe:?}"));
        Conditions(options.iter().chain([&rest]).map(|(name, value)| ((*name).into(), value.clone())).collect())
    }

    /// The conditions that a text holds.
    pub fn parse(text: &str) -> Conditions {
        let pair = |line: &str| line.split_once(' ').map(|(name, value)| (name.into(), value.into()));
        Conditions(text.lines().filter_map(pair).collect())
    }

    /// What is different under other conditions, in words; nothing if all is the same. Options that only one of them has
    /// are not worth a word beside those that make the difference.
    pub fn differences(&self, others: &Conditions) -> Vec<String> {
        let mut different: Vec<String> = Vec::new();
        for (name, here) in self.0.iter().filter(|(name, _)| name != REST) {
            match others.0.iter().find(|(other, _)| other == name) {
                Some((_, there)) if there != here => different.push(format!("{name} {there} (now {here})")),
                _ => {}
            }
        }
        if different.is_empty() && self != others {
            different.push("the same options, as another version of this program understands them".into());
        }
        different
    }
}

/// A line each.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, value)| writeln!(f, "{name} {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let made = |list: &[(&'static str, &str)], recipe: &str| {
            let options: Vec<(&str, String)> = list.iter().map(|(name, value)| (*name, value.to_string())).collect();
            Conditions::new(&options, &recipe)
        };
        let own = made(&[("--game", "dice"), ("--shape", "4/3"), ("--seed", "1")], "rate 1");
        assert_eq!(Conditions::parse(&own.to_string()), own);
        assert!(own.differences(&own).is_empty());
        let version = "the same options, as another version of this program understands them";
        let cases = [
            (made(&[("--game", "dice"), ("--shape", "4/3"), ("--seed", "9")], "rate 1"), vec!["--seed 9 (now 1)"]),
            (
                made(&[("--game", "dice"), ("--shape", "5/3"), ("--seed", "9")], "rate 2"),
                vec!["--shape 5/3 (now 4/3)", "--seed 9 (now 1)"],
            ),
            (made(&[("--game", "einstein"), ("--seed", "1")], "rate 1"), vec!["--game einstein (now dice)"]),
            (made(&[("--game", "dice"), ("--shape", "4/3"), ("--seed", "1")], "rate 2"), vec![version]),
            (made(&[("--shape", "4/3"), ("--seed", "1")], "rate 1"), vec![version]),
        ];
        for (others, words) in cases {
            assert_eq!(own.differences(&others), words, "{others}");
        }
    }
}
