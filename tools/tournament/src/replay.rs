//! A game shown board by board, and checked again on the way.

use crate::cli::{GameArgs, ReplayArgs};
use crate::error::Error;
use crate::gamefile::{PairReader, games_path};
use crate::records::{GameRecord, GameResult, Reason, Seat};
use crate::rules::{Board, RuleError};
use alea_tools::output::say;
use alea_tools::text::visible;
use std::fmt::Write;
use std::process::ExitCode;

/// Show one game.
pub fn replay(args: &ReplayArgs) -> Result<ExitCode, Error> {
    let game = find(&args.game)?;
    let text = show(&game).map_err(|problem| Error::Play { number: game.number, problem })?;
    say(&text);
    Ok(ExitCode::SUCCESS)
}

/// A game of a folder or of a file of games.
pub fn find(args: &GameArgs) -> Result<GameRecord, Error> {
    let path = if args.path.is_dir() { games_path(&args.path) } else { args.path.clone() };
    let mut reader = PairReader::of(&path)?;
    let mut range: Option<(u64, u64)> = None;
    let mut first = None;
    loop {
        reader.lines.clear();
        let Some(game) = reader.next_game()? else { break };
        if args.number == Some(game.number) {
            return Ok(game);
        }
        range = Some((range.map_or(game.number, |(first, _)| first), game.number));
        first.get_or_insert(game);
    }
    match (first, range) {
        (Some(game), Some((a, b))) if a == b && args.number.is_none() => Ok(game),
        (_, has) => Err(Error::NoGame { path: args.path.clone(), number: args.number, has }),
    }
}

/// The name of the engine in a seat.
pub fn name(game: &GameRecord, seat: Seat) -> String {
    visible(if seat == Seat::P1 { &game.p1 } else { &game.p2 }, 60)
}

/// The first line about a game that ended on a board.
pub fn heading(game: &GameRecord, board: &Board) -> String {
    let [p1, p2] = Seat::BOTH.map(|seat| format!("{} ({})", name(game, seat), board.seat_role(seat)));
    let (number, pair, seed, title) = (game.number, game.pair, game.seed, board.variant());
    format!("Game {number}: {p1} against {p2}, {title}, pair {pair}, seed {seed}\n\n")
}

/// The last line about it.
pub fn ending(game: &GameRecord, board: &Board) -> String {
    let winner = |seat: Seat| format!("{} ({}) wins", board.seat_name(seat), name(game, seat));
    let result = match game.result {
        GameResult::P1Win => winner(Seat::P1),
        GameResult::P2Win => winner(Seat::P2),
        GameResult::Draw => "draw".to_string(),
    };
    let reason = match game.reason {
        Reason::Rules => board.ending(),
        Reason::PlyLimit => format!("not over after {} plies", game.plies.len()),
        Reason::Resigned => "resigned".to_string(),
        Reason::Unfinished => "not played to its end".to_string(),
        Reason::Fault(kind) => format!("{kind}: {}", visible(game.detail.as_deref().unwrap_or(""), 300)),
    };
    format!("{result} ({reason})\n")
}

fn show(game: &GameRecord) -> Result<String, RuleError> {
    let mut text = String::new();
    let mut board = Board::new(&game.variant())?;
    for (ply, word) in game.plies.iter().enumerate() {
        show_ply(&mut text, game, &mut board, word)?;
        push_report(&mut text, game, ply);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}\n\n", board.draw());
    }
    if let Some(roll) = &game.roll {
        let (ply, seat) = (game.plies.len() + 1, board.mover());
        let mut rolled = board.clone();
        rolled.resolve(roll)?;
        let _ = writeln!(text, "{}", rolled.position_line());
        let _ = writeln!(text, "{ply}. {} rolls {roll} and does not move", who(game, &board, seat));
    }
    let _ = write!(text, "{}{}\n{}\n", ending(game, &board), board.position_line(), board.notation());
    Ok(heading(game, &board) + &text)
}

/// The position before a ply, as a command, and what was done there.
fn show_ply(text: &mut String, game: &GameRecord, board: &mut Board, ply: &str) -> Result<(), RuleError> {
    let (number, who) = (board.plies().len() + 1, who(game, board, board.mover()));
    match board.split(ply)? {
        (Some(roll), word) if !board.chance_follows() => {
            board.resolve(roll)?;
            let _ = writeln!(text, "{}", board.position_line());
            board.play(word)?;
            let _ = write!(text, "{number}. {who} rolls {roll}, plays {word}");
        }
        (face, word) => {
            let _ = writeln!(text, "{}", board.position_line());
            board.ply(ply)?;
            let face = face.map_or(String::new(), |face| format!(", turns up {face}"));
            let _ = write!(text, "{number}. {who} plays {word}{face}");
        }
    }
    Ok(())
}

/// A seat and the engine in it.
fn who(game: &GameRecord, board: &Board, seat: Seat) -> String {
    format!("{} ({})", board.seat_name(seat), name(game, seat))
}

fn push_report(text: &mut String, game: &GameRecord, ply: usize) {
    let known = |list: Option<String>, word: &str| list.map(|value| format!("{word} {value}"));
    let entry = |value: Option<Option<String>>, word: &str| known(value.flatten(), word);
    let parts = [
        entry(game.value.get(ply).map(|value| value.map(|value| format!("{value:+.4}"))), "value"),
        entry(game.depth.get(ply).map(|depth| depth.map(|depth| depth.to_string())), "depth"),
        entry(game.nodes.get(ply).map(|nodes| nodes.map(|nodes| nodes.to_string())), "nodes"),
        known(game.time_us.get(ply).map(|time| format!("{:.3} ms", *time as f64 / 1000.0)), "time"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        let _ = write!(text, " ({})", parts.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::tests::{game, small};
    use crate::schedule::Task;

    #[test]
    fn games_are_shown_and_checked() {
        let task = Task { number: 0, pairing: 0, pair: 0 };
        let mut game = game(&small(), task, Seat::P1, 1);
        game.plies = vec!["0:a1".to_string(), "1:b2".to_string()];
        game.roll = Some("2".to_string());
        let text = show(&game).unwrap();
        for words in [
            "1. blue (d3 n0) rolls 0, plays a1 (value +0.2500, depth 1, time 0.010 ms)",
            "\nposition startpos 3 3 moves 0:a1 roll 1\n2. red",
            "\nposition startpos 3 3 moves 0:a1 1:b2 roll 2\n3. blue (d3 n0) rolls 2 and does not move",
            "\n   2  . R .\n",
        ] {
            assert!(text.contains(words), "no '{words}' in\n{text}");
        }
        game.plies[1] = "1:c1".to_string();
        let error = show(&game).unwrap_err().to_string();
        assert!(error.contains("'c1'"), "{error}");
    }
}
