//! Converts any room to a plain one that the game loads; losses are reported.

use asset::Report;
use record::Bytes;

use super::approximation::Approximation;
use super::loss::{Losses, warn_render_only, warn_unread};
use crate::rmesh::class::Model;
use crate::rmesh::layout::Entity;
use crate::rmesh::{Header, RMesh, TRAILER, warning};

/// Converts a room of another editor to the form of the game's own converter.
pub(in crate::rmesh) fn of_room(room: &RMesh, report: &mut Report) -> RMesh {
    normal_form(room.clone(), report)
}

/// Converts a room of another dialect to a plain room.
pub(super) fn of_approximation(approximation: Approximation, report: &mut Report) -> RMesh {
    if approximation.render_only > 0 {
        warn_render_only(approximation.render_only, report);
    }
    if approximation.normals.is_some() {
        report.warn(&warning::NORMALS_LOST, "normals left out; the game computes its own");
    }
    let mut losses = Losses::default();
    for original in approximation.originals.iter().flatten().filter(|original| !original.lost.is_empty()) {
        losses.reduce(&original.class, original.lost);
    }
    losses.report(report);
    normal_form(approximation.room, report)
}

/// Removes everything that the game would misread.
fn normal_form(room: RMesh, report: &mut Report) -> RMesh {
    warn_unread(&room.rest, report);
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

/// Removes entities that the game cannot read.
fn writable(entities: Vec<Entity>, report: &mut Report) -> Vec<Entity> {
    let mut losses = Losses::default();
    let (readable, rest): (Vec<_>, Vec<_>) = entities.into_iter().partition(is_readable);
    for entity in rest {
        let class = entity.class();
        let why =
            if class == "model" { ": models without a file make the game misread the room" } else { "" };
        losses.leave_out(&class, why);
    }
    losses.report(report);
    readable
}

/// Whether the game reads an entity completely. For a model without a file it reads three numbers instead of the nine stored ones.
fn is_readable(entity: &Entity) -> bool {
    match entity {
        Entity::Custom(..) => false,
        Entity::Model(Model { file, .. }) => !file.is_empty(),
        _ => true,
    }
}
