//! Errors with their kind and location.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// The result of reading or writing.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The category of an error, by its cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// The bytes violate the format.
    Malformed,
    /// The bytes may be valid, but this program does not support them (a newer version, another dialect).
    Unsupported,
    /// The bytes exceed a documented limit.
    Limit,
    /// The operating system failed to read or write.
    Io,
    /// The caller requested something impossible: a value that the version cannot store, an invalid option.
    Usage,
    /// A bug in this program.
    Internal,
}

impl Kind {
    /// The name used in JSON output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::Io => "io",
            Self::Usage => "usage",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One segment of a path: from a record to one of its fields, or from a list to one of its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Field(Cow<'static, str>),
    Index(usize),
}

/// An error with its kind, its offset in the file and the path of the field. One pointer wide.
///
/// Displayed as `file: surfaces[2].vertices[0].position: message, at offset 0x1f40`.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    message: String,
    offset: Option<u64>,
    /// From the innermost segment outwards: segments are added while the error is propagated.
    segments: Vec<Segment>,
    file: Option<PathBuf>,
}

impl Error {
    /// Creates an error of the given kind.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            offset: None,
            segments: Vec::new(),
            file: None,
        }))
    }

    /// Creates an error for bytes that violate the format.
    #[must_use]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(Kind::Malformed, message)
    }

    /// Creates an error for an unsupported version or dialect.
    #[must_use]
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// Creates an error for an exceeded limit.
    #[must_use]
    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(Kind::Limit, message)
    }

    /// Creates an error for an impossible request of the caller.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Creates an error for a bug in this program.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message)
    }

    /// Sets the offset in the file, unless one is already set: the innermost offset is kept.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Prepends a field to the path.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.0.segments.push(Segment::Field(field.into()));
        self
    }

    /// Prepends a list index to the path.
    #[must_use]
    pub fn in_item(mut self, index: usize) -> Self {
        self.0.segments.push(Segment::Index(index));
        self
    }

    /// Sets the file, unless one is already set.
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.0.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        self
    }

    /// Changes the kind to [`Kind::Usage`]: the caller tried to write something that a file must not contain.
    #[must_use]
    pub fn into_usage(mut self) -> Self {
        self.0.kind = Kind::Usage;
        self
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Offset of the field from the start of the file.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The message without file, path and offset.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file that contains the error, if known.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The path of the field, such as `surfaces[2].vertices`. Empty if the error concerns the entire file.
    #[must_use]
    pub fn path(&self) -> String {
        let mut out = String::new();
        for segment in self.0.segments.iter().rev() {
            push_segment(&mut out, segment);
        }
        out
    }
}

/// Appends a segment to a path.
pub(crate) fn push_segment(out: &mut String, segment: &Segment) {
    match segment {
        Segment::Field(name) => {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(name);
        }
        Segment::Index(index) => {
            out.push('[');
            out.push_str(&index.to_string());
            out.push(']');
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{}: ", file.display())?;
        }
        let path = self.path();
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        f.write_str(&self.0.message)?;
        if let Some(offset) = self.0.offset {
            write!(f, ", at offset {offset:#x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {}

impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(Kind::Io, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_the_file_path_and_offset() {
        let error = Error::malformed("70000 bytes run past the section's end (33008)")
            .at(0x1f40)
            .in_field("script_length")
            .in_item(12)
            .in_field("actors")
            .in_file("maps/ISLAND.RGM");
        assert_eq!(
            error.to_string(),
            "maps/ISLAND.RGM: actors[12].script_length: 70000 bytes run past the section's end (33008), at offset 0x1f40"
        );
        assert_eq!(error.path(), "actors[12].script_length");
        assert_eq!(error.kind(), Kind::Malformed);
    }

    #[test]
    fn keeps_the_innermost_offset() {
        assert_eq!(Error::malformed("x").at(4).at(0).offset(), Some(4));
    }

    #[test]
    fn an_error_is_one_pointer_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }
}
