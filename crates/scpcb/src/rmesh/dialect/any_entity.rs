//! An entity of any dialect, and the closest one of another dialect.

use record::Bytes;

use super::approximation::ApproximatedEntity;
use super::loss::Losses;
use super::rm::{Door, RmEntity};
use super::roommesh2::{Entity2, Prop, Spotlight2};
use crate::rmesh::class::{Light, Model, RESERVED, Spotlight};
use crate::rmesh::layout::Entity;
use crate::rmesh::node;
use crate::string::BlitzString;

/// An entity of any dialect. What plain rooms have too is [plain](Self::Plain).
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rmesh) enum AnyEntity {
    Plain(Entity),
    Rm(RmEntity),
    RoomMesh2(Entity2),
}

/// Size of the glow sprite that the game gives every light of a plain room, meters.
const GLOW: f32 = 0.13;

impl AnyEntity {
    /// The class's name in the file.
    pub(in crate::rmesh) fn class(&self) -> String {
        use crate::rmesh::entity::Classes;
        match self {
            Self::Plain(entity) => entity.class().into_owned(),
            Self::Rm(entity) => entity.class().into_owned(),
            Self::RoomMesh2(entity) => entity.class().into_owned(),
        }
    }

    /// The closest entity of a plain room, if there is one.
    pub(in crate::rmesh) fn into_plain(self, losses: &mut Losses) -> Option<Entity> {
        let approximated: ApproximatedEntity = match self {
            Self::Plain(entity) => return Some(entity),
            Self::Rm(entity) => entity.approximate(),
            Self::RoomMesh2(entity) => entity.approximate(),
        };
        let (like, own) = approximated.into_parts();
        match (&like, own) {
            (Entity::Custom(class, _), own) => {
                losses.leave_out(&own.map_or_else(|| class.text().into_owned(), |own| own.class), "");
                return None;
            }
            (_, Some(own)) if !own.lost.is_empty() => losses.reduce(&own.class, own.lost),
            _ => {}
        }
        Some(like)
    }

    /// The closest entity of an "RM" room of a version.
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

    /// The closest entity of a `RoomMesh2` room.
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
                losses.leave_out("model", ": they name no file");
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
            own => return Self::Rm(own),
        })
    }
}

impl From<Entity2> for AnyEntity {
    fn from(entity: Entity2) -> Self {
        Self::Plain(match entity {
            Entity2::Waypoint(waypoint) => Entity::Waypoint(waypoint),
            Entity2::SoundEmitter(emitter) => Entity::SoundEmitter(emitter),
            Entity2::PlayerStart(start) => Entity::PlayerStart(start),
            own => return Self::RoomMesh2(own),
        })
    }
}

/// A door as a version of "RM" has it: doors have an identifier since version 1.
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

/// The bytes that follow a light, all zero.
fn reserved() -> Bytes {
    Bytes::from(vec![0; usize::from(RESERVED)])
}

/// A light with the fields of a `RoomMesh2` room, and the glow that the game gives lights of plain rooms.
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
    reason = "an angle in whole degrees, far below the limit"
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

/// A prop under its name without an extension.
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
