//! What a scene has to say of a room, beyond its looks, so that the room can be made of it again.
//!
//! All of it stands in `extras`. The room's node has
//! - `header` and `rest`, as in the file;
//! - `holds`: how many collision surfaces, trigger boxes and entities of each class there are, so that it is noticed when some are
//!   missing later. What could not be read for damage is not named;
//! - `unread_entities` and `scale`, where they are not 0 and 1.
//!
//! A primitive has, beside `surface`, its number in the file, `colors`: the vertex colours as bytes in hexadecimal, where `COLOR_0`
//! does not tell them: under a lightmap, and where light that is doubled is brighter than white.

use std::collections::BTreeMap;

use record::Bytes;
use serde_json::{Map, Value, json};

use super::RMesh;
use super::layout::{Surface, Vertex};
use super::material::Blend;

/// What the room's node says.
pub(super) fn of_room(room: &RMesh, scale: f32) -> Map<String, Value> {
    let mut extras = Map::new();
    extras.insert("header".into(), room.header.text().into());
    extras.insert("rest".into(), serde_json::to_value(&room.rest).unwrap_or_default());
    extras.insert("holds".into(), Value::Object(held(room)));
    if room.unread_entities != 0 {
        extras.insert("unread_entities".into(), room.unread_entities.into());
    }
    if scale.to_bits() != 1_f32.to_bits() {
        extras.insert("scale".into(), json!(scale));
    }
    extras
}

fn held(room: &RMesh) -> Map<String, Value> {
    let mut held = Map::new();
    if let Some(collision) = &room.collision {
        held.insert("collision".into(), json!(collision.len()));
    }
    if let Some(triggers) = &room.triggers {
        held.insert("triggers".into(), json!(triggers.len()));
    }
    if let Some(entities) = &room.entities {
        let mut classes: BTreeMap<_, usize> = BTreeMap::new();
        for entity in entities {
            let count = classes.entry(entity.class()).or_default();
            *count = count.saturating_add(1);
        }
        held.insert("entities".into(), json!(classes));
    }
    held
}

/// What the primitive of a surface says.
pub(super) fn of_surface(surface: &Surface, blend: Blend) -> Map<String, Value> {
    let mut extras = Map::new();
    if has_hidden_colors(&surface.vertices, blend) {
        let bytes: Vec<u8> = surface.vertices.iter().flat_map(|vertex| vertex.color).collect();
        extras.insert("colors".into(), serde_json::to_value(Bytes::from(bytes)).unwrap_or_default());
    }
    extras
}

/// Whether `COLOR_0` is not enough to know the colours from. White all over is what is taken where there are none.
fn has_hidden_colors(vertices: &[Vertex], blend: Blend) -> bool {
    let mut channels = vertices.iter().flat_map(|vertex| vertex.color);
    let is_white = channels.clone().all(|channel| channel == 255);
    match blend {
        Blend::Transparent => false,
        Blend::VertexLit => !is_white && channels.any(|channel| channel >= 128),
        Blend::Lightmapped => !is_white,
    }
}
