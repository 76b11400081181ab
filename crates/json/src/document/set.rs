//! Replacement of single values in a document.

use std::ops::Range;

use crate::Value;

use super::build::{Builder, LONG_HEAD, SHORT_HEAD, long_head};
use super::node::{Content, Node, Object};
use super::{Document, LIST, LONG_LIST, LONG_OBJECT, LONG_VARIANT, OBJECT, VARIANT};
use crate::fault::Fault;
use crate::ser::{Scalar, Sink};
use record::{Error, Result};

/// A step from a value to one of its members or items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The member of an object, by name.
    Member(&'a str),
    /// The item of a list, by zero-based index.
    Item(usize),
}

impl Node<'_> {
    /// Returns the member or item of a step.
    #[must_use]
    pub fn step(self, step: Step<'_>) -> Option<Self> {
        match step {
            Step::Member(name) => self.get(name),
            Step::Item(index) => self.item(index),
        }
    }

    /// Calls `visit` for all bytes in the value, in order, with their path and node.
    ///
    /// # Errors
    /// The first error of `visit`.
    #[expect(clippy::type_complexity, reason = "the path, the node and its bytes")]
    pub fn visit_bytes(self, visit: &mut dyn FnMut(&[Step<'_>], Self, &[u8]) -> Result<()>) -> Result<()> {
        visit_bytes(self, &mut Vec::new(), visit)
    }
}

/// Converts a path to a [JSON pointer](https://www.rfc-editor.org/rfc/rfc6901).
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

type Visit<'t, 'a> = &'t mut dyn FnMut(&[Step<'_>], Node<'a>, &[u8]) -> Result<()>;

fn visit_bytes<'a>(node: Node<'a>, path: &mut Vec<Step<'a>>, visit: Visit<'_, 'a>) -> Result<()> {
    match node.content() {
        Content::Bytes(bytes) => visit(path, node, bytes),
        Content::List(items) => {
            for (index, item) in items.iter().enumerate().filter(|(_, item)| item.may_hold_bytes()) {
                path.push(Step::Item(index));
                visit_bytes(item, path, &mut *visit)?;
                path.pop();
            }
            Ok(())
        }
        Content::Object(members) => {
            for (name, value) in members.iter().filter(|(_, value)| value.may_hold_bytes()) {
                path.push(Step::Member(name));
                visit_bytes(value, path, &mut *visit)?;
                path.pop();
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

impl Document {
    /// Replaces the value at a path. Does not add missing members.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the path does not exist.
    pub fn set(&mut self, path: &[Step<'_>], value: &Value) -> Result<()> {
        self.set_with(path, |builder| builder.value(value))
    }

    /// Replaces the value at a path with bytes.
    ///
    /// # Errors
    /// Same as [`Document::set`].
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
        let (ancestors, node) = follow(self, path)?;
        let range = node.position()..node.end();
        let new = encode(self, put)?;
        splice(self, ancestors, range, &new);
        Ok(())
    }

    /// Inserts a member before the others of the object at a path.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if there is no object at the path.
    pub fn put_first(&mut self, path: &[Step<'_>], name: &str, value: &Value) -> Result<()> {
        self.put_member(path, name, value, |node, members| node.end().saturating_sub(members.size()))
    }

    /// Appends a member to the object at a path.
    ///
    /// # Errors
    /// Same as [`Document::put_first`].
    pub fn put_last(&mut self, path: &[Step<'_>], name: &str, value: &Value) -> Result<()> {
        self.put_member(path, name, value, |node, _| node.end())
    }

    fn put_member(
        &mut self,
        path: &[Step<'_>],
        name: &str,
        value: &Value,
        position: fn(Node<'_>, Object<'_>) -> usize,
    ) -> Result<()> {
        let (mut ancestors, node) = follow(self, path)?;
        let Content::Object(members) = node.content() else { return Err(no_such_field()) };
        let (at, size) = (position(node, members), members.size());
        ancestors.push(Ancestor { at: node.position(), count: members.len().saturating_add(1), size });
        let new = encode(self, |builder| {
            builder.name(name);
            builder.value(value)
        })?;
        splice(self, ancestors, at..at, &new);
        Ok(())
    }
}

pub(super) fn no_such_field() -> Error {
    Error::usage("no such field")
}

/// A list or object that contains the changed value.
struct Ancestor {
    at: usize,
    count: usize,
    size: usize,
}

/// Returns the value at a path, and its ancestors from the root down.
fn follow<'a>(document: &'a Document, path: &[Step<'_>]) -> Result<(Vec<Ancestor>, Node<'a>)> {
    let mut ancestors = Vec::new();
    let mut node = document.root();
    for step in path {
        let at = node.position();
        ancestors.push(match node.content() {
            Content::List(items) => Ancestor { at, count: items.len(), size: items.size() },
            Content::Object(members) => Ancestor { at, count: members.len(), size: members.size() },
            _ => return Err(no_such_field()),
        });
        node = node.step(*step).ok_or_else(no_such_field)?;
    }
    Ok((ancestors, node))
}

/// Replaces bytes, then updates the counts and lengths in the heads of all ancestors.
fn splice(document: &mut Document, ancestors: Vec<Ancestor>, range: Range<usize>, new: &[u8]) {
    let old_length = range.len();
    document.replace(range, new);
    // A head that becomes longer moves the following bytes, so heads are written from the inside out.
    let mut growth = 0_usize;
    for Ancestor { at, count, size } in ancestors.into_iter().rev() {
        let size = size.saturating_sub(old_length).saturating_add(new.len()).saturating_add(growth);
        growth = growth.saturating_add(write_head(document, at, count, size));
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

/// Encodes a value with the names of a document.
fn encode(document: &mut Document, put: impl FnOnce(&mut Builder) -> Result<(), Fault>) -> Result<Vec<u8>> {
    let mut builder = Builder::new(std::mem::take(&mut document.names), 0);
    let result = put(&mut builder);
    let Document { bytes, names, .. } = builder.finish();
    document.names = names;
    result.map(|()| bytes).map_err(Error::from)
}
