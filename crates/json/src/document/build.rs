//! Encoding of values as documents.

use serde::ser::Serialize;

use super::name::{Interner, Names};
use super::node::Cursor;
use super::{
    BYTES, DOUBLE, Document, FALSE, LIST, LONG_LIST, LONG_OBJECT, LONG_VARIANT, NEGATIVE, NULL, OBJECT,
    SINGLE, SMALL, TEXT, TRUE, UNSIGNED, VARIANT,
};
use crate::fault::Fault;
use crate::ser::{Kind, Scalar, Serializer, Sink};
use record::Error;

/// Lists that are known to have more items get a long head from the start.
const MAX_SHORT_COUNT: usize = 24;

/// Maximum nesting depth of lists and objects, the same as in `serde_json`.
const MAX_DEPTH: usize = 128;

/// Appends values to a document.
#[derive(Debug, Default)]
pub(super) struct Builder {
    bytes: Vec<u8>,
    names: Interner,
    depth: usize,
}

/// An incomplete list or object.
#[derive(Debug)]
pub(super) struct Open {
    at: usize,
    count: u64,
    long: bool,
    kind: Kind,
}

/// Returns the tags for a short and a long head.
const fn tags(kind: Kind) -> (u8, u8) {
    match kind {
        Kind::List => (LIST, LONG_LIST),
        Kind::Object => (OBJECT, LONG_OBJECT),
        Kind::Variant => (VARIANT, LONG_VARIANT),
    }
}

impl Builder {
    /// Creates a builder that continues the names of another document, with a capacity in bytes.
    pub(super) fn new(names: Names, capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), names: Interner::new(names), depth: 0 }
    }

    /// Appends a value.
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        value.serialize(Serializer(self))
    }

    /// Appends an encoded value of a document with the same names.
    pub(super) fn encoded(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    pub(super) fn finish(self) -> Document {
        Document { bytes: self.bytes, names: self.names.finish() }
    }

    /// Position of the next value.
    pub(super) fn at(&self) -> usize {
        self.bytes.len()
    }

    /// Current nesting depth.
    pub(super) const fn depth(&self) -> usize {
        self.depth
    }

    /// Removes everything from position `at` on and restores the nesting depth.
    pub(super) fn truncate(&mut self, at: usize, depth: usize) {
        self.bytes.truncate(at);
        self.depth = depth;
    }

    /// Replaces everything from position `at` on with bytes.
    pub(super) fn bytes_from(&mut self, at: usize, bytes: &[u8]) {
        self.bytes.truncate(at);
        self.run(BYTES, bytes);
    }

    /// The string at position `at`. `None` if another value is there.
    pub(super) fn text_at(&self, at: usize) -> Option<&str> {
        let mut cursor = Cursor { bytes: &self.bytes, at };
        (cursor.byte() == TEXT).then(|| std::str::from_utf8(cursor.run()).unwrap_or_default())
    }

    fn unsigned(&mut self, number: u64) {
        match u8::try_from(number).ok().and_then(|number| SMALL.checked_add(number)) {
            Some(tag) => self.bytes.push(tag),
            None => {
                self.bytes.push(UNSIGNED);
                self.number(number);
            }
        }
    }

    fn run(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.number(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a number in groups of 7 bits, lowest first.
    fn number(&mut self, mut value: u64) {
        loop {
            let low = value.to_le_bytes()[0] & 0x7f;
            value >>= 7;
            if value == 0 {
                self.bytes.push(low);
                return;
            }
            self.bytes.push(low | 0x80);
        }
    }

    /// Appends the name of the next member.
    pub(super) fn name(&mut self, name: &str) {
        match self.names.index(name) {
            Some(index) => self.number(u64::try_from(index).unwrap_or(u64::MAX).saturating_add(1)),
            None => {
                self.number(0);
                self.number(u64::try_from(name.len()).unwrap_or(u64::MAX));
                self.bytes.extend_from_slice(name.as_bytes());
            }
        }
    }

    fn fill(&mut self, at: usize, bytes: &[u8]) {
        if let Some(target) = self.bytes.get_mut(at..at.saturating_add(bytes.len())) {
            target.copy_from_slice(bytes);
        }
    }
}

impl Sink for Builder {
    type Open = Open;

    const IS_READABLE: bool = false;

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        match value {
            Scalar::Null => self.bytes.push(NULL),
            Scalar::Bool(value) => self.bytes.push(if value { TRUE } else { FALSE }),
            Scalar::Unsigned(number) => self.unsigned(number),
            Scalar::Signed(number) => match u64::try_from(number) {
                Ok(number) => self.unsigned(number),
                Err(_) => {
                    self.bytes.push(NEGATIVE);
                    self.number((!number).unsigned_abs());
                }
            },
            Scalar::Single(number) => {
                self.bytes.push(SINGLE);
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            Scalar::Double(number) => {
                self.bytes.push(DOUBLE);
                self.bytes.extend_from_slice(&number.to_le_bytes());
            }
            Scalar::Text(text) => self.run(TEXT, text.as_bytes()),
            Scalar::Bytes(bytes) => self.run(BYTES, bytes),
        }
    }

    #[inline]
    fn open(&mut self, kind: Kind, length: Option<usize>) -> Result<Open, Fault> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            return Err(Fault(Error::limit(format!(
                "lists and objects are nested more than {MAX_DEPTH} levels deep"
            ))));
        }
        let long = length.is_some_and(|count| count > MAX_SHORT_COUNT);
        let open = Open { at: self.bytes.len(), count: 0, long, kind };
        self.bytes.resize(open.at.saturating_add(head(long)), 0);
        Ok(open)
    }

    #[inline]
    fn item(&mut self, open: &mut Open) {
        open.count = open.count.saturating_add(1);
    }

    #[inline]
    fn member(&mut self, open: &mut Open, name: &str) {
        open.count = open.count.saturating_add(1);
        self.name(name);
    }

    fn close(&mut self, open: Open) {
        self.depth = self.depth.saturating_sub(1);
        let start = open.at.saturating_add(head(open.long));
        let length = u64::try_from(self.bytes.len().saturating_sub(start)).unwrap_or(u64::MAX);
        let short = u8::try_from(open.count).ok().zip(u8::try_from(length).ok());
        match (open.long, short) {
            (false, Some((count, length))) => {
                let (tag, _) = tags(open.kind);
                self.fill(open.at, &[tag, count, length]);
            }
            (long, _) => {
                if !long {
                    let more = [0; LONG_HEAD - SHORT_HEAD];
                    drop(self.bytes.splice(start..start, more));
                }
                let (_, tag) = tags(open.kind);
                self.fill(open.at, &long_head(tag, open.count, length));
            }
        }
    }
}

/// Size of a short head: a tag, then a count and a length of one byte each.
pub(super) const SHORT_HEAD: usize = 3;

/// Size of a long head: a tag, then a count and a length of eight bytes each.
pub(super) const LONG_HEAD: usize = 17;

const fn head(long: bool) -> usize {
    if long { LONG_HEAD } else { SHORT_HEAD }
}

pub(super) fn long_head(tag: u8, count: u64, length: u64) -> [u8; LONG_HEAD] {
    let mut head = [tag; LONG_HEAD];
    let numbers = count.to_le_bytes().into_iter().chain(length.to_le_bytes());
    head.iter_mut().skip(1).zip(numbers).for_each(|(target, byte)| *target = byte);
    head
}
