//! The commands: what the Go Text Protocol asks of every engine, what GoGui asks of one that knows the rules, and ours.

use crate::clock::Clock;
use crate::game::Game;
use crate::player::Player;
use crate::syntax::{Refusal, Request};
use crate::{analysis, gfx, vertex};
use alea::game::dice::{Cell, Side, Status};
use alea_tools::engine::{Search, Stop};
use alea_tools::text::visible;
use std::time::Duration;

/// What a command answers.
pub type Answer = Result<String, Refusal>;

/// A command's words, and the wish that it ends soon.
pub struct Call<'a> {
    /// What stands behind the command.
    pub words: &'a [String],
    /// Raised when GoGui interrupts the command.
    pub stop: &'a Stop,
}

/// The adapter between a board and an engine.
pub struct Adapter {
    /// The game on the board.
    pub game: Game,
    /// The engine.
    pub player: Player,
    /// Numbers in place of pictures of dice.
    pub ascii: bool,
    /// After how many games the dice change; 0 is never.
    pub new_dice: u64,
    /// How often the board was cleared.
    pub cleared: u64,
    /// Whether it is time to end.
    pub quit: bool,
}

type Command = fn(&mut Adapter, &Call<'_>) -> Answer;

/// Every command.
const COMMANDS: &[(&str, Command)] = &[
    ("protocol_version", |_, _| Ok("2".into())),
    ("name", name),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
    ("known_command", known_command),
    ("list_commands", |_, _| Ok(COMMANDS.iter().map(|(name, _)| format!("{name}\n")).collect())),
    ("quit", quit),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("komi", |_, _| Ok(String::new())),
    ("play", play),
    ("genmove", |adapter, call| genmove(adapter, call, true)),
    ("reg_genmove", |adapter, call| genmove(adapter, call, false)),
    ("undo", |adapter, _| adapter.game.undo().map(|()| String::new())),
    ("gg-undo", undo_many),
    ("time_settings", time_settings),
    ("time_left", time_left),
    ("final_score", final_score),
    ("showboard", |adapter, _| Ok(showboard(&adapter.game))),
    ("gogui-interrupt", |_, _| Ok(String::new())),
    ("gogui-play_sequence", play_sequence),
    ("gogui-rules_game_id", |_, _| Ok("Dice".into())),
    ("gogui-rules_board_size", |adapter, _| Ok(adapter.game.shape().size().to_string())),
    ("gogui-rules_board", |adapter, _| Ok(stones(&adapter.game))),
    ("gogui-rules_board_gfx", |adapter, _| Ok(gfx::board(&adapter.game, adapter.ascii))),
    ("gogui-rules_legal_moves", legal_moves),
    ("gogui-rules_side_to_move", |adapter, _| Ok(vertex::colour(adapter.game.side()).into())),
    ("gogui-rules_final_result", |adapter, _| Ok(gfx::result(&adapter.game))),
    ("gogui-analyze_commands", analysis::list),
    ("alea-die", |adapter, _| Ok(gfx::board(&adapter.game, adapter.ascii))),
    ("alea-move_values", analysis::move_values),
    ("alea-roll_values", analysis::roll_values),
    ("alea-expected_line", analysis::expected_line),
    ("alea-eval", analysis::eval),
    ("alea-set_die", set_die),
    ("alea-new_dice", new_dice),
    ("alea-seed", |adapter, _| Ok(adapter.game.dice().seed().to_string())),
    ("alea-limits", analysis::limits),
    ("alea-options", analysis::options),
    ("alea-button", analysis::button),
];

impl Adapter {
    /// Do what is asked.
    pub fn answer(&mut self, request: &Request, stop: &Stop) -> Answer {
        let command = COMMANDS.iter().find(|(name, _)| *name == request.command);
        let (_, command) = command.ok_or(Refusal::UnknownCommand)?;
        // Another adapter of the same board may have changed the dice.
        self.game.dice().refresh().map_err(|error| Refusal::Other(error.to_string()))?;
        command(self, &Call { words: &request.words, stop })
    }
}

impl Call<'_> {
    /// A word, or what was expected in its place.
    pub fn word(&self, index: usize, expected: &str) -> Result<&str, Refusal> {
        self.words.get(index).map(String::as_str).ok_or_else(|| Refusal::syntax("", expected))
    }

    /// A number.
    fn number<T: std::str::FromStr>(&self, index: usize, expected: &str) -> Result<T, Refusal> {
        let word = self.word(index, expected)?;
        word.parse().map_err(|_| Refusal::syntax(visible(word, 80), expected))
    }

    fn side(&self, index: usize) -> Result<Side, Refusal> {
        let word = self.word(index, "a colour, b or w")?;
        vertex::side(word).ok_or_else(|| Refusal::syntax(visible(word, 80), "a colour, b or w"))
    }

    /// A cell, or nothing for a pass.
    fn cell(&self, index: usize, game: &Game) -> Result<Option<Cell>, Refusal> {
        let word = self.word(index, "a point such as C3, or pass")?;
        if word.eq_ignore_ascii_case("pass") {
            return Ok(None);
        }
        let cell = vertex::parse(word, game.shape());
        cell.map(Some).ok_or_else(|| Refusal::syntax(visible(word, 80), "a point of the board such as C3, or pass"))
    }
}

fn name(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    // A board may be looked at without an engine.
    Ok(adapter.player.name().unwrap_or_else(|_| "alea-gtp".into()))
}

fn known_command(_: &mut Adapter, call: &Call<'_>) -> Answer {
    let word = call.word(0, "a command")?;
    Ok(COMMANDS.iter().any(|(name, _)| *name == word).to_string())
}

fn quit(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    adapter.quit = true;
    Ok(String::new())
}

fn boardsize(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let size = adapter.game.shape().size();
    if call.number::<usize>(0, "a size")? != size {
        return Err(Refusal::Size { asked: visible(&call.words[0], 20), size });
    }
    adapter.game.clear();
    Ok(String::new())
}

fn clear_board(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    adapter.game.clear();
    if let Some(game) = adapter.cleared.checked_div(adapter.new_dice) {
        adapter.game.dice().set_game(game);
        // A game of a match is the same whatever was played before it.
        adapter.player.forget()?;
    }
    adapter.cleared += 1;
    Ok(String::new())
}

fn play(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let (side, cell) = (call.side(0)?, call.cell(1, &adapter.game)?);
    adapter.game.play(side, cell).map(|()| String::new())
}

/// Several moves at once, all or none.
fn play_sequence(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let before = adapter.game.len();
    let mut played = Ok(());
    for index in (0..call.words.len()).step_by(2) {
        played = call.side(index).and_then(|side| {
            let cell = call.cell(index + 1, &adapter.game)?;
            adapter.game.play(side, cell)
        });
        if played.is_err() {
            break;
        }
    }
    while played.is_err() && adapter.game.len() > before {
        adapter.game.undo()?;
    }
    played.map(|()| String::new())
}

fn genmove(adapter: &mut Adapter, call: &Call<'_>, make_it: bool) -> Answer {
    let side = call.side(0)?;
    let game = &mut adapter.game;
    if side != game.side() {
        return Err(Refusal::Other(format!("it is {}'s turn", vertex::colour(game.side()))));
    }
    let cell = if game.is_over() {
        None
    } else {
        let search = adapter.player.think(&game.position_line(true), side, call.stop)?;
        Some(legal_best(&search, game)?)
    };
    if make_it {
        game.play(side, cell)?;
    }
    Ok(cell.map_or("pass".into(), |cell| vertex::name(cell, game.shape())))
}

/// The engine's move, if it is one.
fn legal_best(search: &Search, game: &Game) -> Result<Cell, Refusal> {
    let word = search.best.as_deref().unwrap_or("(none)");
    let cell = game.rolled().legal_cells().find(|cell| cell.to_string() == word);
    cell.ok_or_else(|| Refusal::Other(format!("the engine's move '{}' is not legal", visible(word, 80))))
}

fn undo_many(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let count: usize = call.number(0, "a number of moves")?;
    if count > adapter.game.len() {
        return Err(Refusal::CannotUndo);
    }
    (0..count).try_for_each(|_| adapter.game.undo())?;
    Ok(String::new())
}

fn seconds(call: &Call<'_>, index: usize) -> Result<Duration, Refusal> {
    let seconds: f64 = call.number(index, "seconds")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| Refusal::syntax(visible(&call.words[index], 80), "seconds"))
}

fn time_settings(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let (main, period) = (seconds(call, 0)?, seconds(call, 1)?);
    adapter.player.set_clocks(Clock::new(main, period, call.number(2, "a number of moves")?));
    Ok(String::new())
}

fn time_left(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let (side, left) = (call.side(0)?, seconds(call, 1)?);
    adapter.player.set_time_left(side, left, call.number(2, "a number of moves")?);
    Ok(String::new())
}

fn final_score(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    match adapter.game.position().status() {
        Status::Playing => Err(Refusal::CannotScore),
        Status::Won(Side::Blue) => Ok("B+1".into()),
        Status::Won(Side::Red) => Ok("W+1".into()),
        Status::Drawn => Ok("0".into()),
    }
}

fn legal_moves(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    Ok(vertex::names(adapter.game.rolled().legal_cells(), adapter.game.shape()))
}

/// The stones row by row: X is black.
fn stones(game: &Game) -> String {
    let size = game.shape().size() as u8;
    let stone = |row, col| match game.position().at(Cell { row, col }) {
        None => ".",
        Some(Side::Blue) => "X",
        Some(Side::Red) => "O",
    };
    let rows = (0..size).map(|row| (0..size).map(|col| stone(row, col)).collect::<Vec<_>>().join(" "));
    rows.collect::<Vec<_>>().join("\n")
}

/// The board for people who type: coordinates as everything here has them.
fn showboard(game: &Game) -> String {
    let size = game.shape().size();
    let letters: String =
        (0..size as u8).map(|col| format!(" {}", &vertex::name(Cell { row: 0, col }, game.shape())[..1])).collect();
    let rows = stones(game).lines().zip(0..size).map(|(row, i)| format!("{:>2} {row}\n", size - i)).collect::<String>();
    let status = match game.roll() {
        Some(roll) => gfx::status(game, roll, true),
        None => gfx::result(game),
    };
    let last = game.last().map(|cell| format!("Last move {}\n", vertex::name(cell, game.shape()))).unwrap_or_default();
    format!("\n  {letters}\n{rows}{last}{status}")
}

/// Say what the die is, or set it: by its number, or by a point of its line.
fn set_die(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let game = &mut adapter.game;
    let Some(word) = call.words.first() else {
        return game.roll().map(|roll| roll.to_string()).ok_or_else(|| Refusal::Other(gfx::result(game)));
    };
    let cell = vertex::parse(word, game.shape());
    let roll = word.parse().ok().or_else(|| cell.map(|cell| vertex::roll_of(cell, game.side())));
    let size = game.shape().size();
    let expected = || format!("a roll from 0 to {}, or a point of its line", size - 1);
    game.set_roll(roll.ok_or_else(|| Refusal::syntax(visible(word, 80), expected()))?)?;
    Ok(gfx::board(game, adapter.ascii))
}

fn new_dice(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    adapter.game.dice().new_seed().map_err(|error| Refusal::Other(error.to_string()))?;
    Ok(gfx::board(&adapter.game, adapter.ascii))
}
