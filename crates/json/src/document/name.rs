//! The names of members, each kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// So many names are kept once; others stand where they are used.
const MOST: usize = 4096;

/// No longer name is kept once.
const LONGEST: usize = 64;

/// Names by their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Names {
    list: Vec<Arc<str>>,
}

impl Names {
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        self.list.get(number).map(AsRef::as_ref)
    }
}

/// Gives names their numbers.
#[derive(Debug, Default)]
pub(super) struct Interner {
    names: Names,
    numbers: HashMap<Arc<str>, usize>,
    /// For each name the one that came behind it last: records are alike, so it is mostly the one that comes next.
    following: Vec<usize>,
    last: usize,
}

impl Interner {
    /// Goes on with names that have their numbers already.
    pub(super) fn new(names: Names) -> Self {
        let numbers = names.list.iter().cloned().zip(0..).collect();
        let following = vec![0; names.list.len()];
        Self { names, numbers, following, last: 0 }
    }

    /// The number of a name; `None` where it is to stand by itself.
    pub(super) fn number(&mut self, name: &str) -> Option<usize> {
        let guess = self.following.get(self.last).copied().unwrap_or_default();
        if self.names.get(guess) == Some(name) {
            self.last = guess;
            return Some(guess);
        }
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None if self.names.list.len() >= MOST || name.len() > LONGEST => return None,
            None => {
                let (name, number) = (Arc::from(name), self.names.list.len());
                self.names.list.push(Arc::clone(&name));
                self.numbers.insert(name, number);
                self.following.push(number);
                number
            }
        };
        if let Some(following) = self.following.get_mut(self.last) {
            *following = number;
        }
        self.last = number;
        Some(number)
    }

    pub(super) fn finish(self) -> Names {
        self.names
    }
}
