//! What went wrong, whose fault it is, and where.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// The result of reading or writing.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whose fault an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// The bytes are not what the format allows.
    Malformed,
    /// The bytes may be sound, but this program does not know them (a newer version, another dialect).
    Unsupported,
    /// The bytes ask for more than a documented limit.
    Limit,
    /// The operating system failed to read or write.
    Io,
    /// The caller asked for something that cannot be: a value a version has no room for, a bad option.
    Usage,
    /// This program has a fault.
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

/// One step from a record to a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Field(Cow<'static, str>),
    Index(usize),
}

/// An error with its kind, its place in the file and the field it concerns. One pointer wide.
///
/// Shown as `file: surfaces[2].vertices[0].position: message, at offset 0x1f40`.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    message: String,
    offset: Option<u64>,
    /// From the innermost part outwards: steps are added while the error travels up.
    steps: Vec<Step>,
    file: Option<PathBuf>,
}

impl Error {
    /// An error of any kind.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), offset: None, steps: Vec::new(), file: None }))
    }

    /// The bytes are not what the format allows.
    #[must_use]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(Kind::Malformed, message)
    }

    /// The bytes are of a version or dialect that is not known.
    #[must_use]
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// A documented limit is exceeded.
    #[must_use]
    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(Kind::Limit, message)
    }

    /// What the caller asked for cannot be done.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// This program has a fault.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message)
    }

    /// The same error, standing at a byte of the file. The first place named stays: it is the innermost.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// The same error, seen from the record that has `field`.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.0.steps.push(Step::Field(field.into()));
        self
    }

    /// The same error, seen from the list whose item `index` it concerns.
    #[must_use]
    pub fn in_item(mut self, index: usize) -> Self {
        self.0.steps.push(Step::Index(index));
        self
    }

    /// The same error, seen from outside the file. The first file named stays.
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.0.file.get_or_insert_with(|| file.as_ref().to_path_buf());
        self
    }

    /// The same error as the caller's fault: what a file must not hold was asked to be written.
    #[must_use]
    pub fn into_usage(mut self) -> Self {
        self.0.kind = Kind::Usage;
        self
    }

    /// Whose fault it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Where the named field starts, counted from the start of the file.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file it was found in, when known.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The field it concerns, like `surfaces[2].vertices`; empty when it concerns the whole file.
    #[must_use]
    pub fn path(&self) -> String {
        let mut out = String::new();
        for step in self.0.steps.iter().rev() {
            push_step(&mut out, step);
        }
        out
    }
}

/// Appends one step to a written path.
pub(crate) fn push_step(out: &mut String, step: &Step) {
    match step {
        Step::Field(name) => {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(name);
        }
        Step::Index(index) => {
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
    fn an_error_shows_its_file_field_and_offset() {
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
    fn the_innermost_offset_is_kept() {
        assert_eq!(Error::malformed("x").at(4).at(0).offset(), Some(4));
    }

    #[test]
    fn an_error_is_one_pointer_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }
}
