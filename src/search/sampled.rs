//! A game with fewer outcomes, for searches by chance: each chance node keeps a sample of them.
//!
//! Kearns, Mansour & Ng (2002) plan in processes too large to enumerate by drawing a fixed number of successors, the width, at
//! every chance node, and searching the tree of samples in full: sparse sampling. How near that comes to the true value depends on
//! width and depth, not on how many outcomes there are. Lanctot, Saffidine, Veness, Archibald & Winands (2013) search the same tree
//! with the windows of *-minimax: Monte-Carlo *-minimax search, the same value for fewer nodes.
//!
//! Here the sample of a node is a pure function of its position, so that the tree of samples is a game of its own: the first search
//! is Expectimax of that game, the second Star2, and each has the other's value.

use crate::eval::{Evaluator, Stepwise};
use crate::game::{Game, Key, Kind, Moves, Outcome, Player, Random, Shortcuts, Step, Turn, Value, mix};

/// A position of a game whose chance nodes, but for the root, keep only a sample of their outcomes.
#[derive(Clone)]
pub(super) struct Sampled<G> {
    game: G,
    /// Draws a chance node, with replacement.
    width: u32,
    /// Whether this is the root, of whose outcomes each one is wanted.
    root: bool,
}

/// Keeps apart in the table what is known of samples from what is known of the game.
const SALT: u64 = 0x5a3d_91c7_6e20_b8f4;

impl<G: Game> Sampled<G> {
    pub fn new(game: &G, width: u32) -> Sampled<G> {
        Sampled { game: game.clone(), width: width.max(1), root: true }
    }
}

impl<G: Game> Game for Sampled<G> {
    type Move = G::Move;
    type MoveCapacity = G::MoveCapacity;
    type OutcomeCapacity = G::OutcomeCapacity;
    const POINTS: u32 = G::POINTS;

    fn kind(&self) -> Kind {
        self.game.kind()
    }

    fn mover(&self) -> Player {
        self.game.mover()
    }

    fn moves(&self) -> Moves<Self> {
        self.game.moves()
    }

    /// Those that were drawn, with the number of times as their weights; all of them where they are no more than the draws.
    fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let mut drawn: Vec<Outcome> = self.game.outcomes().collect();
        if !self.root && drawn.len() > self.width as usize {
            let mut random = Random::new(self.game.key(false, 0).hash);
            let all = std::mem::take(&mut drawn);
            for _ in 0..self.width {
                let Some(id) = random.outcome(all.iter().copied()) else { break };
                match drawn.iter_mut().find(|outcome| outcome.id == id) {
                    Some(outcome) => outcome.weight += 1,
                    None => drawn.push(Outcome { id, weight: 1 }),
                }
            }
        }
        drawn.into_iter()
    }

    fn play(&mut self, mv: G::Move) {
        self.root = false;
        self.game.play(mv);
    }

    fn resolve(&mut self, outcome: u8) {
        self.root = false;
        self.game.resolve(outcome);
    }

    /// Mirror images have samples of their own.
    fn key(&self, _images: bool, depth: u32) -> Key {
        let salt = mix(SALT ^ u64::from(self.width) << 1 ^ u64::from(self.root));
        Key { hash: self.game.key(false, depth).hash ^ salt, frame: 0 }
    }

    fn code(mv: G::Move) -> u16 {
        G::code(mv)
    }
}

/// What the rules say of the game's own outcomes says nothing of a sample, so there are no bounds.
impl<G: Shortcuts> Shortcuts for Sampled<G> {
    fn turn(&self, step: Step<G::Move>, child: &Self) -> Turn {
        self.game.turn(step, &child.game)
    }
}

/// An evaluation of the game as one of the sampled game.
pub(super) struct SampledEvaluator<'e, E>(pub &'e E);

impl<G: Shortcuts, E: Evaluator<G>> Evaluator<Sampled<G>> for SampledEvaluator<'_, E> {
    type State = E::State;

    fn state(&self, game: &Sampled<G>) -> E::State {
        self.0.state(&game.game)
    }

    fn advance(&self, state: &mut E::State, game: &Sampled<G>, step: Step<G::Move>, next: &Sampled<G>) {
        self.0.advance(state, &game.game, step, &next.game);
    }

    fn value(&self, state: &E::State, game: &Sampled<G>) -> Value {
        self.0.value(state, &game.game)
    }

    type Children<'a>
        = Stepwise<'a, Sampled<G>, Self>
    where
        Self: 'a,
        G: 'a;

    fn children<'a>(&'a self, state: &'a E::State, game: &'a Sampled<G>) -> Self::Children<'a> {
        Stepwise::new(self, state, game)
    }

    fn ignores_outcomes(&self) -> bool {
        self.0.ignores_outcomes()
    }
}
