//! Whether a model is sound, and whether what it names can be found.

use std::collections::BTreeSet;

use asset::{Code, Context, Report, counted};

use super::normal::{Shade, corners};
use super::texture::{self, folded};
use super::{Face, Mesh, Rsm, Signature, VectorKey, Version, warning};
use crate::rsm::Name;
use crate::rsm::pose::{Model, Oddity, matrix};

/// What is told whenever a model is read.
pub(super) fn read(model: &Rsm, length: usize, report: &mut Report) {
    let version = model.version;
    if !version.is_seen() {
        let message = format!(
            "models of version {version} were never seen: this one is read by the rules of the versions around it"
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
    if version == Version::V1_5 && model.extra_word.is_none() {
        let message = "the four bytes that version 1.5 has more are not there";
        report.warn(&warning::NO_EXTRA_WORD, message);
    }
    if !model.trailing.is_empty() {
        let left = model.trailing.len();
        let message = format!("{} behind the end of the model", counted(left, "byte stands", "bytes stand"));
        report.warn(&warning::LEFT_OVER, message).in_field("trailing");
    }
}

/// Everything that can be amiss.
pub(super) fn check(rsm: &Rsm, context: &Context<'_>, report: &mut Report) {
    let model = Model::new(rsm);
    shape(&model, report);
    let stands_still = model.duration().is_none() && model.is_moving();
    if stands_still {
        let message = "it has keys, but its animation has no length or no frames per second";
        report.warn(&warning::STANDS_STILL, message).in_field("animation_length");
    }
    if rsm.reserved.is_some_and(|reserved| reserved != [0; 16]) {
        report.warn(&warning::RESERVED, "the reserved bytes are not zero").in_field("reserved");
    }
    if !rsm.meshes.iter().any(|mesh| mesh.faces.iter().any(|face| corners(mesh, face).is_some())) {
        report.warn(&warning::NO_SHAPE, "the model has no faces that can be shown");
    }
    names(rsm, context, report);
}

/// What is amiss with what a conversion shows.
pub(super) fn shape(model: &Model<'_>, report: &mut Report) {
    let rsm = model.rsm();
    if !matches!(rsm.shade_type, 0..=2) {
        let message = format!("shade type {} is not known", rsm.shade_type);
        report.warn(&warning::SHADE_TYPE, message).in_field("shade_type");
    }
    for oddity in model.hierarchy().oddities() {
        tell_oddity(rsm, *oddity, report);
    }
    for (number, mesh) in rsm.meshes.iter().enumerate() {
        let mut told = Told { field: format!("meshes[{number}]"), report };
        told.numbers(mesh);
        told.faces(rsm, mesh);
        told.motions(rsm, mesh);
    }
}

fn tell_oddity(rsm: &Rsm, oddity: Oddity, report: &mut Report) {
    let name = |mesh: usize| rsm.meshes.get(mesh).map(|mesh| mesh.name.text()).unwrap_or_default();
    let parent = |mesh: usize| rsm.meshes.get(mesh).map(|mesh| mesh.parent.text()).unwrap_or_default();
    let (code, message, field) = match oddity {
        Oddity::SameName { mesh, first } => (
            &warning::SAME_NAME,
            format!("mesh {first} is called \"{}\" too", name(first)),
            format!("meshes[{mesh}].name"),
        ),
        Oddity::RootMissing { root } => {
            let name = rsm.roots.get(root).map(|name| name.text()).unwrap_or_default();
            (&warning::NO_ROOT, format!("no mesh is called \"{name}\""), format!("roots[{root}]"))
        }
        Oddity::NoRoot => {
            (&warning::NO_ROOT, "no root is there: the first mesh is taken".into(), "roots".into())
        }
        Oddity::ParentMissing { mesh } => {
            let message = format!("it hangs on \"{}\", which is not there", parent(mesh));
            (&warning::NO_PARENT, message, format!("meshes[{mesh}].parent"))
        }
        Oddity::Circle { mesh } => {
            let message = "it hangs on itself by way of others: it is taken to hang on nothing".to_owned();
            (&warning::CIRCLE, message, format!("meshes[{mesh}].parent"))
        }
        Oddity::NotDrawn { mesh } => {
            let message = "it does not hang on a root, so it is not drawn".to_owned();
            (&warning::NOT_DRAWN, message, format!("meshes[{mesh}].parent"))
        }
    };
    report.warn(code, message).in_field(field);
}

/// Tells what is amiss with one mesh.
struct Told<'a> {
    field: String,
    report: &'a mut Report,
}

impl Told<'_> {
    fn warn(&mut self, code: &'static Code, message: String) {
        self.report.warn(code, message).in_field(self.field.as_str());
    }

    /// Warns when there are any; the message starts with their number.
    fn warn_of(&mut self, code: &'static Code, count: usize, words: (&str, &str), rest: &str) {
        if count > 0 {
            self.warn(code, format!("{} {rest}", counted(count, words.0, words.1)));
        }
    }

    fn numbers(&mut self, mesh: &Mesh) {
        let loose = mesh.vertices.iter().filter(|place| !is_finite(*place)).count();
        self.warn_of(
            &warning::NOT_FINITE,
            loose,
            ("vertex has", "vertices have"),
            "a place that is not finite",
        );
        let loose = mesh.texture_vertices.iter().filter(|vertex| !is_finite(&vertex.uv)).count();
        self.warn_of(
            &warning::NOT_FINITE,
            loose,
            ("pair of texture coordinates is", "pairs of texture coordinates are"),
            "not finite, and taken for 0",
        );
        let keys = |keys: &Option<Vec<VectorKey>>| {
            keys.iter().flatten().filter(|key| !is_finite(&key.value)).count()
        };
        let loose = mesh.rotation_keys.iter().filter(|key| !is_finite(&key.quaternion)).count();
        let loose = loose.saturating_add(keys(&mesh.scale_keys)).saturating_add(keys(&mesh.position_keys));
        self.warn_of(&warning::NOT_FINITE, loose, ("key is", "keys are"), "not finite, and left out");
        if is_finite(mesh.matrix.as_flattened()) && matrix(mesh).determinant() == 0.0 {
            self.warn(&warning::SINGULAR, "the matrix has no inverse".into());
        }
        if has_colors(mesh) {
            self.warn(&warning::COLORS, "colours of texture coordinates are not shown".into());
        }
    }

    fn faces(&mut self, rsm: &Rsm, mesh: &Mesh) {
        let count = |is: &dyn Fn(&Face) -> bool| mesh.faces.iter().filter(|face| is(face)).count();
        let (vertices, uvs, slots) =
            (mesh.vertices.len(), mesh.texture_vertices.len(), rsm.textures_of(mesh).count());
        let beyond =
            |numbers: [u16; 3], most: usize| numbers.iter().any(|number| usize::from(*number) >= most);
        let names = ("face names", "faces name");
        let bad = count(&|face| beyond(face.vertices, vertices));
        self.warn_of(
            &warning::BAD_INDEX,
            bad,
            names,
            &format!("vertices beyond the {vertices} there are, left out"),
        );
        let bad = count(&|face| beyond(face.texture_vertices, uvs));
        let rest = format!("texture coordinates beyond the {uvs} there are, taken for (0, 0)");
        self.warn_of(&warning::BAD_UV_INDEX, bad, names, &rest);
        let bad = count(&|face| usize::from(face.texture) >= slots);
        let rest = format!("textures beyond the {slots} of the mesh: its first is taken");
        self.warn_of(&warning::BAD_SLOT, bad, names, &rest);
        let bad = rsm.textures_of(mesh).filter(Option::is_none).count();
        let slots = ("texture of the mesh is", "textures of the mesh are");
        self.warn_of(&warning::BAD_SLOT, bad, slots, "not in the model's list: the first of that is taken");
        let odd = count(&|face| !matches!(face.two_sided, 0 | 1));
        let rest = "neither one-sided (0) nor two-sided (1): above 0 counts as two-sided";
        self.warn_of(&warning::TWO_SIDED, odd, ("face is", "faces are"), rest);
        if Shade::of(rsm) == Shade::Smooth {
            let mixed = count(&|face| face.groups.is_mixed());
            let rest = "in several smoothing groups: the first counts";
            self.warn_of(&warning::MIXED_GROUPS, mixed, ("face is", "faces are"), rest);
        }
        let flat = count(&|face| {
            corners(mesh, face).is_some_and(|[a, b, c]| (b - a).cross(c - a) == glam::DVec3::ZERO)
        });
        self.warn_of(&warning::ZERO_AREA, flat, ("face has", "faces have"), "no area");
    }

    fn motions(&mut self, rsm: &Rsm, mesh: &Mesh) {
        let slots = rsm.textures_of(mesh).count();
        for animation in mesh.texture_animations.iter().flatten() {
            if !usize::try_from(animation.texture).is_ok_and(|texture| texture < slots) {
                let message = format!("texture {} moves, but the mesh has only {slots}", animation.texture);
                self.warn(&warning::UNKNOWN_MOTION, message);
            }
            for track in animation.tracks.iter().filter(|track| !matches!(track.kind, 0..=4)) {
                self.warn(
                    &warning::UNKNOWN_MOTION,
                    format!("textures do not move in the way {}", track.kind),
                );
            }
        }
    }
}

fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

/// Whether the texture coordinates of a mesh have colours that say something: other than all bytes zero or all bytes 255.
pub(super) fn has_colors(mesh: &Mesh) -> bool {
    let says = |color: [u8; 4]| color != [0; 4] && color != [255; 4];
    mesh.texture_vertices.iter().any(|vertex| vertex.color.is_some_and(says))
}

/// Looks up the textures, each name once, and tells names that are no text.
fn names(rsm: &Rsm, context: &Context<'_>, report: &mut Report) {
    let mut told = BTreeSet::new();
    let mut texture = |name: &Name, field: String, report: &mut Report| {
        if told.insert(folded(name)) {
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
        report.warn(&warning::NOT_TEXT, "the name is no text in cp949").in_field(field);
    }
}
