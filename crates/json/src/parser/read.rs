//! What serde asks of a parser: values, lists, objects and variants.

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::{Number, Parser, Result, SyntaxError};

impl<'de> Parser<'de> {
    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.step();
        self.deeper(|parser| {
            let value = visitor.visit_seq(Items { parser, is_first: true });
            let value = parser.located(value)?;
            match parser.peek() {
                Some(b']') => {
                    parser.step();
                    Ok(value)
                }
                Some(b',') => Err(parser.fault_at_next("the list has more items than expected")),
                Some(_) => Err(parser.fault_at_next("expected `,` or `]`")),
                None => Err(parser.fault("the text ends within a list")),
            }
        })
    }

    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.step();
        self.deeper(|parser| {
            let value = visitor.visit_map(Members { parser, is_first: true });
            let value = parser.located(value)?;
            match parser.peek() {
                Some(b'}') => {
                    parser.step();
                    Ok(value)
                }
                Some(b',') => Err(parser.fault_at_next("the object has more members than expected")),
                Some(_) => Err(parser.fault_at_next("expected `,` or `}`")),
                None => Err(parser.fault("the text ends within an object")),
            }
        })
    }

    fn text_value<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let value = match self.string()? {
            (whole, None) => visitor.visit_borrowed_str(whole),
            (_, Some(text)) => visitor.visit_string(text),
        };
        self.located(value)
    }
}

macro_rules! as_any {
    ($($method:ident($($argument:ident: $ty:ty),*)),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value> {
            $(let _ = $argument;)*
            self.deserialize_any(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Parser<'de> {
    type Error = SyntaxError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            Some(b'n') => {
                self.expect_word("null")?;
                let value = visitor.visit_unit();
                self.located(value)
            }
            Some(b't') => {
                self.expect_word("true")?;
                let value = visitor.visit_bool(true);
                self.located(value)
            }
            Some(b'f') => {
                self.expect_word("false")?;
                let value = visitor.visit_bool(false);
                self.located(value)
            }
            Some(b'-' | b'0'..=b'9') => {
                let value = self.number()?.visit(visitor);
                self.located(value)
            }
            Some(b'"') => self.text_value(visitor),
            Some(b'[') => self.list(visitor),
            Some(b'{') => self.object(visitor),
            Some(_) => Err(self.fault_at_next("expected a value")),
            None => Err(self.fault("the text ends where a value is expected")),
        }
    }

    as_any!(
        deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_f64(),
        deserialize_char(), deserialize_str(), deserialize_string(), deserialize_unit(),
        deserialize_unit_struct(name: &'static str), deserialize_seq(), deserialize_tuple(length: usize),
        deserialize_tuple_struct(name: &'static str, length: usize), deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]), deserialize_identifier(),
        deserialize_ignored_any(), deserialize_bytes(), deserialize_byte_buf(),
    );

    /// Rounded once, from the decimals to the float that is asked for.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Some(b'-' | b'0'..=b'9') = self.peek() else { return self.deserialize_any(visitor) };
        let start = self.at;
        let number = self.number()?;
        let text = self.text.get(start..self.at).unwrap_or_default();
        let value = match (number, text.parse::<f32>()) {
            (Number::Float(_), Ok(single)) if single.is_finite() => visitor.visit_f64(f64::from(single)),
            (Number::Float(_), _) => return Err(self.fault("the number is out of range")),
            (number, _) => number.visit(visitor),
        };
        self.located(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek() == Some(b'n') {
            self.expect_word("null")?;
            let value = visitor.visit_none();
            return self.located(value);
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.peek() {
            Some(b'{') => {
                self.step();
                self.deeper(|parser| {
                    let value = visitor.visit_enum(Variant { parser })?;
                    match parser.peek() {
                        Some(b'}') => {
                            parser.step();
                            Ok(value)
                        }
                        Some(_) => Err(parser.fault_at_next("expected `}` after the variant")),
                        None => Err(parser.fault("the text ends within an object")),
                    }
                })
            }
            Some(b'"') => {
                let value = visitor.visit_enum(UnitVariant { parser: &mut *self });
                self.located(value)
            }
            Some(_) => Err(self.fault_at_next("expected a variant: a string, or an object with one member")),
            None => Err(self.fault("the text ends where a value is expected")),
        }
    }
}

/// The items of a list.
struct Items<'p, 'de> {
    parser: &'p mut Parser<'de>,
    is_first: bool,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = SyntaxError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.parser.peek() {
            Some(b']') => return Ok(None),
            Some(b',') if !self.is_first => {
                self.parser.step();
                if self.parser.peek() == Some(b']') {
                    return Err(self.parser.fault_at_next("expected an item after the comma"));
                }
            }
            Some(_) if self.is_first => {}
            Some(_) => return Err(self.parser.fault_at_next("expected `,` or `]`")),
            None => return Err(self.parser.fault("the text ends within a list")),
        }
        self.is_first = false;
        seed.deserialize(&mut *self.parser).map(Some)
    }
}

/// The members of an object.
struct Members<'p, 'de> {
    parser: &'p mut Parser<'de>,
    is_first: bool,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = SyntaxError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.parser.peek() {
            Some(b'}') => return Ok(None),
            Some(b',') if !self.is_first => {
                self.parser.step();
                if self.parser.peek() == Some(b'}') {
                    return Err(self.parser.fault_at_next("expected a member after the comma"));
                }
            }
            Some(_) if self.is_first => {}
            Some(_) => return Err(self.parser.fault_at_next("expected `,` or `}`")),
            None => return Err(self.parser.fault("the text ends within an object")),
        }
        self.is_first = false;
        self.parser.key(seed).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.parser.colon()?;
        seed.deserialize(&mut *self.parser)
    }
}

impl<'de> Parser<'de> {
    /// The name of a member.
    fn key<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<K::Value> {
        match self.peek() {
            Some(b'"') => {
                let read = seed.deserialize(Key { parser: &mut *self });
                self.located(read)
            }
            Some(_) => Err(self.fault_at_next("expected the name of a member, which is a string")),
            None => Err(self.fault("the text ends within an object")),
        }
    }

    fn colon(&mut self) -> Result<()> {
        match self.peek() {
            Some(b':') => {
                self.step();
                Ok(())
            }
            Some(_) => Err(self.fault_at_next("expected `:`")),
            None => Err(self.fault("the text ends within an object")),
        }
    }
}

/// A name, which is a string even where a number is asked for.
struct Key<'p, 'de> {
    parser: &'p mut Parser<'de>,
}

macro_rules! numbers {
    ($($method:ident => $visit:ident: $ty:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let (whole, owned) = self.parser.string()?;
            match owned.as_deref().unwrap_or(whole).parse::<$ty>() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(self.parser.fault("expected a number as the name of a member")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = SyntaxError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.parser.text_value(visitor)
    }

    numbers!(
        deserialize_i8 => visit_i8: i8, deserialize_i16 => visit_i16: i16, deserialize_i32 => visit_i32: i32,
        deserialize_i64 => visit_i64: i64, deserialize_u8 => visit_u8: u8, deserialize_u16 => visit_u16: u16,
        deserialize_u32 => visit_u32: u32, deserialize_u64 => visit_u64: u64,
    );

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.parser.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant that is a string.
struct UnitVariant<'p, 'de> {
    parser: &'p mut Parser<'de>,
}

impl<'de> EnumAccess<'de> for UnitVariant<'_, 'de> {
    type Error = SyntaxError;
    type Variant = NoContent;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, NoContent)> {
        Ok((seed.deserialize(&mut *self.parser)?, NoContent))
    }
}

/// The content of a variant that is a string.
struct NoContent;

impl<'de> VariantAccess<'de> for NoContent {
    type Error = SyntaxError;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        // A variant without content may still have room for a unit or an option.
        seed.deserialize(().into_deserializer())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, _visitor: V) -> Result<V::Value> {
        Err(de::Error::custom("the variant has content, but is only a string"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value> {
        Err(de::Error::custom("the variant has content, but is only a string"))
    }
}

/// A variant with content: an object with one member.
struct Variant<'p, 'de> {
    parser: &'p mut Parser<'de>,
}

impl<'p, 'de> EnumAccess<'de> for Variant<'p, 'de> {
    type Error = SyntaxError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name = self.parser.key(seed)?;
        self.parser.colon()?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = SyntaxError;

    fn unit_variant(self) -> Result<()> {
        de::Deserialize::deserialize(self.parser)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.parser)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value> {
        self.parser.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.parser.deserialize_struct("", fields, visitor)
    }
}
