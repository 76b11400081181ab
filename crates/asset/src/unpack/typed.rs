//! A file unpacked into memory for a change of its fields: nothing becomes text, and nothing a view.

use std::collections::BTreeMap;

use json::Document;
use record::{Error, Source};

use super::blob::BlobNames;
use super::manifest::{Manifest, RECORD};

/// Takes a typed file, [and what stands beside it](super::Parts::of_typed).
#[derive(Debug, Default)]
pub struct TypedParts {
    manifest: Option<Manifest>,
    record: Option<Document>,
    names: BlobNames,
    /// Bytes that stand beside the record and not in it.
    blobs: BTreeMap<String, Source>,
}

impl TypedParts {
    /// No parts yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn set_record(&mut self, record: Document, names: BlobNames) {
        (self.record, self.names) = (Some(record), names);
    }

    /// Puts another record in the place of the one that was unpacked.
    pub(super) fn replace_record(&mut self, record: Document) -> Result<Document, Error> {
        let missing = || Error::usage(format!("there is no {RECORD}"));
        self.record.replace(record).ok_or_else(missing)
    }

    pub(super) fn set_manifest(&mut self, manifest: Manifest) {
        self.manifest = Some(manifest);
    }

    pub(super) fn set_blob(&mut self, path: &str, bytes: &[u8]) {
        self.blobs.insert(path.to_owned(), Source::from(bytes.to_vec()));
    }

    pub(super) fn take_manifest(&mut self) -> Option<Manifest> {
        self.manifest.take()
    }

    pub(super) fn record(&self) -> Result<&Document, Error> {
        self.record.as_ref().ok_or_else(|| Error::usage(format!("there is no {RECORD}")))
    }

    pub(super) fn names(&self) -> &BlobNames {
        &self.names
    }

    /// A part that stands beside the record, by its path.
    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.blobs.get(path)
    }
}
