//! Functions called by derived code.

use std::fmt;

use crate::bytes::Preview;
use crate::number::Count;
use crate::schema::Schema;
use crate::{Error, Reader, Record, Result, Writer};

impl<'a> Reader<'a> {
    /// Reads bytes that must be equal to `magic`.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) if they differ.
    pub fn magic(&mut self, magic: &[u8]) -> Result<()> {
        self.field("magic", |reader| {
            let start = reader.offset();
            let found = reader.take(magic.len())?;
            if found != magic {
                let (found, expected) = (Preview(found), Preview(magic));
                return Err(Error::malformed(format!("expected {expected}, found {found}")).at(start));
            }
            reader.leaf(start, &Preview(magic));
            Ok(())
        })
    }

    /// Reads optional bytes. Returns whether they were present.
    #[doc(hidden)]
    pub fn present(&mut self, bytes: &[u8]) -> bool {
        let start = self.offset();
        let is_present = self.rest().starts_with(bytes) && self.take(bytes.len()).is_ok();
        if is_present {
            self.leaf(start, &Preview(bytes));
        }
        is_present
    }

    /// Reads bytes up to a terminator, and the terminator. Returns the bytes before it.
    #[doc(hidden)]
    pub fn terminated(&mut self, terminator: &[u8]) -> Result<&'a [u8]> {
        let (start, rest) = (self.offset(), self.rest());
        let length = match terminator {
            [byte] => rest.iter().position(|found| found == byte),
            _ => rest.windows(terminator.len().max(1)).position(|found| found == terminator),
        };
        let bytes = match length.and_then(|length| rest.get(..length)) {
            Some(bytes) => bytes,
            None => {
                let left = rest.len();
                let message = format!("no {} in the remaining {left} bytes", Terminator(terminator));
                return Err(Error::malformed(message).at(start));
            }
        };
        self.take(bytes.len().saturating_add(terminator.len()))?;
        self.leaf(start, &Preview(bytes));
        Ok(bytes)
    }

    /// Reads items until `stop` ends the list, at most `limit` of them. An item without bytes is an error, because the list would never
    /// end.
    #[doc(hidden)]
    pub fn items_until<T>(
        &mut self,
        stop: &impl Stop,
        limit: usize,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !stop.stops(self)? {
            if items.len() >= limit {
                let message = format!("the list has more than {limit} items, which is the limit");
                return Err(Error::limit(message).at(self.offset()));
            }
            items.push(self.item(items.len(), |reader| {
                let start = reader.offset();
                let item = read(reader)?;
                if reader.offset() == start {
                    let message = "zero-sized item: the list would never end";
                    return Err(Error::malformed(message).at(start));
                }
                Ok(item)
            })?);
        }
        // A file may have many short lists, which must not keep unused capacity.
        items.shrink_to_fit();
        Ok(items)
    }

    /// Number of complete items of `size` bytes before the last `leave` bytes.
    #[doc(hidden)]
    pub fn count_before(&mut self, leave: usize, size: usize) -> Result<usize> {
        let left = self.remaining();
        let available = left.checked_sub(leave).ok_or_else(|| {
            let message = format!("expected {leave} bytes at the end, but only {left} are left");
            Error::malformed(message).at(self.offset())
        })?;
        Ok(available.checked_div(size).unwrap_or_default())
    }

    /// Checks a count against a documented limit. `start` is the offset of the field.
    ///
    /// # Errors
    /// [`Kind::Limit`](crate::Kind::Limit) if the count is larger.
    pub fn check_limit(&self, count: usize, limit: usize, start: u64) -> Result<()> {
        if count > limit {
            return Err(Error::limit(format!("the count is {count}, but the limit is {limit}")).at(start));
        }
        Ok(())
    }
}

impl Writer {
    /// Writes bytes and a terminator, which must not occur in the bytes.
    #[doc(hidden)]
    pub fn terminated(&mut self, bytes: &[u8], terminator: &[u8]) -> Result<()> {
        if bytes.windows(terminator.len().max(1)).any(|found| found == terminator) {
            let message = format!("contains a {}, which would end it early", Terminator(terminator));
            return Err(Error::usage(message));
        }
        self.put(bytes);
        self.put(terminator);
        Ok(())
    }
}

/// Displays a terminator.
struct Terminator<'a>(&'a [u8]);

impl fmt::Display for Terminator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [0] => f.write_str("zero byte"),
            bytes => fmt::Display::fmt(&Preview(bytes), f),
        }
    }
}

/// The end condition of a list without a count: a function, the bytes after the list, or [`AtEnd`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot end a list",
    label = "expected `end`, a byte string such as `b\"END \"`, or a function of `&Reader` that returns `Result<bool>`"
)]
pub trait Stop {
    /// Whether the list ends at the reader's position.
    fn stops(&self, reader: &Reader<'_>) -> Result<bool>;
}

/// Ends a list at the end of the data.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct AtEnd;

impl Stop for AtEnd {
    fn stops(&self, reader: &Reader<'_>) -> Result<bool> {
        Ok(reader.is_at_end())
    }
}

/// Ends a list before these bytes, or at the end of the data.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct AtEndOr<const N: usize>(pub &'static [u8; N]);

impl<const N: usize> Stop for AtEndOr<N> {
    fn stops(&self, reader: &Reader<'_>) -> Result<bool> {
        Ok(reader.is_at_end() || reader.rest().starts_with(self.0))
    }
}

impl<const N: usize> Stop for [u8; N] {
    fn stops(&self, reader: &Reader<'_>) -> Result<bool> {
        if reader.is_at_end() {
            let message = format!("expected {} at the end of the list, found end of data", Preview(self));
            return Err(Error::malformed(message).at(reader.offset()));
        }
        Ok(reader.rest().starts_with(self))
    }
}

impl<const N: usize> Stop for &[u8; N] {
    fn stops(&self, reader: &Reader<'_>) -> Result<bool> {
        (*self).stops(reader)
    }
}

impl<F: Fn(&Reader<'_>) -> Result<bool>> Stop for F {
    fn stops(&self, reader: &Reader<'_>) -> Result<bool> {
        self(reader)
    }
}

/// A value that can be written as a number of type `T`: such a number, or a length.
#[doc(hidden)]
pub trait Stored<T> {
    /// Converts to the number.
    fn stored(self, writer: &Writer) -> Result<T>;
}

impl<T: Record> Stored<T> for T {
    fn stored(self, _writer: &Writer) -> Result<T> {
        Ok(self)
    }
}

impl<C: Count> Stored<C> for usize {
    fn stored(self, writer: &Writer) -> Result<C> {
        writer.count(self)
    }
}

/// Checks that the length of a list to be written matches the count in another field.
#[doc(hidden)]
pub fn check_same_count<C: Count>(count: C, length: usize) -> Result<()> {
    if count.to_usize() == Some(length) {
        return Ok(());
    }
    Err(Error::usage(format!("expected {count} items, as given by the fields it depends on, found {length}")))
}

/// The error for an absent field that this version requires.
#[doc(hidden)]
#[must_use]
pub fn missing() -> Error {
    Error::usage("missing, but this version of the format requires it")
}

/// The error for a field that this version does not have.
#[doc(hidden)]
#[must_use]
pub fn unsupported_in_version() -> Error {
    Error::usage("not supported by this version of the format")
}

/// All remaining bytes.
impl Record for crate::Bytes {
    type Context = ();
    const MIN_SIZE: usize = 0;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        Ok(Self::from(reader.take_rest()))
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(self);
        Ok(())
    }

    fn schema() -> Schema {
        Schema::Rest
    }
}
