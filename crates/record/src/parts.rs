//! Spans of a file whose records are read separately, such as an archive or a stream of voices.

use std::fmt;
use std::ops::Range;

use crate::{FieldDoc, Reader, Record, Result, Source, Span, Visit, Visitor};

/// Reports the spans of records at given offsets of a file, each under its own path.
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
    /// Offset of the record being read.
    base: u64,
    /// Path of the record being read.
    prefix: String,
    stopped: bool,
}

impl<'a> PartTracer<'a> {
    /// Creates a tracer that reports to `visitor`.
    #[must_use]
    pub fn new(visitor: &'a mut dyn Visitor) -> Self {
        Self { visitor, base: 0, prefix: String::new(), stopped: false }
    }

    /// Whether the visitor has stopped the trace.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Reports a field. An empty extent is not reported.
    pub fn span(&mut self, extent: Range<u64>, path: &str, value: &dyn fmt::Display) {
        if !self.stopped && !extent.is_empty() {
            let span = Span { start: extent.start, end: extent.end, path, value };
            self.stopped = self.visitor.span(span) == Visit::Stop;
        }
    }

    /// Reports a run of bytes. `unit` follows the length in the value: `bytes of samples` gives `12 bytes of samples`.
    pub fn bytes(&mut self, start: u64, length: u64, path: &str, unit: &str) {
        self.span(start..start.saturating_add(length), path, &format_args!("{length} {unit}"));
    }

    /// Reports the fields of the record stored at an extent of the file. `path` is the path of the record.
    ///
    /// # Errors
    /// If the bytes cannot be read, or are not a valid record.
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

    /// Reports the fields of the record at the start of `bytes`, which are stored at offset `start` of the file. Returns the length of the
    /// record in bytes.
    ///
    /// # Errors
    /// If the bytes do not start with a valid record.
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

    /// Converts a path within the current record to a path within the file.
    fn full_path(&self, path: &str) -> String {
        let separator = if path.starts_with('[') || path.is_empty() { "" } else { "." };
        format!("{}{separator}{path}", self.prefix)
    }
}

impl Visitor for PartTracer<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let (start, end) = (span.start.saturating_add(self.base), span.end.saturating_add(self.base));
        Self::span(self, start..end, &self.full_path(span.path), span.value);
        if self.stopped { Visit::Stop } else { Visit::Continue }
    }

    fn enters(&mut self, path: &str) -> bool {
        let path = self.full_path(path);
        self.visitor.enters(&path)
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        let path = self.full_path(path);
        self.visitor.describe(&path, doc);
    }
}

impl fmt::Debug for PartTracer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartTracer({:#x}, {:?})", self.base, self.prefix)
    }
}
