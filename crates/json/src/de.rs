//! Shared parts of the deserializers of text, values and documents.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, Unexpected,
    VariantAccess, Visitor,
};

/// Deserializer of a member name, which is a string even if a number is requested.
pub(crate) struct Key<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> IntoDeserializer<'de, D::Error> for Key<D> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! numbers {
    ($($method:ident => $visit:ident: $ty:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            let number = String::deserialize(self.0)?.parse::<$ty>();
            let invalid = |_| de::Error::custom("expected a number as the name of a member");
            visitor.$visit(number.map_err(invalid)?)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Key<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    numbers!(
        deserialize_i8 => visit_i8: i8, deserialize_i16 => visit_i16: i16, deserialize_i32 => visit_i32: i32,
        deserialize_i64 => visit_i64: i64, deserialize_u8 => visit_u8: u8, deserialize_u16 => visit_u16: u16,
        deserialize_u32 => visit_u32: u32, deserialize_u64 => visit_u64: u64,
    );

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant that is written as a string, without content.
pub(crate) struct UnitVariant<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> EnumAccess<'de> for UnitVariant<D> {
    type Error = D::Error;
    type Variant = NoContent<D::Error>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), D::Error> {
        seed.deserialize(self.0).map(|name| (name, NoContent(PhantomData)))
    }
}

/// The missing content of a variant that is written as a string.
pub(crate) struct NoContent<E>(PhantomData<E>);

impl<'de, E: de::Error> VariantAccess<'de> for NoContent<E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, E> {
        // A variant without content may still hold a unit or an option.
        seed.deserialize(().into_deserializer())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, _visitor: V) -> Result<V::Value, E> {
        Err(E::custom("the variant needs content: write it as an object with one member"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, E> {
        Err(E::custom("the variant needs content: write it as an object with one member"))
    }
}

/// Visitor of a float, which is a number or a string of its bits.
pub(crate) struct Float<V> {
    pub(crate) visitor: V,
    pub(crate) is_double: bool,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Float<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or the bits of one like \"0x7fa00001\"")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<V::Value, E> {
        self.visitor.visit_i64(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<V::Value, E> {
        self.visitor.visit_u64(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        self.visitor.visit_f64(value)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<V::Value, E> {
        let digits = text.strip_prefix("0x");
        let digits = digits.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))?;
        let invalid = |_| E::custom(format!("\"{text}\" is not the bits of a number"));
        if self.is_double {
            self.visitor.visit_f64(f64::from_bits(u64::from_str_radix(digits, 16).map_err(invalid)?))
        } else {
            self.visitor.visit_f32(f32::from_bits(u32::from_str_radix(digits, 16).map_err(invalid)?))
        }
    }
}
