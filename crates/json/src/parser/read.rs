//! The serde deserializer: values, lists, objects and variants.

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Number, Parser, Result, SyntaxError};
use crate::de::{Float, Key, UnitVariant};

/// The closing bracket of a list or object, and its error messages.
struct Delimiters {
    end: u8,
    expected_comma_or_end: &'static str,
    trailing_comma: &'static str,
    too_many: &'static str,
    unterminated: &'static str,
}

const LIST: Delimiters = Delimiters {
    end: b']',
    expected_comma_or_end: "expected `,` or `]`",
    trailing_comma: "expected an item after the comma",
    too_many: "the list has more items than expected",
    unterminated: "the text ends within a list",
};

const OBJECT: Delimiters = Delimiters {
    end: b'}',
    expected_comma_or_end: "expected `,` or `}`",
    trailing_comma: "expected a member after the comma",
    too_many: "the object has more members than expected",
    unterminated: "the text ends within an object",
};

/// An object with one member.
const VARIANT: Delimiters = Delimiters {
    expected_comma_or_end: "expected `}` after the variant",
    too_many: "expected `}` after the variant",
    ..OBJECT
};

impl<'de> Parser<'de> {
    /// Parses a list or object, whose opening bracket is next.
    fn enclosed<T>(
        &mut self,
        delimiters: &'static Delimiters,
        read: impl FnOnce(Items<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        self.step();
        self.deeper(|parser| {
            let value = read(Items { parser: &mut *parser, delimiters, is_first: true });
            let value = parser.located(value)?;
            match parser.peek() {
                Some(end) if end == delimiters.end => {
                    parser.step();
                    Ok(value)
                }
                Some(b',') => Err(parser.error_at_next(delimiters.too_many)),
                Some(_) => Err(parser.error_at_next(delimiters.expected_comma_or_end)),
                None => Err(parser.error(delimiters.unterminated)),
            }
        })
    }

    /// Checks that the name of a member is next.
    fn expect_name(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => Ok(()),
            Some(_) => Err(self.error_at_next("expected the name of a member, which is a string")),
            None => Err(self.error(OBJECT.unterminated)),
        }
    }

    fn text_value<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let value = match self.string()? {
            (raw, None) => visitor.visit_borrowed_str(raw),
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
            Some(b'[') => self.enclosed(&LIST, |items| visitor.visit_seq(items)),
            Some(b'{') => self.enclosed(&OBJECT, |members| visitor.visit_map(members)),
            Some(_) => Err(self.error_at_next("expected a value")),
            None => Err(self.error("the text ends where a value is expected")),
        }
    }

    as_any!(
        deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(),
        deserialize_char(), deserialize_str(), deserialize_string(), deserialize_unit(),
        deserialize_unit_struct(name: &'static str), deserialize_seq(), deserialize_tuple(length: usize),
        deserialize_tuple_struct(name: &'static str, length: usize), deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]), deserialize_identifier(),
        deserialize_ignored_any(), deserialize_bytes(), deserialize_byte_buf(),
    );

    /// Rounds only once, directly from the decimals to the requested float.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Some(b'-' | b'0'..=b'9') = self.peek() else {
            return self.deserialize_any(Float { visitor, is_double: false });
        };
        let start = self.at;
        let number = self.number()?;
        let text = self.text.get(start..self.at).unwrap_or_default();
        let value = match (number, text.parse::<f32>()) {
            (Number::Float(_), Ok(single)) if single.is_finite() => visitor.visit_f64(f64::from(single)),
            (Number::Float(_), _) => return Err(self.error("the number is out of range")),
            (number, _) => number.visit(visitor),
        };
        self.located(value)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(Float { visitor, is_double: true })
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
            Some(b'{') => self.enclosed(&VARIANT, |members| {
                members.parser.expect_name()?;
                visitor.visit_enum(MapAccessDeserializer::new(members))
            }),
            Some(b'"') => {
                let value = visitor.visit_enum(UnitVariant(&mut *self));
                self.located(value)
            }
            Some(_) => Err(self.error_at_next("expected a variant: a string, or an object with one member")),
            None => Err(self.error("the text ends where a value is expected")),
        }
    }
}

/// The items of a list, or the members of an object.
struct Items<'p, 'de> {
    parser: &'p mut Parser<'de>,
    delimiters: &'static Delimiters,
    is_first: bool,
}

impl Items<'_, '_> {
    /// Whether another item or member follows. Moves to it.
    fn follows(&mut self) -> Result<bool> {
        let Self { parser, delimiters, is_first } = self;
        match parser.peek() {
            Some(end) if end == delimiters.end => return Ok(false),
            Some(b',') if !*is_first => {
                parser.step();
                if parser.peek() == Some(delimiters.end) {
                    return Err(parser.error_at_next(delimiters.trailing_comma));
                }
            }
            Some(_) if *is_first => {}
            Some(_) => return Err(parser.error_at_next(delimiters.expected_comma_or_end)),
            None => return Err(parser.error(delimiters.unterminated)),
        }
        *is_first = false;
        Ok(true)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = SyntaxError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.follows()? { seed.deserialize(&mut *self.parser).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = SyntaxError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.follows()? {
            return Ok(None);
        }
        self.parser.expect_name()?;
        let name = seed.deserialize(Key(&mut *self.parser));
        self.parser.located(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match self.parser.peek() {
            Some(b':') => self.parser.step(),
            Some(_) => return Err(self.parser.error_at_next("expected `:`")),
            None => return Err(self.parser.error(self.delimiters.unterminated)),
        }
        seed.deserialize(&mut *self.parser)
    }
}
