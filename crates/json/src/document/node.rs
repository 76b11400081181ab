//! Values of a document, looked at one by one.

use serde::ser::Serialize;

use crate::Value;
use crate::ser::Serializer;
use crate::value::steps;

use super::{
    BYTES, DOUBLE, Document, FALSE, LIST, LONG_LIST, LONG_OBJECT, LONG_VARIANT, NEGATIVE, OBJECT, SINGLE,
    SMALL, TEXT, TRUE, VARIANT, WHOLE,
};

/// A value in a document.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    document: &'a Document,
    at: usize,
}

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number from 0 on.
    Whole(u64),
    /// A whole number below 0.
    Negative(i64),
    /// A number in single precision.
    Single(f32),
    /// A number in double precision.
    Double(f64),
    /// A string.
    Text(&'a str),
    /// Bytes; in JSON a string of hexadecimal digits.
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

/// The inside of a list or object.
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

    /// Where it stands in its document: a number that no other value of the document has.
    #[must_use]
    pub const fn position(self) -> usize {
        self.at
    }

    /// What it is.
    #[must_use]
    pub fn content(self) -> Content<'a> {
        let mut cursor = Cursor { bytes: &self.document.bytes, at: self.at };
        let tag = cursor.byte();
        match tag {
            FALSE => Content::Bool(false),
            TRUE => Content::Bool(true),
            WHOLE => Content::Whole(cursor.number()),
            NEGATIVE => Content::Negative(!i64::try_from(cursor.number()).unwrap_or(i64::MAX)),
            SINGLE => Content::Single(f32::from_le_bytes(cursor.array())),
            DOUBLE => Content::Double(f64::from_le_bytes(cursor.array())),
            TEXT => Content::Text(std::str::from_utf8(cursor.run()).unwrap_or_default()),
            BYTES => Content::Bytes(cursor.run()),
            LIST | LONG_LIST => Content::List(List(Body::new(self.document, tag, cursor))),
            OBJECT | LONG_OBJECT | VARIANT | LONG_VARIANT => {
                Content::Object(Object(Body::new(self.document, tag, cursor)))
            }
            small if small >= SMALL => Content::Whole(u64::from(small.saturating_sub(SMALL))),
            _ => Content::Null,
        }
    }

    /// The form of a value that has one of several, with its name, where the document was made of a typed value: `{"light": VALUE}`.
    /// Paths of fields leave the name out.
    #[must_use]
    pub fn variant(self) -> Option<(&'a str, Self)> {
        let tag = self.document.bytes.get(self.at).copied()?;
        match self.content() {
            Content::Object(members) if matches!(tag, VARIANT | LONG_VARIANT) => members.iter().next(),
            _ => None,
        }
    }

    /// The value itself, whatever forms it says that it has.
    #[must_use]
    pub fn inner(self) -> Self {
        let mut node = self;
        while let Some((_, form)) = node.variant() {
            node = form;
        }
        node
    }

    /// Its bytes in the document. Of two documents with the same names, equal bytes are equal values.
    pub(super) fn encoded(self) -> &'a [u8] {
        self.document.bytes.get(self.at..self.end()).unwrap_or_default()
    }

    /// Where the next value starts.
    pub(super) fn end(self) -> usize {
        let mut cursor = Cursor { bytes: &self.document.bytes, at: self.at };
        let tag = cursor.byte();
        match tag {
            WHOLE | NEGATIVE => drop(cursor.number()),
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

    /// The member of this name; `None` where there is none, or where it is no object.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        match self.content() {
            Content::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// The item of this number; `None` where there is none, or where it is no list.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        match self.content() {
            Content::List(items) => items.iter().nth(index),
            _ => None,
        }
    }

    /// What a [JSON pointer](https://www.rfc-editor.org/rfc/rfc6901) leads to.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        steps(pointer)?.try_fold(self, |node, step| match node.content() {
            Content::Object(members) => members.get(&step),
            Content::List(_) => node.item(step.parse().ok()?),
            _ => None,
        })
    }

    /// Whether there are bytes in it, as far as its first byte says.
    pub(super) fn may_hold_bytes(self) -> bool {
        let tag = self.document.bytes.get(self.at).copied().unwrap_or_default();
        matches!(tag, BYTES | LIST | OBJECT | LONG_LIST | LONG_OBJECT | VARIANT | LONG_VARIANT)
    }

    /// A float as the double of the same decimal; `None` when it is none.
    #[must_use]
    pub fn to_double(self) -> Option<f64> {
        match self.content() {
            Content::Single(number) => Some(double_of(number)),
            Content::Double(number) => Some(number),
            _ => None,
        }
    }

    /// Whether it is a list or object.
    #[must_use]
    pub fn is_compound(self) -> bool {
        matches!(self.content(), Content::List(_) | Content::Object(_))
    }

    /// Reads the typed value.
    ///
    /// # Errors
    /// As [`Document::read`](super::Document::read).
    pub fn read<T: serde::de::DeserializeOwned>(self) -> record::Result<T> {
        T::deserialize(self).map_err(Into::into)
    }

    /// The same value by itself.
    #[must_use]
    pub fn to_value(self) -> Value {
        let mut value = Value::Null;
        // A document holds nothing that a value cannot.
        let _ = self.serialize(Serializer(&mut value));
        value
    }
}

/// The double whose shortest decimal is that of the single: 0.1 for 0.1, not 0.10000000149.
pub(super) fn double_of(number: f32) -> f64 {
    let wide = f64::from(number);
    if wide.fract() == 0.0 && wide.abs() < 16_777_216.0 {
        return wide;
    }
    format!("{number:e}").parse().unwrap_or(wide)
}

/// Equal values to the bit, whatever the order of members. A single is equal to the double of the same decimal.
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
            (Content::Whole(first), Content::Whole(second)) => first == second,
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
                        // Mostly they stand in the same order.
                        let other = others.next().filter(|(other, _)| *other == name).map(|(_, other)| other);
                        other.or_else(|| second.get(name)).is_some_and(|other| value.is_same(other))
                    })
            }
            _ => false,
        }
    }
}

impl<'a> Body<'a> {
    /// Reads what stands behind the tag.
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
    /// How many there are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.count == 0
    }

    /// How many bytes they take.
    pub(super) const fn size(self) -> usize {
        self.0.end.saturating_sub(self.0.start)
    }

    /// The items in order.
    pub fn iter(self) -> impl Iterator<Item = Node<'a>> + Clone {
        let Body { document, start, end, .. } = self.0;
        let node = move |at: usize| (at < end).then_some(Node { document, at });
        std::iter::successors(node(start), move |last| node(last.end()))
    }
}

impl<'a> Object<'a> {
    /// How many there are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.count == 0
    }

    /// How many bytes they take.
    pub(super) const fn size(self) -> usize {
        self.0.end.saturating_sub(self.0.start)
    }

    /// Names and values in order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, Node<'a>)> + Clone {
        let Body { document, start, end, .. } = self.0;
        let member = move |at: usize| {
            let mut cursor = Cursor { bytes: &document.bytes, at };
            (at < end).then(|| (cursor.name(document), Node { document, at: cursor.at }))
        };
        std::iter::successors(member(start), move |(_, last)| member(last.end()))
    }

    /// The value of this name; the last one, where there are several.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        self.iter().filter(|(known, _)| *known == name).last().map(|(_, value)| value)
    }
}

/// Reads the parts of a value. What stands in a document was written by a builder, so nothing is ever missing.
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
