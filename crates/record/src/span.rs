//! Which bytes hold which field: what a hex view shows.

use std::fmt;

/// One field and the bytes it stands in.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    /// First byte, counted from the start of the file.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
    /// The field, like `surfaces[0].vertices[3].position[1]`.
    pub path: &'a str,
    /// What it holds.
    pub value: &'a dyn fmt::Display,
}

impl fmt::Debug for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}..{:#x} {} = {}", self.start, self.end, self.path, self.value)
    }
}

/// Whether the visitor wants to be told of more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// Go on.
    Continue,
    /// Skip whatever comes after; reading may stop early.
    Stop,
}

/// Is told of every field in the order they are read. Spans are never collected: a model of two megabytes has half a million.
pub trait Visitor {
    /// One field.
    fn span(&mut self, span: Span<'_>) -> Visit;

    /// Whether the spans at and below a path are wanted: a record, a list, an item. Those of one that is left out are read as fast as
    /// if nobody watched. A trace that does not ask sends all of them.
    fn enters(&mut self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// What the declaration of the field at a path says, before its spans; fields that are read by hand have no such words.
    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        let _ = (path, doc);
    }
}

/// What the declaration of a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldDoc {
    /// Its type, as the declaration has it: `u32`, `Vec<Vertex>`.
    pub ty: &'static str,
    /// The first paragraph of its comment.
    pub about: &'static str,
}

impl<F: FnMut(Span<'_>) -> Visit> Visitor for F {
    fn span(&mut self, span: Span<'_>) -> Visit {
        self(span)
    }
}
