//! The description of a room: summary, counts and all fields.

use std::collections::BTreeSet;

use asset::{Context, Counts, Description, Detail, Items, counted};
use json::{Document, json};

use super::layout::{Entity, TextureKind};
use super::{Header, RMesh, TRAILER};
use crate::ini::rooms;

pub(super) fn describe(room: &RMesh, detail: Detail) -> Description {
    let entities = room.entities().len();
    let summary = format!(
        "room, {}, {}, {}",
        counted(room.surfaces.len(), "surface", "surfaces"),
        counted(room.triangle_count(), "triangle", "triangles"),
        counted(entities, "entity", "entities"),
    );
    let fields = match detail {
        Detail::Brief => brief(room, room.header.text()),
        Detail::Full => full(room),
    };
    Description {
        summary,
        dialect: dialect(room),
        counts: counts(room),
        fields,
        derived: &["[\"rooms.ini\"]"],
    }
}

/// Surfaces by their images: other programs merge surfaces with the same material. Entities, collision and trigger boxes are compared
/// when a scene is converted to a room, because their counts are stored in the scene's extras.
pub(super) fn items(room: &RMesh) -> Items {
    let surfaces: BTreeSet<String> = room
        .surfaces
        .iter()
        .map(|surface| {
            let names =
                [&surface.texture, &surface.lightmap].map(|slot| slot.named().map(ToString::to_string));
            names.into_iter().flatten().collect::<Vec<_>>().join(" + ")
        })
        .collect();
    Items::new().with_named("surfaces", surfaces)
}

/// Adds the room's entry in the game's table of rooms.
pub(super) fn add_table_entry(context: &Context<'_>, description: &mut Description) {
    if let Some(entry) = rooms::of_room(context) {
        // Only an object takes another member.
        let _ = description.fields.put_last(&[], "rooms.ini", &entry.into());
    }
}

/// The header and the program that probably wrote the room.
fn dialect(room: &RMesh) -> String {
    let lightmap_as_opaque = room.surfaces.iter().any(|surface| {
        surface.lightmap.kind == TextureKind::NONE
            || (surface.lightmap.kind == TextureKind::OPAQUE && surface.lightmap.named().is_some())
    });
    let custom = room.entities().iter().any(|entity| matches!(entity, Entity::Custom(..)));
    let writer = match (&*room.rest, lightmap_as_opaque || custom) {
        (TRAILER, false) => "the game's converter",
        (TRAILER, true) => "another editor, with trailer",
        ([], true) => "CBRE or another editor",
        ([], false) => "no trailer",
        _ => "with trailing bytes",
    };
    format!("{}, {writer}", room.header.text())
}

fn counts(room: &RMesh) -> Counts {
    let vertices: usize = room.surfaces.iter().map(|surface| surface.vertices.len()).sum();
    let mut counts = Counts::new()
        .with("surfaces", room.surfaces.len())
        .with("vertices", vertices)
        .with("triangles", room.triangle_count())
        .with("collision surfaces", room.collision().len())
        .with("trigger boxes", room.triggers().len())
        .with("entities", room.entities().len());
    for class in Entity::CLASSES {
        let count = room.entities().iter().filter(|entity| entity.class() == class).count();
        if count > 0 {
            counts = counts.with(class, count);
        }
    }
    counts
}

pub(super) fn brief(room: &RMesh, header: &str) -> Document {
    let surfaces = room.surfaces.iter().map(|surface| {
        json!({
            "texture": surface.texture.named().map(ToString::to_string),
            "lightmap": surface.lightmap.named().map(ToString::to_string),
            "transparent": surface.texture.kind == TextureKind::TRANSPARENT,
            "vertices": surface.vertices.len(),
            "triangles": surface.triangles.len(),
        })
    });
    let trailer = if *room.rest == *TRAILER { "EOF".into() } else { room.rest.to_string() };
    Document::object(|out| {
        out.put("header", header)
            .put("has_trigger_boxes", &(room.header == Header::HasTriggerBox))
            .put("trailer", &trailer)
            .list("surfaces", surfaces)
            .list("trigger_boxes", room.triggers().iter().map(|trigger| trigger.name.to_string()));
    })
}

/// All fields; numbers that JSON cannot represent are written as bits.
pub(super) fn full(room: &RMesh) -> Document {
    Document::of(room).unwrap_or_default()
}
