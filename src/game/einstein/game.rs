//! EinStein as search and protocol know it.

use super::{CUBES, Move, Position, die, draw, name};
use crate::game::{
    Bounds, Fault, Game, GameResult, Key, Kind, Moves, Notation, Outcome, Player, Shortcuts, Step, Turn, UpTo, Value,
};

impl Game for Position {
    type Move = Move;
    type MoveCapacity = UpTo<6>;
    type OutcomeCapacity = UpTo<CUBES>;

    fn kind(&self) -> Kind {
        Position::kind(self)
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
        self.roll(outcome);
    }

    fn key(&self, images: bool, _depth: u32) -> Key {
        Position::key(self, images)
    }

    fn reframe(&self, mv: Move, frame: u8) -> Move {
        Position::reframe(self, mv, frame)
    }

    fn code(mv: Move) -> u16 {
        Position::code(mv)
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
        CUBES
    }

    /// A win at once, where the roll gives one.
    #[inline]
    fn bounds(&self, _depth: u32) -> Bounds {
        won_by(self.movable(), self.winning_cubes(self.mover()))
    }

    #[inline]
    fn bounded_outcomes(&self, depth: u32) -> impl Iterator<Item = (Outcome, Bounds)> {
        let winning = if depth == 0 { 0 } else { self.winning_cubes(self.mover()) };
        let left = self.left(self.mover());
        self.outcomes().map(move |outcome| (outcome, won_by(die::movable(left, outcome.id), winning)))
    }

    #[inline]
    fn moves_after(&self, outcome: u8) -> impl Iterator<Item = Move> {
        self.showing(Some(outcome)).moves().into_iter()
    }

    #[inline]
    fn is_move_after(&self, outcome: u8, mv: Move) -> bool {
        let first = self.mover() as usize * CUBES;
        let moved = self.cubes().at(mv.from).filter(|index| (first..first + CUBES).contains(index));
        let movable = die::movable(self.left(self.mover()), outcome);
        moved.is_some_and(|index| movable & 1 << (index - first) != 0) && self.targets(mv.from).contains(&mv.to)
    }

    #[inline]
    fn key_after(&self, _outcome: u8, mv: Move, images: bool, _depth: u32) -> (Key, Turn) {
        let mut next = *self;
        Position::play(&mut next, mv);
        (Position::key(&next, images), Turn::Passed)
    }

    /// No move ends the game but one that wins it: whoever takes a cube of their own still has the one that took it.
    #[inline]
    fn is_quiet(&self) -> bool {
        true
    }

    #[inline]
    fn is_quiet_beyond(&self) -> bool {
        true
    }
}

/// What is known of a roll that lets some cubes move where others win.
#[inline]
fn won_by(movable: die::Set, winning: die::Set) -> Bounds {
    if movable & winning != 0 { Bounds::exactly(Value::WIN) } else { Bounds::UNKNOWN }
}

impl Notation for Position {
    const NAME: &'static str = "einstein";
    const PLY: &'static str = "3:c1d2";

    fn start(words: &[&str]) -> Result<Position, Fault> {
        Ok(Position::start(words)?)
    }

    fn read(_keyword: &str, words: &[&str]) -> Result<Position, Fault> {
        Ok(Position::from_fen(words)?)
    }

    fn write(&self, _keyword: &str) -> String {
        Position::fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Fault> {
        Ok(Position::parse_move(self, text)?)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_outcome(&self, text: &str) -> Result<u8, Fault> {
        Ok(self.parse_roll(text)?)
    }

    fn outcome_text(&self, id: u8) -> String {
        id.to_string()
    }

    fn faces(&self) -> Vec<Outcome> {
        Position::faces(self).collect()
    }

    fn outcome_of(&self, face: u8) -> u8 {
        self.representative(face)
    }

    fn faces_of(&self, outcome: Outcome) -> u32 {
        outcome.weight
    }

    fn result(&self) -> Option<GameResult> {
        self.winner().map(GameResult::won_by)
    }

    fn player_name(&self, player: Player) -> &'static str {
        name(player)
    }

    /// Games last some twenty moves in all; the nearer the foremost cubes are to their goals, the fewer are left.
    fn moves_to_go(&self) -> usize {
        let cubes = self.left(Player::First).count_ones() + self.left(Player::Second).count_ones();
        3 + cubes as usize / 2
    }

    fn draw(&self, colour: bool, last: Option<&str>) -> String {
        draw(self, colour, last)
    }
}
