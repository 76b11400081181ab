//! Files unpacked into memory instead of a folder.

use std::collections::BTreeMap;

use files::sink::Sink;
use record::{Error, Source};

use super::manifest::RECORD;

/// The parts of a file that is unpacked into memory.
#[derive(Debug, Default)]
pub struct MemoryParts {
    parts: BTreeMap<String, Source>,
}

impl MemoryParts {
    /// Creates an empty set of parts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the record.
    pub fn set_record(&mut self, json: Vec<u8>) {
        self.parts.insert(RECORD.to_owned(), Source::from(json));
    }

    /// Returns a part by its path.
    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.parts.get(path)
    }
}

impl Sink for MemoryParts {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.parts.insert(name.to_owned(), Source::from(bytes.to_vec()));
        Ok(())
    }
}
