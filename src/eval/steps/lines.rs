//! A whole line at once, where lines are short.
//!
//! Every line carries the number of its content in base 3. A cell lies in at most four lines, one a direction. What a
//! checker there changes in all the windows of one of them, and the threats that it makes in it, is one vector, found by
//! the line's content; contents that look the same through the windows that hold the cell share a vector.
//!
//! A quarter of the board stands for all of it: what a checker changes elsewhere is the same on a mirror image. And the
//! view of the column player is that of the row player on a transposed board with the colours exchanged. So the vectors
//! are few enough to stay near the processor.

use super::{Change, Codes, Faces, SIDES, Steps, Windows, faces, windows};
use crate::eval::features::{DIRECTIONS, Layout};
use crate::eval::incremental::Tables;
use crate::eval::lanes::Lanes;
use crate::game::dice::{Bits, Shape, Side};
use std::collections::HashMap;

/// More lines than a board has, and a power of 2.
const ROOM: usize = 32;
/// A line that is not there, and always empty.
const NOWHERE: usize = ROOM - 1;
/// More bits than a board has, and a power of 2.
const BITS: usize = u32::BITS as usize;

// 5/3 has the most of these. Powers of 2 need no check of bounds.
const CONTENTS: usize = 2048;
const STEPS: usize = 2048;
const FINDINGS: usize = 4096;

/// By direction. The line that is not there, and the first of each list, stand for one that a cell has not.
type Directed<T> = [T; DIRECTIONS.len()];

/// A cell as part of its lines.
#[derive(Clone, Copy)]
struct Crossing {
    lines: Directed<u8>,
    /// What a checker of the mover adds to the number of the line's content.
    weights: Directed<u8>,
    /// Where in `kinds` the list for this place in a line begins.
    kinds: Directed<u16>,
    /// Where in `made` the list for this place begins.
    made: Directed<u16>,
}

/// What is found of a checker of one side before it is put down, the same in both views.
struct Finder {
    /// By bit.
    crossings: [Crossing; BITS],
    /// By place in a line and content: which of the steps.
    kinds: Box<[u8; CONTENTS]>,
}

/// What the checkers of one side change in the sums of one view.
struct Face {
    /// By bit and direction: where the steps begin.
    starts: [Directed<u16>; BITS],
    /// By bit: the image in which the cell lies in the quarter that there are steps for.
    frames: [u8; BITS],
    /// By bit, and on that image: the opponent's threat that the checker ends.
    other_threats: [Lanes; BITS],
    /// By bit: the threat of its own side that it makes.
    own_threats: [Lanes; BITS],
}

/// Steps by lines.
pub struct Lines {
    /// By mover.
    finders: [Finder; 2],
    faces: Box<Faces<Face>>,
    /// By whether the view is the mover's own, then by start and kind. The checker itself goes with the view's row.
    steps: [Box<[Lanes; STEPS]>; 2],
    /// By place and kind: the cells that become threats.
    made: Box<[u32; FINDINGS]>,
}

/// A line that is long enough to win in.
struct Line {
    direction: usize,
    cells: Vec<u16>,
}

/// Those of a shape.
fn lines_of(shape: Shape) -> Vec<Line> {
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
                lines.push(Line { direction, cells });
            }
        }
    }
    lines
}

/// A place in a line of some length.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    length: usize,
    at: usize,
}

/// What a checker on an empty place finds in the windows of the line that hold the place.
#[derive(Clone, PartialEq, Eq)]
struct Finding {
    /// Where each window begins, and its code, if the mover is blue.
    windows: Vec<(usize, u16)>,
    /// The places that become threats.
    made: Vec<usize>,
}

/// The `at`-th digit of a number in base 3: 0 for an empty place, 1 for blue, 2 for red.
fn digit(content: usize, at: usize) -> usize {
    content / 3_usize.pow(at as u32) % 3
}

impl Place {
    /// From the end that it is nearer to.
    fn folded(self) -> Place {
        if self.is_far() { self.flipped() } else { self }
    }

    fn is_far(self) -> bool {
        2 * self.at >= self.length
    }

    fn flipped(self) -> Place {
        Place { at: self.length - 1 - self.at, ..self }
    }

    /// What blue finds.
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
            if code == codes.ripe(Side::Blue) {
                let gap = window.clone().find(|&at| at != self.at && digit(content, at) == 0);
                finding.made.extend(gap.filter(|gap| !finding.made.contains(gap)));
            }
        }
        finding
    }

    /// All that there is to find, and which of it each content shows; any where the place is taken.
    fn look_up(self, codes: Codes) -> Findings {
        let mut found = Findings { all: Vec::new(), kinds: Vec::new() };
        for content in 0..3_usize.pow(self.length as u32) {
            if digit(content, self.at) != 0 {
                found.kinds.push(0);
                continue;
            }
            let finding = self.find(codes, content);
            let known = found.all.iter().position(|other| *other == finding);
            found.kinds.push(known.unwrap_or(found.all.len()) as u8);
            if known.is_none() {
                found.all.push(finding);
            }
        }
        found
    }
}

/// What there is to find at a place.
struct Findings {
    /// By kind.
    all: Vec<Finding>,
    /// By content.
    kinds: Vec<u8>,
}

/// What a shape has to find, by folded place.
struct Catalogue {
    codes: Codes,
    findings: HashMap<Place, Findings>,
}

impl Catalogue {
    fn new(codes: Codes, lines: &[Line]) -> Catalogue {
        let places = lines.iter().flat_map(|line| (0..line.cells.len()).map(|at| line.place(at).folded()));
        let mut findings = HashMap::new();
        for place in places {
            findings.entry(place).or_insert_with(|| place.look_up(codes));
        }
        Catalogue { codes, findings }
    }

    fn at(&self, place: Place) -> &Findings {
        &self.findings[&place.folded()]
    }
}

/// The number of a line's content from the other end if `flipped`, with the colours exchanged if `swapped`.
fn reread(content: usize, length: usize, flipped: bool, swapped: bool) -> usize {
    (0..length).rev().fold(0, |read, at| {
        let seen = digit(content, if flipped { length - 1 - at } else { at });
        3 * read + if swapped { (3 - seen) % 3 } else { seen }
    })
}

impl Line {
    fn place(&self, at: usize) -> Place {
        Place { length: self.cells.len(), at }
    }

    /// The cell at a place, from the other end if `flipped`.
    fn cell(&self, at: usize, flipped: bool) -> u16 {
        self.cells[if flipped { self.cells.len() - 1 - at } else { at }]
    }
}

/// A list made as long as it may be.
fn filled<T: Copy, const N: usize>(mut list: Vec<T>, blank: T) -> Box<[T; N]> {
    assert!(list.len() <= N);
    list.resize(N, blank);
    list.into_boxed_slice().try_into().ok().expect("as long as that")
}

/// The bit of a cell.
fn bit(size: usize, cell: u16) -> usize {
    usize::from(cell) / size * u32::STRIDE + usize::from(cell) % size
}

/// The board as a view sees it from one cell: the view is the row player and its checkers are blue, and the cell lies in
/// the first quarter.
#[derive(Clone, Copy)]
struct Angle<'a> {
    layout: &'a Layout,
    view: Side,
    /// The image of the view's own board that this is.
    frame: usize,
}

impl<'a> Angle<'a> {
    fn new(layout: &'a Layout, view: Side, cell: u16) -> Angle<'a> {
        let size = layout.shape().size();
        let upright = Angle { layout, view, frame: 0 };
        let place = usize::from(upright.sees(cell));
        let far = |at: usize| usize::from(2 * at >= size);
        Angle { frame: far(place % size) | far(place / size) << 1, ..upright }
    }

    /// Where it sees a cell.
    fn sees(self, cell: u16) -> u16 {
        let turned = if self.view == Side::Blue { cell.into() } else { self.layout.cell_turned(cell.into()) };
        self.layout.cell_image(turned, self.frame) as u16
    }

    /// Which of `lines` it sees in the place of a line, and whether from the other end.
    fn sees_line<'l>(self, lines: &'l [Line], line: &Line) -> (&'l Line, bool) {
        let ends = |line: &Line| [line.cell(0, false), line.cell(0, true)];
        let [first, last] = ends(line).map(|cell| self.sees(cell));
        let seen = lines.iter().find(|line| [[first, last], [last, first]].contains(&ends(line)));
        let seen = seen.expect("lines are seen as lines");
        (seen, seen.cells[0] != first)
    }
}

/// What checkers change in blue's view, for those cells of the first quarter and those directions that were asked for.
struct Quarter<'a> {
    layout: &'a Layout,
    catalogue: &'a Catalogue,
    source: &'a windows::Face,
    mover: Side,
    steps: Vec<Lanes>,
    /// By cell, direction and end from which kinds are counted.
    starts: HashMap<(u16, usize, bool), u16>,
}

impl<'a> Quarter<'a> {
    fn new(layout: &'a Layout, catalogue: &'a Catalogue, windows: &'a Windows, mover: Side) -> Quarter<'a> {
        let source = windows.face_of(mover, Side::Blue);
        Quarter { layout, catalogue, source, mover, steps: vec![Lanes::ZERO], starts: HashMap::new() }
    }

    /// Where the steps begin for a checker at a place of a line, counted from the other end if `flipped`.
    fn start(&mut self, line: &Line, at: usize, flipped: bool) -> u16 {
        let cell = line.cells[at];
        let key = (cell, line.direction, flipped);
        if let Some(&start) = self.starts.get(&key) {
            return start;
        }
        let start = self.steps.len() as u16;
        self.starts.insert(key, start);
        let win = self.layout.shape().win();
        for finding in &self.catalogue.at(line.place(at)).all {
            let mut step = if line.direction == 0 { *self.source.checker(cell.into()) } else { Lanes::ZERO };
            for &(begin, code) in &finding.windows {
                let ends = [begin, begin + win - 1].map(|at| line.cell(at, flipped));
                let code = if self.mover == Side::Blue { code } else { self.catalogue.codes.swapped(code) };
                step.add(self.source.step_in(self.layout.window(&ends), code));
            }
            for &gap in &finding.made {
                step.add(self.source.own_threat(line.cell(gap, flipped).into()));
            }
            self.steps.push(step);
        }
        start
    }
}

impl Finder {
    /// That of a mover; `made` is where, line by line and place by place, the lists of threats begin.
    fn new(lines: &[Line], catalogue: &Catalogue, size: usize, mover: Side, made: &[u16]) -> Finder {
        let nowhere = Crossing { lines: [NOWHERE as u8; _], weights: [0; _], kinds: [0; _], made: [0; _] };
        let mut crossings = [nowhere; BITS];
        let mut starts: HashMap<Place, u16> = HashMap::new();
        let mut kinds = vec![0];
        let places = lines.iter().enumerate().flat_map(|(i, line)| (0..line.cells.len()).map(move |at| (i, line, at)));
        for ((number, line, at), &made) in places.zip(made) {
            let place = line.place(at);
            let start = *starts.entry(place).or_insert_with(|| {
                let start = kinds.len() as u16;
                let found = &catalogue.at(place).kinds;
                let read = |content| reread(content, place.length, place.is_far(), mover == Side::Red);
                kinds.extend((0..found.len()).map(|content| found[read(content)]));
                start
            });
            let crossing = &mut crossings[bit(size, line.cells[at])];
            crossing.lines[line.direction] = number as u8;
            crossing.weights[line.direction] = ((1 + mover as usize) * 3_usize.pow(at as u32)) as u8;
            crossing.kinds[line.direction] = start;
            crossing.made[line.direction] = made;
        }
        Finder { crossings, kinds: filled(kinds, 0) }
    }
}

impl Lines {
    /// Whether lines of this shape are short enough.
    pub fn fit(shape: Shape) -> bool {
        shape.size() <= <u32 as Bits>::MAX_SIZE
    }

    /// The steps of a network, from those by windows.
    pub fn new(layout: &Layout, windows: &Windows) -> Lines {
        let size = layout.shape().size();
        let lines = lines_of(layout.shape());
        let catalogue = Catalogue::new(Codes::of(layout), &lines);
        let (mut made, mut made_starts) = (vec![0], Vec::new());
        for line in &lines {
            for place in (0..line.cells.len()).map(|at| line.place(at)) {
                made_starts.push(made.len() as u16);
                let cells = |finding: &Finding| {
                    let gaps = finding.made.iter().map(|&at| bit(size, line.cell(at, place.is_far())));
                    gaps.fold(0, |cells, gap| cells | 1 << gap)
                };
                made.extend(catalogue.at(place).all.iter().map(cells));
            }
        }
        let mut quarters = SIDES.map(|mover| Quarter::new(layout, &catalogue, windows, mover));
        let faces = faces(|mover, view| {
            Face::new(&lines, windows.face_of(mover, view), view, &mut quarters[quarter_of(mover, view)])
        });
        Lines {
            finders: SIDES.map(|mover| Finder::new(&lines, &catalogue, size, mover, &made_starts)),
            faces: Box::new(faces),
            steps: quarters.map(|quarter| filled(quarter.steps, Lanes::ZERO)),
            made: filled(made, 0),
        }
    }
}

/// Which of two quarters has the steps: to a view its own checkers are blue.
#[inline(always)]
fn quarter_of(mover: Side, view: Side) -> usize {
    usize::from(mover != view)
}

impl Face {
    fn new(lines: &[Line], source: &windows::Face, view: Side, quarter: &mut Quarter<'_>) -> Face {
        let layout = quarter.layout;
        let size = layout.shape().size();
        let mut starts = [[0; _]; BITS];
        for line in lines {
            for (at, &cell) in line.cells.iter().enumerate() {
                let place = line.place(at);
                let (seen, reversed) = Angle::new(layout, view, cell).sees_line(lines, line);
                let seen_at = if reversed { place.flipped().at } else { at };
                starts[bit(size, cell)][line.direction] = quarter.start(seen, seen_at, place.is_far() != reversed);
            }
        }
        let mut face = Face { starts, frames: [0; _], other_threats: [Lanes::ZERO; _], own_threats: [Lanes::ZERO; _] };
        for cell in 0..(size * size) as u16 {
            let frame = Angle::new(layout, view, cell).frame;
            face.frames[bit(size, cell)] = frame as u8;
            face.other_threats[bit(size, cell)] = source.other_threat(cell.into()).reframed(frame);
            face.own_threats[bit(size, cell)] = *source.own_threat(cell.into());
        }
        face
    }
}

impl Steps<u32> for Lines {
    /// The number of each line's content.
    type Marks = [u8; ROOM];
    const BLANK: [u8; ROOM] = [0; ROOM];

    #[inline(always)]
    fn of(tables: &Tables) -> &Lines {
        tables.lines.as_ref().expect("a network that keeps sums on short lines")
    }

    fn start(&self) -> [u8; ROOM] {
        [0; ROOM]
    }

    #[inline(always)]
    fn change(&self, mover: Side, view: Side, contents: &[u8; ROOM], threats: [u32; 2], bit: usize) -> Change<u32> {
        let [own, other] = threats;
        let bit = bit % BITS;
        let finder = &self.finders[mover as usize];
        let face = &self.faces[mover as usize][view as usize];
        let steps = &self.steps[quarter_of(mover, view)];
        let crossing = &finder.crossings[bit];
        let kinds: Directed<usize> = std::array::from_fn(|direction| {
            let content = contents[usize::from(crossing.lines[direction]) % ROOM];
            finder.kinds[(usize::from(crossing.kinds[direction]) + usize::from(content)) % CONTENTS].into()
        });
        let mut lanes = Lanes::ZERO;
        for (start, kind) in face.starts[bit].into_iter().zip(kinds) {
            lanes.add(&steps[(usize::from(start) + kind) % STEPS]);
        }
        if other.has(bit) {
            lanes.sub(&face.other_threats[bit]);
        }
        let frame = usize::from(face.frames[bit]);
        let made = crossing.made.into_iter().zip(kinds);
        let made = made.fold(0, |made, (list, kind)| made | self.made[(usize::from(list) + kind) % FINDINGS]);
        if own != 0 {
            for known in (made & own).iter() {
                lanes.sub(&face.own_threats[known % BITS].reframed(frame));
            }
        }
        Change { lanes, frame, threats: own | made }
    }

    #[inline(always)]
    fn mark(&self, contents: &mut [u8; ROOM], mover: Side, bit: usize) {
        let crossing = &self.finders[mover as usize].crossings[bit % BITS];
        for (line, weight) in crossing.lines.into_iter().zip(crossing.weights) {
            contents[usize::from(line) % ROOM] += weight;
        }
    }
}
