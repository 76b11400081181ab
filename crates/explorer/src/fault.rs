//! Why there is no answer.

use antiquary::Error;
use antiquary::asset::Kind;
use antiquary::json::{Value, json};

/// Why there is no answer, as a status of HTTP and a sentence.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) status: u16,
    pub(crate) error: Error,
}

impl Fault {
    /// The request is wrong.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self::with_status(400, Error::usage(message))
    }

    /// There is no such thing.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::with_status(404, Error::usage(message))
    }

    fn with_status(status: u16, error: Error) -> Self {
        Self { status, error }
    }
}

/// Whether too many files are open, in this program or in all: it may go well later.
fn lacks_descriptors(error: &Error) -> bool {
    let message = error.message();
    error.kind() == Kind::Io && ["(os error 23)", "(os error 24)"].iter().any(|code| message.ends_with(code))
}

/// An error as the answers have it.
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
