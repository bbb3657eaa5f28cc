//! A small game that offers every shortcut, with uneven weights: a die whose faces are the piles, loaded, says from which
//! pile the mover must take one to three chips; whoever empties a pile wins.

use alea::game::{Bounds, Game, Key, Kind, Moves, Outcome, Player, Shortcuts, Step, Turn, UpTo, Value, mix};

/// The most piles.
const MOST: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piles {
    chips: [u8; MOST],
    weights: [u32; MOST],
    count: usize,
    mover: Player,
    roll: Option<u8>,
    over: bool,
}

/// How many chips, from the pile that was rolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take {
    pile: u8,
    chips: u8,
}

impl Piles {
    /// Piles of random sizes. Weights are the same read backwards, so that the mirror image is the same game.
    pub fn new(seed: u64, count: usize, rolled: bool) -> Piles {
        let draw = |i: usize, n: u64| mix(seed ^ mix(i as u64)) % n;
        let chips = std::array::from_fn(|i| 2 + draw(i, 9) as u8);
        let weights =
            std::array::from_fn(|i| [1, 2, 3, 7, 36][draw(100 + i.min(count.saturating_sub(i + 1)), 5) as usize]);
        let roll = rolled.then(|| draw(50, count as u64) as u8);
        Piles { chips, weights, count, mover: Player::First, roll, over: false }
    }

    fn hash(&self, mirrored: bool) -> u64 {
        let place = |i: usize| if mirrored { self.count - 1 - i } else { i };
        let chips = (0..self.count).fold(0, |hash, i| mix(hash ^ u64::from(self.chips[place(i)])));
        let roll = self.roll.map_or(99, |roll| place(roll.into()));
        mix(chips ^ (roll as u64) << 8 ^ self.mover as u64)
    }

    /// What an evaluation that ignores outcomes and sees images alike may depend on.
    pub fn image_hash(&self) -> u64 {
        let unrolled = Piles { roll: None, ..*self };
        unrolled.hash(false).min(unrolled.hash(true))
    }

    fn wins(&self, pile: usize) -> bool {
        self.chips[pile] <= 3
    }

    fn takes(&self, pile: u8) -> impl Iterator<Item = Take> + use<> {
        (1..=self.chips[usize::from(pile)].min(3)).map(move |chips| Take { pile, chips })
    }

    /// The opponent wins with every roll of a pile that is low then.
    fn hope(&self, take: Take) -> Value {
        let next = self.child(Step::Move(take));
        let total: i64 = self.weights[..self.count].iter().map(|&w| i64::from(w)).sum();
        let lost: i64 = (0..self.count).filter(|&i| next.wins(i)).map(|i| i64::from(self.weights[i])).sum();
        -Value::from_raw((i64::from(Value::WIN.raw()) * (2 * lost - total)).div_euclid(total))
    }

    fn pile_bounds(&self, pile: u8, depth: u32) -> Bounds {
        if self.wins(pile.into()) {
            return Bounds::exactly(Value::WIN);
        }
        let hope = self.takes(pile).map(|take| self.hope(take)).max().unwrap_or(Value::WIN);
        Bounds { lo: Value::LOSS, hi: if depth >= 3 { hope } else { Value::WIN } }
    }
}

impl Game for Piles {
    type Move = Take;
    type MoveCapacity = UpTo<3>;
    type OutcomeCapacity = UpTo<MOST>;

    fn kind(&self) -> Kind {
        match self.roll {
            _ if self.over => Kind::Over(Value::LOSS),
            Some(_) => Kind::Decision,
            None => Kind::Chance,
        }
    }

    fn mover(&self) -> Player {
        self.mover
    }

    fn moves(&self) -> Moves<Piles> {
        self.roll.into_iter().flat_map(|pile| self.takes(pile)).collect()
    }

    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        (0..self.count).map(|i| Outcome { id: i as u8, weight: self.weights[i] })
    }

    fn play(&mut self, take: Take) {
        let pile = &mut self.chips[usize::from(take.pile)];
        *pile -= take.chips;
        self.over = *pile == 0;
        self.mover = self.mover.other();
        self.roll = None;
    }

    fn resolve(&mut self, outcome: u8) {
        self.roll = Some(outcome);
    }

    fn key(&self, images: bool, _depth: u32) -> Key {
        let hashes = [self.hash(false), self.hash(true)];
        let frame = u8::from(images && hashes[1] < hashes[0]);
        Key { hash: mix(hashes[usize::from(frame)]), frame }
    }

    fn reframe(&self, take: Take, frame: u8) -> Take {
        let pile = if frame == 1 { self.count as u8 - 1 - take.pile } else { take.pile };
        Take { pile, ..take }
    }

    fn code(take: Take) -> u16 {
        u16::from(take.pile) * 4 + u16::from(take.chips)
    }
}

impl Shortcuts for Piles {
    const ALTERNATES: bool = true;

    fn most_outcomes(&self) -> usize {
        self.count
    }

    fn bounds(&self, depth: u32) -> Bounds {
        self.roll.map_or(Bounds::UNKNOWN, |pile| self.pile_bounds(pile, depth))
    }

    fn bounded_outcomes(&self, depth: u32) -> impl Iterator<Item = (Outcome, Bounds)> {
        let bounds = move |pile| if depth == 0 { Bounds::UNKNOWN } else { self.pile_bounds(pile, depth) };
        self.outcomes().map(move |outcome| (outcome, bounds(outcome.id)))
    }

    fn moves_after(&self, outcome: u8) -> impl Iterator<Item = Take> {
        self.takes(outcome)
    }

    fn is_move_after(&self, outcome: u8, take: Take) -> bool {
        take.pile == outcome && take.chips <= self.chips[usize::from(outcome)].min(3)
    }

    fn key_after(&self, outcome: u8, take: Take, images: bool, depth: u32) -> (Key, Turn) {
        let mut next = Piles { roll: Some(outcome), ..*self };
        next.play(take);
        (next.key(images, depth), Turn::Passed)
    }

    fn is_quiet(&self) -> bool {
        true
    }

    fn is_quiet_beyond(&self) -> bool {
        true
    }
}
