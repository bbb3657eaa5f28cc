//! A finished game judged by an engine: what chance and what the players did to each side's prospects.
//!
//! The value of a position changes in two ways: by a roll, which is luck, and by a move that is not the best one, which is
//! a mistake. Backgammon players have long kept the two apart. Before a roll the engine searches the chance node, after
//! it the decision, and the move that was played by itself (`searchmoves`) where it is not the engine's own. Where chance
//! follows the move, as in dark chess, what turns up is the roll: the chance node is that behind the move.

use crate::cli::AnalyseArgs;
use crate::engine::{Engine, Thought};
use crate::error::Error;
use crate::fault::{Allowance, FaultKind, Patience, Trouble, fault};
use crate::limits::Limits;
use crate::records::{GameRecord, Seat};
use crate::replay::{ending, find, heading, name};
use crate::rules::{Board, RuleError};
use crate::spec::{EngineSpec, default_command};
use crate::stop::{Stop, on_interrupt};
use crate::table::aligned;
use alea_tools::engine::{command_line, setting};
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
    /// With the roll, where it comes first.
    position: String,
    /// What chance brought; nothing where it had no say.
    roll: Option<String>,
    before_roll: Option<f64>,
    after_roll: Option<f64>,
    luck: Option<f64>,
    before_move: f64,
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
    let stop = on_interrupt()?;
    let spec = spec(args)?;
    let game = find(&args.game)?;
    let start = Board::new(&game.variant()).map_err(|problem| Error::Play { number: game.number, problem })?;
    let failed = |trouble| match trouble {
        Trouble::Stopped => Error::Stopped,
        trouble => Error::Broken(spec.failure(1, trouble)),
    };
    let engine = Engine::start(&spec, &start, Patience::default(), &stop).map_err(failed)?;
    let mut judge = Judge { engine, limits: spec.limits, stop: &stop };
    let (plies, end) = judge.game(&game, start)?.map_err(failed)?;
    let sides = Seat::BOTH.map(|seat| sum(&game, seat, &plies));
    let analysis = Analysis { engine: judge.engine.id().to_string(), limits: spec.limits, game, plies, sides };
    judge.engine.quit();
    say(&analysis.render(&end));
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", serde_json::json!(analysis));
        files::replace(path, text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn spec(args: &AnalyseArgs) -> Result<EngineSpec, WordError> {
    let cmd = match &args.engine {
        Some(text) => command_line(text).map_err(|error| error.within("--engine"))?,
        None => vec![default_command()],
    };
    let options = args.option.iter().map(|option| setting(option).map_err(|error| error.within("--option")));
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
    /// Judge every ply, and play the game to its end: an error of the record, or of the engine.
    fn game(&mut self, game: &GameRecord, start: Board) -> Result<Result<(Vec<Judgement>, Board), Trouble>, Error> {
        let wrong = |problem| Error::Play { number: game.number, problem };
        let mut board = start;
        let mut plies = Vec::new();
        for ply in &game.plies {
            let (face, word) = board.split(ply).map_err(wrong)?;
            plies.push((face, Some(word)));
        }
        plies.extend(game.roll.as_deref().map(|roll| (Some(roll), None)));
        let (mut progress, begun) = (Progress::new("plies", plies.len()), Instant::now());
        let mut judged = Vec::new();
        for &(face, word) in &plies {
            let line = Line::of(&board, face, word).map_err(wrong)?;
            match self.ply(judged.len() + 1, &line, face, word) {
                Ok(judgement) => judged.push(judgement),
                Err(trouble) => return Ok(Err(trouble)),
            }
            if word.is_some() {
                board = line.end;
            }
            progress.show(judged.len(), || at_this_pace(begun, judged.len(), plies.len()));
        }
        progress.finish();
        Ok(Ok((judged, board)))
    }

    fn ply(&mut self, ply: usize, line: &Line, face: Option<&str>, played: Option<&str>) -> Result<Judgement, Trouble> {
        let seat = line.decision.mover();
        let position = line.decision.position_line();
        let (best, before_move) = self.search(&position, 0, "")?;
        let after_move = match played {
            Some(word) if word == best => Some(before_move),
            Some(word) => Some(self.search(&position, 0, &format!(" searchmoves {word}"))?.1),
            None => None,
        };
        let (mut before_roll, mut after_roll) = (None, None);
        if let Some(chance) = &line.chance {
            before_roll = Some(self.search(&chance.position_line(), 1, "")?.1);
            after_roll = Some(match line.end.chance_follows() {
                false => before_move,
                // The turn has passed: the value is the opponent's.
                true => -self.search(&line.end.position_line(), 0, "")?.1,
            });
        }
        Ok(Judgement {
            ply,
            seat,
            position,
            roll: face.map(str::to_string),
            before_roll,
            after_roll,
            luck: after_roll.zip(before_roll).map(|(after, before)| after - before),
            before_move,
            best,
            played: played.map(str::to_string),
            after_move,
            // Searches that were cut short may judge the move above the best one.
            mistake: after_move.map(|value| (value - before_move).min(0.0)),
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

/// The nodes of one ply.
struct Line {
    /// Where the move is chosen.
    decision: Board,
    /// Where chance decides, before the move or after it; nowhere where it has no say.
    chance: Option<Board>,
    /// Behind it all.
    end: Board,
}

impl Line {
    /// What a face and a move make of a board, in the game's order; a move may be missing.
    fn of(board: &Board, face: Option<&str>, word: Option<&str>) -> Result<Line, RuleError> {
        let (mut decision, mut chance) = (board.clone(), None);
        if let Some(face) = face.filter(|_| !board.chance_follows()) {
            decision.resolve(face)?;
            chance = Some(board.clone());
        }
        let mut end = decision.clone();
        word.map_or(Ok(()), |word| end.play(word))?;
        if let Some(face) = face.filter(|_| board.chance_follows()) {
            chance = Some(end.clone());
            end.resolve(face)?;
        }
        Ok(Line { decision, chance, end })
    }
}

fn sum(game: &GameRecord, seat: Seat, plies: &[Judgement]) -> Sum {
    let own = || plies.iter().filter(|ply| ply.seat == seat);
    let mistakes = || own().filter_map(|ply| ply.mistake);
    // Adding zero makes an empty sum of floats print without a sign.
    Sum {
        seat,
        name: name(game, seat),
        luck: own().filter_map(|ply| ply.luck).sum::<f64>() + 0.0,
        mistakes: mistakes().sum::<f64>() + 0.0,
        wrong_moves: mistakes().filter(|&mistake| mistake < -SLIGHT).count(),
    }
}

impl Analysis {
    fn render(&self, end: &Board) -> String {
        let head = ["ply", "side", "roll", "before", "after roll", "luck", "move", "value", "best", "mistake"];
        let mut table = vec![head.map(String::from).to_vec()];
        let signed = |value: f64| format!("{value:+.4}");
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
        for ply in &self.plies {
            table.push(vec![
                ply.ply.to_string(),
                end.seat_name(ply.seat).to_string(),
                or_dash(ply.roll.clone()),
                or_dash(ply.before_roll.map(signed)),
                or_dash(ply.after_roll.map(signed)),
                or_dash(ply.luck.map(signed)),
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
            let name = end.seat_name(side.seat).to_string();
            sums.push(vec![name, side.name.clone(), signed(side.luck), signed(side.mistakes), count]);
        }
        let (judge, limits) = (&self.engine, self.limits);
        format!(
            "{}{}\n{}\n{}\nJudged by {judge} at {limits}. All values are for the side that moves, in points: 1 is a \
             won game. Luck: the value after the roll less that before it. Mistake: the value of the move less that of \
             the best.\n",
            heading(&self.game, end),
            aligned(&table),
            ending(&self.game, end),
            aligned(&sums)
        )
    }
}
