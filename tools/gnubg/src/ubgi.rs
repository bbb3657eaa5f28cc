//! UBGI, the Universal Backgammon Interface (draft 0.01, Schønning-Johansen 2025), on stdin and stdout: the answers of an
//! external player of GNU Backgammon behind a handshake.
//!
//! `ubgi` is answered with name, author, version and `readyok`; a board in the form of FIBS, or an XGID, with the best action
//! on a line; `stop` cuts thinking short; `quit`, or the end of input, leaves. Anything else is answered `sorry`, and the
//! reason goes to stderr.

use crate::WAITING;
use crate::error::Error;
use crate::fibs::{Board, FibsError, Question, Sides};
use crate::lines::{LineError, Lines};
use crate::player::{PlayError, Player, Style};
use alea::game::backgammon::Position;
use alea::game::{Player as Side, backgammon::IdError};
use alea_tools::engine::Stop;
use alea_tools::output::say;
use std::fmt;
use std::io::Read;
use std::sync::{Arc, mpsc};

/// A line on its way to the player, with what cuts its answer short.
type Asked = (Result<String, LineError>, Arc<Stop>);

/// Why a line has no action for an answer.
enum Refusal {
    Line(LineError),
    Command(String),
    Xgid(IdError),
    Over,
    Play(PlayError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Line(error) => error.fmt(f),
            Refusal::Command(word) => write!(f, "'{word}': expected ubgi, isready, stop, quit, board:… or XGID=…"),
            Refusal::Xgid(error) => write!(f, "'{}': {}", error.word, error.fault),
            Refusal::Over => FibsError::Over.fmt(f),
            Refusal::Play(error) => error.fmt(f),
        }
    }
}

/// Talk until the end of input.
pub fn talk(style: &Style) -> Result<(), Error> {
    let mut player = Player::start(style).map_err(Error::Engine)?;
    let (send, asked) = mpsc::sync_channel(WAITING);
    let reader = std::thread::Builder::new().spawn(move || read(std::io::stdin().lock(), &send));
    reader.map_err(|source| Error::System { what: "start a thread", source })?;
    for (line, stop) in asked {
        let answered = line.map_err(Refusal::Line).and_then(|line| answer(&mut player, line.trim(), &stop));
        match answered {
            Ok(Some(text)) => say(&format!("{text}\n")),
            Ok(None) => {}
            Err(refusal) => {
                crate::log(&refusal.to_string());
                say("sorry\n");
            }
        }
    }
    player.quit();
    Ok(())
}

/// Read lines; `stop` and `quit` act at once on what is being answered.
fn read(mut input: impl Read, send: &mpsc::SyncSender<Asked>) {
    let mut lines = Lines::default();
    let mut last: Option<Arc<Stop>> = None;
    let mut chunk = [0; 4096];
    loop {
        let (count, mut whole) = (input.read(&mut chunk).unwrap_or(0), Vec::new());
        lines.feed(&chunk[..count], |line| whole.push(line));
        if count == 0 {
            whole.extend(lines.rest());
        }
        for line in whole {
            let word = line.as_deref().map_or("", str::trim);
            if matches!(word, "stop" | "quit") {
                last.iter().for_each(|stop| stop.raise());
            }
            match word {
                "stop" => continue,
                "quit" => return,
                _ => {}
            }
            let Ok(stop) = Stop::new().map(Arc::new) else { return };
            last = Some(Arc::clone(&stop));
            if send.send((line, stop)).is_err() {
                return;
            }
        }
        if count == 0 {
            return;
        }
    }
}

/// The answer to a line; nothing for a blank one.
fn answer(player: &mut Player, line: &str, stop: &Stop) -> Result<Option<String>, Refusal> {
    match line {
        "" => Ok(None),
        "ubgi" => Ok(Some(format!(
            "id name {}\nid author the Alea authors\nid version {}\nreadyok",
            player.name(),
            env!("CARGO_PKG_VERSION")
        ))),
        "isready" => Ok(Some("readyok".into())),
        _ if line.starts_with(crate::fibs::PREFIX) => {
            player.answer(line, stop).map(|action| Some(action.to_string())).map_err(Refusal::Play)
        }
        _ if line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("xgid=")) => {
            let board = read_xgid(line)?;
            player.act(&board, stop).map(|action| Some(action.to_string())).map_err(Refusal::Play)
        }
        _ => Err(Refusal::Command(alea_tools::text::visible(line, 60))),
    }
}

/// The board of an XGID: in `XGID=board:cube:owner:turn:dice:score:score:rules:length:…` the cube is a power of two, its
/// owner 1, −1 or 0 for nobody, and the dice are `D` where a double has been offered.
fn read_xgid(line: &str) -> Result<Board, Refusal> {
    let position = Position::from_xgid(line).map_err(Refusal::Xgid)?;
    if position.win().is_some() {
        return Err(Refusal::Over);
    }
    let fields: Vec<&str> = line.split(':').collect();
    let number = |place: usize| fields.get(place).and_then(|word| word.parse::<i64>().ok()).unwrap_or(0);
    let count = |place: usize| u32::try_from(number(place).clamp(0, 1 << 20)).unwrap_or(0);
    let white_moves = position.mover() == Side::First;
    let match_length = count(8);
    let mut checkers = [*position.checkers(Side::First), *position.checkers(Side::Second)];
    if !white_moves {
        checkers.swap(0, 1);
    }
    let turned = Position::set_up(checkers, Side::First, position.roll());
    Ok(Board {
        position: turned.map_err(|error| Refusal::Play(PlayError::Board(FibsError::Setup(error))))?,
        question: match (fields.get(4), position.roll()) {
            (Some(&("D" | "B" | "R")), _) => Question::Double,
            (_, Some(_)) => Question::Move,
            (_, None) => Question::Roll,
        },
        match_length,
        scores: Sides::of(white_moves, count(5), count(6)),
        cube: 1 << count(1).min(20),
        may_double: Sides::of(white_moves, number(2) >= 0, number(2) <= 0),
        // In a match the field of the rules is 1 in the game without doubles; in money play its bits are Jacoby's rule and beavers.
        post_crawford: match_length == 0 || number(7) != 1,
        jacoby: match_length == 0 && number(7) & 1 != 0,
        beavers: Some(match_length == 0 && number(7) & 2 != 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xgids_are_boards() {
        let read = |text: &str| read_xgid(text).map_err(|refusal| refusal.to_string());
        let start = "-b----E-C---eE---c-e----B-";
        let board = read(&format!("XGID={start}:1:-1:-1:00:3:4:0:7:10")).unwrap();
        assert_eq!((board.question, board.cube, board.match_length), (Question::Roll, 2, 7));
        assert_eq!((board.scores, board.may_double.mover), (Sides { mover: 4, opponent: 3 }, true));
        assert!(!board.may_double.opponent);
        let doubled = read(&format!("XGID={start}:0:0:1:D:0:0:0:0:10")).unwrap();
        assert_eq!(doubled.question, Question::Double);
        let jacoby = |rules: u32| read(&format!("XGID={start}:0:0:1:D:0:0:{rules}:0:10")).unwrap().jacoby;
        assert_eq!([0, 1, 2, 3].map(jacoby), [false, true, false, true]);
        let beavers =
            |rules: u32, length: u32| read(&format!("XGID={start}:0:0:1:D:0:0:{rules}:{length}:10")).unwrap().beavers;
        assert_eq!(
            [beavers(0, 0), beavers(1, 0), beavers(2, 0), beavers(3, 0), beavers(2, 7)].map(Option::unwrap),
            [false, false, true, true, false]
        );
        assert_eq!(read(&format!("XGID={start}:0:0:1:31:0:0:0:0:10")).unwrap().question, Question::Move);
        assert!(read("XGID=x").unwrap_err().contains("'x'"));
        assert_eq!(read("XGID=-b------------------------:0:0:1:00:0:0:0:0:10"), Err("the game is over".into()));
    }
}
