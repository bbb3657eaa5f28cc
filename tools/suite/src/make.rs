//! `alea-suite make`: a representative suite of any game. Positions come from self-play at depth 1 by the engine's own
//! evaluation with noise (so that games differ and go astray as real ones do), one from a game, in equal numbers from
//! every fifth of a game, and no two of them alike or mirror images. None can be won at once: that takes no search.

use crate::Ended;
use crate::error::Error;
use crate::games::{DEFAULT, DICE};
use crate::judges::{EvalArgs, JudgeError, Judges};
use crate::lists::{BadWord, Numbers, at_least_one};
use crate::suites::heading;
use alea::eval::{Evaluated, Evaluator, Noise};
use alea::game::dice::{self, Shape};
use alea::game::{Game, Kind, Notation, Step, Turn, Value};
use alea::games::NAMES;
use alea_tools::greedy::best;
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::random::draws;
use clap::Args;
use clap::builder::PossibleValuesParser;
use rand::{Rng, RngExt};
use std::any::Any;
use std::collections::HashSet;
use std::time::Instant;

/// Parts of a game that a suite has equally many positions from.
const STAGES: usize = 5;

/// Games in a row without a new position of a stage before it is taken to have no more.
const PATIENCE: usize = 1000;

/// Steps after which a game is left unfinished: rules need not end it.
const LONGEST: usize = 10_000;

/// Options of `make`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite make --shape 9/6 --count 100 --seed 7 > mine.dpn
  alea-suite run --suite mine.dpn --depths 1-5 --out mine
  alea-suite make --empty 6-13 > endings.dpn           positions that `alea-suite solve` can solve
  alea-suite make --game einstein > mine               a suite of another game; it starts with a line that names it

Positions are taken from games the engine plays against itself at depth 1 with noise, one from a game: a fifth of them
from each fifth of a game, in turn, so that every part of the file is as mixed as the whole. In all of them a player is
to choose, with no win at once, and none is another's mirror image. The same options give the same file.")]
pub struct MakeArgs {
    /// Which game
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(NAMES), default_value = DEFAULT)]
    game: String,

    /// Of Dice: size of the board and win length [default: 5/4]
    #[arg(long, value_name = "n/k")]
    shape: Option<Shape>,

    /// How many positions
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "100")]
    count: usize,

    /// Which games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Of Dice: only positions with so many empty cells, as 6-13 [default: any]
    #[arg(long, value_name = "LIST")]
    empty: Option<Numbers<289>>,

    /// Standard deviation of the noise in the players' judgement, as a part of the greatest win; 0 for their best play
    #[arg(long, value_name = "X", default_value = "0.1", value_parser = deviation)]
    noise: f64,

    #[command(flatten)]
    eval: EvalArgs,
}

fn deviation(text: &str) -> Result<f64, BadWord> {
    let number: f64 = text.parse().map_err(|_| BadWord::Expected("a number, as 0.1"))?;
    Noise::new(number, 0).map(|_| number).ok_or(BadWord::Expected("a finite number, at least 0"))
}

/// Write a suite to stdout.
pub fn make(args: &MakeArgs) -> Result<Ended, Error> {
    let game = args.game.as_str();
    alea::with_game!(game, G => make_game::<G>(args)).unwrap_or_else(|| Err(Error::NoGame(game.into())))
}

fn make_game<G: Evaluated>(args: &MakeArgs) -> Result<Ended, Error> {
    let shape = args.shape.map(|shape| [shape.size().to_string(), shape.win().to_string()]);
    for (option, given) in [("--shape", shape.is_some()), ("--empty", args.empty.is_some())] {
        if given && G::NAME != DICE {
            return Err(Error::DiceOnly { option, game: G::NAME });
        }
    }
    let words: Vec<&str> = shape.iter().flatten().map(String::as_str).collect();
    let start = G::start(&words)?;
    let judges = Judges::new::<G>(&args.eval)?;
    let found = gather(args, &judges, &start)?;
    let mut text = heading(G::NAME) + &introduction(args, &judges, &start, found.len());
    text.extend(found.iter().map(|position| position.fen() + "\n"));
    say(&text);
    if found.len() < args.count {
        return Err(Error::FewPositions(found.len()));
    }
    Ok(Ended::Done)
}

/// The comment that says how the suite was made.
fn introduction<G: Evaluated>(args: &MakeArgs, judges: &Judges, start: &G, got: usize) -> String {
    let kind = start.network_for();
    let (what, option) = match G::NAME {
        DICE => (format!("{kind} Dice"), format!("--shape {kind}")),
        game => (game.into(), format!("--game {game}")),
    };
    let MakeArgs { count, seed, noise, .. } = args;
    let empty = args.empty.as_ref().map(|empty| format!(" --empty {empty}")).unwrap_or_default();
    let command = format!("alea-suite make {option} --count {count} --seed {seed} --noise {noise}{empty}");
    format!("# {got} positions of {what}: {command} (eval {})\n", judges.name())
}

/// Play games until there are enough positions, or no more are to be found.
fn gather<G: Evaluated>(args: &MakeArgs, judges: &Judges, start: &G) -> Result<Vec<G>, JudgeError> {
    let wanted = |position: &G| {
        let list = args.empty.as_ref().zip(empty_cells(position));
        list.is_none_or(|(list, empty)| list.0.binary_search(&empty).is_ok()) && !is_won_at_once(position)
    };
    let network = judges.network(start)?;
    let mut found: Vec<G> = Vec::new();
    let mut seen = HashSet::new();
    let mut misses = [0; STAGES];
    let mut progress = Progress::new("positions", args.count);
    let started = Instant::now();
    for game in 0.. {
        // The next stage in turn that may still have something new.
        let open = |offset: &usize| misses[(found.len() + offset) % STAGES] < PATIENCE;
        let Some(offset) = (0..STAGES).find(open).filter(|_| found.len() < args.count) else { break };
        let stage = (found.len() + offset) % STAGES;
        let mut draws = draws(args.seed, "make", game);
        let seed = draws.next_u64();
        let noise = Noise::new(args.noise, seed).unwrap_or(Noise::NONE);
        let mut plies = play(&judges.noisy(start, &network, noise), start, seed);
        plies.retain(wanted);
        let (from, to) = (stage * plies.len() / STAGES, (stage + 1) * plies.len() / STAGES);
        let pick = (from < to).then(|| plies.swap_remove(draws.random_range(from..to)));
        match pick.filter(|position| seen.insert(position.key(true, 0).hash)) {
            Some(position) => {
                misses[stage] = 0;
                found.push(position);
            }
            None => misses[stage] += 1,
        }
        progress.show(found.len(), || at_this_pace(started, found.len(), args.count));
    }
    progress.finish();
    Ok(found)
}

/// The empty cells of a position of Dice.
fn empty_cells<G: Notation>(position: &G) -> Option<u32> {
    let position: &dyn Any = position;
    position.downcast_ref::<dice::Position>().map(|position| position.empty_count() as u32)
}

/// Whether the mover has a move that wins there and then.
fn is_won_at_once<G: Game>(position: &G) -> bool {
    position.moves().iter().any(|&mv| {
        let next = position.child(Step::Move(mv));
        match (next.kind(), Turn::between(position.mover(), next.mover())) {
            (Kind::Over(value), Turn::Kept) => value > Value::DRAW,
            (Kind::Over(value), Turn::Passed) => value < Value::DRAW,
            _ => false,
        }
    })
}

/// The decisions of one game.
fn play<G: Notation, E: Evaluator<G>>(judge: &E, start: &G, seed: u64) -> Vec<G> {
    let mut positions = Vec::new();
    let mut position = start.clone();
    let mut state = judge.state(&position);
    let mut chances = 0;
    for _ in 0..LONGEST {
        let step = match position.kind() {
            Kind::Over(_) => break,
            Kind::Decision => {
                positions.push(position.clone());
                Step::Move(best(judge, &state, &position).0)
            }
            Kind::Chance => {
                let Some(face) = position.chance(seed, chances) else { break };
                chances += 1;
                Step::Outcome(face)
            }
        };
        let next = position.child(step);
        state = judge.advanced(&state, &position, step, &next);
        position = next;
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of every kind to their end: positions are decisions, and only the last can be won at once.
    fn check<G: Evaluated>() {
        let start = G::start(&[]).unwrap();
        let judge = start.best_evaluator();
        for seed in 0..8 {
            let positions = play(&judge, &start, seed);
            assert!(positions.iter().all(|position| position.kind() == Kind::Decision), "{}", G::NAME);
            let (last, before) = positions.split_last().unwrap();
            let end = best(&judge, &judge.state(last), last).0;
            assert!(matches!(last.child(Step::Move(end)).kind(), Kind::Over(_)), "{} {}", G::NAME, last.fen());
            for position in before.iter().filter(|position| is_won_at_once(*position)) {
                // A win may be passed over only for a greater one.
                assert!(G::POINTS > 1, "{} {}", G::NAME, position.fen());
            }
        }
    }

    #[test]
    fn games_are_played_to_the_end_and_won_when_they_can() {
        for &game in NAMES {
            alea::with_game!(game, G => check::<G>()).unwrap();
        }
    }
}
