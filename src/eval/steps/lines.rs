//! A whole line at once, where lines are short.
//!
//! Every line carries the number of its content in base 3. A cell lies in at most four lines, one a direction. What a
//! checker there changes in all the windows of one of them, and the threats that it makes in it, is one vector, found by
//! the line's content; contents that look the same through the windows that hold the cell share a vector.

use super::{Codes, Faces, Steps, Windows, faces, windows};
use crate::eval::features::{DIRECTIONS, Layout};
use crate::eval::incremental::Tables;
use crate::eval::network::Lanes;
use crate::game::dice::{Bits, Shape, Side};

/// More lines than a board has, and a power of 2.
const ROOM: usize = 32;
/// A line that is not there, and always empty.
const NOWHERE: usize = ROOM - 1;
/// More bits than a board has, and a power of 2.
const BITS: usize = u32::BITS as usize;

// 5/3 has the most of these: 1621 contents of places in lines, 2057 steps. Powers of 2 need no check of bounds.
const CONTENTS: usize = 2048;
const STEPS: usize = 4096;

/// A cell as part of its lines, by direction. The empty line that is not there, the first of the kinds and the first of
/// the steps stand for one that the cell has not.
#[derive(Clone, Copy)]
struct Crossing {
    lines: [u8; DIRECTIONS.len()],
    /// What a checker of the mover adds to the number of the line's content.
    weights: [u8; DIRECTIONS.len()],
    /// Where in `kinds` the list for this place in a line begins.
    kinds: [u16; DIRECTIONS.len()],
    /// Where the steps begin.
    steps: [u16; DIRECTIONS.len()],
}

impl Crossing {
    const NONE: Crossing = Crossing { lines: [NOWHERE as u8; _], weights: [0; _], kinds: [0; _], steps: [0; _] };
}

/// What the checkers of one side change in the sums of one view, with all that finding it takes: the last three are the
/// same in both views, but kept together with what they lead to.
pub struct Face {
    /// By crossing and kind. The checker itself goes with its row.
    steps: Box<[Lanes; STEPS]>,
    /// By bit: the opponent's threat that the checker ends.
    other_threats: [Lanes; BITS],
    /// By bit: the threat of its own side that it makes.
    own_threats: [Lanes; BITS],
    /// By bit.
    crossings: [Crossing; BITS],
    /// By place in a line and content: which of the steps.
    kinds: Box<[u8; CONTENTS]>,
    /// As the steps: the cells that become threats.
    made: Box<[u32; STEPS]>,
}

/// Steps by lines.
pub struct Lines {
    faces: Faces<Face>,
}

/// The cells of every line of a shape that is long enough to win in, and its direction.
fn lines_of(shape: Shape) -> Vec<(usize, Vec<u16>)> {
    let size = shape.size() as isize;
    let inside = |row: isize, col: isize| (0..size).contains(&row) && (0..size).contains(&col);
    let mut lines = Vec::new();
    for (direction, (down, right)) in DIRECTIONS.into_iter().enumerate() {
        for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
            if inside(row - down, col - right) {
                continue;
            }
            let along = (0..).map(|i| (row + down * i, col + right * i)).take_while(|&(row, col)| inside(row, col));
            let cells: Vec<u16> = along.map(|(row, col)| (row * size + col) as u16).collect();
            if cells.len() >= shape.win() {
                lines.push((direction, cells));
            }
        }
    }
    lines
}

/// A place in a line of some length, and a mover.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    length: usize,
    at: usize,
    mover: Side,
}

/// What a checker on an empty place finds in the windows of the line that hold the place.
#[derive(Clone, PartialEq, Eq)]
struct Finding {
    /// Where each window begins, and its code.
    windows: Vec<(usize, u16)>,
    /// The places that become threats.
    made: Vec<usize>,
}

/// The `at`-th digit of a number in base 3: 0 for an empty place, 1 for blue, 2 for red.
fn digit(content: usize, at: usize) -> usize {
    content / 3_usize.pow(at as u32) % 3
}

impl Place {
    fn find(self, codes: Codes, content: usize) -> Finding {
        let win = usize::from(codes.win);
        let mut finding = Finding { windows: Vec::new(), made: Vec::new() };
        for begin in (self.at + 1).saturating_sub(win)..=self.at.min(self.length - win) {
            let window = begin..begin + win;
            let count = |digits| window.clone().filter(|&at| digit(content, at) == digits).count() as u16;
            let code = match [count(1), count(2)] {
                [blue, 0] => codes.alone(Side::Blue, blue),
                [0, red] => codes.alone(Side::Red, red),
                _ => codes.dead(),
            };
            finding.windows.push((begin, code));
            if code == codes.ripe(self.mover) {
                let gap = window.clone().find(|&at| at != self.at && digit(content, at) == 0);
                finding.made.extend(gap.filter(|gap| !finding.made.contains(gap)));
            }
        }
        finding
    }

    /// What there is to find, and which of it each content shows.
    fn kinds(self, codes: Codes) -> (Vec<Finding>, Vec<u8>) {
        let mut findings: Vec<Finding> = Vec::new();
        let mut kinds = Vec::new();
        for content in 0..3_usize.pow(self.length as u32) {
            if digit(content, self.at) != 0 {
                kinds.push(0);
                continue;
            }
            let finding = self.find(codes, content);
            let known = findings.iter().position(|other| *other == finding);
            kinds.push(known.unwrap_or(findings.len()) as u8);
            if known.is_none() {
                findings.push(finding);
            }
        }
        (findings, kinds)
    }
}

impl Lines {
    /// Whether lines of this shape are short enough.
    pub fn fit(shape: Shape) -> bool {
        shape.size() <= <u32 as Bits>::MAX_SIZE
    }

    /// The steps of a network, from those by windows.
    pub fn new(layout: &Layout, windows: &Windows) -> Lines {
        Lines { faces: faces(|mover, view| Face::new(layout, windows.face_of(mover, view), mover)) }
    }
}

impl Face {
    fn new(layout: &Layout, source: &windows::Face, mover: Side) -> Face {
        let codes = Codes::of(layout);
        let size = layout.shape().size();
        let bit = |cell: u16| usize::from(cell) / size * u32::STRIDE + usize::from(cell) % size;
        let mut crossings = [Crossing::NONE; BITS];
        let (mut steps, mut made, mut all_kinds) = (vec![Lanes::ZERO], vec![0], vec![0]);
        let mut places: Vec<(Place, Vec<Finding>, u16)> = Vec::new();
        for (line, (direction, cells)) in lines_of(layout.shape()).into_iter().enumerate() {
            for (at, &cell) in cells.iter().enumerate() {
                let place = Place { length: cells.len(), at, mover };
                if !places.iter().any(|(known, ..)| *known == place) {
                    let (findings, kinds) = place.kinds(codes);
                    places.push((place, findings, all_kinds.len() as u16));
                    all_kinds.extend(kinds);
                }
                let (_, findings, kinds) = places.iter().find(|(known, ..)| *known == place).expect("just made");
                let crossing = &mut crossings[bit(cell)];
                crossing.lines[direction] = line as u8;
                crossing.weights[direction] = ((1 + mover as usize) * 3_usize.pow(at as u32)) as u8;
                crossing.kinds[direction] = *kinds;
                crossing.steps[direction] = steps.len() as u16;
                for finding in findings {
                    made.push(finding.made.iter().fold(0, |made, &at| made | 1 << bit(cells[at])));
                    let mut step = if direction == 0 { *source.checker(cell.into()) } else { Lanes::ZERO };
                    for &(begin, code) in &finding.windows {
                        let window = layout.window(&cells[begin..begin + layout.shape().win()]);
                        step.add(source.step_in(window, code));
                    }
                    for &gap in &finding.made {
                        step.add(source.own_threat(cells[gap].into()));
                    }
                    steps.push(step);
                }
            }
        }
        let mut threats = [[Lanes::ZERO; BITS]; 2];
        for cell in 0..(size * size) as u16 {
            threats[0][bit(cell)] = *source.other_threat(cell.into());
            threats[1][bit(cell)] = *source.own_threat(cell.into());
        }
        let [other_threats, own_threats] = threats;
        Face {
            steps: filled(steps, Lanes::ZERO),
            other_threats,
            own_threats,
            crossings,
            kinds: filled(all_kinds, 0),
            made: filled(made, 0),
        }
    }
}

/// A list made as long as it may be.
fn filled<T: Copy, const N: usize>(mut list: Vec<T>, blank: T) -> Box<[T; N]> {
    assert!(list.len() <= N);
    list.resize(N, blank);
    list.into_boxed_slice().try_into().ok().expect("as long as that")
}

impl Steps<u32> for Lines {
    /// The number of each line's content.
    type Marks = [u8; ROOM];
    const BLANK: [u8; ROOM] = [0; ROOM];
    type Face = Face;

    #[inline(always)]
    fn of(tables: &Tables) -> &Lines {
        tables.lines.as_ref().expect("a network that keeps sums on short lines")
    }

    fn start(&self) -> [u8; ROOM] {
        [0; ROOM]
    }

    #[inline(always)]
    fn face(&self, mover: Side, view: Side) -> &Face {
        &self.faces[mover as usize][view as usize]
    }

    #[inline(always)]
    fn add(&self, face: &Face, sums: &mut Lanes, contents: &[u8; ROOM], [own, other]: [u32; 2], bit: usize) -> u32 {
        let crossing = &face.crossings[bit % BITS];
        let steps: [usize; DIRECTIONS.len()] = std::array::from_fn(|direction| {
            let content = contents[usize::from(crossing.lines[direction]) % ROOM];
            let kind = face.kinds[(usize::from(crossing.kinds[direction]) + usize::from(content)) % CONTENTS];
            (usize::from(crossing.steps[direction]) + usize::from(kind)) % STEPS
        });
        for step in steps {
            sums.add(&face.steps[step]);
        }
        if other.has(bit) {
            sums.sub(&face.other_threats[bit % BITS]);
        }
        let made = steps.iter().fold(0, |made, &step| made | face.made[step]);
        if own != 0 {
            for known in (made & own).iter() {
                sums.sub(&face.own_threats[known % BITS]);
            }
        }
        own | made
    }

    #[inline(always)]
    fn mark(&self, contents: &mut [u8; ROOM], mover: Side, bit: usize) {
        let crossing = &self.face(mover, mover).crossings[bit % BITS];
        for (line, weight) in crossing.lines.into_iter().zip(crossing.weights) {
            contents[usize::from(line) % ROOM] += weight;
        }
    }
}
