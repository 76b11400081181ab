//! The extras of a scene from which a room can be restored.
//!
//! The extras of the room's node are
//! - `header` and `rest`, as in the file;
//! - `holds`: the number of collision surfaces, trigger boxes and entities of each class, so that the import can detect missing ones.
//!   Sections that are unreadable because of damage are omitted;
//! - `unread_entities` and `scale`, if they are not 0 and 1.
//!
//! The extras of a primitive are `surface`, its index in the file, and `colors`: the vertex colors as bytes in hexadecimal, if `COLOR_0`
//! cannot express them (on surfaces with a lightmap, and where doubled light is brighter than white). If a surface is divided into
//! several primitives, each also has `vertices` and `triangles`: the numbers of its vertices and triangles in the surface.

use std::collections::BTreeMap;

use json::{Map, Value, json};
use record::Bytes;
use scene::Primitive;

use super::RMesh;
use super::layout::Vertex;
use super::material::Blend;

/// The extras of the room's node.
pub(super) fn of_room(room: &RMesh, scale: f32) -> Map<String, Value> {
    let mut extras = Map::new();
    extras.insert("header".into(), room.header.text().into());
    extras.insert("rest".into(), json::to_value(&room.rest).unwrap_or_default());
    extras.insert("holds".into(), Value::Object(item_counts(room)));
    if room.unread_entities != 0 {
        extras.insert("unread_entities".into(), room.unread_entities.into());
    }
    if scale.to_bits() != 1_f32.to_bits() {
        extras.insert("scale".into(), json!(scale));
    }
    extras
}

fn item_counts(room: &RMesh) -> Map<String, Value> {
    let mut item_counts = Map::new();
    if let Some(collision) = &room.collision {
        item_counts.insert("collision".into(), json!(collision.len()));
    }
    if let Some(triggers) = &room.triggers {
        item_counts.insert("triggers".into(), json!(triggers.len()));
    }
    if let Some(entities) = &room.entities {
        let mut classes: BTreeMap<_, usize> = BTreeMap::new();
        for entity in entities {
            let count = classes.entry(entity.class()).or_default();
            *count = count.saturating_add(1);
        }
        item_counts.insert("entities".into(), json!(classes));
    }
    item_counts
}

/// The extras of a primitive with these vertices.
pub(super) fn of_vertices(vertices: &[Vertex], blend: Blend) -> Map<String, Value> {
    let mut extras = Map::new();
    if has_hidden_colors(vertices, blend) {
        let bytes: Vec<u8> = vertices.iter().flat_map(|vertex| vertex.color).collect();
        extras.insert("colors".into(), json::to_value(Bytes::from(bytes)).unwrap_or_default());
    }
    extras
}

/// Like [`of_vertices`], for a primitive in which some vertices were split. `numbers` are the vertices' numbers in the surface,
/// from which
/// the import restores the surface.
pub(super) fn of_split_vertices(
    vertices: &[Vertex],
    blend: Blend,
    numbers: &[u32],
    primitive: &Primitive,
) -> Map<String, Value> {
    let vertex =
        |number: &u32| usize::try_from(*number).ok().and_then(|number| vertices.get(number)).copied();
    let vertices: Vec<Vertex> = numbers.iter().map(|number| vertex(number).unwrap_or_default()).collect();
    let mut extras = Map::new();
    let triangles: Vec<usize> = (0..primitive.indices.len() / 3).collect();
    extras.insert("vertices".into(), json!(numbers));
    extras.insert("triangles".into(), json!(triangles));
    extras.extend(of_vertices(&vertices, blend));
    extras
}

/// Whether the colors cannot be restored from `COLOR_0`. Missing colors are restored as white.
fn has_hidden_colors(vertices: &[Vertex], blend: Blend) -> bool {
    let mut channels = vertices.iter().flat_map(|vertex| vertex.color);
    let is_white = channels.clone().all(|channel| channel == 255);
    match blend {
        Blend::Transparent => false,
        Blend::VertexLit => !is_white && channels.any(|channel| channel >= 128),
        Blend::Lightmapped => !is_white,
    }
}
