//! "RM": rooms of the mod Keter Class Edition and of the Blender add-on that knows the dialect as Salvage. Files end in `.rm`.
//!
//! As a plain room, but with a version, a second list of surfaces that are only seen, trigger boxes whatever the header, and
//! three more classes of entities.
//!
//! Sources: the Blender add-on's reader (General-101, "SCP-CB RMESH Tool") for all but `subroom`; the mod's entity definition for
//! CBRE-EX for that one. No file was at hand: where the fields of a class turn out to be others, it is kept as bytes.

use std::borrow::Cow;

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Visitor, Writer};
use serde::{Deserialize, Serialize};

use super::likeness::{Likeness, Stand};
use super::{Dialect, Kept};
#[cfg(doc)]
use crate::rmesh::RMesh;
use crate::rmesh::entity::{self, Classes, Fields};
use crate::rmesh::layout::{Entity, InvisibleSurface, Surface, TriggerBox, custom};
use crate::rmesh::{is_zero, limited, warning};
use crate::string::BlitzString;

/// What an "RM" room starts with.
pub const RM_HEADER: &[u8] = b"\x02\0\0\0RM";

/// The newest version that is known.
const NEWEST: u8 = 1;

/// A room of the "RM" dialect. As in [`RMesh`], the fields from a damage on are `None`, and its bytes are in [`rest`](Self::rest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rm {
    /// 0 or 1.
    pub version: u8,
    /// What is seen and stops the player.
    pub surfaces: Vec<Surface>,
    /// What is only seen.
    #[serde(deserialize_with = "Option::deserialize")]
    pub render_surfaces: Option<Vec<Surface>>,
    /// What only stops the player.
    #[serde(deserialize_with = "Option::deserialize")]
    pub collision: Option<Vec<InvisibleSurface>>,
    /// What starts events.
    #[serde(deserialize_with = "Option::deserialize")]
    pub triggers: Option<Vec<TriggerBox>>,
    /// What stands in the room.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entities: Option<Vec<RmEntity>>,
    /// How many entities the file promises beyond those read. Usually 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_entities: i32,
    /// What stands behind all that.
    pub rest: Bytes,
}

/// Something that stands in an "RM" room. The first seven classes are those of a plain room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = BlitzString, context = u8)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum RmEntity {
    /// As [`Entity::Screen`].
    #[record(tag = "screen")]
    Screen {
        /// Game units.
        position: [f32; 3],
        /// A file name.
        image: BlitzString,
    },
    /// As [`Entity::Waypoint`].
    #[record(tag = "waypoint")]
    Waypoint {
        /// Game units.
        position: [f32; 3],
    },
    /// As [`Entity::Light`].
    #[record(tag = "light")]
    Light {
        /// Game units.
        position: [f32; 3],
        /// As of a plain room's light.
        range: f32,
        /// Red, green, blue of 0 to 255, with blanks between.
        color: BlitzString,
        /// 1 is usual.
        intensity: f32,
    },
    /// As [`Entity::Spotlight`].
    #[record(tag = "spotlight")]
    Spotlight {
        /// Game units.
        position: [f32; 3],
        /// As of a plain room's light.
        range: f32,
        /// Red, green, blue of 0 to 255, with blanks between.
        color: BlitzString,
        /// 1 is usual.
        intensity: f32,
        /// Pitch, yaw and roll in degrees, with blanks between.
        angles: BlitzString,
        /// Degrees across the fully lit cone.
        inner_cone_angle: i32,
        /// Degrees across the whole cone.
        outer_cone_angle: i32,
    },
    /// As [`Entity::SoundEmitter`].
    #[record(tag = "soundemitter")]
    SoundEmitter {
        /// Game units.
        position: [f32; 3],
        /// Which ambience, counted from 1.
        sound: i32,
        /// Game units.
        range: f32,
    },
    /// As [`Entity::PlayerStart`].
    #[record(tag = "playerstart")]
    PlayerStart {
        /// Game units.
        position: [f32; 3],
        /// Pitch, yaw and roll in degrees, with blanks between.
        angles: BlitzString,
    },
    /// As [`Entity::Model`].
    #[record(tag = "model")]
    Model {
        /// A file name.
        file: BlitzString,
        /// Game units.
        position: [f32; 3],
        /// Pitch, yaw and roll in degrees.
        rotation: [f32; 3],
        /// Factors along the model's own axes.
        scale: [f32; 3],
    },
    /// Something to pick up.
    #[record(tag = "item")]
    Item {
        /// Game units.
        position: [f32; 3],
        /// The item's name in the game.
        item: BlitzString,
        /// 1 where the item is turned as said, else as the game likes.
        use_custom_rotation: u8,
        /// Pitch, yaw and roll in degrees.
        rotation: [f32; 3],
        /// What it means is the item's affair: the charge of a battery.
        state_1: f32,
        /// As the first.
        state_2: f32,
        /// How likely it is there, of 1.
        spawn_chance: f32,
    },
    /// A door.
    #[record(tag = "door")]
    Door {
        /// Game units.
        position: [f32; 3],
        /// Which kind of door.
        door_type: i32,
        /// Tells doors apart; since version 1.
        #[record(when = context >= 1)]
        #[serde(deserialize_with = "Option::deserialize")]
        door_identifier: Option<i32>,
        /// Which key card opens it.
        keycard_level: i32,
        /// The code that opens it; empty where there is no keypad.
        keypad_code: BlitzString,
        /// The yaw in degrees.
        angle: f32,
        /// 1 where it stands open.
        start_open: u8,
        /// 1 where it is locked.
        locked: u8,
        /// 1 where it has one wing only.
        delete_half: u8,
        /// 1 where SCP-079 can move it.
        remote_control: u8,
        /// Where its first button stands.
        button_1_position: [f32; 3],
        /// How its first button is turned.
        button_1_angle: [f32; 3],
        /// Where its second button stands.
        button_2_position: [f32; 3],
        /// How its second button is turned.
        button_2_angle: [f32; 3],
    },
    /// A place where the game puts another room.
    #[record(tag = "subroom")]
    Subroom {
        /// Game units.
        position: [f32; 3],
        /// Game units; 512 unless told.
        width: i32,
        /// Game units; 512 unless told.
        height: i32,
        /// Which zone the other room is taken from; -1 for the room's own.
        zone: i32,
    },
    /// A class that is not known, or whose fields are not what they were told to be.
    #[record(unknown)]
    #[serde(with = "custom")]
    Custom(BlitzString, Bytes),
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
    const FIELDS: Fields = Fields::Told;

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
            Self::Screen { .. } => "screen".into(),
            Self::Waypoint { .. } => "waypoint".into(),
            Self::Light { .. } => "light".into(),
            Self::Spotlight { .. } => "spotlight".into(),
            Self::SoundEmitter { .. } => "soundemitter".into(),
            Self::PlayerStart { .. } => "playerstart".into(),
            Self::Model { .. } => "model".into(),
            Self::Item { .. } => "item".into(),
            Self::Door { .. } => "door".into(),
            Self::Subroom { .. } => "subroom".into(),
            Self::Custom(class, _) => class.text(),
        }
    }
}

impl RmEntity {
    /// What it is in a plain room.
    fn stand(&self) -> Stand {
        let plain = match self.clone() {
            Self::Screen { position, image } => Entity::Screen { position, image },
            Self::Waypoint { position } => Entity::Waypoint { position },
            Self::Light { position, range, color, intensity } => {
                Entity::Light { position, range, color, intensity }
            }
            Self::Spotlight {
                position,
                range,
                color,
                intensity,
                angles,
                inner_cone_angle,
                outer_cone_angle,
            } => Entity::Spotlight {
                position,
                range,
                color,
                intensity,
                angles,
                inner_cone_angle,
                outer_cone_angle,
            },
            Self::SoundEmitter { position, sound, range } => Entity::SoundEmitter { position, sound, range },
            Self::PlayerStart { position, angles } => Entity::PlayerStart { position, angles },
            Self::Model { file, position, rotation, scale } => {
                Entity::Model { file, position, rotation, scale }
            }
            Self::Item { position, rotation, .. } => return Stand::unlike(self, position, rotation),
            Self::Door { position, angle, .. } => return Stand::unlike(self, position, [0.0, angle, 0.0]),
            Self::Subroom { position, .. } => return Stand::unlike(self, position, [0.0; 3]),
            Self::Custom(class, fields) => Entity::Custom(class, fields),
        };
        Stand::same(plain)
    }
}

impl Rm {
    /// A room with nothing in it.
    #[must_use]
    pub fn new(version: u8) -> Self {
        Self {
            version,
            surfaces: Vec::new(),
            render_surfaces: Some(Vec::new()),
            collision: Some(Vec::new()),
            triggers: Some(Vec::new()),
            entities: Some(Vec::new()),
            unread_entities: 0,
            rest: Bytes::default(),
        }
    }

    /// Reads a room. What is damaged behind the first list of surfaces is kept as bytes and reported.
    ///
    /// # Errors
    /// Another header or version, and damage in the first list of surfaces.
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
        if let Err(error) = room.read_behind_surfaces(&mut reader, report) {
            warning::damage_behind_surfaces(report, &error);
        }
        room.rest = Bytes::from(reader.take_rest());
        if room.entities.is_some() && room.unread_entities == 0 {
            warning::left_over(report, &room.rest);
        }
        Ok(room)
    }

    /// Reads as far as the file is sound; the reader stands where that ends.
    fn read_behind_surfaces(&mut self, reader: &mut Reader<'_>, report: &mut Report) -> Result<()> {
        self.render_surfaces = Some(reader.attempt(|reader| reader.field("render_surfaces", limited))?);
        self.collision = Some(reader.attempt(|reader| reader.field("collision", limited))?);
        self.triggers = Some(reader.attempt(|reader| reader.field("triggers", limited))?);
        let version = self.version;
        let (entities, unread) = reader.attempt(|reader| entity::read(reader, version, report))?;
        (self.entities, self.unread_entities) = (Some(entities), unread);
        Ok(())
    }

    /// Writes the room; an unchanged room gives the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for a version that is not known, a field the version has no room for, or more of
    /// something than the file can count.
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
            writer.field("triggers", |writer| writer.counted::<i32, _>(triggers, ()))?;
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

/// Reads header and version.
fn read_version(reader: &mut Reader<'_>) -> Result<u8> {
    let header = reader.field("header", |reader| {
        let start = reader.offset();
        match BlitzString::read(reader, ())? {
            header if header.bytes() == b"RM" => Ok(header),
            header => {
                Err(Error::malformed(format!("the room starts with {header:.40?}, not with \"RM\""))
                    .at(start))
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
    format!("\"RM\" rooms are of version 0 or 1, this one is of version {version}")
}

impl Dialect for Rm {
    fn name(&self) -> String {
        format!("RM version {}", self.version)
    }

    fn kept(&self) -> Kept {
        Kept::Rm { version: self.version }
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
            reader.field("triggers", limited::<TriggerBox>)?;
        }
        if let Some(entities) = &self.entities {
            reader.field("entities", |reader| entity::trace(reader, entities, self.version))?;
        }
        reader.field("rest", |reader| Bytes::read(reader, ())).map(drop)
    }

    fn likeness(&self) -> Likeness {
        let render_only = self.render_surfaces.as_deref().unwrap_or_default();
        let surfaces = [&self.surfaces, render_only].concat();
        let stands = self.entities.iter().flatten().map(RmEntity::stand);
        Likeness {
            render_only: render_only.len(),
            ..Likeness::new(
                surfaces,
                self.collision.clone(),
                self.triggers.clone(),
                self.rest.clone(),
                stands,
            )
        }
    }
}
