//! Hidden sums that follow the game: a checker changes only the windows through its cell.
//!
//! Every window carries a code: empty, so many of blue's alone, so many of red's alone, or dead. For each window, code
//! and mover there is one vector, the difference between the weights after and before; a checker adds those of its
//! windows and its own. Sums are kept for both views, blue to move and red to move, since either may be asked for next.
//! Each window also carries the exclusive-or of its empty cells' numbers: when one cell is left, that is its name, and
//! so a new threat costs no search.

use super::features::{Feature, FeatureSet, Layout};
use super::network::{Lanes, Network, Weights};
use super::odds::Odds;
use crate::game::dice::{Bits, Board, Cell, Side, Wide, Width};
use crate::game::{Move, Value};

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

/// What is known of a position: the hidden sums in both views, and the windows.
#[derive(Clone, Copy)]
pub struct Sums<B: Room> {
    views: [Lanes; 2],
    codes: B::Codes,
}

impl<B: Room> Sums<B> {
    /// Sums of no network, for evaluations that keep none.
    pub const BLANK: Sums<B> = Sums { views: [Lanes::ZERO; 2], codes: B::BLANK };
}

/// The weights as one view sees them, on the board as it lies.
struct View {
    /// `checkers[side][cell]`.
    checkers: [Vec<Lanes>; 2],
    /// `threats[side][cell]`.
    threats: [Vec<Lanes>; 2],
    /// `steps[mover][window * codes + code]`: what a checker of the mover changes there.
    steps: [Vec<Lanes>; 2],
}

/// A network's weights laid out for the updates.
pub struct Tables {
    views: [View; 2],
    bias: Lanes,
    /// The windows through each cell.
    through: Vec<Box<[u16]>>,
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

impl View {
    const EMPTY: View = View {
        checkers: [const { Vec::new() }; 2],
        threats: [const { Vec::new() }; 2],
        steps: [const { Vec::new() }; 2],
    };

    /// `side_to_move` is the view; the other's is the network's own layout with sides and axes exchanged.
    fn new(weights: &Weights, layout: &Layout, side_to_move: Side, codes: Codes) -> View {
        let lanes = |feature: Feature| {
            let seen = if side_to_move == Side::Blue { feature } else { layout.other_view(feature) };
            weights.lanes_of(layout, seen)
        };
        let cells = layout.shape().size() * layout.shape().size();
        let sides = [Side::Blue, Side::Red];
        // In the board's own frame blue is the row player, so `own` stands for blue.
        let blue = |side: Side| side == Side::Blue;
        let checkers =
            sides.map(|side| (0..cells).map(|cell| lanes(Feature::Checker { own: blue(side), cell })).collect());
        let threats =
            sides.map(|side| (0..cells).map(|cell| lanes(Feature::Threat { own: blue(side), cell })).collect());
        let content = |window: usize, code: u16| match code {
            0 => Lanes::ZERO,
            _ if code == codes.dead() => Lanes::ZERO,
            _ => {
                let own = code < codes.win;
                let count = usize::from(if own { code } else { code - (codes.win - 1) });
                lanes(Feature::Live { window, own, count })
            }
        };
        let steps = sides.map(|mover| {
            let mut steps = Vec::with_capacity(layout.windows().len() * codes.len());
            for window in 0..layout.windows().len() {
                for code in 0..codes.len() as u16 {
                    let mut step = content(window, codes.after(code, mover));
                    step.sub(&content(window, code));
                    steps.push(step);
                }
            }
            steps
        });
        View { checkers, threats, steps }
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
                views: [const { View::EMPTY }; 2],
                bias: Lanes::ZERO,
                through: Vec::new(),
                windows: Vec::new(),
                next: [[0; CODES]; 2],
                size,
                codes,
            };
        }
        let through = (0..size * size).map(|cell| {
            let holds = |i: &usize| layout.windows()[*i].cells.contains(&(cell as u16));
            (0..layout.windows().len()).filter(holds).map(|i| i as u16).collect()
        });
        Tables {
            views: [Side::Blue, Side::Red].map(|side| View::new(weights, layout, side, codes)),
            bias: weights.bias_lanes(),
            through: through.collect(),
            windows: layout.windows().iter().map(|window| name(&window.cells) << CODE_BITS).collect(),
            next: [Side::Blue, Side::Red].map(|mover| {
                std::array::from_fn(|code| if code < codes.len() { codes.after(code as u16, mover) } else { 0 })
            }),
            size,
            codes,
        }
    }

    fn cell(&self, cell: Cell) -> usize {
        usize::from(cell.row) * self.size + usize::from(cell.col)
    }

    /// The sums of the empty board.
    fn start<B: Room>(&self) -> Sums<B> {
        let mut sums: Sums<B> = Sums { views: [self.bias; 2], codes: B::BLANK };
        sums.codes.as_mut()[..self.windows.len()].copy_from_slice(&self.windows);
        sums
    }

    /// The sums of a position met out of the blue: its checkers placed one after another.
    pub fn sums<B: Room>(&self, board: &Board<B>) -> Sums<B> {
        let mut sums: Sums<B> = self.start();
        let mut threats = [B::default(); 2];
        for (cell, side) in board.checkers() {
            self.place(&mut sums, threats, cell, side, |side, bit, on| {
                let with = threats[side as usize] ^ B::bit(bit);
                debug_assert_eq!(with.has(bit), on);
                threats[side as usize] = with;
            });
        }
        sums
    }

    /// The sums after a move.
    pub fn after<B: Room>(&self, sums: &Sums<B>, board: &Board<B>, mv: Move) -> Sums<B> {
        let mut next = *sums;
        let threats = [Side::Blue, Side::Red].map(|side| board.threats_of(side));
        self.place(&mut next, threats, board.move_cell(mv), board.side(), |_, _, _| {});
        next
    }

    /// Put a checker down. `threats` are those that stand; `told` hears of each that comes or goes.
    fn place<B: Room>(
        &self,
        sums: &mut Sums<B>,
        threats: [B; 2],
        cell: Cell,
        mover: Side,
        mut told: impl FnMut(Side, usize, bool),
    ) {
        let place = self.cell(cell);
        let played = usize::from(cell.row) * B::STRIDE + usize::from(cell.col);
        let [blue, red] = &self.views;
        let [mut in_blue, mut in_red] = sums.views;
        in_blue.add(&blue.checkers[mover as usize][place]);
        in_red.add(&red.checkers[mover as usize][place]);
        for side in [Side::Blue, Side::Red] {
            if threats[side as usize].has(played) {
                in_blue.sub(&blue.threats[side as usize][place]);
                in_red.sub(&red.threats[side as usize][place]);
                told(side, played, false);
            }
        }
        let mut known = threats[mover as usize];
        let ripe = self.codes.alone(mover, self.codes.win - 2);
        let next = &self.next[mover as usize];
        let words = sums.codes.as_mut();
        for &window in &self.through[place] {
            let word = &mut words[usize::from(window)];
            let code = *word & CODE_MASK;
            let gaps = (*word >> CODE_BITS) ^ place as u16;
            let step = usize::from(window) * self.codes.len() + usize::from(code);
            in_blue.add(&blue.steps[mover as usize][step]);
            in_red.add(&red.steps[mover as usize][step]);
            *word = gaps << CODE_BITS | next[usize::from(code)];
            let gap = usize::from(gaps);
            if code == ripe && !known.has(self.bit::<B>(gap)) {
                known = known | B::bit(self.bit::<B>(gap));
                in_blue.add(&blue.threats[mover as usize][gap]);
                in_red.add(&red.threats[mover as usize][gap]);
                told(mover, self.bit::<B>(gap), true);
            }
        }
        sums.views = [in_blue, in_red];
    }

    fn bit<B: Bits>(&self, cell: usize) -> usize {
        cell / self.size * B::STRIDE + cell % self.size
    }

    /// The value of an undecided position.
    pub fn value<B: Room>(&self, network: &Network, sums: &Sums<B>, board: &Board<B>) -> Value {
        let value = Odds::of(board, board.side()).blend(network.output(&sums.views[board.side() as usize]));
        debug_assert_eq!(value, network.value_afresh(board));
        value
    }

    /// The values, in the view of `board`, of the undecided positions after each of `moves`.
    pub fn children<B: Room>(
        &self,
        network: &Network,
        sums: &Sums<B>,
        board: &Board<B>,
        moves: &[Move],
        values: &mut [Value],
    ) {
        let mover = board.side();
        let them = mover.other();
        let view = &self.views[them as usize];
        let steps = &view.steps[mover as usize][..];
        let ripe = self.codes.alone(mover, self.codes.win - 2);
        let words = sums.codes.as_ref();
        let odds = Odds::of(board, them);
        let codes = self.codes.len();
        for (&mv, value) in moves.iter().zip(values) {
            let cell = board.move_cell(mv);
            let place = self.cell(cell);
            let played = usize::from(mv.0);
            let mut lanes = sums.views[them as usize];
            lanes.add(&view.checkers[mover as usize][place]);
            if board.threats_of(them).has(played) {
                lanes.sub(&view.threats[them as usize][place]);
            }
            let mut known = board.threats_of(mover);
            for &window in &self.through[place] {
                let word = words[usize::from(window)];
                let code = word & CODE_MASK;
                lanes.add(&steps[usize::from(window) * codes + usize::from(code)]);
                if code == ripe {
                    let gap = usize::from((word >> CODE_BITS) ^ place as u16);
                    let bit = self.bit::<B>(gap);
                    if !known.has(bit) {
                        known = known | B::bit(bit);
                        lanes.add(&view.threats[mover as usize][gap]);
                    }
                }
            }
            let line = usize::from(if them == Side::Blue { cell.row } else { cell.col });
            *value = -odds.after(board, them, line, played).blend(network.output(&lanes));
            debug_assert_eq!(-*value, network.value_afresh(&crate::game::Game::after(board, mv).0));
        }
    }
}
