//! Reading entities where not every class is known, and where the file may end too early.

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Writer};

use super::layout::{Entity, MOST};
use super::{TRAILER, warning};
use crate::string::BlitzString;

/// What to do at a class that nobody knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtCustom {
    /// Take its fields to reach up to the next class that is known.
    Skip,
    /// Read no further.
    Stop,
}

/// Reads the count and the entities that are sound. Gives them and how many more the file promised; the reader stands behind
/// the last of them.
///
/// # Errors
/// When there is no count.
pub(super) fn read(reader: &mut Reader<'_>, report: &mut Report) -> Result<(Vec<Entity>, i32)> {
    reader.field("entities", |reader| {
        let start = reader.offset();
        let promised: i32 = reader.read_count()?;
        let count = usize::try_from(promised).unwrap_or_default();
        reader.check_limit(count, MOST, start)?;
        let found = reader
            .attempt(|reader| read_all(reader, count, AtCustom::Skip))
            .or_else(|_| read_all(reader, count, AtCustom::Stop))?;
        let unread = promised.saturating_sub(i32::try_from(found.entities.len()).unwrap_or(i32::MAX));
        warning::custom_classes(report, &found.entities);
        warning::entities_missing(report, promised, found.entities.len(), found.end.as_ref(), start);
        Ok((found.entities, unread))
    })
}

struct Found {
    entities: Vec<Entity>,
    /// Why there are no more, when more were promised.
    end: Option<Error>,
}

/// Reads up to `count` entities.
///
/// # Errors
/// With [`AtCustom::Skip`], when a class of another editor was skipped and the room does not end as rooms do: then the guess of
/// where its fields end was wrong.
fn read_all(reader: &mut Reader<'_>, count: usize, at_custom: AtCustom) -> Result<Found> {
    let mut found = Found { entities: Vec::new(), end: None };
    let mut skipped = false;
    for index in 0..count {
        if skipped && is_end(reader.rest()) {
            break;
        }
        match reader.attempt(|reader| reader.item(index, |reader| read_one(reader, at_custom))) {
            Ok(entity) => {
                skipped |= matches!(entity, Entity::Custom(..));
                found.entities.push(entity);
            }
            Err(error) => {
                found.end = Some(error);
                break;
            }
        }
    }
    if skipped && !is_end(reader.rest()) {
        return Err(Error::malformed(
            "the fields of a class that is not known do not end where they seem to",
        ));
    }
    Ok(found)
}

fn is_end(rest: &[u8]) -> bool {
    rest.is_empty() || rest == TRAILER
}

fn read_one(reader: &mut Reader<'_>, at_custom: AtCustom) -> Result<Entity> {
    let start = reader.offset();
    let class = reader.peek(|reader| reader.field("class", |reader| BlitzString::read(reader, ())))?;
    if Entity::CLASSES.iter().any(|known| known.as_bytes() == class.bytes()) {
        return Entity::read(reader, ());
    }
    if !is_name(class.bytes()) {
        return Err(Error::malformed(format!("{class:.40?} is no class of entities")).at(start));
    }
    if at_custom == AtCustom::Stop {
        let message = format!("the class {class:?} is not known, and neither is how long its fields are");
        return Err(Error::unsupported(message).at(start));
    }
    let class = BlitzString::read(reader, ())?;
    let fields = reader.take(next_class(reader.rest()))?;
    Ok(Entity::Custom(class, Bytes::from(fields)))
}

/// Whether bytes look like the name of a class.
fn is_name(class: &[u8]) -> bool {
    (1..=64).contains(&class.len()) && class.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Where the next class known here starts, or the end of the room.
fn next_class(rest: &[u8]) -> usize {
    let body = rest.strip_suffix(TRAILER).unwrap_or(rest);
    let starts = |at: usize| {
        body.get(at..).and_then(|bytes| bytes.split_first_chunk()).is_some_and(|(length, text)| {
            let length = usize::try_from(i32::from_le_bytes(*length)).unwrap_or_default();
            text.get(..length)
                .is_some_and(|name| Entity::CLASSES.iter().any(|known| known.as_bytes() == name))
        })
    };
    (0..body.len()).find(|at| starts(*at)).unwrap_or(body.len())
}

/// Writes the count and the entities.
pub(super) fn write(writer: &mut Writer, entities: &[Entity], unread: i32) -> Result<()> {
    let count: i32 = writer.count(entities.len())?;
    let promised = count.checked_add(unread).ok_or_else(|| Error::usage("there are too many entities"))?;
    promised.write(writer, ())?;
    Entity::write_list(entities, writer, ())
}

/// Tells a tracing reader's visitor of the entities that were found before.
pub(super) fn trace(reader: &mut Reader<'_>, entities: &[Entity]) -> Result<()> {
    reader.read_count::<i32>()?;
    for (index, entity) in entities.iter().enumerate() {
        reader.item(index, |reader| match entity {
            Entity::Custom(_, fields) => {
                reader.field("class", |reader| BlitzString::read(reader, ()))?;
                reader.field("fields", |reader| {
                    reader.list::<u64, u8>(fields.len().try_into().unwrap_or(0), ())
                })?;
                Ok(())
            }
            _ => Entity::read(reader, ()).map(drop),
        })?;
    }
    Ok(())
}
