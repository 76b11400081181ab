//! The hierarchy of meshes: names become indices into the list of meshes.
//!
//! - A mesh that the model lists as a root has no parent. Missing roots are ignored; if none is left, the first mesh is the root.
//! - A parent is the first mesh with its name that is not the child itself.
//! - If parents form a cycle, the first mesh of the cycle has no parent.
//! - Meshes that are not attached to a root are posed, but not drawn.
//!
//! Source: the behavior of most readers of such models. It is not documented.

use std::collections::BTreeMap;

use crate::rsm::Rsm;

/// The hierarchy of meshes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    parents: Vec<Option<usize>>,
    roots: Vec<usize>,
    order: Vec<usize>,
    drawn: Vec<bool>,
    defects: Vec<HierarchyDefect>,
}

/// A defect of the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HierarchyDefect {
    /// A mesh has the name of an earlier one.
    SameName {
        /// The mesh.
        mesh: usize,
        /// The first mesh with the name.
        first: usize,
    },
    /// The model lists a root that does not exist.
    RootMissing {
        /// Its index in the list of roots.
        root: usize,
    },
    /// No listed root exists: the first mesh is used.
    NoRoot,
    /// The parent of a mesh does not exist.
    ParentMissing {
        /// The mesh.
        mesh: usize,
    },
    /// The parents of meshes form a cycle, which is broken at this one.
    Cycle {
        /// The mesh that now has no parent.
        mesh: usize,
    },
    /// A mesh is not attached to a root, so it is not drawn.
    NotDrawn {
        /// The mesh.
        mesh: usize,
    },
}

impl Hierarchy {
    /// Resolves the names of a model, in time proportional to the number of meshes regardless of the hierarchy.
    #[must_use]
    pub fn of(model: &Rsm) -> Self {
        let mut out = Self {
            parents: vec![None; model.meshes.len()],
            roots: Vec::new(),
            order: Vec::new(),
            drawn: vec![false; model.meshes.len()],
            defects: Vec::new(),
        };
        // The first two meshes with each name: the second is used by a child that is itself the first.
        let mut named: BTreeMap<&[u8], (usize, Option<usize>)> = BTreeMap::new();
        for (mesh, name) in model.meshes.iter().map(|mesh| mesh.name.bytes()).enumerate() {
            match named.get_mut(name) {
                None => {
                    named.insert(name, (mesh, None));
                }
                Some((first, second)) => {
                    second.get_or_insert(mesh);
                    out.defects.push(HierarchyDefect::SameName { mesh, first: *first });
                }
            }
        }
        out.find_roots(model, &named);
        out.find_parents(model, &named);
        out.break_cycles();
        out.sort();
        out
    }

    fn find_roots(&mut self, model: &Rsm, named: &BTreeMap<&[u8], (usize, Option<usize>)>) {
        let mut seen = vec![false; model.meshes.len()];
        for (root, name) in model.roots.iter().enumerate() {
            match named.get(name.bytes()) {
                None => self.defects.push(HierarchyDefect::RootMissing { root }),
                Some((mesh, _)) => {
                    if seen.get_mut(*mesh).is_some_and(|seen| !std::mem::replace(seen, true)) {
                        self.roots.push(*mesh);
                    }
                }
            }
        }
        if self.roots.is_empty() && !model.meshes.is_empty() {
            self.roots.push(0);
            self.defects.push(HierarchyDefect::NoRoot);
        }
    }

    fn find_parents(&mut self, model: &Rsm, named: &BTreeMap<&[u8], (usize, Option<usize>)>) {
        for root in &self.roots {
            if let Some(drawn) = self.drawn.get_mut(*root) {
                *drawn = true;
            }
        }
        for (mesh, (parent, is_root)) in self.parents.iter_mut().zip(&self.drawn).enumerate() {
            let name = model.meshes.get(mesh).map(|mesh| mesh.parent.bytes()).unwrap_or_default();
            if *is_root || name.is_empty() {
                continue;
            }
            *parent = match named.get(name) {
                Some((first, second)) if *first == mesh => *second,
                Some((first, _)) => Some(*first),
                None => None,
            };
            if parent.is_none() {
                self.defects.push(HierarchyDefect::ParentMissing { mesh });
            }
        }
    }

    /// Breaks each cycle at the first of its meshes.
    fn break_cycles(&mut self) {
        /// Mark of a mesh that no walk has visited.
        const UNVISITED: usize = 0;
        let mut marks = vec![UNVISITED; self.parents.len()];
        let parent = |parents: &[Option<usize>], mesh: usize| parents.get(mesh).copied().flatten();
        let mut cuts = Vec::new();
        for start in 0..self.parents.len() {
            let walk = start.saturating_add(1);
            let mut at = Some(start);
            while let Some(mesh) = at {
                let Some(mark) = marks.get_mut(mesh) else { break };
                if *mark == walk {
                    // The walk is in a cycle. Goes around once more to find the first mesh of the cycle.
                    let mut first = mesh;
                    let mut next = parent(&self.parents, mesh);
                    while let Some(other) = next.filter(|other| *other != mesh) {
                        first = first.min(other);
                        next = parent(&self.parents, other);
                    }
                    cuts.push(first);
                    break;
                }
                if *mark != UNVISITED {
                    break;
                }
                *mark = walk;
                at = parent(&self.parents, mesh);
            }
        }
        cuts.sort_unstable();
        for mesh in cuts {
            if let Some(parent) = self.parents.get_mut(mesh) {
                *parent = None;
            }
            self.defects.push(HierarchyDefect::Cycle { mesh });
        }
    }

    /// Sorts parents before children: first the descendants of the roots, then the others.
    fn sort(&mut self) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.parents.len()];
        for (mesh, parent) in self.parents.iter().enumerate().rev() {
            if let Some(children) = parent.and_then(|parent| children.get_mut(parent)) {
                children.push(mesh);
            }
        }
        let mut todo: Vec<usize> = self.roots.iter().rev().copied().collect();
        while let Some(mesh) = todo.pop() {
            self.order.push(mesh);
            if let Some(drawn) = self.drawn.get_mut(mesh) {
                *drawn = true;
            }
            todo.extend(children.get(mesh).into_iter().flatten());
        }
        for mesh in 0..self.parents.len() {
            if self.parent(mesh).is_none() && !self.is_drawn(mesh) {
                todo.push(mesh);
                while let Some(mesh) = todo.pop() {
                    self.order.push(mesh);
                    todo.extend(children.get(mesh).into_iter().flatten());
                }
            }
        }
        let hidden = self.drawn.iter().enumerate().filter(|(_, drawn)| !**drawn);
        self.defects.extend(hidden.map(|(mesh, _)| HierarchyDefect::NotDrawn { mesh }));
    }

    /// The parent of a mesh.
    #[must_use]
    pub fn parent(&self, mesh: usize) -> Option<usize> {
        self.parents.get(mesh).copied().flatten()
    }

    /// The roots, in the model's order.
    #[must_use]
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// All meshes, parents first.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether a mesh is attached to a root, so that it is drawn.
    #[must_use]
    pub fn is_drawn(&self, mesh: usize) -> bool {
        self.drawn.get(mesh).copied().unwrap_or_default()
    }

    /// The defects of the hierarchy.
    #[must_use]
    pub fn defects(&self) -> &[HierarchyDefect] {
        &self.defects
    }
}
