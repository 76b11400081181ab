//! A file unpacked into memory to change its fields: nothing is serialized, and there are no views.

use std::collections::BTreeMap;

use json::Document;
use record::{Error, Source};

use super::blob::BlobNames;
use super::manifest::{Manifest, RECORD};

/// The fields of a file and its blobs, unpacked by [`Parts::of_typed`](super::Parts::of_typed).
#[derive(Debug, Default)]
pub struct TypedParts {
    manifest: Option<Manifest>,
    record: Option<Document>,
    names: BlobNames,
    /// Blobs that are not part of the record.
    blobs: BTreeMap<String, Source>,
}

impl TypedParts {
    /// Creates an empty set of parts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn set_record(&mut self, record: Document, names: BlobNames) {
        (self.record, self.names) = (Some(record), names);
    }

    /// Replaces the record, and returns the old one.
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

    /// Returns a blob that is not part of the record, by its path.
    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.blobs.get(path)
    }
}
