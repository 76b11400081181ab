//! Read access to the values of a document.

use serde::ser::Serialize;

use crate::Value;
use crate::float::double_of;
use crate::ser::Serializer;
use crate::value::steps;

use super::{
    BYTES, DOUBLE, Document, FALSE, LIST, LONG_LIST, LONG_OBJECT, LONG_VARIANT, NEGATIVE, OBJECT, SINGLE,
    SMALL, TEXT, TRUE, UNSIGNED, VARIANT,
};

/// A value in a document.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    document: &'a Document,
    at: usize,
}

/// The content of a value.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A non-negative integer.
    Unsigned(u64),
    /// A negative integer.
    Negative(i64),
    /// A single-precision float.
    Single(f32),
    /// A double-precision float.
    Double(f64),
    /// A string.
    Text(&'a str),
    /// Bytes, which are a string of hexadecimal digits in JSON.
    Bytes(&'a [u8]),
    /// A list.
    List(List<'a>),
    /// An object.
    Object(Object<'a>),
}

/// The items of a list.
#[derive(Debug, Clone, Copy)]
pub struct List<'a>(Body<'a>);

/// The members of an object.
#[derive(Debug, Clone, Copy)]
pub struct Object<'a>(Body<'a>);

/// The contents of a list or object.
#[derive(Debug, Clone, Copy)]
struct Body<'a> {
    document: &'a Document,
    count: usize,
    start: usize,
    end: usize,
}

impl<'a> Node<'a> {
    pub(super) const fn new(document: &'a Document, at: usize) -> Self {
        Self { document, at }
    }

    /// Position in the document. It identifies the value within the document.
    #[must_use]
    pub const fn position(self) -> usize {
        self.at
    }

    /// The content of the value.
    #[must_use]
    pub fn content(self) -> Content<'a> {
        let mut cursor = Cursor { bytes: &self.document.bytes, at: self.at };
        let tag = cursor.byte();
        match tag {
            FALSE => Content::Bool(false),
            TRUE => Content::Bool(true),
            UNSIGNED => Content::Unsigned(cursor.number()),
            NEGATIVE => Content::Negative(!i64::try_from(cursor.number()).unwrap_or(i64::MAX)),
            SINGLE => Content::Single(f32::from_le_bytes(cursor.array())),
            DOUBLE => Content::Double(f64::from_le_bytes(cursor.array())),
            TEXT => Content::Text(std::str::from_utf8(cursor.run()).unwrap_or_default()),
            BYTES => Content::Bytes(cursor.run()),
            LIST | LONG_LIST => Content::List(List(Body::new(self.document, tag, cursor))),
            OBJECT | LONG_OBJECT | VARIANT | LONG_VARIANT => {
                Content::Object(Object(Body::new(self.document, tag, cursor)))
            }
            small if small >= SMALL => Content::Unsigned(u64::from(small.saturating_sub(SMALL))),
            _ => Content::Null,
        }
    }

    /// The name and content of an enum variant, such as `{"light": VALUE}`, if the document was created from a typed value. Paths of fields
    /// do not contain the name.
    #[must_use]
    pub fn variant(self) -> Option<(&'a str, Self)> {
        let tag = self.document.bytes.get(self.at).copied()?;
        match self.content() {
            Content::Object(members) if matches!(tag, VARIANT | LONG_VARIANT) => members.iter().next(),
            _ => None,
        }
    }

    /// The value without the names of variants around it.
    #[must_use]
    pub fn inner(self) -> Self {
        let mut node = self;
        while let Some((_, content)) = node.variant() {
            node = content;
        }
        node
    }

    /// The encoded bytes. In documents with the same names, equal bytes mean equal values.
    pub(super) fn encoded(self) -> &'a [u8] {
        self.document.bytes.get(self.at..self.end()).unwrap_or_default()
    }

    /// Position after the value.
    pub(super) fn end(self) -> usize {
        let mut cursor = Cursor { bytes: &self.document.bytes, at: self.at };
        let tag = cursor.byte();
        match tag {
            UNSIGNED | NEGATIVE => drop(cursor.number()),
            SINGLE => cursor.at = cursor.at.saturating_add(4),
            DOUBLE => cursor.at = cursor.at.saturating_add(8),
            TEXT | BYTES => drop(cursor.run()),
            LIST | OBJECT | LONG_LIST | LONG_OBJECT | VARIANT | LONG_VARIANT => {
                return Body::new(self.document, tag, cursor).end;
            }
            _ => {}
        }
        cursor.at
    }

    /// Returns the member with this name. `None` if there is none, or if the value is not an object.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        match self.content() {
            Content::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// Returns the item with this index. `None` if there is none, or if the value is not a list.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        match self.content() {
            Content::List(items) => items.iter().nth(index),
            _ => None,
        }
    }

    /// Returns the value at a [JSON pointer](https://www.rfc-editor.org/rfc/rfc6901).
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        steps(pointer)?.try_fold(self, |node, step| match node.content() {
            Content::Object(members) => members.get(&step),
            Content::List(_) => node.item(step.parse().ok()?),
            _ => None,
        })
    }

    /// Whether the value can contain bytes, according to its tag.
    pub(super) fn may_hold_bytes(self) -> bool {
        let tag = self.document.bytes.get(self.at).copied().unwrap_or_default();
        matches!(tag, BYTES | LIST | OBJECT | LONG_LIST | LONG_OBJECT | VARIANT | LONG_VARIANT)
    }

    /// The float as an `f64` with the same shortest decimal. `None` if the value is not a float.
    #[must_use]
    pub fn to_double(self) -> Option<f64> {
        match self.content() {
            Content::Single(number) => Some(double_of(number)),
            Content::Double(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the value is a list or object.
    #[must_use]
    pub fn is_compound(self) -> bool {
        matches!(self.content(), Content::List(_) | Content::Object(_))
    }

    /// Converts to a typed value.
    ///
    /// # Errors
    /// Same as [`Document::read`](super::Document::read).
    pub fn read<T: serde::de::DeserializeOwned>(self) -> record::Result<T> {
        T::deserialize(self).map_err(Into::into)
    }

    /// Converts to a [`Value`].
    #[must_use]
    pub fn to_value(self) -> Value {
        let mut value = Value::Null;
        // A value can represent everything in a document.
        let _ = self.serialize(Serializer(&mut value));
        value
    }
}

/// Compares values bit by bit and ignores the order of members. An `f32` is equal to the `f64` with the same shortest decimal.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.document.names == other.document.names && self.encoded() == other.encoded() {
            return true;
        }
        self.is_same(*other)
    }
}

impl Node<'_> {
    fn is_same(self, other: Node<'_>) -> bool {
        match (self.content(), other.content()) {
            (Content::Null, Content::Null) => true,
            (Content::Bool(first), Content::Bool(second)) => first == second,
            (Content::Unsigned(first), Content::Unsigned(second)) => first == second,
            (Content::Negative(first), Content::Negative(second)) => first == second,
            (Content::Single(first), Content::Single(second)) => first.to_bits() == second.to_bits(),
            (Content::Double(first), Content::Double(second)) => first.to_bits() == second.to_bits(),
            (Content::Single(single), Content::Double(double))
            | (Content::Double(double), Content::Single(single)) => {
                double_of(single).to_bits() == double.to_bits()
            }
            (Content::Text(first), Content::Text(second)) => first == second,
            (Content::Bytes(first), Content::Bytes(second)) => first == second,
            (Content::List(first), Content::List(second)) => {
                first.len() == second.len()
                    && first.iter().zip(second.iter()).all(|(first, second)| first.is_same(second))
            }
            (Content::Object(first), Content::Object(second)) => {
                let mut others = second.iter();
                first.len() == second.len()
                    && first.iter().all(|(name, value)| {
                        // The order is usually the same.
                        let other = others.next().filter(|(other, _)| *other == name).map(|(_, other)| other);
                        other.or_else(|| second.get(name)).is_some_and(|other| value.is_same(other))
                    })
            }
            _ => false,
        }
    }
}

impl<'a> Body<'a> {
    /// Reads the head after the tag.
    fn new(document: &'a Document, tag: u8, mut cursor: Cursor<'a>) -> Self {
        let (count, length) = if matches!(tag, LIST | OBJECT | VARIANT) {
            (u64::from(cursor.byte()), u64::from(cursor.byte()))
        } else {
            (u64::from_le_bytes(cursor.array()), u64::from_le_bytes(cursor.array()))
        };
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let end = cursor.at.saturating_add(number(length)).min(document.bytes.len());
        Self { document, count: number(count), start: cursor.at, end }
    }
}

impl<'a> List<'a> {
    /// Number of entries.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count
    }

    /// Whether there are no entries.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.count == 0
    }

    /// Size of the encoded entries in bytes.
    pub(super) const fn size(self) -> usize {
        self.0.end.saturating_sub(self.0.start)
    }

    /// Iterates over the items.
    pub fn iter(self) -> impl Iterator<Item = Node<'a>> + Clone {
        let Body { document, start, end, .. } = self.0;
        let node = move |at: usize| (at < end).then_some(Node { document, at });
        std::iter::successors(node(start), move |last| node(last.end()))
    }
}

impl<'a> Object<'a> {
    /// Number of entries.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count
    }

    /// Whether there are no entries.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.count == 0
    }

    /// Size of the encoded entries in bytes.
    pub(super) const fn size(self) -> usize {
        self.0.end.saturating_sub(self.0.start)
    }

    /// Iterates over the names and values.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, Node<'a>)> + Clone {
        let Body { document, start, end, .. } = self.0;
        let member = move |at: usize| {
            let mut cursor = Cursor { bytes: &document.bytes, at };
            (at < end).then(|| (cursor.name(document), Node { document, at: cursor.at }))
        };
        std::iter::successors(member(start), move |(_, last)| member(last.end()))
    }

    /// Returns the value with this name. If there are several, returns the last one.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        self.iter().filter(|(other, _)| *other == name).last().map(|(_, value)| value)
    }
}

/// Reads the parts of an encoded value. Documents are always written by a builder, so nothing is ever missing.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at = self.at.saturating_add(1);
        byte
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()).copied();
        self.at = self.at.saturating_add(N);
        found.unwrap_or([0; N])
    }

    fn number(&mut self) -> u64 {
        let (mut value, mut shift) = (0_u64, 0_u32);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
            shift = shift.saturating_add(7);
            if byte & 0x80 == 0 {
                return value;
            }
        }
    }

    pub(super) fn run(&mut self) -> &'a [u8] {
        let length = usize::try_from(self.number()).unwrap_or(usize::MAX);
        let end = self.at.saturating_add(length);
        let run = self.bytes.get(self.at..end).unwrap_or_default();
        self.at = end;
        run
    }

    fn name(&mut self, document: &'a Document) -> &'a str {
        match usize::try_from(self.number()).unwrap_or(usize::MAX).checked_sub(1) {
            Some(number) => document.names.get(number).unwrap_or_default(),
            None => std::str::from_utf8(self.run()).unwrap_or_default(),
        }
    }
}
