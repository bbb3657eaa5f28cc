//! A second game: small random graphs of positions, with uneven weights, several branching factors, outcomes before or
//! after choices, turns kept or passed, and endings at odd places. One position can be reached at several depths.

use alea::game::{Game, Key, Kind, Moves, Outcome, Player, Shortcuts, UpTo, Value, mix};

/// Where chance stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// Before every choice, as in Dice; a move passes the turn.
    Before,
    /// After every choice, as a flip that decides what a move does; the flip passes the turn.
    After,
    /// Anywhere, and any step may pass the turn.
    Mixed,
}

#[derive(Clone, Copy, Debug)]
pub struct Tree {
    pub seed: u64,
    pub style: Style,
    /// How many positions the graph has.
    pub size: u64,
    /// The most moves or outcomes of a node.
    pub width: u64,
    id: u64,
    chance: bool,
    mover: Player,
}

/// The most moves or outcomes.
const MOST: usize = 16;

impl Tree {
    pub fn new(seed: u64, style: Style, size: u64, width: u64) -> Tree {
        let chance = style == Style::Before && seed.is_multiple_of(2);
        Tree { seed, style, size, width, id: 0, chance, mover: Player::First }
    }

    fn draw(&self, what: u64) -> u64 {
        mix(mix(mix(self.seed) ^ self.id) ^ (what << 1 | u64::from(self.chance)))
    }

    fn go(&mut self, step: u64, passed: bool) {
        let id = self.draw(1000 + step) % self.size;
        let next = Tree { id, mover: if passed { self.mover.other() } else { self.mover }, ..*self };
        let chance = if self.style == Style::Mixed { next.draw(1).is_multiple_of(2) } else { !self.chance };
        *self = Tree { chance, ..next };
    }
}

impl Game for Tree {
    type Move = u16;
    type MoveCapacity = UpTo<MOST>;
    type OutcomeCapacity = UpTo<MOST>;

    fn kind(&self) -> Kind {
        match self.draw(2) % 16 {
            0 if self.id != 0 => Kind::Over([Value::WIN, Value::DRAW, Value::LOSS][self.draw(3) as usize % 3]),
            1 if self.id != 0 => Kind::Over(Value::from_raw((self.draw(3) % (1 << 25)) as i64 - (1 << 24))),
            _ if self.chance => Kind::Chance,
            _ => Kind::Decision,
        }
    }

    fn mover(&self) -> Player {
        self.mover
    }

    fn moves(&self) -> Moves<Tree> {
        (0..1 + self.draw(4) % self.width).map(|mv| mv as u16).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let weight = move |id: u64| [1, 1, 2, 3, 7, 36][self.draw(100 + id) as usize % 6];
        (0..1 + self.draw(5) % self.width).map(move |id| Outcome { id: id as u8, weight: weight(id) })
    }

    fn play(&mut self, mv: u16) {
        let passed = match self.style {
            Style::Before => true,
            Style::After => false,
            Style::Mixed => self.draw(200 + u64::from(mv)).is_multiple_of(2),
        };
        self.go(u64::from(mv), passed);
    }

    fn resolve(&mut self, outcome: u8) {
        let passed = match self.style {
            Style::Before => false,
            Style::After => true,
            Style::Mixed => self.draw(300 + u64::from(outcome)).is_multiple_of(2),
        };
        self.go(500 + u64::from(outcome), passed);
    }

    /// Values are the mover's, whoever that is.
    fn key(&self, _images: bool, _depth: u32) -> Key {
        Key { hash: self.draw(6), frame: 0 }
    }

    fn code(mv: u16) -> u16 {
        mv
    }
}

impl Shortcuts for Tree {}
