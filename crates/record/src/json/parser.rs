//! Reads JSON text for serde, with exact numbers: a float is the nearest to its decimals.

use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

/// Lists and objects are nested no deeper.
const DEEPEST: u32 = 128;

/// Reads one value, and then its [end](Parser::end): a [`Deserializer`] by reference.
///
/// ```
/// use antiquary_record::json::Parser;
/// use serde::Deserialize;
///
/// let mut parser = Parser::new(b"[0.1, 0.2]")?;
/// let numbers = Vec::<f64>::deserialize(&mut parser)?;
/// parser.end()?;
/// assert_eq!(numbers, [0.1, 0.2]);
/// # Ok::<(), antiquary_record::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Parser<'de> {
    text: &'de str,
    at: usize,
    depth: u32,
}

/// What is wrong with a text, and where.
#[derive(Debug)]
pub struct SyntaxError {
    message: String,
    /// Line and column, both from 1; `None` until they are known.
    place: Option<(usize, usize)>,
}

type Result<T> = std::result::Result<T, SyntaxError>;

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{} at line {line} column {column}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.place.map_or(1, |(line, _)| line)
    }

    /// The column of the last byte that was read, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.place.map_or(1, |(_, column)| column.max(1))
    }
}

impl de::Error for SyntaxError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), place: None }
    }
}

/// A number as it is written.
enum Number {
    Whole(u64),
    Negative(i64),
    Float(f64),
}

impl Number {
    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Whole(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
        }
    }
}

impl<'de> Parser<'de> {
    /// A parser of UTF-8 text.
    ///
    /// # Errors
    /// When it is not UTF-8.
    pub fn new(json: &'de [u8]) -> Result<Self> {
        match std::str::from_utf8(json) {
            Ok(text) => Ok(Self { text, at: 0, depth: DEEPEST }),
            Err(error) => {
                let good = json.get(..error.valid_up_to()).unwrap_or_default();
                Err(SyntaxError {
                    message: "the text is not UTF-8".to_owned(),
                    place: Some(place_in(good, good.len())),
                })
            }
        }
    }

    /// Refuses anything but white space after the value.
    ///
    /// # Errors
    /// When there is anything else.
    pub fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault_at_next("expected the end of the text")),
        }
    }

    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    fn here(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.here() {
            self.step();
        }
        self.here()
    }

    /// A fault behind what was read.
    fn fault(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { message: message.into(), place: Some(place_in(self.bytes(), self.at)) }
    }

    /// A fault in the next byte.
    fn fault_at_next(&self, message: impl Into<String>) -> SyntaxError {
        let at = self.at.saturating_add(1).min(self.text.len());
        SyntaxError { message: message.into(), place: Some(place_in(self.bytes(), at)) }
    }

    /// Adds the place to a fault of a visitor.
    fn located<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|fault| match fault.place {
            Some(_) => fault,
            None => self.fault(fault.message),
        })
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        match self.bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            true => {
                self.at = self.at.saturating_add(word.len());
                Ok(())
            }
            false => Err(self.fault_at_next("expected a value")),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(self.fault_at_next(format!("nested more than {DEEPEST} deep")));
        };
        self.depth = depth;
        let read = read(self);
        self.depth = depth.saturating_add(1);
        read
    }

    /// A string, whose opening quote is next. `None` for the second where it has no escapes.
    fn string(&mut self) -> Result<(&'de str, Option<String>)> {
        self.step();
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut copied = start;
        loop {
            let rest = self.bytes().get(self.at..).unwrap_or_default();
            let Some(length) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) else {
                self.at = self.text.len();
                return Err(self.fault("the text ends within a string"));
            };
            self.at = self.at.saturating_add(length);
            match self.here() {
                Some(b'"') => {
                    let last = self.text.get(copied..self.at).unwrap_or_default();
                    let whole = self.text.get(start..self.at).unwrap_or_default();
                    self.step();
                    if let Some(owned) = &mut owned {
                        owned.push_str(last);
                    }
                    return Ok((whole, owned));
                }
                Some(b'\\') => {
                    let plain = self.text.get(copied..self.at).unwrap_or_default();
                    let out = owned.get_or_insert_default();
                    out.push_str(plain);
                    self.step();
                    let letter = self.escape()?;
                    owned.get_or_insert_default().push(letter);
                    copied = self.at;
                }
                _ => return Err(self.fault_at_next("a control character in a string must be escaped")),
            }
        }
    }

    /// The character of an escape, behind its backslash.
    fn escape(&mut self) -> Result<char> {
        let Some(letter) = self.here() else { return Err(self.fault("the text ends within a string")) };
        self.step();
        Ok(match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.fault("there is no such escape")),
        })
    }

    /// The character of four hexadecimal digits, or of two times four for one beyond 16 bits.
    fn unicode(&mut self) -> Result<char> {
        let first = self.digits()?;
        let code = match first {
            0xd800..=0xdbff => {
                if self.bytes().get(self.at..self.at.saturating_add(2)) != Some(b"\\u") {
                    return Err(self.fault("half of a surrogate pair"));
                }
                self.at = self.at.saturating_add(2);
                match self.digits()? {
                    second @ 0xdc00..=0xdfff => {
                        ((first & 0x3ff) << 10 | (second & 0x3ff)).saturating_add(0x1_0000)
                    }
                    _ => return Err(self.fault("half of a surrogate pair")),
                }
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.fault("half of a surrogate pair"))
    }

    fn digits(&mut self) -> Result<u32> {
        let end = self.at.saturating_add(4);
        let digits =
            self.text.get(self.at..end).filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
        let Some(digits) = digits else { return Err(self.fault_at_next("expected four hexadecimal digits")) };
        self.at = end;
        u32::from_str_radix(digits, 16).map_err(|_| self.fault("expected four hexadecimal digits"))
    }

    /// A number, which begins with the next byte.
    fn number(&mut self) -> Result<Number> {
        let start = self.at;
        let is_negative = self.here() == Some(b'-');
        if is_negative {
            self.step();
        }
        match self.here() {
            Some(b'0') => self.step(),
            Some(b'1'..=b'9') => self.skip_digits(),
            _ => return Err(self.fault_at_next("expected a digit")),
        }
        let mut is_whole = true;
        if self.here() == Some(b'.') {
            is_whole = false;
            self.step();
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.here() {
            is_whole = false;
            self.step();
            if let Some(b'+' | b'-') = self.here() {
                self.step();
            }
            self.some_digits()?;
        }
        if let Some(b'0'..=b'9') = self.here() {
            return Err(self.fault_at_next("a number does not begin with 0"));
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if is_whole
            && !is_negative
            && let Ok(number) = text.parse()
        {
            return Ok(Number::Whole(number));
        }
        // An integer that is -0 is a float, as it has a sign.
        if is_whole
            && text != "-0"
            && let Ok(number) = text.parse()
        {
            return Ok(Number::Negative(number));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Number::Float(number)),
            _ => Err(self.fault("the number is out of range")),
        }
    }

    fn skip_digits(&mut self) {
        while let Some(b'0'..=b'9') = self.here() {
            self.step();
        }
    }

    fn some_digits(&mut self) -> Result<()> {
        match self.here() {
            Some(b'0'..=b'9') => {
                self.skip_digits();
                Ok(())
            }
            _ => Err(self.fault_at_next("expected a digit")),
        }
    }

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

/// The line and the column of the last byte before a place, both from 1.
fn place_in(text: &[u8], at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end.saturating_add(1));
    (line, before.len().saturating_sub(start))
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
