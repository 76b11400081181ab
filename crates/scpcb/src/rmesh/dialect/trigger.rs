//! Trigger boxes of "RM" rooms. One exporter writes counts of vertices and triangles that are eight times too large.

use record::{Error, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use crate::rmesh::layout::MAX_COUNT;
use crate::rmesh::layout::{InvisibleSurface, TriggerBox};
use crate::string::BlitzString;

/// The counting of vertices and triangles in trigger boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerCounts {
    /// Correct counts.
    #[default]
    Exact,
    /// Counts that are eight times too large. The mod that reads such rooms tolerates them.
    EightTimes,
}

impl TriggerCounts {
    /// Whether the counts are correct.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        *self == Self::Exact
    }

    const fn factor(self) -> i32 {
        match self {
            Self::Exact => 1,
            Self::EightTimes => 8,
        }
    }
}

/// Reads trigger boxes with either kind of counts.
///
/// # Errors
/// If neither kind fits, the error for exact counts; the reader does not advance.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<(Vec<TriggerBox>, TriggerCounts)> {
    let mut attempt =
        |counts| reader.attempt(|reader| reader.field("triggers", |reader| read_counted(reader, counts)));
    match attempt(TriggerCounts::Exact) {
        Ok(triggers) => Ok((triggers, TriggerCounts::Exact)),
        Err(error) => match attempt(TriggerCounts::EightTimes) {
            Ok(triggers) if triggers.iter().all(is_plausible) => Ok((triggers, TriggerCounts::EightTimes)),
            _ => Err(error),
        },
    }
}

/// Whether all triangles refer to vertices that exist.
fn is_plausible(trigger: &TriggerBox) -> bool {
    trigger.surfaces.iter().all(|surface| {
        let exists = |vertex: &u32| usize::try_from(*vertex).is_ok_and(|at| at < surface.vertices.len());
        surface.triangles.iter().flatten().all(exists)
    })
}

/// Reads trigger boxes with one kind of counts.
pub(super) fn read_counted(reader: &mut Reader<'_>, counts: TriggerCounts) -> Result<Vec<TriggerBox>> {
    if counts == TriggerCounts::Exact {
        return limited(reader, |reader| TriggerBox::read(reader, ()));
    }
    limited(reader, |reader| {
        let surfaces = reader.field("surfaces", |reader| {
            limited(reader, |reader| {
                Ok(InvisibleSurface {
                    vertices: reader.field("vertices", |reader| list(reader, counts))?,
                    triangles: reader.field("triangles", |reader| list(reader, counts))?,
                })
            })
        })?;
        let name = reader.field("name", |reader| BlitzString::read(reader, ()))?;
        Ok(TriggerBox { surfaces, name })
    })
}

/// Reads a list with a leading count of at most [`MAX_COUNT`] items, each with its own leading count.
fn limited<T>(reader: &mut Reader<'_>, read: impl FnMut(&mut Reader<'_>) -> Result<T>) -> Result<Vec<T>> {
    let start = reader.offset();
    let count: i32 = reader.read_count()?;
    let count = reader.check_count(count, size_of::<i32>(), start)?;
    reader.check_limit(count, MAX_COUNT, start)?;
    reader.items(count, read)
}

/// Reads a list whose stored count is a multiple of the actual one.
fn list<T: Record<Context = ()>>(reader: &mut Reader<'_>, counts: TriggerCounts) -> Result<Vec<T>> {
    let start = reader.offset();
    let stored: i32 = reader.read_count()?;
    match (stored.checked_rem(counts.factor()), stored.checked_div(counts.factor())) {
        (Some(0), Some(count)) => reader.list(count, ()),
        _ => Err(Error::malformed(format!(
            "count is {stored}, which is not a multiple of {}",
            counts.factor()
        ))
        .at(start)),
    }
}

/// Writes trigger boxes.
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) if a list is too long for its count.
pub(super) fn write(writer: &mut Writer, triggers: &[TriggerBox], counts: TriggerCounts) -> Result<()> {
    if counts == TriggerCounts::Exact {
        return writer.counted::<i32, _>(triggers, ());
    }
    writer.count::<i32>(triggers.len())?.write(writer, ())?;
    for trigger in triggers {
        writer.count::<i32>(trigger.surfaces.len())?.write(writer, ())?;
        for surface in &trigger.surfaces {
            count(writer, surface.vertices.len(), counts)?;
            Record::write_list(&surface.vertices, writer, ())?;
            count(writer, surface.triangles.len(), counts)?;
            Record::write_list(&surface.triangles, writer, ())?;
        }
        trigger.name.write(writer, ())?;
    }
    Ok(())
}

fn count(writer: &mut Writer, length: usize, counts: TriggerCounts) -> Result<()> {
    let stored = writer.count::<i32>(length)?.checked_mul(counts.factor());
    let too_many = || Error::usage(format!("{length} items are too many to be counted eight times"));
    stored.ok_or_else(too_many)?.write(writer, ())
}
