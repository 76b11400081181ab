//! A common form for entities of any dialect, with conversions to the closest entity of each dialect.

use record::Bytes;

use super::approximation::ApproximatedEntity;
use super::loss::Losses;
use super::rm::{Door, RmEntity};
use super::roommesh2::{Entity2, Prop, Spotlight2};
use crate::rmesh::class::{Light, Model, RESERVED, Spotlight};
use crate::rmesh::layout::Entity;
use crate::rmesh::node;
use crate::string::BlitzString;

/// An entity of any dialect. Entities of plain rooms are always [plain](Self::Plain).
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rmesh) enum AnyEntity {
    Plain(Entity),
    Rm(RmEntity),
    RoomMesh2(Entity2),
}

/// Size in meters of the glow sprite that the game adds to every light of a plain room.
const GLOW: f32 = 0.13;

impl AnyEntity {
    /// The name of the class in the file.
    pub(in crate::rmesh) fn class(&self) -> String {
        use crate::rmesh::entity::Classes;
        match self {
            Self::Plain(entity) => entity.class().into_owned(),
            Self::Rm(entity) => entity.class().into_owned(),
            Self::RoomMesh2(entity) => entity.class().into_owned(),
        }
    }

    /// Converts to the closest entity of a plain room, if there is one.
    pub(in crate::rmesh) fn into_plain(self, losses: &mut Losses) -> Option<Entity> {
        let approximated: ApproximatedEntity = match self {
            Self::Plain(entity) => return Some(entity),
            Self::Rm(entity) => entity.approximate(),
            Self::RoomMesh2(entity) => entity.approximate(),
        };
        let (plain, original) = approximated.into_parts();
        match (&plain, original) {
            (Entity::Custom(class, _), original) => {
                losses.leave_out(
                    &original.map_or_else(|| class.text().into_owned(), |original| original.class),
                    "",
                );
                return None;
            }
            (_, Some(original)) if !original.lost.is_empty() => losses.reduce(&original.class, original.lost),
            _ => {}
        }
        Some(plain)
    }

    /// Converts to the closest entity of an "RM" room of a version.
    pub(super) fn into_rm(self, version: u8, losses: &mut Losses) -> Option<RmEntity> {
        if let Self::Rm(entity) = self {
            return Some(match entity {
                RmEntity::Door(door) => RmEntity::Door(door_of(version, door, losses)),
                entity => entity,
            });
        }
        Some(match self.into_plain(losses)? {
            Entity::Screen(screen) => RmEntity::Screen(screen),
            Entity::Waypoint(waypoint) => RmEntity::Waypoint(waypoint),
            Entity::Light(light) => RmEntity::Light(light),
            Entity::Spotlight(spotlight) => RmEntity::Spotlight(spotlight),
            Entity::SoundEmitter(emitter) => RmEntity::SoundEmitter(emitter),
            Entity::PlayerStart(start) => RmEntity::PlayerStart(start),
            Entity::Model(model) => RmEntity::Model(model),
            Entity::Custom(class, _) => {
                losses.leave_out(&class.text(), "");
                return None;
            }
        })
    }

    /// Converts to the closest entity of a `RoomMesh2` room.
    pub(super) fn into_roommesh2(self, losses: &mut Losses) -> Option<Entity2> {
        if let Self::RoomMesh2(entity) = self {
            return Some(entity);
        }
        Some(match self.into_plain(losses)? {
            Entity::Waypoint(waypoint) => Entity2::Waypoint(waypoint),
            Entity::SoundEmitter(emitter) => Entity2::SoundEmitter(emitter),
            Entity::PlayerStart(start) => Entity2::PlayerStart(start),
            Entity::Light(light) => Entity2::Light(extended(light)),
            Entity::Spotlight(spotlight) => Entity2::Spotlight(spotlight2(spotlight, losses)),
            Entity::Model(model) if !model.file.is_empty() => Entity2::Mesh(prop(model, losses)),
            Entity::Screen(_) => {
                losses.leave_out("screen", ": RoomMesh2 rooms have none");
                return None;
            }
            Entity::Model(_) => {
                losses.leave_out("model", ": no file name");
                return None;
            }
            Entity::Custom(class, _) => {
                losses.leave_out(&class.text(), "");
                return None;
            }
        })
    }
}

impl From<RmEntity> for AnyEntity {
    fn from(entity: RmEntity) -> Self {
        Self::Plain(match entity {
            RmEntity::Screen(screen) => Entity::Screen(screen),
            RmEntity::Waypoint(waypoint) => Entity::Waypoint(waypoint),
            RmEntity::Light(light) => Entity::Light(light),
            RmEntity::Spotlight(spotlight) => Entity::Spotlight(spotlight),
            RmEntity::SoundEmitter(emitter) => Entity::SoundEmitter(emitter),
            RmEntity::PlayerStart(start) => Entity::PlayerStart(start),
            RmEntity::Model(model) => Entity::Model(model),
            original => return Self::Rm(original),
        })
    }
}

impl From<Entity2> for AnyEntity {
    fn from(entity: Entity2) -> Self {
        Self::Plain(match entity {
            Entity2::Waypoint(waypoint) => Entity::Waypoint(waypoint),
            Entity2::SoundEmitter(emitter) => Entity::SoundEmitter(emitter),
            Entity2::PlayerStart(start) => Entity::PlayerStart(start),
            original => return Self::RoomMesh2(original),
        })
    }
}

/// Adapts a door to a version of "RM": doors have an identifier since version 1.
fn door_of(version: u8, door: Door, losses: &mut Losses) -> Door {
    match (version, door.door_identifier) {
        (0, Some(_)) => {
            losses.reduce("door", "their identifiers");
            Door { door_identifier: None, ..door }
        }
        (0, None) => door,
        (_, identifier) => Door { door_identifier: identifier.or(Some(0)), ..door },
    }
}

/// The reserved bytes of a light, all zero.
fn reserved() -> Bytes {
    Bytes::from(vec![0; usize::from(RESERVED)])
}

/// Adds the fields of a `RoomMesh2` light, with the glow of lights in plain rooms.
fn extended(light: Light) -> Light {
    Light {
        has_sprite: Some(1),
        sprite_scale: Some(GLOW),
        casts_shadows: Some(0),
        reserved: Some(reserved()),
        ..light
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "an angle in integer degrees, far below the limit"
)]
fn spotlight2(spotlight: Spotlight, losses: &mut Losses) -> Spotlight2 {
    let Spotlight { position, range, color, intensity, angles, inner_cone_angle, outer_cone_angle } =
        spotlight;
    let [pitch, yaw, roll] = node::numbers(&angles.text()).unwrap_or_default();
    if roll != 0.0 || inner_cone_angle != outer_cone_angle {
        losses.reduce("spotlight", "their roll and inner cone");
    }
    Spotlight2 {
        position,
        range,
        color,
        intensity,
        has_sprite: 1,
        sprite_scale: GLOW,
        casts_shadows: 0,
        pitch,
        yaw,
        outer_cone_angle: outer_cone_angle as f32,
        reserved: reserved(),
    }
}

/// Converts a prop; its name loses the extension.
fn prop(model: Model, losses: &mut Losses) -> Prop {
    let Model { file, position, rotation, scale } = model;
    let bytes = file.bytes();
    let dot = bytes.iter().rposition(|byte| *byte == b'.');
    let (stem, extension) = match dot.and_then(|dot| bytes.split_at_checked(dot)) {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension),
        _ => (bytes, &[][..]),
    };
    if !extension.eq_ignore_ascii_case(b".b3d") {
        losses.reduce("model", "their file type: the game looks for a .b3d file of the same name");
    }
    Prop {
        position,
        file: BlitzString::from_bytes(stem),
        rotation,
        scale,
        has_collision: 1,
        ..Prop::default()
    }
}
