//! JSON representation of errors.

use asset::Error;
use serde::{Serialize, Serializer};

/// JSON representation of an error: kind, message, offset and path.
#[derive(Debug, Serialize)]
pub struct ErrorJson<'a> {
    kind: &'static str,
    message: &'a str,
    offset: Option<u64>,
    path: String,
    /// Omitted where the file is that of the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl<'a> From<&'a Error> for ErrorJson<'a> {
    fn from(error: &'a Error) -> Self {
        Self {
            kind: error.kind().name(),
            message: error.message(),
            offset: error.offset(),
            path: error.path(),
            file: None,
        }
    }
}

impl<'a> ErrorJson<'a> {
    /// Includes the file if it is known.
    #[must_use]
    pub fn with_file(error: &'a Error) -> Self {
        Self { file: error.file().map(|file| file.display().to_string()), ..Self::from(error) }
    }
}

/// Serializes the error of an outcome, which already contains the name of the file.
pub(crate) fn of_input<S: Serializer>(error: &Option<Error>, serializer: S) -> Result<S::Ok, S::Error> {
    error.as_ref().map(ErrorJson::from).serialize(serializer)
}

/// Serializes errors with their files.
pub(crate) fn of_files<S: Serializer>(errors: &[Error], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(errors.iter().map(ErrorJson::with_file))
}

/// Serializes the error of a single item, like [`of_input`].
pub(crate) fn of_one<S: Serializer>(error: &Error, serializer: S) -> Result<S::Ok, S::Error> {
    ErrorJson::from(error).serialize(serializer)
}
