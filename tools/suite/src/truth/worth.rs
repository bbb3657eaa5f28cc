//! Perfect play in one position, and how far a search is from it.

use alea::game::dice::{Position, Side};
use alea::game::{Game, Kind, Step};
use alea::sweep::dice::book::{Book, LAST, shipped_book};
use alea::sweep::dice::{DiceSweep, Setup, Solved, bits, line_of};
use alea::sweep::value;
use alea_tools::tables::Cell;

/// A move counts as perfect if it gives away no more than rounding: that of the sweep, or that of the book.
const ROUNDING: [f64; 2] = [2e-7, 6.2e-5];

/// The most empty cells that are swept: half a second and 250 MB.
const SWEPT: usize = 19;

/// What a position and every move in it are worth in truth.
pub struct Worth {
    /// The position, for the side to move.
    pub value: f64,
    /// Its moves by name, if it is rolled.
    moves: Vec<(String, f64)>,
    rounding: f64,
}

/// How far a search is from the truth in one position.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// Its value less the true one.
    pub error: f64,
    /// What its move gives away, if there was one to choose, and whether that is nothing.
    pub lost: Option<(f64, bool)>,
}

impl Worth {
    /// That of a position on a small board: from the book, or else by a sweep if that takes a moment.
    pub fn of(position: &Position) -> Option<Worth> {
        let in_book = shipped_book().and_then(|book| Worth::by(position, &|setup| book.number(setup), ROUNDING[1]));
        in_book.or_else(|| Worth::swept(position, SWEPT))
    }

    /// By a sweep from the position, if it has no more empty cells than so many.
    pub fn swept(position: &Position, most_empty: usize) -> Option<Worth> {
        let setup = Setup::of(position)?;
        let few = setup.empty().count_ones() as usize <= most_empty && !matches!(position.kind(), Kind::Over(_));
        let solved = few.then(|| Solved::in_peace(DiceSweep::new(setup)))?;
        Worth::by(position, &|setup| solved.number(setup), ROUNDING[0])
    }

    /// From the last layer of the book alone, by everything that can come in between.
    pub fn from_last_layer(position: &Position) -> Option<Worth> {
        let book = shipped_book()?;
        Worth::by(position, &|setup| last_layer(book, setup).map(|number| number.round() as i32), ROUNDING[1])
    }

    /// By the value of every position before its roll, in blue's view.
    fn by(position: &Position, number: &dyn Fn(&Setup) -> Option<i32>, rounding: f64) -> Option<Worth> {
        let setup = Setup::of(position)?;
        let nexts: Vec<(String, Setup)> = match position.kind() {
            Kind::Decision => {
                let next = |&mv| (position.move_cell(mv).to_string(), Setup::of(&position.child(Step::Move(mv))));
                position.moves().iter().map(next).filter_map(|(name, next)| Some((name, next?))).collect()
            }
            Kind::Chance => Vec::new(),
            Kind::Over(_) => return None,
        };
        let mine = |number: i32| value(if setup.side == Side::Blue { number } else { -number }).to_f64();
        let worth = |(name, next): &(String, Setup)| Some((name.clone(), mine(number(next)?)));
        let moves: Vec<(String, f64)> = nexts.iter().map(worth).collect::<Option<_>>()?;
        let best = moves.iter().map(|&(_, worth)| worth).reduce(f64::max);
        let value = best.map_or_else(|| number(&setup).map(mine), Some)?;
        Some(Worth { value, moves, rounding })
    }

    /// A search found this value and chose this move.
    pub fn against(&self, value: f64, chosen: &str) -> Verdict {
        let lost = self.moves.iter().find(|(name, _)| name == chosen).map(|(_, worth)| self.value - worth);
        Verdict { error: value - self.value, lost: lost.map(|lost| (lost.max(0.0), lost <= self.rounding)) }
    }
}

/// The value of a position before its roll that follows from the book's last layer; `None` beyond it.
fn last_layer(book: &Book, setup: &Setup) -> Option<f64> {
    if setup.count() >= LAST || [Side::Blue, Side::Red].iter().any(|&side| setup.has_won(side)) {
        return book.number(setup).map(f64::from);
    }
    let size = setup.shape.size();
    let mut best: Vec<Option<f64>> = vec![None; size];
    for cell in bits(setup.empty()) {
        let number = last_layer(book, &setup.after(cell))?;
        let line = &mut best[line_of(size, setup.side, cell)];
        let better = if setup.side == Side::Blue { f64::max } else { f64::min };
        *line = Some(line.map_or(number, |best| better(best, number)));
    }
    let open: Vec<f64> = best.into_iter().flatten().collect();
    (!open.is_empty()).then(|| open.iter().sum::<f64>() / open.len() as f64)
}

/// The columns that [`cells`] fills.
pub const COLUMNS: [&str; 4] = ["number", "value", "lost", "perfect"];

/// The figures of some positions: how many, by how much values are off (root of the mean square), what moves give away on
/// average, and how often that is nothing.
pub fn cells(verdicts: &[Verdict]) -> [Cell; 4] {
    let mean = |numbers: Vec<f64>| (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64);
    let square = mean(verdicts.iter().map(|verdict| verdict.error * verdict.error).collect());
    let perfect = verdicts.iter().filter_map(|verdict| verdict.lost).map(|(_, perfect)| f64::from(u8::from(perfect)));
    [
        Cell::Count(verdicts.len() as f64),
        Cell::maybe(square.map(f64::sqrt), Cell::Error),
        Cell::maybe(mean_loss(verdicts), Cell::Error),
        Cell::maybe(mean(perfect.collect()), Cell::Share),
    ]
}

/// What moves give away on average.
pub fn mean_loss(verdicts: &[Verdict]) -> Option<f64> {
    let losses: Vec<f64> = verdicts.iter().filter_map(|verdict| verdict.lost).map(|(lost, _)| lost).collect();
    (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / losses.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(dpn: &str) -> Option<Worth> {
        Worth::of(&Position::from_dpn(dpn).unwrap())
    }

    #[test]
    fn rolled_or_not_in_the_book_or_swept() {
        let whole = worth("3 3 b -1 - - - - - - - - -").unwrap();
        assert!((whole.value - 6079.0 / 17496.0).abs() < 1e-7 && whole.moves.is_empty());
        let verdict = whole.against(0.5, "(none)");
        assert!((verdict.error - (0.5 - 6079.0 / 17496.0)).abs() < 1e-7 && verdict.lost.is_none());
        let rolled = worth("3 3 b 1 - - - - - - - - -").unwrap();
        assert!((rolled.value - 0.485254).abs() < 1e-6);
        assert_eq!(rolled.against(0.0, "b2").lost.map(|(_, perfect)| perfect), Some(true));
        let (lost, perfect) = rolled.against(0.0, "a2").lost.unwrap();
        assert!((lost - (0.485254 - 0.147805)).abs() < 2e-6 && !perfect);
        let start = worth(&format!("5 4 b -1{}", " -".repeat(25))).unwrap();
        assert!((start.value - 0.136738).abs() < 3.1e-5);
    }

    /// Three ways to the same truth, as near as the book is.
    #[test]
    fn book_last_layer_and_sweep_agree() {
        let cases = [
            "5 4 b 2 - - - - - - b - - - - - r b - - - r - - - - - r b",
            "5 4 r 1 b - - - - - - - r - - - b - - r - - b - - - - - -",
            "5 4 b 0 - - b - - - - - - - - r - - - - - r - - - - - b -",
            "5 4 r 4 - - - - - - b - - - - - r - - - - - - - - - b - -",
        ];
        for dpn in cases {
            let position = Position::from_dpn(dpn).unwrap();
            let (book, last) = (Worth::of(&position).unwrap(), Worth::from_last_layer(&position).unwrap());
            assert!((book.value - last.value).abs() < 3.1e-5, "{dpn}: {} {}", book.value, last.value);
            if let Some(swept) = Worth::swept(&position, 19) {
                assert!((book.value - swept.value).abs() < 3.1e-5, "{dpn}: {} {}", book.value, swept.value);
                assert_eq!(swept.moves.len(), book.moves.len());
            }
        }
        assert!(worth(&format!("5 4 b 0{}", " -".repeat(25))).is_some());
        assert!(Worth::swept(&Position::from_dpn(cases[3]).unwrap(), 19).is_none());
    }

    #[test]
    fn what_is_over_or_out_of_reach_has_none() {
        assert!(worth("3 3 r -1 b b b r r - - - -").is_none());
        assert!(worth(&format!("5 3 b -1{}", " -".repeat(25))).is_none());
        assert!(worth(&format!("6 4 b -1{}", " -".repeat(36))).is_none());
    }
}
