//! Skins: selects the node that has the mesh, and restores the bind pose.

use std::collections::{BTreeMap, BTreeSet};

use glam::DAffine3;
use record::{Error, Result};
use scene::{NodeId, Skin};

use super::Import;
use super::base::Base;
use super::node::Nodes;
use super::transform::Transform;
use crate::import::tree::{is_same, product};

/// Maximum number of skinned meshes. Each is compared with the others.
const MAX_MESHES: usize = 1 << 11;

/// Skinned meshes that become one mesh of the model.
#[derive(Debug)]
pub(super) struct Group {
    /// The node that gets the mesh: an ancestor of all joints, or the topmost joint if its vertices have no other joints.
    pub(super) mesh_node: usize,
    /// The scene nodes that show the meshes.
    pub(super) members: Vec<NodeId>,
    pub(super) joints: BTreeSet<usize>,
}

/// Groups all skinned meshes. A mesh whose joints have no common ancestor loses its skin.
pub(super) fn groups<'a>(
    import: &mut Import<'a>,
    nodes: &mut Nodes<'a>,
    base: Option<&Base<'a>>,
) -> Result<Vec<Group>> {
    let by_base: BTreeMap<usize, usize> =
        (nodes.list.iter().enumerate()).filter_map(|(number, node)| Some((node.base?.0, number))).collect();
    let mut groups: Vec<Group> = Vec::new();
    for id in import.tree.order.clone() {
        let Some(node) = import.scene.nodes.get(id.0) else { continue };
        let Some(skin) = node.skin.and_then(|skin| import.scene.skins.get(skin.0)) else { continue };
        import.spend(skin.joints.len())?;
        if groups.len() >= MAX_MESHES {
            return Err(Error::limit(format!("more than {MAX_MESHES} skinned meshes")));
        }
        let group = group(import, nodes, (id, skin), base, &by_base);
        let Some(group) = group else {
            import.count_unsupported("skins whose joints have no common ancestor", 1);
            if !nodes.by_source.contains_key(&id) {
                let last = nodes.list.iter().rposition(|node| node.parent.is_none());
                let number = nodes.push(node.name.clone(), Some(id), last, Transform::of(node));
                nodes.by_source.insert(id, number);
            }
            continue;
        };
        groups.push(group);
    }
    Ok(merge(nodes, groups))
}

/// Merges groups whose bones would belong to each other's meshes.
fn merge(nodes: &Nodes<'_>, groups: Vec<Group>) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    for mut group in groups {
        // A merged group may overlap further groups.
        loop {
            let overlaps = |other: &Group| {
                let is_above = |upper: usize, lower: usize| nodes.above(lower).any(|here| here == upper);
                is_above(other.mesh_node, group.mesh_node)
                    || is_above(group.mesh_node, other.mesh_node)
                    || !other.joints.is_disjoint(&group.joints)
            };
            let Some(other) = out.iter().position(overlaps) else { break };
            let other = out.remove(other);
            let upper: BTreeSet<usize> = nodes.above(group.mesh_node).collect();
            let mesh_node = nodes.above(other.mesh_node).find(|here| upper.contains(here));
            group.mesh_node = mesh_node.unwrap_or(group.mesh_node);
            group.members = other.members.into_iter().chain(group.members).collect();
            group.joints.extend(other.joints);
        }
        out.push(group);
    }
    out
}

fn group(
    import: &Import<'_>,
    nodes: &Nodes<'_>,
    (id, skin): (NodeId, &Skin),
    base: Option<&Base<'_>>,
    by_base: &BTreeMap<usize, usize>,
) -> Option<Group> {
    let joints: Option<Vec<usize>> =
        skin.joints.iter().map(|joint| nodes.by_source.get(joint).copied()).collect();
    let joints = joints?;
    let mut common: Option<Vec<usize>> = None;
    for joint in &joints {
        let above: Vec<usize> = nodes.above(*joint).collect();
        let rest = match &common {
            None => above,
            Some(common) => {
                let known: BTreeSet<usize> = above.into_iter().collect();
                common.iter().copied().filter(|here| known.contains(here)).collect()
            }
        };
        common = Some(rest);
    }
    let common = common?;
    let of_base = base.and_then(|base| {
        let mut numbers = joints.iter().filter_map(|joint| nodes.get(*joint)?.base);
        let number = numbers.find_map(|(number, _)| base.mesh_node(number))?;
        by_base.get(&number).copied().filter(|known| common.contains(known))
    });
    let mesh_node = match of_base {
        Some(known) => known,
        None => {
            let lowest = *common.first()?;
            let transform = joints.iter().position(|joint| *joint == lowest);
            match transform {
                Some(transform) if !is_alone(import, id, transform) => *common.get(1)?,
                _ => lowest,
            }
        }
    };
    let joints = joints.into_iter().filter(|joint| *joint != mesh_node).collect();
    Some(Group { mesh_node, members: vec![id], joints })
}

/// Whether all vertices of a joint have no other joints.
fn is_alone(import: &Import<'_>, id: NodeId, joint: usize) -> bool {
    let mesh = import.scene.nodes.get(id.0).and_then(|node| import.mesh(node));
    let all = mesh.into_iter().flat_map(|mesh| &mesh.primitives).filter_map(|part| part.influences.as_ref());
    all.into_iter().all(|influences| {
        influences.joints.iter().zip(&influences.weights).all(|(joints, weights)| {
            let mut own = joints.iter().zip(weights).filter(|(of, _)| usize::from(**of) == joint);
            own.all(|(_, weight)| *weight <= 0.0 || *weight >= 0.999)
        })
    })
}

/// Returns the inverse bind matrix of a joint.
pub(super) fn inverse_bind(skin: &Skin, joint: usize) -> DAffine3 {
    skin.inverse_bind.get(joint).map_or(DAffine3::IDENTITY, |matrix| {
        DAffine3::from_cols_array(&matrix.to_cols_array().map(f64::from))
    })
}

/// Restores the bind pose of joints. Without animations they stay, because the visible pose is what matters. An original joint
/// whose transform is only set by its keys stays, too, because other programs change its rest pose.
pub(super) fn bind(
    import: &mut Import<'_>,
    nodes: &mut Nodes<'_>,
    groups: &[Group],
    base: Option<&Base<'_>>,
) {
    for group in groups {
        for joint in &group.joints {
            let Some(node) = nodes.get_mut(*joint) else { continue };
            let (Some(base), Some((number, _)), Some(source)) = (base, node.base, node.source) else {
                continue;
            };
            if !node.is_kept_transform
                && import.timeline.moves(source)
                && let Some(transform) = base.transform(number)
            {
                (node.transform, node.is_kept_transform) = (transform, true);
            }
        }
    }
    if import.timeline.is_static() {
        return;
    }
    let mut sheared = 0_usize;
    for group in groups {
        let mut bound: BTreeMap<usize, DAffine3> = BTreeMap::new();
        for member in &group.members {
            let Some(skin) = import.scene.nodes.get(member.0).and_then(|node| node.skin) else { continue };
            let Some(skin) = import.scene.skins.get(skin.0) else { continue };
            let inverse_root = inverse(nodes.root);
            let at_rest = |joint: usize| -> Option<DAffine3> {
                let matrix = import.tree.matrix(*skin.joints.get(joint)?);
                Some(product(product(inverse_root, matrix), inverse_bind(skin, joint)))
            };
            let Some(first) = at_rest(0) else { continue };
            let is_at_rest =
                (0..skin.joints.len()).all(|joint| at_rest(joint).is_some_and(|it| is_same(it, first)));
            if is_at_rest {
                continue;
            }
            for (index, joint) in skin.joints.iter().enumerate() {
                let bind = inverse_bind(skin, index);
                if let Some(number) = nodes.by_source.get(joint)
                    && bind.matrix3.determinant() != 0.0
                {
                    bound.entry(*number).or_insert(product(first, bind.inverse()));
                }
            }
        }
        // Parents come before their children.
        for (number, matrix) in bound {
            let Some(node) = nodes.get(number) else { continue };
            if node.is_kept_transform || number == group.mesh_node {
                continue;
            }
            let above = inverse(nodes.matrix(node.parent));
            let local = product(above, matrix);
            let transform = Transform::nearest(local);
            sheared = sheared.saturating_add(usize::from(!is_same(transform.matrix(), local)));
            if let Some(node) = nodes.get_mut(number) {
                node.transform = transform;
            }
        }
    }
    import.count_unsupported("sheared joint poses", sheared);
}

/// Returns the inverse of a matrix, or the identity if it is singular.
pub(super) fn inverse(matrix: DAffine3) -> DAffine3 {
    let inverse = matrix.inverse();
    if inverse.is_finite() { inverse } else { DAffine3::IDENTITY }
}
