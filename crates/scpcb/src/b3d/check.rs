//! Checks a model and its references.

use asset::{Context, Report};
use glam::Vec3;

use super::animation::{self, Timing};
use super::brush::BrushTable;
use super::chunk::Chunk;
use super::layout::{Brush, Sequence, Texture, Vertex};
use super::mesh::{MeshGeometry, VertexMap};
use super::nodes::Nodes;
use super::skin::SkinWeights;
use super::{B3d, warning};
use crate::model::texture::look_up;
use asset::counted;
use asset::reference::{CheckedNames, Reference};

/// Maximum number of vertices of a surface in the engine.
const MAX_VERTICES: usize = 65_535;

/// Maximum number of bones in the engine: a byte, except for one value for no bone and one for the mesh.
const MAX_BONES: usize = 254;

pub(super) fn check(model: &B3d, context: &Context<'_>, report: &mut Report) {
    let brush_table = BrushTable::of(model);
    check_textures(&brush_table, context, report);
    check_brushes(&brush_table, report);
    let nodes = Nodes::of(model);
    if model.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Node(_))).count() > 1 {
        let message = "several root nodes: the engine returns only the last one to the game";
        report.warn(&warning::MANY_ROOTS, message);
    }
    let mut seen = 0_usize;
    for (index, entry) in nodes.iter() {
        let field = nodes.field(index);
        let node = entry.node;
        let numbers = [&node.position[..], &node.scale, &node.rotation].concat();
        warn_not_finite(
            usize::from(!is_finite(&numbers)),
            ("node has", "nodes have"),
            "position, rotation or scale",
            &field,
            report,
        );
        let keys = node.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Keys(keys) => Some(keys),
            _ => None,
        });
        let not_finite_attributes = keys.flat_map(|keys| keys.keys.iter()).filter(|key| {
            let [position, scale] =
                [key.position, key.scale].map(|value| value.is_none_or(|value| is_finite(&value)));
            !(position && scale && key.rotation.is_none_or(|rotation| is_finite(&rotation)))
        });
        warn_not_finite(
            not_finite_attributes.count(),
            ("key has", "keys have"),
            "position, rotation or scale",
            &field,
            report,
        );
        if let Some(mesh) = entry.mesh {
            let geometry = MeshGeometry::of(mesh);
            seen = seen.saturating_add(geometry.triangles().count());
            check_brush(mesh.brush, &brush_table, &field, report);
            check_mesh(&geometry, &brush_table, &field, report);
            let bones = nodes.bones(index);
            if bones.len() > MAX_BONES {
                let message = format!("{} bones, but the engine can index only {MAX_BONES}", bones.len());
                report.warn(&warning::MANY_BONES, message).in_field(field.as_str());
            }
            SkinWeights::collect(geometry.vertices.len(), &bones, &field, report);
        }
    }
    nodes.warn_bones_without_mesh(report);
    if seen == 0 {
        report.warn(&warning::NO_GEOMETRY, "the model has no triangles");
    }
    check_animation(&nodes, report);
}

fn check_animation(nodes: &Nodes<'_>, report: &mut Report) {
    let timing = Timing::declared(nodes);
    animation::warn_other_timing(nodes, report);
    if let Some(timing) = timing {
        animation::warn_keys_outside(nodes, timing, report);
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
                "the sequence \"{name:.80}\" ({first} to {last}) extends beyond frames 0 to {}",
                timing.last
            );
            report.warn(&warning::SEQUENCE_OUTSIDE, message).in_field(found.field(nodes));
        }
    }
}

/// Looks up every image; each name is looked up once.
fn check_textures(brush_table: &BrushTable<'_>, context: &Context<'_>, report: &mut Report) {
    let mut names = CheckedNames::default();
    for (texture, field) in brush_table.textures.iter() {
        let Texture { position, scale, rotation, .. } = texture;
        let numbers = [position[0], position[1], scale[0], scale[1], *rotation];
        warn_not_finite(
            usize::from(!is_finite(&numbers)),
            ("texture has", "textures have"),
            "position, rotation or scale",
            &field,
            report,
        );
        let name = texture.file.text();
        let reference = Reference::new("texture", &name, &field);
        names.check(&reference, &format!("{field}.file"), || look_up(context, &name), report);
    }
}

fn check_brushes(brush_table: &BrushTable<'_>, report: &mut Report) {
    for (brush, field) in brush_table.brushes.iter() {
        let Brush { color, shininess, .. } = brush;
        let is_valid = is_finite(color) && shininess.is_finite();
        warn_not_finite(
            usize::from(!is_valid),
            ("brush has", "brushes have"),
            "color or shininess",
            &field,
            report,
        );
        warning::bad_textures(brush, &brush_table.textures, &field, report);
    }
}

fn check_brush(number: i32, brush_table: &BrushTable<'_>, field: &str, report: &mut Report) {
    if number != -1 && brush_table.brushes.get(number).is_none() {
        warning::bad_brush(number, brush_table.brushes.len(), field, report);
    }
}

fn check_mesh(geometry: &MeshGeometry<'_>, brush_table: &BrushTable<'_>, field: &str, report: &mut Report) {
    let vertices = || geometry.vertices.iter().map(|corner| corner.vertex);
    let position_not_finite = vertices().filter(|vertex| !is_finite(&vertex.position)).count();
    warn_not_finite(position_not_finite, ("vertex has", "vertices have"), "position", field, report);
    let not_finite_attributes = vertices().filter(|vertex| !has_finite_attributes(vertex)).count();
    warn_not_finite(
        not_finite_attributes,
        ("vertex has", "vertices have"),
        "normal, color or texture coordinates",
        field,
        report,
    );
    let (mut index_out_of_range, mut flat) = (0_usize, 0_usize);
    for triangle in geometry.triangles() {
        match triangle.map(|corner| geometry.at(corner)) {
            [Some(a), Some(b), Some(c)] => {
                let is_degenerate = is_degenerate([a, b, c].map(|corner| corner.vertex.position));
                flat = flat.saturating_add(usize::from(is_degenerate));
            }
            _ => index_out_of_range = index_out_of_range.saturating_add(1),
        }
    }
    if index_out_of_range > 0 {
        let triangles = counted(index_out_of_range, "triangle refers", "triangles refer");
        let message = format!("{triangles} to vertices beyond the last of {}", geometry.vertices.len());
        report.warn(&warning::BAD_INDEX, message).in_field(field);
    }
    if flat > 0 {
        let message = format!("{} zero area", counted(flat, "triangle has", "triangles have"));
        report.warn(&crate::model::warning::ZERO_AREA, message).in_field(field);
    }
    let mut vertex_map = VertexMap::new(geometry.vertices.len());
    for (brush, part) in &geometry.parts {
        if *brush >= 0 {
            check_brush(*brush, brush_table, field, report);
        }
        vertex_map.start();
        let corners = part.iter().flat_map(|part| part.triangles.iter()).flatten();
        let used = corners.fold(0_u32, |next, corner| {
            if vertex_map.of(*corner, next) == next { next.saturating_add(1) } else { next }
        });
        if usize::try_from(used).is_ok_and(|used| used > MAX_VERTICES) {
            let message =
                format!("brush {brush} uses {used} vertices, but the engine can index only {MAX_VERTICES}");
            report.warn(&warning::MANY_VERTICES, message).in_field(field);
        }
    }
}

fn has_finite_attributes(vertex: &Vertex) -> bool {
    vertex.normal.is_none_or(|normal| is_finite(&normal))
        && vertex.color.is_none_or(|color| is_finite(&color))
        && is_finite(&vertex.coordinates)
}

fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

fn warn_not_finite(count: usize, (one, many): (&str, &str), what: &str, field: &str, report: &mut Report) {
    if count > 0 {
        let message = format!("{} a non-finite {what}", counted(count, one, many));
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
}

/// Whether a triangle has zero area.
fn is_degenerate(corners: [[f32; 3]; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| Vec3::from(corner).as_dvec3());
    (b - a).cross(c - a) == glam::DVec3::ZERO
}
