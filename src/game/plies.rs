//! Lists of plies: a move together with the chance that belongs to it, `ROLL:MOVE` where chance comes first and
//! `MOVE=OUTCOME` where it comes after.

use super::{Fault, Kind, Notation, Step, Steps};

/// The steps that a list of plies stands for, played from `game` on, and where they lead. The last one may be a move whose
/// outcome is still to come. The fault names the ply.
pub fn read_plies<'w, G: Notation>(game: &G, words: impl Iterator<Item = &'w str>) -> Result<(Steps<G>, G), Fault> {
    let mut line = Line { game: game.clone(), steps: Vec::new() };
    for word in words {
        let read = if G::CHANCE_FOLLOWS { line.read_move_first(word) } else { line.read_chance_first(word) };
        read.map_err(|fault| Fault::new(word, fault.reason))?;
    }
    Ok((line.steps, line.game))
}

/// A line of play as far as it has been read.
struct Line<G: Notation> {
    game: G,
    steps: Steps<G>,
}

impl<G: Notation> Line<G> {
    fn take(&mut self, step: Step<G::Move>) {
        self.game = self.game.child(step);
        self.steps.push(step);
    }

    /// `ROLL:MOVE`; where the roll stands already, it must be that one.
    fn read_chance_first(&mut self, word: &str) -> Result<(), Fault> {
        let ply = word.split_once(':');
        let (roll, mv) =
            ply.ok_or_else(|| Fault::new(word, format!("expected a ply, roll:move, such as {}", G::PLY)))?;
        let face = self.game.parse_outcome(roll)?;
        if self.game.kind() == Kind::Chance {
            self.take(Step::Outcome(face));
        }
        let mv = self.game.parse_move(mv)?;
        self.take(Step::Move(mv));
        Ok(())
    }

    /// `MOVE` or `MOVE=OUTCOME`.
    fn read_move_first(&mut self, word: &str) -> Result<(), Fault> {
        if self.game.kind() == Kind::Chance {
            return Err(Fault::new(word, format!("the ply before it needs its outcome, as in {}", G::PLY)));
        }
        let (mv, outcome) = word.split_once('=').map_or((word, None), |(mv, outcome)| (mv, Some(outcome)));
        let mv = self.game.parse_move(mv)?;
        self.take(Step::Move(mv));
        if let Some(outcome) = outcome {
            let face = self.game.parse_outcome(outcome)?;
            self.take(Step::Outcome(face));
        }
        Ok(())
    }
}

/// Steps from `game` on, as a list of plies. A roll at the end, with no move made, is left out; so is an outcome at the
/// beginning that belongs to a move before it.
pub fn write_plies<G: Notation>(game: &G, steps: &[Step<G::Move>]) -> Vec<String> {
    let mut plies: Vec<String> = Vec::new();
    let mut game = game.clone();
    let mut roll = String::new();
    for &step in steps {
        match step {
            Step::Move(mv) => plies.push(std::mem::take(&mut roll) + &game.move_text(mv)),
            Step::Outcome(id) if G::CHANCE_FOLLOWS => {
                let outcome = game.outcome_text(id);
                plies.last_mut().into_iter().for_each(|ply| *ply += &format!("={outcome}"));
            }
            Step::Outcome(id) => roll = game.outcome_text(id) + ":",
        }
        game = game.child(step);
    }
    plies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::dice::{Position, Shape};

    #[test]
    fn plies_are_read_and_written() {
        let start = Position::new(Shape::new(3, 3).unwrap());
        let words = ["0:b1", "0:a3", "2:c3"];
        let (steps, end) = read_plies(&start, words.into_iter()).unwrap();
        assert_eq!((steps.len(), end.dpn()), (6, "3 3 r -1 - b - - - - r - b".into()));
        assert_eq!(write_plies(&start, &steps), words);
        assert_eq!(write_plies(&start, &steps[..5]), words[..2], "a roll alone is no ply");
        let rolled = start.child(steps[0]);
        assert_eq!(read_plies(&rolled, words.into_iter()).unwrap().1, end, "a roll that stands is repeated");
        assert_eq!(write_plies(&rolled, &steps[1..]), ["b1", "0:a3", "2:c3"]);
    }

    #[test]
    fn mistakes_name_the_ply() {
        let start = Position::new(Shape::default());
        let cases = [
            ("d3", "d3", "expected a ply, roll:move, such as 2:d3"),
            ("2:d3 2:c3 2:d3", "2:d3", "taken by blue"),
            ("2:d4", "2:d4", "roll 2 is blue's row 3, and the cell is not in it"),
            ("2:d3 2:d4", "2:d4", "roll 2 is red's column c, and the cell is not in it"),
            ("5:d3", "5:d3", "roll 5 is not one of 0..4"),
            ("x:d3", "x:d3", "expected a roll"),
            ("2:dd", "2:dd", "expected a cell such as d3"),
            ("2:f3", "2:f3", "not on the 5x5 board"),
            ("2:z4294967295", "2:z4294967295", "not on the 5x5 board"),
        ];
        for (words, word, reason) in cases {
            let fault = read_plies(&start, words.split(' ')).expect_err(words);
            assert_eq!(fault.word, word, "{words}");
            assert!(fault.reason.contains(reason), "{words}: {fault}");
        }
    }
}
