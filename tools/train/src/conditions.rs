//! Everything that a run's result depends on: what its checkpoint is known by.

use crate::recipe::{Name, Recipe};
use std::fmt;

/// Settings by name, those a user gives first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions(Vec<(String, String)>);

/// The name of what a user cannot change but by another version of the program.
const REST: &str = "recipe";

impl Conditions {
    /// Those of a run.
    pub fn new(name: Name, recipe: &Recipe, seed: u64) -> Conditions {
        let list = [
            ("--shape", recipe.shape.to_string()),
            ("--recipe", name.to_string()),
            ("--seed", seed.to_string()),
            ("--games", recipe.games.to_string()),
            (REST, format!("{recipe:?}")),
        ];
        Conditions(list.map(|(name, value)| (name.into(), value)).into())
    }

    /// The conditions that a text holds.
    pub fn parse(text: &str) -> Conditions {
        let pair = |line: &str| line.split_once(' ').map(|(name, value)| (name.into(), value.into()));
        Conditions(text.lines().filter_map(pair).collect())
    }

    /// What is different under other conditions, in words; nothing if all is the same.
    pub fn differences(&self, others: &Conditions) -> Vec<String> {
        let of = |list: &Conditions, name: &str| {
            list.0.iter().find(|(other, _)| other == name).map_or("unknown".to_owned(), |(_, value)| value.clone())
        };
        let mut different: Vec<String> = Vec::new();
        for (name, here) in &self.0 {
            let there = of(others, name);
            if there != *here && name != REST {
                different.push(format!("{name} {there} (now {here})"));
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
    use alea::game::dice::Shape;

    #[test]
    fn what_differs_is_named() {
        let made = |name, size, games, seed| {
            Conditions::new(name, &Recipe::new(name, Shape::new(size, 3).unwrap(), Some(games)), seed)
        };
        let own = made(Name::Strong, 4, 600, 1);
        assert_eq!(Conditions::parse(&own.to_string()), own);
        assert!(own.differences(&own).is_empty());
        let cases = [
            (made(Name::Strong, 4, 600, 9), vec!["--seed 9 (now 1)"]),
            (made(Name::Thesis, 5, 600, 1), vec!["--shape 5/3 (now 4/3)", "--recipe thesis (now strong)"]),
            (made(Name::Strong, 4, 700, 1), vec!["--games 700 (now 600)"]),
        ];
        for (others, words) in cases {
            assert_eq!(own.differences(&others), words);
        }
        let older = Conditions::parse(&own.to_string().replace("rate: ", "rate: 1"));
        assert!(own.differences(&older)[0].contains("another version"));
    }
}
