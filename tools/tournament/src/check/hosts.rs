//! What hosts written for other UCI engines rely on.

use super::Point;
use super::dialogue::{Dialogue, ensure, mistakes};
use super::errors::refused_search;
use super::failure::Failure;
use std::time::{Duration, Instant};

pub const POINTS: &[Point] = &[
    Point { name: "after a position that is refused, go is refused until one is accepted", test: refused_position },
    Point { name: "wtime and winc are the first player's clock, btime and binc the second's", test: uci_clocks },
    Point { name: "p1time and p1inc are the first player's clock, p2time and p2inc the second's", test: own_clocks },
    Point { name: "rtime and rinc are refused", test: no_red_clock },
    Point { name: "position fen is position dpn, and query fen query dpn", test: fen },
    Point { name: "ponder and mate are tolerated, and the rest of the line counts", test: tolerated },
];

/// A clock that is nearly run down must be kept within this; the other one would allow minutes.
const QUICK: Duration = Duration::from_millis(1_500);

fn refused_position(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let good = "position startpos 5 4 moves 2:d3 roll 1";
    dialogue.say(good)?;
    let before = dialogue.query("dpn")?;
    for bad in ["position nowhere", "position startpos 5 4 moves 0:a2", "position dpn 3 3 b 0", "position fen x"] {
        let answers = dialogue.ask(bad)?;
        ensure(!mistakes(&answers).is_empty(), format!("'{bad}': expected 'info string error: …'"))?;
        refused_search(dialogue, "go depth 1", "")?;
        refused_search(dialogue, "go depth 1", "")?;
        let after = dialogue.query("dpn")?;
        ensure(after == before, format!("'{bad}' changed the position to '{after}'"))?;
        let (_, word) = dialogue.go(&format!("{good}\ngo depth 1"))?;
        ensure(word != "(none)", format!("no move after '{good}', which was accepted"))?;
    }
    Ok(())
}

/// Whose clock is whose: the side to move has little time, the other one much.
fn clocks(dialogue: &mut Dialogue, [first, second]: [&str; 2]) -> Result<(), Failure> {
    let moves = ["roll 3", "moves 3:a4 roll 2"];
    let names = [[first, second], [second, first]];
    for (turn, [own, other]) in moves.into_iter().zip(names) {
        let limits = format!("{own}time 300 {own}inc 0 {other}time 6000000 {other}inc 60000");
        let start = Instant::now();
        let (lines, _) = dialogue.go(&format!("position startpos 9 4 {turn}\ngo {limits}"))?;
        ensure(mistakes(&lines).is_empty(), format!("'go {limits}' was refused"))?;
        let time = start.elapsed();
        ensure(time < QUICK, format!("'go {limits}' took {time:?}: the other side's clock?"))?;
    }
    Ok(())
}

fn uci_clocks(dialogue: &mut Dialogue) -> Result<(), Failure> {
    clocks(dialogue, ["w", "b"])
}

fn own_clocks(dialogue: &mut Dialogue) -> Result<(), Failure> {
    clocks(dialogue, ["p1", "p2"])
}

fn no_red_clock(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 5 4 roll 2")?;
    refused_search(dialogue, "go rtime 400", "rtime")?;
    refused_search(dialogue, "go depth 1 rinc 10", "rinc")
}

fn fen(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let board = "3 3 r 1 b - - - - - - - -";
    let answers = dialogue.ask(&format!("position fen {board}"))?;
    ensure(mistakes(&answers).is_empty(), "'position fen' was refused")?;
    for what in ["dpn", "fen"] {
        let answer = dialogue.query(what)?;
        ensure(answer == board, format!("'query {what}' was answered '{answer}', not '{board}'"))?;
    }
    let answers = dialogue.ask(&format!("position fen {board} moves 1:b2 roll 0"))?;
    ensure(mistakes(&answers).is_empty(), "'position fen … moves …' was refused")?;
    let (_, word) = dialogue.go("go depth 1")?;
    ensure(word.ends_with('1'), format!("'bestmove {word}' is not in the rolled row"))
}

fn tolerated(dialogue: &mut Dialogue) -> Result<(), Failure> {
    for limits in ["ponder depth 2", "depth 2 ponder", "mate 3 depth 2", "depth 2 mate 1"] {
        let (lines, word) = dialogue.go(&format!("position startpos 5 4 roll 2\ngo {limits}"))?;
        ensure(mistakes(&lines).is_empty(), format!("'go {limits}' was refused"))?;
        ensure(word != "(none)", format!("'go {limits}' has no move"))?;
        let said = lines.iter().any(|line| line.starts_with("info string"));
        ensure(said, format!("'go {limits}': expected an 'info string' that says it is not supported"))?;
        let deepest = lines.iter().filter_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok());
        ensure(deepest.max() == Some(2_u32), format!("'go {limits}' was not searched to depth 2"))?;
    }
    Ok(())
}
