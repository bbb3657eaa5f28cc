//! One simulation after another: down the tree, one node more, a value for it, and back up.
//!
//! Decisions are chosen by UCB1 (Kocsis & Szepesvári 2006), helped by moves made later in simulations (RAVE: Gelly & Silver
//! 2007) and by the evaluation at first sight. At chance nodes the outcome that lags furthest behind its weight is taken, so
//! that samples are as even as they can be. Ends are proven as in MCTS-Solver (Winands et al. 2008), with bounds in place of
//! wins and losses: a chance node's are the means of its outcomes', and outcomes that are proven need no more samples.

use super::super::chance::mean;
use super::super::limits::Sampling;
use super::super::window::before;
use super::tree::{Node, NodeId, ROOT, Tree};
use crate::eval::{ChildEvaluator, Evaluator};
use crate::game::{Bounds, Kind, Outcome, Player, Random, Shortcuts, Step, Trace, Turn, Value, mix};

/// The depth at which the rules are asked what they know: that of the whole game.
pub(super) const WHOLE_GAME: u32 = 1000;

/// A node on the way down.
#[derive(Clone, Copy)]
struct Passed {
    id: NodeId,
    /// Whether its view is another than its parent's.
    turn: Turn,
    /// Who chooses there; nobody at a chance node.
    chooser: Option<Player>,
    /// The value of the proven move that would have been chosen, had there been nothing to learn from another.
    instead: Option<f64>,
}

/// What is simulated, and what came of it so far.
pub(super) struct Simulator<'a, G: Shortcuts, E: Evaluator<G>> {
    pub tree: Tree<G::Move>,
    game: &'a G,
    state: E::State,
    evaluator: &'a E,
    sampling: Sampling,
    random: Random,
    path: Vec<Passed>,
    /// Nodes entered in the tree.
    pub nodes: u64,
    pub evaluations: u64,
    pub simulations: u64,
    /// Steps from the root to leaves, over all simulations.
    pub steps: u64,
    pub deepest: usize,
}

/// The position and evaluation state where a simulation stands.
struct Place<G, S> {
    game: G,
    state: S,
}

impl<'a, G: Shortcuts, E: Evaluator<G>> Simulator<'a, G, E> {
    pub fn new(game: &'a G, evaluator: &'a E, sampling: Sampling, tree: Tree<G::Move>, seed: u64) -> Self {
        Simulator {
            tree,
            game,
            state: evaluator.state(game),
            evaluator,
            sampling,
            random: Random::new(seed),
            path: Vec::new(),
            nodes: 0,
            evaluations: 0,
            simulations: 0,
            steps: 0,
            deepest: 0,
        }
    }

    /// Expand the root, leaving out moves that are not to be looked at.
    pub fn begin(&mut self, search_moves: &[G::Move]) {
        if self.tree.node(ROOT).children == 0 {
            let place = Place { game: self.game.clone(), state: self.state.clone() };
            self.expand(ROOT, &place, search_moves);
        }
    }

    /// One simulation.
    pub fn run(&mut self) {
        let mut place = Place { game: self.game.clone(), state: self.state.clone() };
        let mut trace = Trace::EMPTY;
        self.path.clear();
        self.enter(ROOT, Turn::Kept, &place.game);
        loop {
            let id = self.path.last().map_or(ROOT, |passed| passed.id);
            let node = self.tree.node(id);
            if node.bounds.is_exact() {
                break;
            }
            if node.children == 0 && (node.visits == 0 || !self.expand(id, &place, &[])) {
                break;
            }
            let chosen = match place.game.kind() {
                Kind::Chance => self.choose_outcome(id),
                _ => self.choose_move(id),
            };
            self.descend(chosen, &mut place, &mut trace);
        }
        let value = self.leaf_value(&place, &mut trace);
        self.simulations += 1;
        self.steps += self.path.len() as u64 - 1;
        self.deepest = self.deepest.max(self.path.len() - 1);
        self.back_up(value, &trace);
    }

    fn enter(&mut self, id: NodeId, turn: Turn, game: &G) {
        self.nodes += 1;
        let chooser = (game.kind() == Kind::Decision).then(|| game.mover());
        self.path.push(Passed { id, turn, chooser, instead: None });
    }

    /// Take the step to a child.
    fn descend(&mut self, id: NodeId, place: &mut Place<G, E::State>, trace: &mut Trace) {
        let step = self.tree.node(id).step;
        let next = place.game.child(step);
        let turn = place.game.turn(step, &next);
        if let Step::Move(mv) = step {
            trace.note(place.game.mover(), G::code(mv));
        }
        if self.sampling.evaluates() {
            place.state = self.evaluator.advanced(&place.state, &place.game, step, &next);
        }
        place.game = next;
        self.enter(id, turn, &place.game);
        let node = self.tree.node_mut(id);
        if node.visits == 0 {
            let known = match place.game.kind() {
                Kind::Over(value) => Bounds::exactly(value),
                _ => place.game.bounds(WHOLE_GAME),
            };
            node.bounds = node.bounds.meet(known.before(turn));
        }
    }

    /// Give a node its children. Whether it has any now.
    fn expand(&mut self, id: NodeId, place: &Place<G, E::State>, only: &[G::Move]) -> bool {
        if self.tree.is_full() {
            return false;
        }
        let game = &place.game;
        let hash = game.key(false, WHOLE_GAME).hash;
        match game.kind() {
            Kind::Over(_) => return false,
            Kind::Chance => {
                let child =
                    |(outcome, bounds): (Outcome, Bounds)| Node::new(Step::Outcome(outcome.id), outcome.weight, bounds);
                self.tree.expand(id, hash, game.bounded_outcomes(WHOLE_GAME).map(child));
            }
            Kind::Decision => {
                let moves = game.moves();
                let wanted = moves.iter().filter(|mv| only.is_empty() || only.contains(mv));
                let child = |&mv: &G::Move| Node::new(Step::Move(mv), 1, Bounds::UNKNOWN);
                self.tree.expand(id, hash, wanted.map(child));
                if self.sampling.prior > 0 {
                    self.look_ahead(id, place);
                }
            }
        }
        self.tree.node(id).children > 0
    }

    /// Evaluate all children of a decision at first sight.
    fn look_ahead(&mut self, id: NodeId, place: &Place<G, E::State>) {
        let game = &place.game;
        let children = self.evaluator.children(&place.state, game);
        let quiet = game.is_quiet() && game.bounds(1) == Bounds::UNKNOWN;
        self.evaluations += u64::from(self.tree.node(id).children);
        for node in self.tree.children_mut(id) {
            let Step::Move(mv) = node.step else { continue };
            let over = if quiet {
                None
            } else {
                let child = game.child(node.step);
                match child.kind() {
                    Kind::Over(value) => Some(before(value, game.turn(node.step, &child))),
                    _ => None,
                }
            };
            node.prior = over.unwrap_or_else(|| children.value_after(mv)).to_f64() as f32;
            if let Some(value) = over {
                node.bounds = Bounds::exactly(value);
            }
        }
    }

    /// The undecided outcome that lags furthest behind its weight; at first, in an order that is each node's own.
    fn choose_outcome(&self, id: NodeId) -> NodeId {
        let parent = self.tree.node(id);
        let mut least = (f64::INFINITY, parent.first);
        for (child, node) in (parent.first..).zip(self.tree.children(id)) {
            if node.bounds.is_exact() {
                continue;
            }
            let head_start = (mix(parent.hash ^ u64::from(child - parent.first)) >> 11) as f64 / (1_u64 << 53) as f64;
            let share = (f64::from(node.visits) + head_start) / f64::from(node.weight);
            if share < least.0 {
                least = (share, child);
            }
        }
        least.1
    }

    /// The move with the greatest upper confidence bound, of those that may still be the best. Where that one is proven, the
    /// simulation goes on with another, from which there is something to learn, but does not count it.
    fn choose_move(&mut self, id: NodeId) -> NodeId {
        let parent = self.tree.node(id);
        let children = self.tree.children(id);
        let floor = children.iter().map(|node| node.bounds.lo).max().unwrap_or(Value::LOSS);
        let log = f64::from(parent.visits.max(1)).ln();
        let (mut best, mut open) = ((f64::NEG_INFINITY, parent.first), (f64::NEG_INFINITY, parent.first));
        for (child, node) in (parent.first..).zip(children) {
            if node.bounds.hi <= floor && node.bounds.lo < floor {
                continue;
            }
            let score = self.upper_confidence_bound(node, log);
            if score > best.0 {
                best = (score, child);
            }
            if score > open.0 && !node.bounds.is_exact() {
                open = (score, child);
            }
        }
        let chosen = self.tree.node(best.1).bounds;
        if chosen.is_exact()
            && open.0 > f64::NEG_INFINITY
            && let Some(passed) = self.path.last_mut()
        {
            passed.instead = Some(chosen.lo.to_f64());
            return open.1;
        }
        best.1
    }

    fn upper_confidence_bound(&self, node: &Node<G::Move>, log: f64) -> f64 {
        let Sampling { exploration, rave, prior, .. } = self.sampling;
        let (visits, prior) = (f64::from(node.visits), f64::from(prior));
        let known = visits + prior;
        let later = f64::from(node.later_visits);
        if known + later == 0.0 {
            // Every move once before any move twice.
            return f64::MAX;
        }
        let own = if known == 0.0 { 0.0 } else { (node.sum + prior * f64::from(node.prior)) / known };
        let rave = f64::from(rave);
        let share = if later == 0.0 { 0.0 } else { (rave / (3.0 * known + rave)).sqrt() };
        let mean = if later == 0.0 { own } else { (1.0 - share) * own + share * node.later_sum / later };
        let mean = mean.clamp(node.bounds.lo.to_f64(), node.bounds.hi.to_f64());
        mean + f64::from(exploration) / 100.0 * (log / (known + 1.0)).sqrt()
    }

    /// The value, for its mover, of the node where a simulation ends.
    fn leaf_value(&mut self, place: &Place<G, E::State>, trace: &mut Trace) -> f64 {
        let Some(&Passed { id, turn, .. }) = self.path.last() else { return 0.0 };
        let bounds = self.tree.node(id).bounds.before(turn);
        if bounds.is_exact() {
            return bounds.lo.to_f64();
        }
        let share = f64::from(self.sampling.playouts.min(100)) / 100.0;
        let mut played = None;
        if share > 0.0 {
            played = place.game.play_out(self.sampling.candidates, &mut self.random, trace).map(Value::to_f64);
        }
        match played {
            Some(played) if share == 1.0 => played,
            _ => {
                self.evaluations += 1;
                let state = if self.sampling.evaluates() { None } else { Some(self.evaluator.state(&place.game)) };
                let seen = self.evaluator.value(state.as_ref().unwrap_or(&place.state), &place.game).to_f64();
                played.map_or(seen, |played| share * played + (1.0 - share) * seen)
            }
        }
    }

    /// Take a value, and what has become certain, from the last node of the path up to the root.
    fn back_up(&mut self, mut value: f64, trace: &Trace) {
        let mut certain = true;
        for i in (0..self.path.len()).rev() {
            let Passed { id, turn, chooser, instead } = self.path[i];
            value = instead.unwrap_or(value);
            match chooser {
                Some(player) if self.sampling.rave > 0 => self.note_later_moves(id, player, value, trace),
                None => value = self.with_proven_outcomes(id, value),
                Some(_) => {}
            }
            certain = certain && self.prove(id, turn, chooser.is_none());
            value = match turn {
                Turn::Kept => value,
                Turn::Passed => -value,
            };
            let node = self.tree.node_mut(id);
            if node.visits < u32::MAX {
                node.visits += 1;
                node.sum += value;
            }
        }
    }

    /// Count a simulation for the moves that the player of a decision made in it sooner or later.
    fn note_later_moves(&mut self, id: NodeId, player: Player, value: f64, trace: &Trace) {
        for node in self.tree.children_mut(id) {
            if let Step::Move(mv) = node.step
                && trace.has(player, G::code(mv))
            {
                node.later_visits = node.later_visits.saturating_add(1);
                node.later_sum += value;
            }
        }
    }

    /// A chance node's value, from a sample of its open outcomes and what is proven of the others.
    fn with_proven_outcomes(&self, id: NodeId, sample: f64) -> f64 {
        let (mut total, mut proven, mut sum) = (0.0, 0.0, 0.0);
        for node in self.tree.children(id) {
            let weight = f64::from(node.weight);
            total += weight;
            if node.bounds.is_exact() {
                proven += weight;
                sum += weight * node.bounds.lo.to_f64();
            }
        }
        if proven == 0.0 || proven == total { sample } else { (sum + (total - proven) * sample) / total }
    }

    /// Take over what its children prove of a node. Whether it may change what is known of its parent.
    fn prove(&mut self, id: NodeId, turn: Turn, chance: bool) -> bool {
        let children = self.tree.children(id);
        let known = match children {
            [] => None,
            _ if chance => Some(mean_of(children)),
            _ => {
                let greatest = |bound: fn(&Node<G::Move>) -> Value| children.iter().map(bound).max();
                let lo = greatest(|node| node.bounds.lo).unwrap_or(Value::LOSS);
                Some(Bounds { lo, hi: greatest(|node| node.bounds.hi).unwrap_or(Value::WIN) })
            }
        };
        // A leaf may have come with bounds from the rules.
        let Some(known) = known else { return true };
        let node = self.tree.node_mut(id);
        let old = node.bounds;
        let Bounds { lo, hi } = old.meet(known.before(turn));
        // Means are rounded: two ways to them may miss each other by a step.
        node.bounds = Bounds { lo: lo.min(hi), hi };
        node.bounds != old
    }
}

/// The bounds of a chance node from those of its outcomes.
fn mean_of<M>(outcomes: &[Node<M>]) -> Bounds {
    let (mut lo, mut hi, mut total, mut exact) = (0, 0, 0, true);
    for node in outcomes {
        let weight = i64::from(node.weight);
        lo += weight * i64::from(node.bounds.lo.raw());
        hi += weight * i64::from(node.bounds.hi.raw());
        total += weight;
        exact &= node.bounds.is_exact();
    }
    if exact {
        return Bounds::exactly(mean(lo, total));
    }
    Bounds { lo: Value::from_raw(lo.div_euclid(total)), hi: Value::from_raw(-(-hi).div_euclid(total)) }
}
