//! A file unpacked into memory: for a change of its record alone, without a folder.

use std::collections::BTreeMap;

use record::{Error, Source};

use super::manifest::RECORD;
use super::unpacked::VIEWS;
use crate::sink::Sink;

/// Takes the parts of a file that is unpacked into memory. Views are made only to be looked at, so they are not kept.
#[derive(Debug, Default)]
pub struct MemoryParts {
    parts: BTreeMap<String, Source>,
}

impl MemoryParts {
    /// No parts yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts another typed file in the place of the one that was unpacked.
    pub fn set_record(&mut self, json: Vec<u8>) {
        self.parts.insert(RECORD.to_owned(), Source::from(json));
    }

    /// A part by its path; `None` for a view, which is as it was unpacked.
    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.parts.get(path)
    }
}

impl Sink for MemoryParts {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        if !name.starts_with(VIEWS) {
            self.parts.insert(name.to_owned(), Source::from(bytes.to_vec()));
        }
        Ok(())
    }
}
