//! Reads entities, some of unknown classes, from files that may be truncated.

use std::borrow::Cow;

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Writer};

use super::layout::{Entity, MAX_COUNT};
use super::{TRAILER, warning};
use crate::string::BlitzString;

/// Entities of one room dialect, distinguished by their class names.
pub(super) trait Classes: Record {
    /// The names of the known classes.
    const KNOWN: &'static [&'static str];
    /// Whether the fields of the known classes are verified by real files.
    const FIELDS: FieldCertainty;

    /// An entity of an unknown class.
    fn custom(class: BlitzString, fields: Bytes) -> Self;

    /// Class and fields, if the class is unknown.
    fn as_custom(&self) -> Option<(&BlitzString, &Bytes)>;

    /// The name of the class in the file.
    fn class(&self) -> Cow<'_, str>;
}

/// The certainty about the fields of known classes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldCertainty {
    /// Verified by real files.
    Verified,
    /// Only documented: if no entity follows them, the class is treated as unknown.
    Unverified,
}

impl Classes for Entity {
    const KNOWN: &'static [&'static str] = &Self::CLASSES;
    const FIELDS: FieldCertainty = FieldCertainty::Verified;

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
        self.class()
    }
}

/// The action at an unknown class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnUnknown {
    /// Assume that its fields extend to the next known class.
    Skip,
    /// Stop reading.
    Stop,
}

/// Reads the count and the valid entities. Returns them and the number of further entities the file declares; the reader is left
/// after the last valid one.
///
/// # Errors
/// If the count is missing.
pub(super) fn read<E: Classes>(
    reader: &mut Reader<'_>,
    context: E::Context,
    report: &mut Report,
) -> Result<(Vec<E>, i32)> {
    reader.field("entities", |reader| {
        let start = reader.offset();
        let declared: i32 = reader.read_count()?;
        let count = usize::try_from(declared).unwrap_or_default();
        reader.check_limit(count, MAX_COUNT, start)?;
        let found = reader
            .attempt(|reader| read_all(reader, count, OnUnknown::Skip, context))
            .or_else(|_| read_all(reader, count, OnUnknown::Stop, context))?;
        let unread = declared.saturating_sub(i32::try_from(found.entities.len()).unwrap_or(i32::MAX));
        warn_custom(report, &found.entities);
        warning::entities_missing(report, declared, found.entities.len(), found.end.as_ref());
        Ok((found.entities, unread))
    })
}

/// Reports entities of unknown classes.
fn warn_custom<E: Classes>(report: &mut Report, entities: &[E]) {
    for (index, entity) in entities.iter().enumerate() {
        if let Some((class, fields)) = entity.as_custom() {
            let what = if E::KNOWN.contains(&&*class.text()) {
                "entity with unexpected fields, class"
            } else {
                "unknown entity class"
            };
            let message = format!("{what} {class:?}; its fields are kept as {} raw bytes", fields.len());
            report.warn(&warning::CUSTOM_CLASS, message).in_field(format!("entities[{index}]"));
        }
    }
}

struct ReadEntities<E> {
    entities: Vec<E>,
    /// The reason reading stopped before the declared count.
    end: Option<Error>,
}

/// Reads up to `count` entities.
///
/// # Errors
/// With [`OnUnknown::Skip`], if a class of another editor was skipped and the room has an unexpected end: then the guessed
/// end of the fields was wrong.
fn read_all<E: Classes>(
    reader: &mut Reader<'_>,
    count: usize,
    on_unknown: OnUnknown,
    context: E::Context,
) -> Result<ReadEntities<E>> {
    let mut found: ReadEntities<E> = ReadEntities { entities: Vec::new(), end: None };
    let mut skipped = false;
    for index in 0..count {
        if skipped && is_end(reader.rest()) {
            break;
        }
        let position =
            if index.saturating_add(1) == count { EntityPosition::Last } else { EntityPosition::Earlier };
        match reader
            .attempt(|reader| reader.item(index, |reader| read_one(reader, on_unknown, position, context)))
        {
            Ok(entity) => {
                skipped |= E::as_custom(&entity).is_some();
                found.entities.push(entity);
            }
            Err(error) => {
                found.end = Some(error);
                break;
            }
        }
    }
    if skipped && !is_end(reader.rest()) {
        return Err(Error::malformed("cannot determine where the fields of an unknown class end"));
    }
    Ok(found)
}

/// The position of an entity among the declared ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntityPosition {
    Earlier,
    Last,
}

fn is_end(rest: &[u8]) -> bool {
    rest.is_empty() || rest == TRAILER
}

fn read_one<E: Classes>(
    reader: &mut Reader<'_>,
    on_unknown: OnUnknown,
    position: EntityPosition,
    context: E::Context,
) -> Result<E> {
    let start = reader.offset();
    let class = reader.peek(|reader| reader.field("class", |reader| BlitzString::read(reader, ())))?;
    if is_known::<E>(class.bytes()) {
        return match (read_known(reader, position, context), on_unknown) {
            (Err(error), OnUnknown::Skip) if E::FIELDS == FieldCertainty::Unverified => {
                reader.attempt(|reader| skip_to_known(reader)).map_err(|_| error)
            }
            (read, _) => read,
        };
    }
    if !is_name(class.bytes()) {
        return Err(Error::malformed(format!("{class:.40?} is not a valid entity class")).at(start));
    }
    if on_unknown == OnUnknown::Stop {
        let message = format!("unknown class {class:?}; the length of its fields is unknown");
        return Err(Error::unsupported(message).at(start));
    }
    let class = BlitzString::read(reader, ())?;
    let length = next_class::<E>(reader.rest()).unwrap_or_else(|| body(reader.rest()).len());
    Ok(E::custom(class, Bytes::from(reader.take(length)?)))
}

/// Reads an entity of a known class. Unverified fields must be followed by another entity or the end.
fn read_known<E: Classes>(
    reader: &mut Reader<'_>,
    position: EntityPosition,
    context: E::Context,
) -> Result<E> {
    let start = reader.offset();
    reader.attempt(|reader| {
        let entity = E::read(reader, context)?;
        let is_certain = E::FIELDS == FieldCertainty::Verified || position == EntityPosition::Last;
        if is_certain || is_end(reader.rest()) || starts_class(reader.rest()) {
            return Ok(entity);
        }
        let message = format!("no entity follows the fields of \"{}\"", entity.class());
        Err(Error::malformed(message).at(start))
    })
}

/// Reads an entity with unexpected fields as bytes, up to the next known class.
fn skip_to_known<E: Classes>(reader: &mut Reader<'_>) -> Result<E> {
    let class = BlitzString::read(reader, ())?;
    match next_class::<E>(reader.rest()) {
        Some(length) => Ok(E::custom(class, Bytes::from(reader.take(length)?))),
        None => Err(Error::malformed("no known class follows")),
    }
}

/// Whether the bytes look like a class name.
fn is_name(class: &[u8]) -> bool {
    (1..=64).contains(&class.len()) && class.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn is_known<E: Classes>(class: &[u8]) -> bool {
    E::KNOWN.iter().any(|known| known.as_bytes() == class)
}

/// The length-prefixed text at the start of the bytes.
fn leading_text(bytes: &[u8]) -> Option<&[u8]> {
    let (length, text) = bytes.split_first_chunk()?;
    text.get(..usize::try_from(i32::from_le_bytes(*length)).ok()?)
}

/// Whether the bytes start with something that looks like an entity.
fn starts_class(rest: &[u8]) -> bool {
    leading_text(rest).is_some_and(is_name)
}

/// The remaining bytes of the room, without the trailer.
fn body(rest: &[u8]) -> &[u8] {
    rest.strip_suffix(TRAILER).unwrap_or(rest)
}

/// The offset of the next known class.
fn next_class<E: Classes>(rest: &[u8]) -> Option<usize> {
    let body = body(rest);
    let starts = |at: &usize| body.get(*at..).and_then(leading_text).is_some_and(is_known::<E>);
    (0..body.len()).find(starts)
}

/// Writes the count and the entities.
pub(super) fn write<E: Classes>(
    writer: &mut Writer,
    entities: &[E],
    unread: i32,
    context: E::Context,
) -> Result<()> {
    let count: i32 = writer.count(entities.len())?;
    let declared = count.checked_add(unread).ok_or_else(|| Error::usage("too many entities"))?;
    declared.write(writer, ())?;
    E::write_list(entities, writer, context)
}

/// Visits the fields of entities that were read before, with a tracing reader.
pub(super) fn trace<E: Classes>(reader: &mut Reader<'_>, entities: &[E], context: E::Context) -> Result<()> {
    reader.read_count::<i32>()?;
    for (index, entity) in entities.iter().enumerate() {
        reader.item(index, |reader| match entity.as_custom() {
            Some((_, fields)) => {
                reader.field("class", |reader| BlitzString::read(reader, ()))?;
                reader.field("fields", |reader| {
                    reader.list::<u64, u8>(fields.len().try_into().unwrap_or(0), ())
                })?;
                Ok(())
            }
            None => E::read(reader, context).map(drop),
        })?;
    }
    Ok(())
}
