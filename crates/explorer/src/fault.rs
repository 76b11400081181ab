//! Errors of requests.

use antiquary::Error;
use antiquary::asset::Kind;
use antiquary::json::{Value, json};

/// Error of a request, with an HTTP status.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) status: u16,
    pub(crate) error: Error,
}

impl Fault {
    /// Creates an error for an invalid request.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self::with_status(400, Error::usage(message))
    }

    /// Creates an error for something that does not exist.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::with_status(404, Error::usage(message))
    }

    fn with_status(status: u16, error: Error) -> Self {
        Self { status, error }
    }
}

/// Whether too many files are open, in this process or in the system; a later attempt may succeed.
fn lacks_descriptors(error: &Error) -> bool {
    let message = error.message();
    error.kind() == Kind::Io && ["(os error 23)", "(os error 24)"].iter().any(|code| message.ends_with(code))
}

/// Returns the JSON form of an error.
pub(crate) fn body(error: &Error) -> Value {
    json!({
        "kind": error.kind().name(),
        "message": error.message(),
        "offset": error.offset(),
        "path": error.path(),
        "file": error.file().map(|file| file.display().to_string()),
        "text": error.to_string(),
    })
}

/// A file that cannot be read or shown.
impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            _ if lacks_descriptors(&error) => 503,
            Kind::Usage => 400,
            Kind::Limit => 413,
            _ => 422,
        };
        Self::with_status(status, error)
    }
}
