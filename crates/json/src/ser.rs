//! A serde serializer that writes to any sink.

use serde::ser::{self, Serialize};

use data_encoding::HEXLOWER;
use record::Error;

use crate::fault::Fault;
use crate::float::{bits_of_f32, bits_of_f64, double_of};

type Result<T = (), E = Fault> = std::result::Result<T, E>;

/// A value that contains no other values.
#[derive(Debug, Clone, Copy)]
pub enum Scalar<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A non-negative integer.
    Unsigned(u64),
    /// An integer.
    Signed(i64),
    /// A single-precision float.
    Single(f32),
    /// A double-precision float.
    Double(f64),
    /// A string.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
}

impl Scalar<'_> {
    /// Calls `take` with the value as it is read from JSON: a single-precision float is the `f64` with the same shortest decimal, a
    /// number that JSON cannot represent is the string of its bits, and bytes are a string of hexadecimal digits.
    pub fn as_read<T>(self, take: impl FnOnce(Scalar<'_>) -> T) -> T {
        match self {
            Self::Single(number) if number.is_finite() => take(Scalar::Double(double_of(number))),
            Self::Single(number) => take(Scalar::Text(&bits_of_f32(number))),
            Self::Double(number) if !number.is_finite() => take(Scalar::Text(&bits_of_f64(number))),
            Self::Bytes(bytes) => take(Scalar::Text(&HEXLOWER.encode(bytes))),
            other => take(other),
        }
    }
}

/// The kind of a value that contains other values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A list.
    List,
    /// An object.
    Object,
    /// An object whose only member is the name of an enum variant.
    Variant,
}

/// Receives values one after the other.
pub trait Sink {
    /// State of an incomplete list or object.
    type Open;

    /// Whether the output is human-readable.
    const IS_READABLE: bool = true;

    /// Writes a scalar value.
    fn scalar(&mut self, value: Scalar<'_>);

    /// Begins a list or object. `length` is the number of its items or members, if known.
    ///
    /// # Errors
    /// Fails if the sink cannot take it.
    fn open(&mut self, kind: Kind, length: Option<usize>) -> Result<Self::Open, Fault>;

    /// Begins an item, whose value follows.
    fn item(&mut self, open: &mut Self::Open);

    /// Begins a member with this name, whose value follows.
    fn member(&mut self, open: &mut Self::Open, name: &str);

    /// Ends a list or object.
    fn close(&mut self, open: Self::Open);
}

/// Serializer that writes to a sink.
pub(crate) struct Serializer<'a, S>(pub(crate) &'a mut S);

/// A list, object or variant that is being written.
pub(crate) struct Compound<'a, S: Sink> {
    sink: &'a mut S,
    open: S::Open,
    /// The enclosing object with the name of the variant.
    enclosing: Option<S::Open>,
}

impl<'a, S: Sink> Serializer<'a, S> {
    fn scalar(self, value: Scalar<'_>) -> Result {
        self.0.scalar(value);
        Ok(())
    }

    fn compound(self, kind: Kind, length: Option<usize>) -> Result<Compound<'a, S>> {
        let open = self.0.open(kind, length)?;
        Ok(Compound { sink: self.0, open, enclosing: None })
    }

    fn variant(&mut self, name: &str) -> Result<S::Open> {
        let mut enclosing = self.0.open(Kind::Variant, Some(1))?;
        self.0.member(&mut enclosing, name);
        Ok(enclosing)
    }

    fn compound_variant(mut self, name: &str, kind: Kind, length: usize) -> Result<Compound<'a, S>> {
        let enclosing = Some(self.variant(name)?);
        self.compound(kind, Some(length)).map(|compound| Compound { enclosing, ..compound })
    }
}

macro_rules! scalars {
    ($($method:ident: $ty:ty => $scalar:ident),* $(,)?) => {$(
        fn $method(self, value: $ty) -> Result {
            self.scalar(Scalar::$scalar(value.into()))
        }
    )*};
}

impl<'a, S: Sink> ser::Serializer for Serializer<'a, S> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Compound<'a, S>;
    type SerializeTuple = Compound<'a, S>;
    type SerializeTupleStruct = Compound<'a, S>;
    type SerializeTupleVariant = Compound<'a, S>;
    type SerializeMap = Compound<'a, S>;
    type SerializeStruct = Compound<'a, S>;
    type SerializeStructVariant = Compound<'a, S>;

    scalars!(
        serialize_bool: bool => Bool, serialize_i8: i8 => Signed, serialize_i16: i16 => Signed,
        serialize_i32: i32 => Signed, serialize_i64: i64 => Signed, serialize_u8: u8 => Unsigned,
        serialize_u16: u16 => Unsigned, serialize_u32: u32 => Unsigned, serialize_u64: u64 => Unsigned,
        serialize_f32: f32 => Single, serialize_f64: f64 => Double, serialize_str: &str => Text,
        serialize_bytes: &[u8] => Bytes,
    );

    fn serialize_char(self, value: char) -> Result {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_none(self) -> Result {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result {
        self.scalar(Scalar::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        let enclosing = self.variant(variant)?;
        value.serialize(Serializer(&mut *self.0))?;
        self.0.close(enclosing);
        Ok(())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Compound<'a, S>> {
        self.compound(Kind::List, length)
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'a, S>> {
        self.compound(Kind::List, Some(length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Compound<'a, S>> {
        self.compound(Kind::List, Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Compound<'a, S>> {
        self.compound_variant(variant, Kind::List, length)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Compound<'a, S>> {
        self.compound(Kind::Object, length)
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Compound<'a, S>> {
        self.compound(Kind::Object, Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Compound<'a, S>> {
        self.compound_variant(variant, Kind::Object, length)
    }

    fn is_human_readable(&self) -> bool {
        S::IS_READABLE
    }
}

impl<S: Sink> Compound<'_, S> {
    fn finish(self) -> Result {
        self.sink.close(self.open);
        if let Some(enclosing) = self.enclosing {
            self.sink.close(enclosing);
        }
        Ok(())
    }
}

macro_rules! list {
    ($($part:ident . $method:ident),*) => {$(
        impl<S: Sink> ser::$part for Compound<'_, S> {
            type Ok = ();
            type Error = Fault;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                self.sink.item(&mut self.open);
                value.serialize(Serializer(self.sink))
            }

            fn end(self) -> Result {
                self.finish()
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
        impl<S: Sink> ser::$part for Compound<'_, S> {
            type Ok = ();
            type Error = Fault;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
                self.sink.member(&mut self.open, name);
                value.serialize(Serializer(self.sink))
            }

            fn end(self) -> Result {
                self.finish()
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

impl<S: Sink> ser::SerializeMap for Compound<'_, S> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result {
        let Self { sink, open, .. } = self;
        let mut name = Name { put: &mut |name| sink.member(open, name), is_put: false };
        key.serialize(Serializer(&mut name))?;
        if name.is_put { Ok(()) } else { Err(invalid_name()) }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        value.serialize(Serializer(self.sink))
    }

    fn end(self) -> Result {
        self.finish()
    }
}

/// Sink that receives the name of a member: a string, or a value that can be written as one. It is not generic over the sink, which would
/// lead to infinitely many types.
struct Name<'a> {
    put: &'a mut dyn FnMut(&str),
    is_put: bool,
}

impl Sink for Name<'_> {
    type Open = ();

    fn scalar(&mut self, value: Scalar<'_>) {
        match value {
            Scalar::Text(name) => (self.put)(name),
            Scalar::Bool(value) => (self.put)(&value.to_string()),
            Scalar::Unsigned(number) => (self.put)(&number.to_string()),
            Scalar::Signed(number) => (self.put)(&number.to_string()),
            Scalar::Null | Scalar::Single(_) | Scalar::Double(_) | Scalar::Bytes(_) => return,
        }
        self.is_put = true;
    }

    fn open(&mut self, _kind: Kind, _length: Option<usize>) -> Result {
        Err(invalid_name())
    }

    fn item(&mut self, (): &mut ()) {}

    fn member(&mut self, (): &mut (), _name: &str) {}

    fn close(&mut self, (): ()) {}
}

fn invalid_name() -> Fault {
    Fault(Error::usage("the name of a member must be a string or an integer"))
}
