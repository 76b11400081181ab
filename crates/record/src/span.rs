//! Spans: the byte ranges of fields, as shown in a hex view.

use std::fmt;

/// A field and the range of its bytes.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    /// Offset of the first byte from the start of the file.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
    /// Path of the field, such as `surfaces[0].vertices[3].position[1]`.
    pub path: &'a str,
    /// Value of the field.
    pub value: &'a dyn fmt::Display,
}

impl fmt::Debug for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}..{:#x} {} = {}", self.start, self.end, self.path, self.value)
    }
}

/// Whether a [`Visitor`] continues the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// Continue with the next field.
    Continue,
    /// Report no more fields. Reading may stop early.
    Stop,
}

/// Receives the span of every field, in reading order. Spans are never collected: a model of two megabytes has half a million.
pub trait Visitor {
    /// Receives the span of a field.
    fn span(&mut self, span: Span<'_>) -> Visit;

    /// Whether to report the spans at and below the path of a record, a list or an item. If not, its fields are read as fast as without
    /// a visitor. A trace that does not call this method reports all spans.
    fn enters(&mut self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// Receives the declaration of the field at a path, before its spans. Fields that are read by hand have none.
    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        let _ = (path, doc);
    }
}

/// The declaration of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldDoc {
    /// Type as written in the declaration: `u32`, `Vec<Vertex>`.
    pub ty: &'static str,
    /// First paragraph of the doc comment.
    pub about: &'static str,
}

impl<F: FnMut(Span<'_>) -> Visit> Visitor for F {
    fn span(&mut self, span: Span<'_>) -> Visit {
        self(span)
    }
}
