//! An answer, before a server sends it.

use std::sync::Arc;

use antiquary::json::json;
use antiquary::{Error, Source};
use serde::Serialize;
use twox_hash::XxHash3_128;

use crate::{Fault, fault};

/// Media types of answers.
pub(crate) const JSON: &str = "application/json";
/// Media type of an answer in parts: JSON, one value per line.
pub const LINES: &str = "application/x-ndjson";
pub(crate) const BYTES: &str = "application/octet-stream";

/// An answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Media type of the body, such as `image/png`.
    pub media_type: &'static str,
    /// Additional headers, with values that HTTP allows.
    pub headers: Vec<(&'static str, String)>,
    /// Tag that changes with the content: the value of the `ETag` header, without quotation marks.
    pub tag: String,
    /// Content.
    pub body: Body,
}

/// Content of an answer.
#[derive(Debug, Clone)]
pub enum Body {
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
    /// A file, to be read while it is sent.
    File(Source),
}

impl Body {
    /// Returns the length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(source) => source.len(),
        }
    }

    /// Whether the content is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a range of the content. The part beyond the end is ignored.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn read(&self, start: u64, end: u64) -> Result<Vec<u8>, Error> {
        let end = end.min(self.len());
        let start = start.min(end);
        match self {
            Self::Bytes(bytes) => {
                let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                Ok(bytes.get(index(start)..index(end)).unwrap_or_default().to_vec())
            }
            Self::File(source) => Ok(source.read(start..end)?.into_owned()),
        }
    }
}

impl Response {
    /// Creates an answer from bytes of a media type.
    pub(crate) fn bytes(media_type: &'static str, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let tag = format!("{:032x}", XxHash3_128::oneshot(&bytes));
        Self { status: 200, media_type, headers: Vec::new(), tag, body: Body::Bytes(bytes) }
    }

    /// Creates an empty successful answer.
    pub(crate) fn nothing() -> Self {
        Self { status: 204, ..Self::bytes(BYTES, Vec::new()) }
    }

    /// Creates an answer from an unchanged file; `tag` must change with the file.
    pub(crate) fn file(source: Source, tag: String) -> Self {
        Self { status: 200, media_type: BYTES, headers: Vec::new(), tag, body: Body::File(source) }
    }

    /// Creates an answer from a value as JSON.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, Fault> {
        let bytes = serde_json::to_vec(value);
        let bytes = bytes.map_err(|error| Fault::from(Error::unsupported(error.to_string())))?;
        Ok(Self::bytes(JSON, bytes))
    }

    /// Creates an answer from an error.
    pub(crate) fn of_fault(fault: &Fault) -> Self {
        let body = json!({ "error": fault::body(&fault.error) });
        Self { status: fault.status, ..Self::bytes(JSON, body.to_string().into_bytes()) }
    }

    /// Adds a header, which also changes the tag.
    pub(crate) fn with(mut self, name: &'static str, value: String) -> Self {
        self.tag =
            format!("{:032x}", XxHash3_128::oneshot(format!("{}\0{name}\0{value}", self.tag).as_bytes()));
        self.headers.push((name, value));
        self
    }
}
