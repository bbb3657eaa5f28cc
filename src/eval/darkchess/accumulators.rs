//! Sums of hidden units that follow the game: a step changes the rows of one piece and of its pairs, a capture those of the
//! victim and of the balance too, an outcome those of one piece that came up.

use super::features::{Balance, face_down_feature, face_down_on_feature, hidden_feature, pair_feature, piece_feature};
use crate::eval::nn::{BadWeights, Featured, FileError, Lanes, Network, Weights, file};
use crate::eval::{ChildEvaluator, Evaluator};
use crate::game::darkchess::{Move, Position, Rank, bit, cells};
use crate::game::{Game, Notation, Player, Step, Value};
use std::fmt;

/// Registers for the hidden units.
const REGISTERS: usize = 4;

/// Sums of all hidden units as one player sees the board.
type Sums = Lanes<REGISTERS>;

/// The sums of a position in both players' perspectives, but for what is looked up afresh.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulators([Sums; 2]);

/// A network of dark chess.
pub struct DarkChessNetwork(Network<REGISTERS>);

impl fmt::Debug for DarkChessNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whose move is next, whatever a pending flip shows: the network sees the board as that player does.
#[inline(always)]
pub fn viewer(game: &Position) -> Player {
    if game.pending().is_some() { game.mover().other() } else { game.mover() }
}

/// A face-up piece.
#[derive(Clone, Copy)]
struct Piece {
    owner: Player,
    rank: usize,
    cell: u8,
}

impl DarkChessNetwork {
    /// Check the weights and make a network of them.
    pub fn new(weights: Weights) -> Result<DarkChessNetwork, BadWeights> {
        Network::new(Position::layout(), weights).map(DarkChessNetwork)
    }

    /// The network in a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<DarkChessNetwork, FileError> {
        file::from_bytes(Position::layout(), bytes).map(DarkChessNetwork)
    }

    /// The value of an undecided position for its mover, computed afresh: what every quicker way must agree with.
    pub fn value_afresh(&self, game: &Position) -> Value {
        self.seen(game, self.0.total_afresh(0, game, viewer(game)))
    }

    /// The output of all units, with what is looked up afresh.
    #[inline(always)]
    fn total(&self, mut sums: Sums, game: &Position, view: Player) -> i32 {
        game.each_passing(view, |feature| sums.add(self.0.row(feature)));
        self.0.total(0, &sums)
    }

    /// What the viewer's output is to the mover.
    #[inline(always)]
    fn seen(&self, game: &Position, total: i32) -> Value {
        let value = Value::from_legal(self.0.squashed(total));
        if game.pending().is_some() { -value } else { value }
    }

    #[inline(always)]
    fn change(&self, sums: &mut Sums, view: Player, game: &Position, step: Step<Move>, next: &Position) {
        match step {
            Step::Move(Move::Flip(_)) => {}
            Step::Move(Move::Step { from, to }) => self.step(sums, view, game, (from, to), next),
            Step::Outcome(_) => self.turn_up(sums, view, game, next),
        }
    }

    #[inline(always)]
    fn step(&self, sums: &mut Sums, view: Player, game: &Position, (from, to): (u8, u8), next: &Position) {
        let (owner, enemy) = (game.mover(), game.mover().other());
        let rank = game.rank_at(from, owner);
        if game.cells_of(enemy) & bit(to) != 0 {
            let victim = Piece { owner: enemy, rank: game.rank_at(to, enemy), cell: to };
            self.each_row(view, victim, game, |row| sums.sub(row));
            let changed = [Balance::of(game, view), Balance::of(next, view)];
            self.rebalance(sums, &changed);
        }
        let (old, new) = (Piece { owner, rank, cell: from }, Piece { owner, rank, cell: to });
        // The victim's pair with the piece that takes it has gone already.
        self.each_row(view, old, next, |row| sums.sub(row));
        self.each_row(view, new, next, |row| sums.add(row));
    }

    /// Bring the sums up to another balance.
    fn rebalance(&self, sums: &mut Sums, [old, new]: &[Balance; 2]) {
        old.each_feature(|feature| sums.sub(self.0.row(feature)));
        new.each_feature(|feature| sums.add(self.0.row(feature)));
    }

    /// A piece comes up where a flip was pending.
    #[inline(always)]
    fn turn_up(&self, sums: &mut Sums, view: Player, game: &Position, next: &Position) {
        let Some(cell) = game.pending() else { return };
        let owner = if next.cells_of(Player::First) & bit(cell) != 0 { Player::First } else { Player::Second };
        let rank = next.rank_at(cell, owner);
        self.each_row(view, Piece { owner, rank, cell }, next, |row| sums.add(row));
        let side = usize::from(owner != view);
        let hidden = next.hidden(owner, Rank::ALL[rank]);
        sums.sub(self.0.row(hidden_feature(side, rank, hidden + 1)));
        sums.add(self.0.row(hidden_feature(side, rank, hidden)));
        let face_down = next.face_down().count_ones();
        sums.sub(self.0.row(face_down_feature(face_down + 1)));
        sums.add(self.0.row(face_down_feature(face_down)));
        sums.sub(self.0.row(face_down_on_feature(cell)));
    }

    /// The rows of a piece and of its pairs with the enemies of a position.
    #[inline(always)]
    fn each_row(&self, view: Player, piece: Piece, game: &Position, mut take: impl FnMut(&Sums)) {
        let Piece { owner, rank, cell } = piece;
        take(self.0.row(piece_feature(usize::from(owner != view), rank, cell)));
        for (other, &enemies) in game.pieces(owner.other()).iter().enumerate() {
            for enemy in cells(enemies) {
                take(self.0.row(match owner == view {
                    true => pair_feature(rank, cell, other, enemy),
                    false => pair_feature(other, enemy, rank, cell),
                }));
            }
        }
    }
}

impl Evaluator<Position> for DarkChessNetwork {
    type State = Accumulators;

    fn state(&self, game: &Position) -> Accumulators {
        Accumulators(Player::BOTH.map(|view| {
            let mut sums = self.0.bias();
            game.each_followed(view, |feature| sums.add(self.0.row(feature)));
            Balance::of(game, view).each_feature(|feature| sums.add(self.0.row(feature)));
            sums
        }))
    }

    #[inline]
    fn advance(&self, state: &mut Accumulators, game: &Position, step: Step<Move>, next: &Position) {
        for view in Player::BOTH {
            self.change(&mut state.0[view as usize], view, game, step, next);
        }
    }

    #[inline]
    fn value(&self, state: &Accumulators, game: &Position) -> Value {
        let view = viewer(game);
        self.seen(game, self.total(state.0[view as usize], game, view))
    }

    type Children<'a> = ChildSums<'a>;

    #[inline]
    fn children<'a>(&'a self, state: &'a Accumulators, game: &'a Position) -> ChildSums<'a> {
        let view = game.mover().other();
        ChildSums { network: self, sums: &state.0[view as usize], game, view }
    }

    /// No feature tells images apart.
    fn sees_images_alike(&self) -> bool {
        true
    }

    fn measured_as(&self) -> Option<String> {
        Some(Position::NAME.into())
    }
}

/// A decision whose children are to be evaluated. After every move, a flip too, the opponent is the viewer.
pub struct ChildSums<'a> {
    network: &'a DarkChessNetwork,
    sums: &'a Sums,
    game: &'a Position,
    view: Player,
}

impl ChildEvaluator<Position> for ChildSums<'_> {
    #[inline]
    fn value_after(&self, mv: Move) -> Value {
        let (step, mut sums) = (Step::Move(mv), *self.sums);
        let child = self.game.child(step);
        self.network.change(&mut sums, self.view, self.game, step, &child);
        let value = -Value::from_legal(self.network.0.squashed(self.network.total(sums, &child, self.view)));
        debug_assert_eq!(
            value,
            if child.mover() == self.view {
                -self.network.value_afresh(&child)
            } else {
                self.network.value_afresh(&child)
            }
        );
        value
    }
}
