//! Documents that are built member by member, so that at most one member is also held in memory in its original form.

use crate::Value;
use serde::ser::Serialize;

use super::build::{Builder, Open};
use super::{Content, Document};
use crate::ser::{Kind, Scalar, Sink};

/// Receives the members of an object one after the other.
#[derive(Debug)]
pub struct Members<'b> {
    builder: &'b mut Builder,
    open: &'b mut Open,
}

impl Document {
    /// Creates the document of an object whose members are written by `put`. A value that JSON cannot represent becomes null.
    #[must_use]
    pub fn object(put: impl FnOnce(&mut Members<'_>)) -> Self {
        let mut builder = Builder::default();
        if let Ok(mut open) = builder.open(Kind::Object, None) {
            put(&mut Members { builder: &mut builder, open: &mut open });
            builder.close(open);
        }
        builder.finish()
    }

    /// Creates the document of a list. An item that JSON cannot represent becomes null.
    #[must_use]
    pub fn list<T: Serialize>(items: impl IntoIterator<Item = T>) -> Self {
        let mut builder = Builder::default();
        put_list(&mut builder, items);
        builder.finish()
    }

    /// Whether the root value is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.root().content(), Content::Null)
    }
}

impl Members<'_> {
    /// Writes a member.
    pub fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> &mut Self {
        self.name(name);
        put(self.builder, value);
        self
    }

    /// Writes a member that is a list. The iterator is consumed while writing.
    pub fn list<T: Serialize>(&mut self, name: &str, items: impl IntoIterator<Item = T>) -> &mut Self {
        self.name(name);
        put_list(self.builder, items);
        self
    }

    fn name(&mut self, name: &str) {
        self.builder.member(self.open, name);
    }
}

fn put_list<T: Serialize>(builder: &mut Builder, items: impl IntoIterator<Item = T>) {
    let items = items.into_iter();
    // If there may be many items, a long head is written from the start, so that the items need not be moved.
    let Ok(mut open) = builder.open(Kind::List, items.size_hint().1) else {
        return builder.scalar(Scalar::Null);
    };
    for item in items {
        builder.item(&mut open);
        put(builder, &item);
    }
    builder.close(open);
}

/// Writes a value, or null if it fails.
fn put<T: Serialize + ?Sized>(builder: &mut Builder, value: &T) {
    let (at, depth) = (builder.at(), builder.depth());
    if builder.value(value).is_err() {
        builder.truncate(at, depth);
        builder.scalar(Scalar::Null);
    }
}

impl From<&Value> for Document {
    /// Creates the document of a value. If the value is nested too deeply, the document is null.
    fn from(value: &Value) -> Self {
        Self::of_value(value).unwrap_or_default()
    }
}

impl From<Value> for Document {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}
