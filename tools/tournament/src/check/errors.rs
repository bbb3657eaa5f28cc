//! Mistakes: named, and without effect. Hostile input: survived.

use super::Point;
use super::dialogue::{Dialogue, count, ensure, mistakes};
use super::failure::Failure;

pub const POINTS: &[Point] = &[
    Point { name: "a mistake is named and leaves the position as it was", test: mistakes_keep_state },
    Point { name: "a go that is refused: the error, then bestmove (none)", test: refused_go },
    Point { name: "a DPN that cannot be is refused with the word at fault", test: bad_dpn },
    Point { name: "a roll that stands must be used", test: standing_roll },
    Point { name: "hostile input is survived", test: hostile },
];

/// Say something wrong; the error must name a word of it.
fn refused(dialogue: &mut Dialogue, line: &str, word: &str) -> Result<(), Failure> {
    let answers = dialogue.ask(line)?;
    let errors = mistakes(&answers);
    ensure(!errors.is_empty(), format!("'{line}': expected 'info string error: …'"))?;
    let named = errors.iter().any(|error| error.contains(word));
    ensure(named, format!("'{line}': the error does not name '{word}'"))?;
    ensure(line.starts_with("go") || count(&answers, "bestmove") == 0, format!("'{line}' has a bestmove"))
}

/// Say a `go` that is wrong: its error must name a word of it, and `bestmove (none)` must follow, for hosts wait for it.
pub fn refused_search(dialogue: &mut Dialogue, line: &str, word: &str) -> Result<(), Failure> {
    let (answers, best) = dialogue.go(line)?;
    let named = mistakes(&answers).iter().any(|error| error.contains(word));
    ensure(named, format!("'{line}': expected 'info string error: …' that names '{word}'"))?;
    ensure(best == "(none)", format!("'{line}': 'bestmove {best}' after an error"))?;
    let more = dialogue.ask("")?;
    ensure(count(&more, "bestmove") == 0, format!("'{line}': a second bestmove for one go"))
}

fn mistakes_keep_state(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 5 4 moves 2:d3 1:b1 roll 4")?;
    let before = dialogue.query("dpn")?;
    let lines = [
        ("nonsense", "nonsense"),
        ("position", "position"),
        ("position nowhere", "nowhere"),
        ("position startpos 2 2", "2"),
        ("position startpos 5 6", "6"),
        ("position startpos 99999999999999999999 4", "99999999999999999999"),
        ("position startpos 5 4 roll 5", "5"),
        ("position startpos 5 4 moves 0:a2", "0:a2"),
        ("position startpos 5 4 moves 0:a1 9:a2", "9:a2"),
        ("position startpos 5 4 moves 0:a1 0:a1", "0:a1"),
        ("position startpos 5 4 moves a1", "a1"),
        ("position startpos 5 4 moves 0:z9", "0:z9"),
        ("query weather", "weather"),
        ("go perft x", "x"),
        ("setoption name", "setoption"),
    ];
    for (line, word) in lines {
        // Where the whole command is at fault, naming it or its end is as good.
        let word = if line.starts_with(word) && line != "nonsense" { "" } else { word };
        refused(dialogue, line, word)?;
        let after = dialogue.query("dpn")?;
        ensure(after == before, format!("'{line}' changed the position to '{after}'"))?;
    }
    Ok(())
}

fn refused_go(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 5 4 roll 2")?;
    let lines = [
        ("go depth x", "x"),
        ("go depth", ""),
        ("go depth -1", "-1"),
        ("go movetime soon", "soon"),
        ("go nodes 1e9", "1e9"),
        ("go searchmoves z9", "z9"),
        ("go deep 3", "deep"),
    ];
    for (line, word) in lines {
        refused_search(dialogue, line, word)?;
    }
    let (_, word) = dialogue.go("go depth 1")?;
    ensure(word != "(none)", "the position is gone after a go that was refused")
}

fn bad_dpn(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let cases = [
        ("2 2 b -1 - - - -", "2"),
        ("3 4 b -1 - - - - - - - - -", "4"),
        ("3 3 x -1 - - - - - - - - -", "x"),
        ("3 3 b 3 - - - - - - - - -", "3"),
        ("3 3 b -1 - - - - - - - -", ""),
        ("3 3 b -1 - - - - - - - - - -", "-"),
        ("3 3 b -1 - - ? - - - - - -", "?"),
        ("3 3 b -1 b - - - - - - - -", "b"),
        ("3 3 r -1 r - - - - - - - -", "r"),
        ("3 3 b 0 b r b - - - r - -", "0"),
        ("3 3 b -1 b b b r r r - - -", ""),
    ];
    for (dpn, word) in cases {
        refused(dialogue, &format!("position dpn {dpn}"), word)?;
    }
    Ok(())
}

fn standing_roll(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let rolled = "position dpn 3 3 b 1 - - - - - - - - -";
    refused(dialogue, &format!("{rolled} moves 2:a3"), "2:a3")?;
    let answers = dialogue.ask(&format!("{rolled} moves 1:a2 roll 0"))?;
    ensure(mistakes(&answers).is_empty(), "the roll that stands was refused")?;
    let dpn = dialogue.query("dpn")?;
    ensure(dpn == "3 3 r 0 - - - b - - - - -", format!("the position became '{dpn}'"))
}

fn hostile(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 5 4 roll 2")?;
    let before = dialogue.query("dpn")?;
    dialogue.say_bytes(b"\xff\xfe\x00\x01\x7f\n\x00\n")?;
    dialogue.say(&"x".repeat(200_000))?;
    dialogue.say(&format!("position startpos moves{}", " 0:a1".repeat(20_000)))?;
    dialogue.say(&format!("go depth {}", "9".repeat(5_000)))?;
    dialogue.say(
        "setoption name Hash value 18446744073709551615\ngo perft 18446744073709551616\nposition dpn 17 17 b -1",
    )?;
    dialogue.ask("stop")?;
    let after = dialogue.query("dpn")?;
    ensure(after == before, format!("the position became '{after}'"))?;
    dialogue.go("position startpos 5 4 roll 2\ngo depth 1").map(|_| ())
}
