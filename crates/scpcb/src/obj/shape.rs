//! Converts an `.obj` model to shapes and materials. Its axes are those of glTF.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Context, Report, counted};

use super::{Corner, Group, NOWHERE, ObjFile, library, warning};
use crate::axes;
use crate::model::shapes::{Shape, Shapes, Surface};

/// Maximum number of unknown materials listed in a warning.
const MAX_LISTED: usize = 3;

pub(super) fn shapes(file: &ObjFile, context: &Context<'_>, report: &mut Report) -> Shapes {
    let library = library::find(&file.libraries, context, report);
    let used: BTreeSet<&str> = file.groups.iter().filter_map(|group| group.material.as_deref()).collect();
    let unknown: Vec<&str> = used.iter().copied().filter(|name| !library.contains_key(*name)).collect();
    if !unknown.is_empty() && !library.is_empty() {
        let named: Vec<_> =
            unknown.iter().take(MAX_LISTED).map(|name| name.chars().take(80).collect::<String>()).collect();
        let more = if unknown.len() > MAX_LISTED { ", ..." } else { "" };
        let message = format!(
            "{} not in the material library: {}{more}",
            counted(unknown.len(), "material is", "materials are"),
            named.join(", ")
        );
        report.warn(&warning::MATERIALS, message);
    }
    let few = file.groups.iter().flat_map(|group| &group.face_sizes).filter(|size| **size < 3).count();
    if few > 0 {
        let message = format!("{} fewer than three corners", counted(few, "face has", "faces have"));
        report.warn(&crate::model::warning::FEW_CORNERS, message);
    }
    let names: Vec<&str> = used.into_iter().filter(|name| library.contains_key(*name)).collect();
    let materials = names.iter().filter_map(|name| library.get(*name)).enumerate();
    Shapes {
        materials: materials
            .map(|(number, material)| Surface {
                name: material.name.clone(),
                field: format!("materials[{number}].texture"),
                color: material.diffuse,
                alpha: material.alpha,
                texture: material.texture.clone(),
            })
            .collect(),
        shapes: objects(file, &names),
    }
}

/// Returns one shape for all groups with one name.
fn objects(file: &ObjFile, materials: &[&str]) -> Vec<Shape> {
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    let mut objects: Vec<Vec<(usize, &Group)>> = Vec::new();
    for (number, group) in file.groups.iter().enumerate() {
        let index = *by_name.entry(&group.name).or_insert(objects.len());
        match objects.get_mut(index) {
            Some(object) => object.push((number, group)),
            None => objects.push(vec![(number, group)]),
        }
    }
    objects.iter().map(|groups| shape(file, groups, materials)).collect()
}

fn shape(file: &ObjFile, groups: &[(usize, &Group)], materials: &[&str]) -> Shape {
    let first = groups.first();
    let has_normals = groups.iter().flat_map(|(_, group)| &group.corners).all(|corner| {
        let at = corner.normal.and_then(|normal| usize::try_from(normal).ok());
        at.is_some_and(|at| at < file.normals.len())
    });
    let mut out = Shape {
        name: first.map_or("", |(_, group)| group.name.as_str()).to_owned(),
        field: first.map_or_else(String::new, |(number, _)| format!("groups[{number}]")),
        ..Shape::default()
    };
    if out.name.is_empty() {
        out.name = "object".into();
    }
    let mut numbers: BTreeMap<Corner, u32> = BTreeMap::new();
    for (_, group) in groups {
        let material = group.material.as_deref().and_then(|name| materials.binary_search(&name).ok());
        let mut triangles = Vec::new();
        let mut rest = group.corners.as_slice();
        for size in &group.face_sizes {
            let (face, remaining) =
                rest.split_at(usize::try_from(*size).unwrap_or(usize::MAX).min(rest.len()));
            rest = remaining;
            let mut number = |corner: &Corner| vertex(file, *corner, has_normals, &mut numbers, &mut out);
            let face: Vec<u32> = face.iter().map(&mut number).collect();
            let Some((first, others)) = face.split_first() else { continue };
            let fan = others.iter().zip(others.iter().skip(1));
            triangles.extend(fan.map(|(second, third)| [*first, *second, *third]));
        }
        out.parts.push((material, triangles));
    }
    out
}

/// Returns the vertex index of a corner in the shape, and adds the vertex if it is new.
fn vertex(
    file: &ObjFile,
    corner: Corner,
    has_normals: bool,
    numbers: &mut BTreeMap<Corner, u32>,
    out: &mut Shape,
) -> u32 {
    let corner = Corner { normal: corner.normal.filter(|_| has_normals), ..corner };
    let Some([x, y, z]) = at(&file.vertices, Some(corner.vertex)) else { return NOWHERE };
    let next = u32::try_from(out.positions.len()).unwrap_or(NOWHERE);
    let number = *numbers.entry(corner).or_insert(next);
    if number == next {
        let [u, v] = at(&file.texture_coords, corner.texture_coord).unwrap_or([0.0, 1.0]);
        out.positions.push([x, y, z].map(axes::length));
        out.uvs.push([u, 1.0 - v]);
        if has_normals {
            out.normals.push(at(&file.normals, corner.normal).unwrap_or_default());
        }
    }
    number
}

fn at<T: Copy>(list: &[T], index: Option<u32>) -> Option<T> {
    list.get(usize::try_from(index?).ok()?).copied()
}
