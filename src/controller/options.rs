//! The options, declared once: printing, range checks and effects follow from the table, and a test holds
//! `protocol.md` against it.

use std::time::Duration;

use crate::eval::Evaluated;
use crate::game::{Fault, Pieces};
use crate::games;
use crate::protocol::{Choice, clip};
use crate::search::{Algorithm, ProbeOrder, Prune, Sampling, Settings};

/// What the options are set to.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The name of the game.
    pub game: &'static str,
    /// Size of the table in MB.
    pub hash: usize,
    /// How to search.
    pub settings: Settings,
    /// The name of the evaluation.
    pub eval: &'static str,
    /// A network file, or nothing.
    pub eval_file: String,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// Which noise.
    pub noise_seed: u64,
    /// Kept back from the clock.
    pub overhead: Duration,
    /// How pieces are drawn.
    pub pieces: Pieces,
    /// Whether to look for the truth where time alone limits the search.
    pub perfect: bool,
}

/// What must be done when an option has been set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: the next search looks it up.
    None,
    /// Get a table of the new size.
    Resize,
    /// Begin another game.
    Game,
    /// Forget what the last evaluation taught: the options call for another.
    Evaluation,
    /// The same, with a network from a file.
    Network,
    /// Forget everything learnt.
    Forget,
}

/// One option.
pub struct Declaration {
    /// Its name, as printed; users may write it in any case.
    pub name: &'static str,
    /// What it means, as `protocol.md` says it.
    pub meaning: &'static str,
    kind: Kind,
    effect: Effect,
}

/// What an option may be set to and where that goes.
enum Kind {
    Spin { default: u64, min: u64, max: u64, set: fn(&mut Options, u64) },
    Combo { words: Vec<&'static str>, default: &'static str, set: fn(&mut Options, usize) },
    Text { default: &'static str, set: fn(&mut Options, &str) -> Result<(), &'static str> },
    Check { default: bool, set: fn(&mut Options, bool) },
    Button,
}

impl Declaration {
    /// What it may be set to, as the protocol prints it.
    pub fn choice(&self) -> Choice {
        match &self.kind {
            &Kind::Spin { default, min, max, .. } => Choice::Spin { default, min, max },
            Kind::Combo { words, default, .. } => Choice::Combo { default, words: words.clone() },
            Kind::Text { default, .. } => Choice::Text { default },
            &Kind::Check { default, .. } => Choice::Check { default },
            Kind::Button => Choice::Button,
        }
    }

    /// What it is at first, as one would write it.
    fn default_value(&self) -> Option<String> {
        match &self.kind {
            Kind::Spin { default, .. } => Some(default.to_string()),
            Kind::Combo { default, .. } | Kind::Text { default, .. } => Some((*default).into()),
            Kind::Check { default, .. } => Some(default.to_string()),
            Kind::Button => None,
        }
    }

    /// Hold a value against the range and set the option to it.
    fn set(&self, options: &mut Options, value: Option<&str>) -> Result<(), Fault> {
        let name = self.name;
        let fault = |expected: String| {
            let word = value.filter(|value| !value.is_empty()).map_or("end of line".into(), clip);
            Fault::new(word, format!("expected {expected}"))
        };
        match &self.kind {
            Kind::Spin { min, max, set, .. } => {
                let digits = value.filter(|value| value.bytes().all(|byte| byte.is_ascii_digit()));
                let number = digits.and_then(|digits| digits.parse().ok()).filter(|n| (min..=max).contains(&n));
                let number = number.ok_or_else(|| fault(format!("for {name} a whole number from {min} to {max}")))?;
                set(options, number);
            }
            Kind::Combo { words, set, .. } => {
                let index = words.iter().position(|word| value.is_some_and(|value| value.eq_ignore_ascii_case(word)));
                set(options, index.ok_or_else(|| fault(format!("for {name} one of {}", words.join(", "))))?);
            }
            Kind::Text { set, .. } => {
                let text = value.ok_or_else(|| fault(format!("value and a text for {name}")))?;
                let text = if text == "<empty>" { "" } else { text };
                set(options, text).map_err(|expected| fault(expected.into()))?;
            }
            Kind::Check { set, .. } => {
                let word = value.unwrap_or_default();
                let known =
                    [("true", true), ("false", false)].into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
                set(options, known.ok_or_else(|| fault(format!("for {name} true or false")))?.1);
            }
            Kind::Button if value.is_some() => return Err(fault(format!("no value for the button {name}"))),
            Kind::Button => {}
        }
        Ok(())
    }
}

/// Every option, in the order they are printed.
pub fn declarations() -> Vec<Declaration> {
    let mut all = vec![game_declaration()];
    all.extend(search_declarations());
    all.extend(sampling_declarations());
    all.extend(eval_declarations());
    all.extend(play_declarations());
    all.extend(dark_chess_declarations());
    all
}

fn game_declaration() -> Declaration {
    Declaration {
        name: "Game",
        meaning: "the game; setting it sets up its start position and forgets everything learnt. `UCI_Variant` is another name \
                  of this option",
        kind: Kind::Combo {
            words: games::NAMES.into(),
            default: games::NAMES[0],
            set: |options, i| options.game = games::NAMES[i],
        },
        effect: Effect::Game,
    }
}

/// The evaluations of all games, each once.
fn evaluations() -> Vec<&'static str> {
    let mut names = Vec::new();
    for game in games::NAMES {
        let of_game = crate::with_game!(*game, G => G::EVALUATIONS).unwrap_or_default();
        names.extend(
            of_game.iter().filter(|name| **name != ZERO && !names.contains(*name)).copied().collect::<Vec<_>>(),
        );
    }
    names.push(ZERO);
    names
}

/// The evaluation that every game has.
const ZERO: &str = "zero";

fn search_declarations() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "Hash",
            meaning: "size of the transposition table in MB; refused with an error if it cannot be had",
            kind: Kind::Spin { default: 64, min: 1, max: 1_048_576, set: |options, n| options.hash = n as usize },
            effect: Effect::Resize,
        },
        Declaration {
            name: "Threads",
            meaning: "search threads; with one, and no clock, output is a function of input",
            kind: Kind::Spin { default: 1, min: 1, max: 256, set: |options, n| options.settings.threads = n as usize },
            effect: Effect::None,
        },
        Declaration {
            name: "Algorithm",
            meaning: "how to search; all up to StarETC give the same values, the others search by chance (see below)",
            kind: Kind::Combo {
                words: Algorithm::ALL.map(Algorithm::name).into(),
                default: Algorithm::default().name(),
                set: |options, i| options.settings.algorithm = Algorithm::ALL[i],
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Perfect",
            meaning: "in Dice on boards up to 5x5: where time alone limits the search, use the book and the sweep where they give \
                      exact values",
            kind: Kind::Check { default: true, set: |options, on| options.perfect = on },
            effect: Effect::None,
        },
        Declaration {
            name: "Prune",
            meaning: "**unsound**: what to leave out without proof (algorithms up to StarETC, see below)",
            kind: Kind::Combo {
                words: Prune::ALL.map(Prune::name).into(),
                default: Prune::default().name(),
                set: |options, i| options.settings.prune = Prune::ALL[i],
            },
            effect: Effect::Forget,
        },
        Declaration {
            name: "ProbingFactor",
            meaning: "moves probed for each roll (Star2 and up)",
            kind: Kind::Spin {
                default: 1,
                min: 1,
                max: 100,
                set: |options, n| options.settings.probing_factor = n as usize,
            },
            effect: Effect::None,
        },
        Declaration {
            name: "ProbeOrder",
            meaning: "order of the probes (Star2.5)",
            kind: Kind::Combo {
                words: ProbeOrder::ALL.map(ProbeOrder::name).into(),
                default: ProbeOrder::default().name(),
                set: |options, i| options.settings.probe_order = ProbeOrder::ALL[i],
            },
            effect: Effect::None,
        },
    ]
}

/// Those of searches by chance.
fn sampling_declarations() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "Width",
            meaning: "draws at each chance node (SparseSampling, MCMS)",
            kind: Kind::Spin {
                default: Settings::default().width.into(),
                min: 1,
                max: 1000,
                set: |options, n| options.settings.width = n as u32,
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Playouts",
            meaning: "how much of a leaf's value is a playout's, in per cent; the rest is the evaluation's (MCTS)",
            kind: Kind::Spin {
                default: Sampling::default().playouts.into(),
                min: 0,
                max: 100,
                set: |options, n| options.settings.sampling.playouts = n as u32,
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Candidates",
            meaning: "moves drawn at each step of a playout, of which the most promising is made; in Dice only (MCTS)",
            kind: Kind::Spin {
                default: Sampling::default().candidates.into(),
                min: 1,
                max: 100,
                set: |options, n| options.settings.sampling.candidates = n as u32,
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Exploration",
            meaning: "the constant of UCB1, in hundredths (MCTS)",
            kind: Kind::Spin {
                default: Sampling::default().exploration.into(),
                min: 0,
                max: 1000,
                set: |options, n| options.settings.sampling.exploration = n as u32,
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Rave",
            meaning: "simulations up to which moves made later count as much as a move's own record; 0: never (MCTS)",
            kind: Kind::Spin {
                default: Sampling::default().rave.into(),
                min: 0,
                max: 1000000,
                set: |options, n| options.settings.sampling.rave = n as u32,
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Prior",
            meaning: "simulations that the evaluation of a move at first sight counts for (MCTS)",
            kind: Kind::Spin {
                default: Sampling::default().prior.into(),
                min: 0,
                max: 1000000,
                set: |options, n| options.settings.sampling.prior = n as u32,
            },
            effect: Effect::None,
        },
    ]
}

fn eval_declarations() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "Eval",
            meaning: "what evaluates undecided leaves: the game's network, a plain evaluation of the game's own (see below), \
                      or nothing (every undecided leaf is 0)",
            kind: Kind::Combo {
                words: evaluations(),
                default: evaluations()[0],
                set: |options, i| options.eval = evaluations()[i],
            },
            effect: Effect::Evaluation,
        },
        Declaration {
            name: "EvalFile",
            meaning: "a network file to use instead of the built-in network, for the game (in Dice: the shape) of the position at hand",
            kind: Kind::Text {
                default: "",
                set: |options, text| {
                    options.eval_file = text.into();
                    Ok(())
                },
            },
            effect: Effect::Network,
        },
        Declaration {
            name: "Noise",
            meaning: "standard deviation of the noise added to undecided leaf values, from 0 to 10",
            kind: Kind::Text {
                default: "0",
                set: |options, text| {
                    let noise = text.parse().ok().filter(|noise| (0.0..=10.0).contains(noise));
                    options.noise = noise.ok_or("for Noise a number from 0 to 10, such as 0.015")?;
                    Ok(())
                },
            },
            effect: Effect::Evaluation,
        },
        Declaration {
            name: "NoiseSeed",
            meaning: "which noise",
            kind: Kind::Spin { default: 0, min: 0, max: u32::MAX.into(), set: |options, n| options.noise_seed = n },
            effect: Effect::Evaluation,
        },
    ]
}

fn play_declarations() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "MultiPV",
            meaning: "root moves reported with exact values",
            kind: Kind::Spin { default: 1, min: 1, max: 500, set: |options, n| options.settings.multi_pv = n as usize },
            effect: Effect::None,
        },
        Declaration {
            name: "Move Overhead",
            meaning: "milliseconds kept back from the clock for what lies between engine and client",
            kind: Kind::Spin {
                default: 10,
                min: 0,
                max: 10_000,
                set: |options, n| options.overhead = Duration::from_millis(n),
            },
            effect: Effect::None,
        },
        Declaration {
            name: "Clear Hash",
            meaning: "forget everything learnt",
            kind: Kind::Button,
            effect: Effect::Forget,
        },
    ]
}

/// Options that mean something to dark chess only.
fn dark_chess_declarations() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "FlipLimit",
            meaning: "dark chess only, and **unsound**: look at no more flips than this in a line; 0 is no limit",
            kind: Kind::Spin { default: 0, min: 0, max: 32, set: |options, n| options.settings.flip_limit = n as u8 },
            effect: Effect::None,
        },
        Declaration {
            name: "Pieces",
            meaning: "dark chess only: how `d` shows pieces, as letters or as the Chinese characters that are written on them",
            kind: Kind::Combo {
                words: Pieces::ALL.map(Pieces::name).into(),
                default: Pieces::default().name(),
                set: |options, i| options.pieces = Pieces::ALL[i],
            },
            effect: Effect::None,
        },
    ]
}

/// What the declarations say each option is at first.
impl Default for Options {
    fn default() -> Options {
        let mut options = Options {
            game: "",
            hash: 0,
            settings: Settings::default(),
            eval: "",
            eval_file: String::new(),
            noise: 0.0,
            noise_seed: 0,
            overhead: Duration::ZERO,
            pieces: Pieces::default(),
            perfect: false,
        };
        for declaration in declarations() {
            let value = declaration.default_value();
            declaration.set(&mut options, value.as_deref()).expect("a default is within its own range");
        }
        options
    }
}

impl Options {
    /// How to search under these options: only the game's own network, undisturbed and searched soundly, may give way to the
    /// truth.
    pub fn settings(&self) -> Settings {
        let undisturbed = self.eval == "net" && self.eval_file.is_empty() && self.noise == 0.0;
        let sound = self.settings.algorithm.is_exact() && self.settings.prune == Prune::None;
        Settings { perfect: self.perfect && undisturbed && sound, ..self.settings }
    }

    /// The options with one of them set, and what must be done for it to count.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<(Options, Effect), Fault> {
        let all = declarations();
        let name = if name.eq_ignore_ascii_case("UCI_Variant") { "Game" } else { name };
        let Some(declaration) = all.iter().find(|known| known.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<&str> = all.iter().map(|known| known.name).collect();
            return Err(Fault::new(clip(name), format!("expected an option: {}", names.join(", "))));
        };
        let mut options = self.clone();
        declaration.set(&mut options, value)?;
        Ok((options, declaration.effect))
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
        assert_eq!(set("prune", "probcut").0.settings.prune, Prune::ProbCut);
        assert_eq!(set("Prune", "none"), (Options::default(), Effect::Forget));
        assert_eq!(set("Eval", "Zero"), (Options { eval: "zero", ..Options::default() }, Effect::Evaluation));
        assert_eq!(set("uci_variant", "dice"), (Options::default(), Effect::Game));
        assert_eq!(set("Noise", "0.015").0.noise, 0.015);
        assert_eq!(set("EvalFile", "a  b.net").0.eval_file, "a  b.net");
        assert_eq!(set("EvalFile", "<empty>").0.eval_file, "");
        assert!(Options::default().settings().perfect);
        for (name, value) in [
            ("perfect", "False"),
            ("Eval", "zero"),
            ("EvalFile", "a.net"),
            ("Noise", "0.1"),
            ("Algorithm", "MCTS"),
            ("Prune", "Beam"),
        ] {
            assert!(!set(name, value).0.settings().perfect, "{name}");
        }
        assert_eq!(Options::default().with("Clear Hash", None).unwrap().1, Effect::Forget);
    }

    #[test]
    fn mistakes_name_the_word() {
        let cases = [
            ("Hsah", Some("3"), "Hsah", "expected an option: Game, Hash, Threads"),
            ("Hash", None, "end of line", "from 1 to"),
            ("Hash", Some(""), "end of line", "from 1 to"),
            ("Hash", Some("0"), "0", "from 1 to"),
            ("Hash", Some("+4"), "+4", "from 1 to"),
            ("Hash", Some("99999999999999999999999"), "99999999999999999999999", "from 1 to"),
            ("Algorithm", Some("Star3"), "Star3", "one of Expectimax, Star0.5"),
            ("Prune", Some("all"), "all", "one of none, ChanceProbCut, ProbCut, luck, rolls, beam"),
            ("Noise", Some("NaN"), "NaN", "a number from 0 to 10"),
            ("Noise", Some("-1"), "-1", "a number from 0 to 10"),
            ("Noise", Some("<empty>"), "<empty>", "a number from 0 to 10"),
            ("EvalFile", None, "end of line", "a text"),
            ("Clear Hash", Some("1"), "1", "no value"),
            ("Perfect", Some("maybe"), "maybe", "true or false"),
            ("Perfect", None, "end of line", "true or false"),
        ];
        for (name, value, word, reason) in cases {
            let error = Options::default().with(name, value).expect_err(name);
            assert_eq!(error.word, word, "{name} {value:?}");
            assert!(error.reason.contains(reason), "{name} {value:?}: {error}");
        }
    }
}
