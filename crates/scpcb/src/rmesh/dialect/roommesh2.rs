//! `RoomMesh2`: rooms of Ultimate Edition Reborn, version 2.
//!
//! As a plain room without trigger boxes, but each vertex has a normal, lights have more fields, and props are of the class
//! `mesh`. The classes `screen` and `model` of plain rooms stop that game; here they are classes that are not known.
//!
//! Sources: the game's own loader (Jabka666, "scpcb-ue-my", `LoadRMesh`), and the Blender add-on's reader (General-101, "SCP-CB
//! RMESH Tool"). No file was at hand: where the fields of a class turn out to be others, it is kept as bytes.

use std::borrow::Cow;

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Visitor, Writer};
use serde::{Deserialize, Serialize};

use super::likeness::{Likeness, Stand};
use super::{Dialect, Kept};
#[cfg(doc)]
use crate::rmesh::RMesh;
use crate::rmesh::entity::{self, Classes, Fields};
use crate::rmesh::layout::{Entity, InvisibleSurface, Surface, TextureSlot, Vertex, custom};
use crate::rmesh::{TRAILER, is_zero, limited, warning};
use crate::string::BlitzString;

/// What a `RoomMesh2` room starts with.
pub const ROOMMESH2_HEADER: &[u8] = b"\x09\0\0\0RoomMesh2";

/// A room of the `RoomMesh2` dialect. As in [`RMesh`], the fields from a damage on are `None`, and its bytes are in
/// [`rest`](Self::rest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoomMesh2 {
    /// What is seen; opaque ones stop the player.
    pub surfaces: Vec<Surface2>,
    /// What only stops the player.
    #[serde(deserialize_with = "Option::deserialize")]
    pub collision: Option<Vec<InvisibleSurface>>,
    /// What stands in the room.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entities: Option<Vec<Entity2>>,
    /// How many entities the file promises beyond those read. Usually 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_entities: i32,
    /// What stands behind all that.
    pub rest: Bytes,
}

/// One textured part of the room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface2 {
    /// The lightmap's slot, on the second texture coordinates; the game no longer draws it.
    pub lightmap: TextureSlot,
    /// The texture's slot, on the first texture coordinates. Looked for beside the room, then in `GFX/Map/Textures`.
    pub texture: TextureSlot,
    /// Corners.
    #[record(count = i32)]
    pub vertices: Vec<Vertex2>,
    /// Zero-based, local to this surface.
    #[record(count = i32)]
    pub triangles: Vec<[u32; 3]>,
}

/// A corner of a surface: 43 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertex2 {
    /// Game units.
    pub position: [f32; 3],
    /// Texture coordinates, v downwards.
    pub texture_uv: [f32; 2],
    /// Lightmap coordinates.
    pub lightmap_uv: [f32; 2],
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Of unit length. The game takes the second number as z and the third as y; the Blender add-on writes them as x, y, z.
    pub normal: [f32; 3],
}

/// Something that stands in a `RoomMesh2` room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = BlitzString)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Entity2 {
    /// A knot of the net that creatures walk on.
    #[record(tag = "waypoint")]
    Waypoint {
        /// Game units.
        position: [f32; 3],
    },
    /// A lamp that shines everywhere.
    #[record(tag = "light")]
    Light {
        /// Game units.
        position: [f32; 3],
        /// Game units.
        range: f32,
        /// Red, green, blue of 0 to 255, with blanks between.
        color: BlitzString,
        /// A factor, without the limit of plain rooms.
        intensity: f32,
        /// 1 where a glow is drawn at the lamp.
        has_sprite: u8,
        /// How large the glow is.
        sprite_scale: f32,
        /// 1 where it casts shadows.
        casts_shadows: u8,
        /// The game skips them; the Blender add-on takes the first four as a float called scattering.
        #[record(count = RESERVED)]
        reserved: Bytes,
    },
    /// A lamp with a direction.
    #[record(tag = "spotlight")]
    Spotlight {
        /// Game units.
        position: [f32; 3],
        /// Game units.
        range: f32,
        /// Red, green, blue of 0 to 255, with blanks between.
        color: BlitzString,
        /// A factor.
        intensity: f32,
        /// 1 where a glow is drawn at the lamp.
        has_sprite: u8,
        /// How large the glow is.
        sprite_scale: f32,
        /// 1 where it casts shadows.
        casts_shadows: u8,
        /// Degrees.
        pitch: f32,
        /// Degrees.
        yaw: f32,
        /// Degrees across the whole cone, as far as known.
        outer_cone_angle: f32,
        /// As of a light.
        #[record(count = RESERVED)]
        reserved: Bytes,
    },
    /// A source of sound.
    #[record(tag = "soundemitter")]
    SoundEmitter {
        /// Game units.
        position: [f32; 3],
        /// Which ambience, counted from 1.
        sound: i32,
        /// As the game takes it.
        range: f32,
    },
    /// Where the player starts. The Blender add-on writes it; the game does not know it.
    #[record(tag = "playerstart")]
    PlayerStart {
        /// Game units.
        position: [f32; 3],
        /// Pitch, yaw and roll in degrees, with blanks between.
        angles: BlitzString,
    },
    /// A prop from `GFX/Map/Props`.
    #[record(tag = "mesh")]
    Mesh {
        /// Game units.
        position: [f32; 3],
        /// A file name without its extension, which is `.b3d`.
        file: BlitzString,
        /// Pitch, yaw and roll in degrees.
        rotation: [f32; 3],
        /// Factors along the model's own axes.
        scale: [f32; 3],
        /// 1 where it stops the player.
        has_collision: u8,
        /// Blitz3D's effects of an entity, bit by bit.
        fx: i32,
        /// A texture in place of the model's own; usually empty.
        texture: BlitzString,
    },
    /// A screen at which the player saves the game.
    #[record(tag = "save_screen")]
    #[serde(rename = "save_screen")]
    SaveScreen {
        /// Game units.
        position: [f32; 3],
        /// A file name; the game takes a model of its own.
        model: BlitzString,
        /// Pitch, yaw and roll in degrees.
        rotation: [f32; 3],
        /// Factors along the model's own axes.
        scale: [f32; 3],
        /// A file name, in `GFX/Map/Screens`.
        image: BlitzString,
    },
    /// A class that is not known, or whose fields are not what they were told to be.
    #[record(unknown)]
    #[serde(with = "custom")]
    Custom(BlitzString, Bytes),
}

/// How many bytes stand behind the fields of a light: 32 numbers that the game skips.
const RESERVED: u8 = 128;

impl Classes for Entity2 {
    const KNOWN: &'static [&'static str] =
        &["waypoint", "light", "spotlight", "soundemitter", "playerstart", "mesh", "save_screen"];
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
            Self::Waypoint { .. } => "waypoint".into(),
            Self::Light { .. } => "light".into(),
            Self::Spotlight { .. } => "spotlight".into(),
            Self::SoundEmitter { .. } => "soundemitter".into(),
            Self::PlayerStart { .. } => "playerstart".into(),
            Self::Mesh { .. } => "mesh".into(),
            Self::SaveScreen { .. } => "save_screen".into(),
            Self::Custom(class, _) => class.text(),
        }
    }
}

impl Entity2 {
    /// What it is in a plain room.
    fn stand(&self) -> Stand {
        match self.clone() {
            Self::Waypoint { position } => Stand::same(Entity::Waypoint { position }),
            Self::SoundEmitter { position, sound, range } => {
                Stand::same(Entity::SoundEmitter { position, sound, range })
            }
            Self::PlayerStart { position, angles } => Stand::same(Entity::PlayerStart { position, angles }),
            Self::Custom(class, fields) => Stand::same(Entity::Custom(class, fields)),
            Self::Light {
                position,
                range,
                color,
                intensity,
                has_sprite,
                casts_shadows,
                reserved,
                sprite_scale: _,
            } => {
                let like = Entity::Light { position, range, color, intensity };
                let is_plain =
                    [has_sprite, casts_shadows] == [0; 2] && reserved.iter().all(|byte| *byte == 0);
                let lost = if is_plain { "" } else { "its glow, its shadows and 128 reserved bytes" };
                Stand::like(self, like, lost)
            }
            Self::Spotlight { position, range, color, intensity, pitch, yaw, outer_cone_angle, .. } => {
                let cone = whole_degrees(outer_cone_angle);
                let like = Entity::Spotlight {
                    position,
                    range,
                    color,
                    intensity,
                    angles: BlitzString::from(&*format!("{pitch} {yaw} 0")),
                    inner_cone_angle: cone,
                    outer_cone_angle: cone,
                };
                let lost = "its glow, its shadows, parts of a degree and 128 reserved bytes";
                Stand::like(self, like, lost)
            }
            Self::Mesh { position, file, rotation, scale, has_collision, fx, texture } => {
                let file = if file.is_empty() { file } else { with_extension(&file) };
                let like = Entity::Model { file, position, rotation, scale };
                let is_plain = has_collision != 0 && fx == 0 && texture.is_empty();
                let lost =
                    if is_plain { "" } else { "its effects, its texture, and whether it stops the player" };
                Stand::like(self, like, lost)
            }
            Self::SaveScreen { position, image, .. } => {
                let like = Entity::Screen { position, image };
                Stand::like(self, like, "that the game can be saved there, its model, turn and size")
            }
        }
    }
}

/// The name with the extension that the game puts behind it.
fn with_extension(file: &BlitzString) -> BlitzString {
    BlitzString::from_bytes(&[file.bytes(), b".b3d"].concat())
}

/// An angle as plain rooms have it.
#[expect(clippy::as_conversions, reason = "an angle, and a conversion that cannot leave the range")]
fn whole_degrees(angle: f32) -> i32 {
    angle.round() as i32
}

impl Surface2 {
    /// The same without normals.
    fn plain(&self) -> Surface {
        let vertex = |Vertex2 { position, texture_uv, lightmap_uv, color, .. }: &Vertex2| Vertex {
            position: *position,
            texture_uv: *texture_uv,
            lightmap_uv: *lightmap_uv,
            color: *color,
        };
        Surface {
            lightmap: self.lightmap.clone(),
            texture: self.texture.clone(),
            vertices: self.vertices.iter().map(vertex).collect(),
            triangles: self.triangles.clone(),
        }
    }
}

impl RoomMesh2 {
    /// A room with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self {
            surfaces: Vec::new(),
            collision: Some(Vec::new()),
            entities: Some(Vec::new()),
            unread_entities: 0,
            rest: Bytes::from(TRAILER),
        }
    }

    /// Reads a room. What is damaged behind the surfaces is kept as bytes and reported.
    ///
    /// # Errors
    /// Another header, and damage in the surfaces.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        read_header(&mut reader)?;
        let surfaces = reader.field("surfaces", limited)?;
        let mut room = Self { surfaces, collision: None, entities: None, ..Self::new() };
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
        self.collision = Some(reader.attempt(|reader| reader.field("collision", limited))?);
        let (entities, unread) = reader.attempt(|reader| entity::read(reader, (), report))?;
        (self.entities, self.unread_entities) = (Some(entities), unread);
        Ok(())
    }

    /// Writes the room; an unchanged room gives the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when there is more of something than the file can count, or the reserved bytes of a
    /// light are not 128.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut writer = Writer::new();
        writer.put(ROOMMESH2_HEADER);
        writer.field("surfaces", |writer| writer.counted::<i32, _>(&self.surfaces, ()))?;
        if let Some(collision) = &self.collision {
            writer.field("collision", |writer| writer.counted::<i32, _>(collision, ()))?;
        }
        if let Some(entities) = &self.entities {
            writer.field("entities", |writer| entity::write(writer, entities, self.unread_entities, ()))?;
        }
        writer.put(&self.rest);
        Ok(writer.into_bytes())
    }
}

impl Default for RoomMesh2 {
    fn default() -> Self {
        Self::new()
    }
}

fn read_header(reader: &mut Reader<'_>) -> Result<()> {
    reader.field("header", |reader| {
        let start = reader.offset();
        match BlitzString::read(reader, ())? {
            header if header.bytes() == b"RoomMesh2" => Ok(()),
            header => {
                let message = format!("the room starts with {header:.40?}, not with \"RoomMesh2\"");
                Err(Error::malformed(message).at(start))
            }
        }
    })
}

impl Dialect for RoomMesh2 {
    fn name(&self) -> String {
        "RoomMesh2".to_owned()
    }

    fn kept(&self) -> Kept {
        Kept::RoomMesh2
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        self.write()
    }

    fn trace(&self, bytes: &[u8], visitor: &mut dyn Visitor) -> Result<()> {
        let mut reader = Reader::tracing(bytes, visitor);
        read_header(&mut reader)?;
        reader.field("surfaces", limited::<Surface2>)?;
        if self.collision.is_some() {
            reader.field("collision", limited::<InvisibleSurface>)?;
        }
        if let Some(entities) = &self.entities {
            reader.field("entities", |reader| entity::trace(reader, entities, ()))?;
        }
        reader.field("rest", |reader| Bytes::read(reader, ())).map(drop)
    }

    fn likeness(&self) -> Likeness {
        let surfaces = self.surfaces.iter().map(Surface2::plain).collect();
        let normals = |surface: &Surface2| surface.vertices.iter().map(|vertex| vertex.normal).collect();
        let stands = self.entities.iter().flatten().map(Entity2::stand);
        Likeness {
            normals: Some(self.surfaces.iter().map(normals).collect()),
            ..Likeness::new(surfaces, self.collision.clone(), None, self.rest.clone(), stands)
        }
    }
}
