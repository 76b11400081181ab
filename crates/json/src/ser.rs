//! Compact JSON with the bits of numbers that JSON cannot say.

use std::fmt::Display;

use serde::ser::{self, Serialize};
use serde_json::Error;

type Result<T, E = Error> = std::result::Result<T, E>;

/// Appends JSON to a buffer.
pub(super) struct Serializer<'a> {
    pub(super) out: &'a mut Vec<u8>,
}

impl Serializer<'_> {
    fn text(self, value: &str) -> Result<()> {
        serde_json::to_writer(self.out, value)
    }

    fn plain(self, value: impl Display) -> Result<()> {
        self.out.extend_from_slice(value.to_string().as_bytes());
        Ok(())
    }
}

/// A list, map or struct being written.
pub(super) struct Compound<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
    end: &'static str,
}

impl<'a> Compound<'a> {
    fn new(out: &'a mut Vec<u8>, start: &'static str, end: &'static str) -> Self {
        out.extend_from_slice(start.as_bytes());
        Self { out, first: true, end }
    }

    /// A compound value that is the content of an enum's variant.
    fn in_variant(
        out: &'a mut Vec<u8>,
        variant: &str,
        start: &'static str,
        end: &'static str,
    ) -> Result<Self> {
        out.push(b'{');
        serde_json::to_writer(&mut *out, variant)?;
        out.push(b':');
        Ok(Self::new(out, start, end))
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.comma();
        value.serialize(Serializer { out: self.out })
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.comma();
        serde_json::to_writer(&mut *self.out, key)?;
        self.out.push(b':');
        Ok(())
    }

    fn finish(self) {
        self.out.extend_from_slice(self.end.as_bytes());
    }
}

macro_rules! plain {
    ($($method:ident: $number:ty),*) => {$(
        fn $method(self, value: $number) -> Result<()> {
            self.plain(value)
        }
    )*};
}

impl<'a> ser::Serializer for Serializer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    plain!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    );

    fn serialize_f32(self, value: f32) -> Result<()> {
        if value.is_finite() {
            serde_json::to_writer(self.out, &value)
        } else {
            self.text(&super::bits_of_f32(value))
        }
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        if value.is_finite() {
            serde_json::to_writer(self.out, &value)
        } else {
            self.text(&super::bits_of_f64(value))
        }
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        record::Bytes::from(value).serialize(self)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.plain("null")
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut map = Compound::new(self.out, "{", "}");
        map.key(variant)?;
        value.serialize(Serializer { out: map.out })?;
        map.finish();
        Ok(())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Compound<'a>> {
        Ok(Compound::new(self.out, "[", "]"))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Compound<'a>> {
        Ok(Compound::new(self.out, "[", "]"))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Compound<'a>> {
        Ok(Compound::new(self.out, "[", "]"))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>> {
        Compound::in_variant(self.out, variant, "[", "]}")
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Compound<'a>> {
        Ok(Compound::new(self.out, "{", "}"))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Compound<'a>> {
        Ok(Compound::new(self.out, "{", "}"))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Compound<'a>> {
        Compound::in_variant(self.out, variant, "{", "}}")
    }
}

macro_rules! list {
    ($($part:ident . $method:ident),*) => {$(
        impl ser::$part for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            fn end(self) -> Result<()> {
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
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
                self.key(key)?;
                value.serialize(Serializer { out: self.out })
            }

            fn end(self) -> Result<()> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Serializer { out: self.out })
    }

    fn end(self) -> Result<()> {
        self.finish();
        Ok(())
    }
}
