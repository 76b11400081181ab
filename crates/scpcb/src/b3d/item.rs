//! Lists that go on to the end of their chunk.

use record::{Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

/// What stands in a chunk again and again until it ends.
pub trait Item: Record {
    /// How many bytes the next one takes; nothing when it is not all there.
    fn length(bytes: &[u8], context: Self::Context) -> Option<usize>;

    /// Reads a number of them that are known to be there.
    ///
    /// # Errors
    /// Those of the item.
    fn read_counted(reader: &mut Reader<'_>, count: usize, context: Self::Context) -> Result<Vec<Self>> {
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            items.push(reader.item(index, |reader| Self::read(reader, context))?);
        }
        Ok(items)
    }
}

/// As many items as the chunk holds whole. What is left behind them is too short for another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Items<T>(pub Vec<T>);

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> std::ops::Deref for Items<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> std::ops::DerefMut for Items<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> From<Vec<T>> for Items<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T: Item> Record for Items<T> {
    type Context = T::Context;
    const MIN_SIZE: usize = 0;

    fn read(reader: &mut Reader<'_>, context: T::Context) -> Result<Self> {
        let mut count = 0_usize;
        let mut bytes = reader.rest();
        while let Some(length) = T::length(bytes, context).filter(|length| *length > 0) {
            let Some(rest) = bytes.get(length..) else { break };
            bytes = rest;
            count = count.saturating_add(1);
        }
        // Each of them stands in the file, so this is no number out of the blue.
        T::read_counted(reader, count, context).map(Self)
    }

    fn write(&self, writer: &mut Writer, context: T::Context) -> Result<()> {
        T::write_list(&self.0, writer, context)
    }
}
