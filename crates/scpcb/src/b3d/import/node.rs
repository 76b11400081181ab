//! Nodes of the model, with their scene nodes and their original nodes.

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;
use glam::DAffine3;
use record::{Error, Result};
use scene::{Node, NodeId};

use super::super::chunk::{self, Chunk, Mesh};
use super::super::kept::Kept;
use super::super::layout::{Bone, Keys, Weight};
use super::super::text::CText;
use super::super::{B3d, MAX_NODES, warning};
use super::base::{Base, Candidates, is_same_transform};
use super::transform::Transform;
use super::{Import, file_rotation};
use crate::import::tree::product;

/// A node of the new model.
#[derive(Debug)]
pub(super) struct OutNode<'a> {
    pub(super) name: String,
    /// The scene node; `None` if the scene does not have one.
    pub(super) source: Option<NodeId>,
    pub(super) parent: Option<usize>,
    pub(super) transform: Transform,
    /// Whether the transform is the original one.
    pub(super) is_kept_transform: bool,
    /// The original node with its index.
    pub(super) base: Option<(usize, &'a chunk::Node)>,
    pub(super) mesh: MeshSource,
    /// Whether the node is a bone.
    pub(super) is_bone: bool,
    /// Weights of the vertices it influences; `None` if the mesh is the original one, which includes the original weights.
    pub(super) weights: Option<Vec<Weight>>,
    pub(super) keys: KeysSource,
}

/// The source of a node's mesh.
#[derive(Debug, Default)]
pub(super) enum MeshSource {
    #[default]
    None,
    /// The original mesh.
    Kept,
    New(Mesh),
}

/// The source of a node's keys.
#[derive(Debug, Default)]
pub(super) enum KeysSource {
    /// The original keys.
    #[default]
    Kept,
    New(Vec<Keys>),
}

/// All nodes of the new model, parents first.
#[derive(Debug)]
pub(super) struct Nodes<'a> {
    pub(super) list: Vec<OutNode<'a>>,
    pub(super) by_source: BTreeMap<NodeId, usize>,
    /// Transform from the common space of model and scene to that of the scene.
    pub(super) root: DAffine3,
}

impl<'a> Nodes<'a> {
    pub(super) fn of(import: &mut Import<'a>, kept: Option<&Kept>, base: Option<&Base<'a>>) -> Result<Self> {
        let root = kept.map(|kept| kept.root);
        let matrix = root.map_or(DAffine3::IDENTITY, |root| import.tree.matrix(root));
        let mut nodes = Self { list: Vec::new(), by_source: BTreeMap::new(), root: matrix };
        let scene = import.scene;
        let unrelated_nodes: Vec<NodeId> = match root {
            Some(root) => {
                let children = scene.nodes.get(root.0).map(|node| node.children.clone()).unwrap_or_default();
                nodes.add_all(import, &children, None, base)?;
                scene.roots.iter().copied().filter(|other| !is_below(import, root, *other)).collect()
            }
            None => {
                let roots: Vec<NodeId> = scene.roots.clone();
                let shown = |id: &NodeId| scene.nodes.get(id.0).is_some_and(|node| !is_only_skin(node));
                let parent = match roots.iter().filter(|root| shown(root)).count() {
                    1 if !is_joint(import, &roots) => None,
                    _ => Some(nodes.add_group(&scene.name)),
                };
                nodes.add_all(import, &roots, parent, base)?;
                Vec::new()
            }
        };
        if nodes.list.is_empty() {
            nodes.add_group(&scene.name);
        }
        // Unrelated nodes go below the last root of the model, which the engine returns to the game.
        let last = nodes.list.iter().rposition(|node| node.parent.is_none());
        let inverse = if matrix.matrix3.determinant() == 0.0 { DAffine3::IDENTITY } else { matrix.inverse() };
        for unrelated in unrelated_nodes {
            let before = nodes.list.len();
            nodes.add_all(import, &[unrelated], last, None)?;
            let above = nodes.matrix(last);
            if let Some(node) = nodes.list.get_mut(before) {
                let inverse_above =
                    if above.matrix3.determinant() == 0.0 { DAffine3::IDENTITY } else { above.inverse() };
                node.transform = Transform::nearest(product(
                    product(inverse_above, inverse),
                    import.tree.matrix(unrelated),
                ));
            }
        }
        Ok(nodes)
    }

    /// Rejects more nodes than can be read.
    pub(super) fn check_count(&self) -> Result<()> {
        if self.list.len() <= MAX_NODES {
            return Ok(());
        }
        Err(Error::limit(format!("more than {MAX_NODES} nodes")))
    }

    /// Adds a node that exists in the model only.
    pub(super) fn add_group(&mut self, name: &str) -> usize {
        self.push(name.to_owned(), None, None, Transform::of(&Node::default()))
    }

    pub(super) fn push(
        &mut self,
        name: String,
        source: Option<NodeId>,
        parent: Option<usize>,
        transform: Transform,
    ) -> usize {
        self.list.push(OutNode {
            name,
            source,
            parent,
            transform,
            is_kept_transform: false,
            base: None,
            mesh: MeshSource::None,
            is_bone: false,
            weights: None,
            keys: KeysSource::Kept,
        });
        self.list.len().saturating_sub(1)
    }

    /// Adds nodes of the scene with their descendants below a node of the model.
    fn add_all(
        &mut self,
        import: &mut Import<'a>,
        ids: &[NodeId],
        parent: Option<usize>,
        base: Option<&Base<'a>>,
    ) -> Result<()> {
        let roots = base.map(|base| base.candidates(None)).unwrap_or_default();
        let mut stack = vec![(ids.to_vec(), parent, roots)];
        while let Some((ids, parent, mut candidates)) = stack.pop() {
            for id in ids {
                let Some(node) = import.scene.nodes.get(id.0) else { continue };
                if is_only_skin(node) {
                    continue;
                }
                self.check_count()?;
                import.count_unsupported("lights", usize::from(node.light.is_some()));
                let number = self.push(node.name.clone(), Some(id), parent, Transform::of(node));
                self.by_source.insert(id, number);
                let known = candidates.take(&node.name);
                let mut below = Candidates::default();
                if let (Some(base), Some(known), Some(out)) = (base, known, self.list.get_mut(number)) {
                    out.base = base.node(known).map(|node| (known, node));
                    below = base.candidates(Some(known));
                    if let Some(transform) =
                        base.transform(known).filter(|transform| is_same_transform(*transform, out.transform))
                    {
                        (out.transform, out.is_kept_transform) = (transform, true);
                    }
                }
                stack.push((node.children.clone(), Some(number), below));
            }
        }
        self.sort();
        Ok(())
    }

    /// Sorts the nodes in depth-first order, parents first.
    fn sort(&mut self) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.list.len()];
        let mut roots = Vec::new();
        for (number, node) in self.list.iter().enumerate() {
            match node.parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(number),
                None => roots.push(number),
            }
        }
        let mut order = Vec::with_capacity(self.list.len());
        let mut stack: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(number) = stack.pop() {
            order.push(number);
            stack.extend(children.get(number).into_iter().flatten().rev());
        }
        let mut new = vec![0; self.list.len()];
        for (position, number) in order.iter().enumerate() {
            if let Some(new) = new.get_mut(*number) {
                *new = position;
            }
        }
        let mut old: Vec<Option<OutNode<'a>>> =
            std::mem::take(&mut self.list).into_iter().map(Some).collect();
        for number in order {
            if let Some(mut node) = old.get_mut(number).and_then(Option::take) {
                node.parent = node.parent.and_then(|parent| new.get(parent).copied());
                self.list.push(node);
            }
        }
        for number in self.by_source.values_mut() {
            *number = new.get(*number).copied().unwrap_or_default();
        }
    }

    pub(super) fn get(&self, number: usize) -> Option<&OutNode<'a>> {
        self.list.get(number)
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut OutNode<'a>> {
        self.list.get_mut(number)
    }

    /// Iterates over a node and its ancestors, starting with the node.
    pub(super) fn above(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = Some(number);
        std::iter::from_fn(move || {
            let here = next?;
            next = self.list.get(here).and_then(|node| node.parent);
            Some(here)
        })
    }

    /// Returns the matrix from a node's space to the model's; the identity for `None`.
    pub(super) fn matrix(&self, number: Option<usize>) -> DAffine3 {
        let mut matrix = DAffine3::IDENTITY;
        for here in number.into_iter().flat_map(|number| self.above(number)) {
            if let Some(node) = self.list.get(here) {
                matrix = product(node.transform.matrix(), matrix);
            }
        }
        matrix
    }

    /// Returns the model without the declaration of its animation.
    pub(super) fn into_model(
        self,
        import: &mut Import<'a>,
        base: Option<&Base<'a>>,
        report: &mut Report,
    ) -> Result<B3d> {
        let root_count = self.list.iter().filter(|node| node.parent.is_none()).count();
        let mut built: Vec<(OutNode<'a>, Vec<Child>)> =
            self.list.into_iter().map(|node| (node, Vec::new())).collect();
        let mut roots: Vec<Child> = Vec::new();
        // Children follow their parents, so in reverse order all descendants of a node are already built.
        while let Some((node, mut children)) = built.pop() {
            children.reverse();
            let parent = node.parent;
            let number = node.base.map(|(number, _)| number);
            let known =
                base.filter(|_| number.is_some()).map(|base| base.children(number)).unwrap_or_default();
            let child = Child { number, chunk: chunk_of(import, node, children, known)? };
            match parent.and_then(|parent| built.get_mut(parent)) {
                Some((_, siblings)) => siblings.push(child),
                None => roots.push(child),
            }
        }
        roots.reverse();
        if base.is_none() && root_count > 1 {
            let message = "several root nodes: the engine returns only the last one to the game";
            report.warn(&warning::MANY_ROOTS, message);
        }
        let mut model = match base {
            Some(base) => B3d { chunks: Vec::new(), ..base.model.clone() },
            None => B3d::new(),
        };
        let own = base.map(|base| base.model.chunks.as_slice()).unwrap_or_default();
        let known = base.map(|base| base.children(None)).unwrap_or_default();
        model.chunks = with_children(own, roots, known, |chunk| Some(chunk.clone()));
        import.brushes.add_to(&mut model.chunks);
        Ok(model)
    }
}

/// A converted node and the index of its original node.
struct Child {
    number: Option<usize>,
    chunk: Chunk,
}

/// Returns the chunks with new child nodes: nodes with a known index replace the original ones, others are appended. All other
/// chunks are mapped.
fn with_children(
    own: &[Chunk],
    children: Vec<Child>,
    known: &[usize],
    mut map: impl FnMut(&Chunk) -> Option<Chunk>,
) -> Vec<Chunk> {
    let mut found: BTreeMap<usize, Chunk> = BTreeMap::new();
    let mut added = Vec::new();
    for Child { number, chunk } in children {
        match number {
            Some(number) => {
                found.insert(number, chunk);
            }
            None => added.push(chunk),
        }
    }
    let mut numbers = known.iter();
    let mut out: Vec<Chunk> = Vec::new();
    for chunk in own {
        match chunk {
            Chunk::Node(_) => out.extend(numbers.next().and_then(|number| found.remove(number))),
            other => out.extend(map(other)),
        }
    }
    // Nodes that were moved to another parent.
    out.extend(found.into_values());
    out.extend(added);
    out
}

/// Returns the chunk of a node.
fn chunk_of(import: &Import<'_>, node: OutNode<'_>, children: Vec<Child>, known: &[usize]) -> Result<Chunk> {
    let OutNode { name, source, transform, is_kept_transform, base, mesh, is_bone, weights, keys, .. } = node;
    let own = base.map(|(_, node)| node);
    let mut out = match own {
        Some(own) => chunk::Node { chunks: Vec::new(), ..shallow(own) },
        None => chunk::Node {
            name: CText::from(file_name(import, source, &name).as_str()),
            position: [0.0; 3],
            scale: [1.0; 3],
            rotation: [1.0, 0.0, 0.0, 0.0],
            chunks: Vec::new(),
            rest: record::Bytes::default(),
        },
    };
    if !is_kept_transform {
        let named = Node::named(name);
        out.position = import.game_position(transform.translation, &named)?;
        out.scale = transform.scale.to_array();
        out.rotation = file_rotation(transform.rotation);
    }
    let (mut mesh, mut keys) = (Some(mesh), Some(keys));
    let mut bone = weights.map(|weights| Bone { weights, ..Bone::default() });
    let is_new_bone = bone.is_some();
    let chunks = own.map(|own| own.chunks.as_slice()).unwrap_or_default();
    let last_mesh = chunks.iter().rposition(|chunk| matches!(chunk, Chunk::Mesh(_)));
    let last_bone = chunks.iter().rposition(|chunk| matches!(chunk, Chunk::Bone(_)));
    let mut out_chunks = with_children(chunks, children, known, |chunk| match chunk {
        Chunk::Mesh(_) => match mesh {
            Some(MeshSource::Kept) => Some(chunk.clone()),
            Some(MeshSource::New(_)) if is_last(chunks, last_mesh, chunk) => match mesh.take() {
                Some(MeshSource::New(mesh)) => Some(Chunk::Mesh(mesh)),
                _ => None,
            },
            _ => None,
        },
        Chunk::Bone(_) if is_new_bone => {
            if is_last(chunks, last_bone, chunk) {
                bone.take().map(Chunk::Bone)
            } else {
                None
            }
        }
        Chunk::Keys(_) if matches!(keys, None | Some(KeysSource::New(_))) => None,
        other => Some(other.clone()),
    });
    // New chunks go before the child nodes.
    let mut position =
        out_chunks.iter().position(|chunk| matches!(chunk, Chunk::Node(_))).unwrap_or(out_chunks.len());
    let mut insert = |chunk: Chunk| {
        out_chunks.insert(position, chunk);
        position = position.saturating_add(1);
    };
    if let Some(MeshSource::New(mesh)) = mesh.take() {
        insert(Chunk::Mesh(mesh));
    }
    if let Some(bone) = bone.take() {
        insert(Chunk::Bone(bone));
    } else if is_bone && last_bone.is_none() && !is_new_bone {
        insert(Chunk::Bone(Bone::default()));
    }
    if let Some(KeysSource::New(new_keys)) = keys.take() {
        new_keys.into_iter().for_each(|keys| insert(Chunk::Keys(keys)));
    }
    out_chunks.shrink_to_fit();
    out.chunks = out_chunks;
    Ok(Chunk::Node(Box::new(out)))
}

/// Whether a chunk is the last of its kind, by identity: other nodes do not count.
fn is_last(chunks: &[Chunk], last: Option<usize>, chunk: &Chunk) -> bool {
    last.and_then(|last| chunks.get(last)).is_some_and(|last| std::ptr::eq(last, chunk))
}

/// Returns a copy of a node without its chunks.
fn shallow(node: &chunk::Node) -> chunk::Node {
    chunk::Node {
        name: node.name.clone(),
        position: node.position,
        scale: node.scale,
        rotation: node.rotation,
        chunks: Vec::new(),
        rest: node.rest.clone(),
    }
}

/// Returns the name of a node in the file: the one that a conversion stores in its extras if the scene has a different one.
fn file_name(import: &Import<'_>, source: Option<NodeId>, name: &str) -> String {
    let node = source.and_then(|source| import.scene.nodes.get(source.0));
    let kept = node.and_then(|node| node.extras.get("name")).and_then(|name| name.as_str());
    // Zero bytes end strings in files.
    kept.unwrap_or(name).replace('\0', "")
}

/// Whether a node only shows a skinned mesh. Joints transform the mesh; the node does not.
fn is_only_skin(node: &Node) -> bool {
    node.skin.is_some() && node.children.is_empty() && node.light.is_none()
}

/// Whether a root is a joint, so that it cannot have the mesh.
fn is_joint(import: &Import<'_>, roots: &[NodeId]) -> bool {
    let joints: BTreeSet<NodeId> =
        import.scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    roots.iter().any(|root| joints.contains(root))
}

/// Whether the root of the model is a node or one of its descendants.
fn is_below(import: &Import<'_>, root: NodeId, other: NodeId) -> bool {
    let mut next = Some(root);
    while let Some(here) = next {
        if here == other {
            return true;
        }
        next = import.tree.parent(here);
    }
    false
}
