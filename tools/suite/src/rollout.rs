//! `alea-suite rollout`: positions judged by games played on from them.

use crate::Ended;
use crate::error::Error;
use crate::games::GameArgs;
use crate::judges::{EvalArgs, Judges};
use crate::lists::at_least_one;
use crate::players::{Losses, Player};
use crate::run::stop_at_interrupt;
use crate::suites::{Source, Suite};
use alea::game::Step;
use alea::search::{Branch, Limits, Plan, Rollout, Searched, Searcher, Settings, Stop, roll_out};
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `rollout`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alea-suite rollout middle.dpn                          each move of each position played on 36 times
  alea-suite rollout middle.dpn --games 1296 --depth 3   more games, better players
  alea-suite rollout --game backgammon openings          positions of another game, if the file does not name it
  alea-suite rollout middle.dpn --games 800 --players StarETC:50ms,MCTS:50ms,StarETC:1
                                                         what the moves of some players throw away

Of each position: a line a move, from the best to the worst, with the mean result in points for the side to move and its standard
error; where chance is to come, a line a roll and one for all. First rolls come up as their weights say, all moves have
the same dice, and the luck of the dice is taken off as the evaluation sees it. Ctrl-C ends with what has been played.

Players choose a move in each position, from an empty table; a table says what they throw away on average against the best move of the
rollout. It is the judgement of the players of the rollout: of what they all misjudge it knows nothing.")]
pub struct RolloutArgs {
    /// A file of positions, one a line as the game writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    eval: EvalArgs,

    /// Games played on from each move, or each roll
    #[arg(long, value_name = "N", default_value = "36", value_parser = at_least_one)]
    games: usize,

    /// Depth of the searches that choose the moves
    #[arg(long, value_name = "D", default_value = "1", value_parser = at_least_one)]
    depth: usize,

    /// Players whose moves are judged: algorithms, each with a depth or a time, as StarETC:3,MCTS:50ms
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    players: Vec<Player>,

    /// Table of the searches, in MB
    #[arg(long, value_name = "MB", value_parser = at_least_one, default_value = "64")]
    hash: usize,

    /// Refuse a file that has bad lines, instead of going on with the good ones
    #[arg(long)]
    strict: bool,
}

/// Roll out a file of positions.
pub fn rollout(args: &RolloutArgs) -> Result<Ended, Error> {
    let source = Source::open(Some(&args.file), args.game.game.as_deref())?;
    let ended = alea::with_game!(source.game, G => rollout_game::<G>(args, &source));
    ended.unwrap_or_else(|| Err(Error::NoGame(source.game.into())))
}

fn rollout_game<G: Searched>(args: &RolloutArgs, source: &Source) -> Result<Ended, Error> {
    let stop = Stop::new();
    let interrupt = stop_at_interrupt(&stop);
    let suite = Suite::<G>::load(source, args.strict)?;
    let judges = Judges::new::<G>(&args.eval)?.each(suite.entries.iter().map(|entry| &entry.position))?;
    let mut searcher = Searcher::new(args.hash)?;
    let limits = Limits::to_depth(u32::try_from(args.depth).unwrap_or(u32::MAX));
    let games = u32::try_from(args.games).unwrap_or(u32::MAX);
    let settings = Settings::default();
    let plan = Plan { games, limits: &limits };
    let mut losses = Losses::new(&args.players);
    let mut progress = Progress::new("games", suite.entries.len() * args.games);
    let started = Instant::now();
    for (done, (entry, judge)) in suite.entries.iter().zip(&judges).enumerate() {
        searcher.forget();
        let all = suite.entries.len() * args.games;
        let mut hear = |rollout: &Rollout<G::Move>| {
            let done = done * args.games + rollout.played() as usize;
            progress.show(done, || at_this_pace(started, done, all));
        };
        let found = roll_out(&entry.position, &mut searcher, judge, &settings, plan, &stop, &mut hear);
        progress.print(&text(&entry.position, entry.line, &found));
        losses.ask(&entry.position, &found, &mut searcher, judge, &stop);
        if stop.pulled() {
            break;
        }
    }
    progress.finish();
    say(&losses.text());
    if interrupt.seen() {
        say("Stopped: what is shown are the games played by then.\n");
        return Ok(Ended::Interrupted);
    }
    Ok(Ended::Done)
}

/// What is said of the position on a line of the file.
fn text<G: Searched>(position: &G, line: usize, rollout: &Rollout<G::Move>) -> String {
    let points = |value: f64| value * f64::from(G::POINTS);
    let row = |name: &str, value: f64, error: f64, games: u64| {
        let error = if error.is_finite() { format!("{:.4}", points(error)) } else { "-".into() };
        format!("  {name:<14} {:>8.4} ± {error:<7} {games:>6} games\n", points(value))
    };
    let mut text = format!("line {line}: {}\n", position.fen());
    let branches = rollout.branches.iter().filter(|branch| branch.games > 0);
    let name = |branch: &Branch<G::Move>| match branch.step {
        Step::Move(mv) => position.move_text(mv),
        Step::Outcome(id) => format!("roll {}", position.outcome_text(id)),
    };
    branches.for_each(|branch| text += &row(&name(branch), branch.value, branch.error(), branch.games.into()));
    if rollout.branches.is_empty() {
        text += "  the game is over\n";
    } else if let Some((value, error)) = rollout.mean() {
        text += &row("all", value, error, rollout.games());
    }
    text
}
