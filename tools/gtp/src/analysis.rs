//! What GoGui shows of the engine's thoughts, and what can be set in its dialogues.

use crate::commands::{Adapter, Answer, Call};
use crate::game::Game;
use crate::syntax::Refusal;
use crate::{gfx, params, vertex};
use alea::game::dice::{Cell, parse_cell};
use alea_tools::engine::{Info, OptionKind};
use alea_tools::text::visible;

/// What GoGui's menu and its window of analyses offer: how the answer is shown, a label, and the command.
const ANALYSES: &str = "\
gfx/Die/alea-die
plist/Legal Moves/gogui-rules_legal_moves
gfx/Value of Every Move/alea-move_values
gfx/Value Before the Roll/alea-roll_values
gfx/Expected Line/alea-expected_line
hstring/Static Value/alea-eval
gfx/Set the Die/alea-set_die %o
gfx/Set the Die by a Point/alea-set_die %p
gfx/New Dice/alea-new_dice
string/Seed of the Dice/alea-seed
param/Search Limits/alea-limits
param/Engine Parameters/alea-options
";

/// The analyses, with the engine's buttons behind them.
pub fn list(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    let mut text = ANALYSES.to_string();
    // Without an engine the rest of the list is still good.
    for (option, _) in adapter.player.options().unwrap_or_default() {
        if option.kind == OptionKind::Button && !option.name.contains('/') {
            text.push_str(&format!("none/{}/alea-button {}\n", option.name, option.name.replace(' ', "_")));
        }
    }
    Ok(text)
}

fn refuse_over(game: &Game) -> Result<(), Refusal> {
    if game.is_over() { Err(Refusal::Other(gfx::result(game))) } else { Ok(()) }
}

/// The cell that a line begins with, and what it is worth.
fn valued(info: &Info) -> Option<(Cell, f64)> {
    Some((parse_cell(info.pv.first()?)?, info.points()?))
}

fn depth(info: Option<&Info>) -> String {
    info.and_then(|info| info.depth).map(|depth| format!(", depth {depth}")).unwrap_or_default()
}

/// The value of every legal move, as a heat map.
pub fn move_values(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let game = &adapter.game;
    refuse_over(game)?;
    let count = game.rolled().legal_cells().count();
    let search = adapter.player.analyse_moves(&game.position_line(true), count, call.stop)?;
    let values: Vec<(Cell, f64)> = search.lines.iter().filter_map(valued).collect();
    let Some((cell, value)) = values.first() else {
        return Err(Refusal::Other("the engine had no time to value a move".into()));
    };
    let (name, value) = (vertex::name(*cell, game.shape()), gfx::value(*value));
    let heat = gfx::heat(&values, game);
    Ok(format!("{heat}TEXT Best {name} {value}{}; values in hundredths of a win", depth(search.lines.first())))
}

/// What each roll would be worth: its value on the best move it allows.
pub fn roll_values(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let game = &adapter.game;
    refuse_over(game)?;
    let search = adapter.player.analyse(&game.position_line(false), call.stop)?;
    let values: Vec<(Cell, f64)> = search.rolls.iter().filter_map(valued).collect();
    if values.is_empty() {
        return Err(Refusal::Other("the engine said nothing of the rolls".into()));
    }
    let last = search.lines.first();
    let before = last.and_then(Info::points).map(gfx::value).unwrap_or_else(|| "unknown".into());
    let rolled = game.roll().and_then(|roll| {
        let (cell, value) = values.iter().find(|(cell, _)| vertex::roll_of(*cell, game.side()) == roll)?;
        let line = vertex::line(game.side(), vertex::roll_of(*cell, game.side()), game.shape());
        Some(format!("; {line} was rolled: {}", gfx::value(*value)))
    });
    let heat = gfx::heat(&values, game);
    Ok(format!("{heat}TEXT Before the roll {before}{}{}", depth(last), rolled.unwrap_or_default()))
}

/// What both sides are expected to play.
pub fn expected_line(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let game = &adapter.game;
    refuse_over(game)?;
    let search = adapter.player.analyse(&game.position_line(true), call.stop)?;
    let Some(info) = search.lines.first() else {
        return Err(Refusal::Other("the engine had no time to think".into()));
    };
    let mut side = game.side();
    let (mut stones, mut words) = (String::new(), Vec::new());
    for ply in &info.pv {
        let (roll, cell) = ply.split_once(':').map_or((None, ply.as_str()), |(roll, cell)| (Some(roll), cell));
        let Some(cell) = parse_cell(cell).filter(|cell| game.rolled().at(*cell).is_none()) else { break };
        let name = vertex::name(cell, game.shape());
        stones.push_str(&format!(" {} {name}", &vertex::colour(side)[..1]));
        words.push(roll.map_or_else(|| name.clone(), |roll| format!("{roll}:{name}")));
        side = side.other();
    }
    let value = info.points().map(gfx::value).unwrap_or_default();
    Ok(format!("VAR{stones}\nTEXT {value}{}: {}", depth(Some(info)), words.join(" ")))
}

/// The engine's words on the static value.
pub fn eval(adapter: &mut Adapter, _: &Call<'_>) -> Answer {
    adapter.player.eval(&adapter.game.position_line(true))
}

/// Show what limits a search, or set a limit.
pub fn limits(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let mut limits = adapter.player.limits;
    if let Some(name) = call.words.first() {
        let names = limits.named().map(|(name, _)| name).join(", ");
        let mut places = limits.named();
        let place = places.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let (_, place) = place.ok_or_else(|| Refusal::syntax(visible(name, 80), format!("one of {names}")))?;
        let word = call.words.get(1).map_or("0", String::as_str);
        let limit: Result<u64, _> = word.parse();
        let limit = limit.map_err(|_| Refusal::syntax(visible(word, 80), "a whole number, 0 for no limit"))?;
        **place = Some(limit).filter(|&limit| limit > 0);
        adapter.player.limits = limits;
        return Ok(String::new());
    }
    Ok(limits.named().map(|(name, limit)| format!("[string] {name} {}", limit.unwrap_or(0))).join("\n"))
}

/// Show the engine's options, or set one.
pub fn options(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let options = adapter.player.options()?;
    let Some((name, value)) = call.words.split_first() else {
        let lines: Vec<String> = options.iter().filter_map(|(option, value)| params::line(option, value)).collect();
        return Ok(lines.join("\n"));
    };
    let option = params::find(&options, name)?;
    if option.kind == OptionKind::Button {
        return Err(Refusal::syntax(name.as_str(), "an option with a value (alea-button presses buttons)"));
    }
    adapter.player.set_option(option, &params::value(option, &value.join(" "))).map(|()| String::new())
}

/// Press a button of the engine.
pub fn button(adapter: &mut Adapter, call: &Call<'_>) -> Answer {
    let name = call.word(0, "a button of the engine")?;
    let options = adapter.player.options()?;
    let option = params::find(&options, name)?;
    if option.kind != OptionKind::Button {
        return Err(Refusal::syntax(name, "a button of the engine"));
    }
    adapter.player.set_option(option, "").map(|()| String::new())
}
