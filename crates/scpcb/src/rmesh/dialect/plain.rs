//! Any room as a plain one that the game loads; what is lost is told.

use std::collections::BTreeMap;

use asset::Report;
use record::Bytes;

use super::likeness::Likeness;
use crate::rmesh::layout::Entity;
use crate::rmesh::{Header, RMesh, TRAILER, warning};
use asset::counted;

/// A room of another editor as the game's own converter would have written it.
pub(in crate::rmesh) fn of_room(room: &RMesh, report: &mut Report) -> RMesh {
    normal_form(room.clone(), report)
}

/// A room of another dialect as a plain one.
pub(super) fn of_likeness(likeness: Likeness, report: &mut Report) -> RMesh {
    if likeness.render_only > 0 {
        let surfaces = counted(likeness.render_only, "surface that is", "surfaces that are");
        report.warn(
            &warning::RENDER_ONLY_LOST,
            format!("{surfaces} only seen will stop the player where opaque"),
        );
    }
    if likeness.normals.is_some() {
        report.warn(&warning::NORMALS_LOST, "the normals are left out: the game makes its own");
    }
    let mut lost: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for own in likeness.own.iter().flatten().filter(|own| !own.lost.is_empty()) {
        let count = lost.entry((&own.class, own.lost)).or_default();
        *count = count.saturating_add(1);
    }
    for ((class, what), count) in lost {
        let entities = counted(count, "entity", "entities");
        let message = format!("{entities} of the class \"{class}\" without {what}");
        report.warn(&warning::FIELDS_LOST, message).in_field("entities");
    }
    normal_form(likeness.room, report)
}

/// The room with nothing that makes the game lose its way.
fn normal_form(room: RMesh, report: &mut Report) -> RMesh {
    if !room.rest.is_empty() && *room.rest != *TRAILER {
        let bytes = counted(room.rest.len(), "byte", "bytes");
        report
            .warn(&warning::BYTES_LOST, format!("{bytes} that could not be read are left out"))
            .in_field("rest");
    }
    let triggers = room.triggers.filter(|triggers| !triggers.is_empty());
    RMesh {
        header: if triggers.is_some() { Header::HasTriggerBox } else { Header::RoomMesh },
        surfaces: room.surfaces,
        collision: Some(room.collision.unwrap_or_default()),
        triggers,
        entities: Some(known(room.entities.unwrap_or_default(), report)),
        unread_entities: 0,
        rest: Bytes::from(TRAILER),
    }
}

/// The entities that the game can read.
fn known(entities: Vec<Entity>, report: &mut Report) -> Vec<Entity> {
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let (kept, rest): (Vec<_>, Vec<_>) = entities.into_iter().partition(is_readable);
    for entity in rest {
        let count = left_out.entry(entity.class().into_owned()).or_default();
        *count = count.saturating_add(1);
    }
    for (class, count) in left_out {
        let entities = counted(count, "entity", "entities");
        let why = if class == "model" { ": without a file the game loses its way" } else { "" };
        let message = format!("{entities} of the class \"{class}\" left out{why}");
        report.warn(&warning::ENTITY_LOST, message).in_field("entities");
    }
    kept
}

/// Whether the game reads an entity to its end. Of a model without a file it reads three numbers where nine are written.
fn is_readable(entity: &Entity) -> bool {
    match entity {
        Entity::Custom(..) => false,
        Entity::Model { file, .. } => !file.is_empty(),
        _ => true,
    }
}
