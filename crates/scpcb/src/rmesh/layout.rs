//! What stands in an `.rmesh` file, record by record.
//!
//! Little-endian, packed. Strings are Blitz3D's: an `i32` length, then that many windows-1252 bytes.
//! Left-handed, Y up, 256 units to a game metre; a front face is `(b - a) x (c - a)` on the raw numbers.
//! Sources: Koanyaku, "SCP – Containment Breach RMesh file format"; the game's own loader and converter (game version 1.3.11);
//! measured on 359 real rooms.

use record::{Error, Record, Result};
use serde::{Deserialize, Serialize};

use crate::string::BlitzString;

/// More surfaces, boxes or entities than this are refused: real rooms have at most 99.
pub const MOST: usize = 1 << 14;

/// One textured part of the room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// The lightmap's slot, on the second texture coordinates; empty for transparent and vertex-lit surfaces.
    pub lightmap: TextureSlot,
    /// The texture's slot, on the first texture coordinates.
    pub texture: TextureSlot,
    /// Corners.
    #[record(count = i32)]
    pub vertices: Vec<Vertex>,
    /// Zero-based, local to this surface.
    #[record(count = i32)]
    pub triangles: Vec<[u32; 3]>,
}

/// A texture named by a surface. Kind 0 has no name on disk, which is not the same as an empty name.
#[derive(Record, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureSlot {
    /// What the texture is for.
    pub kind: TextureKind,
    /// Relative to the room's folder; letter case does not matter.
    #[record(when = kind != TextureKind::NONE)]
    pub name: Option<BlitzString>,
}

impl TextureSlot {
    /// A slot without a name on disk.
    pub const NONE: Self = Self { kind: TextureKind::NONE, name: None };

    /// The name, when there is one and it is not empty.
    #[must_use]
    pub fn named(&self) -> Option<&BlitzString> {
        self.name.as_ref().filter(|name| !name.is_empty())
    }
}

/// What a texture slot holds.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextureKind(#[record(check = known_kind)] u8);

impl TextureKind {
    /// Nothing, and no name follows.
    pub const NONE: Self = Self(0);
    /// A texture without transparency. The game's converter also writes it, with an empty name, where there is no lightmap;
    /// other editors write it for lightmaps.
    pub const OPAQUE: Self = Self(1);
    /// A lightmap.
    pub const LIGHTMAP: Self = Self(2);
    /// A texture with transparency.
    pub const TRANSPARENT: Self = Self(3);
}

/// Anything but 0 to 3 shows that the reader has lost its way.
fn known_kind(kind: &u8) -> Result<()> {
    match kind {
        0..=3 => Ok(()),
        kind => Err(Error::malformed(format!("{kind} is no kind of texture: 0 to 3 are"))),
    }
}

/// A corner of a surface: 31 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertex {
    /// Game units.
    pub position: [f32; 3],
    /// Texture coordinates, v downwards; tiles freely.
    pub texture_uv: [f32; 2],
    /// Lightmap coordinates, within 0..1.
    pub lightmap_uv: [f32; 2],
    /// Red, green, blue: baked light where there is no lightmap, white elsewhere.
    pub color: [u8; 3],
}

/// An invisible surface that stops the player, or one side of a trigger box.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvisibleSurface {
    /// Game units.
    #[record(count = i32)]
    pub vertices: Vec<[f32; 3]>,
    /// Zero-based, local to this surface.
    #[record(count = i32)]
    pub triangles: Vec<[u32; 3]>,
}

/// A part of the room that starts an event when the player is in it. The game looks boxes up by name; names may repeat.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerBox {
    /// Its sides.
    #[record(count = i32, limit = MOST)]
    pub surfaces: Vec<InvisibleSurface>,
    /// The event's name for it.
    pub name: BlitzString,
}

/// Something that stands in the room: a class name, then the fields of the class.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = BlitzString)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Entity {
    /// A picture from `GFX/screens` that the player can look at; the game skips one at the origin.
    #[record(tag = "screen")]
    Screen {
        /// Game units.
        position: [f32; 3],
        /// A file name; the game's `.sc` files are JPEGs.
        image: BlitzString,
    },
    /// A knot of the net that creatures walk on.
    #[record(tag = "waypoint")]
    Waypoint {
        /// Game units.
        position: [f32; 3],
    },
    /// A lamp that shines everywhere; the game skips one at the origin, and takes at most 32 a room.
    #[record(tag = "light")]
    Light {
        /// Game units.
        position: [f32; 3],
        /// Game units times 2000 of Blitz3D's own light range.
        range: f32,
        /// Red, green, blue of 0 to 255, with blanks between.
        color: BlitzString,
        /// 1 is usual; the game dims by 0.8 and cuts at full strength.
        intensity: f32,
    },
    /// A lamp with a direction, which the game reads but lets shine everywhere.
    #[record(tag = "spotlight")]
    Spotlight {
        /// Game units.
        position: [f32; 3],
        /// As of a light.
        range: f32,
        /// As of a light.
        color: BlitzString,
        /// As of a light.
        intensity: f32,
        /// Pitch, yaw and roll in degrees, with blanks between; the game never uses the roll.
        angles: BlitzString,
        /// Degrees across the fully lit cone.
        inner_cone_angle: i32,
        /// Degrees across the whole cone.
        outer_cone_angle: i32,
    },
    /// A source of sound; the game takes at most 8 a room.
    #[record(tag = "soundemitter")]
    SoundEmitter {
        /// Game units.
        position: [f32; 3],
        /// Which line `ambienceN` of `[room ambience]` in `rooms.ini`, counted from 1.
        sound: i32,
        /// Game units.
        range: f32,
    },
    /// Where the player starts. No known room has one.
    #[record(tag = "playerstart")]
    PlayerStart {
        /// Game units.
        position: [f32; 3],
        /// Pitch, yaw and roll in degrees, with blanks between.
        angles: BlitzString,
    },
    /// A prop from `GFX/Map/Props`.
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
    /// A class of another editor. How long its fields are only that editor knows: they reach to the next class known here,
    /// or to the end of the room.
    #[record(unknown)]
    #[serde(with = "custom")]
    Custom(BlitzString, record::Bytes),
}

/// `{"class": ..., "fields": ...}` for what stands in the file as two things in a row.
pub(super) mod custom {
    use record::Bytes;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::string::BlitzString;

    #[derive(Serialize)]
    struct Written<'a> {
        class: &'a BlitzString,
        fields: &'a Bytes,
    }

    #[derive(Deserialize)]
    struct Read {
        class: BlitzString,
        fields: Bytes,
    }

    pub(in crate::rmesh) fn serialize<S: Serializer>(
        class: &BlitzString,
        fields: &Bytes,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Written { class, fields }.serialize(serializer)
    }

    pub(in crate::rmesh) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<(BlitzString, Bytes), D::Error> {
        Read::deserialize(deserializer).map(|read| (read.class, read.fields))
    }
}

impl Entity {
    /// The names of the classes the game knows.
    pub const CLASSES: [&'static str; 7] =
        ["screen", "waypoint", "light", "spotlight", "soundemitter", "playerstart", "model"];

    /// The class's name in the file.
    #[must_use]
    pub fn class(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Screen { .. } => "screen".into(),
            Self::Waypoint { .. } => "waypoint".into(),
            Self::Light { .. } => "light".into(),
            Self::Spotlight { .. } => "spotlight".into(),
            Self::SoundEmitter { .. } => "soundemitter".into(),
            Self::PlayerStart { .. } => "playerstart".into(),
            Self::Model { .. } => "model".into(),
            Self::Custom(class, _) => class.text(),
        }
    }

    /// Where it stands, in game units; nobody knows of a class of another editor.
    #[must_use]
    pub fn position(&self) -> Option<[f32; 3]> {
        match self {
            Self::Screen { position, .. }
            | Self::Waypoint { position }
            | Self::Light { position, .. }
            | Self::Spotlight { position, .. }
            | Self::SoundEmitter { position, .. }
            | Self::PlayerStart { position, .. }
            | Self::Model { position, .. } => Some(*position),
            Self::Custom(..) => None,
        }
    }
}
