//! Conversion of parts to meshes of version 2.3: matrices and positions in the model's space, keys relative to the parent.
//!
//! Without keys, the transform of a mesh relative to its parent is computed from the matrices of both. The matrix of a mesh with children
//! must therefore be invertible: scale factors that would prevent this become a scale key.

use asset::Report;
use glam::{DMat3, DVec3};

use super::super::animation::single;
use super::super::{Mesh, RotationKey, Rsm, TextureAnimation, VectorKey, warning};
use super::geometry::Geometry;
use super::part::{Part, Rotation, Value};
use crate::rsm::Name;
use crate::rsm::pose::matrix;

/// Maximum condition number of an inverted matrix. With a larger one, rounding errors would be visible.
const MAX_CONDITION: f64 = 300.0;

pub(super) fn build(model: &mut Rsm, parts: &[Part], geometries: Vec<Geometry>, report: &mut Report) {
    let mut meshes: Vec<Mesh> = Vec::with_capacity(parts.len());
    for (part, geometry) in parts.iter().zip(geometries) {
        let parent = part.parent.and_then(|parent| meshes.get(parent));
        let mut mesh = static_mesh(part, parent, report);
        let slots = geometry.move_into(&mut mesh);
        let motions = (0_i32..).zip(&slots).filter(|(_, slot)| !slot.motion.is_empty());
        let motions =
            motions.map(|(texture, slot)| TextureAnimation { texture, tracks: slot.motion.clone() });
        mesh.texture_animations = Some(motions.collect());
        mesh.textures = Some(slots.into_iter().map(|slot| slot.texture).collect());
        mesh.name = part.name.clone();
        let parent = part.parent.and_then(|parent| parts.get(parent));
        mesh.parent = parent.map(|parent| parent.name.clone()).unwrap_or_default();
        meshes.push(mesh);
    }
    let roots = parts.iter().filter(|part| part.parent.is_none());
    model.roots = roots.map(|part| part.name.clone()).collect::<Vec<Name>>();
    let mut ordered: Vec<(u64, Mesh)> = parts.iter().map(|part| part.order).zip(meshes).collect();
    ordered.sort_by_key(|(order, _)| *order);
    model.meshes = ordered.into_iter().map(|(_, mesh)| mesh).collect::<Vec<_>>();
}

/// Creates a mesh with its transform and its keys.
fn static_mesh(part: &Part, parent: Option<&Mesh>, report: &mut Report) -> Mesh {
    let base = parent.map_or(DMat3::IDENTITY, matrix);
    let origin = parent.map_or(DVec3::ZERO, |parent| DVec3::from(parent.position.map(f64::from)));
    let factors = DMat3::from_diagonal(part.scale.first());
    let mut scale_keys = match &part.scale {
        Value::Moving(keys) => keys.clone(),
        Value::Fixed(_) => Vec::new(),
    };
    let is_static = scale_keys.is_empty();
    let linear = match &part.rotation {
        Rotation::Fixed(rotation)
            if is_static && (!part.has_children || is_well_conditioned(base * *rotation * factors)) =>
        {
            *rotation * factors
        }
        rotation => {
            if is_static && part.scale.first() != DVec3::ONE {
                scale_keys.push((0, part.scale.first()));
            }
            match rotation {
                Rotation::Fixed(rotation) => *rotation,
                Rotation::Moving(keys) => {
                    keys.first().map_or(DMat3::IDENTITY, |(_, rotation)| DMat3::from_quat(*rotation))
                }
            }
        }
    };
    let matrix_in_model = base * linear;
    if part.has_children && !is_well_conditioned(matrix_in_model) {
        let message = format!(
            "the children of \"{}\" may be slightly displaced: its matrix is nearly singular",
            part.node_name
        );
        report.warn(&warning::LOST, message);
    }
    let rotation_keys = match &part.rotation {
        Rotation::Fixed(_) => Vec::new(),
        Rotation::Moving(keys) => keys
            .iter()
            .map(|(frame, rotation)| RotationKey {
                frame: *frame,
                quaternion: rotation.to_array().map(single),
            })
            .collect(),
    };
    let position_keys = match &part.position {
        Value::Fixed(_) => Vec::new(),
        Value::Moving(keys) => keys.iter().map(vector_key).collect(),
    };
    Mesh {
        matrix: matrix_in_model.to_cols_array_2d().map(|column| column.map(single)),
        position: (base * part.position.first() + origin).to_array().map(single),
        rotation_keys,
        scale_keys: Some(scale_keys.iter().map(vector_key).collect()),
        position_keys: Some(position_keys),
        ..Mesh::default()
    }
}

fn vector_key((frame, value): &(i32, DVec3)) -> VectorKey {
    VectorKey { frame: *frame, value: value.to_array().map(single), data: 0 }
}

/// Whether a matrix can be inverted without visible rounding errors.
fn is_well_conditioned(matrix: DMat3) -> bool {
    let size =
        |matrix: DMat3| matrix.to_cols_array().iter().fold(0.0, |sum, number| sum + number * number).sqrt();
    let condition = size(matrix) * size(matrix.inverse());
    matrix.determinant() != 0.0 && condition.is_finite() && condition < MAX_CONDITION
}
