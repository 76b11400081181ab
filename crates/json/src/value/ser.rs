//! Values written by serde, and what is written as values.

use serde::ser::{self, Error as _, Impossible, Serialize, SerializeMap};

use super::{Map, Value};

type Error = serde::de::value::Error;
type Result<T> = std::result::Result<T, Error>;

impl Serialize for Value {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // Not `number.serialize`: with the feature `arbitrary_precision` that is a private struct of `serde_json`.
            Self::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => serializer.serialize_u64(number),
                (_, Some(number), _) => serializer.serialize_i64(number),
                (_, _, Some(number)) => serializer.serialize_f64(number),
                (None, None, None) => number.serialize(serializer),
            },
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(members) => members.serialize(serializer),
        }
    }
}

impl Serialize for Map<String, Value> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Makes a value of what is written.
pub(super) struct Serializer;

/// A list that is written, or the content of a variant.
pub(super) struct Items {
    items: Vec<Value>,
    /// The variant that the list is the content of.
    variant: Option<&'static str>,
}

/// An object that is written, or the content of a variant.
pub(super) struct Members {
    members: Map<String, Value>,
    name: Option<String>,
    variant: Option<&'static str>,
}

/// The value of a variant with content.
fn within(variant: Option<&'static str>, content: Value) -> Value {
    match variant {
        None => content,
        Some(name) => Value::Object([(name.to_owned(), content)].into_iter().collect()),
    }
}

macro_rules! plain {
    ($($method:ident: $ty:ty),* $(,)?) => {$(
        fn $method(self, value: $ty) -> Result<Value> {
            Ok(value.into())
        }
    )*};
}

impl ser::Serializer for Serializer {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    plain!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
        serialize_f64: f64, serialize_str: &str,
    );

    fn serialize_char(self, value: char) -> Result<Value> {
        Ok(value.to_string().into())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value> {
        Ok(bytes.into())
    }

    fn serialize_unit(self) -> Result<Value> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value> {
        Ok(within(Some(variant), value.serialize(self)?))
    }

    fn serialize_none(self) -> Result<Value> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items> {
        Ok(Items { items: Vec::with_capacity(length.unwrap_or_default()), variant: None })
    }

    fn serialize_tuple(self, length: usize) -> Result<Items> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Items> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Items> {
        Ok(Items { items: Vec::with_capacity(length), variant: Some(variant) })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Members> {
        let members = Map::with_capacity(length.unwrap_or_default());
        Ok(Members { members, name: None, variant: None })
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Members> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members> {
        Ok(Members { members: Map::with_capacity(length), name: None, variant: Some(variant) })
    }
}

macro_rules! items {
    ($($trait:ident::$method:ident),*) => {$(
        impl ser::$trait for Items {
            type Ok = Value;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
                self.items.push(item.serialize(Serializer)?);
                Ok(())
            }

            fn end(self) -> Result<Value> {
                Ok(within(self.variant, Value::Array(self.items)))
            }
        }
    )*};
}

items!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

impl SerializeMap for Members {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<()> {
        self.name = Some(name.serialize(Name)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = self.name.take().unwrap_or_default();
        self.members.insert(name, value.serialize(Serializer)?);
        Ok(())
    }

    fn end(self) -> Result<Value> {
        Ok(within(self.variant, Value::Object(self.members)))
    }
}

macro_rules! members {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Members {
            type Ok = Value;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.members.insert(name.to_owned(), value.serialize(Serializer)?);
                Ok(())
            }

            fn end(self) -> Result<Value> {
                Ok(within(self.variant, Value::Object(self.members)))
            }
        }
    )*};
}

members!(SerializeStruct, SerializeStructVariant);

/// Makes the name of a member: a string, or a number as one.
struct Name;

fn no_name<T>() -> Result<T> {
    Err(Error::custom("the name of a member is a string"))
}

macro_rules! as_text {
    ($($method:ident: $ty:ty),* $(,)?) => {$(
        fn $method(self, value: $ty) -> Result<String> {
            Ok(value.to_string())
        }
    )*};
}

impl ser::Serializer for Name {
    type Ok = String;
    type Error = Error;
    type SerializeSeq = Impossible<String, Error>;
    type SerializeTuple = Impossible<String, Error>;
    type SerializeTupleStruct = Impossible<String, Error>;
    type SerializeTupleVariant = Impossible<String, Error>;
    type SerializeMap = Impossible<String, Error>;
    type SerializeStruct = Impossible<String, Error>;
    type SerializeStructVariant = Impossible<String, Error>;

    as_text!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_char: char,
        serialize_str: &str,
    );

    fn serialize_f32(self, _value: f32) -> Result<String> {
        no_name()
    }

    fn serialize_f64(self, _value: f64) -> Result<String> {
        no_name()
    }

    fn serialize_bytes(self, _bytes: &[u8]) -> Result<String> {
        no_name()
    }

    fn serialize_unit(self) -> Result<String> {
        no_name()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<String> {
        no_name()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<String> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<String> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<String> {
        no_name()
    }

    fn serialize_none(self) -> Result<String> {
        no_name()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<String> {
        value.serialize(self)
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Self::SerializeSeq> {
        no_name()
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self::SerializeTuple> {
        no_name()
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleStruct> {
        no_name()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        no_name()
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap> {
        no_name()
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self::SerializeStruct> {
        no_name()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant> {
        no_name()
    }
}
