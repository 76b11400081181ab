//! Converts a `.3ds` model to shapes and materials, in the axes of the engine.

use std::collections::BTreeMap;

use asset::{Report, counted};

use super::{Object, ThreeDs, warning};
use crate::axes;
use crate::model::shapes::{Shape, Shapes, Surface};

pub(super) fn shapes(file: &ThreeDs, report: &mut Report) -> Shapes {
    // Of several materials with one name, the engine uses the last one.
    let names: BTreeMap<&str, usize> = file
        .materials
        .iter()
        .enumerate()
        .map(|(number, material)| (material.name.as_str(), number))
        .collect();
    let objects = file.objects.iter().enumerate();
    Shapes {
        shapes: objects.map(|(number, object)| shape(object, number, &names, report)).collect(),
        materials: file
            .materials
            .iter()
            .enumerate()
            .map(|(number, material)| Surface {
                name: material.name.clone(),
                field: format!("materials[{number}].texture"),
                color: material.diffuse.unwrap_or([1.0; 3]),
                alpha: 1.0,
                texture: material.texture.clone(),
            })
            .collect(),
    }
}

fn shape(object: &Object, number: usize, names: &BTreeMap<&str, usize>, report: &mut Report) -> Shape {
    let field = format!("objects[{number}]");
    let vertices = object.vertices.len();
    let has_uvs = object.texture_coords.len() == vertices;
    if !has_uvs && !object.texture_coords.is_empty() {
        let message = format!("{} texture coordinates for {vertices} vertices", object.texture_coords.len());
        report.warn(&warning::UV_COUNT, message).in_field(field.as_str());
    }
    let uv = |index: usize| {
        let [u, v] = object.texture_coords.get(index).copied().unwrap_or([0.0, 1.0]);
        [u, 1.0 - v]
    };
    Shape {
        name: object.name.clone(),
        positions: object
            .vertices
            .iter()
            .map(|[x, depth, height]| axes::position([*x, *height, *depth]).to_array())
            .collect(),
        uvs: (0..vertices).map(uv).collect(),
        normals: Vec::new(),
        parts: parts(object, &field, names, report),
        field,
    }
}

/// Returns the triangles by material. The engine flips each triangle because of the swapped axes, and so does the conversion to
/// glTF: the order is unchanged.
fn parts(
    object: &Object,
    field: &str,
    names: &BTreeMap<&str, usize>,
    report: &mut Report,
) -> Vec<(Option<usize>, Vec<[u32; 3]>)> {
    let mut of_face: Vec<Option<usize>> = vec![None; object.faces.len()];
    let (mut beyond, mut unknown) = (0_usize, 0_usize);
    for list in &object.face_materials {
        let material = names.get(list.material.as_str()).copied();
        unknown = unknown.saturating_add(usize::from(material.is_none()));
        for face in &list.faces {
            match of_face.get_mut(usize::from(*face)) {
                Some(slot) => *slot = material,
                None => beyond = beyond.saturating_add(1),
            }
        }
    }
    if beyond > 0 || unknown > 0 {
        let message = format!(
            "{} not in the file, and {} not in the object",
            counted(unknown, "material is", "materials are"),
            counted(beyond, "face with a material is", "faces with a material are")
        );
        report.warn(&warning::MATERIALS, message).in_field(field);
    }
    let mut parts: BTreeMap<Option<usize>, Vec<[u32; 3]>> = BTreeMap::new();
    for (face, material) in object.faces.iter().zip(of_face) {
        parts.entry(material).or_default().push(face.map(u32::from));
    }
    parts.into_iter().collect()
}
