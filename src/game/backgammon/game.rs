//! Backgammon as search and protocol know it.

use super::{CHECKERS, MAX_MOVES, Move, Moves as MoveList, OFF, Position, ROLLS, Roll, Win, name};
use crate::game::{
    ArrayVec, Bounds, Fault, Game, GameResult, Key, Kind, Moves, Notation, Outcome, Player, Shortcuts, Step, Turn,
    UpTo, Value,
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

    /// The rules say nothing before a game is over.
    #[inline]
    fn bounded_outcomes(&self, _depth: u32) -> impl Iterator<Item = (Outcome, Bounds)> {
        Position::outcomes(self).map(|outcome| (outcome, Bounds::UNKNOWN))
    }

    #[inline]
    fn moves_after(&self, outcome: u8) -> impl Iterator<Item = Move> {
        MovesAfter::new(self.child(Step::Outcome(outcome)))
    }

    fn each_move_after(&self, decisions: impl Iterator<Item = (u8, u16)>, mut take: impl FnMut(Move, u16)) {
        let mut moves = MoveList::new();
        for (outcome, number) in decisions {
            self.child(Step::Outcome(outcome)).moves_into(&mut moves);
            moves.iter().for_each(|&mv| take(mv, number));
        }
    }

    #[inline]
    fn is_quiet(&self) -> bool {
        !can_end(self, self.mover())
    }

    #[inline]
    fn is_quiet_beyond(&self) -> bool {
        Player::BOTH.into_iter().all(|player| !can_end(self, player))
    }
}

/// Whether a player may bear off all that it has left in one turn, as far as the number of its checkers says.
#[inline]
fn can_end(position: &Position, player: Player) -> bool {
    position.checkers(player)[usize::from(OFF)] + 4 >= CHECKERS
}

/// The moves of a rolled position one by one. Lists of moves have room for thousands: this one is cheap to hand on.
struct MovesAfter {
    few: ArrayVec<Move, 40>,
    /// Those for which there is no room, which is rare.
    rest: Vec<Move>,
    next: usize,
}

impl MovesAfter {
    #[inline]
    fn new(rolled: Position) -> MovesAfter {
        let mut moves = MoveList::new();
        rolled.moves_into(&mut moves);
        let (few, rest) = moves.split_at(moves.len().min(40));
        MovesAfter { few: few.iter().copied().collect(), rest: rest.to_vec(), next: 0 }
    }
}

impl Iterator for MovesAfter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let i = self.next;
        self.next += 1;
        self.few.get(i).or_else(|| self.rest.get(i.wrapping_sub(self.few.len()))).copied()
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
        let read = match keyword {
            "gnubgid" => Position::from_gnubg_id(word),
            "xgid" => Position::from_xgid(word),
            _ => Position::from_id(word),
        };
        let position = read.map_err(|error| Fault::new(&error.word, error.fault))?;
        match rest.first() {
            Some(word) => Err(Fault::new(word, "expected moves, roll or the end of the line after the position")),
            None => Ok(position),
        }
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
