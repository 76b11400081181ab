//! Parsing of JSON text into documents.

use std::borrow::Cow;
use std::fmt;

use crate::Value;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Document;
use super::build::Builder;
use crate::parser::Parser;
use crate::ser::{Kind, Scalar, Sink};
use record::{Error, Result};

/// Returns the bytes of a blob by name, or `None` if there is no such blob.
pub type Blob<'a> = &'a mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>;

/// The name of the member that refers to a blob.
const BLOB: &str = "blob";

pub(super) fn parse(json: &[u8], blob: Blob<'_>) -> Result<Document> {
    let mut builder = Builder::default();
    let mut failed = None;
    let seed = BuilderSeed { builder: &mut builder, blob, failed: &mut failed };
    let parsed = Parser::new(json).and_then(|mut parser| {
        seed.deserialize(&mut parser)?;
        parser.end()
    });
    match (failed, parsed) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(Error::malformed(error.to_string())),
        (None, Ok(())) => Ok(builder.finish()),
    }
}

/// Deserialization seed that appends the parsed value to a document.
struct BuilderSeed<'a, 'b> {
    builder: &'a mut Builder,
    blob: Blob<'b>,
    /// An error that does not come from the parser.
    failed: &'a mut Option<Error>,
}

impl BuilderSeed<'_, '_> {
    fn reborrow(&mut self) -> BuilderSeed<'_, '_> {
        BuilderSeed { builder: self.builder, blob: self.blob, failed: self.failed }
    }

    fn failed<E: serde::de::Error>(&mut self, error: Error) -> E {
        let message = error.message().to_owned();
        *self.failed = Some(error);
        E::custom(message)
    }
}

impl<'de> DeserializeSeed<'de> for BuilderSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! scalars {
    ($($method:ident: $ty:ty => $scalar:ident),*) => {$(
        fn $method<E>(self, value: $ty) -> Result<(), E> {
            self.builder.scalar(Scalar::$scalar(value));
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for BuilderSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    scalars!(
        visit_bool: bool => Bool, visit_u64: u64 => Unsigned, visit_i64: i64 => Signed, visit_f64: f64 => Double,
        visit_str: &str => Text
    );

    fn visit_unit<E>(self) -> Result<(), E> {
        self.builder.scalar(Scalar::Null);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let mut open = self.builder.open(Kind::List, None).map_err(|fault| self.failed(fault.0))?;
        while items.next_element_seed(self.reborrow())?.is_some() {
            self.builder.item(&mut open);
        }
        self.builder.close(open);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let start = self.builder.at();
        let mut open = self.builder.open(Kind::Object, None).map_err(|fault| self.failed(fault.0))?;
        let (mut count, mut blob_name) = (0_usize, None);
        while let Some(name) = members.next_key::<Cow<'_, str>>()? {
            self.builder.member(&mut open, &name);
            let at = self.builder.at();
            members.next_value_seed(self.reborrow())?;
            count = count.saturating_add(1);
            blob_name = if name == BLOB { self.builder.text_at(at).map(str::to_owned) } else { None };
        }
        self.builder.close(open);
        if let (1, Some(name)) = (count, blob_name)
            && let Some(bytes) = (self.blob)(&name).map_err(|error| self.failed(error))?
        {
            self.builder.bytes_from(start, &bytes);
        }
        Ok(())
    }
}

impl Document {
    /// Creates the document of a JSON value.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) if the value is nested too deeply.
    pub fn of_value(value: &Value) -> Result<Self> {
        let mut builder = Builder::default();
        builder.value(value).map_err(|fault| fault.0)?;
        Ok(builder.finish())
    }
}
