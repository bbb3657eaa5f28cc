//! Games in the format of Jellyfish (`.mat`), which every backgammon program reads: two columns, a line a move of each.

use crate::steps::steps;
use alea::game::backgammon::Position;
use alea::game::{Fault, Game, Notation, Player, Step};

/// The game of these plies from the start position, played for money by two players; who is named first moves first.
pub fn write(names: [&str; 2], plies: &[String]) -> Result<String, Fault> {
    let mut text = format!(" 0 point match\n\n Game 1\n {:<32}{} : 0\n", format!("{} : 0", names[0]), names[1]);
    let mut position = Position::opening();
    for (number, ply) in plies.iter().enumerate() {
        let (roll, word) = ply.split_once(':').ok_or_else(|| Fault::new(ply, "expected a ply, roll:move"))?;
        position = position.child(Step::Outcome(position.parse_outcome(roll)?));
        let mv = Notation::parse_move(&position, word)?;
        let moved: Vec<String> = steps(&position, mv).iter().map(|(from, to)| format!("{from}/{to}")).collect();
        position = position.child(Step::Move(mv));
        let column = format!("{roll}: {}", moved.join(" "));
        text.push_str(&match number % 2 {
            0 => format!("{:>3}) {column:<28}", number / 2 + 1),
            _ => format!("{}\n", column.trim_end()),
        });
    }
    if let Some(win) = position.win() {
        let points = if win.points == 1 { "1 point".to_string() } else { format!("{} points", win.points) };
        text.push_str(match (plies.len() % 2, win.winner) {
            (1, Player::First) => "\n      ",
            (0, Player::First) => "      ",
            (1, Player::Second) => "",
            _ => "                                  ",
        });
        text.push_str(&format!("Wins {points}\n"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stand_in_two_columns() {
        let plies = ["31:8/5,6/5", "65:24/13", "33:8/5(2),6/3(2)"].map(String::from);
        let expected = " 0 point match\n\n Game 1\n A : 0                           B : 0\n\
                        \x20 1) 31: 8/5 6/5                 65: 24/18 18/13\n  2) 33: 8/5 8/5 6/3 6/3         ";
        assert_eq!(write(["A", "B"], &plies).unwrap().trim_end(), expected.trim_end());
        assert!(write(["A", "B"], &["31".to_string()]).unwrap_err().to_string().contains("'31'"));
        assert!(write(["A", "B"], &["31:9/5,6/5".to_string()]).is_err());
    }
}
