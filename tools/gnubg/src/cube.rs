//! The doubling cube, from what the game is worth without it and how it may end.
//!
//! Alea's values are of play without the cube, so cube actions are an estimate: Janowski's (1993). The chance p of winning
//! follows from the cubeless value and from what a win and a loss are worth on average, gammons counted. A dead cube, never
//! used again, is worth a straight line in p from losing the game to winning it. A live cube, turned at the very best moment,
//! is worth straight lines through the points where one side or the other cashes. The truth is taken to lie 0.68 of the way
//! from dead to live, and at dead where somebody may bear off the last checkers in one turn. In matches the stakes are chances
//! to win the match: by a table where the leader needs one point, Woolsey's before the game without doubles and Kazaross's
//! after it, and by Janowski's formula elsewhere.

use crate::fibs::{Board, Question, Sides};
use alea::eval::backgammon::Chances;
use alea::game::Player;
use alea::game::backgammon::{BAR, CHECKERS, OFF, PLACES};

/// How near a cube is to being live.
const EFFICIENCY: f64 = 0.68;

/// So many checkers at home may be borne off in one turn without a double.
const ONE_TURN: u8 = 2;

/// The last point of a side's home.
const HOME: u8 = 6;

/// So many more doubles are looked at in money play, where there is no last one.
const MOST_DOUBLES: u32 = 8;

/// The chance of who needs one point, before the game without doubles, against somebody who needs 1, 2, 3, … (Woolsey).
const ONE_AWAY: [f64; 9] = [0.50, 0.70, 0.75, 0.83, 0.85, 0.90, 0.91, 0.94, 0.95];
/// So much less is missing to certainty with every point more.
const NEARER: f64 = 0.7;

/// The chance of who needs 1, 2, 3, … points against somebody who needs one, after the game without doubles (Kazaross).
const LAST_GAMES: [f64; 9] = [0.50, 0.49, 0.32, 0.31, 0.19, 0.18, 0.12, 0.11, 0.07];

/// How far from certainty Janowski's straight line is bent, so that it does not get there.
const BEND: f64 = 0.1;

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

/// Which parts of a side's wins are single games, gammons and backgammons.
type Shares = [f64; 3];

/// What is expected of a game that is played to its end without the cube.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// What it is worth to the mover, in points.
    equity: f64,
    /// The mover's wins, and the opponent's.
    wins: Sides<Shares>,
}

impl Outlook {
    /// A game that is worth so much to the mover, and whose wins are of the kinds that these chances of the mover's say.
    pub fn new(equity: f64, chances: Chances) -> Outlook {
        let shares = |chances: Chances| match chances.win {
            ..=0 => [1.0, 0.0, 0.0],
            win => {
                let parts =
                    [win - chances.win_gammon, chances.win_gammon - chances.win_backgammon, chances.win_backgammon];
                parts.map(|part| f64::from(part) / f64::from(win))
            }
        };
        Outlook { equity, wins: Sides { mover: shares(chances), opponent: shares(chances.turned()) } }
    }

    /// The mover's chance of winning with which the game is worth its equity.
    fn chance(&self) -> f64 {
        let points = |shares: Shares| shares[0] + 2.0 * shares[1] + 3.0 * shares[2];
        let (won, lost) = (points(self.wins.mover), points(self.wins.opponent));
        if self.equity.is_nan() { 0.5 } else { ((self.equity + lost) / (won + lost)).clamp(0.0, 1.0) }
    }
}

/// Who may double next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Mover,
    Opponent,
}

/// A chance of the mover's, and what a cube is worth there.
type Point = (f64, f64);

/// What is at stake.
#[derive(Clone, Copy)]
struct Stakes {
    /// Points that each still needs; `None` in money play.
    needs: Option<Sides<u32>>,
    /// Whether one of them needs a single point, and the game without doubles has been played.
    last_games: bool,
    /// Whether gammons do not count while the cube is in the middle.
    jacoby: bool,
    /// Of which kinds the wins are.
    wins: Sides<Shares>,
    /// How near the cube is to being live.
    efficiency: f64,
}

impl Stakes {
    fn of(board: &Board, outlook: &Outlook) -> Stakes {
        let need = |score: u32| board.match_length.saturating_sub(score).max(1);
        let needs = (board.match_length > 0)
            .then(|| Sides { mover: need(board.scores.mover), opponent: need(board.scores.opponent) });
        let one_away = needs.is_some_and(|needs| needs.mover == 1 || needs.opponent == 1);
        let ends = Player::BOTH.into_iter().any(|player| is_on_last_turn(board.position.checkers(player)));
        Stakes {
            needs,
            last_games: one_away && board.post_crawford,
            jacoby: needs.is_none() && board.jacoby,
            wins: outlook.wins,
            efficiency: if ends { 0.0 } else { EFFICIENCY },
        }
    }

    /// What it is worth to the mover that one side wins so many points.
    fn points(&self, points: u32, won: bool) -> f64 {
        match self.needs {
            None => f64::from(points) * if won { 1.0 } else { -1.0 },
            Some(Sides { mover, opponent }) if won => self.match_chance(mover.saturating_sub(points), opponent),
            Some(Sides { mover, opponent }) => self.match_chance(mover, opponent.saturating_sub(points)),
        }
    }

    /// The chance to win the match of who needs so many points, against somebody who needs so many.
    fn match_chance(&self, needs: u32, opponent_needs: u32) -> f64 {
        match (needs, opponent_needs) {
            (0, _) => 1.0,
            (_, 0) => 0.0,
            (1, n) if self.last_games => 1.0 - last_games(n),
            (1, n) => before_last_games(n),
            (n, 1) => 1.0 - self.match_chance(1, n),
            (one, other) => {
                let lead = (f64::from(other) - f64::from(one)) / (f64::from(one.max(other)) + 6.0);
                bent(0.5 + 0.85 * lead)
            }
        }
    }

    /// What it is worth to the mover that one side wins a game that is played out for this cube.
    fn played(&self, cube: u32, won: bool) -> f64 {
        let shares = if won { self.wins.mover } else { self.wins.opponent };
        shares.iter().zip(1..).map(|(share, times)| share * self.points(cube.saturating_mul(times), won)).sum()
    }

    /// Whether doubling this cube can bring the mover, or the opponent, anything.
    fn can_use(&self, cube: u32, by_mover: bool, doubles: u32) -> bool {
        match self.needs {
            None => doubles < MOST_DOUBLES,
            Some(Sides { mover, opponent }) => cube < if by_mover { mover } else { opponent },
        }
    }

    /// Where the mover's good luck ends: at the chance from which on the opponent had better drop this cube doubled, or at a won
    /// game if the mover may not double it.
    fn high_end(&self, cube: u32, owner: Owner, doubles: u32) -> Point {
        if owner == Owner::Opponent || !self.can_use(cube, true, doubles) {
            return (1.0, self.played(cube, true));
        }
        let low = self.low_end(2 * cube, Owner::Opponent, doubles + 1);
        let dropped = self.points(cube, true);
        (crossing(low, (1.0, self.played(2 * cube, true)), dropped), dropped)
    }

    /// The same of the opponent: up to which chance of the mover's the mover had better drop this cube doubled.
    fn low_end(&self, cube: u32, owner: Owner, doubles: u32) -> Point {
        if owner == Owner::Mover || !self.can_use(cube, false, doubles) {
            return (0.0, self.played(cube, false));
        }
        let high = self.high_end(2 * cube, Owner::Mover, doubles + 1);
        let dropped = self.points(cube, false);
        (crossing((0.0, self.played(2 * cube, false)), high, dropped), dropped)
    }

    /// What a cube is worth to the mover, whose chance of winning is `chance`.
    fn value(&self, cube: u32, owner: Owner, chance: f64) -> f64 {
        let singly = self.jacoby && owner == Owner::Nobody;
        let end = |won| if singly { self.points(cube, won) } else { self.played(cube, won) };
        let (lost, won) = ((0.0, end(false)), (1.0, end(true)));
        let (low, high) = (self.low_end(cube, owner, 0), self.high_end(cube, owner, 0));
        let live = match chance {
            _ if chance < low.0 => along(lost, low, chance),
            _ if chance > high.0 => along(high, won, chance),
            _ => along(low, high, chance),
        };
        (1.0 - self.efficiency) * along(lost, won, chance) + self.efficiency * live
    }
}

/// Where the line through two points reaches a height, within the two.
fn crossing((left, bottom): Point, (right, top): Point, height: f64) -> f64 {
    if top <= bottom {
        return right;
    }
    left + (right - left) * ((height - bottom) / (top - bottom)).clamp(0.0, 1.0)
}

/// The height of the line through two points at a place between them.
fn along((left, bottom): Point, (right, top): Point, place: f64) -> f64 {
    if right <= left {
        return top;
    }
    bottom + (top - bottom) * ((place - left) / (right - left)).clamp(0.0, 1.0)
}

/// Whether a side may well bear off all that it has left in its next turn.
fn is_on_last_turn(checkers: &[u8; PLACES]) -> bool {
    let outside = usize::from(HOME + 1)..=usize::from(BAR);
    CHECKERS - checkers[usize::from(OFF)] <= ONE_TURN && checkers[outside].iter().all(|&count| count == 0)
}

/// The chance of who needs one point before the game without doubles, against somebody who needs `n`.
fn before_last_games(n: u32) -> f64 {
    let place = ONE_AWAY.len().min(n as usize);
    let further = n as usize - place;
    1.0 - (1.0 - ONE_AWAY[place - 1]) * NEARER.powi(further.min(1000) as i32)
}

/// The chance of who needs `n` points after the game without doubles, against somebody who needs one.
fn last_games(n: u32) -> f64 {
    let more = (n as usize).saturating_sub(LAST_GAMES.len()).div_ceil(2);
    // Every game that is won then counts twice.
    LAST_GAMES[n as usize - 2 * more - 1] / 2_f64.powi(more.min(1000) as i32)
}

/// What lies near certainty, or beyond it, brought back before it, in the same order.
fn bent(chance: f64) -> f64 {
    let near = |missing: f64| if missing < BEND { BEND * ((missing - BEND) / BEND).exp() } else { missing };
    if chance > 0.5 { 1.0 - near(1.0 - chance) } else { near(chance) }
}

/// Whether the cube may be offered at all.
pub fn may_double(board: &Board) -> bool {
    let one_away = |score: u32| board.match_length > 0 && score + 1 >= board.match_length;
    let is_crawford = (one_away(board.scores.mover) || one_away(board.scores.opponent)) && !board.post_crawford;
    board.question == Question::Roll && board.may_double.mover && !is_crawford
}

/// Whether to double.
pub fn offer(board: &Board, outlook: &Outlook) -> CubeAction {
    let (stakes, chance) = (Stakes::of(board, outlook), outlook.chance());
    if !may_double(board) || !stakes.can_use(board.cube, true, 0) {
        return CubeAction::Roll;
    }
    let owner = if board.may_double.opponent { Owner::Nobody } else { Owner::Mover };
    // What is kept may be more than the cube could bring: there is a gammon to be won.
    let kept = stakes.value(board.cube, owner, chance);
    let taken = stakes.value(2 * board.cube, Owner::Opponent, chance);
    let offered = taken.min(stakes.points(board.cube, true));
    if offered > kept { CubeAction::Double } else { CubeAction::Roll }
}

/// How to answer a double of the mover's.
pub fn answer(board: &Board, outlook: &Outlook) -> CubeAction {
    let (stakes, chance) = (Stakes::of(board, outlook), outlook.chance());
    let taken = stakes.value(2 * board.cube, Owner::Opponent, chance);
    // Twice as much for an estimate: only for who is ahead even if the cube is never used again.
    let is_beaver = board.match_length == 0 && board.beavers != Some(false) && taken < 0.0 && outlook.equity < 0.0;
    if taken >= stakes.points(board.cube, true) {
        CubeAction::Drop
    } else if is_beaver {
        CubeAction::Beaver
    } else {
        CubeAction::Take
    }
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
            jacoby: false,
            beavers: None,
        }
    }

    /// A game of which these parts of all wins and of all losses are gammons.
    fn gammons(equity: f64, won: f64, lost: f64) -> Outlook {
        let shares = |gammons: f64| [1.0 - gammons, gammons, 0.0];
        Outlook { equity, wins: Sides { mover: shares(won), opponent: shares(lost) } }
    }

    fn single(equity: f64) -> Outlook {
        gammons(equity, 0.0, 0.0)
    }

    fn said(action: CubeAction) -> String {
        format!("{action:?}")
    }

    #[test]
    fn money_play_follows_the_known_points() {
        let ask = |equity| offer(&board(Question::Roll, 0, (0, 0), 1), &single(equity));
        for (equity, action) in [(-1.0, "Roll"), (0.0, "Roll"), (0.3, "Roll"), (0.5, "Double"), (0.9, "Double")] {
            assert_eq!(said(ask(equity)), action, "{equity}");
        }
        let reply = |equity| answer(&board(Question::Double, 0, (0, 0), 1), &single(equity));
        let cases = [
            (-0.5, "Beaver"),
            (-0.1, "Beaver"),
            (0.1, "Take"),
            (0.25, "Take"),
            (0.5, "Take"),
            (0.56, "Take"),
            (0.6, "Drop"),
            (2.0, "Drop"),
        ];
        for (equity, action) in cases {
            assert_eq!(said(reply(equity)), action, "{equity}");
        }
        // One's own cube is turned later than one in the middle.
        let turned = |cube| {
            let at =
                |percent: &i32| offer(&board(Question::Roll, 0, (0, 0), cube), &single(f64::from(*percent) / 100.0));
            (0..100).find(|percent| at(percent) == CubeAction::Double).unwrap()
        };
        assert!((35..50).contains(&turned(1)) && turned(1) < turned(2), "{} {}", turned(1), turned(2));
    }

    /// Where gammons are to be won one may be too good to double; the more there are to be lost, the sooner one drops.
    #[test]
    fn gammons_count_in_money_play() {
        let ask = |equity, won| said(offer(&board(Question::Roll, 0, (0, 0), 1), &gammons(equity, won, 0.1)));
        assert_eq!([ask(0.7, 0.3), ask(1.4, 0.6), ask(0.95, 0.0)], ["Double", "Roll", "Double"]);
        // By Jacoby's rule a gammon is worth nothing until somebody has doubled.
        let jacoby = Board { jacoby: true, ..board(Question::Roll, 0, (0, 0), 1) };
        assert_eq!(said(offer(&jacoby, &gammons(1.4, 0.6, 0.1))), "Double");
        let own = Board { may_double: Sides { mover: true, opponent: false }, cube: 2, ..jacoby };
        assert_eq!(said(offer(&own, &gammons(1.4, 0.6, 0.1))), "Roll");
        let drops = |won: f64| {
            let reply = |percent: &i32| {
                answer(&board(Question::Double, 0, (0, 0), 1), &gammons(f64::from(*percent) / 100.0, won, 0.2))
            };
            // As a chance of the mover's of winning.
            let least = (0..200).find(|percent| reply(percent) == CubeAction::Drop).unwrap();
            gammons(f64::from(least) / 100.0, won, 0.2).chance()
        };
        assert!(drops(0.5) < drops(0.2) && drops(0.2) < drops(0.0), "{} {} {}", drops(0.5), drops(0.2), drops(0.0));
    }

    /// On its last roll a cube is dead: one doubles with any lead, and takes with a quarter.
    #[test]
    fn a_cube_on_the_last_roll_is_dead() {
        let one = |place: &[usize]| {
            let mut side = [0; 26];
            place.iter().for_each(|&place| side[place] += 1);
            side
        };
        let cases = [([5, 1], 23, "Double", "Take"), ([5, 2], 19, "Double", "Take"), ([6, 4], 10, "Roll", "Beaver")];
        for (own, rolls, offered, answered) in cases {
            let position = Position::set_up([one(&own), one(&[1])], Player::First, None).unwrap();
            let outlook = single(2.0 * f64::from(rolls) / 36.0 - 1.0);
            let asked = Board { position, ..board(Question::Roll, 0, (0, 0), 1) };
            assert_eq!(said(offer(&asked, &outlook)), offered, "{own:?}");
            assert_eq!(said(answer(&Board { question: Question::Double, ..asked }, &outlook)), answered, "{own:?}");
        }
        // Two checkers that have not come home, or not even from the bar, are nobody's last turn.
        for away in [[24, 25], [1, 7]] {
            let position = Position::set_up([one(&away), one(&[2, 3, 4, 5])], Player::First, None).unwrap();
            let asked = Board { position, ..board(Question::Roll, 0, (0, 0), 1) };
            assert_eq!(said(offer(&asked, &single(0.1))), "Roll", "{away:?}");
        }
        // Three rolls in four are the point where a drop costs as much as a take.
        let position = Position::set_up([one(&[3, 1]), one(&[1])], Player::First, None).unwrap();
        let asked = Board { position, ..board(Question::Double, 0, (0, 0), 1) };
        assert_eq!([0.49, 0.51].map(|equity| said(answer(&asked, &single(equity)))), ["Take", "Drop"]);
    }

    #[test]
    fn matches_have_scores_to_mind() {
        let roll = |scores, cube, outlook| said(offer(&board(Question::Roll, 7, scores, cube), &outlook));
        // Two points each: whoever has market losers doubles, and a take is for the match.
        assert_eq!(answer(&board(Question::Double, 2, (0, 0), 1), &single(0.3)), CubeAction::Take);
        assert_eq!(answer(&board(Question::Double, 2, (0, 0), 1), &single(0.7)), CubeAction::Drop);
        // Nothing to be won by doubling: a point is the match.
        assert_eq!(offer(&board(Question::Roll, 5, (4, 2), 1), &single(0.6)), CubeAction::Roll);
        assert_eq!(offer(&board(Question::Roll, 5, (3, 0), 2), &single(0.6)), CubeAction::Roll);
        // Three points away with a cube of two, a gammon is the match without another double, which would only give the cube away.
        assert_eq!(roll((4, 0), 2, gammons(0.7, 0.35, 0.1)), "Roll");
        // Whoever needs four points loses nothing by the leader's gammons, who needs one.
        let trailing = |lost| said(answer(&board(Question::Double, 7, (6, 3), 1), &gammons(0.55, lost, 0.0)));
        assert_eq!(trailing(0.5), "Take");
        // The game without doubles; after it, who trails has nothing to lose.
        let crawford = board(Question::Roll, 5, (2, 4), 1);
        assert_eq!(offer(&crawford, &single(0.6)), CubeAction::Roll);
        assert_eq!(offer(&Board { post_crawford: true, ..crawford }, &single(-0.2)), CubeAction::Double);
        // The leader has little to lose by taking then, and much by dropping.
        let doubled = Board { post_crawford: true, ..board(Question::Double, 5, (2, 4), 1) };
        assert_eq!(answer(&doubled, &gammons(0.0, 0.26, 0.26)), CubeAction::Take);
        // However far behind somebody is, a game that is as good as lost is worth a double, and a good one no drop.
        let behind = board(Question::Double, 25, (0, 23), 1);
        assert_eq!([-0.9, 0.9].map(|equity| answer(&behind, &single(equity))), [CubeAction::Take, CubeAction::Drop]);
        // No beavers in matches, nor where the rules have none.
        assert_eq!(answer(&board(Question::Double, 7, (0, 0), 1), &single(-0.5)), CubeAction::Take);
        let without = Board { beavers: Some(false), ..board(Question::Double, 0, (0, 0), 1) };
        assert_eq!(answer(&without, &single(-0.5)), CubeAction::Take);
    }

    #[test]
    fn an_outlook_is_of_the_chances() {
        let part = |percent: i32| Chances::ONE / 100 * percent;
        let chances = Chances {
            win: part(60),
            win_gammon: part(15),
            win_backgammon: part(3),
            lose_gammon: part(10),
            lose_backgammon: 0,
        };
        let outlook = Outlook::new(0.28, chances);
        let close = |one: Shares, other: Shares| one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-6);
        assert!(close(outlook.wins.mover, [0.75, 0.2, 0.05]) && close(outlook.wins.opponent, [0.75, 0.25, 0.0]));
        // 0.6 wins of 1.3 points and 0.4 losses of 1.25 are worth 0.28.
        assert!((outlook.chance() - 0.6).abs() < 1e-6);
        assert!(close(Outlook::new(-1.0, Chances::default()).wins.mover, [1.0, 0.0, 0.0]));
    }

    /// With every point that somebody has less to go the match is nearer, before the game without doubles and after it.
    #[test]
    fn chances_of_a_match_rise_with_every_point() {
        for post_crawford in [false, true] {
            let chance = |needs: u32, opponent_needs: u32| {
                let (length, scores) = (40, (40 - needs, 40 - opponent_needs));
                let board = Board { post_crawford, ..board(Question::Roll, length, scores, 1) };
                Stakes::of(&board, &single(0.0)).match_chance(needs, opponent_needs)
            };
            for one in 1..40 {
                for other in 1..40 {
                    assert!((chance(one, other) + chance(other, one) - 1.0).abs() < 1e-9, "{one} {other}");
                    // After that game the score one point nearer belongs to another game of the match.
                    if !post_crawford || one.min(other) == 1 && one.max(other) > 2 {
                        let (one, other) = (one.min(other), one.max(other));
                        assert!(chance(one, other + 1) > chance(one, other), "{one} {other} {post_crawford}");
                    }
                    if !post_crawford {
                        assert!(chance(one, other) > chance(one + 1, other), "{one} {other}");
                    }
                }
            }
        }
    }

    /// Whatever the score, the cube and the value: an answer, and one that does not waver as the value rises.
    #[test]
    fn every_score_has_an_answer_that_rises_with_the_value() {
        for length in [0_u32, 1, 2, 3, 5, 7, 25, 1000] {
            for cube in [1, 2, 4, 64, 1 << 20] {
                for scores in [(0, 0), (length, 0), (0, length + 9), (length.saturating_sub(1), 1)] {
                    for (won, lost) in [(0.0, 0.0), (0.25, 0.2), (0.9, 0.0), (0.0, 1.0)] {
                        let drops = |step: i32| {
                            let (asked, outlook) = (
                                board(Question::Double, length, scores, cube),
                                gammons(f64::from(step) / 20.0, won, lost),
                            );
                            offer(&Board { question: Question::Roll, ..asked }, &outlook);
                            answer(&asked, &outlook) == CubeAction::Drop
                        };
                        let answers: Vec<bool> = (-60..=60).map(drops).collect();
                        assert!(answers.is_sorted(), "{length} {cube} {scores:?} {won} {lost}: {answers:?}");
                    }
                }
            }
        }
        for equity in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            offer(&board(Question::Roll, 0, (0, 0), 1), &single(equity));
            answer(&board(Question::Double, 0, (0, 0), 1), &single(equity));
        }
    }
}
