//! Games played out at random, for searches that learn from how games end.

use super::{Capacity, Game, Kind, Outcome, Player, Step, Turn, Value, mix};

/// Steps after which a game that goes nowhere is given up.
const LONGEST: usize = 400;

/// A small generator of numbers that pass for random (SplitMix64), the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub const fn new(seed: u64) -> Random {
        Random(mix(seed))
    }

    /// The next number.
    #[inline(always)]
    pub fn number(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        number
    }

    /// A number below `end`, which must not be 0.
    #[inline(always)]
    pub fn below(&mut self, end: u32) -> u32 {
        (((self.number() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// The number of an outcome, drawn by weight.
    pub fn outcome(&mut self, outcomes: impl Iterator<Item = Outcome> + Clone) -> Option<u8> {
        let total: u32 = outcomes.clone().map(|outcome| outcome.weight).sum();
        let mut place = self.below(total.max(1));
        outcomes.into_iter().find_map(|outcome| {
            let found = place < outcome.weight;
            place = place.wrapping_sub(outcome.weight);
            found.then_some(outcome.id)
        })
    }
}

/// Move codes that a [`Trace`] tells apart.
const CODES: usize = 512;

/// Which moves each player made in the course of a game, by their codes.
#[derive(Clone, Copy, Debug)]
pub struct Trace([[u64; CODES / 64]; 2]);

impl Trace {
    /// No moves yet.
    pub const EMPTY: Trace = Trace([[0; CODES / 64]; 2]);

    /// A player has made the move of this code.
    #[inline]
    pub fn note(&mut self, player: Player, code: u16) {
        let code = usize::from(code) % CODES;
        self.0[player as usize][code / 64] |= 1 << (code % 64);
    }

    /// A player has made the moves of the codes from `first` on whose bits are set.
    #[inline]
    pub fn note_run(&mut self, player: Player, first: usize, bits: u32) {
        let words = &mut self.0[player as usize];
        let (word, shift) = (first / 64 % words.len(), first % 64);
        words[word] |= u64::from(bits) << shift;
        if shift > 32
            && let Some(next) = words.get_mut(word + 1)
        {
            *next |= u64::from(bits) >> (64 - shift);
        }
    }

    /// Whether a player has made a move of this code.
    #[inline]
    pub fn has(&self, player: Player, code: u16) -> bool {
        let code = usize::from(code) % CODES;
        self.0[player as usize][code / 64] >> (code % 64) & 1 != 0
    }
}

/// Play a game on by chance alone, except that who can win at once does: the result for who is to move now, or `None` where
/// the game does not end in reasonable time. Moves are noted in `trace`.
pub fn play_out<G: Game>(game: &G, random: &mut Random, trace: &mut Trace) -> Option<Value> {
    let viewer = game.mover();
    let mut game = game.clone();
    for _ in 0..LONGEST {
        match game.kind() {
            Kind::Over(value) => return Some(seen_by(viewer, &game, value)),
            Kind::Chance => {
                let outcomes: <G::OutcomeCapacity as Capacity>::List<Outcome> = game.outcomes().collect();
                game.resolve(random.outcome(outcomes.iter().copied())?);
            }
            Kind::Decision => {
                let moves = game.moves();
                let wins = |mv: &&G::Move| {
                    let child = game.child(Step::Move(**mv));
                    matches!(child.kind(), Kind::Over(value) if seen_by(game.mover(), &child, value) > Value::DRAW)
                };
                let any = moves[random.below(moves.len() as u32) as usize];
                let mv = moves.iter().find(wins).copied().unwrap_or(any);
                trace.note(game.mover(), G::code(mv));
                game.play(mv);
            }
        }
    }
    None
}

/// The value of a finished game in a player's view.
fn seen_by<G: Game>(viewer: Player, over: &G, value: Value) -> Value {
    match Turn::between(viewer, over.mover()) {
        Turn::Kept => value,
        Turn::Passed => -value,
    }
}
