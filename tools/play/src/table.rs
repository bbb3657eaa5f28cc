//! A game at the table: rolling, drawing, asking, moving, to its end.

use crate::keep::{self, Ended, Report};
use crate::opponent::Opponent;
use crate::prompt::{Asked, Prompt};
use crate::said::{self, Said};
use alea::game::Kind;
use alea_tools::engine::{EngineError, Search};
use alea_tools::output::say;
use alea_tools::records::{GameResult, Seat};
use alea_tools::rules::{Board, RuleError, Variant};
use alea_tools::text::visible;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// What can end a sitting.
#[derive(Debug)]
pub enum TableError {
    /// The engine.
    Engine(EngineError),
    /// The engine's move is against the rules.
    IllegalMove {
        /// Its word.
        word: String,
        /// What is wrong with it.
        why: RuleError,
    },
    /// The rules.
    Rules(RuleError),
    /// The terminal or the pipe.
    Input(io::Error),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Engine(error) => error.fmt(f),
            TableError::IllegalMove { word, why } => {
                write!(f, "the engine's move '{}' is not legal: {why}", visible(word, 60))
            }
            TableError::Rules(error) => error.fmt(f),
            TableError::Input(error) => write!(f, "stdin: {error}"),
        }
    }
}

impl Error for TableError {}

/// What a person wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Play on.
    On,
    /// Another game.
    New,
    /// Leave.
    Quit,
}

/// Two players, a board and dice.
pub struct Table {
    /// Which seats people have.
    pub people: Vec<Seat>,
    /// What is played.
    pub variant: Variant,
    /// The engine; it gives hints where two people play.
    pub opponent: Opponent,
    /// Who is asked.
    pub prompt: Prompt,
    /// Where games are kept.
    pub file: Option<PathBuf>,
    /// Whether the board is drawn in colour.
    pub colour: bool,
    /// The seed of the dice of this game.
    pub seed: u64,
}

/// A game under way.
struct Game {
    board: Board,
    /// The board before the last roll.
    unrolled: Board,
    reports: Vec<Report>,
    /// Where a person had to decide: what undo goes back to.
    decisions: Vec<(Board, Board)>,
    resigned: Option<Seat>,
    /// Whether it is in the file as it stands.
    kept: bool,
}

impl Table {
    /// Play games until somebody leaves.
    pub fn sit(&mut self) -> Result<(), TableError> {
        loop {
            let mut game = self.begin()?;
            let next = self.play(&mut game);
            if !game.kept && !game.board.plies().is_empty() {
                self.keep(&mut game, None);
            }
            if next? != Next::New {
                self.prompt.close();
                return Ok(());
            }
            self.seed = self.seed.wrapping_add(1);
            self.opponent.new_game().map_err(TableError::Engine)?;
        }
    }

    fn begin(&self) -> Result<Game, TableError> {
        let board = Board::new(&self.variant).map_err(TableError::Rules)?;
        let names = self.names();
        let who = Seat::BOTH.map(|seat| format!("{} ({})", names[seat as usize], board.seat_role(seat)));
        say(&format!("{}: {} against {}. Seed {}. help lists the words.\n\n", self.variant, who[0], who[1], self.seed));
        let unrolled = board.clone();
        Ok(Game { board, unrolled, reports: Vec::new(), decisions: Vec::new(), resigned: None, kept: false })
    }

    fn names(&self) -> [String; 2] {
        let engine = self.opponent.name();
        let person = if self.people.len() == 2 { "a person" } else { "you" };
        Seat::BOTH.map(|seat| if self.people.contains(&seat) { person } else { engine }.to_string())
    }

    /// Play a game to its end, or until somebody leaves it.
    fn play(&mut self, game: &mut Game) -> Result<Next, TableError> {
        loop {
            if game.board.result().is_some() || game.resigned.is_some() {
                if !game.kept {
                    self.announce(game);
                    self.keep(game, None);
                }
                match self.ask(game, "new, undo or quit> ")? {
                    Next::On => continue,
                    next => return Ok(next),
                }
            }
            if game.board.position().kind() == Kind::Chance {
                self.roll(game)?;
                continue;
            }
            let seat = game.board.mover();
            if !self.people.contains(&seat) {
                self.engine_moves(game)?;
            } else if game.board.position().moves() == ["pass"] {
                say(&format!("{}\nYou have no move.\n\n", self.drawing(game)));
                game.make("pass", Report::default()).map_err(TableError::Rules)?;
            } else {
                say(&format!("{}\n\n", self.drawing(game)));
                match self.decide(game, seat)? {
                    Next::On => {}
                    next => return Ok(next),
                }
            }
        }
    }

    fn drawing(&self, game: &Game) -> String {
        game.board.position().draw(self.colour, game.board.plies().last().map(String::as_str))
    }

    /// Who a seat is, at the beginning of a sentence, and the ending of its verb.
    fn who(&self, game: &Game, seat: Seat) -> (String, &'static str) {
        if self.people == [seat] {
            return ("You".into(), "");
        }
        let name = if self.people.len() == 1 {
            self.names()[seat as usize].clone()
        } else {
            game.board.seat_name(seat).into()
        };
        let mut letters = name.chars();
        (
            letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default(),
            "s",
        )
    }

    /// Let chance have its say.
    fn roll(&self, game: &mut Game) -> Result<(), TableError> {
        let follows = game.board.chance_follows();
        let ply = game.board.plies().len() - usize::from(follows && !game.board.plies().is_empty());
        let face = game.board.position().chance(self.seed, u32::try_from(ply).unwrap_or(u32::MAX));
        // At a chance node something always comes.
        let face = face.unwrap_or_default();
        game.unrolled = game.board.clone();
        if follows {
            let cell = game.board.plies().last().cloned().unwrap_or_default();
            game.board.resolve(&face).map_err(TableError::Rules)?;
            game.unrolled = game.board.clone();
            say(&format!("{cell} turns up {face}.\n"));
        } else {
            let (who, s) = self.who(game, game.board.mover());
            game.board.resolve(&face).map_err(TableError::Rules)?;
            say(&format!("{who} roll{s} {face}.\n"));
        }
        Ok(())
    }

    fn think(&mut self, game: &Game) -> Result<Search, TableError> {
        let position = game.board.position_line();
        let told = |error: &EngineError| say(&format!("{error}. It is started again.\n"));
        self.opponent.think(&position, told).map_err(TableError::Engine)
    }

    fn engine_moves(&mut self, game: &mut Game) -> Result<(), TableError> {
        let seat = game.board.mover();
        let search = self.think(game)?;
        let (who, s) = self.who(game, seat);
        let word = search.best.clone().unwrap_or_else(|| "(none)".into());
        let info = search.lines.first().cloned();
        let report = Report { info, time_us: u64::try_from(search.time.as_micros()).unwrap_or(u64::MAX) };
        let told = report.info.as_ref().map(|info| {
            let value = info.points().map(|points| format!(", value {points:+.3} for it")).unwrap_or_default();
            format!("   (depth {}{value}, {:.1} s)", info.depth.unwrap_or(0), search.time.as_secs_f64())
        });
        game.make(&word, report).map_err(|why| TableError::IllegalMove { word: word.clone(), why })?;
        say(&format!("{who} play{s} {word}.{}\n", told.unwrap_or_default()));
        Ok(())
    }

    /// Let a person decide.
    fn decide(&mut self, game: &mut Game, seat: Seat) -> Result<Next, TableError> {
        let plies = game.board.plies().len();
        let question =
            if self.people.len() == 2 { format!("{}> ", game.board.seat_name(seat)) } else { "your move> ".into() };
        loop {
            let next = self.ask(game, &question)?;
            if next != Next::On || game.resigned.is_some() || game.board.plies().len() != plies {
                return Ok(next);
            }
        }
    }

    /// Ask a person for a line, and do what it says.
    fn ask(&mut self, game: &mut Game, question: &str) -> Result<Next, TableError> {
        let over = game.resigned.is_some() || game.board.result().is_some();
        let moves = game.board.position().moves();
        let line = match self.prompt.ask(question, moves).map_err(TableError::Input)? {
            Asked::Line(line) => line,
            Asked::Interrupted => {
                say("quit (or Ctrl-D) leaves.\n");
                return Ok(Next::On);
            }
            Asked::End => return Ok(Next::Quit),
        };
        match Said::read(&line) {
            Said::Nothing => {}
            Said::Quit => return Ok(Next::Quit),
            Said::New => return Ok(Next::New),
            Said::Undo => self.undo(game),
            Said::Help => {
                let example = game.board.position().moves().first().cloned().unwrap_or_else(|| "b2".into());
                say(&said::help(&example));
            }
            Said::Board => say(&format!("{}\n\n", self.drawing(game))),
            Said::Save(file) => self.keep(game, file.map(PathBuf::from)),
            _ if over => say("The game is over: new, undo or quit.\n"),
            Said::Resign => game.resigned = Some(game.board.mover()),
            Said::Moves => say(&format!("{}\n", game.board.position().moves().join("  "))),
            Said::Hint => self.hint(game)?,
            Said::Move(word) => self.person_moves(game, &word),
        }
        Ok(Next::On)
    }

    fn person_moves(&self, game: &mut Game, word: &str) {
        // Whoever knows the protocol may type a whole ply.
        let rolled = game.board.roll().and_then(|roll| word.strip_prefix(roll)?.strip_prefix(':'));
        let word = rolled.unwrap_or(word);
        let before = (game.board.clone(), game.unrolled.clone());
        match game.make(word, Report::default()) {
            Ok(()) => game.decisions.push(before),
            Err(error) => match said::meant(word) {
                Some(meant) => say(&format!("'{}' is no move; did you mean {meant}?\n", visible(word, 60))),
                None => say(&format!("{error}. (moves lists the legal moves, help the words.)\n")),
            },
        }
    }

    fn undo(&self, game: &mut Game) {
        if game.resigned.take().is_some() {
            game.kept = false;
            say("You play on.\n");
            return;
        }
        let Some((board, unrolled)) = game.decisions.pop() else {
            say("There is nothing of yours to take back.\n");
            return;
        };
        game.reports.truncate(board.plies().len());
        (game.board, game.unrolled, game.kept) = (board, unrolled, false);
        say("Taken back; the dice stay as they were.\n\n");
    }

    fn hint(&mut self, game: &Game) -> Result<(), TableError> {
        let search = self.think(game)?;
        let line = search.lines.first();
        let value = line.and_then(|info| info.points()).map(|points| format!(", value {points:+.3} for you"));
        let depth = line.and_then(|info| info.depth).map(|depth| format!(", depth {depth}"));
        let expected = line.filter(|info| info.pv.len() > 1).map(|info| format!("; expected: {}", info.pv.join(" ")));
        let parts = [value, depth, expected].map(Option::unwrap_or_default).concat();
        say(&format!("{}{parts}\n", search.best.as_deref().unwrap_or("no move")));
        Ok(())
    }

    fn announce(&self, game: &Game) {
        let board = &game.board;
        let result = match (game.resigned, board.result()) {
            (Some(seat), _) => {
                let (who, s) = self.who(game, seat);
                format!("{who} resign{s}.")
            }
            (_, Some(GameResult::Draw)) => format!("A draw: {}.", board.ending()),
            (_, result) => {
                let seat = if result == Some(GameResult::P1Win) { Seat::P1 } else { Seat::P2 };
                let (who, s) = self.who(game, seat);
                format!("{who} win{s}: {}.", board.ending())
            }
        };
        say(&format!("{}\n\n{result}\n", self.drawing(game)));
    }

    /// Keep the game as it stands; the person is told where, or why not.
    fn keep(&self, game: &mut Game, file: Option<PathBuf>) {
        let Some(path) = file.as_ref().or(self.file.as_ref()) else { return };
        let ended = Ended {
            board: &game.board,
            unrolled: &game.unrolled,
            reports: &game.reports,
            names: self.names(),
            seed: self.seed,
            resigned: game.resigned,
        };
        match keep::keep(path, &ended) {
            Ok(number) => {
                let path = path.display().to_string();
                let quoted = shlex::try_quote(&path).map_or_else(|_| path.clone(), |path| path.into_owned());
                say(&format!("Kept as game {number}: alea-tournament replay {quoted} {number}\n"));
            }
            Err(error) => say(&format!("The game could not be kept: {error}\n")),
        }
        game.kept = true;
    }
}

impl Game {
    fn make(&mut self, word: &str, report: Report) -> Result<(), RuleError> {
        let mut next = self.board.clone();
        next.play(word)?;
        self.board = next;
        self.unrolled = self.board.clone();
        self.reports.push(report);
        self.kept = false;
        Ok(())
    }
}
