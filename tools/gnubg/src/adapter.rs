//! GNU Backgammon behind our protocol, so that whatever plays or judges with an engine of ours can do so with it: a
//! tournament, an analysis, a board.

use crate::error::Error;
use crate::gnubg::{Gnubg, GnubgError};
use alea::game::backgammon::Position;
use alea::game::{Fault, Game, Kind, Notation, Step, read_plies};
use alea::protocol::{Base, Choice, Command, Info, PositionText, Query, Reply, Score, parse};
use alea_tools::interrupt::Interrupt;
use alea_tools::output::say;
use std::io::{BufRead, Read};
use std::sync::mpsc;
use std::time::Instant;

/// A longer line is refused.
const MAX_LINE: u64 = 1 << 16;
/// The option that says which game is played.
const GAME: &str = "Game";

/// The engine that others see.
pub struct Adapter {
    gnubg: Gnubg,
    position: Position,
    /// Whether the last `position` was refused: a move for another board would be worse than none.
    refused: bool,
}

impl Adapter {
    /// At the start position.
    pub fn new(gnubg: Gnubg) -> Adapter {
        Adapter { gnubg, position: Position::opening(), refused: false }
    }

    /// Talk until `quit`, the end of input or a signal.
    pub fn talk(&mut self, input: &mpsc::Receiver<Input>, interrupt: &Interrupt) -> Result<(), Error> {
        while let Ok(Input::Line(line)) = input.recv() {
            if interrupt.seen() {
                break;
            }
            let line = line?;
            match parse(&line) {
                Ok(None) => {}
                Ok(Some(Command::Quit)) => return Ok(()),
                Ok(Some(command)) => show(&self.obey(command)?),
                Err(error) => {
                    let mut replies = vec![Reply::Error(error.to_string())];
                    if line.trim_start().starts_with("go") {
                        replies.push(Reply::BestMove(None));
                    }
                    show(&replies);
                }
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: Command) -> Result<Vec<Reply>, Error> {
        Ok(match command {
            Command::Uci => self.introduce(Reply::UciOk),
            Command::Ugi => self.introduce(Reply::UgiOk),
            Command::IsReady => vec![Reply::ReadyOk],
            Command::NewGame | Command::Stop | Command::Quit => Vec::new(),
            Command::SetOption { name, value } => set_option(&name, value.as_deref()),
            Command::Position(text) => match set_up(&text) {
                Ok(position) => {
                    (self.position, self.refused) = (position, false);
                    Vec::new()
                }
                Err(fault) => {
                    self.refused = true;
                    vec![Reply::Error(fault.to_string())]
                }
            },
            Command::Go(_) if self.refused => {
                vec![Reply::Error("'go': expected a position first".into()), Reply::BestMove(None)]
            }
            Command::Go(_) => self.go().map_err(Error::Gnubg)?,
            Command::Eval => {
                let value = self.gnubg.evaluate(&self.position).map_err(Error::Gnubg)?;
                let [win, gammon, backgammon, lost_gammon, lost_backgammon] = value.chances;
                vec![Reply::Text(format!(
                    "win {win} gammon {gammon} backgammon {backgammon}\n\
                     lose gammon {lost_gammon} backgammon {lost_backgammon}\nvalue {:.6}",
                    value.equity
                ))]
            }
            Command::Draw => vec![Reply::Text(self.position.draw(false, None))],
            Command::Query(Query::Position(keyword)) => vec![Reply::Response(self.position.write(&keyword))],
            _ => vec![Reply::Error("GNU Backgammon behind this bridge cannot do that".into())],
        })
    }

    fn introduce(&self, end: Reply) -> Vec<Reply> {
        let name = format!("GNU Backgammon {}, {}-ply", self.gnubg.version(), self.gnubg.plies());
        let game = Choice::Combo { default: Position::NAME, words: vec![Position::NAME] };
        vec![Reply::Name(name), Reply::Author("the authors of GNU Backgammon"), Reply::Option(GAME, game), end]
    }

    fn go(&mut self) -> Result<Vec<Reply>, GnubgError> {
        let begun = Instant::now();
        let points = f64::from(Position::POINTS);
        let (value, best) = match self.position.kind() {
            Kind::Over(value) => (value.to_f64() * points, None),
            Kind::Chance => (self.gnubg.evaluate(&self.position)?.equity, None),
            Kind::Decision => {
                let mv = self.gnubg.best(&self.position)?;
                let next = self.position.child(Step::Move(mv));
                let theirs = match next.kind() {
                    Kind::Over(value) => value.to_f64() * points,
                    _ => self.gnubg.evaluate(&next)?.equity,
                };
                (-theirs, Some(self.position.move_text(mv)))
            }
        };
        let info = Info {
            depth: 1 + 2 * self.gnubg.plies(),
            seldepth: 1 + 2 * self.gnubg.plies(),
            multipv: 1,
            score: Score { cp: (100.0 * value).round() as i32, value },
            nodes: 0,
            nps: 0,
            hashfull: 0,
            time: begun.elapsed().as_millis() as u64,
            pv: best.iter().cloned().collect(),
        };
        Ok(vec![Reply::Info(info), Reply::BestMove(best)])
    }
}

/// What comes in.
pub enum Input {
    /// A line, or why there is none.
    Line(Result<String, Error>),
    /// The end, or a signal's wish to be heard.
    End,
}

/// Hand lines on until the input ends.
pub fn listen(mut stdin: impl BufRead, input: &mpsc::SyncSender<Input>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut stdin).take(MAX_LINE).read_until(b'\n', &mut line);
        let next = match read {
            Ok(0) => Input::End,
            Ok(_) if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") => Input::Line(Err(Error::LongLine)),
            Ok(_) => Input::Line(Ok(String::from_utf8_lossy(&line).into_owned())),
            Err(source) => Input::Line(Err(Error::System { what: "read stdin", source })),
        };
        let ended = !matches!(next, Input::Line(Ok(_)));
        if input.send(next).is_err() || ended {
            return;
        }
    }
}

fn show(replies: &[Reply]) {
    say(&replies.iter().map(|reply| format!("{reply}\n")).collect::<String>());
}

fn set_option(name: &str, value: Option<&str>) -> Vec<Reply> {
    let is_game = name.eq_ignore_ascii_case(GAME) || name.eq_ignore_ascii_case("UCI_Variant");
    match value {
        Some(value) if is_game && value.eq_ignore_ascii_case(Position::NAME) => Vec::new(),
        Some(value) if is_game => vec![Reply::Error(format!("'{value}': expected for {GAME} {}", Position::NAME))],
        _ => vec![Reply::Error(format!("'{name}': expected an option: {GAME}"))],
    }
}

fn set_up(text: &PositionText) -> Result<Position, Fault> {
    let start = match &text.base {
        Base::Start(words) => Position::start(&words.iter().collect::<Vec<_>>())?,
        Base::Set { keyword, .. } if **keyword != *"fen" && !Position::KEYWORDS.contains(&&**keyword) => {
            return Err(Fault::new(keyword, "expected startpos, fen, gnubgid or xgid"));
        }
        Base::Set { keyword, words } => Position::read(keyword, &words.iter().collect::<Vec<_>>())?,
    };
    let (_, mut position) = read_plies(&start, text.plies.iter())?;
    if let Some(roll) = &text.roll {
        let face = position.parse_outcome(roll)?;
        if position.kind() == Kind::Chance {
            position = position.child(Step::Outcome(face));
        }
    }
    Ok(position)
}
