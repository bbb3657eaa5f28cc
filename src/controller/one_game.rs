//! The part of the state that belongs to one game, and how the controller handles it without knowing which.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::{allot, span};
use super::options::Options;
use super::present;
use crate::eval::Noise;
use crate::files;
use crate::game::{END_OF_LINE, Fault, Kind, Pieces, Player, Step, perft, read_plies};
use crate::protocol::{Base, Go, PositionText, Query, Reply, Words};
use crate::search::{Limits, Plan, Searched, Searcher, Stop, roll_out};

/// No network of any game has more bytes.
const MAX_NETWORK_BYTES: u64 = 64 << 20;

/// A search, ready to run: it is told where to say how it goes, and hands back what is to be said at its end.
pub type SearchJob = Box<dyn FnOnce(&mut Searcher, &mut dyn FnMut(Vec<Reply>)) -> Vec<Reply> + Send>;

/// A count of lines, ready to run: the total, or `None` if it was stopped.
pub type CountJob = Box<dyn FnOnce(&mut dyn FnMut(Reply)) -> Option<u64> + Send>;

/// The reading of a network file, ready to run: a network that only its own game understands.
pub type LoadJob = Box<dyn FnOnce() -> Result<Box<dyn Any + Send>, Fault> + Send>;

/// A game that is being played, whichever it is.
pub trait AnyGame {
    /// Set up a position; the old one stays if there is a mistake. Whether what was learnt before is wrong now.
    fn set_position(&mut self, text: &PositionText, options: &Options) -> Result<bool, Fault>;

    /// Take over options that have been checked.
    fn set_options(&mut self, options: &Options);

    /// The evaluations that the option `Eval` chooses from in this game, the best first.
    fn evaluations(&self) -> &'static [&'static str];

    /// Read a network for the position at hand.
    fn load(&self, path: String) -> LoadJob;

    /// Use a network that was read, or the built-in one.
    fn set_network(&mut self, network: Option<Box<dyn Any + Send>>);

    /// What is said of a finished game instead of searching it; `None` while the game is on.
    fn game_over(&self) -> Option<Vec<Reply>>;

    /// What a `go` at `now` asks for.
    fn search(&self, go: &Go, options: &Options, now: Instant, stop: Stop) -> Result<SearchJob, Fault>;

    /// What a `go perft` asks for.
    fn perft(&self, steps: u32, stop: Stop) -> CountJob;

    /// The answer to a query.
    fn answer(&self, query: &Query) -> Result<String, Fault>;

    /// The board for people.
    fn draw(&self, pieces: Pieces, colour: bool) -> String;

    /// What the static value of the position is made of.
    fn explain(&self) -> String;
}

/// A game in its start position.
pub fn start(game: &str, options: &Options) -> Option<Box<dyn AnyGame>> {
    crate::with_game!(game, G => Box::new(OneGame::<G>::new(options)) as Box<dyn AnyGame>)
}

/// What the engine has been told of a game.
struct OneGame<G: Searched> {
    position: G,
    /// The ply that led to it.
    last: Option<String>,
    /// The network of EvalFile, used where it fits.
    network: Option<Arc<G::Network>>,
    evaluator: G::Evaluator,
}

impl<G: Searched> OneGame<G> {
    fn new(options: &Options) -> OneGame<G> {
        let position = G::start(&[]).expect("every game has a start position");
        let mut game = OneGame { evaluator: position.best_evaluator(), position, last: None, network: None };
        game.set_options(options);
        game
    }

    /// The mover's share of its clock, if there are clocks.
    fn clock_time(&self, go: &Go, options: &Options) -> Result<Option<Duration>, Fault> {
        let (own, other, expected) = match (self.position.mover(), go.clocks) {
            (Player::First, [first, second]) => (first, second, "p1time (or wtime) too: the first player is to move"),
            (Player::Second, [first, second]) => (second, first, "p2time (or btime) too: the second player is to move"),
        };
        match (own.time, other.time) {
            (Some(left), _) => Ok(Some(allot(left, own, go.movestogo, self.position.moves_to_go(), options.overhead))),
            (None, Some(_)) => Err(Fault::new(END_OF_LINE, format!("expected {expected}"))),
            (None, None) => Ok(None),
        }
    }

    fn limits(&self, go: &Go, options: &Options, now: Instant) -> Result<Limits<G::Move>, Fault> {
        let search_moves = search_moves(&go.searchmoves, &self.position)?;
        let times = [go.movetime.map(span), self.clock_time(go, options)?];
        let deadline = times.into_iter().flatten().min().and_then(|time| now.checked_add(time));
        Ok(Limits { depth: go.depth, nodes: go.nodes, deadline, search_moves })
    }
}

impl<G: Searched> AnyGame for OneGame<G> {
    fn set_position(&mut self, text: &PositionText, options: &Options) -> Result<bool, Fault> {
        let (position, last) = set_up::<G>(text)?;
        let unlike = !position.is_evaluated_like(&self.position);
        (self.position, self.last) = (position, last);
        if unlike {
            self.set_options(options);
        }
        Ok(unlike)
    }

    fn set_options(&mut self, options: &Options) {
        // A deviation is in points, as values are when they are shown.
        let noise = Noise::new(options.noise / f64::from(G::POINTS), options.noise_seed).unwrap_or(Noise::NONE);
        let evaluator = self.position.evaluator(options.eval, self.network.as_ref(), noise);
        self.evaluator = evaluator.unwrap_or_else(|| self.position.best_evaluator());
    }

    fn evaluations(&self) -> &'static [&'static str] {
        G::EVALUATIONS
    }

    fn load(&self, path: String) -> LoadJob {
        let position = self.position.clone();
        Box::new(move || {
            let fault = |error: &dyn std::fmt::Display| {
                Fault::new(&path, format!("expected a network file for {}: {error}", position.network_for()))
            };
            let bytes = files::read_regular(Path::new(&path), MAX_NETWORK_BYTES).map_err(|error| fault(&error))?;
            let network = position.read_network(&bytes).map_err(|error| fault(&error))?;
            Ok(Box::new(Arc::new(network)) as Box<dyn Any + Send>)
        })
    }

    fn set_network(&mut self, network: Option<Box<dyn Any + Send>>) {
        self.network = network.and_then(|network| network.downcast::<Arc<G::Network>>().ok()).map(|network| *network);
    }

    fn game_over(&self) -> Option<Vec<Reply>> {
        let Kind::Over(value) = self.position.kind() else { return None };
        let note = Reply::Note(format!("game over: {}", present::outcome(&self.position)));
        Some(vec![note, present::game_over::<G>(value), Reply::BestMove(None)])
    }

    fn search(&self, go: &Go, options: &Options, now: Instant, stop: Stop) -> Result<SearchJob, Fault> {
        let limits = self.limits(go, options, now)?;
        let (position, evaluator, settings) = (self.position.clone(), self.evaluator.clone(), options.settings());
        if let Some(games) = go.rollout {
            return Ok(Box::new(move |searcher, tell| {
                let mut report = |rollout: &_| tell(vec![present::rollout_progress(rollout)]);
                let rollout = roll_out(
                    &position,
                    searcher,
                    &evaluator,
                    &settings,
                    Plan { games, limits: &limits },
                    &stop,
                    &mut report,
                );
                present::rollout(&position, &rollout)
            }));
        }
        Ok(Box::new(move |searcher, tell| {
            if let Some(warning) = present::unsound(&settings) {
                tell(vec![warning]);
            }
            let mut report = |report| tell(present::report(&position, &report));
            let verdict = position.search(searcher, &evaluator, &settings, &limits, &stop, &mut report);
            present::verdict(&position, &verdict, settings.perfect && limits.is_time())
        }))
    }

    fn perft(&self, steps: u32, stop: Stop) -> CountJob {
        let position = self.position.clone();
        Box::new(move |tell| {
            perft(&position, steps, &|| stop.pulled(), &mut |branch, lines| tell(Reply::Branch(branch, lines)))
        })
    }

    fn answer(&self, query: &Query) -> Result<String, Fault> {
        let position = &self.position;
        let result = position.result();
        Ok(match query {
            Query::FirstPlayersTurn => (position.mover() == Player::First).to_string(),
            Query::GameOver => result.is_some().to_string(),
            Query::Result => match result.map(|result| result.winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Player::First)) => "p1win",
                Some(Some(Player::Second)) => "p2win",
            }
            .into(),
            Query::Moves if position.kind() == Kind::Decision => {
                join(position.moves().iter().map(|&mv| position.move_text(mv)))
            }
            Query::Rolls if position.kind() == Kind::Chance => {
                let faces = position.faces().into_iter();
                join(faces.map(|face| format!("{}/{}", position.outcome_text(face.id), face.weight)))
            }
            Query::Moves | Query::Rolls => String::new(),
            Query::Position(keyword) => position.write(notation::<G>(keyword).ok_or_else(|| {
                let expected = format!("expected p1turn, gameover, result, moves, rolls, {}", notations::<G>());
                Fault::new(keyword, expected)
            })?),
        })
    }

    fn draw(&self, pieces: Pieces, colour: bool) -> String {
        self.position.draw_with(pieces, colour, self.last.as_deref())
    }

    fn explain(&self) -> String {
        match self.position.kind() {
            Kind::Over(_) => format!("game over: {}", present::outcome(&self.position)),
            _ => self.position.explain(&self.evaluator),
        }
    }
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// The notation that a keyword names. `dpn`, the oldest, is the game's own in every game.
fn notation<G: Searched>(keyword: &str) -> Option<&str> {
    match keyword {
        "fen" | "dpn" => Some("fen"),
        _ => G::KEYWORDS.contains(&keyword).then_some(keyword),
    }
}

/// The names of a game's notations, for a message.
fn notations<G: Searched>() -> String {
    let own = G::KEYWORDS.iter().copied().filter(|&keyword| keyword != "dpn");
    let words: Vec<&str> = ["fen", "dpn"].into_iter().chain(own).collect();
    let (last, others) = words.split_last().expect("there are two");
    format!("{} or {last}", others.join(", "))
}

/// The position that was described, and the ply that led to it.
pub fn set_up<G: Searched>(text: &PositionText) -> Result<(G, Option<String>), Fault> {
    let base = match &text.base {
        Base::Start(words) => G::start(&words.iter().collect::<Vec<_>>())?,
        Base::Set { keyword, words } => {
            let expected = || Fault::new(keyword, format!("expected startpos, {}", notations::<G>()));
            G::read(notation::<G>(keyword).ok_or_else(expected)?, &words.iter().collect::<Vec<_>>())?
        }
    };
    let (_, mut position) = read_plies(&base, text.plies.iter())?;
    if let Some(roll) = &text.roll {
        let face = position.parse_outcome(roll)?;
        if position.kind() == Kind::Chance {
            position = position.child(Step::Outcome(face));
        }
    }
    Ok((position, text.plies.iter().last().map(str::to_owned)))
}

/// The moves that `searchmoves` names, each once, all of them legal.
fn search_moves<G: Searched>(words: &Words, position: &G) -> Result<Vec<G::Move>, Fault> {
    let mut moves = Vec::new();
    for word in words.iter() {
        let mv = position.parse_move(word).map_err(|fault| Fault::new(word, fault.reason))?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::game::dice;
    use crate::protocol::{Command, parse};

    fn position(line: &str) -> Result<dice::Position, Fault> {
        match parse(line) {
            Ok(Some(Command::Position(text))) => set_up(&text).map(|(position, _)| position),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn positions_are_played_out() {
        let cases = [
            ("position startpos 3 3", "3 3 b -1 - - - - - - - - -"),
            ("position startpos 3 3 roll 2", "3 3 b 2 - - - - - - - - -"),
            ("position startpos 3 3 moves 0:b1 0:a3 roll 1", "3 3 b 1 - b - - - - r - -"),
            ("position dpn 3 3 b 1 - - - - - - - - - moves 1:a2", "3 3 r -1 - - - b - - - - -"),
            ("position dpn 3 3 b 1 - - - - - - - - - roll 1", "3 3 b 1 - - - - - - - - -"),
            ("position fen 3 3 b 1 - - - - - - - - - moves 1:a2", "3 3 r -1 - - - b - - - - -"),
        ];
        for (line, dpn) in cases {
            assert_eq!(position(line).unwrap().fen(), dpn, "{line}");
        }
    }

    #[test]
    fn mistakes_name_the_ply() {
        let cases = [
            ("position startpos 2 2", "2", "board size from 3 to 17"),
            ("position startpos 18 4", "18", "board size from 3 to 17"),
            ("position startpos x", "x", "board size from 3 to 17"),
            ("position startpos +5 4", "+5", "board size from 3 to 17"),
            ("position startpos 99999999999999999999 3", "99999999999999999999", "board size from 3 to 17"),
            ("position startpos 5", "end of line", "win length from 3 to 5"),
            ("position startpos 5 6", "6", "win length from 3 to 5"),
            ("position startpos 5 x", "x", "win length from 3 to 5"),
            ("position startpos 5 4 3", "3", "expected moves, roll or the end of the line"),
            ("position startpos moves 2d3", "2d3", "expected a ply"),
            ("position startpos moves d3", "d3", "expected a ply"),
            ("position startpos moves 2:d3 -1:d3", "-1:d3", "expected a roll"),
            ("position startpos moves 2:d03", "2:d03", "expected a cell such as d3"),
            ("position startpos moves 2:é3", "2:é3", "expected a cell such as d3"),
            ("position startpos moves :", ":", "expected a roll"),
            ("position startpos moves 4294967296:a1", "4294967296:a1", "is not one of 0..4"),
            ("position startpos moves 2:d3=K", "2:d3=K", "expected a cell such as d3"),
            ("position dpn 3 3 moves x", "end of line", "the side to move"),
            ("position startpos moves moves", "moves", "expected a ply"),
            ("position startpos roll -1", "-1", "expected a roll"),
            ("position sfen 5 4", "sfen", "expected startpos, fen or dpn"),
            ("position startpos moves 2:d3 2:c3 2:d3", "2:d3", "taken by blue"),
            ("position startpos moves 2:d4", "2:d4", "roll 2 is blue's row 3, and the cell is not in it"),
            ("position startpos moves 2:d3 2:d4", "2:d4", "roll 2 is red's column c, and the cell is not in it"),
            ("position startpos moves 5:d3", "5:d3", "roll 5 is not one of 0..4"),
            ("position startpos moves 2:f3", "2:f3", "not on the 5x5 board"),
            ("position startpos moves 2:z4294967295", "2:z4294967295", "not on the 5x5 board"),
            ("position startpos roll 9", "9", "roll 9 is not one of 0..4"),
            ("position dpn 3 3 b 1 - - - - - - - - - moves 0:a1", "0:a1", "the roll is 1, not 0"),
            ("position dpn 3 3 b 1 - - - - - - - - - roll 0", "0", "the roll is 1, not 0"),
            ("position dpn 3 3 r -1 b b b r r - - - - roll 2", "2", "game is over (blue wins)"),
            ("position dpn 3 3 b -1 b r b - - - r - - roll 0", "0", "roll 0 is blue's row 1, which is full"),
            ("position dpn 3 3 b x", "x", "expected a roll"),
            ("position fen 3 3 b x", "x", "expected a roll"),
        ];
        for (line, word, reason) in cases {
            let error = position(line).expect_err(line);
            assert_eq!(error.word, word, "{line}");
            assert!(error.reason.contains(reason), "{line}: {error}");
        }
    }

    #[test]
    fn long_words_are_cut_in_messages() {
        let word = "é".repeat(20_000);
        for line in
            [format!("position {word}"), format!("position startpos {word}"), format!("position fen 3 3 {word} -1")]
        {
            assert_eq!(position(&line).unwrap_err().word, "é".repeat(40) + "...");
        }
        let line = format!("position startpos moves {word} roll {word}");
        assert_eq!(position(&line).unwrap_err().word, "é".repeat(40) + "...");
    }

    #[test]
    fn search_moves_are_legal_and_counted_once() {
        let rolled = position("position startpos roll 2").unwrap();
        let named = |words: &str| search_moves(&words.into(), &rolled);
        let moves = named("b3 d3 b3").unwrap();
        assert_eq!(join(moves.iter().map(|&mv| rolled.move_text(mv))), "b3 d3");
        assert_eq!(named("").unwrap(), []);
        let cases = [
            ("b3 b4", "b4", "roll 2 is blue's row 3"),
            ("f3", "f3", "not on the 5x5 board"),
            ("b3 depht 5", "depht", "expected a cell such as d3"),
            ("2:b3", "2:b3", "expected a cell such as d3"),
        ];
        for (words, word, reason) in cases {
            let error = named(words).expect_err(words);
            assert_eq!(error.word, word, "{words}");
            assert!(error.reason.contains(reason), "{words}: {error}");
        }
    }
}
