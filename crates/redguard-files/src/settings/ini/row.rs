//! The values of declared keys: those of a section, or of one index in it.

use json::Value;

use super::key::{Key, Reading};
use super::lookup::Section;

/// The values of declared keys: those of a section, or of one index in it. Without a section, all values are missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'s> {
    section: Option<&'s Section<'s>>,
    keys: &'static [Key],
    index: Option<u32>,
}

impl<'s> Row<'s> {
    /// Returns the values of a section; `index` is that of keys with an index.
    pub(super) const fn new(
        section: Option<&'s Section<'s>>,
        keys: &'static [Key],
        index: Option<u32>,
    ) -> Self {
        Self { section, keys, index }
    }

    /// Returns each declared key with its value, except keys that belong to another kind of row: those with a number in the name, and
    /// those that have an index although the row has none, or the reverse.
    pub(super) fn readings(self) -> impl Iterator<Item = (&'static Key, Reading)> + 's {
        let is_here = move |key: &&Key| key.is_indexed() == self.index.is_some() && !key.name.contains('#');
        self.keys.iter().filter(is_here).map(move |key| (key, self.read(key)))
    }

    /// Returns the value of a declared key; null for an unknown one.
    pub(super) fn value(self, name: &str) -> Value {
        self.key(name).map_or(Value::Null, |key| self.read(key).value)
    }

    /// Returns an integer; 0 for other values.
    pub(super) fn integer(self, name: &str) -> i32 {
        self.optional_integer(name).unwrap_or(0)
    }

    /// Returns an integer; `None` for other values.
    pub(super) fn optional_integer(self, name: &str) -> Option<i32> {
        integer_of(&self.value(name))
    }

    /// Returns a text; `None` if it is missing.
    pub(super) fn text(self, name: &str) -> Option<String> {
        self.value(name).as_str().map(str::to_owned)
    }

    /// Returns a list of integers; `None` if it is missing or has another length.
    pub(super) fn integers<const N: usize>(self, name: &str) -> Option<[i32; N]> {
        integers_of(&self.value(name))
    }

    /// Returns the value as written, without its comment; empty if it is missing.
    pub(super) fn written(self, name: &str) -> &'s str {
        self.section.and_then(|section| section.value(name, self.index)).unwrap_or_default()
    }

    fn key(self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.base() == name)
    }

    fn read(self, key: &Key) -> Reading {
        match self.section {
            Some(section) => section.read(key, self.index.filter(|_| key.is_indexed())),
            None => key.read(None),
        }
    }
}

/// Converts a value to an integer.
pub(super) fn integer_of(value: &Value) -> Option<i32> {
    value.as_i64().and_then(|number| i32::try_from(number).ok())
}

/// Converts a value to a list of integers of this length.
pub(super) fn integers_of<const N: usize>(value: &Value) -> Option<[i32; N]> {
    let Value::Array(numbers) = value else { return None };
    let numbers: Option<Vec<i32>> = numbers.iter().map(integer_of).collect();
    numbers?.try_into().ok()
}
