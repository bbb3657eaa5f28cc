//! Which cubes a face of the die lets a side move, looked up by the cubes that the side has left.

use super::CUBES;

/// A set of one side's cubes: bit 0 is cube 1.
pub type Set = u8;

/// What the faces mean to a side with certain cubes left. Faces are counted from 0 here.
#[derive(Clone, Copy)]
struct Faces {
    /// The cubes that each face lets move: one, or two to choose from.
    movable: [Set; CUBES],
    /// The smallest face that lets the same cubes move, for each face.
    representative: [u8; CUBES],
    /// How many faces each face represents: 0 for those that another one represents.
    weight: [u8; CUBES],
}

static FACES: [Faces; 1 << CUBES] = {
    let mut table = [Faces { movable: [0; CUBES], representative: [0; CUBES], weight: [0; CUBES] }; 1 << CUBES];
    let mut left = 0;
    while left < table.len() {
        table[left] = faces_of(left as Set);
        left += 1;
    }
    table
};

const fn faces_of(left: Set) -> Faces {
    let mut faces = Faces { movable: [0; CUBES], representative: [0; CUBES], weight: [0; CUBES] };
    let mut face = 0;
    while face < CUBES && left != 0 {
        faces.movable[face] = movable_of(left, face);
        let mut first = 0;
        while faces.movable[first] != faces.movable[face] {
            first += 1;
        }
        faces.representative[face] = first as u8;
        faces.weight[first] += 1;
        face += 1;
    }
    faces
}

/// The cube itself if it is left, else its nearest neighbours on both sides.
const fn movable_of(left: Set, face: usize) -> Set {
    let own: Set = 1 << face;
    if left & own != 0 {
        return own;
    }
    let lower = left & (own - 1);
    let higher = left & !(own - 1);
    let next_lower = if lower == 0 { 0 } else { 1 << lower.ilog2() };
    let next_higher = higher & higher.wrapping_neg();
    next_lower | next_higher
}

/// The cubes of `left` that `face` (1 to 6) lets move.
#[inline]
pub fn movable(left: Set, face: u8) -> Set {
    FACES[usize::from(left)].movable[usize::from(face) - 1]
}

/// How many faces let each cube move, by the cubes left.
static MOBILITY: [[u8; CUBES]; 1 << CUBES] = {
    let mut table = [[0; CUBES]; 1 << CUBES];
    let mut left = 0;
    while left < table.len() {
        let mut cube = 0;
        while cube < CUBES {
            table[left][cube] = count(left as Set, 1 << cube);
            cube += 1;
        }
        left += 1;
    }
    table
};

/// How many faces let any cube of a set move, by the cubes left.
static MOVING: [[u8; 1 << CUBES]; 1 << CUBES] = {
    let mut table = [[0; 1 << CUBES]; 1 << CUBES];
    let mut left = 0;
    while left < table.len() {
        let mut set = 0;
        while set < 1 << CUBES {
            table[left][set] = count(left as Set, set as Set);
            set += 1;
        }
        left += 1;
    }
    table
};

const fn count(left: Set, set: Set) -> u8 {
    let (mut count, mut face) = (0, 0);
    while face < CUBES {
        count += (movable_of(left, face) & set != 0) as u8;
        face += 1;
    }
    count
}

/// How many of the six faces let each cube of `left` move; 0 for those that are gone.
#[inline]
pub fn mobility(left: Set) -> &'static [u8; CUBES] {
    &MOBILITY[usize::from(left) % MOBILITY.len()]
}

/// How many of the six faces let a cube of `set` move.
#[inline]
pub fn faces_moving(left: Set, set: Set) -> u8 {
    MOVING[usize::from(left) % MOVING.len()][usize::from(set) % MOVING.len()]
}

/// The smallest face that lets the same cubes move as `face` does.
#[inline]
pub fn representative(left: Set, face: u8) -> u8 {
    FACES[usize::from(left)].representative[usize::from(face) - 1] + 1
}

/// The representatives of all faces with the number of faces that each stands for; none for a side without cubes.
#[inline]
pub fn classes(left: Set) -> impl Iterator<Item = (u8, u8)> {
    (1..).zip(FACES[usize::from(left)].weight).filter(|&(_, weight)| weight > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cubes: &[u8]) -> Set {
        cubes.iter().fold(0, |set, cube| set | 1 << (cube - 1))
    }

    #[test]
    fn a_missing_cube_is_replaced_by_its_neighbours() {
        // Cubes left, face, cubes that may move.
        let cases: [(&[u8], u8, &[u8]); 10] = [
            (&[1, 2, 3, 4, 5, 6], 4, &[4]),
            (&[2, 5], 1, &[2]),
            (&[2, 5], 2, &[2]),
            (&[2, 5], 3, &[2, 5]),
            (&[2, 5], 4, &[2, 5]),
            (&[2, 5], 6, &[5]),
            (&[1, 2, 6], 4, &[2, 6]),
            (&[1, 2, 6], 3, &[2, 6]),
            (&[3], 1, &[3]),
            (&[3], 6, &[3]),
        ];
        for (left, face, expected) in cases {
            assert_eq!(movable(set(left), face), set(expected), "{left:?} {face}");
        }
    }

    #[test]
    fn faces_that_move_the_same_cubes_are_one_class() {
        type Class = (u8, u8);
        let cases: [(&[u8], &[Class]); 4] = [
            (&[1, 2, 3, 4, 5, 6], &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]),
            (&[2, 5], &[(1, 2), (3, 2), (5, 2)]),
            (&[3, 4], &[(1, 3), (4, 3)]),
            (&[6], &[(1, 6)]),
        ];
        for (left, expected) in cases {
            assert_eq!(classes(set(left)).collect::<Vec<_>>(), expected, "{left:?}");
        }
    }

    #[test]
    fn mobility_counts_faces() {
        for left in 0..1 << CUBES {
            let sets = (1..=6).map(|face| if left == 0 { 0 } else { movable(left, face) });
            for set in 0..1 << CUBES {
                let count = sets.clone().filter(|movable| movable & set != 0).count();
                assert_eq!(usize::from(faces_moving(left, set)), count, "{left:b} {set:b}");
            }
            for cube in 0..CUBES {
                assert_eq!(mobility(left)[cube], faces_moving(left, 1 << cube));
            }
        }
        assert_eq!(mobility(set(&[2, 5])), &[0, 4, 0, 0, 4, 0]);
    }

    #[test]
    fn every_face_moves_something_and_is_counted_once() {
        for left in 1..1 << CUBES {
            assert_eq!(classes(left).map(|(_, weight)| weight).sum::<u8>(), 6);
            for face in 1..=6 {
                let cubes = movable(left, face);
                assert!(cubes != 0 && cubes & !left == 0 && cubes.count_ones() <= 2, "{left:b} {face}");
                assert_eq!(movable(left, representative(left, face)), cubes);
            }
        }
    }
}
