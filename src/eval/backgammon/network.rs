//! Two networks, one for positions with contact and one for races, and their sums, which follow the game: a move changes a
//! row for every checker that leaves a place or comes to one. What is read off blots and made points comes on top when a
//! position with contact is evaluated. What the table of [`bearoff`]s knows is taken from there.

use super::bearoff;
use super::bearoff_table;
use super::chances::Chances;
use super::features::{Bits, CURVE, checker_feature, race_layout};
use crate::eval::nn::squash::squash;
use crate::eval::nn::{BadWeights, Featured, FileError, Lanes, Network, Weights, file};
use crate::eval::{ChildEvaluator, Evaluator, Networked};
use crate::game::backgammon::{BAR, CHECKERS, Counted, Move, OFF, PLACES, Position};
use crate::game::{Game, Notation, Player, Step, Value};
use std::fmt;

/// Registers for the hidden units of the network of contact.
const CONTACT: usize = 16;
/// The same of races.
const RACE: usize = 4;
/// The outputs: see [`Chances`].
const OUTPUTS: usize = 5;
/// The points 19 to 24 and the bar: where a checker makes a gammon a backgammon.
const FARTHEST: u32 = 0x03f8_0000;

/// The sums of a position's checkers in both players' perspectives: those of its own network; the others mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulators {
    contact: [Lanes<CONTACT>; 2],
    race: [Lanes<RACE>; 2],
}

/// A network with its weights laid out for updates.
struct Rows<const N: usize> {
    network: Network<N>,
    /// What each checker adds, by side, place and which it is there; nothing where it is not told apart.
    rows: Vec<Lanes<N>>,
    out: [Lanes<N>; OUTPUTS],
}

/// Checkers on a place that [`Rows`] has room for, and none.
const COUNTS: usize = CHECKERS as usize + 1;

impl<const N: usize> Rows<N> {
    fn new(network: Network<N>) -> Rows<N> {
        let row = |i: usize| match checker_feature(i / COUNTS / PLACES, i / COUNTS % PLACES, i % COUNTS) {
            Some(feature) => *network.row(feature),
            None => Lanes::ZERO,
        };
        let rows = (0..2 * PLACES * COUNTS).map(row).collect();
        let out = std::array::from_fn(|output| *network.out(output));
        Rows { rows, out, network }
    }

    /// What a checker of a move adds or takes away, as the mover's side 0 or 1 is seen.
    #[inline(always)]
    fn change(&self, sums: &mut Lanes<N>, movers_side: usize, checker: Counted) {
        let side = movers_side ^ usize::from(!checker.own);
        let row = &self.rows[(side * PLACES + usize::from(checker.point)) * COUNTS + usize::from(checker.nth)];
        if checker.comes { sums.add(row) } else { sums.sub(row) }
    }

    /// Bring the sums of one perspective up to a move.
    #[inline(always)]
    fn play(&self, sums: &mut Lanes<N>, view: Player, game: &Position, mv: Move) {
        let mover = game.mover();
        let side = usize::from(view != mover);
        mv.for_each_checker(game.checkers(mover), game.checkers(mover.other()), |checker| {
            self.change(sums, side, checker);
        });
    }

    /// The sums of a position's checkers, met out of the blue, as `view` sees them.
    fn checkers(&self, game: &Position, view: Player) -> Lanes<N> {
        let mut sums = self.network.bias();
        for (side, owner) in [view, view.other()].into_iter().enumerate() {
            for (place, &count) in game.checkers(owner).iter().enumerate() {
                let rows = &self.rows[(side * PLACES + place) * COUNTS..][..=usize::from(count)];
                rows.iter().for_each(|row| sums.add(row));
            }
        }
        sums
    }

    /// The outputs before any curve is laid over them.
    #[inline(always)]
    fn totals(&self, sums: &Lanes<N>) -> [i32; OUTPUTS] {
        let weights = self.network.weights();
        let mut totals = sums.dots(CURVE, weights.one, &self.out);
        totals.iter_mut().zip(&weights.out_bias).for_each(|(total, bias)| *total += bias);
        totals
    }

    /// The same of a position with contact, whose checkers have these sums.
    #[inline(always)]
    fn totals_with(&self, mut sums: Lanes<N>, bits: &Bits) -> [i32; OUTPUTS] {
        bits.each_feature(|feature| sums.add(self.network.row(feature)));
        self.totals(&sums)
    }

    /// Add what a move of side 1 hardly changes: the rows of the points that side 0 has made, and of the checkers of side 1 far back.
    #[inline(always)]
    fn add_lasting(&self, sums: &mut Lanes<N>, bits: &Bits) {
        bits.each_window(0, |feature| sums.add(self.network.row(feature)));
        bits.each_trapped(1, |feature| sums.add(self.network.row(feature)));
    }

    /// The outputs after a move of side 1, from sums that have the lasting part of `before`.
    #[inline(always)]
    fn totals_after(&self, mut sums: Lanes<N>, before: &Bits, bits: &Bits) -> [i32; OUTPUTS] {
        if bits.back(1) != before.back(1) {
            before.each_trapped(1, |feature| sums.sub(self.network.row(feature)));
            bits.each_trapped(1, |feature| sums.add(self.network.row(feature)));
        }
        bits.each_window(1, |feature| sums.add(self.network.row(feature)));
        bits.each_trapped(0, |feature| sums.add(self.network.row(feature)));
        for side in 0..2 {
            bits.each_danger(side, |feature| sums.add(self.network.row(feature)));
        }
        self.totals(&sums)
    }

    fn shift(&self) -> u32 {
        self.network.weights().shift.into()
    }
}

/// What the rules say of how a game can still end, in the view of the side that is to roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Possible {
    /// Whether it can win a gammon, and a backgammon.
    win: [bool; 2],
    /// Whether it can lose one.
    lose: [bool; 2],
}

impl Possible {
    fn of(game: &Position) -> Possible {
        let (view, race) = (game.mover(), game.is_race());
        let beaten = |loser: Player| {
            let gammon = game.checkers(loser)[usize::from(OFF)] == 0;
            [gammon, gammon && !(race && game.occupied(loser) & FARTHEST == 0)]
        };
        Possible { win: beaten(view.other()), lose: beaten(view) }
    }

    /// The chances that the outputs of a network stand for.
    #[inline(always)]
    fn chances(self, totals: [i32; OUTPUTS], shift: u32) -> Chances {
        // A logistic curve is half a hyperbolic tangent of half the number, moved up.
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] =
            totals.map(|total| (Chances::ONE + squash(total, shift + 1)) / 2);
        let only_if = |possible: bool, chance: i32| if possible { chance } else { 0 };
        let win_gammon = only_if(self.win[0], win_gammon.min(win));
        let lose_gammon = only_if(self.lose[0], lose_gammon.min(Chances::ONE - win));
        Chances {
            win,
            win_gammon,
            win_backgammon: only_if(self.win[1], win_backgammon.min(win_gammon)),
            lose_gammon,
            lose_backgammon: only_if(self.lose[1], lose_backgammon.min(lose_gammon)),
        }
    }
}

/// The chances of the mover of an undecided position that the table of bearoffs knows.
fn in_table(game: &Position) -> Option<Chances> {
    let [roller, other] = [game.mover(), game.mover().other()].map(|player| game.checkers(player));
    bearoff::covers(game).then(|| Chances { win: bearoff_table().win(roller, other), ..Chances::default() })
}

/// The numbers of both networks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BothWeights {
    /// For positions with contact.
    pub contact: Weights,
    /// For races.
    pub race: Weights,
}

impl BothWeights {
    /// The bytes of their file: one network after the other.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = file::to_bytes(&Position::layout(), &self.contact);
        bytes.extend(file::to_bytes(&race_layout(), &self.race));
        bytes
    }
}

/// The networks of backgammon.
pub struct BackgammonNetwork {
    contact: Rows<CONTACT>,
    race: Rows<RACE>,
}

impl fmt::Debug for BackgammonNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} and {:?}", self.contact.network, self.race.network)
    }
}

impl BackgammonNetwork {
    /// Check the weights and make networks of them.
    pub fn new(weights: BothWeights) -> Result<BackgammonNetwork, BadWeights> {
        Ok(BackgammonNetwork {
            contact: Rows::new(Network::new(Position::layout(), weights.contact)?),
            race: Rows::new(Network::new(race_layout(), weights.race)?),
        })
    }

    /// The networks in a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<BackgammonNetwork, FileError> {
        let (contact, race) = file::split_first(bytes);
        Ok(BackgammonNetwork {
            contact: Rows::new(file::from_bytes(Position::layout(), contact)?),
            race: Rows::new(file::from_bytes(race_layout(), race)?),
        })
    }

    /// The chances of the mover of an undecided position, computed afresh: what every quicker way must agree with.
    pub fn chances_afresh(&self, game: &Position) -> Chances {
        if let Some(known) = in_table(game) {
            return known;
        }
        let view = game.mover();
        let totals = |output: usize| match game.is_race() {
            true => self.race.network.total_afresh(output, game, view),
            false => self.contact.network.total_afresh(output, game, view),
        };
        let shift = if game.is_race() { self.race.shift() } else { self.contact.shift() };
        Possible::of(game).chances(std::array::from_fn(totals), shift)
    }

    /// The chances of the mover of an undecided position.
    #[inline]
    pub fn chances(&self, state: &Accumulators, game: &Position) -> Chances {
        let view = game.mover() as usize;
        let race = game.is_race();
        if race && let Some(known) = in_table(game) {
            return known;
        }
        let (totals, shift) = match race {
            true => (self.race.totals(&state.race[view]), self.race.shift()),
            false => {
                let bits = Bits::of(game, game.mover());
                (self.contact.totals_with(state.contact[view], &bits), self.contact.shift())
            }
        };
        Possible::of(game).chances(totals, shift)
    }

    /// Bring the sums of a position up to a move that leads to `next`, in some perspectives.
    #[inline]
    fn play(&self, state: &mut Accumulators, game: &Position, mv: Move, next: &Position, views: &[Player]) {
        for &view in views {
            let v = view as usize;
            match (game.is_race(), next.is_race()) {
                (true, _) => self.race.play(&mut state.race[v], view, game, mv),
                (false, false) => self.contact.play(&mut state.contact[v], view, game, mv),
                (false, true) => state.race[v] = self.race.checkers(next, view),
            }
        }
    }
}

impl Evaluator<Position> for BackgammonNetwork {
    type State = Accumulators;

    fn state(&self, game: &Position) -> Accumulators {
        let mut state = Accumulators::default();
        for view in Player::BOTH {
            if game.is_race() {
                state.race[view as usize] = self.race.checkers(game, view);
            } else {
                state.contact[view as usize] = self.contact.checkers(game, view);
            }
        }
        state
    }

    #[inline]
    fn advance(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, next: &Position) {
        if let Step::Move(mv) = step {
            self.play(state, game, mv, next, &Player::BOTH);
        }
    }

    /// After one move more it is the mover's turn again.
    #[inline]
    fn advance_before_last(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, next: &Position) {
        if let Step::Move(mv) = step {
            self.play(state, game, mv, next, &[game.mover()]);
        }
    }

    #[inline]
    fn value(&self, state: &Accumulators, game: &Position) -> Value {
        self.chances(state, game).value()
    }

    type Children<'a> = ChildSums<'a>;

    #[inline]
    fn children<'a>(&'a self, state: &'a Accumulators, game: &'a Position) -> ChildSums<'a> {
        let mover = game.mover();
        let view = mover.other();
        let race = game.is_race();
        // Own checkers that the opponent's last one has not passed; no move takes more than four past it.
        let last = BAR - game.occupied(view).checked_ilog2().unwrap_or(0) as u8;
        let behind: u32 = game.checkers(mover)[usize::from(last)..].iter().map(|&count| u32::from(count)).sum();
        let [win_gammon, lose_gammon] = [mover, view].map(|player| game.checkers(player)[usize::from(OFF)] == 0);
        // Whoever breaks contact, or bears off in a race, is looked at more closely.
        let possible = Possible { win: [win_gammon; 2], lose: [lose_gammon; 2] };
        let bits = Bits::of(game, view);
        let mut sums = state.contact[view as usize];
        if !race {
            self.contact.add_lasting(&mut sums, &bits);
        }
        ChildSums { network: self, state, game, view, bits, sums, race, may_break: !race && behind <= 4, possible }
    }

    /// The board has no other image.
    fn sees_images_alike(&self) -> bool {
        true
    }

    fn measured_as(&self) -> Option<String> {
        Some(Position::NAME.into())
    }

    fn ignores_outcomes(&self) -> bool {
        Position::IGNORES_OUTCOMES
    }
}

/// A position whose children are to be evaluated: each from its parent's sums, with nothing kept.
pub struct ChildSums<'a> {
    network: &'a BackgammonNetwork,
    state: &'a Accumulators,
    game: &'a Position,
    /// The opponent of the mover, who is to roll next.
    view: Player,
    /// As that opponent sees them.
    bits: Bits,
    /// Its sums while there is contact, with what a move hardly changes.
    sums: Lanes<CONTACT>,
    /// Whether the position is a race.
    race: bool,
    /// Whether a move may make it one.
    may_break: bool,
    /// How the game can end after a move that bears nothing off, while there is contact; in the opponent's view.
    possible: Possible,
}

impl ChildSums<'_> {
    /// The opponent's chances after a move that leaves contact between the sides.
    #[inline(always)]
    fn after_contact(&self, mv: Move) -> Chances {
        let contact = &self.network.contact;
        let mut sums = self.sums;
        let (mut bits, mut possible) = (self.bits, self.possible);
        let mover = self.game.mover();
        mv.for_each_checker(self.game.checkers(mover), self.game.checkers(self.view), |checker| {
            contact.change(&mut sums, 1, checker);
            bits.change(usize::from(checker.own), checker);
            if checker.point == OFF {
                possible.win = [false; 2];
            }
        });
        possible.chances(contact.totals_after(sums, &self.bits, &bits), contact.shift())
    }

    /// The opponent's chances after a move in a race, or into one.
    #[inline(never)]
    fn after_any(&self, mv: Move) -> Chances {
        let child = self.game.child(Step::Move(mv));
        if let Some(known) = in_table(&child) {
            return known;
        }
        let mut sums;
        match (self.race, child.is_race()) {
            (false, false) => return self.after_contact(mv),
            (false, true) => sums = self.network.race.checkers(&child, self.view),
            (true, _) => {
                sums = self.state.race[self.view as usize];
                self.network.race.play(&mut sums, self.view, self.game, mv);
            }
        }
        Possible::of(&child).chances(self.network.race.totals(&sums), self.network.race.shift())
    }
}

impl ChildSums<'_> {
    /// The opponent's chances after a move.
    #[inline(always)]
    fn after(&self, mv: Move) -> Chances {
        let chances = if self.race || self.may_break { self.after_any(mv) } else { self.after_contact(mv) };
        debug_assert_eq!(chances, self.network.chances_afresh(&self.game.child(Step::Move(mv))));
        chances
    }

    /// The mover's chances after a move that does not end the game.
    pub fn chances_after(&self, mv: Move) -> Chances {
        self.after(mv).turned()
    }
}

impl ChildEvaluator<Position> for ChildSums<'_> {
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Value {
        -self.after(mv).value()
    }
}
