//! Deserialization from documents. Errors contain the field and the expected type.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::node::{Content, Node};
use crate::de::Key;
use crate::fault::{Fault, quoted};
use record::Error;

impl Node<'_> {
    /// Describes the value for error messages.
    fn describe(self) -> String {
        match self.content() {
            Content::Null => "null".to_owned(),
            Content::Bool(value) => value.to_string(),
            Content::Unsigned(number) => number.to_string(),
            Content::Negative(number) => number.to_string(),
            Content::Single(number) => number.to_string(),
            Content::Double(number) => number.to_string(),
            Content::Text(text) => quoted(text),
            Content::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Content::List(items) => format!("a list of {}", items.len()),
            Content::Object(_) => "an object".to_owned(),
        }
    }

    fn mismatch(self, expected: impl std::fmt::Display) -> Fault {
        Fault::expected(expected, self.describe())
    }

    /// Creates an error for a value that is not a list of `length` values.
    fn length_mismatch(self, length: usize) -> Fault {
        let Content::List(items) = self.content() else {
            return self.mismatch(format_args!("a list of {length}"));
        };
        let is_number = |node: Node<'_>| {
            matches!(
                node.content(),
                Content::Unsigned(_) | Content::Negative(_) | Content::Single(_) | Content::Double(_)
            )
        };
        let noun = if items.iter().all(is_number) { "number" } else { "value" };
        let plural = if length == 1 { "" } else { "s" };
        Fault::expected(format_args!("{length} {noun}{plural}"), items.len())
    }
}

macro_rules! integers {
    ($($method:ident: $number:ty => $visit:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            let expected = || self.mismatch(format_args!("an integer from {} to {}", <$number>::MIN, <$number>::MAX));
            let number = match self.content() {
                Content::Unsigned(number) => <$number>::try_from(number).ok(),
                Content::Negative(number) => <$number>::try_from(number).ok(),
                _ => None,
            };
            visitor.$visit(number.ok_or_else(expected)?)
        }
    )*};
}

macro_rules! floats {
    ($($method:ident: $visit:ident, $bits:ty, $floats:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match self.content() {
                Content::Unsigned(number) => visitor.visit_u64(number),
                Content::Negative(number) => visitor.visit_i64(number),
                Content::Single(number) => visitor.visit_f32(number),
                Content::Double(number) => visitor.visit_f64(number),
                Content::Text(text) => {
                    let digits = text.strip_prefix("0x").and_then(|digits| <$bits>::from_str_radix(digits, 16).ok());
                    let bits = digits.ok_or_else(|| self.mismatch("a number, or its bits like \"0x7fa00001\""))?;
                    visitor.$visit(<$floats>::from_bits(bits))
                }
                _ => Err(self.mismatch("a number")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Node<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Null => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Unsigned(number) => visitor.visit_u64(number),
            Content::Negative(number) => visitor.visit_i64(number),
            Content::Single(number) => visitor.visit_f32(number),
            Content::Double(number) => visitor.visit_f64(number),
            Content::Text(text) => visitor.visit_str(text),
            Content::Bytes(bytes) => visitor.visit_string(HEXLOWER.encode(bytes)),
            Content::List(_) => self.deserialize_seq(visitor),
            Content::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Bool(value) => visitor.visit_bool(value),
            _ => Err(self.mismatch("true or false")),
        }
    }

    integers!(
        deserialize_i8: i8 => visit_i8, deserialize_i16: i16 => visit_i16, deserialize_i32: i32 => visit_i32,
        deserialize_i64: i64 => visit_i64, deserialize_u8: u8 => visit_u8, deserialize_u16: u16 => visit_u16,
        deserialize_u32: u32 => visit_u32, deserialize_u64: u64 => visit_u64,
    );

    floats!(deserialize_f32: visit_f32, u32, f32, deserialize_f64: visit_f64, u64, f64);

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Text(text) if text.chars().count() == 1 => visitor.visit_str(text),
            _ => Err(self.mismatch("a string of one character")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Text(text) => visitor.visit_str(text),
            Content::Bytes(bytes) => visitor.visit_string(HEXLOWER.encode(bytes)),
            _ => Err(self.mismatch("a string")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Bytes(bytes) => visitor.visit_bytes(bytes),
            Content::Text(text) => match HEXLOWER_PERMISSIVE.decode(text.as_bytes()) {
                Ok(bytes) => visitor.visit_byte_buf(bytes),
                Err(_) => Err(Fault(Error::malformed("expected two hexadecimal digits for each byte"))),
            },
            _ => Err(self.mismatch("bytes as a string of hexadecimal digits")),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Null => visitor.visit_unit(),
            _ => Err(self.mismatch("null")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Content::List(list) = self.content() else { return Err(self.mismatch("a list")) };
        let mut items = Items { items: list.iter(), left: list.len(), index: 0 };
        let value = visitor.visit_seq(&mut items)?;
        match items.left {
            0 => Ok(value),
            _ => Err(self.length_mismatch(items.index)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        match self.content() {
            Content::List(items) if items.len() == length => self.deserialize_seq(visitor),
            _ => Err(self.length_mismatch(length)),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Content::Object(members) = self.content() else { return Err(self.mismatch("an object")) };
        visitor.visit_map(Members { members: members.iter(), value: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.content() {
            Content::Object(_) => self.deserialize_map(visitor),
            _ => Err(self.mismatch(format_args!("an object with {}", fields.join(", ")))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let expected = || self.mismatch(format_args!("one of {}", variants.join(", ")));
        match self.content() {
            Content::Text(name) => visitor.visit_enum(Variant { name, value: None }),
            Content::Object(members) if members.len() == 1 => {
                let (name, value) = members.iter().next().ok_or_else(expected)?;
                visitor
                    .visit_enum(Variant { name, value: Some(value) })
                    .map_err(|fault| if variants.contains(&name) { in_member(fault, name) } else { fault })
            }
            _ => Err(expected()),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

fn in_member(fault: Fault, name: &str) -> Fault {
    Fault(fault.0.in_field(name.to_owned()))
}

struct Items<I> {
    items: I,
    left: usize,
    index: usize,
}

impl<'a, 'de, I: Iterator<Item = Node<'a>>> SeqAccess<'de> for &mut Items<I> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        let value = seed.deserialize(item).map_err(|fault| Fault(fault.0.in_item(index)))?;
        self.index = index.saturating_add(1);
        self.left = self.left.saturating_sub(1);
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

struct Members<'a, I> {
    members: I,
    value: Option<(&'a str, Node<'a>)>,
}

impl<'a, 'de, I: Iterator<Item = (&'a str, Node<'a>)>> MapAccess<'de> for Members<'a, I> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        self.value = self.members.next();
        let Some((name, _)) = self.value else { return Ok(None) };
        let name: StrDeserializer<'_, Fault> = name.into_deserializer();
        seed.deserialize(Key(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let (name, value) =
            self.value.take().ok_or_else(|| <Fault as de::Error>::custom("a value without a name"))?;
        seed.deserialize(value).map_err(|fault| in_member(fault, name))
    }
}

/// A variant: its name, and its content if it has any.
struct Variant<'a> {
    name: &'a str,
    value: Option<Node<'a>>,
}

impl<'a, 'de> EnumAccess<'de> for Variant<'a> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        let name: StrDeserializer<'_, Fault> = self.name.into_deserializer();
        seed.deserialize(name).map(|value| (value, self))
    }
}

impl<'a> Variant<'a> {
    fn content(&self) -> Result<Node<'a>, Fault> {
        let missing =
            || Fault(Error::malformed(format!("expected an object with the content of {}", self.name)));
        self.value.ok_or_else(missing)
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.value {
            None => Ok(()),
            Some(value) => Deserialize::deserialize(value),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.content()?.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.content()?.deserialize_struct("", fields, visitor)
    }
}
