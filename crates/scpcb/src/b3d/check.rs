//! Whether a model is sound, and whether what it names can be found.

use std::collections::BTreeSet;

use asset::{Context, Report};
use glam::Vec3;

use super::animation::{self, Timing};
use super::brush::Paints;
use super::chunk::Chunk;
use super::layout::{Brush, Sequence, Texture, Vertex};
use super::mesh::{Places, Shape};
use super::scene::Nodes;
use super::skin::Pulls;
use super::{B3d, warning};
use crate::model::texture::look_up;
use asset::counted;
use asset::reference::Reference;

/// What the engine numbers the vertices of a surface with.
const MOST_VERTICES: usize = 65_535;

/// What the engine numbers bones with, less the one that means none and the mesh itself.
const MOST_BONES: usize = 254;

pub(super) fn check(model: &B3d, context: &Context<'_>, report: &mut Report) {
    let paints = Paints::of(model);
    check_textures(&paints, context, report);
    check_brushes(&paints, report);
    let nodes = Nodes::of(model);
    if model.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Node(_))).count() > 1 {
        let message =
            "several nodes stand beside one another at the top: the engine gives the game the last one only";
        report.warn(&warning::MANY_ROOTS, message);
    }
    let mut seen = 0_usize;
    for (index, place) in nodes.iter() {
        let field = nodes.field(index);
        let node = place.node;
        let numbers = [&node.position[..], &node.scale, &node.rotation].concat();
        tell_not_finite(
            usize::from(!is_finite(&numbers)),
            ("node has", "nodes have"),
            "a place, turn or size",
            &field,
            report,
        );
        let keys = node.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Keys(keys) => Some(keys),
            _ => None,
        });
        let loose = keys.flat_map(|keys| keys.keys.iter()).filter(|key| {
            let [position, scale] =
                [key.position, key.scale].map(|value| value.is_none_or(|value| is_finite(&value)));
            !(position && scale && key.rotation.is_none_or(|turn| is_finite(&turn)))
        });
        tell_not_finite(loose.count(), ("key has", "keys have"), "a place, turn or size", &field, report);
        if let Some(mesh) = place.mesh {
            let shape = Shape::of(mesh);
            seen = seen.saturating_add(shape.triangles().count());
            check_brush(mesh.brush, &paints, &field, report);
            check_mesh(&shape, &paints, &field, report);
            let bones = nodes.bones(index);
            if bones.len() > MOST_BONES {
                let message =
                    format!("{} bones are more than the {MOST_BONES} the engine can number", bones.len());
                report.warn(&warning::MANY_BONES, message).in_field(field.as_str());
            }
            Pulls::gather(shape.vertices.len(), &bones, &field, report);
        }
    }
    nodes.tell_loose_bones(report);
    if seen == 0 {
        report.warn(&warning::NO_SHAPE, "the model has no triangles");
    }
    check_animation(&nodes, report);
}

fn check_animation(nodes: &Nodes<'_>, report: &mut Report) {
    let timing = Timing::stated(nodes);
    animation::tell_more_timing(nodes, report);
    if let Some(timing) = timing {
        animation::tell_outside(nodes, timing, report);
    }
    for found in animation::sequences(nodes) {
        let Sequence { name, first, last, .. } = found.sequence;
        let (first, last) = (*first, *last);
        if first > last {
            let message = format!("the sequence \"{name:.80}\" ends before it starts ({first} to {last})");
            report.warn(&warning::BAD_SEQUENCE, message).in_field(found.field(nodes));
        } else if let Some(timing) = timing
            && (first < 0 || last > timing.last)
        {
            let message = format!(
                "the sequence \"{name:.80}\" ({first} to {last}) leaves the frames 0 to {}",
                timing.last
            );
            report.warn(&warning::SEQUENCE_OUTSIDE, message).in_field(found.field(nodes));
        }
    }
}

/// Looks up every image, each name once.
fn check_textures(paints: &Paints<'_>, context: &Context<'_>, report: &mut Report) {
    let mut told = BTreeSet::new();
    for (texture, field) in paints.textures.iter() {
        let Texture { position, scale, rotation, .. } = texture;
        let numbers = [position[0], position[1], scale[0], scale[1], *rotation];
        tell_not_finite(
            usize::from(!is_finite(&numbers)),
            ("texture has", "textures have"),
            "a place, turn or size",
            &field,
            report,
        );
        let name = texture.file.text();
        if !told.insert(name.to_lowercase()) {
            continue;
        }
        let reference = Reference { noun: "texture", name: &name, field: &field, codes: &warning::TEXTURE };
        reference.check(look_up(context, &name), report);
    }
}

fn check_brushes(paints: &Paints<'_>, report: &mut Report) {
    for (brush, field) in paints.brushes.iter() {
        let Brush { color, shininess, .. } = brush;
        let is_sound = is_finite(color) && shininess.is_finite();
        tell_not_finite(
            usize::from(!is_sound),
            ("brush has", "brushes have"),
            "a colour or shine",
            &field,
            report,
        );
        warning::bad_textures(brush, &paints.textures, &field, report);
    }
}

fn check_brush(number: i32, paints: &Paints<'_>, field: &str, report: &mut Report) {
    if number != -1 && paints.brushes.get(number).is_none() {
        warning::bad_brush(number, paints.brushes.len(), field, report);
    }
}

fn check_mesh(shape: &Shape<'_>, paints: &Paints<'_>, field: &str, report: &mut Report) {
    let vertices = || shape.vertices.iter().map(|corner| corner.vertex);
    let not_placed = vertices().filter(|vertex| !is_finite(&vertex.position)).count();
    tell_not_finite(not_placed, ("vertex has", "vertices have"), "a position", field, report);
    let loose = vertices().filter(|vertex| !has_sound_rest(vertex)).count();
    tell_not_finite(
        loose,
        ("vertex has", "vertices have"),
        "a normal, colour or texture coordinates",
        field,
        report,
    );
    let (mut without_corner, mut flat) = (0_usize, 0_usize);
    for triangle in shape.triangles() {
        match triangle.map(|corner| shape.at(corner)) {
            [Some(a), Some(b), Some(c)] => {
                let is_flat = is_flat([a, b, c].map(|corner| corner.vertex.position));
                flat = flat.saturating_add(usize::from(is_flat));
            }
            _ => without_corner = without_corner.saturating_add(1),
        }
    }
    if without_corner > 0 {
        let triangles = counted(without_corner, "triangle names", "triangles name");
        let message = format!("{triangles} vertices beyond the {} there are", shape.vertices.len());
        report.warn(&warning::BAD_INDEX, message).in_field(field);
    }
    if flat > 0 {
        let message = format!("{} no area", counted(flat, "triangle has", "triangles have"));
        report.warn(&warning::ZERO_AREA, message).in_field(field);
    }
    let mut places = Places::new(shape.vertices.len());
    for (brush, part) in &shape.parts {
        if *brush >= 0 {
            check_brush(*brush, paints, field, report);
        }
        places.start();
        let corners = part.iter().flat_map(|part| part.triangles.iter()).flatten();
        let used =
            corners.fold(
                0_u32,
                |next, corner| {
                    if places.of(*corner, next) == next { next.saturating_add(1) } else { next }
                },
            );
        if usize::try_from(used).is_ok_and(|used| used > MOST_VERTICES) {
            let message = format!(
                "{used} vertices of the brush {brush} are more than the {MOST_VERTICES} the engine can number"
            );
            report.warn(&warning::MANY_VERTICES, message).in_field(field);
        }
    }
}

fn has_sound_rest(vertex: &Vertex) -> bool {
    vertex.normal.is_none_or(|normal| is_finite(&normal))
        && vertex.color.is_none_or(|color| is_finite(&color))
        && is_finite(&vertex.coordinates)
}

fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

fn tell_not_finite(count: usize, (one, many): (&str, &str), what: &str, field: &str, report: &mut Report) {
    if count > 0 {
        let message = format!("{} {what} that is not finite", counted(count, one, many));
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
}

/// Whether a triangle has no area at all.
fn is_flat(corners: [[f32; 3]; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| Vec3::from(corner).as_dvec3());
    (b - a).cross(c - a) == glam::DVec3::ZERO
}
