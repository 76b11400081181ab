//! Documents of typed values.

use std::borrow::Cow;

use serde::ser::{self, Serialize};

use super::fault::Fault;
use super::name::{Interner, Names};
use super::node::Cursor;
use super::{
    BYTES, DOUBLE, Document, FALSE, LIST, LONG_LIST, LONG_OBJECT, LONG_VARIANT, NEGATIVE, NULL, OBJECT,
    SINGLE, SMALL, TEXT, TRUE, VARIANT, WHOLE,
};
use record::Error;

/// Lists that are known to have more items get a long head at once.
const SHORT: usize = 24;

/// How deep lists and objects stand in one another at most, as with `serde_json`.
pub(super) const DEEPEST: usize = 128;

/// Appends values to a document.
#[derive(Debug, Default)]
pub(super) struct Builder {
    bytes: Vec<u8>,
    names: Interner,
    depth: usize,
}

/// A list or object that is not complete.
#[derive(Debug)]
pub(super) struct Open {
    at: usize,
    count: u64,
    long: bool,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    Object,
    /// An object that says by its only member which form a value has.
    Variant,
}

impl Kind {
    /// The tags of short and of long ones.
    const fn tags(self) -> (u8, u8) {
        match self {
            Self::List => (LIST, LONG_LIST),
            Self::Object => (OBJECT, LONG_OBJECT),
            Self::Variant => (VARIANT, LONG_VARIANT),
        }
    }
}

impl Builder {
    /// A builder that goes on with the names of another document.
    pub(super) fn with_names(names: Names) -> Self {
        Self { names: Interner::new(names), ..Self::default() }
    }

    /// The same with room for so many bytes.
    pub(super) fn of_document(names: Names, capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), ..Self::with_names(names) }
    }

    /// A value of a document with the same names, as it stands there.
    pub(super) fn encoded(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    /// A builder with room for so many bytes.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), ..Self::default() }
    }

    pub(super) fn finish(self) -> Document {
        Document { bytes: self.bytes, names: self.names.finish() }
    }

    /// Where the next value will stand.
    pub(super) fn at(&self) -> usize {
        self.bytes.len()
    }

    /// How deep lists and objects are nested here.
    pub(super) const fn depth(&self) -> usize {
        self.depth
    }

    /// Takes back everything from `at` on, where the depth was this.
    pub(super) fn back_to(&mut self, at: usize, depth: usize) {
        self.bytes.truncate(at);
        self.depth = depth;
    }

    /// Puts bytes in the place of everything from `at` on.
    pub(super) fn bytes_from(&mut self, at: usize, bytes: &[u8]) {
        self.bytes.truncate(at);
        self.run(BYTES, bytes);
    }

    /// The text that stands at `at`; `None` when it is something else.
    pub(super) fn text_at(&self, at: usize) -> Option<&str> {
        let mut cursor = Cursor { bytes: &self.bytes, at };
        (cursor.byte() == TEXT).then(|| std::str::from_utf8(cursor.run()).unwrap_or_default())
    }

    pub(super) fn null(&mut self) {
        self.bytes.push(NULL);
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.bytes.push(if value { TRUE } else { FALSE });
    }

    pub(super) fn whole(&mut self, value: u64) {
        match u8::try_from(value).ok().and_then(|value| SMALL.checked_add(value)) {
            Some(tag) => self.bytes.push(tag),
            None => {
                self.bytes.push(WHOLE);
                self.number(value);
            }
        }
    }

    pub(super) fn signed(&mut self, value: i64) {
        match u64::try_from(value) {
            Ok(value) => self.whole(value),
            Err(_) => {
                self.bytes.push(NEGATIVE);
                self.number((!value).unsigned_abs());
            }
        }
    }

    pub(super) fn double(&mut self, value: f64) {
        self.bytes.push(DOUBLE);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.run(TEXT, text.as_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.run(BYTES, bytes);
    }

    fn run(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.number(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.bytes.extend_from_slice(bytes);
    }

    /// A number in groups of 7 bits, the lowest first.
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

    pub(super) fn open(&mut self, kind: Kind, hint: Option<usize>) -> Result<Open, Fault> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            return Err(Fault(Error::limit(format!(
                "lists and objects are nested more than {DEEPEST} levels deep"
            ))));
        }
        let long = hint.is_some_and(|count| count > SHORT);
        let open = Open { at: self.bytes.len(), count: 0, long, kind };
        self.bytes.resize(open.at.saturating_add(head(long)), 0);
        Ok(open)
    }

    /// Puts the name of the next member.
    pub(super) fn key(&mut self, name: &str, keep: impl FnOnce() -> Cow<'static, str>) {
        match self.names.number(name, keep) {
            Some(number) => self.number(u64::try_from(number).unwrap_or(u64::MAX).saturating_add(1)),
            None => {
                self.number(0);
                self.number(u64::try_from(name.len()).unwrap_or(u64::MAX));
                self.bytes.extend_from_slice(name.as_bytes());
            }
        }
    }

    pub(super) fn close(&mut self, open: &Open) {
        self.depth = self.depth.saturating_sub(1);
        let start = open.at.saturating_add(head(open.long));
        let length = u64::try_from(self.bytes.len().saturating_sub(start)).unwrap_or(u64::MAX);
        let short = u8::try_from(open.count).ok().zip(u8::try_from(length).ok());
        match (open.long, short) {
            (false, Some((count, length))) => {
                let (tag, _) = open.kind.tags();
                self.fill(open.at, &[tag, count, length]);
            }
            (long, _) => {
                if !long {
                    let more = [0; LONG_HEAD - SHORT_HEAD];
                    drop(self.bytes.splice(start..start, more));
                }
                let (_, tag) = open.kind.tags();
                let mut head = [tag; LONG_HEAD];
                let numbers = open.count.to_le_bytes().into_iter().chain(length.to_le_bytes());
                head.iter_mut().skip(1).zip(numbers).for_each(|(place, byte)| *place = byte);
                self.fill(open.at, &head);
            }
        }
    }

    fn fill(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(at..at.saturating_add(bytes.len())) {
            place.copy_from_slice(bytes);
        }
    }
}

impl Open {
    /// Another item or member follows.
    pub(super) fn count(&mut self) {
        self.count = self.count.saturating_add(1);
    }
}

/// Tag, count and length of one byte each.
pub(super) const SHORT_HEAD: usize = 3;

/// A tag, count and length of eight bytes each.
pub(super) const LONG_HEAD: usize = 17;

const fn head(long: bool) -> usize {
    if long { LONG_HEAD } else { SHORT_HEAD }
}

/// A list, object or variant that serde is writing.
#[derive(Debug)]
pub(super) struct Compound<'a> {
    builder: &'a mut Builder,
    open: Open,
    /// The object with the variant's name.
    around: Option<Open>,
}

impl<'a> Compound<'a> {
    fn new(builder: &'a mut Builder, kind: Kind, hint: Option<usize>) -> Result<Self, Fault> {
        let open = builder.open(kind, hint)?;
        Ok(Self { builder, open, around: None })
    }

    fn in_variant(
        builder: &'a mut Builder,
        variant: &'static str,
        kind: Kind,
        length: usize,
    ) -> Result<Self, Fault> {
        let around = variant_head(builder, variant)?;
        let open = builder.open(kind, Some(length))?;
        Ok(Self { builder, open, around: Some(around) })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.open.count();
        value.serialize(&mut *self.builder)
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        self.builder.key(name, || Cow::Borrowed(name));
        self.item(value)
    }

    fn finish(self) {
        self.builder.close(&self.open);
        if let Some(around) = self.around {
            self.builder.close(&around);
        }
    }
}

fn variant_head(builder: &mut Builder, variant: &'static str) -> Result<Open, Fault> {
    let mut around = builder.open(Kind::Variant, Some(1))?;
    around.count();
    builder.key(variant, || Cow::Borrowed(variant));
    Ok(around)
}

macro_rules! numbers {
    ($($method:ident: $number:ty => $put:ident),*) => {$(
        fn $method(self, value: $number) -> Result<(), Fault> {
            self.$put(value.into());
            Ok(())
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Builder {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    numbers!(
        serialize_bool: bool => bool, serialize_i8: i8 => signed, serialize_i16: i16 => signed,
        serialize_i32: i32 => signed, serialize_i64: i64 => signed, serialize_u8: u8 => whole,
        serialize_u16: u16 => whole, serialize_u32: u32 => whole, serialize_u64: u64 => whole,
        serialize_f64: f64 => double
    );

    fn serialize_f32(self, value: f32) -> Result<(), Fault> {
        self.bytes.push(SINGLE);
        self.bytes.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Fault> {
        self.run(BYTES, value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Fault> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Fault> {
        self.null();
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Fault> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Fault> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        let around = variant_head(self, variant)?;
        value.serialize(&mut *self)?;
        self.close(&around);
        Ok(())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Compound<'a>, Fault> {
        Compound::new(self, Kind::List, length)
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'a>, Fault> {
        Compound::new(self, Kind::List, Some(length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Compound<'a>, Fault> {
        Compound::new(self, Kind::List, Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Compound<'a>, Fault> {
        Compound::in_variant(self, variant, Kind::List, length)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Compound<'a>, Fault> {
        Compound::new(self, Kind::Object, length)
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Compound<'a>, Fault> {
        Compound::new(self, Kind::Object, Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Compound<'a>, Fault> {
        Compound::in_variant(self, variant, Kind::Object, length)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! list {
    ($($part:ident . $method:ident),*) => {$(
        impl ser::$part for Compound<'_> {
            type Ok = ();
            type Error = Fault;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.item(value)
            }

            fn end(self) -> Result<(), Fault> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

list!(
    SerializeSeq.serialize_element,
    SerializeTuple.serialize_element,
    SerializeTupleStruct.serialize_field,
    SerializeTupleVariant.serialize_field
);

macro_rules! fields {
    ($($part:ident),*) => {$(
        impl ser::$part for Compound<'_> {
            type Ok = ();
            type Error = Fault;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Fault> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Fault> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        let mut text = Builder::default();
        key.serialize(&mut text)?;
        let key = text.finish();
        let name = match key.root().content() {
            super::Content::Text(name) => Cow::Borrowed(name),
            super::Content::Whole(number) => Cow::Owned(number.to_string()),
            super::Content::Negative(number) => Cow::Owned(number.to_string()),
            _ => return Err(Fault(Error::usage("the name of a member must be a string or an integer"))),
        };
        self.builder.key(&name, || Cow::Owned(name.clone().into_owned()));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.item(value)
    }

    fn end(self) -> Result<(), Fault> {
        self.finish();
        Ok(())
    }
}
