//! Converts any room to a plain one that the game loads; losses are reported.

use std::collections::BTreeMap;

use asset::Report;
use record::Bytes;

use super::approximation::Approximation;
use crate::rmesh::class::Model;
use crate::rmesh::layout::Entity;
use crate::rmesh::{Header, RMesh, TRAILER, warning};
use asset::counted;

/// A room of another editor in the form of the game's own converter.
pub(in crate::rmesh) fn of_room(room: &RMesh, report: &mut Report) -> RMesh {
    normal_form(room.clone(), report)
}

/// A room of another dialect as a plain one.
pub(super) fn of_approximation(approximation: Approximation, report: &mut Report) -> RMesh {
    if approximation.render_only > 0 {
        let surfaces =
            counted(approximation.render_only, "render-only surface becomes", "render-only surfaces become");
        report.warn(&warning::RENDER_ONLY_LOST, format!("{surfaces} solid where opaque"));
    }
    if approximation.normals.is_some() {
        report.warn(&warning::NORMALS_LOST, "normals left out; the game computes its own");
    }
    let mut lost: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for own in approximation.own.iter().flatten().filter(|own| !own.lost.is_empty()) {
        let count = lost.entry((&own.class, own.lost)).or_default();
        *count = count.saturating_add(1);
    }
    for ((class, what), count) in lost {
        let entities = counted(count, "entity", "entities");
        let message = format!("{entities} of class \"{class}\" lose {what}");
        report.warn(&warning::FIELDS_LOST, message).in_field("entities");
    }
    normal_form(approximation.room, report)
}

/// The room without anything that the game would misread.
fn normal_form(room: RMesh, report: &mut Report) -> RMesh {
    if !room.rest.is_empty() && *room.rest != *TRAILER {
        let bytes = counted(room.rest.len(), "unread byte", "unread bytes");
        report.warn(&warning::BYTES_LOST, format!("{bytes} left out")).in_field("rest");
    }
    let triggers = room.triggers.filter(|triggers| !triggers.is_empty());
    RMesh {
        header: if triggers.is_some() { Header::HasTriggerBox } else { Header::RoomMesh },
        surfaces: room.surfaces,
        collision: Some(room.collision.unwrap_or_default()),
        triggers,
        entities: Some(writable(room.entities.unwrap_or_default(), report)),
        unread_entities: 0,
        rest: Bytes::from(TRAILER),
    }
}

/// The entities that the game can read.
fn writable(entities: Vec<Entity>, report: &mut Report) -> Vec<Entity> {
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let (pack_context, rest): (Vec<_>, Vec<_>) = entities.into_iter().partition(is_readable);
    for entity in rest {
        let count = left_out.entry(entity.class().into_owned()).or_default();
        *count = count.saturating_add(1);
    }
    for (class, count) in left_out {
        let entities = counted(count, "entity", "entities");
        let why =
            if class == "model" { ": models without a file make the game misread the room" } else { "" };
        let message = format!("{entities} of class \"{class}\" left out{why}");
        report.warn(&warning::ENTITY_LOST, message).in_field("entities");
    }
    pack_context
}

/// Whether the game reads an entity completely. For a model without a file it reads three numbers instead of the nine written.
fn is_readable(entity: &Entity) -> bool {
    match entity {
        Entity::Custom(..) => false,
        Entity::Model(Model { file, .. }) => !file.is_empty(),
        _ => true,
    }
}
