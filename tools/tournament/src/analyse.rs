//! A finished game judged by an engine: what the dice and what the players did to each side's chances.
//!
//! The value of a position changes in two ways: by a roll, which is luck, and by a move that is not the best one, which is
//! a mistake. Backgammon players have long kept the two apart. Before a roll the engine searches the chance node, after
//! it the decision, and the move that was played by itself (`searchmoves`) where it is not the engine's own.

use crate::cli::AnalyseArgs;
use crate::config::split_option;
use crate::engine::{Engine, Thought};
use crate::error::Error;
use crate::fault::{Allowance, FaultKind, Patience, Trouble, fault};
use crate::limits::Limits;
use crate::records::{GameRecord, Seat};
use crate::replay::{ending, find, heading, name};
use crate::rules::{Board, seat_name, split_ply};
use crate::spec::{EngineSpec, default_command};
use crate::stop::Stop;
use crate::table::aligned;
use alea_tools::files;
use alea_tools::output::say;
use alea_tools::progress::{Progress, at_this_pace};
use alea_tools::words::WordError;
use serde::Serialize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Depth of a search, if nothing is said.
const DEFAULT_DEPTH: u32 = 7;

/// How long a search to a depth may take: longer than anybody waits.
const PATIENCE: Duration = Duration::from_secs(86_400);

/// Less than this is the rounding of two searches, not a mistake.
const SLIGHT: f64 = 0.000_5;

/// One ply, judged. All values are for the side that moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Judgement {
    ply: usize,
    seat: Seat,
    position: String,
    roll: String,
    before_roll: f64,
    after_roll: f64,
    luck: f64,
    best: String,
    #[serde(rename = "move")]
    played: Option<String>,
    after_move: Option<f64>,
    mistake: Option<f64>,
}

/// What all plies of a side add up to.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Sum {
    seat: Seat,
    name: String,
    luck: f64,
    mistakes: f64,
    wrong_moves: usize,
}

/// A game, judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Analysis {
    engine: String,
    #[serde(flatten)]
    limits: Limits,
    game: GameRecord,
    plies: Vec<Judgement>,
    sides: [Sum; 2],
}

/// Judge a game, print a table, and write JSON if asked.
pub fn analyse(args: &AnalyseArgs) -> Result<ExitCode, Error> {
    let stop = Stop::on_interrupt()?;
    let spec = spec(args)?;
    let game = find(&args.game)?;
    let start = Board::from_start(&game.start).map_err(|problem| Error::Play { number: game.number, problem })?;
    let failed = |trouble| match trouble {
        Trouble::Stopped => Error::Stopped,
        trouble => Error::Broken(spec.failure(1, trouble)),
    };
    let engine = Engine::start(&spec, start.shape(), Patience::default(), &stop).map_err(failed)?;
    let mut judge = Judge { engine, limits: spec.limits, stop: &stop };
    let plies = judge.game(&game, start.clone())?.map_err(failed)?;
    let sides = Seat::BOTH.map(|seat| sum(&game, seat, &plies));
    let analysis = Analysis { engine: judge.engine.id().to_string(), limits: spec.limits, game, plies, sides };
    judge.engine.quit();
    say(&analysis.render());
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", serde_json::json!(analysis));
        files::replace(path, text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn spec(args: &AnalyseArgs) -> Result<EngineSpec, WordError> {
    let cmd = match &args.engine {
        Some(text) => shlex::split(text).filter(|words| !words.is_empty()),
        None => Some(vec![default_command()]),
    };
    let word = || args.engine.clone().unwrap_or_default();
    let cmd = cmd.ok_or_else(|| WordError::new(word(), "expected a command").within("--engine"))?;
    let options = args.option.iter().map(|option| split_option(option).map_err(|error| error.within("--option")));
    let depth = args.depth.or(args.movetime.is_none().then_some(DEFAULT_DEPTH));
    let limits = Limits { depth, movetime: args.movetime, ..Limits::default() };
    Ok(EngineSpec { name: "judge".to_string(), cmd, limits, options: options.collect::<Result<_, _>>()? })
}

/// An engine that judges.
struct Judge<'a> {
    engine: Engine,
    limits: Limits,
    stop: &'a Stop,
}

impl Judge<'_> {
    /// Judge every ply: an error of the record, or of the engine.
    fn game(&mut self, game: &GameRecord, mut board: Board) -> Result<Result<Vec<Judgement>, Trouble>, Error> {
        let wrong = |problem| Error::Play { number: game.number, problem };
        let split = |ply: &String| split_ply(ply).map(|(roll, word)| (roll.to_string(), Some(word.to_string())));
        let mut plies = game.plies.iter().map(split).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        plies.extend(game.roll.clone().map(|roll| (roll, None)));
        let (mut progress, begun) = (Progress::new("plies", plies.len()), Instant::now());
        let mut judged = Vec::new();
        for (roll, word) in &plies {
            let mut after = board.clone();
            after.roll(roll).map_err(wrong)?;
            match self.ply(judged.len() + 1, &board, &after, roll, word.as_deref()) {
                Ok(judgement) => judged.push(judgement),
                Err(trouble) => return Ok(Err(trouble)),
            }
            if let Some(word) = word {
                after.play(word).map_err(wrong)?;
            }
            board = after;
            progress.show(judged.len(), || at_this_pace(begun, judged.len(), plies.len()));
        }
        progress.finish();
        Ok(Ok(judged))
    }

    fn ply(
        &mut self,
        ply: usize,
        before: &Board,
        after: &Board,
        roll: &str,
        played: Option<&str>,
    ) -> Result<Judgement, Trouble> {
        let position = after.position_line();
        let (_, before_roll) = self.search(&before.position_line(), 1, "")?;
        let (best, after_roll) = self.search(&position, 0, "")?;
        let after_move = match played {
            Some(word) if word == best => Some(after_roll),
            Some(word) => Some(self.search(&position, 0, &format!(" searchmoves {word}"))?.1),
            None => None,
        };
        // Searches that were cut short may judge the move above the best one.
        let mistake = after_move.map(|value| (value - after_roll).min(0.0));
        Ok(Judgement {
            ply,
            seat: before.mover(),
            position,
            roll: roll.to_string(),
            before_roll,
            after_roll,
            luck: after_roll - before_roll,
            best,
            played: played.map(str::to_string),
            after_move,
            mistake,
        })
    }

    /// The best move and its value; a chance node is searched a ply deeper than the decisions below it.
    fn search(&mut self, position: &str, deeper: u32, restriction: &str) -> Result<(String, f64), Trouble> {
        let depth = self.limits.depth.map_or(String::new(), |depth| format!(" depth {}", depth + deeper));
        let time = self.limits.movetime.map_or(String::new(), |ms| format!(" movetime {ms}"));
        let commands = format!("{position}\ngo{depth}{time}{restriction}\n");
        let allowance = Allowance { late: None, stall: PATIENCE };
        let Thought { word, info, .. } = self.engine.think(&commands, allowance, self.stop)?;
        let value =
            info.value.ok_or_else(|| fault(FaultKind::ProtocolError, "it told no value: expected 'info … value V'"))?;
        Ok((word, value))
    }
}

fn sum(game: &GameRecord, seat: Seat, plies: &[Judgement]) -> Sum {
    let own = || plies.iter().filter(|ply| ply.seat == seat);
    let mistakes = || own().filter_map(|ply| ply.mistake);
    // Adding zero makes an empty sum of floats print without a sign.
    Sum {
        seat,
        name: name(game, seat),
        luck: own().map(|ply| ply.luck).sum::<f64>() + 0.0,
        mistakes: mistakes().sum::<f64>() + 0.0,
        wrong_moves: mistakes().filter(|&mistake| mistake < -SLIGHT).count(),
    }
}

impl Analysis {
    fn render(&self) -> String {
        let head = ["ply", "side", "roll", "before", "after roll", "luck", "move", "value", "best", "mistake"];
        let mut table = vec![head.map(String::from).to_vec()];
        let signed = |value: f64| format!("{value:+.4}");
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
        for ply in &self.plies {
            table.push(vec![
                ply.ply.to_string(),
                seat_name(ply.seat).to_string(),
                ply.roll.clone(),
                signed(ply.before_roll),
                signed(ply.after_roll),
                signed(ply.luck),
                or_dash(ply.played.clone()),
                or_dash(ply.after_move.map(signed)),
                ply.best.clone(),
                ply.mistake.filter(|&mistake| mistake < -SLIGHT).map_or(String::new(), signed),
            ]);
        }
        let head = ["side", "engine", "luck", "mistakes", "wrong moves"];
        let mut sums = vec![head.map(String::from).to_vec()];
        for side in &self.sides {
            let count = side.wrong_moves.to_string();
            let name = seat_name(side.seat).to_string();
            sums.push(vec![name, side.name.clone(), signed(side.luck), signed(side.mistakes), count]);
        }
        let mut board = Board::from_start(&self.game.start).ok();
        if let Some(board) = &mut board {
            let _ = self.game.plies.iter().try_for_each(|ply| board.ply(ply));
        }
        let end = board.map_or(String::new(), |board| ending(&self.game, &board));
        let (judge, limits) = (&self.engine, self.limits);
        format!(
            "{}{}\n{end}\n{}\nJudged by {judge} at {limits}. All values are for the side that moves, in points: 1 is a \
             won game. Luck: the value after the roll less that before it. Mistake: the value of the move less that of \
             the best.\n",
            heading(&self.game),
            aligned(&table),
            aligned(&sums)
        )
    }
}
