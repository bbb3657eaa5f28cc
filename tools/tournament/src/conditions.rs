//! Everything that the results of a tournament depend on, kept with them: enough to play it again, to go on with it, and
//! to refuse to mix it with another.

use crate::fault::Patience;
use crate::records::FORMAT;
use crate::rules::{Board, RuleError, Variant};
use crate::schedule::{Format, Schedule, Seeds};
use crate::shard::Shard;
use crate::spec::EngineSpec;
use crate::sprt::Sprt;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The conditions of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// This tool and its version.
    pub tool: String,
    /// Which game, and how it starts.
    #[serde(flatten)]
    pub variant: Variant,
    /// Which pairings.
    pub format: Format,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// What each engine calls itself; empty until they have been asked.
    pub versions: Vec<String>,
    /// What chance brings.
    pub seeds: Seeds,
    /// The test that ends a pairing early.
    pub sprt: Option<Sprt>,
    /// Plies after which a game that is not over is a draw.
    pub max_plies: u32,
    /// How patient the referee is, in milliseconds.
    pub patience: Patience,
    /// Whether times are recorded.
    pub times: bool,
    /// Which part of the whole.
    pub shard: Option<Shard>,
    /// The machines it ran on.
    pub hosts: Vec<Host>,
}

/// A machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Operating system and architecture.
    pub system: String,
    /// Processors.
    pub cores: usize,
}

impl Host {
    /// The machine this runs on.
    pub fn here() -> Host {
        let system = rustix::system::uname();
        let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
        Host {
            name: text(system.nodename()),
            system: format!("{} {}", text(system.sysname()), text(system.machine())),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Two engines that play each other, by their places in the list; results are told from the first one's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The one whose score is told.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
}

impl Conditions {
    /// The first position; conditions are only made with one.
    pub fn start(&self) -> Result<Board, RuleError> {
        Board::new(&self.variant)
    }

    /// Who plays whom, in order.
    pub fn pairings(&self) -> Vec<Pairing> {
        let count = self.engines.len();
        let pairs = (0..count).flat_map(|b| (0..b).map(move |a| (a, b)));
        match self.format {
            Format::RoundRobin => pairs.map(|(first, second)| Pairing { first, second }).collect(),
            Format::Gauntlet => (1..count).map(|second| Pairing { first: 0, second }).collect(),
            // The list goes noise by noise, and shallow before deep.
            Format::Depths => {
                let alike = pairs.filter(|&(a, b)| self.noise(a) == self.noise(b));
                alike.map(|(second, first)| Pairing { first, second }).collect()
            }
        }
    }

    /// The noise an engine was given.
    pub fn noise(&self, engine: usize) -> Option<&str> {
        let options = &self.engines.get(engine)?.options;
        options.iter().find(|(name, _)| name == "Noise").map(|(_, value)| value.as_str())
    }

    /// The order of play.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.pairings().len(), self.seeds.len(), self.shard)
    }

    /// Eight digits that stand for all that the results of a game depend on: every record carries them, so that games
    /// played under other conditions are known for what they are.
    pub fn fingerprint(&self) -> String {
        let core = Conditions { tool: format!("{FORMAT}"), hosts: Vec::new(), shard: None, ..self.clone() };
        // Fields come in the order of the type, so the text follows from the conditions alone.
        let text = serde_json::to_string(&core).unwrap_or_default();
        format!("{:08x}", crc32fast::hash(text.as_bytes()))
    }

    /// Where these conditions differ from others in what results depend on: a line for each word. The versions of
    /// engines that have not been asked yet, the tool's own and the machines' names do not count.
    pub fn differences(&self, other: &Conditions) -> Vec<String> {
        let mut found = Vec::new();
        let unasked = self.versions.is_empty() || other.versions.is_empty();
        let (mut ours, mut theirs) = (serde_json::json!(self), serde_json::json!(other));
        for side in [&mut ours, &mut theirs] {
            if let Some(fields) = side.as_object_mut() {
                fields.retain(|key, _| key != "tool" && key != "hosts" && (key != "versions" || !unasked));
            }
        }
        compare("", &ours, &theirs, &mut found);
        found
    }
}

fn compare(path: &str, ours: &Value, theirs: &Value, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&path, a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{path}[{i}]"), a, b, found);
            }
        }
        _ if ours != theirs => found.push(format!("{path}: {} against {}", brief(ours), brief(theirs))),
        _ => {}
    }
}

fn brief(value: &Value) -> String {
    match value {
        Value::Null => "none".to_string(),
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "something else".to_string(),
        plain => plain.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Conditions of the default experiment.
    pub(crate) fn example(depths: &[u32], noises: &[&str]) -> Conditions {
        let mut engines = Vec::new();
        for noise in noises {
            for depth in depths {
                let words = format!("name=d{depth} n{noise},depth={depth},option.Noise={noise}");
                engines.push(EngineSpec::from_words(&words).unwrap());
            }
        }
        Conditions {
            tool: "test".to_string(),
            variant: Variant::of("dice"),
            format: Format::Depths,
            engines,
            versions: Vec::new(),
            seeds: Seeds::Drawn { seed: 1, pairs: 10 },
            sprt: None,
            max_plies: 2000,
            patience: Patience::default(),
            times: true,
            shard: None,
            hosts: Vec::new(),
        }
    }

    #[test]
    fn pairings_follow_the_format() {
        let mut conditions = example(&[1, 3, 5], &["0", "0.1"]);
        let names = |conditions: &Conditions| -> Vec<String> {
            let name = |i: usize| conditions.engines[i].name.clone();
            conditions.pairings().iter().map(|p| format!("{}-{}", name(p.first), name(p.second))).collect()
        };
        let expected =
            ["d3 n0-d1 n0", "d5 n0-d1 n0", "d5 n0-d3 n0", "d3 n0.1-d1 n0.1", "d5 n0.1-d1 n0.1", "d5 n0.1-d3 n0.1"];
        assert_eq!(names(&conditions), expected);
        conditions.engines.truncate(3);
        conditions.format = Format::Gauntlet;
        assert_eq!(names(&conditions), ["d1 n0-d3 n0", "d1 n0-d5 n0"]);
        conditions.format = Format::RoundRobin;
        assert_eq!(names(&conditions), ["d1 n0-d3 n0", "d1 n0-d5 n0", "d3 n0-d5 n0"]);
    }

    #[test]
    fn differences_name_the_word() {
        let ours = example(&[1, 3], &["0"]);
        assert_eq!(ours.differences(&ours), Vec::<String>::new());
        let text = serde_json::to_string(&ours).unwrap();
        assert_eq!(serde_json::from_str::<Conditions>(&text).unwrap(), ours);
        type Change = fn(&mut Conditions);
        let changes: [(&str, Change); 7] = [
            ("engines[1].depth: 3 against 4", |c| c.engines[1].limits.depth = Some(4)),
            ("engines[1].depth: 3 against none", |c| c.engines[1].limits.depth = None),
            ("start: \"startpos 5 4\" against \"startpos 7 4\"", |c| c.variant.start = "startpos 7 4".to_string()),
            ("game: \"dice\" against \"einstein\"", |c| c.variant.game = "einstein".to_string()),
            ("seeds.drawn.pairs: 10 against 11", |c| c.seeds = Seeds::Drawn { seed: 1, pairs: 11 }),
            ("patience.stall: 60000 against 1", |c| c.patience.stall = 1),
            ("shard: none against \"1/2\"", |c| c.shard = "1/2".parse().ok()),
        ];
        for (message, change) in changes {
            let mut theirs = ours.clone();
            change(&mut theirs);
            assert_eq!(ours.differences(&theirs), [message]);
        }
        let mut later = ours.clone();
        later.tool = "newer".to_string();
        later.versions = vec!["Alea 1".to_string(); 2];
        later.hosts.push(Host::here());
        assert_eq!(ours.differences(&later), Vec::<String>::new());
    }

    #[test]
    fn a_fingerprint_follows_what_results_depend_on() {
        let ours = example(&[1, 3], &["0"]);
        let mut same = ours.clone();
        same.tool = "newer".to_string();
        same.shard = "1/2".parse().ok();
        same.hosts.push(Host::here());
        assert_eq!(same.fingerprint(), ours.fingerprint());
        type Change = fn(&mut Conditions);
        let changes: [Change; 7] = [
            |c| c.engines[1].limits.depth = Some(4),
            |c| c.variant.start = "startpos 7 4".to_string(),
            |c| c.variant.game = "einstein".to_string(),
            |c| c.seeds = Seeds::Drawn { seed: 2, pairs: 10 },
            |c| c.patience.stall = 1,
            |c| c.max_plies = 7,
            |c| c.versions = vec!["Alea 1".to_string(); 2],
        ];
        for change in changes {
            let mut theirs = ours.clone();
            change(&mut theirs);
            assert_ne!(theirs.fingerprint(), ours.fingerprint());
        }
    }
}
