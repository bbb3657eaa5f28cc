//! A game shown board by board, and checked again on the way.

use crate::cli::ReplayArgs;
use crate::records::{GameRecord, PairReader, Reason, Winner, games_path};
use crate::schedule::start;
use crate::summary;
use alea::game::dice::{Cell, Position, Shape, Side, parse_cell};
use std::fmt::Write;
use std::fs::File;
use std::process::ExitCode;

/// Show one game.
pub fn replay(args: &ReplayArgs) -> Result<ExitCode, String> {
    let (conditions, _) = summary::read(&args.dir)?;
    let game = find(args)?;
    let text = show(&game, conditions.shape()?).map_err(|error| format!("game {}: {error}", game.game))?;
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn find(args: &ReplayArgs) -> Result<GameRecord, String> {
    let path = games_path(&args.dir);
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut reader = PairReader::new(file);
    let mut range: Option<(u64, u64)> = None;
    while let Some(pair) = reader.next_pair()? {
        range = Some((range.map_or(pair[0].game, |(first, _)| first), pair[1].game));
        if let Some(game) = pair.into_iter().find(|game| game.game == args.game) {
            return Ok(game);
        }
    }
    let has = range.map_or("no games yet".to_string(), |(first, last)| format!("games {first} to {last}"));
    Err(format!("there is no game {}: '{}' has {has}", args.game, args.dir.display()))
}

fn show(game: &GameRecord, shape: Shape) -> Result<String, String> {
    let mut text = String::new();
    let head = format!(
        "Game {}: {} (blue, rows) against {} (red, columns), Dice {shape}, pair {}, seed {}\n\n",
        game.game, game.blue, game.red, game.pair, game.seed
    );
    text.push_str(&head);
    let mut board = start(shape);
    for (ply, &roll) in game.dice.iter().enumerate() {
        let side = board.side();
        let rolled = board.with_roll(u32::from(roll)).map_err(|error| format!("ply {}: {error}", ply + 1))?;
        let name = if side == Side::Blue { &game.blue } else { &game.red };
        // Writing to a string cannot fail.
        let _ = write!(text, "{}. {side} ({name}) rolls {roll}", ply + 1);
        let Some(word) = game.moves.get(ply) else {
            text.push_str(" and does not move\n");
            break;
        };
        let cell = parse_cell(word).ok_or_else(|| format!("'{word}' is not a cell"))?;
        board = rolled.play(cell).map_err(|error| format!("'{word}' at ply {}: {error}", ply + 1))?;
        let _ = write!(text, ", plays {word}");
        push_report(&mut text, game, ply);
        text.push('\n');
        text.push_str(&draw(&board, Some(cell)));
        text.push('\n');
    }
    let result = match game.result {
        Winner::Blue => format!("blue ({}) wins", game.blue),
        Winner::Red => format!("red ({}) wins", game.red),
        Winner::Draw => "draw".to_string(),
    };
    let reason = match game.reason {
        Reason::Line => format!("{} in a row", shape.win()),
        Reason::FullBoard => "the board is full".to_string(),
        Reason::Fault(kind) => format!("{kind}: {}", game.detail.as_deref().unwrap_or("")),
    };
    let _ = writeln!(text, "{result} ({reason})\n{}", board.dpn());
    Ok(text)
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
    let _ = write!(text, " ({})", parts.join(", "));
}

/// The board with its names; the last move in capitals.
fn draw(board: &Position, last: Option<Cell>) -> String {
    let size = board.shape().size() as u8;
    let letters: Vec<String> = (0..size).map(|col| char::from(b'a' + col).to_string()).collect();
    let mut text = format!("    {}\n", letters.join(" "));
    for row in 0..size {
        let letter = |col: u8| {
            let cell = Cell { row, col };
            let letter = board.at(cell).map_or('.', Side::letter);
            if last == Some(cell) { letter.to_ascii_uppercase().to_string() } else { letter.to_string() }
        };
        let _ = writeln!(text, " {:>2} {}", row + 1, (0..size).map(letter).collect::<Vec<_>>().join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::tests::pair;
    use crate::schedule::Task;

    #[test]
    fn games_are_shown_and_checked() {
        let task = Task { number: 0, pairing: 0, pair: 0 };
        let [mut game, _] = pair(task, [2, 0]);
        let shape: Shape = "3/3".parse().unwrap();
        let text = show(&game, shape).unwrap();
        for words in ["1. blue (A) rolls 0, plays a1 (value +0.2500, depth 1, nodes 9, time 0.010 ms)", "\n  2 . R .\n"]
        {
            assert!(text.contains(words), "no '{words}' in\n{text}");
        }
        game.moves[1] = "c1".to_string();
        let error = show(&game, shape).unwrap_err();
        assert!(error.contains("'c1'"), "{error}");
    }
}
