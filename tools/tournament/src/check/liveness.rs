//! What must work at once, what must wait, and how an engine ends.

use super::Point;
use super::dialogue::{Dialogue, count, ensure};
use super::failure::Failure;
use std::time::{Duration, Instant};

pub const POINTS: &[Point] = &[
    Point { name: "isready is answered at once, even while searching", test: ready_in_search },
    Point { name: "stop ends a search with its one bestmove, and is harmless when idle", test: stop },
    Point { name: "an unbounded search waits for stop, even when all is known", test: infinite_waits },
    Point { name: "commands wait, in order, for the search to end", test: order },
    Point { name: "movetime and clocks are kept", test: clocks },
    Point { name: "EOF alone: exit 0", test: eof },
    Point { name: "EOF after bounded searches: they finish and are answered, exit 0", test: eof_bounded },
    Point { name: "EOF during an unbounded search: it is stopped and answered, exit 0", test: eof_infinite },
    Point { name: "quit during a search: bestmove, exit 0", test: quit },
    Point { name: "a closed stdout ends the process within a second", test: closed_output },
    Point { name: "idle costs no CPU", test: idle },
];

/// A position in which every line of play is short.
pub const NEARLY_FULL: &str = "position dpn 3 3 b 2 b r b r b r - - -";

fn ready_in_search(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 9 6 roll 2\ngo infinite")?;
    for _ in 0..3 {
        let lines = dialogue.ask("")?;
        ensure(count(&lines, "bestmove") == 0, "bestmove without stop")?;
    }
    dialogue.go("stop").map(|_| ())
}

fn stop(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let lines = dialogue.ask("stop")?;
    ensure(lines.is_empty(), "stop was answered though there was no search")?;
    for _ in 0..3 {
        // At once: a stop that overtakes its search must not be lost.
        dialogue.go("position startpos 7 4 roll 1\ngo infinite\nstop")?;
        let lines = dialogue.ask("stop")?;
        ensure(count(&lines, "bestmove") == 0, "a second bestmove for one go")?;
    }
    Ok(())
}

fn infinite_waits(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say(NEARLY_FULL)?;
    dialogue.say("go infinite")?;
    let mut quota = dialogue.quota(Duration::from_millis(300));
    while let Some(line) = dialogue.hear(&mut quota)? {
        ensure(!line.starts_with("bestmove"), "bestmove without stop")?;
    }
    dialogue.go("stop").map(|_| ())
}

fn order(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let position = |roll: usize| format!("position startpos 5 4 roll {roll}\ngo depth 3\n");
    dialogue.say(&(0..5).map(position).collect::<String>())?;
    for row in 1..=5 {
        let (_, word) = dialogue.go("")?;
        ensure(word.ends_with(&row.to_string()), format!("'{word}' is not in row {row}: answers are out of order"))?;
    }
    let lines = dialogue.ask("")?;
    ensure(count(&lines, "bestmove") == 0, "more than one bestmove a go")
}

fn clocks(dialogue: &mut Dialogue) -> Result<(), Failure> {
    let limits = [
        "movetime 100",
        "p1time 400 p2time 400 p1inc 0 p2inc 0",
        "p1time 400 p2time 400 p1inc 10 p2inc 10",
        "p1time 400 p2time 400 movestogo 2",
        "movetime 5000 nodes 1000",
    ];
    for limit in limits {
        let start = Instant::now();
        dialogue.go(&format!("position startpos 9 4 roll 3\ngo {limit}"))?;
        let time = start.elapsed();
        ensure(time < Duration::from_millis(900), format!("'go {limit}' took {time:?}"))?;
    }
    Ok(())
}

fn eof(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.end_input();
    let lines = dialogue.hear_out()?;
    ensure(lines.is_empty(), "output without a command")
}

fn eof_bounded(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos roll 2\ngo depth 5\ngo depth 3")?;
    dialogue.end_input();
    let lines = dialogue.hear_out()?;
    let answers = count(&lines, "bestmove");
    ensure(answers == 2, format!("{answers} bestmove for two go"))
}

fn eof_infinite(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 9 6 roll 2\ngo infinite")?;
    dialogue.end_input();
    let lines = dialogue.hear_out()?;
    let answers = count(&lines, "bestmove");
    ensure(answers == 1, format!("{answers} bestmove for one go"))
}

fn quit(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.say("position startpos 9 6 roll 2\ngo infinite\nquit")?;
    let lines = dialogue.hear_out()?;
    let answers = count(&lines, "bestmove");
    ensure(answers == 1, format!("{answers} bestmove for one go"))
}

fn closed_output(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.ask("position startpos 9 6 roll 2")?;
    dialogue.end_output();
    dialogue.say("go infinite\nisready")?;
    // Not with 0 necessarily; only gone. A second, and a little for the machine.
    match dialogue.expect_end(Duration::from_millis(1500)) {
        Err(still @ Failure::StillRuns(_)) => Err(still),
        _ => Ok(()),
    }
}

fn idle(dialogue: &mut Dialogue) -> Result<(), Failure> {
    dialogue.ask("position startpos roll 2\ngo depth 3")?;
    let id = dialogue.process_id();
    let Some(before) = ticks(id) else { return Ok(()) };
    std::thread::sleep(Duration::from_millis(500));
    let spent = ticks(id).unwrap_or(before) - before;
    ensure(spent <= 5, format!("{spent} ticks of processor time in half a second"))
}

/// Processor time of a process in ticks of 10 ms, where the system tells.
fn ticks(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // After the name, which is in brackets and may hold anything, times are the 12th and 13th words.
    let words: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(words.get(11)?.parse::<u64>().ok()? + words.get(12)?.parse::<u64>().ok()?)
}
