//! `alea-suite make`: a representative suite of any shape. Positions come from self-play at depth 1 by the engine's own
//! evaluation with noise (so that games differ and go astray as real ones do), one from a game, in equal numbers from
//! every fifth of a game, and no two of them alike or mirror images.

use crate::Ended;
use crate::error::Error;
use crate::judges::{EvalArgs, JudgeError, Judges};
use crate::lists::{BadWord, Numbers, at_least_one};
use alea::eval::{Evaluator, Followed, Judge, Noise};
use alea::game::Game;
use alea::game::dice::{Board, Position, Shape, rolls};
use alea::with_width;
use alea_tools::greedy::best;
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::random::draws;
use clap::Args;
use rand::{Rng, RngExt};
use std::collections::HashSet;
use std::time::Instant;

/// Parts of a game that a suite has equally many positions from.
const STAGES: usize = 5;

/// Games in a row without a new position of a stage before it is taken to have no more.
const PATIENCE: usize = 1000;

/// Options of `make`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite make --shape 9/6 --count 100 --seed 7 > mine.dpn
  alea-suite run --suite mine.dpn --depths 1-5 --out mine
  alea-suite make --empty 6-13 > endings.dpn           positions that `alea-suite solve` can solve

Positions are taken from games the engine plays against itself at depth 1 with noise, one from a game: a fifth of them
from each fifth of a game, in turn, so that every part of the file is as mixed as the whole. All are rolled and open, and
none is another's mirror image. The same options give the same file.")]
pub struct MakeArgs {
    /// Size of the board and win length
    #[arg(long, value_name = "n/k", default_value = "5/4")]
    shape: Shape,

    /// How many positions
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "100")]
    count: usize,

    /// Which games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Only positions with so many empty cells, as 6-13 [default: any]
    #[arg(long, value_name = "LIST")]
    empty: Option<Numbers<289>>,

    /// Standard deviation of the noise in the players' judgement; 0 for their best play
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
    let judges = Judges::new(&args.eval)?;
    let found = with_width!(args.shape, B => gather::<B>(args, &judges))?;
    let MakeArgs { shape, count, seed, noise, .. } = args;
    let command = format!("alea-suite make --shape {shape} --count {count} --seed {seed} --noise {noise}");
    let empty = args.empty.as_ref().map(|empty| format!(" --empty {empty}")).unwrap_or_default();
    let (got, eval) = (found.len(), judges.name());
    let mut text = format!("# {got} positions of {shape} Dice: {command}{empty} (eval {eval})\n");
    text.extend(found.iter().map(|position| position.dpn() + "\n"));
    say(&text);
    if found.len() < args.count {
        return Err(Error::FewPositions(found.len()));
    }
    Ok(Ended::Done)
}

/// Play games until there are enough positions, or no more are to be found.
fn gather<B: Followed>(args: &MakeArgs, judges: &Judges) -> Result<Vec<Position>, JudgeError> {
    let wanted = |board: &Board<B>| {
        let empty = board.empty_count() as u32;
        args.empty.as_ref().is_none_or(|list| list.0.binary_search(&empty).is_ok())
    };
    let mut found: Vec<Position> = Vec::new();
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
        let mut plies = play(&judges.noisy(args.shape, noise)?, Board::<B>::new(args.shape), seed);
        plies.retain(wanted);
        let (from, to) = (stage * plies.len() / STAGES, (stage + 1) * plies.len() / STAGES);
        let pick = (from < to).then(|| plies[draws.random_range(from..to)]);
        match pick.filter(|position| seen.insert(position.key(true).hash)) {
            Some(position) => {
                misses[stage] = 0;
                found.push(position.to_width());
            }
            None => misses[stage] += 1,
        }
        progress.show(found.len(), || at_this_pace(started, found.len(), args.count));
    }
    progress.finish();
    Ok(found)
}

/// The rolled positions of one game.
fn play<B: Followed>(judge: &Judge, start: Board<B>, seed: u64) -> Vec<Board<B>> {
    let mut positions = Vec::new();
    let mut board = start;
    let mut state = judge.state(&board);
    while let Some(roll) = rolls::roll(seed, positions.len() as u32, &board) {
        let (rolled, _) = board.rolled(roll);
        positions.push(rolled);
        let (mv, _) = best(judge, &state, &rolled);
        board = rolled.after(mv).0;
        state = judge.after(&state, &rolled, mv, &board);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::{Kind, Value};

    #[test]
    fn games_are_played_to_the_end_and_win_when_they_can() {
        let shape = Shape::new(4, 3).unwrap();
        let judge = Judges::built_in().judge(shape).unwrap();
        for seed in 0..50 {
            let positions = play(&judge, Board::<u64>::new(shape), seed);
            assert!(positions.iter().all(|position| position.kind() == Kind::Decision));
            for pair in positions.windows(2) {
                assert!(!pair[0].moves().iter().any(|&mv| pair[0].after(mv).0.kind() == Kind::Over(Value::LOSS)));
            }
        }
    }
}
