//! Interned names of members.

use std::collections::HashMap;
use std::sync::Arc;

/// Maximum index of interned names. Other names are stored with each use.
const MAX_NAMES: usize = 4096;

/// Maximum length of an interned name, in bytes.
const MAX_NAME_LEN: usize = 64;

/// Names by their indices.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Names {
    list: Vec<Arc<str>>,
}

impl Names {
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        self.list.get(index).map(AsRef::as_ref)
    }
}

/// Assigns indices to names.
#[derive(Debug, Default)]
pub(super) struct Interner {
    names: Names,
    indices: HashMap<Arc<str>, usize>,
    /// For each name, the index of the name that followed it last. Records are similar, so the same name usually follows again.
    following: Vec<usize>,
    last: usize,
}

impl Interner {
    /// Creates an interner with existing names.
    pub(super) fn new(names: Names) -> Self {
        let indices = names.list.iter().cloned().zip(0..).collect();
        let following = vec![0; names.list.len()];
        Self { names, indices, following, last: 0 }
    }

    /// Returns the index of a name, or `None` if the name is not interned.
    pub(super) fn index(&mut self, name: &str) -> Option<usize> {
        let guess = self.following.get(self.last).copied().unwrap_or_default();
        if self.names.get(guess) == Some(name) {
            self.last = guess;
            return Some(guess);
        }
        let index = match self.indices.get(name) {
            Some(index) => *index,
            None if self.names.list.len() >= MAX_NAMES || name.len() > MAX_NAME_LEN => return None,
            None => {
                let (name, index) = (Arc::from(name), self.names.list.len());
                self.names.list.push(Arc::clone(&name));
                self.indices.insert(name, index);
                self.following.push(index);
                index
            }
        };
        if let Some(following) = self.following.get_mut(self.last) {
            *following = index;
        }
        self.last = index;
        Some(index)
    }

    pub(super) fn finish(self) -> Names {
        self.names
    }
}
