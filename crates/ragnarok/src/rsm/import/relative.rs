//! Conversion of parts to meshes of version 1.5: transforms relative to the parent, with rotation keys only.

use std::collections::BTreeMap;

use asset::Report;
use glam::{DQuat, DVec3};

use super::super::animation::single;
use super::super::{Mesh, RotationKey, Rsm, warning};
use super::geometry::Geometry;
use super::part::{Part, Rotation, Value, writable};
use crate::rsm::Name;

/// Columns of the identity matrix.
const IDENTITY: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub(super) fn build(model: &mut Rsm, parts: &[Part], geometries: Vec<Geometry>, report: &mut Report) {
    let root = root(parts, report);
    let mut textures: Vec<Name> = Vec::new();
    let mut texture_indices: BTreeMap<Name, i32> = BTreeMap::new();
    let mut meshes: Vec<(u64, Mesh)> = Vec::with_capacity(parts.len());
    for (part, geometry) in parts.iter().zip(geometries) {
        let mut mesh = static_mesh(part, report);
        let slots = geometry.move_into(&mut mesh);
        let indices = slots.into_iter().map(|slot| {
            *texture_indices.entry(slot.texture.clone()).or_insert_with(|| {
                textures.push(slot.texture);
                i32::try_from(textures.len().saturating_sub(1)).unwrap_or(i32::MAX)
            })
        });
        mesh.texture_indices = Some(indices.collect());
        mesh.name = part.name.clone();
        let parent = part.parent.and_then(|parent| parts.get(parent)).map(|parent| parent.name.clone());
        mesh.parent = parent.or_else(|| root.as_ref().map(|root| root.name.clone())).unwrap_or_default();
        meshes.push((part.order, mesh));
    }
    meshes.sort_by_key(|(order, _)| *order);
    let first = parts.iter().find(|part| part.parent.is_none()).map(|part| part.name.clone());
    let name = root.as_ref().map(|root| root.name.clone()).or(first).unwrap_or_default();
    model.roots = vec![name];
    let meshes = meshes.into_iter().map(|(_, mesh)| mesh).chain(root);
    model.meshes = meshes.collect::<Vec<_>>();
    model.textures = Some(textures);
}

/// Creates an empty root mesh if there are several roots, because this version supports only one.
fn root(parts: &[Part], report: &mut Report) -> Option<Mesh> {
    let roots = parts.iter().filter(|part| part.parent.is_none()).count();
    if roots < 2 {
        return None;
    }
    let is_taken = |name: &Name| parts.iter().any(|part| part.name == *name);
    let names = (1_usize..).map(|number| {
        let text = if number == 1 { "root".to_owned() } else { format!("root {number}") };
        writable(&text).0
    });
    let name = names.take(parts.len().saturating_add(1)).find(|name| !is_taken(name)).unwrap_or_default();
    let message = format!("{roots} root nodes attached to a new root, \"{name}\"");
    report.warn(&warning::CHANGED, message);
    Some(Mesh {
        name,
        texture_indices: Some(Vec::new()),
        ..static_transform(DVec3::ZERO, DQuat::IDENTITY, DVec3::ONE)
    })
}

fn static_transform(position: DVec3, rotation: DQuat, scale: DVec3) -> Mesh {
    let (axis, angle) = rotation.to_axis_angle();
    Mesh {
        matrix: IDENTITY,
        offset: Some([0.0; 3]),
        position: position.to_array().map(single),
        rotation_angle: Some(single(angle)),
        rotation_axis: Some(if angle == 0.0 { [0.0; 3] } else { axis.to_array().map(single) }),
        scale: Some(scale.to_array().map(single)),
        ..Mesh::default()
    }
}

fn static_mesh(part: &Part, report: &mut Report) -> Mesh {
    let mut report_lost = |value: &Value, name: &str| {
        if let Value::Moving(keys) = value
            && keys.iter().any(|(_, value)| *value != keys.first().map_or(*value, |(_, first)| *first))
        {
            let message = format!(
                "{name} keys of \"{}\" left out: not supported by version 1.5; the initial value is kept",
                part.node_name
            );
            report.warn(&warning::LOST, message);
        }
    };
    report_lost(&part.position, "position");
    report_lost(&part.scale, "scale");
    let (rotation, keys) = match &part.rotation {
        // No node has been merged, so the matrix is a rotation.
        Rotation::Fixed(rotation) => (DQuat::from_mat3(rotation), Vec::new()),
        Rotation::Moving(keys) => (
            DQuat::IDENTITY,
            keys.iter()
                .map(|(frame, rotation)| RotationKey {
                    frame: *frame,
                    quaternion: rotation.to_array().map(single),
                })
                .collect(),
        ),
    };
    Mesh { rotation_keys: keys, ..static_transform(part.position.first(), rotation, part.scale.first()) }
}
