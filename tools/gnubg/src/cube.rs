//! The doubling cube, from nothing but what the game is worth without it.
//!
//! Alea's values are of play without the cube, so cube actions are an estimate: Janowski's (1993). The chance p of winning
//! is what the cubeless value E would be without gammons, (E + 1) / 2. A dead cube, never used again, is worth a straight
//! line in p from losing it to winning it. A live cube, turned at the very best moment, is worth a straight line between
//! the points where one side or the other cashes. The truth is taken to lie 0.68 of the way from dead to live. In matches
//! the stakes are chances to win the match, by Woolsey's table where the leader needs one point and by Janowski's formula
//! elsewhere.

use crate::fibs::{Board, Question, Sides};

/// How near a cube is to being live.
const EFFICIENCY: f64 = 0.68;

/// So many more doubles are looked at in money play, where there is no last one.
const MOST_DOUBLES: u32 = 8;

/// The chance of who needs one point, before the game without doubles, against somebody who needs 1, 2, 3, … (Woolsey).
const ONE_AWAY: [f64; 9] = [0.50, 0.70, 0.75, 0.83, 0.85, 0.90, 0.91, 0.94, 0.95];

/// What to do about the cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CubeAction {
    /// Leave it, and roll.
    Roll,
    /// Offer it.
    Double,
    /// Play on for twice as much.
    Take,
    /// Take it and double again at once.
    Beaver,
    /// Give up the game.
    Drop,
}

/// Who may double next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Mover,
    Opponent,
}

/// What is at stake.
#[derive(Clone, Copy)]
struct Stakes {
    /// Points that each still needs; `None` in money play.
    needs: Option<Sides<u32>>,
}

impl Stakes {
    fn of(board: &Board) -> Stakes {
        let need = |score: u32| board.match_length.saturating_sub(score).max(1);
        let needs = (board.match_length > 0)
            .then(|| Sides { mover: need(board.scores.mover), opponent: need(board.scores.opponent) });
        Stakes { needs }
    }

    /// What it is worth to the mover to win a cube, or to lose it.
    fn worth(&self, cube: u32, won: bool) -> f64 {
        match self.needs {
            None => f64::from(cube) * if won { 1.0 } else { -1.0 },
            Some(Sides { mover, opponent }) if won => match_chance(mover.saturating_sub(cube), opponent),
            Some(Sides { mover, opponent }) => match_chance(mover, opponent.saturating_sub(cube)),
        }
    }

    /// Whether doubling this cube can bring the mover, or the opponent, anything.
    fn can_use(&self, cube: u32, by_mover: bool, doubles: u32) -> bool {
        match self.needs {
            None => doubles < MOST_DOUBLES,
            Some(Sides { mover, opponent }) => cube < if by_mover { mover } else { opponent },
        }
    }

    /// From which chance of the mover's on the opponent had better drop this cube doubled.
    fn cash_point(&self, cube: u32, doubles: u32) -> f64 {
        if !self.can_use(cube, true, doubles) {
            return 1.0;
        }
        let low = (self.drop_point(2 * cube, doubles + 1), self.worth(2 * cube, false));
        crossing(low, (1.0, self.worth(2 * cube, true)), self.worth(cube, true))
    }

    /// Up to which chance of the mover's the mover had better drop this cube doubled.
    fn drop_point(&self, cube: u32, doubles: u32) -> f64 {
        if !self.can_use(cube, false, doubles) {
            return 0.0;
        }
        let high = (self.cash_point(2 * cube, doubles + 1), self.worth(2 * cube, true));
        crossing((0.0, self.worth(2 * cube, false)), high, self.worth(cube, false))
    }

    /// What a cube is worth to the mover, whose chance of winning is `chance`.
    fn value(&self, cube: u32, owner: Owner, chance: f64) -> f64 {
        let (lost, won) = (self.worth(cube, false), self.worth(cube, true));
        let low = if owner == Owner::Mover { 0.0 } else { self.drop_point(cube, 0) };
        let high = if owner == Owner::Opponent { 1.0 } else { self.cash_point(cube, 0) };
        let share = if high > low { ((chance - low) / (high - low)).clamp(0.0, 1.0) } else { chance };
        let (dead, live) = (lost + chance * (won - lost), lost + share * (won - lost));
        (1.0 - EFFICIENCY) * dead + EFFICIENCY * live
    }
}

/// Where the line through two points reaches a height, within the two.
fn crossing((left, bottom): (f64, f64), (right, top): (f64, f64), height: f64) -> f64 {
    if top <= bottom {
        return right;
    }
    left + (right - left) * ((height - bottom) / (top - bottom)).clamp(0.0, 1.0)
}

/// The chance to win a match of who needs so many points, against somebody who needs so many.
fn match_chance(needs: u32, opponent_needs: u32) -> f64 {
    match (needs, opponent_needs) {
        (0, _) => 1.0,
        (_, 0) => 0.0,
        (1, n) => *ONE_AWAY.get(n as usize - 1).unwrap_or(&0.97),
        (n, 1) => 1.0 - match_chance(1, n),
        (one, other) => {
            let lead = (f64::from(other) - f64::from(one)) / (f64::from(one.max(other)) + 6.0);
            (0.5 + 0.85 * lead).clamp(0.0, 1.0)
        }
    }
}

/// Whether the cube may be offered at all.
pub fn may_double(board: &Board) -> bool {
    let one_away = |score: u32| board.match_length > 0 && score + 1 >= board.match_length;
    let is_crawford = (one_away(board.scores.mover) || one_away(board.scores.opponent)) && !board.post_crawford;
    board.question == Question::Roll && board.may_double.mover && !is_crawford
}

/// Whether to double. `equity` is what the game is worth to the mover without the cube, in points.
pub fn offer(board: &Board, equity: f64) -> CubeAction {
    // More than the cube could bring: there is a gammon to be won.
    if !may_double(board) || equity.is_nan() || equity > 1.0 {
        return CubeAction::Roll;
    }
    let (stakes, chance) = (Stakes::of(board), chance(equity));
    let owner = if board.may_double.opponent { Owner::Nobody } else { Owner::Mover };
    if !stakes.can_use(board.cube, true, 0) {
        return CubeAction::Roll;
    }
    let kept = stakes.value(board.cube, owner, chance);
    let taken = stakes.value(2 * board.cube, Owner::Opponent, chance);
    let offered = taken.min(stakes.worth(board.cube, true));
    if offered > kept { CubeAction::Double } else { CubeAction::Roll }
}

/// How to answer a double. `equity` is what the game is worth to the mover, who doubles, without the cube.
pub fn answer(board: &Board, equity: f64) -> CubeAction {
    let (stakes, chance) = (Stakes::of(board), chance(equity));
    let taken = stakes.value(2 * board.cube, Owner::Opponent, chance);
    if taken >= stakes.worth(board.cube, true) || equity >= 1.0 {
        CubeAction::Drop
    } else if board.match_length == 0 && taken < 0.0 {
        CubeAction::Beaver
    } else {
        CubeAction::Take
    }
}

fn chance(equity: f64) -> f64 {
    if equity.is_nan() { 0.5 } else { ((equity + 1.0) / 2.0).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alea::game::backgammon::Position;

    fn board(question: Question, length: u32, scores: (u32, u32), cube: u32) -> Board {
        Board {
            position: Position::opening().without_roll(),
            question,
            match_length: length,
            scores: Sides { mover: scores.0, opponent: scores.1 },
            cube,
            may_double: Sides { mover: true, opponent: cube == 1 },
            post_crawford: false,
        }
    }

    #[test]
    fn money_play_follows_the_known_points() {
        let ask = |equity| offer(&board(Question::Roll, 0, (0, 0), 1), equity);
        let cases = [(-1.0, "Roll"), (0.0, "Roll"), (0.3, "Roll"), (0.5, "Double"), (0.9, "Double"), (1.2, "Roll")];
        for (equity, action) in cases {
            assert_eq!(format!("{:?}", ask(equity)), action, "{equity}");
        }
        let reply = |equity| answer(&board(Question::Double, 0, (0, 0), 1), equity);
        // Who owns the cube after an even double has the better of it.
        let cases = [
            (-0.5, "Beaver"),
            (0.1, "Beaver"),
            (0.25, "Take"),
            (0.5, "Take"),
            (0.56, "Take"),
            (0.6, "Drop"),
            (2.0, "Drop"),
        ];
        for (equity, action) in cases {
            assert_eq!(format!("{:?}", reply(equity)), action, "{equity}");
        }
        // One's own cube is turned later than one in the middle.
        let turned = |cube| {
            let at = |percent: &i32| offer(&board(Question::Roll, 0, (0, 0), cube), f64::from(*percent) / 100.0);
            (0..100).find(|percent| at(percent) == CubeAction::Double).unwrap()
        };
        assert!((35..50).contains(&turned(1)) && turned(1) < turned(2), "{} {}", turned(1), turned(2));
    }

    #[test]
    fn matches_have_scores_to_mind() {
        // Two points each: whoever has market losers doubles, and a take is for the match.
        assert_eq!(answer(&board(Question::Double, 2, (0, 0), 1), 0.3), CubeAction::Take);
        assert_eq!(answer(&board(Question::Double, 2, (0, 0), 1), 0.7), CubeAction::Drop);
        // Nothing to be won by doubling: a point is the match.
        assert_eq!(offer(&board(Question::Roll, 5, (4, 2), 1), 0.6), CubeAction::Roll);
        assert_eq!(offer(&board(Question::Roll, 5, (3, 0), 2), 0.6), CubeAction::Roll);
        // The game without doubles; after it, who trails has nothing to lose.
        let crawford = board(Question::Roll, 5, (2, 4), 1);
        assert_eq!(offer(&crawford, 0.6), CubeAction::Roll);
        assert_eq!(offer(&Board { post_crawford: true, ..crawford }, -0.2), CubeAction::Double);
        // No beavers in matches.
        assert_eq!(answer(&board(Question::Double, 7, (0, 0), 1), -0.5), CubeAction::Take);
    }

    /// Whatever the score, the cube and the value: an answer, and one that does not waver as the value rises.
    #[test]
    fn every_score_has_an_answer_that_rises_with_the_value() {
        for length in [0_u32, 1, 2, 3, 5, 7, 25, 1000] {
            for cube in [1, 2, 4, 64, 1 << 20] {
                for scores in [(0, 0), (length, 0), (0, length + 9), (length.saturating_sub(1), 1)] {
                    let drops = |step: i32| {
                        let asked = board(Question::Double, length, scores, cube);
                        offer(&Board { question: Question::Roll, ..asked }, f64::from(step) / 20.0);
                        answer(&asked, f64::from(step) / 20.0) == CubeAction::Drop
                    };
                    let answers: Vec<bool> = (-60..=60).map(drops).collect();
                    assert!(answers.is_sorted(), "{length} {cube} {scores:?}: {answers:?}");
                }
            }
        }
        for equity in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            offer(&board(Question::Roll, 0, (0, 0), 1), equity);
            answer(&board(Question::Double, 0, (0, 0), 1), equity);
        }
    }
}
