//! "RM": rooms of the mod Keter Class Edition, and of the Blender add-on that calls the dialect Salvage. Files end in `.rm`.
//!
//! Like a plain room, but with a version, a second list of surfaces that are not solid, trigger boxes with any header, and
//! three more entity classes.
//!
//! Sources: the Blender add-on's reader (General-101, "SCP-CB RMESH Tool") for everything but `subroom`; the mod's entity definition for
//! CBRE-EX for that class. No file was available: an entity whose fields turn out to be different is kept as bytes.

use std::borrow::Cow;

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Visitor, Writer};
use scene::Extras;
use serde::{Deserialize, Serialize};

use super::approximation::{ApproximatedEntity, Approximation};
use super::trigger::{self, TriggerCounts};
use super::{Dialect, PackContext};
#[cfg(doc)]
use crate::rmesh::RMesh;
use crate::rmesh::class::{
    Light, LightLayout, Model, PlayerStart, Screen, SoundEmitter, Spotlight, Waypoint,
};
use crate::rmesh::entity::{self, Classes, FieldCertainty};
use crate::rmesh::layout::{Entity, InvisibleSurface, Surface, TriggerBox, custom};
use crate::rmesh::{is_zero, limited, node, warning};
use crate::string::BlitzString;

/// The signature of an "RM" room.
pub const RM_HEADER: &[u8] = b"\x02\0\0\0RM";

/// The newest known version.
pub(in crate::rmesh) const NEWEST: u8 = 1;

/// A room of the "RM" dialect. As in [`RMesh`], the fields after damage are `None`, and their bytes are in [`rest`](Self::rest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rm {
    /// Format version, 0 or 1.
    pub version: u8,
    /// Visible and solid surfaces.
    pub surfaces: Vec<Surface>,
    /// Visible surfaces that do not stop the player.
    #[serde(deserialize_with = "Option::deserialize")]
    pub render_surfaces: Option<Vec<Surface>>,
    /// Invisible surfaces that stop the player.
    #[serde(deserialize_with = "Option::deserialize")]
    pub collision: Option<Vec<InvisibleSurface>>,
    /// Regions that trigger events.
    #[serde(deserialize_with = "Option::deserialize")]
    pub triggers: Option<Vec<TriggerBox>>,
    /// The counting of vertices and triangles in trigger boxes.
    #[serde(default, skip_serializing_if = "TriggerCounts::is_exact")]
    pub trigger_counts: TriggerCounts,
    /// Objects in the room.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entities: Option<Vec<RmEntity>>,
    /// Number of declared entities that were not read. Usually 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_entities: i32,
    /// Bytes after the entities.
    pub rest: Bytes,
}

/// An entity of an "RM" room. The first seven classes are those of a plain room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = BlitzString, context = u8)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum RmEntity {
    /// An image that the player can look at, see [`Screen`].
    #[record(tag = "screen")]
    Screen(Screen),
    /// A node of the navigation graph, see [`Waypoint`].
    #[record(tag = "waypoint")]
    Waypoint(Waypoint),
    /// A point light, see [`Light`].
    #[record(tag = "light", with = LightLayout::Basic)]
    Light(Light),
    /// A spotlight, see [`Spotlight`].
    #[record(tag = "spotlight")]
    Spotlight(Spotlight),
    /// An ambient sound, see [`SoundEmitter`].
    #[record(tag = "soundemitter")]
    SoundEmitter(SoundEmitter),
    /// The player's starting point, see [`PlayerStart`].
    #[record(tag = "playerstart")]
    PlayerStart(PlayerStart),
    /// A prop, see [`Model`].
    #[record(tag = "model")]
    Model(Model),
    /// An item to pick up, see [`Item`].
    #[record(tag = "item")]
    Item(Item),
    /// A door, see [`Door`].
    #[record(tag = "door", with = context)]
    Door(Door),
    /// An inserted room, see [`Subroom`].
    #[record(tag = "subroom")]
    Subroom(Subroom),
    /// An unknown class, or a known one whose fields differ from the documented ones.
    #[record(unknown)]
    #[serde(with = "custom")]
    Custom(BlitzString, Bytes),
}

/// An item that the player can pick up.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Position in game units.
    pub position: [f32; 3],
    /// Name of the item in the game.
    pub item: BlitzString,
    /// 1 if `rotation` is used; otherwise the game chooses a rotation.
    pub use_custom_rotation: u8,
    /// Pitch, yaw and roll in degrees.
    pub rotation: [f32; 3],
    /// First state value; its meaning depends on the item, for example the charge of a battery.
    pub state_1: f32,
    /// Second state value, like `state_1`.
    pub state_2: f32,
    /// Probability that the item is present, 0 to 1.
    pub spawn_chance: f32,
}

/// A door. The context is the version of the room.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[record(context = u8)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// Position in game units.
    pub position: [f32; 3],
    /// The kind of door.
    pub door_type: i32,
    /// Identifier of the door; since version 1.
    #[record(when = context >= 1)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub door_identifier: Option<i32>,
    /// Key card level that opens the door.
    pub keycard_level: i32,
    /// Keypad code that opens the door; empty without a keypad.
    pub keypad_code: BlitzString,
    /// Yaw in degrees.
    pub angle: f32,
    /// 1 if the door starts open.
    pub start_open: u8,
    /// 1 if the door is locked.
    pub locked: u8,
    /// 1 if the door has only one of its two halves.
    pub delete_half: u8,
    /// 1 if SCP-079 can operate the door.
    pub remote_control: u8,
    /// Position of the first button.
    pub button_1_position: [f32; 3],
    /// Rotation of the first button.
    pub button_1_angle: [f32; 3],
    /// Position of the second button.
    pub button_2_position: [f32; 3],
    /// Rotation of the second button.
    pub button_2_angle: [f32; 3],
}

/// A position at which the game inserts another room.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subroom {
    /// Position in game units.
    pub position: [f32; 3],
    /// Width in game units; 512 by default.
    pub width: i32,
    /// Height in game units; 512 by default.
    pub height: i32,
    /// The zone of the inserted room; -1 for the zone of this room.
    pub zone: i32,
}

impl Classes for RmEntity {
    const KNOWN: &'static [&'static str] = &[
        "screen",
        "waypoint",
        "light",
        "spotlight",
        "soundemitter",
        "playerstart",
        "model",
        "item",
        "door",
        "subroom",
    ];
    const FIELDS: FieldCertainty = FieldCertainty::Unverified;

    fn custom(class: BlitzString, fields: Bytes) -> Self {
        Self::Custom(class, fields)
    }

    fn as_custom(&self) -> Option<(&BlitzString, &Bytes)> {
        match self {
            Self::Custom(class, fields) => Some((class, fields)),
            _ => None,
        }
    }

    fn class(&self) -> Cow<'_, str> {
        match self {
            Self::Screen(_) => "screen".into(),
            Self::Waypoint(_) => "waypoint".into(),
            Self::Light(_) => "light".into(),
            Self::Spotlight(_) => "spotlight".into(),
            Self::SoundEmitter(_) => "soundemitter".into(),
            Self::PlayerStart(_) => "playerstart".into(),
            Self::Model(_) => "model".into(),
            Self::Item(_) => "item".into(),
            Self::Door(_) => "door".into(),
            Self::Subroom(_) => "subroom".into(),
            Self::Custom(class, _) => class.text(),
        }
    }
}

impl RmEntity {
    /// The closest entity of a plain room.
    pub(super) fn approximate(&self) -> ApproximatedEntity {
        let plain = match self.clone() {
            Self::Screen(screen) => Entity::Screen(screen),
            Self::Waypoint(waypoint) => Entity::Waypoint(waypoint),
            Self::Light(light) => Entity::Light(light),
            Self::Spotlight(spotlight) => Entity::Spotlight(spotlight),
            Self::SoundEmitter(emitter) => Entity::SoundEmitter(emitter),
            Self::PlayerStart(start) => Entity::PlayerStart(start),
            Self::Model(model) => Entity::Model(model),
            Self::Item(item) => return ApproximatedEntity::unsupported(self, item.position, item.rotation),
            Self::Door(door) => {
                return ApproximatedEntity::unsupported(self, door.position, [0.0, door.angle, 0.0]);
            }
            Self::Subroom(subroom) => {
                return ApproximatedEntity::unsupported(self, subroom.position, [0.0; 3]);
            }
            Self::Custom(class, fields) => Entity::Custom(class, fields),
        };
        ApproximatedEntity::exact(plain)
    }
}

impl Rm {
    /// An empty room.
    #[must_use]
    pub fn new(version: u8) -> Self {
        Self {
            version,
            surfaces: Vec::new(),
            render_surfaces: Some(Vec::new()),
            collision: Some(Vec::new()),
            triggers: Some(Vec::new()),
            trigger_counts: TriggerCounts::Exact,
            entities: Some(Vec::new()),
            unread_entities: 0,
            rest: Bytes::default(),
        }
    }

    /// Reads a room. Damage after the first list of surfaces is kept as bytes and reported.
    ///
    /// # Errors
    /// If the header or version is unknown, or the first list of surfaces is damaged.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let version = read_version(&mut reader)?;
        let surfaces = reader.field("surfaces", limited)?;
        let mut room = Self {
            surfaces,
            render_surfaces: None,
            collision: None,
            triggers: None,
            entities: None,
            ..Self::new(version)
        };
        if let Err(error) = room.read_after_surfaces(&mut reader, report) {
            warning::damage_after_surfaces(report, &error);
        }
        room.rest = Bytes::from(reader.take_rest());
        if room.entities.is_some() && room.unread_entities == 0 {
            warning::left_over(report, &room.rest);
        }
        Ok(room)
    }

    /// Reads up to the first damage and leaves the reader there.
    fn read_after_surfaces(&mut self, reader: &mut Reader<'_>, report: &mut Report) -> Result<()> {
        self.render_surfaces = Some(reader.attempt(|reader| reader.field("render_surfaces", limited))?);
        self.collision = Some(reader.attempt(|reader| reader.field("collision", limited))?);
        let (triggers, counts) = trigger::read(reader)?;
        (self.triggers, self.trigger_counts) = (Some(triggers), counts);
        if counts == TriggerCounts::EightTimes {
            let message = "the counts of vertices and triangles are eight times too large";
            report.warn(&warning::TRIGGER_COUNTS, message).in_field("triggers");
        }
        let version = self.version;
        let (entities, unread) = reader.attempt(|reader| entity::read(reader, version, report))?;
        (self.entities, self.unread_entities) = (Some(entities), unread);
        Ok(())
    }

    /// Serializes the room; an unmodified room yields the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the version is unknown, a field is not supported by the version, or
    /// a list is too long for its count.
    pub fn write(&self) -> Result<Vec<u8>> {
        if self.version > NEWEST {
            return Err(Error::usage(unknown_version(self.version)).in_field("version"));
        }
        let mut writer = Writer::new();
        writer.put(RM_HEADER);
        writer.field("version", |writer| self.version.write(writer, ()))?;
        writer.field("surfaces", |writer| writer.counted::<i32, _>(&self.surfaces, ()))?;
        if let Some(surfaces) = &self.render_surfaces {
            writer.field("render_surfaces", |writer| writer.counted::<i32, _>(surfaces, ()))?;
        }
        if let Some(collision) = &self.collision {
            writer.field("collision", |writer| writer.counted::<i32, _>(collision, ()))?;
        }
        if let Some(triggers) = &self.triggers {
            writer.field("triggers", |writer| trigger::write(writer, triggers, self.trigger_counts))?;
        }
        if let Some(entities) = &self.entities {
            writer.field("entities", |writer| {
                entity::write(writer, entities, self.unread_entities, self.version)
            })?;
        }
        writer.put(&self.rest);
        Ok(writer.into_bytes())
    }
}

/// Reads the header and version.
fn read_version(reader: &mut Reader<'_>) -> Result<u8> {
    let header = reader.field("header", |reader| {
        let start = reader.offset();
        match BlitzString::read(reader, ())? {
            header if header.bytes() == b"RM" => Ok(header),
            header => {
                Err(Error::malformed(format!("expected the header \"RM\", found {header:.40?}")).at(start))
            }
        }
    });
    header?;
    reader.field("version", |reader| {
        let start = reader.offset();
        match u8::read(reader, ())? {
            version @ 0..=NEWEST => Ok(version),
            version => Err(Error::unsupported(unknown_version(version)).at(start)),
        }
    })
}

fn unknown_version(version: u8) -> String {
    format!("unknown version {version} of \"RM\" rooms (known: 0, 1)")
}

impl Dialect for Rm {
    fn name(&self) -> String {
        format!("RM version {}", self.version)
    }

    fn pack_context(&self) -> PackContext {
        PackContext::Rm { version: self.version }
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        self.write()
    }

    fn trace(&self, bytes: &[u8], visitor: &mut dyn Visitor) -> Result<()> {
        let mut reader = Reader::tracing(bytes, visitor);
        read_version(&mut reader)?;
        reader.field("surfaces", limited::<Surface>)?;
        if self.render_surfaces.is_some() {
            reader.field("render_surfaces", limited::<Surface>)?;
        }
        if self.collision.is_some() {
            reader.field("collision", limited::<InvisibleSurface>)?;
        }
        if self.triggers.is_some() {
            reader.field("triggers", |reader| trigger::read_counted(reader, self.trigger_counts))?;
        }
        if let Some(entities) = &self.entities {
            reader.field("entities", |reader| entity::trace(reader, entities, self.version))?;
        }
        reader.field("rest", |reader| Bytes::read(reader, ())).map(drop)
    }

    fn entity_extras(&self, index: usize) -> Extras {
        self.entities.iter().flatten().nth(index).map(node::extras).unwrap_or_default()
    }

    fn approximation(&self) -> Approximation {
        let render_only = self.render_surfaces.as_deref().unwrap_or_default();
        let surfaces = [&self.surfaces, render_only].concat();
        let entities_approximated = self.entities.iter().flatten().map(RmEntity::approximate);
        Approximation {
            render_only: render_only.len(),
            ..Approximation::new(
                surfaces,
                self.collision.clone(),
                self.triggers.clone(),
                self.rest.clone(),
                entities_approximated,
            )
        }
    }
}
