//! Checks a model and its texture references.

use std::collections::BTreeSet;

use asset::{Context, Report};
use glam::{DVec3, Vec3};

use super::layout::Mesh;
use super::{XFile, scene};
use crate::model::texture::look_up;
use asset::counted;
use asset::reference::Reference;

pub(super) fn check(file: &XFile, context: &Context<'_>, report: &mut Report) {
    // Everything that cannot be converted is a defect.
    scene::check_conversion(file, report);
    for (number, mesh) in file.meshes.iter().enumerate() {
        check_areas(mesh, &format!("meshes[{number}]"), report);
    }
    check_textures(file, context, report);
}

/// Reports triangles with zero area, which are converted like others.
fn check_areas(mesh: &Mesh, field: &str, report: &mut Report) {
    let at = |corner: u32| {
        let corner = usize::try_from(corner).ok()?;
        mesh.vertices.get(corner).map(|position| Vec3::from(*position).as_dvec3())
    };
    let mut flat = 0_usize;
    for corners in mesh.faces.iter() {
        let Some(first) = corners.first().and_then(|first| at(*first)) else { continue };
        for (b, c) in corners.iter().skip(1).zip(corners.iter().skip(2)) {
            let (Some(b), Some(c)) = (at(*b), at(*c)) else { continue };
            flat = flat.saturating_add(usize::from((b - first).cross(c - first) == DVec3::ZERO));
        }
    }
    if flat > 0 {
        let message = format!("{} zero area", counted(flat, "triangle has", "triangles have"));
        report.warn(&crate::model::warning::ZERO_AREA, message).in_field(field);
    }
}

/// Looks up every texture; each name is looked up once.
fn check_textures(file: &XFile, context: &Context<'_>, report: &mut Report) {
    let mut reported = BTreeSet::new();
    for (number, material) in file.materials.iter().enumerate() {
        let Some(name) = material.texture_name() else { continue };
        if !reported.insert(name.to_lowercase()) {
            continue;
        }
        let field = format!("materials[{number}].texture");
        let reference = Reference::new("texture", name, &field);
        reference.check(look_up(context, name), report);
    }
}
