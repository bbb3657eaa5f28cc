//! What `help` prints: it fits a screen.

/// The list of commands.
pub const HELP: &str = "\
Commands (protocol.md has the whole story; play with position, go, d):
  setoption name Game value G  dice, einstein, backgammon or darkchess
  uci, ugi                     name the engine and its options
  isready                      answer readyok, even while searching
  ucinewgame                   forget everything learnt
  setoption name N [value V]   set an option
  position startpos [n k] [moves PLY...] [roll R]
  position fen FEN [moves PLY...] [roll R]
                               in Dice a PLY is 2:d3; rolls count from 0
  go [depth N] [movetime MS] [nodes N] [infinite] [searchmoves MOVE...]
     [p1time MS] [p2time MS] [p1inc MS] [p2inc MS] [movestogo N]
  go perft N                   count the lines of N rolls and moves
  go rollout N [depth D]       play each move on N times by shallow search
  stop                         end the search now
  query p1turn|gameover|result|moves|rolls|fen
  d, eval                      draw the board; show its static value
  bench                        the fixed benchmark
  quit                         leave
Try:  position startpos 5 4 roll 2
      d
      go depth 9";

#[cfg(test)]
mod tests {
    use super::HELP;

    #[test]
    fn help_fits_a_screen() {
        assert!(HELP.lines().count() <= 24);
        assert!(HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
