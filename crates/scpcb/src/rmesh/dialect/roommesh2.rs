//! `RoomMesh2`: rooms of Ultimate Edition Reborn, version 2.
//!
//! Like a plain room without trigger boxes, but each vertex has a normal, lights have more fields, and props have the class
//! `mesh`. The classes `screen` and `model` of plain rooms crash that game; here they are unknown classes.
//!
//! Sources: the game's own loader (Jabka666, "scpcb-ue-my", `LoadRMesh`), and the Blender add-on's reader (General-101, "SCP-CB
//! RMESH Tool"). No file was available: an entity whose fields turn out to be different is kept as bytes.

use std::borrow::Cow;

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Visitor, Writer};
use scene::Extras;
use serde::{Deserialize, Serialize};

use super::approximation::{ApproximatedEntity, Approximation, EntityTransform};
use super::normal::NormalOrder;
use super::{Dialect, PackContext};
#[cfg(doc)]
use crate::rmesh::RMesh;
use crate::rmesh::class::{
    Light, LightLayout, Model, PlayerStart, RESERVED, Screen, SoundEmitter, Spotlight, Waypoint,
};
use crate::rmesh::entity::{self, Classes, FieldCertainty};
use crate::rmesh::layout::{Entity, InvisibleSurface, Surface, TextureSlot, Vertex, custom};
use crate::rmesh::{TRAILER, is_zero, limited, node, warning};
use crate::string::BlitzString;

/// The signature of a `RoomMesh2` room.
pub const ROOMMESH2_HEADER: &[u8] = b"\x09\0\0\0RoomMesh2";

/// A room of the `RoomMesh2` dialect. As in [`RMesh`], the fields after damage are `None`, and their bytes are in
/// [`rest`](Self::rest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoomMesh2 {
    /// Visible surfaces; opaque ones are solid.
    pub surfaces: Vec<Surface2>,
    /// Invisible surfaces that stop the player.
    #[serde(deserialize_with = "Option::deserialize")]
    pub collision: Option<Vec<InvisibleSurface>>,
    /// Objects in the room.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entities: Option<Vec<Entity2>>,
    /// Number of declared entities that were not read. Usually 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_entities: i32,
    /// Bytes after the entities.
    pub rest: Bytes,
}

/// A textured surface of the room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface2 {
    /// Lightmap slot, mapped by the second texture coordinates; the game no longer draws it.
    pub lightmap: TextureSlot,
    /// Texture slot, mapped by the first texture coordinates. Looked up next to the room, then in `GFX/Map/Textures`.
    pub texture: TextureSlot,
    /// Vertices of the surface.
    #[record(count = i32)]
    pub vertices: Vec<Vertex2>,
    /// Vertex indices, zero-based, local to this surface.
    #[record(count = i32)]
    pub triangles: Vec<[u32; 3]>,
}

/// A vertex of a surface: 43 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertex2 {
    /// Position in game units.
    pub position: [f32; 3],
    /// Texture coordinates, v down.
    pub texture_uv: [f32; 2],
    /// Lightmap coordinates.
    pub lightmap_uv: [f32; 2],
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Unit normal. The game uses the second number as z and the third as y; the Blender add-on writes x, y, z.
    pub normal: [f32; 3],
}

/// An entity of a `RoomMesh2` room.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = BlitzString)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Entity2 {
    /// A node of the navigation graph, see [`Waypoint`].
    #[record(tag = "waypoint")]
    Waypoint(Waypoint),
    /// A point light, see [`Light`].
    #[record(tag = "light", with = LightLayout::Extended)]
    Light(Light),
    /// A spotlight, see [`Spotlight2`].
    #[record(tag = "spotlight")]
    Spotlight(Spotlight2),
    /// An ambient sound, see [`SoundEmitter`].
    #[record(tag = "soundemitter")]
    SoundEmitter(SoundEmitter),
    /// The player's starting point, see [`PlayerStart`].
    #[record(tag = "playerstart")]
    PlayerStart(PlayerStart),
    /// A prop, see [`Prop`].
    #[record(tag = "mesh")]
    Mesh(Prop),
    /// A screen where the player saves the game, see [`SaveScreen`].
    #[record(tag = "save_screen")]
    #[serde(rename = "save_screen")]
    SaveScreen(SaveScreen),
    /// An unknown class, or a known one whose fields differ from the documented ones.
    #[record(unknown)]
    #[serde(with = "custom")]
    Custom(BlitzString, Bytes),
}

/// A spotlight. Unlike in a plain room, it has separate angles and a single cone, all in fractional degrees.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotlight2 {
    /// Position in game units.
    pub position: [f32; 3],
    /// Range in game units.
    pub range: f32,
    /// Red, green and blue from 0 to 255, separated by spaces.
    pub color: BlitzString,
    /// Factor of the brightness.
    pub intensity: f32,
    /// 1 if a glow sprite is drawn at the light.
    pub has_sprite: u8,
    /// Size of the glow sprite.
    pub sprite_scale: f32,
    /// 1 if the light casts shadows.
    pub casts_shadows: u8,
    /// Pitch in degrees.
    pub pitch: f32,
    /// Yaw in degrees.
    pub yaw: f32,
    /// Angle in degrees from the axis to the edge of the outer cone, as in plain rooms, as far as known.
    pub outer_cone_angle: f32,
    /// Reserved bytes, see [`Light::reserved`].
    #[record(count = RESERVED)]
    pub reserved: Bytes,
}

/// A prop from `GFX/Map/Props`.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prop {
    /// Position in game units.
    pub position: [f32; 3],
    /// Model file name without its extension, which is `.b3d`.
    pub file: BlitzString,
    /// Pitch, yaw and roll in degrees.
    pub rotation: [f32; 3],
    /// Scale factors along the model's own axes.
    pub scale: [f32; 3],
    /// 1 if the prop stops the player.
    pub has_collision: u8,
    /// Bit flags of Blitz3D's `EntityFX`.
    pub fx: i32,
    /// Texture that replaces the model's own; usually empty.
    pub texture: BlitzString,
}

/// A screen where the player saves the game.
#[derive(Record, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveScreen {
    /// Position in game units.
    pub position: [f32; 3],
    /// Model file name; the game uses its own model instead.
    pub model: BlitzString,
    /// Pitch, yaw and roll in degrees.
    pub rotation: [f32; 3],
    /// Scale factors along the model's own axes.
    pub scale: [f32; 3],
    /// Image file name, in `GFX/Map/Screens`.
    pub image: BlitzString,
}

impl Classes for Entity2 {
    const KNOWN: &'static [&'static str] =
        &["waypoint", "light", "spotlight", "soundemitter", "playerstart", "mesh", "save_screen"];
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
            Self::Waypoint(_) => "waypoint".into(),
            Self::Light(_) => "light".into(),
            Self::Spotlight(_) => "spotlight".into(),
            Self::SoundEmitter(_) => "soundemitter".into(),
            Self::PlayerStart(_) => "playerstart".into(),
            Self::Mesh(_) => "mesh".into(),
            Self::SaveScreen(_) => "save_screen".into(),
            Self::Custom(class, _) => class.text(),
        }
    }
}

impl Entity2 {
    /// The closest entity of a plain room.
    pub(super) fn approximate(&self) -> ApproximatedEntity {
        match self.clone() {
            Self::Waypoint(waypoint) => ApproximatedEntity::exact(Entity::Waypoint(waypoint)),
            Self::SoundEmitter(emitter) => ApproximatedEntity::exact(Entity::SoundEmitter(emitter)),
            Self::PlayerStart(start) => ApproximatedEntity::exact(Entity::PlayerStart(start)),
            Self::Custom(class, fields) => ApproximatedEntity::exact(Entity::Custom(class, fields)),
            Self::Light(Light {
                position,
                range,
                color,
                intensity,
                has_sprite,
                casts_shadows,
                reserved,
                ..
            }) => {
                let plain = Light { position, range, color, intensity, ..Light::default() };
                let flags = [has_sprite, casts_shadows].map(Option::unwrap_or_default);
                let is_plain =
                    flags == [0; 2] && reserved.iter().flat_map(|bytes| bytes.iter()).all(|byte| *byte == 0);
                let lost = if is_plain { "" } else { "their glow, shadows and 128 reserved bytes" };
                ApproximatedEntity::similar(self, Entity::Light(plain), lost)
            }
            Self::Spotlight(Spotlight2 {
                position,
                range,
                color,
                intensity,
                pitch,
                yaw,
                outer_cone_angle,
                ..
            }) => {
                let cone = integer_degrees(outer_cone_angle);
                let plain = Spotlight {
                    position,
                    range,
                    color,
                    intensity,
                    angles: BlitzString::from(&*format!("{pitch} {yaw} 0")),
                    inner_cone_angle: cone,
                    outer_cone_angle: cone,
                };
                let lost = "their glow, shadows, fractional angles and 128 reserved bytes";
                ApproximatedEntity::similar(self, Entity::Spotlight(plain), lost)
            }
            Self::Mesh(Prop { position, file, rotation, scale, has_collision, fx, texture }) => {
                let file = if file.is_empty() { file } else { with_extension(&file) };
                let plain = Model { file, position, rotation, scale };
                let is_plain = has_collision != 0 && fx == 0 && texture.is_empty();
                let lost = if is_plain { "" } else { "their effects, texture and collision flag" };
                ApproximatedEntity::similar(self, Entity::Model(plain), lost)
            }
            Self::SaveScreen(SaveScreen { position, image, rotation, scale, .. }) => {
                let plain = Entity::Screen(Screen { position, image });
                ApproximatedEntity::similar(self, plain, "their saving function, model, rotation and scale")
                    .at(EntityTransform { position, rotation, scale: Some(scale) })
            }
        }
    }
}

/// The name with the extension that the game appends.
fn with_extension(file: &BlitzString) -> BlitzString {
    BlitzString::from_bytes(&[file.bytes(), b".b3d"].concat())
}

/// Rounds an angle to an integer, as plain rooms store it.
#[expect(clippy::as_conversions, reason = "an angle; the conversion saturates")]
fn integer_degrees(angle: f32) -> i32 {
    angle.round() as i32
}

impl Surface2 {
    /// The surface without normals.
    pub(super) fn plain(&self) -> Surface {
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
    /// An empty room.
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

    /// The component order of its normals.
    pub(super) fn normal_order(&self) -> NormalOrder {
        let surfaces: Vec<_> = self.surfaces.iter().map(Surface2::plain).collect();
        NormalOrder::of(&surfaces, &self.normals())
    }

    /// The normals of each surface, as stored.
    fn normals(&self) -> Vec<Vec<[f32; 3]>> {
        let normals = |surface: &Surface2| surface.vertices.iter().map(|vertex| vertex.normal).collect();
        self.surfaces.iter().map(normals).collect()
    }

    /// Reads a room. Damage after the surfaces is kept as bytes and reported.
    ///
    /// # Errors
    /// If the header is wrong or the surfaces are damaged.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        read_header(&mut reader)?;
        let surfaces = reader.field("surfaces", limited)?;
        let mut room = Self { surfaces, collision: None, entities: None, ..Self::new() };
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
        self.collision = Some(reader.attempt(|reader| reader.field("collision", limited))?);
        let (entities, unread) = reader.attempt(|reader| entity::read(reader, (), report))?;
        (self.entities, self.unread_entities) = (Some(entities), unread);
        Ok(())
    }

    /// Serializes the room; an unmodified room yields the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if a list is too long for its count, or a light does not have 128
    /// reserved bytes.
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
                let message = format!("expected the header \"RoomMesh2\", found {header:.40?}");
                Err(Error::malformed(message).at(start))
            }
        }
    })
}

impl Dialect for RoomMesh2 {
    fn name(&self) -> String {
        "RoomMesh2".to_owned()
    }

    fn pack_context(&self) -> PackContext {
        PackContext::RoomMesh2
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

    fn entity_extras(&self, index: usize) -> Extras {
        self.entities.iter().flatten().nth(index).map(node::extras).unwrap_or_default()
    }

    fn approximation(&self) -> Approximation {
        let surfaces = self.surfaces.iter().map(Surface2::plain).collect();
        let entities_approximated = self.entities.iter().flatten().map(Entity2::approximate);
        Approximation {
            normals: Some(self.normals()),
            ..Approximation::new(
                surfaces,
                self.collision.clone(),
                None,
                self.rest.clone(),
                entities_approximated,
            )
        }
    }
}
