//! Hidden sums that follow the game: a checker changes only the windows through its cell.
//!
//! Every window carries a code: empty, so many of blue's alone, so many of red's alone, or dead. For each window, code
//! and mover there is one vector, the difference between the weights after and before; a checker adds those of its
//! windows and its own. Sums are kept for both views, blue to move and red to move, since either may be asked for next.
//! Each window also carries the exclusive-or of its empty cells' numbers: when one cell is left, that is its name, and
//! so a new threat costs no search.

use super::features::{Feature, FeatureSet, Layout};
use super::network::{Lanes, Network, Weights};
use crate::game::dice::{Bits, Board, Cell, Odds, Side, Wide, Width};
use crate::game::{Move, Value};

const SIDES: [Side; 2] = [Side::Blue, Side::Red];

/// Binary digits of a window's code; the rest of the word is the exclusive-or of its empty cells.
const CODE_BITS: u32 = 6;
const CODE_MASK: u16 = (1 << CODE_BITS) - 1;
const CODES: usize = 1 << CODE_BITS;

/// Room for the codes of all windows of any shape that fits a width.
pub trait Room: Width {
    /// One word a window.
    type Codes: Copy + Send + Sync + AsRef<[u16]> + AsMut<[u16]>;
    /// All zero.
    const BLANK: Self::Codes;
}

macro_rules! room {
    ($bits:ty, $windows:expr) => {
        impl Room for $bits {
            type Codes = [u16; $windows];
            const BLANK: [u16; $windows] = [0; $windows];
        }
    };
}

// The most windows of a size are at k = 3: 2·n·(n−2) straight and 2·(n−2)² diagonal ones.
room!(u64, 120);
room!(u128, 288);
room!(Wide, 960);

/// What is known of a position: the hidden sums in both views, the windows, and the odds of the side that is not to move,
/// which its opponent's next checker can only spoil.
#[derive(Clone, Copy)]
pub struct Sums<B: Room> {
    views: [Lanes; 2],
    odds: Odds,
    codes: B::Codes,
}

impl<B: Room> Sums<B> {
    /// Sums of no network, for evaluations that keep none.
    pub const BLANK: Sums<B> = Sums { views: [Lanes::ZERO; 2], odds: Odds::NONE, codes: B::BLANK };
}

/// A window through a cell.
#[derive(Clone, Copy)]
struct Crossing {
    window: u16,
    /// Where its steps begin.
    steps: u16,
}

/// What the checkers of one side change in the sums of one view, in one list: by cell, the checker itself; the
/// opponent's threat that it ends; its own side's threat that comes to stand; then by window and code, the window.
struct Face {
    lanes: Box<[Lanes]>,
    cells: usize,
}

impl Face {
    #[inline(always)]
    fn checker(&self, cell: usize) -> &Lanes {
        &self.lanes[cell]
    }

    #[inline(always)]
    fn other_threat(&self, cell: usize) -> &Lanes {
        &self.lanes[self.cells + cell]
    }

    #[inline(always)]
    fn own_threat(&self, cell: usize) -> &Lanes {
        &self.lanes[2 * self.cells + cell]
    }

    /// The change in the window of a crossing.
    #[inline(always)]
    fn step(&self, crossing: Crossing, code: u16) -> &Lanes {
        &self.lanes[usize::from(crossing.steps) + usize::from(code)]
    }
}

/// A network's weights laid out for the updates.
pub struct Tables {
    /// `faces[mover][view]`.
    faces: [[Face; 2]; 2],
    bias: Lanes,
    /// The windows through each cell.
    through: Vec<Box<[Crossing]>>,
    /// Row and column of each cell.
    cells: Vec<Cell>,
    /// The words of all windows on the empty board.
    windows: Vec<u16>,
    /// `next[mover][code]`: a window's code after a checker of the mover.
    next: [[u16; CODES]; 2],
    size: usize,
    codes: Codes,
}

/// How a window's content is numbered: 0 empty, then blue's counts, then red's, then dead.
#[derive(Clone, Copy)]
struct Codes {
    win: u16,
}

impl Codes {
    fn len(self) -> usize {
        2 * usize::from(self.win)
    }

    fn dead(self) -> u16 {
        2 * self.win - 1
    }

    /// `count` checkers of `side` alone; a full window is as good as dead, for the game is over.
    fn alone(self, side: Side, count: u16) -> u16 {
        match count {
            0 => 0,
            _ if count >= self.win => self.dead(),
            _ => count + if side == Side::Blue { 0 } else { self.win - 1 },
        }
    }

    fn after(self, code: u16, mover: Side) -> u16 {
        let reds = self.win - 1;
        match (code, mover) {
            (0, _) => self.alone(mover, 1),
            (blue, Side::Blue) if blue <= reds => self.alone(Side::Blue, blue + 1),
            (red, Side::Red) if (reds + 1..self.dead()).contains(&red) => self.alone(Side::Red, red - reds + 1),
            _ => self.dead(),
        }
    }
}

impl Face {
    /// `view` is the side to move; the other's is the network's own layout with sides and axes exchanged.
    fn new(weights: &Weights, layout: &Layout, mover: Side, view: Side, codes: Codes) -> Face {
        let lanes = |feature: Feature| {
            let seen = if view == Side::Blue { feature } else { layout.other_view(feature) };
            weights.lanes_of(layout, seen)
        };
        let cells = layout.shape().size() * layout.shape().size();
        // In the board's own frame blue is the row player, so `own` stands for blue.
        let own = mover == Side::Blue;
        let content = |window: usize, code: u16| match code {
            0 => Lanes::ZERO,
            _ if code == codes.dead() => Lanes::ZERO,
            _ => {
                let own = code < codes.win;
                let count = usize::from(if own { code } else { code - (codes.win - 1) });
                lanes(Feature::Live { window, own, count })
            }
        };
        let step = |window: usize, code: u16| {
            let mut step = content(window, codes.after(code, mover));
            step.sub(&content(window, code));
            step
        };
        let checkers = (0..cells).map(|cell| lanes(Feature::Checker { own, cell }));
        let threats = [!own, own].map(|own| (0..cells).map(move |cell| Feature::Threat { own, cell }));
        let windows = (0..layout.windows().len()).flat_map(|window| (0..codes.len() as u16).map(move |c| (window, c)));
        let steps = windows.map(|(window, code)| step(window, code));
        Face { lanes: checkers.chain(threats.into_iter().flatten().map(lanes)).chain(steps).collect(), cells }
    }

    /// Where the steps of a window begin.
    fn steps_of(window: usize, cells: usize, codes: Codes) -> usize {
        3 * cells + window * codes.len()
    }
}

/// The exclusive-or of a window's cells.
fn name(cells: &[u16]) -> u16 {
    cells.iter().fold(0, |name, cell| name ^ cell)
}

impl Tables {
    /// The tables of a network; empty ones for features that do not follow the game.
    pub fn new(weights: &Weights, layout: &Layout) -> Tables {
        let codes = Codes { win: layout.shape().win() as u16 };
        let size = layout.shape().size();
        if layout.set() != FeatureSet::Lines {
            return Tables {
                faces: std::array::from_fn(|_| std::array::from_fn(|_| Face { lanes: Box::new([]), cells: 0 })),
                bias: Lanes::ZERO,
                through: Vec::new(),
                cells: Vec::new(),
                windows: Vec::new(),
                next: [[0; CODES]; 2],
                size,
                codes,
            };
        }
        let through = (0..size * size).map(|cell| {
            let holds = |i: &usize| layout.windows()[*i].cells.contains(&(cell as u16));
            let steps = |i| Face::steps_of(i, size * size, codes) as u16;
            let crossing = |i: usize| Crossing { window: i as u16, steps: steps(i) };
            (0..layout.windows().len()).filter(holds).map(crossing).collect()
        });
        Tables {
            faces: SIDES.map(|mover| SIDES.map(|view| Face::new(weights, layout, mover, view, codes))),
            bias: weights.bias_lanes(),
            through: through.collect(),
            cells: (0..size * size).map(|i| Cell { row: (i / size) as u8, col: (i % size) as u8 }).collect(),
            windows: layout.windows().iter().map(|window| name(&window.cells) << CODE_BITS).collect(),
            next: SIDES.map(|mover| {
                std::array::from_fn(|code| if code < codes.len() { codes.after(code as u16, mover) } else { 0 })
            }),
            size,
            codes,
        }
    }

    #[inline(always)]
    fn cell(&self, cell: Cell) -> usize {
        usize::from(cell.row) * self.size + usize::from(cell.col)
    }

    /// The sums of the empty board.
    fn start<B: Room>(&self) -> Sums<B> {
        let mut sums: Sums<B> = Sums { views: [self.bias; 2], odds: Odds::NONE, codes: B::BLANK };
        sums.codes.as_mut()[..self.windows.len()].copy_from_slice(&self.windows);
        sums
    }

    /// The sums of a position met out of the blue: its checkers placed one after another.
    pub fn sums<B: Room>(&self, board: &Board<B>) -> Sums<B> {
        let mut sums: Sums<B> = self.start();
        let mut threats = [B::default(); 2];
        for (cell, side) in board.checkers() {
            self.place(&mut sums, &mut threats, cell, side);
        }
        sums.odds = Odds::of(board, board.side().other());
        sums
    }

    /// Bring the sums of a position up to a move.
    pub fn play<B: Room>(&self, sums: &mut Sums<B>, board: &Board<B>, mv: Move) {
        let mover = board.side();
        let mut threats = SIDES.map(|side| board.threats_of(side));
        self.place(sums, &mut threats, board.move_cell(mv), mover);
        let empty = board.empty_cells() & !B::bit(usize::from(mv.0));
        sums.odds = Odds::with(board.lines(mover), threats[mover as usize], empty);
    }

    /// Put a checker down, and keep `threats` up with it.
    #[inline(always)]
    fn place<B: Room>(&self, sums: &mut Sums<B>, threats: &mut [B; 2], cell: Cell, mover: Side) {
        let place = self.cell(cell);
        let played = usize::from(cell.row) * B::STRIDE + usize::from(cell.col);
        let [blue, red] = &self.faces[mover as usize];
        let [mut in_blue, mut in_red] = sums.views;
        in_blue.add(blue.checker(place));
        in_red.add(red.checker(place));
        let [own, other] = [mover as usize, mover.other() as usize];
        if threats[other].has(played) {
            in_blue.sub(blue.other_threat(place));
            in_red.sub(red.other_threat(place));
            threats[other] = threats[other] & !B::bit(played);
        }
        if threats[own].has(played) {
            in_blue.sub(blue.own_threat(place));
            in_red.sub(red.own_threat(place));
            threats[own] = threats[own] & !B::bit(played);
        }
        let ripe = self.codes.alone(mover, self.codes.win - 2);
        let next = &self.next[mover as usize];
        let words = sums.codes.as_mut();
        for &crossing in &self.through[place] {
            let word = &mut words[usize::from(crossing.window)];
            let code = *word & CODE_MASK;
            let gaps = (*word >> CODE_BITS) ^ place as u16;
            in_blue.add(blue.step(crossing, code));
            in_red.add(red.step(crossing, code));
            *word = gaps << CODE_BITS | next[usize::from(code)];
            if code == ripe {
                let gap = usize::from(gaps);
                let bit = self.bit::<B>(gap);
                if !threats[own].has(bit) {
                    threats[own] = threats[own] | B::bit(bit);
                    in_blue.add(blue.own_threat(gap));
                    in_red.add(red.own_threat(gap));
                }
            }
        }
        sums.views = [in_blue, in_red];
    }

    #[inline(always)]
    fn bit<B: Bits>(&self, cell: usize) -> usize {
        let Cell { row, col } = self.cells[cell];
        usize::from(row) * B::STRIDE + usize::from(col)
    }

    /// The value of an undecided position.
    pub fn value<B: Room>(&self, network: &Network, sums: &Sums<B>, board: &Board<B>) -> Value {
        let value = Odds::of(board, board.side()).blend(network.output(&sums.views[board.side() as usize]));
        debug_assert_eq!(value, network.value_afresh(board));
        value
    }

    /// Get ready to evaluate what a checker makes of a position.
    #[inline]
    pub fn next_sums<'a, B: Room>(
        &'a self,
        network: &'a Network,
        sums: &'a Sums<B>,
        board: &'a Board<B>,
    ) -> NextSums<'a, B> {
        let mover = board.side();
        let view = mover.other();
        NextSums {
            tables: self,
            network,
            sums,
            board,
            face: &self.faces[mover as usize][view as usize],
            lanes: &sums.views[view as usize],
            threats: SIDES.map(|side| board.threats_of(side)),
            ripe: self.codes.alone(mover, self.codes.win - 2),
        }
    }
}

/// A position whose children are to be evaluated: each from its parent's sums, with nothing kept.
pub struct NextSums<'a, B: Room> {
    tables: &'a Tables,
    network: &'a Network,
    sums: &'a Sums<B>,
    board: &'a Board<B>,
    /// The mover's checkers, seen by its opponent, who is to move next.
    face: &'a Face,
    lanes: &'a Lanes,
    threats: [B; 2],
    ripe: u16,
}

impl<B: Room> NextSums<'_, B> {
    /// The value, in the view of the mover, of the undecided position after `mv`.
    pub fn value_after(&self, mv: Move) -> Value {
        let NextSums { tables, face, board, .. } = *self;
        let (mover, them) = (board.side(), board.side().other());
        let (cell, played) = (board.move_cell(mv), usize::from(mv.0));
        let place = tables.cell(cell);
        let words = self.sums.codes.as_ref();
        let mut lanes = *self.lanes;
        lanes.add(face.checker(place));
        if self.threats[them as usize].has(played) {
            lanes.sub(face.other_threat(place));
        }
        let mut known = self.threats[mover as usize];
        for &crossing in &tables.through[place] {
            let word = words[usize::from(crossing.window)];
            let code = word & CODE_MASK;
            lanes.add(face.step(crossing, code));
            if code == self.ripe {
                let gap = usize::from((word >> CODE_BITS) ^ place as u16);
                let bit = tables.bit::<B>(gap);
                if !known.has(bit) {
                    known = known | B::bit(bit);
                    lanes.add(face.own_threat(gap));
                }
            }
        }
        let odds = self.sums.odds.after(board, them, played);
        let value = -odds.blend(self.network.output(&lanes));
        debug_assert_eq!(-value, self.network.value_afresh(&crate::game::Game::after(board, mv).0));
        value
    }
}
