//! Sums of hidden units that follow the game: a move changes the rows of one cube, a capture those of its neighbours too.

use super::features::{LEFT, cube_feature, left_feature, mobility_feature, seen_by};
use crate::eval::nn::{BadWeights, Featured, FileError, Lanes, Network, Weights, file};
use crate::eval::{ChildEvaluator, Evaluator, Networked, RunningMax};
use crate::game::einstein::{CELLS, CUBES, Cube, Move, Position, Set, mobility, movable};
use crate::game::{Capacity, Game, Notation, Player, Shortcuts, Slots, Step, Value};
use std::fmt;

/// Registers for the hidden units: 16 units, two images of the board.
const REGISTERS: usize = 4;

/// Sums of all hidden units as one player sees the board.
pub type Sums = Lanes<REGISTERS>;

/// The sums of a position in both players' perspectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulators([Sums; 2]);

/// A network with its weights laid out for updates.
pub struct EinsteinNetwork {
    network: Network<REGISTERS>,
    /// What a cube adds, by side, number, mobility and cell.
    cubes: Vec<Sums>,
    /// What the set of cubes that are left adds, by side.
    left: Vec<Sums>,
}

impl fmt::Debug for EinsteinNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.network.fmt(f)
    }
}

/// The value of rolling now for a side that `winning` of the six faces let win at once, if `otherwise` (in steps of 2⁻²⁴)
/// is its value when none of them comes. Rises with it.
#[inline(always)]
pub fn blend(winning: u8, otherwise: i32) -> Value {
    let (winning, faces) = (i32::from(winning), CUBES as i32);
    Value::from_legal(match winning {
        0 => otherwise,
        _ => (winning * Value::WIN.raw() + (faces - winning) * otherwise) / faces,
    })
}

impl EinsteinNetwork {
    /// Check the weights and make a network of them.
    pub fn new(weights: Weights) -> Result<EinsteinNetwork, BadWeights> {
        Network::new(Position::layout(), weights).map(EinsteinNetwork::laid_out)
    }

    /// The network in a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<EinsteinNetwork, FileError> {
        file::from_bytes(Position::layout(), bytes).map(EinsteinNetwork::laid_out)
    }

    fn laid_out(network: Network<REGISTERS>) -> EinsteinNetwork {
        let places = (0..2).flat_map(|side| (0..CUBES).map(move |cube| (side, cube)));
        let places = places.flat_map(|(side, cube)| (1..=CUBES).map(move |mobility| (side, cube, mobility)));
        let row = |(side, cube, mobility): (usize, usize, usize), cell: usize| {
            network.row(cube_feature(side, cube, cell)).plus(network.row(mobility_feature(side, mobility, cell)))
        };
        let row = &row;
        let cubes = places.flat_map(|place| (0..CELLS).map(move |cell| row(place, cell))).collect();
        let left = (0..2 * LEFT).map(|i| *network.row(left_feature(0, i))).collect();
        EinsteinNetwork { cubes, left, network }
    }

    /// The network as every game's are.
    pub fn network(&self) -> &Network<REGISTERS> {
        &self.network
    }

    /// The output from nothing but the position, in steps of 2⁻²⁴: its value for the mover should no win be rolled now.
    pub fn output_afresh(&self, game: &Position) -> i32 {
        self.network.squashed(self.network.total_afresh(0, game, game.mover()))
    }

    /// The value of an undecided position, computed afresh: what every quicker way must agree with.
    pub fn value_afresh(&self, game: &Position) -> Value {
        blend(game.winning_faces(game.mover()), self.output_afresh(game))
    }

    /// What a cube of `owner` adds for `view`.
    #[inline(always)]
    fn row(&self, view: Player, owner: Player, cube: usize, mobility: u8, cell: u8) -> &Sums {
        let place = (usize::from(owner != view) * CUBES + cube) * CUBES + usize::from(mobility) - 1;
        &self.cubes[place * CELLS + seen_by(view, cell)]
    }

    /// Bring the sums of one perspective up to a move.
    #[inline(always)]
    fn change(&self, sums: &mut Sums, view: Player, game: &Position, mv: Move) {
        let (cubes, mover) = (game.cubes(), game.mover());
        let Some(index) = cubes.at(mv.from) else { return };
        let mut left = game.left(mover);
        if let Some(taken) = cubes.at(mv.to) {
            self.take(sums, view, game, taken);
            if taken / CUBES == mover as usize {
                left &= !(1 << (taken % CUBES));
            }
        }
        let cube = index % CUBES;
        let mobility = mobility(left)[cube];
        sums.sub(self.row(view, mover, cube, mobility, mv.from));
        sums.add(self.row(view, mover, cube, mobility, mv.to));
    }

    /// Take a cube off the board: those next to its number may move oftener.
    fn take(&self, sums: &mut Sums, view: Player, game: &Position, taken: usize) {
        let Cube { owner, number } = Cube::from_index(taken);
        let number = usize::from(number) - 1;
        let before = game.left(owner);
        let after = before & !(1 << number);
        let sides = usize::from(owner != view) * LEFT;
        sums.sub(&self.left[sides + usize::from(before)]);
        sums.add(&self.left[sides + usize::from(after)]);
        let cells = (0..CUBES).map(|cube| game.cubes().cell(owner as usize * CUBES + cube));
        for (cube, cell) in cells.enumerate() {
            let (Some(cell), [old, new]) = (cell, [before, after].map(|left| mobility(left)[cube])) else { continue };
            if old != new {
                sums.sub(self.row(view, owner, cube, old, cell));
            }
            if old != new && cube != number {
                sums.add(self.row(view, owner, cube, new, cell));
            }
        }
    }
}

impl Evaluator<Position> for EinsteinNetwork {
    type State = Accumulators;

    fn state(&self, game: &Position) -> Accumulators {
        Accumulators(Player::BOTH.map(|view| self.network.accumulator(game, view)))
    }

    #[inline]
    fn advance(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, _next: &Position) {
        if let Step::Move(mv) = step {
            for view in Player::BOTH {
                self.change(&mut state.0[view as usize], view, game, mv);
            }
        }
    }

    /// In the perspective of the mover only: all that is needed after one move more.
    #[inline]
    fn advance_before_last(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, _next: &Position) {
        if let Step::Move(mv) = step {
            self.change(&mut state.0[game.mover() as usize], game.mover(), game, mv);
        }
    }

    #[inline]
    fn value(&self, state: &Accumulators, game: &Position) -> Value {
        let total = self.network.total(0, &state.0[game.mover() as usize]);
        blend(game.winning_faces(game.mover()), self.network.squashed(total))
    }

    type Children<'a> = ChildSums<'a>;

    #[inline]
    fn children<'a>(&'a self, state: &'a Accumulators, game: &'a Position) -> ChildSums<'a> {
        let view = game.mover().other();
        let winning = game.winning_faces(view);
        let alone = game.left(game.mover()).is_power_of_two();
        ChildSums { network: self, sums: &state.0[view as usize], game, view, winning, alone }
    }

    /// Every unit looks at both images.
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
    network: &'a EinsteinNetwork,
    /// As the opponent of the mover, who is to roll next, sees them.
    sums: &'a Sums,
    game: &'a Position,
    view: Player,
    /// Faces that let the opponent win at once, as long as no cube is taken.
    winning: u8,
    /// Whether the mover has one cube, and the opponent may win by taking it.
    alone: bool,
}

impl ChildSums<'_> {
    /// The sums before the cube on `from` has stepped somewhere, and its number and mobility.
    #[inline(always)]
    fn lifted(&self, from: u8) -> Option<(Sums, usize, u8)> {
        let mover = self.game.mover();
        let cube = self.game.cubes().at(from)? % CUBES;
        let mobility = mobility(self.game.left(mover))[cube];
        Some((self.sums.minus(self.network.row(self.view, mover, cube, mobility, from)), cube, mobility))
    }

    /// Whether a step to a cell changes nothing but where one cube stands.
    #[inline(always)]
    fn is_plain(&self, to: u8) -> bool {
        !self.alone && self.game.cubes().at(to).is_none()
    }

    /// The value of a move that takes a cube, or of a last cube.
    #[inline(never)]
    fn value_after_capture(&self, mv: Move) -> Value {
        let mut sums = *self.sums;
        self.network.change(&mut sums, self.view, self.game, mv);
        let winning = self.game.child(Step::Move(mv)).winning_faces(self.view);
        self.value(winning, self.network.network.total(0, &sums))
    }

    /// The mover's value if the opponent's units come to this.
    #[inline(always)]
    fn value(&self, winning: u8, total: i32) -> Value {
        -blend(winning, self.network.network.squashed(total))
    }

    /// Add all moves of a cube to a maximum. How many there are.
    #[inline(always)]
    fn include_cube(&self, max: &mut RunningMax, from: u8) -> usize {
        let targets = self.game.targets(from);
        if let Some((lifted, cube, mobility)) = self.lifted(from) {
            for &to in targets {
                if self.is_plain(to) {
                    let row = self.network.row(self.view, self.game.mover(), cube, mobility, to);
                    max.least = max.least.min(self.network.network.total(0, &lifted.plus(row)));
                } else {
                    max.raise(self.value_after_capture(Move { from, to }));
                }
            }
        }
        targets.len()
    }
}

impl ChildEvaluator<Position> for ChildSums<'_> {
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Value {
        let value = match self.lifted(mv.from) {
            Some((lifted, cube, mobility)) if self.is_plain(mv.to) => {
                let row = self.network.row(self.view, self.game.mover(), cube, mobility, mv.to);
                self.value(self.winning, self.network.network.total(0, &lifted.plus(row)))
            }
            _ => self.value_after_capture(mv),
        };
        debug_assert_eq!(-value, self.network.value_afresh(&self.game.child(Step::Move(mv))));
        value
    }

    /// The less the opponent's units come to, the better; but captures change the odds of its winning at once too.
    #[inline(always)]
    fn include(&self, max: &mut RunningMax, mv: Move) {
        match self.lifted(mv.from) {
            Some((lifted, cube, mobility)) if self.is_plain(mv.to) => {
                let row = self.network.row(self.view, self.game.mover(), cube, mobility, mv.to);
                max.least = max.least.min(self.network.network.total(0, &lifted.plus(row)));
            }
            _ => max.raise(self.value_after_capture(mv)),
        }
    }

    /// A cube that several faces let move is looked at once.
    #[inline(always)]
    fn include_all(
        &self,
        game: &Position,
        decisions: impl Iterator<Item = (u8, u16)>,
        maxima: &mut <<Position as Game>::OutcomeCapacity as Capacity>::Slots<RunningMax>,
    ) -> usize
    where
        Position: Shortcuts,
    {
        let (mover, mut leaves) = (game.mover(), 0);
        let mut seen: [Option<(RunningMax, usize)>; CUBES] = [None; CUBES];
        for (outcome, i) in decisions {
            let mut rolled: Set = movable(game.left(mover), outcome);
            while rolled != 0 {
                let cube = rolled.trailing_zeros() as usize % CUBES;
                rolled &= rolled - 1;
                let (max, count) = *seen[cube].get_or_insert_with(|| {
                    let mut max = RunningMax::NONE;
                    let from = game.cubes().cell(mover as usize * CUBES + cube);
                    let count = from.map_or(0, |from| self.include_cube(&mut max, from));
                    (max, count)
                });
                maxima.slot(i.into()).join(max);
                leaves += count;
            }
        }
        leaves
    }

    #[inline(always)]
    fn maximum(&self, max: RunningMax) -> Value {
        match max.least {
            i32::MAX => max.greatest,
            least => max.greatest.max(self.value(self.winning, least)),
        }
    }
}
