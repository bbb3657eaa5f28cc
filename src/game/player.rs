//! The two players, whatever a game calls them.

/// One of the two players of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// Who moves first at the start of a game.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both, in order.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}
