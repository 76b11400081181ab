//! Rooms that share the name and most of the layout with the game's, but not all: those of mods and their editors.
//!
//! Each dialect has a typed form of its own, written back byte for byte. To be shown, checked and turned into a room of the game it
//! is likened to a plain room (`likeness.rs`); what has no like there is laid over the scene, or told as lost.

mod likeness;
mod normal;
mod overlay;
mod plain;
mod rm;
mod roommesh2;
#[cfg(test)]
mod tests;

use asset::{Asset, Context, Counts, Description, Detail, Parts, Products, Report, Unpacked};
use record::{Error, Result, Source, Visitor, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::likeness::Likeness;
use super::{RMesh, check, describe, scene};

pub use rm::{RM_HEADER, Rm, RmEntity};
pub use roommesh2::{Entity2, ROOMMESH2_HEADER, RoomMesh2, Surface2, Vertex2};

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

/// Writes a room of any dialect as one that the game loads.
pub(super) fn save_as_plain_room(room: &dyn Asset, report: &mut Report) -> Result<Vec<u8>> {
    if let Some(room) = room.typed::<RMesh>() {
        return plain::of_room(room, report).write();
    }
    let likeness = match (room.typed::<OtherDialect<Rm>>(), room.typed::<OtherDialect<RoomMesh2>>()) {
        (Some(room), _) => room.0.likeness(),
        (_, Some(room)) => room.0.likeness(),
        _ => return Err(not_a_room()),
    };
    plain::of_likeness(likeness, report).write()
}

/// Explains the bytes of a room of any dialect.
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

/// Puts an unpacked room together again when it is of one of these dialects, else gives nothing.
pub(super) fn pack(folder: &Unpacked) -> Result<Option<Vec<u8>>> {
    let context: Value = folder.context()?;
    if context.get("dialect").is_none() {
        return Ok(None);
    }
    match folder.context()? {
        Kept::Rm { .. } => pack_as::<Rm>(folder).map(Some),
        Kept::RoomMesh2 => pack_as::<RoomMesh2>(folder).map(Some),
    }
}

fn pack_as<D: Dialect>(folder: &Unpacked) -> Result<Vec<u8>> {
    let room: D = folder.typed()?;
    room.bytes()
}

/// What an unpacked folder keeps beside the record: which dialect that is of, and of which version it was.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "dialect")]
enum Kept {
    #[serde(rename = "RM")]
    Rm { version: u8 },
    #[serde(rename = "RoomMesh2")]
    RoomMesh2,
}

/// A room of another dialect.
trait Dialect: Serialize + DeserializeOwned + Send + Sync {
    /// The dialect and its version, as people are told.
    fn name(&self) -> String;

    /// The same for an unpacked folder.
    fn kept(&self) -> Kept;

    /// The file.
    fn bytes(&self) -> Result<Vec<u8>>;

    /// Tells the visitor of every byte. `bytes` must be those the room was read from.
    fn trace(&self, bytes: &[u8], visitor: &mut dyn Visitor) -> Result<()>;

    /// The plain room it comes closest to, and what is its own.
    fn likeness(&self) -> Likeness;
}

/// A room of another dialect that was opened.
#[derive(Debug)]
pub struct OtherDialect<D>(pub D);

impl<D: Dialect + 'static> Asset for OtherDialect<D> {
    fn describe(&self, detail: Detail) -> Description {
        let likeness = self.0.likeness();
        let mut description = describe::describe(&likeness.room, Detail::Brief);
        description.dialect = self.0.name();
        description.counts = counts(&likeness);
        if let Value::Object(fields) = &mut description.fields {
            fields.insert("header".into(), self.0.name().into());
        }
        if detail == Detail::Full {
            let fields = json::to_vec(&self.0).ok().and_then(|json| serde_json::from_slice(&json).ok());
            description.fields = fields.unwrap_or_default();
        }
        description
    }

    fn look_around(&self, context: &Context<'_>, description: &mut Description) {
        describe::add_table_entry(context, description);
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        let likeness = self.0.likeness();
        let mut found = Report::new();
        check::check(&likeness.room, context, &mut found);
        report.append(likeness.renamed(found));
    }

    fn products(&self, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
        let target = out.target();
        out.scene(|making| {
            let likeness = self.0.likeness();
            let mut found = Report::new();
            let mut shown = scene::to_scene(&likeness.room, context, &target, &mut found);
            overlay::lay_over(&mut shown, &self.0.name(), &likeness, &target, &mut found);
            making.report.append(likeness.renamed(found));
            Ok(shown)
        })?;
        out.fields(&self.0)
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.context(&self.0.kept())?;
        parts.typed(&self.0)
    }
}

/// What a scan sums up: surfaces of both kinds, and entities by the dialect's own classes.
fn counts(likeness: &Likeness) -> Counts {
    let room = &likeness.room;
    let vertices: usize = room.surfaces.iter().map(|surface| surface.vertices.len()).sum();
    let mut counts = Counts::new()
        .with("surfaces", likeness.solid_surfaces())
        .with("vertices", vertices)
        .with("triangles", room.triangle_count())
        .with("collision surfaces", room.collision().len())
        .with("trigger boxes", room.triggers().len())
        .with("entities", room.entities().len());
    if likeness.render_only > 0 {
        counts = counts.with("render-only surfaces", likeness.render_only);
    }
    for class in likeness.classes() {
        counts.add(class.into_owned(), 1);
    }
    counts
}
