//! Lists whose items take another number of bytes in each version.

use std::ops::{Deref, DerefMut};

use record::{Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use super::Version;

/// What can stand in a [`List`].
pub trait Item: Record<Context = Version> {
    /// More than so many are refused.
    const MOST: usize = usize::MAX;

    /// The fewest bytes one takes in a version.
    fn least(version: Version) -> usize;
}

/// A list with its length in front of it. The length is compared with the bytes that its version would need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for List<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Item> Record for List<T> {
    type Context = Version;
    const MIN_SIZE: usize = 4;

    fn read(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        let start = reader.offset();
        let count: i32 = reader.read_count()?;
        let count = reader.check_count(count, T::least(version), start)?;
        reader.check_limit(count, T::MOST, start)?;
        T::read_list(reader, count, version).map(Self)
    }

    fn write(&self, writer: &mut Writer, version: Version) -> Result<()> {
        writer.counted::<i32, T>(&self.0, version)
    }
}
