//! A second game: small random graphs of positions, with uneven weights, several branching factors, outcomes before or
//! after choices, turns kept or passed, and endings at odd places. One position can be reached at several depths.

use alea::game::{Game, Key, Kind, Move, Moves, Outcome, Turn, Value, mix};

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
}

impl Tree {
    pub fn new(seed: u64, style: Style, size: u64, width: u64) -> Tree {
        Tree { seed, style, size, width, id: 0, chance: style == Style::Before && seed.is_multiple_of(2) }
    }

    fn draw(&self, what: u64) -> u64 {
        mix(mix(mix(self.seed) ^ self.id) ^ (what << 1 | u64::from(self.chance)))
    }

    fn child(&self, step: u64) -> Tree {
        let id = self.draw(1000 + step) % self.size;
        let next = Tree { id, ..*self };
        Tree { chance: if self.style == Style::Mixed { next.draw(1).is_multiple_of(2) } else { !self.chance }, ..next }
    }
}

impl Game for Tree {
    fn kind(&self) -> Kind {
        match self.draw(2) % 16 {
            0 if self.id != 0 => Kind::Over([Value::WIN, Value::DRAW, Value::LOSS][self.draw(3) as usize % 3]),
            1 if self.id != 0 => Kind::Over(Value::from_raw((self.draw(3) % (1 << 25)) as i64 - (1 << 24))),
            _ if self.chance => Kind::Chance,
            _ => Kind::Decision,
        }
    }

    fn moves(&self) -> Moves {
        (0..1 + self.draw(4) % self.width).map(|mv| Move(mv as u16)).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let weight = move |id: u64| [1, 1, 2, 3, 7, 36][self.draw(100 + id) as usize % 6];
        (0..1 + self.draw(5) % self.width).map(move |id| Outcome { id: id as u8, weight: weight(id) })
    }

    fn after(&self, mv: Move) -> (Tree, Turn) {
        let passed = match self.style {
            Style::Before => true,
            Style::After => false,
            Style::Mixed => self.draw(200 + u64::from(mv.0)).is_multiple_of(2),
        };
        (self.child(u64::from(mv.0)), if passed { Turn::Passed } else { Turn::Kept })
    }

    fn rolled(&self, outcome: u8) -> (Tree, Turn) {
        let passed = match self.style {
            Style::Before => false,
            Style::After => true,
            Style::Mixed => self.draw(300 + u64::from(outcome)).is_multiple_of(2),
        };
        (self.child(500 + u64::from(outcome)), if passed { Turn::Passed } else { Turn::Kept })
    }

    fn key(&self, _images: bool) -> Key {
        Key { hash: self.draw(6), frame: 0 }
    }

    fn reframe(&self, mv: Move, _frame: u8) -> Move {
        mv
    }

    fn plies_left(&self) -> u32 {
        100
    }
}
