//! From arguments and a TOML file to conditions: one set of words, wherever they stand.

use crate::cli::{ConditionArgs, FormatArg, duration};
use crate::conditions::{Conditions, Host};
use crate::fault::Patience;
use crate::limits::Limits;
use crate::rules::{Shape, Variant, game_names};
use crate::schedule::{Format, MAX_PAIRS, Seeds};
use crate::spec::{EngineSpec, PAIR_WORD, default_command};
use alea::games;
use alea_tools::engine::{command_line, setting};
use alea_tools::text::visible;
use alea_tools::words::WordError;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Pairs a pairing, if not said.
const DEFAULT_PAIRS: u64 = 200;

/// Pairs after which a sequential test that has not decided is given up, if not said.
const DEFAULT_SPRT_PAIRS: u64 = 100_000;

/// Plies after which a game is a draw, if not said: the rules of some games let it go on for ever.
const DEFAULT_MAX_PLIES: u32 = 2_000;

/// The most that may be said: a record must stay shorter than [`crate::records::MAX_RECORD`].
pub const MOST_PLIES: u32 = 5_000;

/// Megabytes of table for our engine in the depth experiment: every game starts with an empty table, and emptying a
/// large one would cost more than a shallow search.
const DEPTHS_HASH: &str = "1";

/// A TOML file: the words of the command line.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ConfigFile {
    #[serde(default)]
    engine: Vec<toml::Table>,
    format: Option<FormatArg>,
    game: Option<String>,
    shape: Option<String>,
    seed: Option<u64>,
    pairs: Option<u64>,
    seeds: Option<PathBuf>,
    sprt: Option<String>,
    max_plies: Option<u32>,
    stall: Option<String>,
    margin: Option<String>,
    start: Option<String>,
    #[serde(default)]
    no_times: bool,
}

/// The conditions that these arguments ask for; where they are silent, `stored` ones if there are any, or the usual.
pub fn conditions(args: &ConditionArgs, stored: Option<&Conditions>) -> Result<Conditions, WordError> {
    let (args, engines) = with_file(args)?;
    let format = args.format.map(Format::from).or(stored.map(|stored| stored.format)).unwrap_or(Format::RoundRobin);
    let (engines, format) = match stored {
        _ if !args.depths.is_empty() => (depth_engines(&args)?, Format::Depths),
        Some(stored) if engines.is_empty() => (stored.engines.clone(), format),
        _ => (engines, format),
    };
    check_engines(&engines)?;
    let sprt = args.sprt.or(stored.and_then(|stored| stored.sprt));
    let shard = args.shard.or(stored.and_then(|stored| stored.shard));
    if sprt.is_some() && shard.is_some() {
        return Err(WordError::new("--shard", "not with --sprt: the test needs all pairs in order; leave one out"));
    }
    let usual = stored.map_or(Patience::default(), |stored| stored.patience);
    let millis = |time: Option<Duration>, usual| time.map_or(usual, |time| time.as_millis() as u64);
    Ok(Conditions {
        tool: concat!("alea-tournament ", env!("CARGO_PKG_VERSION")).to_string(),
        variant: variant(&args, stored)?,
        format,
        engines,
        versions: Vec::new(),
        seeds: seeds(&args, stored, sprt.is_some())?,
        sprt,
        max_plies: args.max_plies.or(stored.map(|stored| stored.max_plies)).unwrap_or(DEFAULT_MAX_PLIES),
        patience: Patience {
            start: millis(args.start, usual.start),
            stall: millis(args.stall, usual.stall),
            margin: millis(args.margin, usual.margin),
        },
        times: !args.no_times && stored.is_none_or(|stored| stored.times),
        shard,
        hosts: vec![Host::here()],
    })
}

/// The game that is played, and how it starts.
fn variant(args: &ConditionArgs, stored: Option<&Conditions>) -> Result<Variant, WordError> {
    let stored = stored.map(|stored| &stored.variant);
    let game = args.game.as_deref().or(stored.map(|stored| stored.game.as_str())).unwrap_or(games::NAMES[0]);
    let usual = stored.filter(|stored| stored.game == game).cloned().unwrap_or_else(|| Variant::of(game));
    match args.shape {
        None => Ok(usual),
        Some(shape) if usual.is_dice() => Ok(Variant::dice(shape)),
        Some(shape) => {
            let why = format!("only Dice comes in shapes, and the game is {game}; leave it out");
            Err(WordError::new(format!("--shape {shape}"), why))
        }
    }
}

fn seeds(args: &ConditionArgs, stored: Option<&Conditions>, sequential: bool) -> Result<Seeds, WordError> {
    let usual = if sequential { DEFAULT_SPRT_PAIRS } else { DEFAULT_PAIRS };
    let seeds = match (&args.seeds, stored.map(|stored| &stored.seeds)) {
        (Some(path), _) => Seeds::from_lines(&read(path).map_err(|error| error.within("--seeds"))?)
            .map_err(|error| error.within(path.display().to_string()).within("--seeds"))?,
        (None, Some(Seeds::Drawn { seed, pairs })) => {
            Seeds::Drawn { seed: args.seed.unwrap_or(*seed), pairs: args.pairs.unwrap_or(*pairs) }
        }
        (None, Some(listed)) if args.seed.is_none() && args.pairs.is_none() => listed.clone(),
        _ => Seeds::Drawn { seed: args.seed.unwrap_or(1), pairs: args.pairs.unwrap_or(usual) },
    };
    match seeds.len() {
        1..=MAX_PAIRS => Ok(seeds),
        count => Err(WordError::new(format!("--pairs {count}"), format!("expected 1 to {MAX_PAIRS}"))),
    }
}

/// The arguments with what the file says where they are silent, and the engines of both.
fn with_file(args: &ConditionArgs) -> Result<(ConditionArgs, Vec<EngineSpec>), WordError> {
    let mut args = args.clone();
    let mut engines = Vec::new();
    if let Some(path) = args.config.take() {
        let named = |error: WordError| error.within(format!("--config {}", path.display()));
        let text = read(&path).map_err(|error| error.within("--config"))?;
        let file: ConfigFile = toml::from_str(&text).map_err(|error| named(toml_error(&text, &error)))?;
        for (i, table) in file.engine.iter().enumerate() {
            let within = |error: WordError| named(error.within(format!("engine {}", i + 1)));
            engines.push(EngineSpec::from_table(table).map_err(within)?);
        }
        fill(&mut args, file, path.parent().unwrap_or(Path::new(""))).map_err(named)?;
    }
    for words in &args.engine {
        engines.push(EngineSpec::from_words(words).map_err(|error| error.within("--engine"))?);
    }
    Ok((args, engines))
}

/// A file's text.
fn read(path: &Path) -> Result<String, WordError> {
    fs::read_to_string(path).map_err(|error| WordError::new(path.display().to_string(), error.to_string()))
}

/// The piece of a TOML file that is at fault, and why.
fn toml_error(text: &str, error: &toml::de::Error) -> WordError {
    let word = error.span().and_then(|span| text.get(span)).unwrap_or("");
    WordError::new(visible(word.lines().next().unwrap_or(""), 60), error.message())
}

fn fill(args: &mut ConditionArgs, file: ConfigFile, folder: &Path) -> Result<(), WordError> {
    let time = |key: &str, text: Option<String>| {
        text.map(|text| duration(&text).map_err(|error| error.within(key))).transpose()
    };
    // Seeds given in one way on the command line replace those of the file, given in whatever way.
    if args.seed.is_none() && args.pairs.is_none() && args.seeds.is_none() {
        if file.seeds.is_some() && (file.seed.is_some() || file.pairs.is_some()) {
            return Err(WordError::new("seeds", "not with 'seed' or 'pairs': say one or the other"));
        }
        args.seeds = file.seeds.map(|seeds| folder.join(seeds));
    }
    if args.seeds.is_none() {
        args.seed = args.seed.or(file.seed);
        args.pairs = args.pairs.or(file.pairs);
    }
    args.format = args.format.or(file.format);
    let game = file.game.map(|text| game(&text).map_err(|error| error.within("game"))).transpose()?;
    args.game = args.game.take().or(game);
    let shape = file.shape.map(|text| shape(&text).map_err(|error| error.within("shape"))).transpose()?;
    args.shape = args.shape.or(shape);
    let sprt = file.sprt.map(|sprt| sprt.parse()).transpose().map_err(|error: WordError| error.within("sprt"))?;
    args.sprt = args.sprt.or(sprt);
    if let Some(plies) = file.max_plies.filter(|plies| !(1..=MOST_PLIES).contains(plies)) {
        return Err(WordError::new(plies.to_string(), format!("expected 1 to {MOST_PLIES}")).within("max-plies"));
    }
    args.max_plies = args.max_plies.or(file.max_plies);
    args.stall = args.stall.or(time("stall", file.stall)?);
    args.margin = args.margin.or(time("margin", file.margin)?);
    args.start = args.start.or(time("start", file.start)?);
    args.no_times |= file.no_times;
    Ok(())
}

/// The name of a game.
pub fn game(text: &str) -> Result<String, WordError> {
    match games::NAMES.contains(&text) {
        true => Ok(text.to_string()),
        false => Err(WordError::new(visible(text, 60), format!("expected one of {}", game_names()))),
    }
}

/// A shape of Dice.
pub fn shape(text: &str) -> Result<Shape, WordError> {
    text.parse().map_err(|_| WordError::new(text, "expected n/k with 3 <= k <= n <= 17, as in 5/4"))
}

fn check_engines(engines: &[EngineSpec]) -> Result<(), WordError> {
    if engines.len() < 2 {
        let expected = "expected two engines or more: say --depths 1,3, or --engine twice";
        return Err(WordError::new(engines.first().map_or("", |engine| &engine.name), expected));
    }
    let mut names = HashSet::new();
    match engines.iter().find(|engine| !names.insert(&engine.name)) {
        Some(twice) => Err(WordError::new(format!("name={}", twice.name), "two engines have this name")),
        None => Ok(()),
    }
}

/// Our engine at each noise level and depth, noise by noise, shallow before deep.
///
/// The noise of a pair is the same for both sides, as in Hauk's experiment: one evaluation, searched to two depths.
/// But every pair has a noise of its own: with one for all, the luck of a single draw near the start of the game would
/// be in every pair, and the pairs would not be independent.
fn depth_engines(args: &ConditionArgs) -> Result<Vec<EngineSpec>, WordError> {
    let mut depths = args.depths.clone();
    depths.sort_unstable();
    depths.dedup();
    if depths.len() != args.depths.len() || depths.len() < 2 || depths[0] == 0 {
        let list: Vec<_> = args.depths.iter().map(u32::to_string).collect();
        let word = format!("--depths {}", list.join(","));
        return Err(WordError::new(word, "expected two or more depths above 0, each once"));
    }
    let noises = if args.noise.is_empty() { vec!["0".to_string()] } else { args.noise.clone() };
    let mut known: Vec<f64> = Vec::new();
    for noise in &noises {
        let level = noise.parse().ok().filter(|level: &f64| (0.0..=10.0).contains(level));
        match level.filter(|level| !known.contains(level)) {
            Some(level) => known.push(level),
            None => {
                return Err(WordError::new(format!("--noise {noise}"), "expected a number from 0 to 10, each once"));
            }
        }
    }
    let cmd = match &args.cmd {
        Some(text) => command_line(text).map_err(|error| error.within("--cmd"))?,
        None => vec![default_command()],
    };
    let read = |option: &String| setting(option).map_err(|error| error.within("--option"));
    let mut shared = args.option.iter().map(read).collect::<Result<Vec<_>, WordError>>()?;
    if args.cmd.is_none() && !shared.iter().any(|(name, _)| name.eq_ignore_ascii_case("Hash")) {
        shared.insert(0, ("Hash".to_string(), DEPTHS_HASH.to_string()));
    }
    let mut engines = Vec::new();
    for (noise, level) in noises.iter().zip(known) {
        for &depth in &depths {
            let mut options = shared.clone();
            if level > 0.0 {
                options.push(("Noise".to_string(), noise.clone()));
                options.push(("NoiseSeed".to_string(), PAIR_WORD.to_string()));
            }
            engines.push(EngineSpec {
                name: format!("d{depth} n{noise}"),
                cmd: cmd.clone(),
                limits: Limits { depth: Some(depth), ..Limits::default() },
                options,
            });
        }
    }
    Ok(engines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(change: impl Fn(&mut ConditionArgs)) -> ConditionArgs {
        let mut args = ConditionArgs::default();
        change(&mut args);
        args
    }

    #[test]
    fn depths_and_noise_make_a_grid() {
        let asked = args(|a| {
            a.depths = vec![5, 1, 3];
            a.noise = vec!["0".to_string(), "0.1".to_string()];
        });
        let made = conditions(&asked, None).unwrap();
        let names: Vec<_> = made.engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["d1 n0", "d3 n0", "d5 n0", "d1 n0.1", "d3 n0.1", "d5 n0.1"]);
        assert_eq!(made.noise(0), None);
        assert_eq!(made.noise(5), Some("0.1"));
        assert_eq!(made.pairings().len(), 6);
        assert_eq!(made.seeds, Seeds::Drawn { seed: 1, pairs: 200 });
    }

    #[test]
    fn a_table_of_ones_own_replaces_that_of_depths() {
        let options = |option: &str| {
            let asked = args(|a| (a.depths, a.option) = (vec![1, 3], vec![option.to_string()]));
            conditions(&asked, None).unwrap().engines[0].options.clone()
        };
        for own in ["Hash=32", "hash = 32"] {
            assert_eq!(options(own), [setting(own).unwrap()]);
        }
        let default = ("Hash".to_string(), DEPTHS_HASH.to_string());
        assert_eq!(options("Eval=zero"), [default, setting("Eval=zero").unwrap()]);
    }

    #[test]
    fn the_file_speaks_where_the_command_line_is_silent() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("match.toml");
        fs::write(dir.path().join("seeds.txt"), "4\n5\n").unwrap();
        let text = "shape = '7/4'\nseeds = 'seeds.txt'\nformat = 'gauntlet'\nstall = '2s'\n\
                    [[engine]]\nname = 'A'\ndepth = 1\n[[engine]]\nname = 'B'\ndepth = 2\n";
        fs::write(&path, text).unwrap();
        let asked = args(|a| a.config = Some(path.clone()));
        let made = conditions(&asked, None).unwrap();
        assert_eq!(
            (made.variant.start.as_str(), made.format, made.patience.stall),
            ("startpos 7 4", Format::Gauntlet, 2000)
        );
        assert_eq!(made.seeds, Seeds::Listed(vec![4, 5]));
        let asked = args(|a| {
            a.config = Some(path.clone());
            a.pairs = Some(9);
            a.shape = "9/6".parse().ok();
        });
        let made = conditions(&asked, None).unwrap();
        assert_eq!((made.variant.start.as_str(), made.seeds), ("startpos 9 6", Seeds::Drawn { seed: 1, pairs: 9 }));
        let cases = [
            ("shap = '5/4'", "shap"),
            ("shape = '4/5'", "4/5"),
            ("max-plies = 0", "max-plies: '0'"),
            ("game = 'chess'", "game: 'chess': expected one of dice"),
            ("[[engine]]\nname='A'", "engine 1"),
        ];
        for (text, word) in cases {
            fs::write(&path, text).unwrap();
            let error = conditions(&args(|a| a.config = Some(path.clone())), None).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("match.toml"), "{error}");
        }
    }

    #[test]
    fn stored_conditions_speak_where_the_arguments_are_silent() {
        let asked = args(|a| {
            a.engine = vec!["name=A,depth=1".to_string(), "name=B,depth=2".to_string()];
            (a.seed, a.pairs, a.no_times, a.format) = (Some(7), Some(9), true, Some(FormatArg::Gauntlet));
            (a.shape, a.shard, a.stall) = ("7/4".parse().ok(), "1/3".parse().ok(), Some(Duration::from_secs(1)));
        });
        let stored = conditions(&asked, None).unwrap();
        assert_eq!(conditions(&args(|_| {}), Some(&stored)).unwrap(), stored);
        assert_eq!(conditions(&asked, Some(&stored)).unwrap(), stored);
        let other = conditions(&args(|a| a.pairs = Some(10)), Some(&stored)).unwrap();
        assert_eq!(other.differences(&stored), ["seeds.drawn.pairs: 10 against 9"]);
    }

    #[test]
    fn the_game_is_that_of_the_arguments_or_the_stored_one() {
        let variant = |game: Option<&str>, shape: Option<&str>, stored: Option<&Conditions>| {
            let asked = args(|a| {
                (a.depths, a.game) = (vec![1, 3], game.map(String::from));
                a.shape = shape.and_then(|shape| shape.parse().ok());
            });
            conditions(&asked, stored).map(|made| Conditions { hosts: Vec::new(), ..made })
        };
        let dice = variant(None, Some("7/4"), None).unwrap();
        let flips = variant(Some("darkchess"), None, None).unwrap();
        assert_eq!([&dice.variant, &flips.variant].map(Variant::to_string), ["Dice 7/4", "Dark chess"]);
        let cases = [(None, &dice, "Dice 7/4"), (None, &flips, "Dark chess"), (Some("dice"), &flips, "Dice 5/4")];
        for (game, stored, title) in cases {
            assert_eq!(variant(game, None, Some(stored)).unwrap().variant.to_string(), title);
        }
        let error = variant(None, Some("7/4"), Some(&flips)).unwrap_err().to_string();
        assert!(error.contains("--shape 7/4") && error.contains("darkchess"), "{error}");
    }

    #[test]
    fn errors_name_the_word() {
        let engine = |name: &str| format!("name={name},depth=1");
        type Change = Box<dyn Fn(&mut ConditionArgs)>;
        let cases: [(&str, Change); 9] = [
            ("two engines or more", Box::new(|_| {})),
            ("name=A", Box::new(move |a| a.engine = vec![engine("A"), engine("A")])),
            ("--depths 3,3", Box::new(|a| a.depths = vec![3, 3])),
            ("--depths 3", Box::new(|a| a.depths = vec![3])),
            ("--depths 0,1", Box::new(|a| a.depths = vec![0, 1])),
            ("--noise x", Box::new(|a| (a.depths, a.noise) = (vec![1, 3], vec!["x".to_string()]))),
            ("--noise 0.0", Box::new(|a| (a.depths, a.noise) = (vec![1, 3], vec!["0".into(), "0.0".into()]))),
            (
                "--shape 9/6",
                Box::new(|a| (a.depths, a.game, a.shape) = (vec![1, 3], Some("darkchess".into()), "9/6".parse().ok())),
            ),
            ("--pairs 0", Box::new(|a| (a.depths, a.pairs) = (vec![1, 3], Some(0)))),
        ];
        for (word, change) in cases {
            let error = conditions(&args(change), None).unwrap_err().to_string();
            assert!(error.contains(word), "{word}: {error}");
        }
    }
}
