//! A whole line at once, where lines are short.
//!
//! Every line carries the number of its content in base 3. A cell lies in at most four lines, one a direction. What a
//! checker there changes in all the segments of one of them, and the threats that it makes in it, is one vector, found by
//! the line's content; contents that look the same through the segments that hold the cell share a vector.
//!
//! A quarter of the board stands for all of it: what a checker changes elsewhere is the same on a mirror image. And the
//! view of the column player is that of the row player on a transposed board with the colours exchanged. So the vectors
//! are few enough to stay near the processor.

mod patterns;
mod quarter;

use super::{ByPerspective, Change, Codes, SIDES, Segments, Updates, by_perspective};
use crate::eval::dice::accumulator::Tables;
use crate::eval::dice::features::{DIRECTIONS, Layout};
use crate::eval::dice::lanes::Lanes;
use crate::game::dice::{Bits, Shape, Side};
use patterns::{Catalogue, Line, Pattern, Place, lines_of, reread};
use quarter::{Angle, Quarter};
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
const PATTERNS: usize = 4096;

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

/// What the checkers of one side change in the accumulator of one view.
struct Perspective {
    /// By bit and direction: where the steps begin.
    starts: [Directed<u16>; BITS],
    /// By bit: the image in which the cell lies in the quarter that there are steps for.
    frames: [u8; BITS],
    /// By bit, and on that image: the opponent's threat that the checker ends.
    other_threats: [Lanes; BITS],
    /// By bit: the threat of its own side that it makes.
    own_threats: [Lanes; BITS],
}

/// Updates by lines.
pub struct Lines {
    /// By mover.
    finders: [Finder; 2],
    perspectives: Box<ByPerspective<Perspective>>,
    /// In the mover's own view and in the other, by start and kind. The checker itself goes with the view's row.
    steps: [Box<[Lanes; STEPS]>; 2],
    /// By place and kind: the cells that become threats.
    made: Box<[u32; PATTERNS]>,
}

/// A list made as long as it may be.
fn filled<T: Copy, const N: usize>(mut list: Vec<T>, blank: T) -> Box<[T; N]> {
    assert!(list.len() <= N);
    list.resize(N, blank);
    list.into_boxed_slice().try_into().ok().expect("as long as that")
}

impl Finder {
    /// That of a mover; `made` is where, line by line and place by place, the lists of threats begin.
    fn new(lines: &[Line], catalogue: &Catalogue, segments: &Segments, mover: Side, made: &[u16]) -> Finder {
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
            let crossing = &mut crossings[segments.bit::<u32>(line.cells[at].into())];
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

    /// The steps of a network, from those by segments.
    pub fn new(layout: &Layout, segments: &Segments) -> Lines {
        let lines = lines_of(layout.shape());
        let catalogue = Catalogue::new(Codes::of(layout), &lines);
        let (mut made, mut made_starts) = (vec![0], Vec::new());
        for line in &lines {
            for place in (0..line.cells.len()).map(|at| line.place(at)) {
                made_starts.push(made.len() as u16);
                let cells = |pattern: &Pattern| {
                    let gaps = pattern.made.iter().map(|&at| segments.bit::<u32>(line.cell(at, place.is_far()).into()));
                    gaps.fold(0, |cells, gap| cells | 1 << gap)
                };
                made.extend(catalogue.at(place).all.iter().map(cells));
            }
        }
        let mut quarters = SIDES.map(|mover| Quarter::new(layout, &catalogue, segments, mover));
        let perspectives = by_perspective(|mover, view| {
            Perspective::new(&lines, segments, [mover, view], &mut quarters[quarter_of(mover, view)])
        });
        Lines {
            finders: SIDES.map(|mover| Finder::new(&lines, &catalogue, segments, mover, &made_starts)),
            perspectives: Box::new(perspectives),
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

impl Perspective {
    fn new(lines: &[Line], segments: &Segments, [mover, view]: [Side; 2], quarter: &mut Quarter<'_>) -> Perspective {
        let (layout, source) = (quarter.layout, segments.perspective_of(mover, view));
        let bit = |cell: u16| segments.bit::<u32>(cell.into());
        let size = layout.shape().size();
        let mut starts = [[0; _]; BITS];
        for line in lines {
            for (at, &cell) in line.cells.iter().enumerate() {
                let place = line.place(at);
                let (seen, reversed) = Angle::new(layout, view, cell).sees_line(lines, line);
                let seen_at = if reversed { place.flipped().at } else { at };
                starts[bit(cell)][line.direction] = quarter.start(seen, seen_at, place.is_far() != reversed);
            }
        }
        let mut perspective =
            Perspective { starts, frames: [0; _], other_threats: [Lanes::ZERO; _], own_threats: [Lanes::ZERO; _] };
        for cell in 0..(size * size) as u16 {
            let frame = Angle::new(layout, view, cell).frame;
            perspective.frames[bit(cell)] = frame as u8;
            perspective.other_threats[bit(cell)] = source.other_threat(cell.into()).reframed(frame);
            perspective.own_threats[bit(cell)] = *source.own_threat(cell.into());
        }
        perspective
    }
}

impl Updates<u32> for Lines {
    /// The number of each line's content.
    type Contents = [u8; ROOM];
    const BLANK: [u8; ROOM] = [0; ROOM];

    #[inline(always)]
    fn of(tables: &Tables) -> &Lines {
        tables.lines.as_ref().expect("a network that keeps accumulator on short lines")
    }

    fn start(&self) -> [u8; ROOM] {
        [0; ROOM]
    }

    #[inline(always)]
    fn change(&self, mover: Side, view: Side, contents: &[u8; ROOM], threats: [u32; 2], bit: usize) -> Change<u32> {
        let [own, other] = threats;
        let bit = bit % BITS;
        let finder = &self.finders[mover as usize];
        let perspective = &self.perspectives[mover as usize][view as usize];
        let steps = &self.steps[quarter_of(mover, view)];
        let crossing = &finder.crossings[bit];
        let kinds: Directed<usize> = std::array::from_fn(|direction| {
            let content = contents[usize::from(crossing.lines[direction]) % ROOM];
            finder.kinds[(usize::from(crossing.kinds[direction]) + usize::from(content)) % CONTENTS].into()
        });
        let mut lanes = Lanes::ZERO;
        for (start, kind) in perspective.starts[bit].into_iter().zip(kinds) {
            lanes.add(&steps[(usize::from(start) + kind) % STEPS]);
        }
        if other.has(bit) {
            lanes.sub(&perspective.other_threats[bit]);
        }
        let frame = usize::from(perspective.frames[bit]);
        let made = crossing.made.into_iter().zip(kinds);
        let made = made.fold(0, |made, (list, kind)| made | self.made[(usize::from(list) + kind) % PATTERNS]);
        if own != 0 {
            for known in (made & own).iter() {
                lanes.sub(&perspective.own_threats[known % BITS].reframed(frame));
            }
        }
        Change { lanes, frame, threats: own | made }
    }

    #[inline(always)]
    fn follow(&self, contents: &mut [u8; ROOM], mover: Side, bit: usize) {
        let crossing = &self.finders[mover as usize].crossings[bit % BITS];
        for (line, weight) in crossing.lines.into_iter().zip(crossing.weights) {
            contents[usize::from(line) % ROOM] += weight;
        }
    }
}
