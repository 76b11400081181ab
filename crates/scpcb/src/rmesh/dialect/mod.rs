//! Dialects: the formats of mods and editors that resemble the game's rooms.
//!
//! Each dialect has its own typed form, which is written back byte for byte. For conversion, checks and saving as a room of the game, it
//! is approximated by a plain room (`approximation.rs`); the rest is added to the scene (`overlay.rs`) or reported as lost. For saving
//! in another dialect, and for import from a scene, a room has a form that can hold the contents of every dialect (`any.rs`).

mod any;
mod any_entity;
mod approximation;
mod loss;
mod normal;
mod overlay;
mod plain;
mod rm;
mod roommesh2;
#[cfg(test)]
mod tests;
mod trigger;

use ::scene::{Extras, Scene};
use asset::{
    Asset, Context, Counts, Description, Detail, Items, Parts, ProductContext, Products, Report, Target,
    Unpacked,
};
use json::{Document, Value};
use record::{Error, Result, Source, Visitor};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::approximation::Approximation;
use super::{RMesh, check, describe, scene};

pub(super) use any::{AnyRoom, AnySurface, Solidity, normals_of};
pub(super) use any_entity::AnyEntity;
pub(super) use loss::{Losses, warn_unread};
pub(super) use normal::NormalOrder;
pub(super) use rm::NEWEST;

pub use rm::{Door, Item, RM_HEADER, Rm, RmEntity, Subroom};
pub use roommesh2::{Entity2, Prop, ROOMMESH2_HEADER, RoomMesh2, SaveScreen, Spotlight2, Surface2, Vertex2};
pub use trigger::TriggerCounts;

/// Opens a room of any dialect.
pub(super) fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    let bytes = source.read_all()?;
    Ok(if bytes.starts_with(RM_HEADER) {
        Box::new(OtherDialect(Rm::read(&bytes, report)?))
    } else if bytes.starts_with(ROOMMESH2_HEADER) {
        Box::new(OtherDialect(RoomMesh2::read(&bytes, report)?))
    } else {
        Box::new(RMesh::read(&bytes, report)?)
    })
}

/// Converts a room of any dialect to a scene.
pub(super) fn scene_of(
    source: &Source,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    let bytes = source.read_all()?;
    Ok(if bytes.starts_with(RM_HEADER) {
        dialect_scene(&Rm::read(&bytes, report)?, context, target, report)
    } else if bytes.starts_with(ROOMMESH2_HEADER) {
        dialect_scene(&RoomMesh2::read(&bytes, report)?, context, target, report)
    } else {
        scene::to_scene(&RMesh::read(&bytes, report)?, context, target, report)
    })
}

/// Converts a room of another dialect to a scene.
fn dialect_scene<D: Dialect>(
    room: &D,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Scene {
    let approximation = room.approximation();
    let mut found = Report::new();
    let solid = approximation.solid_surfaces();
    let mut dialect_scene = scene::to_scene_with(&approximation.room, solid, context, target, &mut found);
    let extras = |index| room.entity_extras(index);
    overlay::apply(&mut dialect_scene, &room.name(), &approximation, &extras, target, &mut found);
    report.append(approximation.renamed(found));
    dialect_scene
}

/// Saves a room of any dialect as a plain room that the game loads.
pub(super) fn save_as_plain_room(room: &dyn Asset, report: &mut Report) -> Result<Vec<u8>> {
    if let Some(room) = room.typed::<RMesh>() {
        return plain::of_room(room, report).write();
    }
    let approximation = match (room.typed::<OtherDialect<Rm>>(), room.typed::<OtherDialect<RoomMesh2>>()) {
        (Some(room), _) => room.0.approximation(),
        (_, Some(room)) => room.0.approximation(),
        _ => return Err(not_a_room()),
    };
    plain::of_approximation(approximation, report).write()
}

/// Saves a room of any dialect in the dialect "RM".
pub(super) fn save_as_rm(room: &dyn Asset, report: &mut Report) -> Result<Vec<u8>> {
    match room.typed::<OtherDialect<Rm>>() {
        Some(room) => room.0.write(),
        None => any_room(room, report)?.into_rm(NEWEST, report).write(),
    }
}

/// Saves a room of any dialect in the dialect `RoomMesh2`.
pub(super) fn save_as_roommesh2(room: &dyn Asset, report: &mut Report) -> Result<Vec<u8>> {
    match room.typed::<OtherDialect<RoomMesh2>>() {
        Some(room) => room.0.write(),
        None => any_room(room, report)?.into_roommesh2(NormalOrder::Xzy, report).write(),
    }
}

fn any_room(room: &dyn Asset, report: &mut Report) -> Result<AnyRoom> {
    if let Some(room) = room.typed::<RMesh>() {
        return Ok(AnyRoom::of_plain(room, report));
    }
    match (room.typed::<OtherDialect<Rm>>(), room.typed::<OtherDialect<RoomMesh2>>()) {
        (Some(room), _) => Ok(AnyRoom::of_rm(&room.0, report)),
        (_, Some(room)) => Ok(AnyRoom::of_roommesh2(&room.0, report)),
        _ => Err(not_a_room()),
    }
}

/// Visits all bytes of a room of any dialect.
pub(super) fn spans(room: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let bytes = source.read_all()?;
    if let Some(room) = room.typed::<RMesh>() {
        return room.trace(&bytes, visitor);
    }
    match (room.typed::<OtherDialect<Rm>>(), room.typed::<OtherDialect<RoomMesh2>>()) {
        (Some(room), _) => room.0.trace(&bytes, visitor),
        (_, Some(room)) => room.0.trace(&bytes, visitor),
        _ => Err(not_a_room()),
    }
}

fn not_a_room() -> Error {
    Error::usage("not a room")
}

/// Packs an unpacked room of one of these dialects; `None` for a plain room.
pub(super) fn pack(folder: &Unpacked) -> Result<Option<Vec<u8>>> {
    let context: Value = folder.context()?;
    if context.get("dialect").is_none() {
        return Ok(None);
    }
    match folder.context()? {
        PackContext::Rm { .. } => pack_as::<Rm>(folder).map(Some),
        PackContext::RoomMesh2 => pack_as::<RoomMesh2>(folder).map(Some),
    }
}

fn pack_as<D: Dialect>(folder: &Unpacked) -> Result<Vec<u8>> {
    let room: D = folder.typed()?;
    room.bytes()
}

/// The context of an unpacked folder: the dialect and its version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "dialect")]
enum PackContext {
    #[serde(rename = "RM")]
    Rm { version: u8 },
    #[serde(rename = "RoomMesh2")]
    RoomMesh2,
}

/// A room of another dialect.
trait Dialect: Serialize + DeserializeOwned + Send + Sync {
    /// The dialect and its version, for display.
    fn name(&self) -> String;

    /// The dialect and its version, for an unpacked folder.
    fn pack_context(&self) -> PackContext;

    /// Serializes the room.
    fn bytes(&self) -> Result<Vec<u8>>;

    /// Reports every byte to the visitor. `bytes` must be the bytes the room was read from.
    fn trace(&self, bytes: &[u8], visitor: &mut dyn Visitor) -> Result<()>;

    /// The closest plain room, and what it lacks.
    fn approximation(&self) -> Approximation;

    /// Class and fields of an entity, with the dialect's own names, for its node.
    fn entity_extras(&self, index: usize) -> Extras;
}

/// An opened room of another dialect.
#[derive(Debug)]
pub struct OtherDialect<D>(pub D);

impl<D: Dialect + 'static> Asset for OtherDialect<D> {
    fn describe(&self, detail: Detail) -> Description {
        let approximation = self.0.approximation();
        let mut description = describe::describe(&approximation.room, Detail::Brief);
        description.dialect = self.0.name();
        description.counts = counts(&approximation);
        description.fields = match detail {
            Detail::Brief => describe::brief(&approximation.room, &self.0.name()),
            Detail::Full => Document::of(&self.0).unwrap_or_default(),
        };
        description
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        describe::add_table_entry(context, description);
    }

    fn items(&self) -> Items {
        describe::items(&self.0.approximation().room)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let approximation = self.0.approximation();
        let mut found = Report::new();
        check::check(&approximation.room, context, &mut found);
        report.append(approximation.renamed(found));
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let scene_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            Ok(dialect_scene(&self.0, &scene_context, &target, making.report))
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(&self.0, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.context(&self.0.pack_context())?;
        parts.typed(&self.0)
    }
}

/// Counts for scans: surfaces of both kinds, and entities by the classes of the dialect.
fn counts(approximation: &Approximation) -> Counts {
    let room = &approximation.room;
    let vertices: usize = room.surfaces.iter().map(|surface| surface.vertices.len()).sum();
    let mut counts = Counts::new()
        .with("surfaces", approximation.solid_surfaces())
        .with("vertices", vertices)
        .with("triangles", room.triangle_count())
        .with("collision surfaces", room.collision().len())
        .with("trigger boxes", room.triggers().len())
        .with("entities", room.entities().len());
    if approximation.render_only > 0 {
        counts = counts.with("render-only surfaces", approximation.render_only);
    }
    for class in approximation.classes() {
        counts.add(class.into_owned(), 1);
    }
    counts
}
