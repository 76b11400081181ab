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

use asset::{Asset, Context, Counts, Description, Detail, OutputKind, Parts, Report, Sink, Target, Unpacked};
use record::{Result, Source, Visitor, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::likeness::Likeness;
use super::{RMesh, check, describe, scene};

pub(super) use plain::of_room as plain_room;
pub use rm::{RM_HEADER, Rm, RmEntity};
pub use roommesh2::{Entity2, ROOMMESH2_HEADER, RoomMesh2, Surface2, Vertex2};

/// Opens a room of any dialect.
pub(super) fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    let bytes = source.read_all()?;
    Ok(if bytes.starts_with(RM_HEADER) {
        Box::new(Opened(Rm::read(&bytes, report)?))
    } else if bytes.starts_with(ROOMMESH2_HEADER) {
        Box::new(Opened(RoomMesh2::read(&bytes, report)?))
    } else {
        Box::new(RMesh::read(&bytes, report)?)
    })
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
    let room: D = json::from_slice(&folder.record()?).map_err(|error| error.in_file("record.json"))?;
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
struct Opened<D>(D);

impl<D: Dialect> Asset for Opened<D> {
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

    fn export(
        &self,
        context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        match (target.output.kind, target.output.extension) {
            (OutputKind::Data, "rmesh") => {
                sink.put(&target.main_name(), &plain::of_likeness(self.0.likeness(), report).write()?)
            }
            (OutputKind::Data, _) => sink.put(&target.main_name(), &json::to_vec(&self.0)?),
            _ => {
                let likeness = self.0.likeness();
                let mut told = Report::new();
                let mut shown = scene::to_scene(&likeness.room, context, target, &mut told);
                overlay::lay_over(&mut shown, &self.0.name(), &likeness, target, &mut told);
                report.append(likeness.renamed(told));
                target.put_scene(&shown, sink)
            }
        }
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.context(&self.0.kept())?;
        parts.record(json::to_vec(&self.0)?)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        self.0.trace(&source.read_all()?, visitor)
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
