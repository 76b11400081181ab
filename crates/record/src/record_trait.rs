//! The trait that everything on disk implements, nearly always by `#[derive(Record)]`.

use crate::{Reader, Result, Writer};

/// Something that stands in a file: read from bytes, written back to the same bytes.
///
/// Derive it. Write it by hand only for what the derive cannot say (bit-packed commands, two possible tails).
///
/// A version or flag that changes the layout is the *context*; it is given to reading and writing alike.
pub trait Record: Sized {
    /// What the layout depends on besides the bytes: a version, a flag. `()` where it depends on nothing.
    type Context: Copy;

    /// The fewest bytes any value takes. A count is refused when the bytes left cannot hold that many.
    const MIN_SIZE: usize;

    /// The fewest bytes any value takes in this context: counts are compared with it, so the nearer the better.
    #[must_use]
    #[inline]
    fn min_size(_context: Self::Context) -> usize {
        Self::MIN_SIZE
    }

    /// Reads one value and moves the reader behind it.
    ///
    /// # Errors
    /// When the bytes end early or are not what the format allows; the error says where.
    fn read(reader: &mut Reader<'_>, context: Self::Context) -> Result<Self>;

    /// Writes the value; what was read is written as the same bytes.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) when the layout of this context has no room for the value.
    fn write(&self, writer: &mut Writer, context: Self::Context) -> Result<()>;

    /// Reads `count` values in a row. The count has been checked against the bytes left.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_list(reader: &mut Reader<'_>, count: usize, context: Self::Context) -> Result<Vec<Self>> {
        reader.items(count, |reader| Self::read(reader, context))
    }

    /// Writes values in a row.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn write_list(list: &[Self], writer: &mut Writer, context: Self::Context) -> Result<()> {
        for (index, item) in list.iter().enumerate() {
            item.write(writer, context).map_err(|error| error.in_item(index))?;
        }
        Ok(())
    }

    /// Reads a fixed number of values.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_array<const N: usize>(reader: &mut Reader<'_>, context: Self::Context) -> Result<[Self; N]> {
        let start = reader.offset();
        let list = Self::read_list(reader, N, context)?;
        list.try_into().map_err(|_| crate::Error::malformed("array length mismatch").at(start))
    }

    /// Reads `count` arrays in a row: a list of triangles is read as fast as a list of numbers.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_arrays<const N: usize>(
        reader: &mut Reader<'_>,
        count: usize,
        context: Self::Context,
    ) -> Result<Vec<[Self; N]>> {
        reader.items(count, |reader| Self::read_array(reader, context))
    }

    /// Writes arrays in a row.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    fn write_arrays<const N: usize>(
        list: &[[Self; N]],
        writer: &mut Writer,
        context: Self::Context,
    ) -> Result<()> {
        for (index, item) in list.iter().enumerate() {
            Self::write_list(item, writer, context).map_err(|error| error.in_item(index))?;
        }
        Ok(())
    }
}

impl<T: Record, const N: usize> Record for [T; N] {
    type Context = T::Context;
    const MIN_SIZE: usize = T::MIN_SIZE * N;

    #[inline]
    fn min_size(context: Self::Context) -> usize {
        T::min_size(context).saturating_mul(N)
    }

    fn read(reader: &mut Reader<'_>, context: Self::Context) -> Result<Self> {
        T::read_array(reader, context)
    }

    fn write(&self, writer: &mut Writer, context: Self::Context) -> Result<()> {
        T::write_list(self, writer, context)
    }

    fn read_list(reader: &mut Reader<'_>, count: usize, context: Self::Context) -> Result<Vec<Self>> {
        T::read_arrays(reader, count, context)
    }

    fn write_list(list: &[Self], writer: &mut Writer, context: Self::Context) -> Result<()> {
        T::write_arrays(list, writer, context)
    }
}

/// The record itself, kept elsewhere in memory: it keeps enums small.
impl<T: Record> Record for Box<T> {
    type Context = T::Context;
    const MIN_SIZE: usize = T::MIN_SIZE;

    fn min_size(context: Self::Context) -> usize {
        T::min_size(context)
    }

    fn read(reader: &mut Reader<'_>, context: Self::Context) -> Result<Self> {
        T::read(reader, context).map(Self::new)
    }

    fn write(&self, writer: &mut Writer, context: Self::Context) -> Result<()> {
        T::write(self, writer, context)
    }
}

/// A list of records as a field holds it: a `Vec`, a boxed slice, or [`Bytes`](crate::Bytes).
pub trait Sequence {
    /// What the list is made of.
    type Item: Record;

    /// The list with these items.
    fn from_items(items: Vec<Self::Item>) -> Self;

    /// The items in order.
    fn items(&self) -> &[Self::Item];
}

impl<T: Record> Sequence for Vec<T> {
    type Item = T;

    fn from_items(items: Vec<T>) -> Self {
        items
    }

    fn items(&self) -> &[T] {
        self
    }
}

impl<T: Record> Sequence for Box<[T]> {
    type Item = T;

    fn from_items(items: Vec<T>) -> Self {
        items.into()
    }

    fn items(&self) -> &[T] {
        self
    }
}
