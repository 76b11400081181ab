//! Spans of a file that is read in parts: an archive, a stream of voices.

use std::fmt;
use std::ops::Range;

use crate::{FieldDoc, Reader, Record, Result, Source, Span, Visit, Visitor};

/// Reports the spans of records that stand at offsets of a file, each under a path of its own.
///
/// ```
/// use antiquary_record::{PartTracer, Record, Source, Span, Visit};
///
/// #[derive(Record)]
/// struct Entry {
///     offset: u32,
/// }
///
/// let file = Source::from(b"....\x07\0\0\0".to_vec());
/// let mut found = Vec::new();
/// let mut visitor = |span: Span<'_>| {
///     found.push((span.start, span.path.to_owned()));
///     Visit::Continue
/// };
/// let mut parts = PartTracer::new(&mut visitor);
/// parts.record::<Entry>(&file, 4..8, "entries[0]", ())?;
/// parts.bytes(0, 4, "magic", "bytes of padding");
/// assert_eq!(found, [(4, "entries[0].offset".to_owned()), (0, "magic".to_owned())]);
/// # Ok::<(), antiquary_record::Error>(())
/// ```
pub struct PartTracer<'a> {
    visitor: &'a mut dyn Visitor,
    /// Where the record starts that is being read.
    base: u64,
    /// Its path.
    prefix: String,
    stopped: bool,
}

impl<'a> PartTracer<'a> {
    /// Reports to a visitor.
    #[must_use]
    pub fn new(visitor: &'a mut dyn Visitor) -> Self {
        Self { visitor, base: 0, prefix: String::new(), stopped: false }
    }

    /// Whether the visitor wants no more spans.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Reports a field. An empty one is left out.
    pub fn span(&mut self, extent: Range<u64>, path: &str, value: &dyn fmt::Display) {
        if !self.stopped && !extent.is_empty() {
            let span = Span { start: extent.start, end: extent.end, path, value };
            self.stopped = self.visitor.span(span) == Visit::Stop;
        }
    }

    /// Reports a run of bytes; `what` says of what, as in `12 bytes of samples`.
    pub fn bytes(&mut self, start: u64, length: u64, path: &str, what: &str) {
        self.span(start..start.saturating_add(length), path, &format_args!("{length} {what}"));
    }

    /// Reports the fields of a record that takes up an extent of the file, below a path.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are no such record.
    pub fn record<T: Record>(
        &mut self,
        source: &Source,
        extent: Range<u64>,
        path: impl Into<String>,
        context: T::Context,
    ) -> Result<()> {
        if self.stopped {
            return Ok(());
        }
        let bytes = source.read(extent.clone())?;
        self.record_in::<T>(&bytes, extent.start, path, context).map(drop)
    }

    /// Reports the fields of a record at the start of some bytes, which stand at `start` in the file; gives its length.
    ///
    /// # Errors
    /// When the bytes do not start with such a record.
    pub fn record_in<T: Record>(
        &mut self,
        bytes: &[u8],
        start: u64,
        path: impl Into<String>,
        context: T::Context,
    ) -> Result<u64> {
        (self.base, self.prefix) = (start, path.into());
        let mut reader = Reader::tracing(bytes, self);
        T::read(&mut reader, context)?;
        Ok(reader.offset())
    }

    /// A path within the record that is being read, seen from the file.
    fn whole(&self, path: &str) -> String {
        let separator = if path.starts_with('[') || path.is_empty() { "" } else { "." };
        format!("{}{separator}{path}", self.prefix)
    }
}

impl Visitor for PartTracer<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let (start, end) = (span.start.saturating_add(self.base), span.end.saturating_add(self.base));
        Self::span(self, start..end, &self.whole(span.path), span.value);
        if self.stopped { Visit::Stop } else { Visit::Continue }
    }

    fn enters(&mut self, path: &str) -> bool {
        let path = self.whole(path);
        self.visitor.enters(&path)
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        let path = self.whole(path);
        self.visitor.describe(&path, doc);
    }
}

impl fmt::Debug for PartTracer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartTracer({:#x}, {:?})", self.base, self.prefix)
    }
}
