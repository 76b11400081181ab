//! Serialization of values, and to values.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Map, Value};
use crate::fault::Fault;
use crate::ser::{Kind, Scalar, Sink};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // Not `number.serialize`: with the feature `arbitrary_precision`, it writes a private struct of `serde_json`.
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
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Holds the last value written to it. An open list or object takes its items and members from here.
impl Sink for Value {
    type Open = Open;

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        *self = match value {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => value.into(),
            Scalar::Unsigned(number) => number.into(),
            Scalar::Signed(number) => number.into(),
            Scalar::Single(number) => number.into(),
            Scalar::Double(number) => number.into(),
            Scalar::Text(text) => text.into(),
            Scalar::Bytes(bytes) => bytes.into(),
        };
    }

    fn open(&mut self, kind: Kind, length: Option<usize>) -> Result<Open, Fault> {
        let length = length.unwrap_or_default();
        Ok(match kind {
            Kind::List => Open::List { items: Vec::with_capacity(length), follows: false },
            Kind::Object | Kind::Variant => {
                Open::Object { members: Map::with_capacity(length), following: None }
            }
        })
    }

    #[inline]
    fn item(&mut self, open: &mut Open) {
        open.store(self);
        if let Open::List { follows, .. } = open {
            *follows = true;
        }
    }

    #[inline]
    fn member(&mut self, open: &mut Open, name: &str) {
        open.store(self);
        if let Open::Object { following, .. } = open {
            *following = Some(name.to_owned());
        }
    }

    fn close(&mut self, mut open: Open) {
        open.store(self);
        *self = match open {
            Open::List { items, .. } => Self::Array(items),
            Open::Object { members, .. } => Self::Object(members),
        };
    }
}

/// An incomplete list or object.
#[derive(Debug)]
pub enum Open {
    /// A list.
    List {
        /// The items so far.
        items: Vec<Value>,
        /// Whether another one follows.
        follows: bool,
    },
    /// An object.
    Object {
        /// The members so far.
        members: Map<String, Value>,
        /// The name of the one that follows.
        following: Option<String>,
    },
}

impl Open {
    /// Adds the value of the last item or member.
    fn store(&mut self, value: &mut Value) {
        match self {
            Self::List { items, follows: true } => items.push(value.take()),
            Self::List { follows: false, .. } => {}
            Self::Object { members, following } => {
                if let Some(name) = following.take() {
                    drop(members.insert(name, value.take()));
                }
            }
        }
    }
}
