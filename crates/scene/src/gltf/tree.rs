//! The node hierarchy, which must be a forest in glTF.

use super::check::{called, forbidden, in_range};
use crate::{Error, Scene};

/// The parents of all nodes.
pub(super) struct Tree {
    /// The parent of each node.
    parents: Vec<Option<usize>>,
}

impl Tree {
    /// Checks that all nodes exist and have at most one parent, that roots have none, and that no node is its own
    /// ancestor.
    pub(super) fn new(scene: &Scene) -> Result<Self, Error> {
        let count = scene.nodes.len();
        let place =
            |index: usize| called("node", index, scene.nodes.get(index).map_or("", |node| &node.name));
        let mut parents = vec![None; count];
        for (index, node) in scene.nodes.iter().enumerate() {
            for child in &node.children {
                let child = in_range(child.0, count, || format!("{}, children", place(index)))?;
                if let Some(parent) = parents.get_mut(child).and_then(|parent| parent.replace(index)) {
                    let problem = format!("it is a child of both {} and {}", place(parent), place(index));
                    return Err(forbidden(place(child), problem));
                }
            }
        }
        let tree = Self { parents };
        let mut is_root = vec![false; count];
        for root in &scene.roots {
            let root = in_range(root.0, count, || "roots".into())?;
            if tree.parent(root).is_some() {
                return Err(forbidden(place(root), "it is a root and a child of another node"));
            }
            if is_root.get_mut(root).is_some_and(|is_root| std::mem::replace(is_root, true)) {
                return Err(forbidden(place(root), "it is listed as a root twice"));
            }
        }
        for root in scene.collections.iter().flat_map(|collection| &collection.roots) {
            let is_root = is_root.get(root.0).copied().unwrap_or_default();
            if !is_root {
                return Err(forbidden("collections", "a node is not a root of the scene"));
            }
        }
        match tree.find_cycle(scene) {
            Some(index) => Err(forbidden(place(index), "it is its own ancestor")),
            None => Ok(tree),
        }
    }

    /// Returns a node that is unreachable from the nodes without a parent: since no node has two parents, it is in a
    /// cycle or below one.
    fn find_cycle(&self, scene: &Scene) -> Option<usize> {
        let mut reached = vec![false; self.parents.len()];
        let mut stack: Vec<usize> =
            (0..self.parents.len()).filter(|index| self.parent(*index).is_none()).collect();
        while let Some(index) = stack.pop() {
            if let Some(reached) = reached.get_mut(index) {
                *reached = true;
            }
            stack.extend(
                scene.nodes.get(index).into_iter().flat_map(|node| &node.children).map(|child| child.0),
            );
        }
        reached.iter().position(|reached| !reached)
    }

    /// Returns the parent of a node.
    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        self.parents.get(index).copied().flatten()
    }

    /// Returns the topmost ancestor of a node, or the node itself if it has no parent.
    pub(super) fn top(&self, index: usize) -> usize {
        let mut top = index;
        while let Some(parent) = self.parent(top) {
            top = parent;
        }
        top
    }

    /// Whether `above` is the node itself or one of its ancestors.
    pub(super) fn is_above(&self, above: usize, index: usize) -> bool {
        std::iter::successors(Some(index), |index| self.parent(*index)).any(|index| index == above)
    }
}
