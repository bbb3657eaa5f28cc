//! A position of any game, in words alone: for referees, boards and whoever keeps records.

use super::{Fault, GameResult, Kind, Notation, Player, Step, read_plies};

/// A position of some game.
pub trait AnyPosition: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// The greatest result of a game, in points.
    fn points(&self) -> u32;

    /// What kind of node it is.
    fn kind(&self) -> Kind;

    /// Who is to choose, or to roll.
    fn mover(&self) -> Player;

    /// Whether chance belongs to the move before it.
    fn chance_follows(&self) -> bool;

    /// The legal moves of a decision; none elsewhere.
    fn moves(&self) -> Vec<String>;

    /// What chance may bring, with weights; nothing at a decision.
    fn faces(&self) -> Vec<(String, u32)>;

    /// What a seed brings at a ply: a face; `None` where chance has no say.
    fn chance(&self, seed: u64, ply: u32) -> Option<String>;

    /// Make a move.
    fn play(&mut self, text: &str) -> Result<(), Fault>;

    /// Let chance bring a face.
    fn resolve(&mut self, text: &str) -> Result<(), Fault>;

    /// Play a whole ply.
    fn play_ply(&mut self, ply: &str) -> Result<(), Fault>;

    /// How the game ended, if it has.
    fn result(&self) -> Option<GameResult>;

    /// The position as it is written.
    fn fen(&self) -> String;

    /// The position in every notation of the game: the word before it, and the text.
    fn notations(&self) -> Vec<(&'static str, String)>;

    /// What a player is called.
    fn player_name(&self, player: Player) -> &'static str;

    /// The position for people.
    fn draw(&self, colour: bool, last: Option<&str>) -> String;

    /// Another one like it.
    fn boxed(&self) -> Box<dyn AnyPosition>;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Box<dyn AnyPosition> {
        self.boxed()
    }
}

impl<G: Notation> AnyPosition for G {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn points(&self) -> u32 {
        G::POINTS
    }

    fn kind(&self) -> Kind {
        G::kind(self)
    }

    fn mover(&self) -> Player {
        G::mover(self)
    }

    fn chance_follows(&self) -> bool {
        G::CHANCE_FOLLOWS
    }

    fn moves(&self) -> Vec<String> {
        match G::kind(self) {
            Kind::Decision => G::moves(self).iter().map(|&mv| self.move_text(mv)).collect(),
            _ => Vec::new(),
        }
    }

    fn faces(&self) -> Vec<(String, u32)> {
        match G::kind(self) {
            Kind::Chance => G::faces(self).into_iter().map(|face| (self.outcome_text(face.id), face.weight)).collect(),
            _ => Vec::new(),
        }
    }

    fn chance(&self, seed: u64, ply: u32) -> Option<String> {
        match G::kind(self) {
            Kind::Chance => G::chance(self, seed, ply).map(|face| self.outcome_text(face)),
            _ => None,
        }
    }

    fn play(&mut self, text: &str) -> Result<(), Fault> {
        let mv = self.parse_move(text)?;
        G::play(self, mv);
        Ok(())
    }

    fn resolve(&mut self, text: &str) -> Result<(), Fault> {
        let face = self.parse_outcome(text)?;
        if G::kind(self) == Kind::Chance {
            *self = self.child(Step::Outcome(face));
        }
        Ok(())
    }

    fn play_ply(&mut self, ply: &str) -> Result<(), Fault> {
        let (_, next) = read_plies(self, std::iter::once(ply))?;
        *self = next;
        Ok(())
    }

    fn result(&self) -> Option<GameResult> {
        G::result(self)
    }

    fn fen(&self) -> String {
        G::fen(self)
    }

    fn notations(&self) -> Vec<(&'static str, String)> {
        let keywords = std::iter::once("fen").chain(G::KEYWORDS.iter().copied());
        keywords.map(|keyword| (keyword, self.write(keyword))).collect()
    }

    fn player_name(&self, player: Player) -> &'static str {
        G::player_name(self, player)
    }

    fn draw(&self, colour: bool, last: Option<&str>) -> String {
        G::draw(self, colour, last)
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
}
