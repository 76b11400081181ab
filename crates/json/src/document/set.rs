//! One value of a document put in the place of another.

use std::ops::Range;

use crate::Value;

use super::build::{Builder, LONG_HEAD, SHORT_HEAD, long_head};
use super::node::{Content, Node, Object};
use super::{Document, LIST, LONG_LIST, LONG_OBJECT, LONG_VARIANT, OBJECT, VARIANT};
use crate::fault::Fault;
use crate::ser::{Scalar, Sink};
use record::{Error, Result};

/// A step from a value to a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// To a member of an object.
    Member(&'a str),
    /// To an item of a list, counted from 0.
    Item(usize),
}

impl Node<'_> {
    /// The part that a step leads to.
    #[must_use]
    pub fn step(self, step: Step<'_>) -> Option<Self> {
        match step {
            Step::Member(name) => self.get(name),
            Step::Item(index) => self.item(index),
        }
    }

    /// Gives all bytes in it to `take`, in order, each with the way that leads to it.
    ///
    /// # Errors
    /// The first error of `take`.
    #[expect(clippy::type_complexity, reason = "the way, the node and its bytes")]
    pub fn each_bytes(self, take: &mut dyn FnMut(&[Step<'_>], Self, &[u8]) -> Result<()>) -> Result<()> {
        each_bytes(self, &mut Vec::new(), take)
    }
}

/// A way as a [JSON pointer](https://www.rfc-editor.org/rfc/rfc6901).
#[must_use]
pub fn pointer(path: &[Step<'_>]) -> String {
    path.iter().fold(String::new(), |mut out, step| {
        out.push('/');
        match step {
            Step::Member(name) => out.push_str(&name.replace('~', "~0").replace('/', "~1")),
            Step::Item(index) => out.push_str(&index.to_string()),
        }
        out
    })
}

type Take<'t, 'a> = &'t mut dyn FnMut(&[Step<'_>], Node<'a>, &[u8]) -> Result<()>;

fn each_bytes<'a>(node: Node<'a>, path: &mut Vec<Step<'a>>, take: Take<'_, 'a>) -> Result<()> {
    match node.content() {
        Content::Bytes(bytes) => take(path, node, bytes),
        Content::List(items) => {
            for (index, item) in items.iter().enumerate().filter(|(_, item)| item.may_hold_bytes()) {
                path.push(Step::Item(index));
                each_bytes(item, path, &mut *take)?;
                path.pop();
            }
            Ok(())
        }
        Content::Object(members) => {
            for (name, value) in members.iter().filter(|(_, value)| value.may_hold_bytes()) {
                path.push(Step::Member(name));
                each_bytes(value, path, &mut *take)?;
                path.pop();
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

impl Document {
    /// Puts another value where the path leads. Members of objects that are not there yet are not added.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when the path leads nowhere.
    pub fn set(&mut self, path: &[Step<'_>], value: &Value) -> Result<()> {
        self.set_with(path, |builder| builder.value(value))
    }

    /// Puts bytes where the path leads.
    ///
    /// # Errors
    /// As [`Document::set`].
    pub fn set_bytes(&mut self, path: &[Step<'_>], bytes: &[u8]) -> Result<()> {
        self.set_with(path, |builder| {
            builder.scalar(Scalar::Bytes(bytes));
            Ok(())
        })
    }

    fn set_with(
        &mut self,
        path: &[Step<'_>],
        put: impl FnOnce(&mut Builder) -> Result<(), Fault>,
    ) -> Result<()> {
        let (around, node) = follow(self, path)?;
        let place = node.position()..node.end();
        let new = encode(self, put)?;
        splice(self, around, place, &new);
        Ok(())
    }

    /// Puts a member in front of those of the object that the path leads to.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when the path leads to no object.
    pub fn put_first(&mut self, path: &[Step<'_>], name: &str, value: &Value) -> Result<()> {
        self.put_member(path, name, value, |node, members| node.end().saturating_sub(members.size()))
    }

    /// Puts a member behind those of the object that the path leads to.
    ///
    /// # Errors
    /// As [`Document::put_first`].
    pub fn put_last(&mut self, path: &[Step<'_>], name: &str, value: &Value) -> Result<()> {
        self.put_member(path, name, value, |node, _| node.end())
    }

    fn put_member(
        &mut self,
        path: &[Step<'_>],
        name: &str,
        value: &Value,
        place: fn(Node<'_>, Object<'_>) -> usize,
    ) -> Result<()> {
        let (mut around, node) = follow(self, path)?;
        let Content::Object(members) = node.content() else { return Err(nowhere()) };
        let (at, size) = (place(node, members), members.size());
        around.push(Around { at: node.position(), count: members.len().saturating_add(1), size });
        let new = encode(self, |builder| {
            builder.name(name);
            builder.value(value)
        })?;
        splice(self, around, at..at, &new);
        Ok(())
    }
}

pub(super) fn nowhere() -> Error {
    Error::usage("there is no such field")
}

/// A list or object around a value.
struct Around {
    at: usize,
    count: usize,
    size: usize,
}

/// What a path leads to, and what is around that, from the outside in.
fn follow<'a>(document: &'a Document, path: &[Step<'_>]) -> Result<(Vec<Around>, Node<'a>)> {
    let mut around = Vec::new();
    let mut node = document.root();
    for step in path {
        let at = node.position();
        around.push(match node.content() {
            Content::List(items) => Around { at, count: items.len(), size: items.size() },
            Content::Object(members) => Around { at, count: members.len(), size: members.size() },
            _ => return Err(nowhere()),
        });
        node = node.step(*step).ok_or_else(nowhere)?;
    }
    Ok((around, node))
}

/// Puts other bytes somewhere; then the heads of all around it say how long they are now.
fn splice(document: &mut Document, around: Vec<Around>, place: Range<usize>, new: &[u8]) {
    let old_length = place.len();
    document.replace(place, new);
    // A head that has to become longer moves what follows, so they are written from the inside out.
    let mut more = 0_usize;
    for Around { at, count, size } in around.into_iter().rev() {
        let size = size.saturating_sub(old_length).saturating_add(new.len()).saturating_add(more);
        more = more.saturating_add(write_head(document, at, count, size));
    }
}

/// Writes a head, and returns the number of bytes by which it grew.
fn write_head(document: &mut Document, at: usize, count: usize, size: usize) -> usize {
    let tag = document.bytes.get(at).copied().unwrap_or_default();
    let is_short = matches!(tag, LIST | OBJECT | VARIANT);
    if is_short && let Some((count, size)) = u8::try_from(count).ok().zip(u8::try_from(size).ok()) {
        document.replace(at..at.saturating_add(SHORT_HEAD), &[tag, count, size]);
        return 0;
    }
    let (old, grown) = if is_short { (SHORT_HEAD, LONG_HEAD - SHORT_HEAD) } else { (LONG_HEAD, 0) };
    let tag = match tag {
        LIST | LONG_LIST => LONG_LIST,
        VARIANT | LONG_VARIANT => LONG_VARIANT,
        _ => LONG_OBJECT,
    };
    let wide = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    document.replace(at..at.saturating_add(old), &long_head(tag, wide(count), wide(size)));
    grown
}

/// The bytes of what is put into a document of these names.
fn encode(document: &mut Document, put: impl FnOnce(&mut Builder) -> Result<(), Fault>) -> Result<Vec<u8>> {
    let mut builder = Builder::new(std::mem::take(&mut document.names), 0);
    let result = put(&mut builder);
    let Document { bytes, names, .. } = builder.finish();
    document.names = names;
    result.map(|()| bytes).map_err(Error::from)
}
