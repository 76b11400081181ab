//! Documents put together member by member, so that no more than one of them is in memory in another form.

use crate::Value;
use serde::ser::Serialize;

use super::build::{Builder, Open};
use super::{Content, Document};
use crate::ser::{Kind, Scalar, Sink};

/// Takes the members of an object one after the other.
#[derive(Debug)]
pub struct Members<'b> {
    builder: &'b mut Builder,
    open: &'b mut Open,
}

impl Document {
    /// The document of an object whose members are put one after the other. A value that has a form JSON cannot hold is null.
    #[must_use]
    pub fn object(put: impl FnOnce(&mut Members<'_>)) -> Self {
        let mut builder = Builder::default();
        if let Ok(mut open) = builder.open(Kind::Object, None) {
            put(&mut Members { builder: &mut builder, open: &mut open });
            builder.close(open);
        }
        builder.finish()
    }

    /// The document of a list. An item that has a form JSON cannot hold is null.
    #[must_use]
    pub fn list<T: Serialize>(items: impl IntoIterator<Item = T>) -> Self {
        let mut builder = Builder::default();
        put_list(&mut builder, items);
        builder.finish()
    }

    /// Whether it is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.root().content(), Content::Null)
    }
}

impl Members<'_> {
    /// Puts a member.
    pub fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> &mut Self {
        self.name(name);
        put(self.builder, value);
        self
    }

    /// Puts a list; each item is made when its turn comes.
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
    // A long head from the start, where there may be many: the items are not moved then.
    let Ok(mut open) = builder.open(Kind::List, items.size_hint().1) else {
        return builder.scalar(Scalar::Null);
    };
    for item in items {
        builder.item(&mut open);
        put(builder, &item);
    }
    builder.close(open);
}

/// Puts a value, or null in its place.
fn put<T: Serialize + ?Sized>(builder: &mut Builder, value: &T) {
    let (at, depth) = (builder.at(), builder.depth());
    if builder.value(value).is_err() {
        builder.back_to(at, depth);
        builder.scalar(Scalar::Null);
    }
}

impl From<&Value> for Document {
    /// The document of a value; null when lists and objects are nested too deep in it.
    fn from(value: &Value) -> Self {
        Self::of_value(value).unwrap_or_default()
    }
}

impl From<Value> for Document {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}
