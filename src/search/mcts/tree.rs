//! The tree that a search by chance grows: nodes in one block of memory of bounded size, each with what simulations through it
//! brought and what is proven of it.

use crate::game::{Bounds, Step, Value};

/// The place of a node in its tree.
pub(super) type NodeId = u32;

/// A node. Values are in the view of who chose the step that led to it: the mover of its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// What led here from the parent; meaningless at the root.
    pub step: Step<M>,
    /// Of an outcome: its weight.
    pub weight: u32,
    /// Children stand side by side, from this one on.
    pub first: NodeId,
    /// How many; none before the node is expanded.
    pub children: u32,
    /// Simulations that came through.
    pub visits: u32,
    /// Simulations that made this move later, for the same player (all moves as first).
    pub later_visits: u32,
    pub sum: f64,
    pub later_sum: f64,
    /// What the evaluation says at first sight.
    pub prior: f32,
    /// What is proven.
    pub bounds: Bounds,
    /// The position's hash, once the node is expanded.
    pub hash: u64,
}

impl<M> Node<M> {
    pub fn new(step: Step<M>, weight: u32, bounds: Bounds) -> Node<M> {
        Node {
            step,
            weight,
            first: 0,
            children: 0,
            visits: 0,
            later_visits: 0,
            sum: 0.0,
            later_sum: 0.0,
            prior: 0.0,
            bounds,
            hash: 0,
        }
    }

    /// The mean of all simulations so far, as far as it agrees with what is proven; at first sight where there were none.
    pub fn mean(&self) -> f64 {
        let mean = if self.visits == 0 { f64::from(self.prior) } else { self.sum / f64::from(self.visits) };
        mean.clamp(self.bounds.lo.to_f64(), self.bounds.hi.to_f64())
    }

    /// The same as a value.
    pub fn value(&self) -> Value {
        if self.bounds.is_exact() { self.bounds.lo } else { Value::from_f64(self.mean()) }
    }
}

/// A tree.
#[derive(Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<Node<M>>,
    room: usize,
}

/// Nodes that are looked through or copied between two looks at the clock.
const NODES_PER_LOOK: usize = 1024;

/// The root's place.
pub(super) const ROOT: NodeId = 0;

impl<M: Copy> Tree<M> {
    /// A root alone, with room for so many bytes of tree.
    pub fn new(step: Step<M>, bytes: usize) -> Tree<M> {
        let room = (bytes / size_of::<Node<M>>()).clamp(1, NodeId::MAX as usize);
        Tree { nodes: vec![Node::new(step, 1, Bounds::UNKNOWN)], room }
    }

    pub fn node(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<M> {
        &mut self.nodes[id as usize]
    }

    pub fn children(&self, id: NodeId) -> &[Node<M>] {
        let node = self.node(id);
        &self.nodes[node.first as usize..][..node.children as usize]
    }

    pub fn children_mut(&mut self, id: NodeId) -> &mut [Node<M>] {
        let node = *self.node(id);
        &mut self.nodes[node.first as usize..][..node.children as usize]
    }

    /// Give a node its children; nothing happens if there is no room for them.
    pub fn expand(&mut self, id: NodeId, hash: u64, children: impl Iterator<Item = Node<M>>) {
        let first = self.nodes.len();
        self.nodes.extend(children);
        if self.nodes.len() > self.room {
            self.nodes.truncate(first);
            self.room = first;
            return;
        }
        let count = (self.nodes.len() - first) as u32;
        let node = self.node_mut(id);
        (node.first, node.children, node.hash) = (first as NodeId, count, hash);
    }

    /// Whether no node can be expanded any more.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.room
    }

    /// Per mille of the room in use.
    pub fn fill(&self) -> u32 {
        (self.nodes.len() * 1000 / self.room.max(1)) as u32
    }

    /// The node of a hash, if it stands at most `steps` steps from the root and is found while there is `time`.
    pub fn find(&self, hash: u64, steps: usize, time: &dyn Fn() -> bool) -> Option<NodeId> {
        let mut level = vec![ROOT];
        for _ in 0..=steps {
            let mut below = Vec::new();
            for (place, &id) in level.iter().enumerate() {
                if place % NODES_PER_LOOK == NODES_PER_LOOK - 1 && !time() {
                    return None;
                }
                let node = self.node(id);
                if node.children > 0 && node.hash == hash {
                    return Some(id);
                }
                let children = node.first..node.first + node.children;
                below.extend(children.filter(|&id| self.node(id).children > 0));
            }
            level = below;
        }
        None
    }

    /// The tree below one node, with that node as the root. What there is no room or no `time` to copy, from the top down, is
    /// cut off.
    pub fn subtree(self, root: NodeId, bytes: usize, time: &dyn Fn() -> bool) -> Tree<M> {
        let mut copy = Tree::new(self.node(root).step, bytes);
        if root == ROOT && self.nodes.len() <= copy.room {
            return Tree { nodes: self.nodes, room: copy.room };
        }
        copy.nodes[0] = *self.node(root);
        // Nodes that have been copied, but whose children are still the old ones.
        let (mut next, mut late) = (0, false);
        while next < copy.nodes.len() {
            late = late || next % NODES_PER_LOOK == NODES_PER_LOOK - 1 && !time();
            let node = copy.nodes[next];
            let children = &self.nodes[node.first as usize..][..node.children as usize];
            let first = copy.nodes.len();
            if late || first + children.len() > copy.room {
                (copy.nodes[next].children, copy.nodes[next].first) = (0, 0);
            } else {
                copy.nodes.extend_from_slice(children);
                copy.nodes[next].first = first as NodeId;
            }
            next += 1;
        }
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of 4 children a node and so many levels below the root.
    fn grown(levels: u32) -> Tree<()> {
        let mut tree = Tree::new(Step::Outcome(0), 1 << 30);
        let mut level = vec![ROOT];
        for _ in 0..levels {
            for id in std::mem::take(&mut level) {
                tree.expand(id, u64::from(id) + 1, (0..4).map(|i| Node::new(Step::Outcome(i), 1, Bounds::UNKNOWN)));
                level.extend(tree.node(id).first..tree.node(id).first + 4);
            }
        }
        tree
    }

    #[test]
    fn what_there_is_no_time_to_keep_is_cut_off() {
        let all = grown(8).nodes.len();
        assert_eq!(grown(8).subtree(ROOT, 1 << 30, &|| false).nodes.len(), all, "the root stays without a copy");
        let child = grown(8).node(ROOT).first;
        assert_eq!(grown(8).subtree(child, 1 << 30, &|| true).nodes.len(), (all - 1) / 4);
        for (cut, least) in
            [(grown(8).subtree(child, 1 << 30, &|| false), 1024), (grown(8).subtree(child, 1 << 10, &|| true), 2)]
        {
            assert!((least..(all - 1) / 4).contains(&cut.nodes.len()), "{}", cut.nodes.len());
            assert!(cut.nodes.iter().all(|node| (node.first + node.children) as usize <= cut.nodes.len()));
        }
    }

    #[test]
    fn a_node_is_found_by_its_hash() {
        let tree = grown(6);
        let deep = tree.nodes.iter().rposition(|node| node.children > 0).unwrap() as NodeId;
        for id in [ROOT, 1, 4, deep] {
            assert_eq!(tree.find(tree.node(id).hash, 8, &|| true), Some(id));
        }
        assert_eq!(tree.find(tree.node(deep).hash, 4, &|| true), None, "too far down");
        assert_eq!(tree.find(0, 8, &|| false), None);
    }
}
