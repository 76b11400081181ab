//! The trait of all on-disk structures, usually derived with `#[derive(Record)]`.

use crate::schema::{ByHand, Schema, TypeDoc};
use crate::{Reader, Result, Writer};

/// A value with a binary encoding: read from bytes and written back to the same bytes.
///
/// Implement it with `#[derive(Record)]`. Implement it by hand only for encodings that the derive cannot express (bit-packed commands, two
/// possible tails).
///
/// A version or flag that changes the layout is the *context*, which is passed when reading and when writing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record",
    label = "expected a type that implements `Record`",
    note = "derive `Record` for it, or read and write the field by a module: `#[record(by = module)]`"
)]
pub trait Record: Sized {
    /// The information that the layout depends on in addition to the bytes, such as a version or a flag; `()` if there is none.
    type Context: Copy;

    /// Minimum size of any value in bytes. A count is an error if the remaining bytes cannot hold that many values of this size.
    const MIN_SIZE: usize;

    /// Minimum size of any value in this context, in bytes. Counts are checked with it, so a tighter bound detects more errors.
    #[must_use]
    #[inline]
    fn min_size(_context: Self::Context) -> usize {
        Self::MIN_SIZE
    }

    /// Reads one value and moves the reader past it.
    ///
    /// # Errors
    /// If the bytes end early or violate the format. The error contains the offset.
    fn read(reader: &mut Reader<'_>, context: Self::Context) -> Result<Self>;

    /// Writes the value. An unchanged value is written as the bytes that it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) if the layout of this context cannot store the value.
    fn write(&self, writer: &mut Writer, context: Self::Context) -> Result<()>;

    /// Describes the encoding. An implementation by hand gets the description from the attribute [`by_hand`](crate::by_hand).
    #[must_use]
    fn schema() -> Schema {
        Schema::ByHand(
            const {
                &ByHand {
                    doc: TypeDoc { path: std::any::type_name::<Self>, about: "" },
                    context: None,
                    reason: "",
                    fields: &[],
                    parts: &[],
                }
            },
        )
    }

    /// Reads `count` consecutive values. The count has been checked against the remaining bytes.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    fn read_list(reader: &mut Reader<'_>, count: usize, context: Self::Context) -> Result<Vec<Self>> {
        reader.items(count, |reader| Self::read(reader, context))
    }

    /// Writes consecutive values.
    ///
    /// # Errors
    /// Same as [`write`](Self::write).
    fn write_list(list: &[Self], writer: &mut Writer, context: Self::Context) -> Result<()> {
        for (index, item) in list.iter().enumerate() {
            item.write(writer, context).map_err(|error| error.in_item(index))?;
        }
        Ok(())
    }

    /// Reads a fixed number of values.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    fn read_array<const N: usize>(reader: &mut Reader<'_>, context: Self::Context) -> Result<[Self; N]> {
        let start = reader.offset();
        let list = Self::read_list(reader, N, context)?;
        list.try_into().map_err(|_| crate::Error::malformed("array length mismatch").at(start))
    }

    /// Reads `count` consecutive arrays. A list of triangles is read as fast as a list of numbers.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    fn read_arrays<const N: usize>(
        reader: &mut Reader<'_>,
        count: usize,
        context: Self::Context,
    ) -> Result<Vec<[Self; N]>> {
        reader.items(count, |reader| Self::read_array(reader, context))
    }

    /// Writes consecutive arrays.
    ///
    /// # Errors
    /// Same as [`write`](Self::write).
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

    fn schema() -> Schema {
        Schema::Array(T::schema, N)
    }
}

/// A record on the heap, which keeps enums small. The encoding is the same.
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

    fn schema() -> Schema {
        T::schema()
    }
}

/// A field type that holds a list of records: a `Vec`, a boxed slice, or [`Bytes`](crate::Bytes).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "expected `Vec<...>`, `Box<[...]>` or `Bytes`"
)]
pub trait Sequence {
    /// The type of the items.
    type Item: Record;

    /// Creates a list from items.
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
