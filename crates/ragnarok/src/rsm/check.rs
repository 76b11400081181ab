//! Checks of a model and its references.

use std::collections::BTreeSet;

use asset::{Charset, Code, Context, Report, counted};

use super::normal::{Shade, corners};
use super::texture::{self, folded};
use super::{Face, Mesh, Rsm, Signature, VectorKey, warning};
use crate::rsm::Name;
use crate::rsm::pose::{HierarchyDefect, Model, matrix};

/// Reports problems whenever a model is read.
pub(super) fn read(model: &Rsm, length: usize, report: &mut Report) {
    let version = model.version;
    if !version.is_verified() {
        let message = format!(
            "no real model of version {version} is known; it is read by the rules of the neighboring versions"
        );
        report.warn(&warning::NEVER_SEEN, message).in_field("version");
    }
    if model.signature == Signature::Grsx {
        report.warn(&warning::GRSX, "the file starts with GRSX").in_field("signature");
    }
    if model.volume_boxes.is_none() {
        let end = u64::try_from(length).unwrap_or(u64::MAX);
        report.warn(&warning::NO_BOXES, "the file ends before its volume boxes").at(end);
    }
    if !model.trailing.is_empty() {
        let left = model.trailing.len();
        let message =
            format!("{} after the end of the model", counted(left, "trailing byte", "trailing bytes"));
        report.warn(&warning::LEFT_OVER, message).in_field("trailing");
    }
}

/// Reports all problems.
pub(super) fn check(rsm: &Rsm, context: &Context<'_>, report: &mut Report) {
    let model = Model::new(rsm);
    geometry(&model, report);
    let never_plays = model.duration().is_none() && model.is_moving();
    if never_plays {
        let message = "the model has keys, but its animation has no length or no frame rate";
        report.warn(&warning::NEVER_PLAYS, message).in_field("animation_length");
    }
    if rsm.reserved.is_some_and(|reserved| reserved != [0; 16]) {
        report.warn(&warning::RESERVED, "the reserved bytes are not zero").in_field("reserved");
    }
    if !rsm.meshes.iter().any(|mesh| mesh.faces.iter().any(|face| corners(mesh, face).is_some())) {
        report.warn(&warning::NO_GEOMETRY, "the model has no faces to convert");
    }
    names(rsm, context, report);
}

/// Reports problems of the converted geometry.
pub(super) fn geometry(model: &Model<'_>, report: &mut Report) {
    let rsm = model.rsm();
    if !matches!(rsm.shade_type, 0..=2) {
        let message = format!("unknown shade type {} (known: 0, 1, 2)", rsm.shade_type);
        report.warn(&warning::SHADE_TYPE, message).in_field("shade_type");
    }
    for defect in model.hierarchy().defects() {
        warn_hierarchy(rsm, *defect, report);
    }
    for (number, mesh) in rsm.meshes.iter().enumerate() {
        let mut reported = MeshReport { field: format!("meshes[{number}]"), report };
        reported.numbers(mesh);
        reported.faces(rsm, mesh);
        reported.motions(rsm, mesh);
    }
}

fn warn_hierarchy(rsm: &Rsm, defect: HierarchyDefect, report: &mut Report) {
    let name = |mesh: usize| rsm.meshes.get(mesh).map(|mesh| mesh.name.text()).unwrap_or_default();
    let parent = |mesh: usize| rsm.meshes.get(mesh).map(|mesh| mesh.parent.text()).unwrap_or_default();
    let (code, message, field) = match defect {
        HierarchyDefect::SameName { mesh, first } => (
            &warning::SAME_NAME,
            format!("mesh {first} is also named \"{}\"", name(first)),
            format!("meshes[{mesh}].name"),
        ),
        HierarchyDefect::RootMissing { root } => {
            let name = rsm.roots.get(root).map(|name| name.text()).unwrap_or_default();
            (&warning::NO_ROOT, format!("no mesh is named \"{name}\""), format!("roots[{root}]"))
        }
        HierarchyDefect::NoRoot => {
            (&warning::NO_ROOT, "no root found; using the first mesh".into(), "roots".into())
        }
        HierarchyDefect::ParentMissing { mesh } => {
            let message = format!("the parent \"{}\" does not exist", parent(mesh));
            (&warning::NO_PARENT, message, format!("meshes[{mesh}].parent"))
        }
        HierarchyDefect::Cycle { mesh } => {
            let message = "the mesh is its own ancestor; treated as a root".to_owned();
            (&warning::PARENT_CYCLE, message, format!("meshes[{mesh}].parent"))
        }
        HierarchyDefect::NotDrawn { mesh } => {
            let message = "the mesh is not a descendant of a root, so it is not drawn".to_owned();
            (&warning::NOT_DRAWN, message, format!("meshes[{mesh}].parent"))
        }
    };
    report.warn(code, message).in_field(field);
}

/// Reports the problems of one mesh.
struct MeshReport<'a> {
    field: String,
    report: &'a mut Report,
}

impl MeshReport<'_> {
    fn warn(&mut self, code: &'static Code, message: String) {
        self.report.warn(code, message).in_field(self.field.as_str());
    }

    /// Warns if there are any. The message starts with their number.
    fn warn_of(&mut self, code: &'static Code, count: usize, words: (&str, &str), rest: &str) {
        if count > 0 {
            self.warn(code, format!("{} {rest}", counted(count, words.0, words.1)));
        }
    }

    fn numbers(&mut self, mesh: &Mesh) {
        let non_finite = mesh.vertices.iter().filter(|position| !is_finite(*position)).count();
        self.warn_of(
            &warning::NOT_FINITE,
            non_finite,
            ("vertex has", "vertices have"),
            "a non-finite position",
        );
        let non_finite = mesh.texture_vertices.iter().filter(|vertex| !is_finite(&vertex.uv)).count();
        self.warn_of(
            &warning::NOT_FINITE,
            non_finite,
            ("pair of texture coordinates is", "pairs of texture coordinates are"),
            "not finite; using 0",
        );
        let keys = |keys: &Option<Vec<VectorKey>>| {
            keys.iter().flatten().filter(|key| !is_finite(&key.value)).count()
        };
        let non_finite = mesh.rotation_keys.iter().filter(|key| !is_finite(&key.quaternion)).count();
        let non_finite =
            non_finite.saturating_add(keys(&mesh.scale_keys)).saturating_add(keys(&mesh.position_keys));
        self.warn_of(&warning::NOT_FINITE, non_finite, ("key is", "keys are"), "not finite and left out");
        if is_finite(mesh.matrix.as_flattened()) && matrix(mesh).determinant() == 0.0 {
            self.warn(&warning::SINGULAR, "the matrix is not invertible".into());
        }
        if has_colors(mesh) {
            self.warn(&warning::COLORS, "colors of texture coordinates are left out".into());
        }
    }

    fn faces(&mut self, rsm: &Rsm, mesh: &Mesh) {
        let count =
            |condition: &dyn Fn(&Face) -> bool| mesh.faces.iter().filter(|face| condition(face)).count();
        let (vertices, uvs, slots) =
            (mesh.vertices.len(), mesh.texture_vertices.len(), rsm.textures_of(mesh).count());
        let beyond =
            |numbers: [u16; 3], count: usize| numbers.iter().any(|number| usize::from(*number) >= count);
        let names = ("face refers", "faces refer");
        let bad = count(&|face| beyond(face.vertices, vertices));
        self.warn_of(
            &warning::BAD_INDEX,
            bad,
            names,
            &format!("to vertices beyond the last of {vertices}, left out"),
        );
        let bad = count(&|face| beyond(face.texture_vertices, uvs));
        let rest = format!("to texture coordinates beyond the last of {uvs}; using (0, 0)");
        self.warn_of(&warning::BAD_UV_INDEX, bad, names, &rest);
        let bad = count(&|face| usize::from(face.texture) >= slots);
        let rest = format!("to textures beyond the last of {slots} of the mesh; using the first");
        self.warn_of(&warning::BAD_SLOT, bad, names, &rest);
        let bad = rsm.textures_of(mesh).filter(Option::is_none).count();
        let slots = ("texture of the mesh is", "textures of the mesh are");
        self.warn_of(&warning::BAD_SLOT, bad, slots, "not in the texture list of the model; using the first");
        let invalid = count(&|face| !matches!(face.two_sided, 0 | 1));
        let rest = "neither one-sided (0) nor two-sided (1); positive values count as two-sided";
        self.warn_of(&warning::TWO_SIDED, invalid, ("face is", "faces are"), rest);
        for (number, face) in
            mesh.faces.iter().enumerate().filter(|(_, face)| !matches!(face.two_sided, 0 | 1))
        {
            let field = format!("{}.faces[{number}].two_sided", self.field);
            self.report.fix(&warning::TWO_SIDED, field, || i32::from(face.two_sided > 0).into());
        }
        if Shade::of(rsm) == Shade::Smooth {
            let mixed = count(&|face| face.groups.is_mixed());
            let rest = "in several smoothing groups; using the first";
            self.warn_of(&warning::MIXED_GROUPS, mixed, ("face is", "faces are"), rest);
        }
        let flat = count(&|face| {
            corners(mesh, face).is_some_and(|[a, b, c]| (b - a).cross(c - a) == glam::DVec3::ZERO)
        });
        self.warn_of(&warning::ZERO_AREA, flat, ("face has", "faces have"), "zero area");
    }

    fn motions(&mut self, rsm: &Rsm, mesh: &Mesh) {
        let slots = rsm.textures_of(mesh).count();
        for animation in mesh.texture_animations.iter().flatten() {
            if !usize::try_from(animation.texture).is_ok_and(|texture| texture < slots) {
                let message =
                    format!("texture {} is animated, but the mesh has only {slots}", animation.texture);
                self.warn(&warning::UNKNOWN_MOTION, message);
            }
            for track in animation.tracks.iter().filter(|track| !matches!(track.kind, 0..=4)) {
                self.warn(
                    &warning::UNKNOWN_MOTION,
                    format!("unknown texture animation type {} (known: 0 to 4)", track.kind),
                );
            }
        }
    }
}

fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

/// Whether the texture coordinates of a mesh have meaningful colors: other than all bytes zero or all bytes 255.
pub(super) fn has_colors(mesh: &Mesh) -> bool {
    let is_meaningful = |color: [u8; 4]| color != [0; 4] && color != [255; 4];
    mesh.texture_vertices.iter().any(|vertex| vertex.color.is_some_and(is_meaningful))
}

/// Looks up the textures, each name once, and reports undecodable names.
fn names(rsm: &Rsm, context: &Context<'_>, report: &mut Report) {
    let mut reported = BTreeSet::new();
    let mut texture = |name: &Name, field: String, report: &mut Report| {
        if reported.insert(folded(name)) {
            texture::check(context, name, &field, report);
        }
        not_text(name, &field, report);
    };
    for (number, name) in rsm.textures.iter().flatten().enumerate() {
        texture(name, format!("textures[{number}]"), report);
    }
    for (number, mesh) in rsm.meshes.iter().enumerate() {
        for (slot, name) in mesh.textures.iter().flatten().enumerate() {
            texture(name, format!("meshes[{number}].textures[{slot}]"), report);
        }
        not_text(&mesh.name, &format!("meshes[{number}].name"), report);
    }
}

fn not_text(name: &Name, field: &str, report: &mut Report) {
    if !name.is_text() {
        let message = format!("the name cannot be decoded in {}", Charset::Cp949.name());
        report.warn(&warning::NOT_TEXT, message).in_field(field);
    }
}
