//! The one convention for bytes that stand beside the record: `{"blob": "NAME"}` in the record, the bytes in `blobs/NAME`.

use std::collections::BTreeMap;

use json::{Step, pointer};

/// The names of the blobs of a typed file, by where their bytes stand in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlobNames {
    by_pointer: BTreeMap<String, String>,
    by_position: BTreeMap<usize, String>,
}

impl BlobNames {
    /// The name of the blob at a JSON pointer, like `/frames/3/pixels`; `None` when the bytes there are no blob.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<&str> {
        self.by_pointer.get(pointer).map(String::as_str)
    }

    /// The name of the blob at a position in the document that the record is written from.
    pub(super) fn at(&self, position: usize) -> Option<&str> {
        self.by_position.get(&position).map(String::as_str)
    }

    /// The JSON pointer to the blob of this name.
    pub(super) fn pointer(&self, name: &str) -> Option<&str> {
        self.by_pointer.iter().find(|(_, known)| *known == name).map(|(pointer, _)| pointer.as_str())
    }

    pub(super) fn add(&mut self, path: &[Step<'_>], position: usize, name: String) {
        self.by_pointer.insert(pointer(path), name.clone());
        self.by_position.insert(position, name);
    }
}
