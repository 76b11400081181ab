//! RMesh: a room of SCP – Containment Breach, with its lightmaps, collision, trigger boxes and entities.

mod bake;
mod bump;
mod check;
mod class;
mod describe;
mod dialect;
mod entity;
mod extras;
mod groups;
mod import;
mod layout;
mod light;
mod material;
mod node;
mod prop;
mod prop_model;
mod scene;
#[cfg(test)]
mod tests;
mod texture;
mod unpack;
mod visible;
mod warning;

use ::scene::Scene;
use ::scene::engine::without_suffix;
use asset::{
    Asset, Context, Description, Detail, Format, Import, Items, Location, NameKind, Names, Offered, Probe,
    ProductContext, ProductKind, Products, Report, SaveAs, ScenePart, Score, Target,
};
use record::schema::declared;
use record::{Bytes, Declared, Error, Reader, Record, Result, Visitor, Writer};
use serde::{Deserialize, Serialize};

pub use class::{Light, LightLayout, Model, PlayerStart, Screen, SoundEmitter, Spotlight, Waypoint};
pub use dialect::{
    Door, Entity2, Item, OtherDialect, Prop, RM_HEADER, ROOMMESH2_HEADER, Rm, RmEntity, RoomMesh2,
    SaveScreen, Spotlight2, Subroom, Surface2, TriggerCounts, Vertex2,
};
pub use import::{ImportDialect, ImportOptions, Kept, SceneImages};
pub use layout::{
    Entity, InvisibleSurface, MAX_COUNT, MAX_INVISIBLE, MAX_VERTICES, Surface, TextureKind, TextureSlot,
    TriggerBox, Vertex,
};
pub use light::{BUILDER as LIGHTMAPS, LightmapOptions};
pub use scene::{Lightmaps, RoomOptions, UnseenGeometry};
pub use warning::CODES;

use crate::string::BlitzString;

/// Rooms of the game and of its editors.
pub static FORMAT: Format = Format::new("scpcb.rmesh", "SCP – Containment Breach room", dialect::open)
    .game("scpcb")
    .extensions(EXTENSIONS)
    .probe(probe)
    .pack(unpack::pack)
    .import(Import {
        extensions: &["rmesh", "rm"],
        options: ImportOptions::DECLARED,
        make: import::import,
    })
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the room with its textures, lights and props" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .save_as(&[
        SaveAs {
            extension: "rmesh",
            about: "the room as a plain RMesh file, which the game loads",
            write: dialect::save_as_plain_room,
        },
        SaveAs {
            extension: "rm",
            about: "the room in the dialect RM (Keter Class Edition)",
            write: dialect::save_as_rm,
        },
        SaveAs {
            extension: "rmesh2",
            about: "the room in the dialect RoomMesh2 (Ultimate Edition Reborn), whose files also end in .rmesh",
            write: dialect::save_as_roommesh2,
        },
    ])
    .schema(declared::<RMesh>)
    .spans(dialect::spans)
    .options(RoomOptions::DECLARED)
    .names(Names::of_file(NameKind::Room).in_fields(&[
        ("texture.name", NameKind::Texture),
        ("lightmap.name", NameKind::Texture),
        ("screen.image", NameKind::Texture),
        ("model.file", NameKind::Model),
        ("triggers.name", NameKind::Node),
    ]))
    .codes(CODES)
    .shared_codes(warning::SHARED);

/// A room.
///
/// The data after the surfaces can be damaged or written by another editor. The fields that could not be read are then `None`, and
/// their bytes are in [`rest`](Self::rest), so that writing is lossless.
#[derive(Declared, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RMesh {
    /// Whether trigger boxes follow the collision.
    pub header: Header,
    /// Visible surfaces. Several can use the same texture with different lightmaps.
    #[record(count = i32)]
    pub surfaces: Vec<Surface>,
    /// Invisible surfaces that stop the player. Opaque visible surfaces stop the player too.
    #[record(count = i32, stored_as = Vec<InvisibleSurface>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub collision: Option<Vec<InvisibleSurface>>,
    /// Trigger boxes; only with [`Header::HasTriggerBox`].
    #[record(when = header == Header::HasTriggerBox, count = i32)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub triggers: Option<Vec<TriggerBox>>,
    /// Objects in the room.
    #[record(count = i32, stored_as = Vec<Entity>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub entities: Option<Vec<Entity>>,
    /// Number of declared entities that were not read, because the file is truncated or has an unknown class. Usually 0.
    #[record(stored_as = [u8; 0])]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_entities: i32,
    /// Bytes after the entities: the string "EOF" in the game's own rooms, empty in rooms of CBRE.
    pub rest: Bytes,
}

/// Converts a room of the game to a scene, in whatever dialect it is.
pub(crate) fn scene_of(
    context: &Context<'_>,
    location: &Location,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let source = context.install.open(location)?;
    let context = Context { location: Some(location.clone()), ..context.clone() };
    dialect::scene_of(&source, &context, target, report)
}

/// The header of a room file.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[record(tag = BlitzString, unknown = other_header)]
pub enum Header {
    /// `RoomMesh`.
    #[record(tag = "RoomMesh")]
    RoomMesh,
    /// `RoomMesh.HasTriggerBox`.
    #[record(tag = "RoomMesh.HasTriggerBox")]
    #[serde(rename = "RoomMesh.HasTriggerBox")]
    HasTriggerBox,
}

/// The string "EOF", as the game's converter writes it at the end of a room.
pub const TRAILER: &[u8] = b"\x03\0\0\0EOF";

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
fn is_zero(number: &i32) -> bool {
    *number == 0
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    const HEADERS: [&[u8]; 5] = [
        b"\x08\0\0\0RoomMesh",
        b"\x16\0\0\0RoomMesh.HasTriggerBox",
        ROOMMESH2_HEADER,
        b"\x12\0\0\0RoomMesh.HasNoColl",
        RM_HEADER,
    ];
    if HEADERS.iter().any(|header| file.starts_with(header)) {
        return Some(Score::CERTAIN);
    }
    match file.extension() {
        "rmesh" => Some(Score::POSSIBLE),
        // Far more often a RealMedia file.
        "rm" => Some(Score::NEVER),
        _ => None,
    }
}

/// `.rm` is the extension of rooms in the "RM" dialect.
const EXTENSIONS: &[&str] = &["rmesh", "rm"];

impl Header {
    /// The header's text in the file.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::RoomMesh => "RoomMesh",
            Self::HasTriggerBox => "RoomMesh.HasTriggerBox",
        }
    }
}

/// The error for an unsupported header: a known dialect, or not a room.
fn other_header(text: &BlitzString) -> Error {
    Error::unsupported(match text.bytes() {
        b"RoomMesh2" => "this is a RoomMesh2 room (Ultimate Edition Reborn); use RoomMesh2::read",
        b"RoomMesh.HasNoColl" => "RoomMesh.HasNoColl rooms (from a Unity port of the game) are not supported",
        b"RM" => "this is an \"RM\" room (Keter Class Edition); use Rm::read",
        _ => {
            return Error::malformed(format!(
                "expected the header \"RoomMesh\" or \"RoomMesh.HasTriggerBox\", found {text:.40?}"
            ));
        }
    })
}

impl RMesh {
    /// An empty room.
    #[must_use]
    pub fn new() -> Self {
        Self {
            header: Header::RoomMesh,
            surfaces: Vec::new(),
            collision: Some(Vec::new()),
            triggers: None,
            entities: Some(Vec::new()),
            unread_entities: 0,
            rest: Bytes::from(TRAILER),
        }
    }

    /// Reads a room. Damage after the surfaces (truncated entities, an unknown class) is kept as bytes and reported;
    /// damage in the surfaces is an error with its offset.
    ///
    /// # Errors
    /// If the file is empty, its header or a surface is malformed, or the dialect is not supported.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        if reader.is_at_end() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        let header = reader.field("header", |reader| Header::read(reader, ()))?;
        let surfaces = reader.field("surfaces", limited)?;
        let mut room =
            Self { header, surfaces, collision: None, triggers: None, entities: None, ..Self::new() };
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
        self.collision = Some(reader.attempt(|reader| reader.field("collision", limited_collision))?);
        if self.header == Header::HasTriggerBox {
            self.triggers = Some(reader.attempt(|reader| reader.field("triggers", limited_triggers))?);
        }
        let (entities, unread) = reader.attempt(|reader| entity::read(reader, (), report))?;
        (self.entities, self.unread_entities) = (Some(entities), unread);
        Ok(())
    }

    /// Serializes the room; an unmodified room yields the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if a list is too long for its count, or the room has trigger boxes but
    /// a header without them.
    pub fn write(&self) -> Result<Vec<u8>> {
        let vertices = self.surfaces.iter().map(|surface| surface.vertices.len());
        let size = vertices.fold(4096_usize, |size, count| size.saturating_add(count.saturating_mul(64)));
        let mut writer = Writer::with_capacity(size);
        writer.field("header", |writer| self.header.write(writer, ()))?;
        writer.field("surfaces", |writer| writer.counted::<i32, _>(&self.surfaces, ()))?;
        if let Some(collision) = &self.collision {
            writer.field("collision", |writer| writer.counted::<i32, _>(collision, ()))?;
        }
        match (&self.triggers, self.header) {
            (Some(triggers), Header::HasTriggerBox) => {
                writer.field("triggers", |writer| writer.counted::<i32, _>(triggers, ()))?;
            }
            (Some(_), Header::RoomMesh) => {
                let message = "a room with trigger boxes needs the header \"RoomMesh.HasTriggerBox\"";
                return Err(Error::usage(message).in_field("triggers"));
            }
            (None, _) => {}
        }
        if let Some(entities) = &self.entities {
            writer.field("entities", |writer| entity::write(writer, entities, self.unread_entities, ()))?;
        }
        writer.put(&self.rest);
        Ok(writer.into_bytes())
    }

    /// The entities that were read.
    #[must_use]
    pub fn entities(&self) -> &[Entity] {
        self.entities.as_deref().unwrap_or_default()
    }

    /// The collision surfaces that were read.
    #[must_use]
    pub fn collision(&self) -> &[InvisibleSurface] {
        self.collision.as_deref().unwrap_or_default()
    }

    /// The trigger boxes that were read.
    #[must_use]
    pub fn triggers(&self) -> &[TriggerBox] {
        self.triggers.as_deref().unwrap_or_default()
    }

    /// Number of visible triangles.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.surfaces.iter().map(|surface| surface.triangles.len()).sum()
    }

    /// Reports every byte to the visitor. `bytes` must be the bytes the room was read from.
    fn trace(&self, bytes: &[u8], visitor: &mut dyn Visitor) -> Result<()> {
        let mut reader = Reader::tracing(bytes, visitor);
        reader.field("header", |reader| Header::read(reader, ()))?;
        reader.field("surfaces", limited::<Surface>)?;
        if self.collision.is_some() {
            reader.field("collision", limited_collision)?;
        }
        if self.triggers.is_some() {
            reader.field("triggers", limited_triggers)?;
        }
        if let Some(entities) = &self.entities {
            reader.field("entities", |reader| entity::trace(reader, entities, ()))?;
        }
        reader.field("rest", |reader| Bytes::read(reader, ())).map(drop)
    }
}

impl Default for RMesh {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads a list with a leading count of at most [`MAX_COUNT`].
fn limited<T: Record<Context = ()>>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    limited_to(MAX_COUNT, reader)
}

/// Reads a list with a leading count of at most `most`.
fn limited_to<T: Record<Context = ()>>(most: usize, reader: &mut Reader<'_>) -> Result<Vec<T>> {
    let start = reader.offset();
    let count: i32 = reader.read_count()?;
    let count = reader.check_count(count, T::MIN_SIZE, start)?;
    reader.check_limit(count, most, start)?;
    T::read_list(reader, count, ())
}

fn limited_collision(reader: &mut Reader<'_>) -> Result<Vec<InvisibleSurface>> {
    limited_to(MAX_INVISIBLE, reader)
}

fn limited_triggers(reader: &mut Reader<'_>) -> Result<Vec<TriggerBox>> {
    let start = reader.offset();
    let triggers: Vec<TriggerBox> = limited_to(MAX_INVISIBLE, reader)?;
    let surfaces = triggers.iter().map(|trigger| trigger.surfaces.len().max(1));
    reader.check_limit(surfaces.fold(0, usize::saturating_add), MAX_INVISIBLE, start)?;
    Ok(triggers)
}

impl Asset for RMesh {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        describe::add_table_entry(context, description);
    }

    fn items(&self) -> Items {
        describe::items(self)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        if let Some(surface) = part.number("surface") {
            return Some(format!("surfaces[{surface}]"));
        }
        // The name of an entity's node is its class and its index.
        part.extras.get("entity")?;
        let index: usize = without_suffix(part.name).rsplit_once('_')?.1.parse().ok()?;
        Some(format!("entities[{index}]"))
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let scene_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            Ok(scene::to_scene(self, &scene_context, &target, making.report))
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut asset::Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, context, parts, report)
    }
}
