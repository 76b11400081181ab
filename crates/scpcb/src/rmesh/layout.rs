//! The records of an `.rmesh` file.
//!
//! Little-endian, packed. Strings are Blitz3D's: an `i32` length, then that many windows-1252 bytes.
//! Left-handed, Y up, 256 units per game meter; a front face points along `(b - a) x (c - a)`, computed on the raw numbers.
//! Sources: Koanyaku, "SCP – Containment Breach RMesh file format"; the game's own loader and converter (game version 1.3.11);
//! measured on 359 real rooms.

use record::{Error, Record, Result};
use serde::{Deserialize, Serialize};

use super::class::{Light, LightLayout, Model, PlayerStart, Screen, SoundEmitter, Spotlight, Waypoint};
use crate::string::BlitzString;

/// Maximum number of surfaces, boxes or entities. Real rooms have at most 99.
pub const MAX_COUNT: usize = 1 << 14;

/// Maximum number of collision surfaces, and of surfaces of all trigger boxes together.
pub const MAX_INVISIBLE: usize = 1 << 12;

/// Maximum number of vertices in a surface that Blitz3D can index.
pub const MAX_VERTICES: usize = 65_535;

/// A textured surface of the room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Lightmap slot, mapped by the second texture coordinates; empty for transparent and vertex-lit surfaces.
    pub lightmap: TextureSlot,
    /// Texture slot, mapped by the first texture coordinates.
    pub texture: TextureSlot,
    /// Vertices of the surface.
    #[record(count = i32)]
    pub vertices: Vec<Vertex>,
    /// Vertex indices, zero-based, local to this surface.
    #[record(count = i32)]
    pub triangles: Vec<[u32; 3]>,
}

/// The texture of a surface. A slot of kind 0 stores no name, which differs from an empty name.
#[derive(Record, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureSlot {
    /// Use of the texture.
    pub kind: TextureKind,
    /// File name, relative to the room's folder and case-insensitive.
    #[record(when = kind != TextureKind::NONE)]
    pub name: Option<BlitzString>,
}

impl TextureSlot {
    /// A slot that stores no name.
    pub const NONE: Self = Self { kind: TextureKind::NONE, name: None };

    /// The name, if it is present and not empty.
    #[must_use]
    pub fn named(&self) -> Option<&BlitzString> {
        self.name.as_ref().filter(|name| !name.is_empty())
    }
}

/// The kind of a texture slot.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextureKind(#[record(check = known_kind)] u8);

impl TextureKind {
    /// Empty; no name follows.
    pub const NONE: Self = Self(0);
    /// A texture without transparency. The game's converter also writes this kind, with an empty name, for a missing lightmap;
    /// other editors write it for lightmaps.
    pub const OPAQUE: Self = Self(1);
    /// A lightmap.
    pub const LIGHTMAP: Self = Self(2);
    /// A texture with transparency.
    pub const TRANSPARENT: Self = Self(3);
}

/// Refuses values other than 0 to 3, which mean that the file is misread.
fn known_kind(kind: &u8) -> Result<()> {
    match kind {
        0..=3 => Ok(()),
        kind => Err(Error::malformed(format!("unknown texture kind {kind} (known: 0 to 3)"))),
    }
}

/// A vertex of a surface: 31 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertex {
    /// Position in game units.
    pub position: [f32; 3],
    /// Texture coordinates, v down; the texture repeats.
    pub texture_uv: [f32; 2],
    /// Lightmap coordinates, in 0..1.
    pub lightmap_uv: [f32; 2],
    /// Red, green, blue: baked light on surfaces without a lightmap, white elsewhere.
    pub color: [u8; 3],
}

/// An invisible surface that stops the player, or one side of a trigger box.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvisibleSurface {
    /// Vertex positions in game units.
    #[record(count = i32)]
    pub vertices: Vec<[f32; 3]>,
    /// Vertex indices, zero-based, local to this surface.
    #[record(count = i32)]
    pub triangles: Vec<[u32; 3]>,
}

/// A region of the room that starts an event when the player enters it. The game looks boxes up by name; names may repeat.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerBox {
    /// Sides of the box.
    #[record(count = i32, limit = MAX_COUNT)]
    pub surfaces: Vec<InvisibleSurface>,
    /// Name by which an event refers to the box.
    pub name: BlitzString,
}

/// An entity: the name of its class, then the fields of the class.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = BlitzString)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Entity {
    /// An image on a wall or desk, see [`Screen`].
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
    /// A class of another editor and its fields. Their length is unknown: they extend to the next known class or to the end of
    /// the room.
    #[record(unknown)]
    #[serde(with = "custom")]
    Custom(BlitzString, record::Bytes),
}

/// Serialization as `{"class": ..., "fields": ...}`.
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
    /// Class names that the game supports.
    pub const CLASSES: [&'static str; 7] =
        ["screen", "waypoint", "light", "spotlight", "soundemitter", "playerstart", "model"];

    /// The name of the class in the file.
    #[must_use]
    pub fn class(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Screen(_) => "screen".into(),
            Self::Waypoint(_) => "waypoint".into(),
            Self::Light(_) => "light".into(),
            Self::Spotlight(_) => "spotlight".into(),
            Self::SoundEmitter(_) => "soundemitter".into(),
            Self::PlayerStart(_) => "playerstart".into(),
            Self::Model(_) => "model".into(),
            Self::Custom(class, _) => class.text(),
        }
    }

    /// Position in game units; `None` for a class of another editor.
    #[must_use]
    pub fn position(&self) -> Option<[f32; 3]> {
        let position = match self {
            Self::Screen(screen) => screen.position,
            Self::Waypoint(waypoint) => waypoint.position,
            Self::Light(light) => light.position,
            Self::Spotlight(spotlight) => spotlight.position,
            Self::SoundEmitter(emitter) => emitter.position,
            Self::PlayerStart(start) => start.position,
            Self::Model(model) => model.position,
            Self::Custom(..) => return None,
        };
        Some(position)
    }
}
