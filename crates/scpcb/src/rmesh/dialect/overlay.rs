//! What a room of another dialect has beyond a plain one, laid over the scene of the plain one.

use std::collections::BTreeMap;

use asset::{Report, Target};
use scene::{Node, Primitive, Scene};
use serde_json::{Value, json};

use super::likeness::{Likeness, Own};
use super::normal::Reading;
use crate::axes;
use crate::rmesh::warning;

/// Gives the room its dialect's name, nodes their own class and fields, and primitives their normals.
pub(super) fn lay_over(
    scene: &mut Scene,
    dialect: &str,
    likeness: &Likeness,
    target: &Target<'_>,
    report: &mut Report,
) {
    for node in scene.nodes.iter_mut().filter(|node| node.extras.contains_key("header")) {
        node.extras.insert("header".into(), dialect.into());
        if let Some(held) = node.extras.get_mut("holds").and_then(|holds| holds.get_mut("entities")) {
            *held = held_entities(likeness);
        }
    }
    #[expect(clippy::as_conversions, reason = "a factor for lengths: single precision is what they have")]
    let scale = target.scale as f32;
    for (index, (like, own)) in likeness.room.entities().iter().zip(&likeness.own).enumerate() {
        let Some(own) = own else { continue };
        let plain_name = format!("{}_{index}", like.class());
        let is_it = |node: &&mut Node| node.name == plain_name && node.extras.contains_key("entity");
        if let Some(node) = scene.nodes.iter_mut().find(is_it) {
            lay_over_node(node, own, index, scale, report);
        }
    }
    let reading = reading(likeness, report);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if let Some(surface) = surface_of(primitive) {
            if let (Some(reading), Some(normals)) = (reading, &likeness.normals) {
                add_normals(primitive, reading, normals.get(surface).map(Vec::as_slice).unwrap_or_default());
            }
            if let Some(render_only) = surface.checked_sub(likeness.solid_surfaces()) {
                primitive.extras.remove("surface");
                primitive.extras.insert("render_surface".into(), json!(render_only));
            }
        }
    }
}

fn lay_over_node(node: &mut Node, own: &Own, index: usize, scale: f32, report: &mut Report) {
    node.extras.extend(own.extras.clone());
    node.name = format!("{}_{index}", own.class);
    let Some((position, rotation)) = own.place else { return };
    let (position, rotation) = (axes::position(position) * scale, axes::rotation(rotation));
    if position.is_finite() && rotation.is_finite() {
        (node.translation, node.rotation) = (position, rotation);
    } else {
        report.warn(&warning::BAD_PLACE, "its place is not finite").in_field(format!("entities[{index}]"));
    }
}

/// How many entities there are of each of the dialect's own classes.
fn held_entities(likeness: &Likeness) -> Value {
    let mut classes: BTreeMap<_, usize> = BTreeMap::new();
    for class in likeness.classes() {
        let count = classes.entry(class).or_default();
        *count = count.saturating_add(1);
    }
    json!(classes)
}

/// How normals are to be read, told once.
fn reading(likeness: &Likeness, report: &mut Report) -> Option<Reading> {
    let normals = likeness.normals.as_ref().filter(|normals| !normals.is_empty())?;
    let reading = Reading::of(&likeness.room.surfaces, normals);
    let message = match reading {
        Reading::Swapped => "normals are taken as x, z, y, as the game does",
        Reading::AsWritten => {
            "normals are taken as x, y, z, not as x, z, y as the game does: so they fit the triangles"
        }
    };
    report.warn(&warning::NORMALS_READ, message);
    Some(reading)
}

/// Which surface a primitive shows.
fn surface_of(primitive: &Primitive) -> Option<usize> {
    primitive.extras.get("surface").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok())
}

/// Gives a primitive its normals, unless its vertices are no longer those of the surface.
fn add_normals(primitive: &mut Primitive, reading: Reading, normals: &[[f32; 3]]) {
    if normals.len() != primitive.positions.len() {
        return;
    }
    let shown = |normal: &[f32; 3]| {
        let direction = axes::direction(reading.apply(*normal));
        if direction.is_finite() { direction.to_array() } else { [0.0; 3] }
    };
    primitive.normals = Some(normals.iter().map(shown).collect());
}
