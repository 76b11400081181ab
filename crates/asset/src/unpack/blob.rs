//! Blobs: `{"blob": "NAME"}` in the record refers to the bytes in `blobs/NAME`.

use std::collections::BTreeMap;

use json::{Step, pointer};

/// Names of the blobs of a file, by their locations in the record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlobNames {
    by_pointer: BTreeMap<String, String>,
    by_position: BTreeMap<usize, String>,
}

impl BlobNames {
    /// Returns the name of the blob at a JSON pointer such as `/frames/3/pixels`; `None` if there is no blob.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<&str> {
        self.by_pointer.get(pointer).map(String::as_str)
    }

    /// Returns the name of the blob at a position in the document of the record.
    pub(super) fn at(&self, position: usize) -> Option<&str> {
        self.by_position.get(&position).map(String::as_str)
    }

    /// Returns the JSON pointer to a blob.
    pub(super) fn pointer(&self, name: &str) -> Option<&str> {
        self.by_pointer.iter().find(|(_, known)| *known == name).map(|(pointer, _)| pointer.as_str())
    }

    pub(super) fn add(&mut self, path: &[Step<'_>], position: usize, name: String) {
        self.by_pointer.insert(pointer(path), name.clone());
        self.by_position.insert(position, name);
    }
}
