//! Documents of JSON.

use std::borrow::Cow;
use std::fmt;

use crate::Value;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Document;
use super::build::{Builder, Kind};
use super::fault::Fault;
use crate::parser::Parser;
use record::{Error, Result};

/// Gives the bytes of a blob; `None` when it knows no such name.
pub type Blob<'a> = &'a mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>;

/// The member that stands for bytes kept elsewhere.
const BLOB: &str = "blob";

pub(super) fn parse(json: &[u8], blob: Blob<'_>) -> Result<Document> {
    let mut builder = Builder::default();
    let mut failed = None;
    let into = Into { builder: &mut builder, blob, failed: &mut failed };
    let parsed = Parser::new(json).and_then(|mut parser| {
        into.deserialize(&mut parser)?;
        parser.end()
    });
    match (failed, parsed) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(Error::malformed(error.to_string())),
        (None, Ok(())) => Ok(builder.finish()),
    }
}

/// Puts what is read into a document.
struct Into<'a, 'b> {
    builder: &'a mut Builder,
    blob: Blob<'b>,
    /// An error that is not the parser's.
    failed: &'a mut Option<Error>,
}

impl Into<'_, '_> {
    fn again(&mut self) -> Into<'_, '_> {
        Into { builder: self.builder, blob: self.blob, failed: self.failed }
    }

    fn failed<E: serde::de::Error>(&mut self, error: Error) -> E {
        let message = error.message().to_owned();
        *self.failed = Some(error);
        E::custom(message)
    }
}

impl<'de> DeserializeSeed<'de> for Into<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! scalars {
    ($($method:ident: $ty:ty => $put:ident),*) => {$(
        fn $method<E>(self, value: $ty) -> Result<(), E> {
            self.builder.$put(value);
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for Into<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    scalars!(
        visit_bool: bool => bool, visit_u64: u64 => whole, visit_i64: i64 => signed, visit_f64: f64 => double,
        visit_str: &str => text
    );

    fn visit_unit<E>(self) -> Result<(), E> {
        self.builder.null();
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let mut open = self.builder.open(Kind::List, None).map_err(|fault| self.failed(fault.0))?;
        while items.next_element_seed(self.again())?.is_some() {
            open.count();
        }
        self.builder.close(&open);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let start = self.builder.at();
        let mut open = self.builder.open(Kind::Object, None).map_err(|fault| self.failed(fault.0))?;
        let (mut count, mut named) = (0_usize, None);
        while let Some(name) = members.next_key::<Cow<'_, str>>()? {
            self.builder.key(&name, || Cow::Owned(name.clone().into_owned()));
            let at = self.builder.at();
            members.next_value_seed(self.again())?;
            open.count();
            count = count.saturating_add(1);
            named = if name == BLOB { self.builder.text_at(at).map(str::to_owned) } else { None };
        }
        self.builder.close(&open);
        if let (1, Some(name)) = (count, named)
            && let Some(bytes) = (self.blob)(&name).map_err(|error| self.failed(error))?
        {
            self.builder.bytes_from(start, &bytes);
        }
        Ok(())
    }
}

/// Puts a value into a document.
pub(super) fn put_value(builder: &mut Builder, value: &Value) -> Result<(), Fault> {
    match value {
        Value::Null => builder.null(),
        Value::Bool(value) => builder.bool(*value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => builder.whole(whole),
            (None, Some(signed)) => builder.signed(signed),
            (None, None) => builder.double(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => builder.text(text),
        Value::Array(items) => {
            let mut open = builder.open(Kind::List, Some(items.len()))?;
            for item in items {
                open.count();
                put_value(builder, item)?;
            }
            builder.close(&open);
        }
        Value::Object(members) => {
            let mut open = builder.open(Kind::Object, Some(members.len()))?;
            for (name, value) in members {
                open.count();
                builder.key(name, || Cow::Owned(name.clone()));
                put_value(builder, value)?;
            }
            builder.close(&open);
        }
    }
    Ok(())
}

impl Document {
    /// The document of a JSON value.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) when it is too deep.
    pub fn of_value(value: &Value) -> Result<Self> {
        let mut builder = Builder::default();
        put_value(&mut builder, value).map_err(|fault| fault.0)?;
        Ok(builder.finish())
    }
}
