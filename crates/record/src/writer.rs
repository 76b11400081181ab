//! Writes records as bytes.

use crate::number::{Count, Flat};
use crate::order::Order;
use crate::source::length_of;
use crate::{Error, Record, Result};

/// A growing buffer of bytes with a byte order.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    order: Order,
    /// Offset of the first byte in the file.
    base: u64,
}

/// Bytes reserved by [`Writer::reserve`], to be filled by [`Writer::patch`].
#[derive(Debug)]
#[must_use = "reserved bytes are zeros until they are patched"]
pub struct Reserved {
    start: usize,
    size: usize,
}

impl Writer {
    /// Creates a writer at the start of a file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a writer with the given capacity in bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Creates a writer for a part that will be stored at offset `base`, with the same byte order.
    pub(crate) fn part(&self, base: u64) -> Self {
        Self { bytes: Vec::new(), order: self.order, base }
    }

    /// Offset of the next byte in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(length_of(&self.bytes))
    }

    /// Returns the written bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The current byte order.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// Appends bytes unchanged.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes with another byte order, then restores the previous one.
    ///
    /// # Errors
    /// Those of `write`.
    #[inline]
    pub fn with_order<T>(&mut self, order: Order, write: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.order, order);
        let result = write(self);
        self.order = before;
        result
    }

    /// Writes the field `name`, which is added to the paths of errors.
    ///
    /// # Errors
    /// Those of `write`.
    #[inline]
    pub fn field<T>(&mut self, name: &'static str, write: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        write(self).map_err(|error| error.in_field(name))
    }

    /// Writes the number of items as a `C`, then the items.
    ///
    /// # Errors
    /// If the number of items does not fit into a `C`, and those of the items.
    #[inline]
    pub fn counted<C: Count, T: Record>(&mut self, list: &[T], context: T::Context) -> Result<()> {
        self.count::<C>(list.len())?.write(self, ())?;
        T::write_list(list, self, context)
    }

    /// Converts a length to the integer type of the file.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) if it does not fit.
    #[inline]
    pub fn count<C: Count>(&self, length: usize) -> Result<C> {
        C::from_usize(length).ok_or_else(|| {
            Error::usage(format!("{length} does not fit in the file's {}", std::any::type_name::<C>()))
        })
    }

    /// Writes one flat record.
    #[doc(hidden)]
    #[inline]
    pub fn flat<T: Flat>(&mut self, value: &T) {
        self.block(T::SIZE, |order, bytes| match order {
            Order::Little => value.encode::<false>(bytes),
            Order::Big => value.encode::<true>(bytes),
        });
    }

    /// Writes a block of flat records.
    #[doc(hidden)]
    #[inline]
    pub fn flat_list<T: Flat>(&mut self, list: &[T]) {
        self.block(T::SIZE.saturating_mul(list.len()), |order, bytes| match order {
            Order::Little => T::encode_list::<false>(list, bytes),
            Order::Big => T::encode_list::<true>(list, bytes),
        });
    }

    #[inline]
    fn block(&mut self, size: usize, fill: impl FnOnce(Order, &mut [u8])) {
        let start = self.bytes.len();
        self.bytes.resize(start.saturating_add(size), 0);
        fill(self.order, self.bytes.get_mut(start..).unwrap_or_default());
    }

    /// Reserves `size` bytes for a value that is not known yet, such as an offset or a length.
    pub fn reserve(&mut self, size: usize) -> Reserved {
        let start = self.bytes.len();
        self.block(size, |_, _| ());
        Reserved { start, size }
    }

    /// Fills reserved bytes.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) if the record does not have the reserved size, and those of the record.
    #[expect(clippy::needless_pass_by_value, reason = "reserved bytes are filled once")]
    pub fn patch<T: Record>(&mut self, reserved: Reserved, value: &T, context: T::Context) -> Result<()> {
        let mut part = self.part(self.base.saturating_add(u64::try_from(reserved.start).unwrap_or(u64::MAX)));
        value.write(&mut part, context)?;
        let end = reserved.start.saturating_add(reserved.size);
        match self.bytes.get_mut(reserved.start..end) {
            Some(bytes) if part.bytes.len() == bytes.len() => {
                bytes.copy_from_slice(&part.bytes);
                Ok(())
            }
            _ => Err(Error::usage(format!(
                "{} bytes do not match the {} that were reserved",
                part.bytes.len(),
                reserved.size
            ))),
        }
    }
}

/// Writes a record as a complete file.
///
/// # Errors
/// Those of the record.
pub fn write_whole<T: Record>(value: &T, context: T::Context) -> Result<Vec<u8>> {
    let mut writer = Writer::new();
    value.write(&mut writer, context)?;
    Ok(writer.into_bytes())
}
