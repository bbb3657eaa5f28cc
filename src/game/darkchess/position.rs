//! A position and what moves and chance do to it.

use super::geometry::{Hashes, bit};
use super::{ALL_PIECES, Colour, KINDS, Move, Piece, RANKS, Rank};
use crate::game::{Key, Kind, Outcome, Player, Value, mix};

/// After so many plies without a flip or a capture the game is drawn.
pub const DRAW_PLIES: u8 = 50;

/// No limit to the flips of a line.
const NO_LIMIT: u8 = u8::MAX;

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It goes on.
    Playing,
    /// This player has won: the other one has no piece left, or is to move and cannot.
    Won(Player),
    /// Too many plies without a flip or a capture, and nobody has lost.
    Drawn,
}

/// How many pieces of each kind are still face down: four bits a kind, those of [`Player::First`] first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pool(u64);

impl Pool {
    pub const EMPTY: Pool = Pool(0);
    const BITS: usize = 4;
    const MASK: u64 = (1 << Pool::BITS) - 1;
    const SIDE: u64 = (1 << (Pool::BITS * RANKS)) - 1;

    #[inline]
    pub fn count(self, kind: usize) -> u8 {
        (self.0 >> (kind * Pool::BITS) & Pool::MASK) as u8
    }

    pub fn add(&mut self, kind: usize) {
        self.0 += 1 << (kind * Pool::BITS);
    }

    fn take(&mut self, kind: usize) {
        self.0 -= 1 << (kind * Pool::BITS);
    }

    fn has_any(self, owner: Player) -> bool {
        self.0 >> (owner as usize * Pool::BITS * RANKS) & Pool::SIDE != 0
    }

    /// All counts as one number, below 2⁵⁶, those of `player` first.
    #[inline]
    fn packed(self, player: Player) -> u64 {
        match player {
            Player::First => self.0,
            Player::Second => (self.0 & Pool::SIDE) << (Pool::BITS * RANKS) | self.0 >> (Pool::BITS * RANKS),
        }
    }
}

/// A position: the board, what is still face down, whose turn it is, and the flip that chance is to decide, if one is
/// pending.
///
/// While a flip is pending the player who made it is still the mover; the turn passes with the outcome.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The face-up pieces of each player by rank.
    pieces: [[u32; RANKS]; 2],
    /// All face-up pieces of each player.
    cells: [u32; 2],
    face_down: u32,
    pool: Pool,
    /// Of the face-up pieces.
    hashes: Hashes,
    mover: Player,
    /// The colour of [`Player::First`], known after the first flip.
    first: Option<Colour>,
    /// Since the last flip or capture.
    plies: u8,
    pending: Option<u8>,
    status: Status,
    /// How many flips search may still look at in this line; the rules know no such thing.
    flips: u8,
}

/// All pieces face down, nobody owns a colour.
impl Default for Position {
    fn default() -> Position {
        let mut position = Position::bare(None);
        for (cell, &id) in ALL_PIECES.iter().enumerate() {
            position.face_down |= bit(cell as u8);
            // Both players have the same pieces, whoever will own which.
            position.pool.add(id.into());
        }
        position
    }
}

impl Position {
    /// A board with nothing on it, [`Player::First`] to move.
    fn bare(first: Option<Colour>) -> Position {
        Position {
            pieces: [[0; RANKS]; 2],
            cells: [0; 2],
            face_down: 0,
            pool: Pool::EMPTY,
            hashes: Hashes::EMPTY,
            mover: Player::First,
            first,
            plies: 0,
            pending: None,
            status: Status::Playing,
            flips: NO_LIMIT,
        }
    }

    /// The position that these pieces, of which no more may be than a game has, make on an empty board, with
    /// [`Player::First`] to move.
    pub(super) fn set_up(
        first: Colour,
        plies: u8,
        face_up: &[(u8, Piece)],
        face_down: &[u8],
        pool: &[Piece],
    ) -> Position {
        let mut position = Position::bare(Some(first));
        for &(cell, piece) in face_up {
            position.put(cell, position.owner(piece.colour), piece.rank as usize);
        }
        position.face_down = face_down.iter().fold(0, |set, &cell| set | bit(cell));
        for &piece in pool {
            position.pool.add(kind(position.owner(piece.colour), piece.rank as usize));
        }
        position.plies = plies;
        position.settle();
        position
    }

    #[inline]
    fn put(&mut self, cell: u8, owner: Player, rank: usize) {
        self.pieces[owner as usize][rank] |= bit(cell);
        self.cells[owner as usize] |= bit(cell);
        self.hashes.toggle(owner, rank, cell);
    }

    /// Take a player's piece off the board, and say what it was.
    #[inline]
    fn lift(&mut self, cell: u8, owner: Player) -> usize {
        let rank = self.rank_at(cell, owner);
        self.pieces[owner as usize][rank] &= !bit(cell);
        self.cells[owner as usize] &= !bit(cell);
        self.hashes.toggle(owner, rank, cell);
        rank
    }

    /// The rank of a player's face-up piece.
    #[inline]
    pub(crate) fn rank_at(&self, cell: u8, owner: Player) -> usize {
        let rank = self.pieces[owner as usize].iter().position(|set| set & bit(cell) != 0);
        debug_assert!(rank.is_some(), "no piece on {cell}");
        rank.unwrap_or(Rank::Pawn as usize)
    }

    /// Whose turn it is, or who has made the flip that is pending; in a finished game, whose turn it would be.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// How the game stands.
    #[inline]
    pub fn status(&self) -> Status {
        self.status
    }

    /// Plies since the last flip or capture.
    pub fn plies(&self) -> u8 {
        self.plies
    }

    /// The cell whose piece is being flipped.
    pub fn pending(&self) -> Option<u8> {
        self.pending
    }

    /// A player's colour, known after the first flip.
    pub fn colour(&self, player: Player) -> Option<Colour> {
        let first = self.first?;
        Some(if player == Player::First { first } else { first.other() })
    }

    /// Who owns a colour; before the first flip, who will if it comes up red.
    pub(super) fn owner(&self, colour: Colour) -> Player {
        if self.first.unwrap_or(Colour::Red) == colour { Player::First } else { Player::Second }
    }

    /// A player's face-up pieces by rank.
    #[inline]
    pub fn pieces(&self, player: Player) -> &[u32; RANKS] {
        &self.pieces[player as usize]
    }

    /// All cells of a player's face-up pieces.
    #[inline]
    pub fn cells_of(&self, player: Player) -> u32 {
        self.cells[player as usize]
    }

    /// The cells of face-down pieces, that of a pending flip among them.
    #[inline]
    pub fn face_down(&self) -> u32 {
        self.face_down
    }

    /// The cells with nothing on them.
    #[inline]
    pub fn empty(&self) -> u32 {
        !(self.cells[0] | self.cells[1] | self.face_down)
    }

    /// How many of a player's pieces of a rank are still face down.
    #[inline]
    pub fn hidden(&self, player: Player, rank: Rank) -> u8 {
        self.pool.count(kind(player, rank as usize))
    }

    /// How many of a player's pieces of a rank are left, face up or down.
    #[inline]
    pub fn alive(&self, player: Player, rank: Rank) -> u8 {
        self.pieces(player)[rank as usize].count_ones() as u8 + self.hidden(player, rank)
    }

    /// The face-up piece on a cell.
    pub fn piece_at(&self, cell: u8) -> Option<Piece> {
        let owner = Player::BOTH.into_iter().find(|&owner| self.cells_of(owner) & bit(cell) != 0)?;
        Some(Piece { colour: self.colour(owner)?, rank: Rank::ALL[self.rank_at(cell, owner)] })
    }

    /// What kind of node this is.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.status {
            Status::Playing if self.pending.is_some() => Kind::Chance,
            Status::Playing => Kind::Decision,
            Status::Drawn => Kind::Over(Value::DRAW),
            Status::Won(winner) if winner == self.mover => Kind::Over(Value::WIN),
            Status::Won(_) => Kind::Over(Value::LOSS),
        }
    }

    /// Whether the mover is to choose.
    #[inline]
    pub(super) fn is_decision(&self) -> bool {
        self.status == Status::Playing && self.pending.is_none()
    }

    /// What a pending flip may show, by [`Piece::id`]: every kind that is still face down, weighed by how many there are.
    pub fn faces(&self) -> impl Iterator<Item = Outcome> {
        let kinds = if self.pending.is_some() { KINDS as u8 } else { 0 };
        let ids = (0..kinds).map(|id| Outcome { id, weight: self.face_down_of(id).into() });
        ids.filter(|outcome| outcome.weight > 0)
    }

    /// The same as search needs it: the colour of the first flip makes no difference, so both are one outcome, the red one.
    #[inline]
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let (kinds, factor) = if self.first.is_some() { (KINDS, 1) } else { (RANKS, 2) };
        let faces = self.faces().take_while(move |outcome| usize::from(outcome.id) < kinds);
        faces.map(move |Outcome { id, weight }| Outcome { id, weight: weight * factor })
    }

    /// The outcome of [`Position::outcomes`] that stands for what a flip shows.
    pub fn representative(&self, face: u8) -> u8 {
        if self.first.is_some() { face } else { face % RANKS as u8 }
    }

    /// How many pieces of the kind with this id are still face down.
    pub(super) fn face_down_of(&self, id: u8) -> u8 {
        Piece::from_id(id).map_or(0, |piece| self.hidden(self.owner(piece.colour), piece.rank))
    }

    /// Make a legal move. A step passes the turn, a flip waits for [`Position::roll`].
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let (from, to) = match mv {
            Move::Flip(cell) => return *self = self.flipping(cell),
            Move::Step { from, to } => (from, to),
        };
        let opponent = self.mover.other();
        let rank = self.lift(from, self.mover);
        self.plies += 1;
        if self.cells_of(opponent) & bit(to) != 0 {
            self.lift(to, opponent);
            self.plies = 0;
        }
        self.put(to, self.mover, rank);
        self.pass_turn();
    }

    /// Let the pending flip show the piece with this id, of which one must be left face down; the turn passes.
    #[inline]
    pub fn roll(&mut self, id: u8) {
        let (Some(cell), Some(piece)) = (self.pending.take(), Piece::from_id(id)) else {
            debug_assert!(false, "no flip is pending, or {id} is no piece");
            return;
        };
        // The first flip gives its maker the colour.
        self.first.get_or_insert(piece.colour);
        let (owner, rank) = (self.owner(piece.colour), piece.rank as usize);
        self.face_down &= !bit(cell);
        self.pool.take(kind(owner, rank));
        self.put(cell, owner, rank);
        self.plies = 0;
        self.pass_turn();
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.settle();
    }

    /// Work out how the game stands. A loss comes before a draw.
    #[inline]
    fn settle(&mut self) {
        let has_piece = |player: Player| self.cells_of(player) != 0 || self.pool.has_any(player);
        let opponent = self.mover.other();
        self.status = if !has_piece(self.mover) {
            Status::Won(opponent)
        } else if !has_piece(opponent) {
            Status::Won(self.mover)
        } else if !self.can_move() {
            Status::Won(opponent)
        } else if self.plies >= DRAW_PLIES {
            Status::Drawn
        } else {
            Status::Playing
        };
    }

    /// Make a legal flip pending.
    pub(super) fn flipping(self, cell: u8) -> Position {
        let flips = if self.flips == NO_LIMIT { NO_LIMIT } else { self.flips.saturating_sub(1) };
        Position { pending: Some(cell), flips, ..self }
    }

    /// The same position for a search that looks at no more than `flips` flips in a line (Hsu's lecture): whoever has another
    /// move is taken not to flip after that. **Unsound**: values are no longer those of the game.
    pub fn with_flip_limit(self, flips: u8) -> Position {
        Position { flips, ..self }
    }

    /// Whether the limit forbids the next flip.
    #[inline]
    pub(super) fn is_out_of_flips(&self) -> bool {
        self.flips == 0
    }

    /// Whether the limit can matter to this node's value to `depth`: whether a line of so many steps has room for more flips.
    #[inline]
    fn flip_limit_matters(&self, depth: u32) -> bool {
        // A flip and its outcome are two steps; a last flip needs but one, and a pending one is made already.
        let room = if self.pending.is_some() { depth / 2 } else { depth.div_ceil(2) };
        self.flips != NO_LIMIT && u32::from(self.flips) < room
    }

    /// The key for a value to `depth`: with the plies since the last flip or capture and the limit of flips where they
    /// matter, and only there.
    #[inline]
    pub fn key_to(&self, images: bool, depth: u32) -> Key {
        let key = self.key(images, self.plies_matter(depth));
        if !self.flip_limit_matters(depth) {
            return key;
        }
        Key { hash: mix(key.hash ^ mix(u64::from(self.flips) + 1)), ..key }
    }

    /// Whether the plies since the last flip or capture can matter to this node's value to `depth`: whether a line of so
    /// many steps can come to the draw.
    #[inline]
    pub fn plies_matter(&self, depth: u32) -> bool {
        self.pending.is_none() && depth >= u32::from(DRAW_PLIES - self.plies)
    }

    /// The position's key. With `images`, positions that are mirror images of each other share one.
    ///
    /// It is a key of what the mover sees, own pieces and the opponent's: which colours these are, and who made the first
    /// flip, makes no difference.
    ///
    /// With `plies`, positions that differ in the plies since the last flip or capture have different keys. Without, they
    /// share one, which is right wherever [`Position::plies_matter`] says no: a value to that depth is the same for all of
    /// them for which it says so. The outcome of a flip forgets the plies, so the key of a pending flip never has them.
    #[inline]
    pub fn key(&self, images: bool, plies: bool) -> Key {
        let hashes = self.hashes.seen_by(self.mover, self.face_down, self.pending);
        let mut key = Key { hash: hashes[0], frame: 0 };
        if images {
            for (frame, &hash) in hashes.iter().enumerate().skip(1) {
                if hash < key.hash {
                    key = Key { hash, frame: frame as u8 };
                }
            }
        }
        // One more than the plies, so that no count of them is like leaving them out.
        let plies = if plies && self.pending.is_none() { u64::from(self.plies) + 1 } else { 0 };
        let rest = plies << (Pool::BITS * KINDS) | self.pool.packed(self.mover);
        // The least of four is no longer spread evenly: mixing mends that.
        Key { hash: mix(key.hash ^ rest), ..key }
    }
}

/// The number of a player's piece of a rank among all kinds.
#[inline]
const fn kind(owner: Player, rank: usize) -> usize {
    owner as usize * RANKS + rank
}

const _: () = assert!((DRAW_PLIES as u64 + 1) << (Pool::BITS * KINDS) >> (Pool::BITS * KINDS) == DRAW_PLIES as u64 + 1);
