//! Conversion of the nodes of a scene to parts of a model, with transforms relative to the parent and geometry.

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;
use glam::{DMat3, DQuat, DVec3};
use json::Value as Json;
use record::{Error, Result};
use scene::{MeshId, Node, NodeId, Target, without_copy_number};

use super::super::{MAX_COUNT, warning};
use super::Import;
use super::curve::{self, Keys};
use crate::affine::Affine;
use crate::rsm::Name;
use crate::rsm::pose::unit;

/// The rotation of a part, in the game's axes.
#[derive(Debug, Clone)]
pub(super) enum Rotation {
    Fixed(DMat3),
    Moving(Keys<DQuat>),
}

/// A position or scale factors.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Fixed(DVec3),
    Moving(Keys<DVec3>),
}

impl Value {
    /// The value at the start.
    pub(super) fn first(&self) -> DVec3 {
        match self {
            Self::Fixed(value) => *value,
            Self::Moving(keys) => keys.first().map_or(DVec3::ZERO, |(_, value)| *value),
        }
    }

    fn is_moving(&self) -> bool {
        matches!(self, Self::Moving(_))
    }
}

/// A part of the model, which becomes a mesh.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Node whose space is the space of the children.
    pub(super) node: NodeId,
    /// Name of the node.
    pub(super) node_name: String,
    /// Name of the mesh.
    pub(super) name: Name,
    /// Position in the original model.
    pub(super) order: u64,
    /// Index of the parent, which is an earlier part.
    pub(super) parent: Option<usize>,
    pub(super) has_children: bool,
    /// Rotation, applied after the scale.
    pub(super) rotation: Rotation,
    /// Scale, applied first.
    pub(super) scale: Value,
    /// Position, applied last.
    pub(super) position: Value,
    /// Meshes of the scene with their transforms, in glTF's axes.
    pub(super) geometries: Vec<(MeshId, Affine)>,
}

/// A node that has not been processed yet.
struct Todo {
    node: NodeId,
    parent: Option<usize>,
    /// Additional translation, in glTF's axes.
    moved: DVec3,
}

/// Collects the parts of a scene, parents first.
pub(super) fn collect(import: &mut Import<'_>) -> Result<Vec<Part>> {
    let scene = import.scene;
    let mut parts: Vec<Part> = Vec::new();
    let todo = |node: &NodeId, parent: Option<usize>, moved: DVec3| Todo { node: *node, parent, moved };
    let mut stack: Vec<Todo> = scene.roots.iter().rev().map(|root| todo(root, None, DVec3::ZERO)).collect();
    // A node that is reached twice is not part of a tree and is processed only once.
    let mut visited = vec![false; scene.nodes.len()];
    while let Some(Todo { node: id, parent, moved }) = stack.pop() {
        let (Some(node), Some(visited)) = (scene.nodes.get(id.0), visited.get_mut(id.0)) else { continue };
        if std::mem::replace(visited, true)
            || (node.light.is_some() && node.mesh.is_none() && node.children.is_empty())
        {
            continue;
        }
        if parent.is_none() && moved == DVec3::ZERO && is_model_node(import, id, node) {
            let moved = node.translation.as_dvec3();
            stack.extend(node.children.iter().rev().map(|child| todo(child, None, moved)));
            continue;
        }
        let mut order = u64::MAX;
        if let Some(owner) = parent.and_then(|parent| parts.get_mut(parent)) {
            if let Some(geometry) = helper_geometry(import, id, node, owner) {
                owner.geometries.push(geometry);
                continue;
            }
            if merge(import, id, node, owner)? {
                stack.extend(node.children.iter().rev().map(|child| todo(child, parent, DVec3::ZERO)));
                continue;
            }
            owner.has_children = true;
            if is_helper_of(node, owner, " inner") || is_helper_of(node, owner, " scale") {
                order = owner.order;
            }
        }
        if parts.len() >= MAX_COUNT {
            return Err(Error::limit(format!(
                "more than {MAX_COUNT} nodes, which is the limit of meshes in a model"
            )));
        }
        let number = parts.len();
        let part = part(import, id, node, parent, moved)?;
        // The two halves of a sheared mesh stay together.
        parts.push(Part { order: part.order.min(order), ..part });
        stack.extend(node.children.iter().rev().map(|child| todo(child, Some(number), DVec3::ZERO)));
    }
    Ok(parts)
}

/// Returns whether each part is mirrored in the scene by its node or its ancestors, at the start of the clip.
pub(super) fn mirrored(parts: &[Part]) -> Vec<bool> {
    let mut out: Vec<bool> = Vec::with_capacity(parts.len());
    for part in parts {
        let is_reflection = match &part.rotation {
            Rotation::Fixed(matrix) => matrix.determinant() < 0.0,
            Rotation::Moving(_) => false,
        };
        let mirrors = is_reflection != (part.scale.first().element_product() < 0.0);
        let parent = part.parent.and_then(|parent| out.get(parent)).copied().unwrap_or(false);
        out.push(parent != mirrors);
    }
    out
}

fn is_moving(import: &Import<'_>, id: NodeId) -> bool {
    let targets = [Target::Translation(id), Target::Rotation(id), Target::Scale(id)];
    targets.into_iter().any(|target| curve::find(import, target).is_some())
}

/// Whether a node is the node of the model itself, which has at most a translation.
fn is_model_node(import: &Import<'_>, id: NodeId, node: &Node) -> bool {
    let is_plain = node.rotation == glam::Quat::IDENTITY && node.scale == glam::Vec3::ONE;
    let is_marked = node.extras.get("rsm").is_some_and(Json::is_object);
    is_marked && is_plain && node.mesh.is_none() && !is_moving(import, id)
}

/// Removes the suffixes that conversions add to the nodes of a split mesh.
fn stem(name: &str) -> &str {
    let name = without_copy_number(name);
    let name = name.strip_suffix(" scale").unwrap_or(name);
    name.strip_suffix(" inner").unwrap_or(name)
}

/// Whether the name of a node is the name of a part followed by a suffix.
fn is_helper_of(node: &Node, owner: &Part, suffix: &str) -> bool {
    without_copy_number(&node.name).strip_suffix(suffix).is_some_and(|before| {
        before == without_copy_number(&owner.node_name) || before == stem(&owner.node_name)
    })
}

fn to_parent(node: &Node) -> Affine {
    let linear =
        DMat3::from_quat(unit(node.rotation.as_dquat())) * DMat3::from_diagonal(node.scale.as_dvec3());
    Affine { linear, translation: node.translation.as_dvec3() }
}

/// Returns the geometry of a helper node "NAME shape": the vertices of the mesh NAME with a transform that its children do not inherit.
fn helper_geometry(import: &Import<'_>, id: NodeId, node: &Node, owner: &Part) -> Option<(MeshId, Affine)> {
    if !is_helper_of(node, owner, " shape") || is_moving(import, id) {
        return None;
    }
    let map = to_parent(node);
    match (node.mesh, &node.children[..]) {
        (Some(mesh), []) => Some((mesh, map)),
        (None, [inner]) => {
            let below = import.scene.nodes.get(inner.0)?;
            let mesh = below.mesh.filter(|_| below.children.is_empty() && !is_moving(import, *inner))?;
            Some((mesh, map.after(&to_parent(below))))
        }
        _ => None,
    }
}

/// Merges a helper node "NAME inner" or "NAME scale" into NAME. Only models of 2.2 and later have sheared meshes.
fn merge(import: &mut Import<'_>, id: NodeId, node: &Node, owner: &mut Part) -> Result<bool> {
    let is_helper = is_helper_of(node, owner, " inner") || is_helper_of(node, owner, " scale");
    let Rotation::Fixed(linear) = owner.rotation else { return Ok(false) };
    let rigid_targets = [Target::Translation(id), Target::Rotation(id)];
    let can_merge = import.version.is_absolute()
        && is_helper
        && owner.geometries.is_empty()
        && import.scene.nodes.get(owner.node.0).is_some_and(|node| node.children.len() == 1)
        && !owner.scale.is_moving()
        && node.translation == glam::Vec3::ZERO
        && rigid_targets.into_iter().all(|target| curve::find(import, target).is_none());
    if !can_merge {
        return Ok(false);
    }
    let rotation = import.axes.rotation(unit(node.rotation.as_dquat()));
    owner.rotation =
        Rotation::Fixed(linear * DMat3::from_diagonal(owner.scale.first()) * DMat3::from_quat(rotation));
    owner.scale = scale(import, id, node)?;
    owner.node = id;
    owner.geometries.extend(node.mesh.map(|mesh| (mesh, Affine::IDENTITY)));
    Ok(true)
}

fn scale(import: &mut Import<'_>, id: NodeId, node: &Node) -> Result<Value> {
    let keys = curve::keys(import, Target::Scale(id))?;
    Ok(keys.map_or(Value::Fixed(node.scale.as_dvec3()), Value::Moving))
}

fn part(
    import: &mut Import<'_>,
    id: NodeId,
    node: &Node,
    parent: Option<usize>,
    moved: DVec3,
) -> Result<Part> {
    let axes = import.axes;
    let rotation = match curve::keys::<DQuat>(import, Target::Rotation(id))? {
        Some(mut keys) => {
            keys.iter_mut().for_each(|(_, rotation)| *rotation = axes.rotation(unit(*rotation)));
            Rotation::Moving(keys)
        }
        None => Rotation::Fixed(DMat3::from_quat(axes.rotation(unit(node.rotation.as_dquat())))),
    };
    let position = match curve::keys::<DVec3>(import, Target::Translation(id))? {
        Some(mut keys) => {
            keys.iter_mut().for_each(|(_, position)| *position = axes.game_position(*position + moved));
            Value::Moving(keys)
        }
        None => Value::Fixed(axes.game_position(node.translation.as_dvec3() + moved)),
    };
    Ok(Part {
        node: id,
        node_name: node.name.clone(),
        name: Name::default(),
        order: node.extras.get("mesh").and_then(Json::as_u64).unwrap_or(u64::MAX),
        parent,
        has_children: false,
        rotation,
        scale: scale(import, id, node)?,
        position,
        geometries: node.mesh.map(|mesh| (mesh, Affine::IDENTITY)).into_iter().collect(),
    })
}

/// Encodes a name in the game's character encoding. Unsupported characters become `_`. Also returns whether the name has changed.
pub(super) fn writable(text: &str) -> (Name, bool) {
    if let Ok(name) = Name::from_text(text) {
        return (name, false);
    }
    let fits = |letter: &char| Name::from_text(letter.encode_utf8(&mut [0; 4])).is_ok();
    let plain: String = text.chars().map(|letter| if fits(&letter) { letter } else { '_' }).collect();
    (Name::from(&*plain), true)
}

/// Names the meshes. Parents and roots are referenced by name, so their names must differ from all earlier names.
pub(super) fn name(parts: &mut [Part], report: &mut Report) {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|number| parts.get(*number).map(|part| part.order));
    let all: BTreeSet<Name> = parts.iter().map(|part| writable(&part.node_name).0).collect();
    let mut taken: BTreeSet<Name> = BTreeSet::new();
    let mut next: BTreeMap<Name, usize> = BTreeMap::new();
    for number in order {
        let Some(part) = parts.get_mut(number) else { continue };
        let (mut name, is_changed) = writable(&part.node_name);
        let is_referenced = part.has_children || part.parent.is_none();
        let is_taken = is_referenced && taken.contains(&name);
        if is_taken || name.is_empty() {
            let stem = if name.is_empty() { "mesh".to_owned() } else { name.text().into_owned() };
            let count = next.entry(name.clone()).or_insert(1);
            loop {
                *count = count.saturating_add(1);
                let candidate = Name::from_text(&format!("{stem} {count}")).unwrap_or_default();
                if !taken.contains(&candidate) && !all.contains(&candidate) {
                    name = candidate;
                    break;
                }
            }
        }
        if is_taken || is_changed {
            let message = format!("the node \"{}\" is named \"{name}\" in the model", part.node_name);
            report.warn(&warning::RENAMED, message);
        }
        taken.insert(name.clone());
        part.name = name;
    }
}
