//! Backgammon as search and protocol know it.

use super::{MAX_MOVES, Move, Position, ROLLS, Roll, Win, name};
use crate::game::{
    Fault, Game, GameResult, Key, Kind, Moves, Notation, Outcome, Player, Shortcuts, Step, Turn, UpTo, Value,
};

impl Game for Position {
    type Move = Move;
    type MoveCapacity = UpTo<MAX_MOVES>;
    type OutcomeCapacity = UpTo<{ ROLLS as usize }>;
    const POINTS: u32 = Win::MOST as u32;

    fn kind(&self) -> Kind {
        match self.win() {
            Some(Win { winner, points }) => {
                let worth = Value::from_raw(i64::from(Value::WIN.raw()) * i64::from(points) / i64::from(Win::MOST));
                Kind::Over(if winner == self.mover() { worth } else { -worth })
            }
            None if self.roll().is_some() => Kind::Decision,
            None => Kind::Chance,
        }
    }

    fn mover(&self) -> Player {
        Position::mover(self)
    }

    fn moves(&self) -> Moves<Position> {
        Position::moves(self)
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        Position::outcomes(self)
    }

    fn play(&mut self, mv: Move) {
        Position::play(self, mv);
    }

    fn resolve(&mut self, outcome: u8) {
        let roll = Roll::from_id(outcome);
        debug_assert!(roll.is_some(), "no roll {outcome}");
        roll.into_iter().for_each(|roll| self.roll_dice(roll));
    }

    fn key(&self, _images: bool, _depth: u32) -> Key {
        Key { hash: Position::key(self), frame: 0 }
    }

    fn code(mv: Move) -> u16 {
        mv.code()
    }
}

impl Shortcuts for Position {
    const ALTERNATES: bool = true;

    #[inline(always)]
    fn turn(&self, step: Step<Move>, _child: &Position) -> Turn {
        match step {
            Step::Move(_) => Turn::Passed,
            Step::Outcome(_) => Turn::Kept,
        }
    }

    fn most_outcomes(&self) -> usize {
        ROLLS.into()
    }
}

impl Notation for Position {
    const NAME: &'static str = "backgammon";
    const KEYWORDS: &'static [&'static str] = &["gnubgid", "xgid"];
    const PLY: &'static str = "31:8/5,6/5";

    fn start(words: &[&str]) -> Result<Position, Fault> {
        match words.first() {
            Some(word) => Err(Fault::new(word, "expected moves, roll or the end of the line")),
            None => Ok(Position::opening()),
        }
    }

    fn read(keyword: &str, words: &[&str]) -> Result<Position, Fault> {
        let (word, rest) = words.split_first().ok_or_else(|| Fault::missing("a GNUBG ID or an XGID"))?;
        if let Some(word) = rest.first() {
            return Err(Fault::new(word, "expected moves, roll or the end of the line after the position"));
        }
        let read = match keyword {
            "gnubgid" => Position::from_gnubg_id(word),
            "xgid" => Position::from_xgid(word),
            _ => Position::from_id(word),
        };
        read.map_err(|error| Fault::new(&error.word, error.fault))
    }

    fn write(&self, keyword: &str) -> String {
        if keyword == "gnubgid" { self.gnubg_id() } else { self.xgid() }
    }

    fn parse_move(&self, text: &str) -> Result<Move, Fault> {
        Position::parse_move(self, text).map_err(|error| Fault::new(&error.word, error.fault))
    }

    fn move_text(&self, mv: Move) -> String {
        Position::move_text(self, mv)
    }

    fn parse_outcome(&self, text: &str) -> Result<u8, Fault> {
        // A roll that stands may be repeated.
        if let Some(stands) = self.roll().filter(|&stands| Roll::read(text) == Some(stands)) {
            return Ok(stands.id());
        }
        let roll = self.parse_roll(text).map_err(|error| Fault::new(&error.word, error.fault))?;
        Ok(roll.id())
    }

    fn outcome_text(&self, id: u8) -> String {
        Roll::from_id(id).map_or_else(String::new, |roll| roll.to_string())
    }

    fn result(&self) -> Option<GameResult> {
        let Win { winner, points } = self.win()?;
        Some(GameResult { winner: Some(winner), points: points.into() })
    }

    fn player_name(&self, player: Player) -> &'static str {
        name(player)
    }

    /// A roll brings some eight pips.
    fn moves_to_go(&self) -> usize {
        self.pips(Position::mover(self)) as usize / 8 + 1
    }

    fn draw(&self, colour: bool, last: Option<&str>) -> String {
        Position::draw(self, colour, last)
    }
}
