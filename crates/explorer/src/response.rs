//! An answer, before a server sends it.

use std::sync::Arc;

use antiquary::json::json;
use antiquary::{Error, Source};
use serde::Serialize;
use twox_hash::XxHash3_128;

use crate::{Fault, fault};

/// The media types of answers.
pub(crate) const JSON: &str = "application/json";
/// JSON, a value in each line: the media type of an answer in parts.
pub const LINES: &str = "application/x-ndjson";
pub(crate) const BYTES: &str = "application/octet-stream";

/// An answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status, as HTTP has it.
    pub status: u16,
    /// What the body is: `image/png`.
    pub media_type: &'static str,
    /// Headers beside that, with values that HTTP allows.
    pub headers: Vec<(&'static str, String)>,
    /// Changes with the content: what stands in the header `ETag`, without quotation marks.
    pub tag: String,
    /// The content.
    pub body: Body,
}

/// The content of an answer.
#[derive(Debug, Clone)]
pub enum Body {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// A file, to be read as it is sent.
    File(Source),
}

impl Body {
    /// How many bytes it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(source) => source.len(),
        }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of the bytes. What lies beyond the end is left out.
    ///
    /// # Errors
    /// When a file cannot be read.
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
    /// Bytes of a media type.
    pub(crate) fn bytes(media_type: &'static str, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let tag = format!("{:032x}", XxHash3_128::oneshot(&bytes));
        Self { status: 200, media_type, headers: Vec::new(), tag, body: Body::Bytes(bytes) }
    }

    /// There is nothing to give, and nothing is wrong with that.
    pub(crate) fn nothing() -> Self {
        Self { status: 204, ..Self::bytes(BYTES, Vec::new()) }
    }

    /// A file as it is; `tag` changes when it does.
    pub(crate) fn file(source: Source, tag: String) -> Self {
        Self { status: 200, media_type: BYTES, headers: Vec::new(), tag, body: Body::File(source) }
    }

    /// A value as JSON.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, Fault> {
        let bytes = serde_json::to_vec(value);
        let bytes = bytes.map_err(|error| Fault::from(Error::unsupported(error.to_string())))?;
        Ok(Self::bytes(JSON, bytes))
    }

    /// The answer that says why there is none.
    pub(crate) fn of_fault(fault: &Fault) -> Self {
        let body = json!({ "error": fault::body(&fault.error) });
        Self { status: fault.status, ..Self::bytes(JSON, body.to_string().into_bytes()) }
    }

    /// The same with a header, which counts as content.
    pub(crate) fn with(mut self, name: &'static str, value: String) -> Self {
        self.tag =
            format!("{:032x}", XxHash3_128::oneshot(format!("{}\0{name}\0{value}", self.tag).as_bytes()));
        self.headers.push((name, value));
        self
    }
}
