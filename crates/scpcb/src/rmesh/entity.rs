//! Reading entities where not every class is known, and where the file may end too early.

use std::borrow::Cow;

use asset::Report;
use record::{Bytes, Error, Reader, Record, Result, Writer};

use super::layout::{Entity, MOST};
use super::{TRAILER, warning};
use crate::string::BlitzString;

/// Entities of one dialect of rooms, told apart by the names of their classes.
pub(super) trait Classes: Record {
    /// The names of the classes that are known.
    const KNOWN: &'static [&'static str];
    /// Whether many real files have shown what the fields of the known classes are.
    const FIELDS: Fields;

    /// An entity of a class that is not known.
    fn custom(class: BlitzString, fields: Bytes) -> Self;

    /// Class and fields, when the class is not known.
    fn as_custom(&self) -> Option<(&BlitzString, &Bytes)>;

    /// The class's name in the file.
    fn class(&self) -> Cow<'_, str>;
}

/// How far the fields of known classes are to be trusted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// They are as real files have them.
    Proven,
    /// They are hearsay: where the next entity does not start behind them, the class is taken as one that is not known.
    Told,
}

impl Classes for Entity {
    const KNOWN: &'static [&'static str] = &Self::CLASSES;
    const FIELDS: Fields = Fields::Proven;

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
pub(super) fn read<E: Classes>(
    reader: &mut Reader<'_>,
    context: E::Context,
    report: &mut Report,
) -> Result<(Vec<E>, i32)> {
    reader.field("entities", |reader| {
        let start = reader.offset();
        let promised: i32 = reader.read_count()?;
        let count = usize::try_from(promised).unwrap_or_default();
        reader.check_limit(count, MOST, start)?;
        let found = reader
            .attempt(|reader| read_all(reader, count, AtCustom::Skip, context))
            .or_else(|_| read_all(reader, count, AtCustom::Stop, context))?;
        let unread = promised.saturating_sub(i32::try_from(found.entities.len()).unwrap_or(i32::MAX));
        warning::custom_classes(report, &found.entities);
        warning::entities_missing(report, promised, found.entities.len(), found.end.as_ref());
        Ok((found.entities, unread))
    })
}

struct Found<E> {
    entities: Vec<E>,
    /// Why there are no more, when more were promised.
    end: Option<Error>,
}

/// Reads up to `count` entities.
///
/// # Errors
/// With [`AtCustom::Skip`], when a class of another editor was skipped and the room does not end as rooms do: then the guess of
/// where its fields end was wrong.
fn read_all<E: Classes>(
    reader: &mut Reader<'_>,
    count: usize,
    at_custom: AtCustom,
    context: E::Context,
) -> Result<Found<E>> {
    let mut found: Found<E> = Found { entities: Vec::new(), end: None };
    let mut skipped = false;
    for index in 0..count {
        if skipped && is_end(reader.rest()) {
            break;
        }
        let turn = if index.saturating_add(1) == count { Turn::Last } else { Turn::Earlier };
        match reader.attempt(|reader| reader.item(index, |reader| read_one(reader, at_custom, turn, context)))
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
        return Err(Error::malformed(
            "the fields of a class that is not known do not end where they seem to",
        ));
    }
    Ok(found)
}

/// Whether more entities are promised behind one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Earlier,
    Last,
}

fn is_end(rest: &[u8]) -> bool {
    rest.is_empty() || rest == TRAILER
}

fn read_one<E: Classes>(
    reader: &mut Reader<'_>,
    at_custom: AtCustom,
    turn: Turn,
    context: E::Context,
) -> Result<E> {
    let start = reader.offset();
    let class = reader.peek(|reader| reader.field("class", |reader| BlitzString::read(reader, ())))?;
    if is_known::<E>(class.bytes()) {
        return match (read_known(reader, turn, context), at_custom) {
            (Err(error), AtCustom::Skip) if E::FIELDS == Fields::Told => {
                reader.attempt(|reader| skip_to_known(reader)).map_err(|_| error)
            }
            (read, _) => read,
        };
    }
    if !is_name(class.bytes()) {
        return Err(Error::malformed(format!("{class:.40?} is no class of entities")).at(start));
    }
    if at_custom == AtCustom::Stop {
        let message = format!("the class {class:?} is not known, and neither is how long its fields are");
        return Err(Error::unsupported(message).at(start));
    }
    let class = BlitzString::read(reader, ())?;
    let length = next_class::<E>(reader.rest()).unwrap_or_else(|| body(reader.rest()).len());
    Ok(E::custom(class, Bytes::from(reader.take(length)?)))
}

/// Reads an entity of a class that is known. Fields that are only told of must end where something starts.
fn read_known<E: Classes>(reader: &mut Reader<'_>, turn: Turn, context: E::Context) -> Result<E> {
    let start = reader.offset();
    reader.attempt(|reader| {
        let entity = E::read(reader, context)?;
        let sure = E::FIELDS == Fields::Proven || turn == Turn::Last;
        if sure || is_end(reader.rest()) || starts_class(reader.rest()) {
            return Ok(entity);
        }
        let message = format!("no entity starts where the fields of \"{}\" end", entity.class());
        Err(Error::malformed(message).at(start))
    })
}

/// Takes an entity whose fields are not what they were told to be, up to the next class that is known.
fn skip_to_known<E: Classes>(reader: &mut Reader<'_>) -> Result<E> {
    let class = BlitzString::read(reader, ())?;
    match next_class::<E>(reader.rest()) {
        Some(length) => Ok(E::custom(class, Bytes::from(reader.take(length)?))),
        None => Err(Error::malformed("no class that is known follows")),
    }
}

/// Whether bytes look like the name of a class.
fn is_name(class: &[u8]) -> bool {
    (1..=64).contains(&class.len()) && class.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn is_known<E: Classes>(class: &[u8]) -> bool {
    E::KNOWN.iter().any(|known| known.as_bytes() == class)
}

/// The text at the start of bytes, when a length stands before it.
fn leading_text(bytes: &[u8]) -> Option<&[u8]> {
    let (length, text) = bytes.split_first_chunk()?;
    text.get(..usize::try_from(i32::from_le_bytes(*length)).ok()?)
}

/// Whether something that looks like an entity stands here.
fn starts_class(rest: &[u8]) -> bool {
    leading_text(rest).is_some_and(is_name)
}

/// What is left of the room without the trailer.
fn body(rest: &[u8]) -> &[u8] {
    rest.strip_suffix(TRAILER).unwrap_or(rest)
}

/// Where the next class known here starts.
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
    let promised = count.checked_add(unread).ok_or_else(|| Error::usage("there are too many entities"))?;
    promised.write(writer, ())?;
    E::write_list(entities, writer, context)
}

/// Tells a tracing reader's visitor of the entities that were found before.
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
