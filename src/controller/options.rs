//! The options, declared once: printing, range checks and effects follow from the table, and a test holds
//! `protocol.md` against it.

use std::time::Duration;

use super::legality::Illegal;
use crate::protocol::{Choice, clip};
use crate::search::{Algorithm, ProbeOrder, Settings};

/// What judges the leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalChoice {
    /// The network of the shape, or `pairs` where there is none.
    Net,
    /// Hauk's pair count.
    Pairs,
    /// Nothing: every undecided leaf is a draw.
    Zero,
}

impl EvalChoice {
    const ALL: [EvalChoice; 3] = [EvalChoice::Net, EvalChoice::Pairs, EvalChoice::Zero];

    const fn name(self) -> &'static str {
        match self {
            EvalChoice::Net => "net",
            EvalChoice::Pairs => "pairs",
            EvalChoice::Zero => "zero",
        }
    }
}

/// What the options are set to.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Size of the table in MB.
    pub hash: usize,
    /// How to search.
    pub settings: Settings,
    /// What judges the leaves.
    pub eval: EvalChoice,
    /// A network file, or nothing.
    pub eval_file: String,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// Which noise.
    pub noise_seed: u64,
    /// Kept back from the clock.
    pub overhead: Duration,
}

/// What must be done when an option has been set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: the next search looks it up.
    None,
    /// Get a table of the new size.
    Resize,
    /// Forget what the last judge taught: the options call for another.
    Judge,
    /// The same, with a network from a file.
    Network,
    /// Forget everything learnt.
    Forget,
}

/// What an option is set to, checked against its choice.
enum Setting<'a> {
    Number(u64),
    Word(usize),
    Text(&'a str),
    Press,
}

impl Setting<'_> {
    /// A number that the choice has already been held against.
    fn number(&self) -> u64 {
        match self {
            Setting::Number(number) => *number,
            _ => 0,
        }
    }

    fn word<T: Copy>(&self, words: &[T], fallback: T) -> T {
        match self {
            Setting::Word(index) => words.get(*index).copied().unwrap_or(fallback),
            _ => fallback,
        }
    }

    fn text(&self) -> &str {
        match self {
            Setting::Text(text) => text,
            _ => "",
        }
    }
}

/// One option.
pub struct Declaration {
    /// Its name, as printed; users may write it in any case.
    pub name: &'static str,
    /// What it may be set to.
    pub choice: Choice,
    /// What it means, as `protocol.md` says it.
    pub meaning: &'static str,
    set: fn(&mut Options, &Setting) -> Result<(), String>,
    effect: Effect,
}

/// Every option, in the order they are printed.
pub fn declarations() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "Hash",
            choice: Choice::Spin { default: 64, min: 1, max: 1_048_576 },
            meaning: "size of the transposition table in MB; refused with an error if it cannot be had",
            set: |options, setting| accept(options.hash = setting.number() as usize),
            effect: Effect::Resize,
        },
        Declaration {
            name: "Threads",
            choice: Choice::Spin { default: 1, min: 1, max: 256 },
            meaning: "search threads; with one, and no clock, output is a function of input",
            set: |options, setting| accept(options.settings.threads = setting.number() as usize),
            effect: Effect::None,
        },
        Declaration {
            name: "Algorithm",
            choice: combo(Algorithm::default().name(), Algorithm::ALL.map(Algorithm::name)),
            meaning: "how chance nodes are searched; all give the same values",
            set: |options, setting| {
                accept(options.settings.algorithm = setting.word(&Algorithm::ALL, options.settings.algorithm))
            },
            effect: Effect::None,
        },
        Declaration {
            name: "ProbingFactor",
            choice: Choice::Spin { default: 1, min: 1, max: 17 },
            meaning: "moves probed for each roll (Star2 and up)",
            set: |options, setting| accept(options.settings.probing_factor = setting.number() as usize),
            effect: Effect::None,
        },
        Declaration {
            name: "ProbeOrder",
            choice: combo(ProbeOrder::default().name(), ProbeOrder::ALL.map(ProbeOrder::name)),
            meaning: "order of the probes (Star2.5)",
            set: |options, setting| {
                accept(options.settings.probe_order = setting.word(&ProbeOrder::ALL, options.settings.probe_order))
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Eval",
            choice: combo(EvalChoice::Net.name(), EvalChoice::ALL.map(EvalChoice::name)),
            meaning: "what judges undecided leaves: the network of the shape (`pairs` where there is none), \
                      Hauk's pair count, or nothing (every undecided leaf is 0)",
            set: |options, setting| accept(options.eval = setting.word(&EvalChoice::ALL, options.eval)),
            effect: Effect::Judge,
        },
        Declaration {
            name: "EvalFile",
            choice: Choice::Text { default: "" },
            meaning: "a network file to use instead of the built-in network, for the shape of the position at hand",
            set: |options, setting| accept(options.eval_file = setting.text().into()),
            effect: Effect::Network,
        },
        Declaration {
            name: "Noise",
            choice: Choice::Text { default: "0" },
            meaning: "standard deviation of the noise added to undecided leaf values, from 0 to 10",
            set: |options, setting| {
                let noise = setting.text().parse().ok().filter(|noise| (0.0..=10.0).contains(noise));
                accept(options.noise = noise.ok_or("expected a number from 0 to 10, such as 0.015")?)
            },
            effect: Effect::Judge,
        },
        Declaration {
            name: "NoiseSeed",
            choice: Choice::Spin { default: 0, min: 0, max: 4_294_967_295 },
            meaning: "which noise",
            set: |options, setting| accept(options.noise_seed = setting.number()),
            effect: Effect::Judge,
        },
        Declaration {
            name: "MultiPV",
            choice: Choice::Spin { default: 1, min: 1, max: 17 },
            meaning: "root moves reported with exact values",
            set: |options, setting| accept(options.settings.multi_pv = setting.number() as usize),
            effect: Effect::None,
        },
        Declaration {
            name: "Move Overhead",
            choice: Choice::Spin { default: 10, min: 0, max: 10_000 },
            meaning: "milliseconds kept back from the clock for what lies between engine and client",
            set: |options, setting| accept(options.overhead = Duration::from_millis(setting.number())),
            effect: Effect::None,
        },
        Declaration {
            name: "Clear Hash",
            choice: Choice::Button,
            meaning: "forget everything learnt",
            set: |_, _| Ok(()),
            effect: Effect::Forget,
        },
    ]
}

/// For setters that cannot fail.
fn accept((): ()) -> Result<(), String> {
    Ok(())
}

fn combo<const N: usize>(default: &'static str, words: [&'static str; N]) -> Choice {
    Choice::Combo { default, words: words.to_vec() }
}

/// What the declarations say each option is at first.
impl Default for Options {
    fn default() -> Options {
        let mut options = Options {
            hash: 0,
            settings: Settings::default(),
            eval: EvalChoice::Net,
            eval_file: String::new(),
            noise: 0.0,
            noise_seed: 0,
            overhead: Duration::ZERO,
        };
        for declaration in declarations() {
            let setting = match &declaration.choice {
                Choice::Spin { default, .. } => Setting::Number(*default),
                Choice::Combo { default, words } => Setting::Word(words.iter().position(|w| w == default).unwrap_or(0)),
                Choice::Text { default } => Setting::Text(default),
                Choice::Button => continue,
            };
            (declaration.set)(&mut options, &setting).expect("a default is within its own range");
        }
        options
    }
}

impl Options {
    /// The options with one of them set, and what must be done for it to count.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<(Options, Effect), Illegal> {
        let declaration = declarations().into_iter().find(|known| known.name.eq_ignore_ascii_case(name));
        let declaration = declaration.ok_or_else(|| {
            let names: Vec<&str> = declarations().iter().map(|known| known.name).collect();
            Illegal::new(clip(name), format!("expected an option: {}", names.join(", ")))
        })?;
        let setting = check(&declaration, value)?;
        let mut options = self.clone();
        (declaration.set)(&mut options, &setting).map_err(|reason| Illegal::new(shown(value), reason))?;
        Ok((options, declaration.effect))
    }
}

/// A value in an error message.
fn shown(value: Option<&str>) -> String {
    value.filter(|value| !value.is_empty()).map_or("end of line".into(), clip)
}

/// Hold a value against the choice of its option.
fn check<'a>(declaration: &Declaration, value: Option<&'a str>) -> Result<Setting<'a>, Illegal> {
    let name = declaration.name;
    let fault = |expected: String| Illegal::new(shown(value), format!("expected {expected}"));
    match &declaration.choice {
        Choice::Spin { min, max, .. } => {
            let digits = value.filter(|value| value.bytes().all(|byte| byte.is_ascii_digit()));
            let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| (min..=max).contains(&number));
            number.map(Setting::Number).ok_or_else(|| fault(format!("for {name} a whole number from {min} to {max}")))
        }
        Choice::Combo { words, .. } => {
            let index = words.iter().position(|word| value.is_some_and(|value| value.eq_ignore_ascii_case(word)));
            index.map(Setting::Word).ok_or_else(|| fault(format!("for {name} one of {}", words.join(", "))))
        }
        Choice::Text { .. } => match value {
            None => Err(fault(format!("value and a text for {name}"))),
            Some("<empty>") => Ok(Setting::Text("")),
            Some(text) => Ok(Setting::Text(text)),
        },
        Choice::Button if value.is_some() => Err(fault(format!("no value for the button {name}"))),
        Choice::Button => Ok(Setting::Press),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set() {
        let set = |name, value| Options::default().with(name, Some(value)).unwrap();
        assert_eq!(set("hash", "128").0.hash, 128);
        assert_eq!(set("HASH", "128").1, Effect::Resize);
        assert_eq!(set("move overhead", "0").0.overhead, Duration::ZERO);
        assert_eq!(set("Algorithm", "star2.5").0.settings.algorithm, Algorithm::Star25);
        assert_eq!(set("ProbeOrder", "sequential").0.settings.probe_order, ProbeOrder::Sequential);
        assert_eq!(set("Eval", "zero"), (Options { eval: EvalChoice::Zero, ..Options::default() }, Effect::Judge));
        assert_eq!(set("Noise", "0.015").0.noise, 0.015);
        assert_eq!(set("EvalFile", "a  b.net").0.eval_file, "a  b.net");
        assert_eq!(set("EvalFile", "<empty>").0.eval_file, "");
        assert_eq!(Options::default().with("Clear Hash", None).unwrap().1, Effect::Forget);
    }

    #[test]
    fn mistakes_name_the_word() {
        let cases = [
            ("Hsah", Some("3"), "Hsah", "expected an option: Hash, Threads"),
            ("Hash", None, "end of line", "from 1 to"),
            ("Hash", Some(""), "end of line", "from 1 to"),
            ("Hash", Some("0"), "0", "from 1 to"),
            ("Hash", Some("+4"), "+4", "from 1 to"),
            ("Hash", Some("99999999999999999999999"), "99999999999999999999999", "from 1 to"),
            ("Algorithm", Some("Star3"), "Star3", "one of Expectimax, Star0.5"),
            ("Noise", Some("NaN"), "NaN", "a number from 0 to 10"),
            ("Noise", Some("-1"), "-1", "a number from 0 to 10"),
            ("Noise", Some("<empty>"), "<empty>", "a number from 0 to 10"),
            ("EvalFile", None, "end of line", "a text"),
            ("Clear Hash", Some("1"), "1", "no value"),
        ];
        for (name, value, word, reason) in cases {
            let error = Options::default().with(name, value).expect_err(name);
            assert_eq!(error.word, word, "{name} {value:?}");
            assert!(error.reason.contains(reason), "{name} {value:?}: {error}");
        }
    }
}
