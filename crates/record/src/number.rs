//! Flat records: numbers, arrays of numbers, and structs of them, whose lists are read and written as one block.

use crate::schema::{Number, Schema};
use crate::{Error, Order, Reader, Record, Result, Writer};

/// A record of fixed size in which every bit pattern is a valid value.
///
/// Lists of flat records are read as one block. `#[derive(Record)]` implements this trait for structs of plain numbers
/// and arrays of numbers, and for other structs with `#[record(flat)]`.
pub trait Flat: Sized {
    /// Size of the record in bytes.
    const SIZE: usize;

    /// Decodes a value from [`SIZE`](Self::SIZE) bytes. Missing bytes are treated as zeros.
    fn decode<const BIG: bool>(bytes: &[u8]) -> Self;

    /// Encodes the value into [`SIZE`](Self::SIZE) bytes.
    fn encode<const BIG: bool>(&self, bytes: &mut [u8]);

    /// Decodes consecutive values from a block of bytes.
    fn decode_list<const BIG: bool>(bytes: &[u8]) -> Vec<Self> {
        bytes.chunks_exact(Self::SIZE.max(1)).map(Self::decode::<BIG>).collect()
    }

    /// Encodes values consecutively into a block of bytes.
    fn encode_list<const BIG: bool>(list: &[Self], bytes: &mut [u8]) {
        for (value, bytes) in list.iter().zip(bytes.chunks_exact_mut(Self::SIZE.max(1))) {
            value.encode::<BIG>(bytes);
        }
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    const SIZE: usize = T::SIZE * N;

    #[inline]
    fn decode<const BIG: bool>(bytes: &[u8]) -> Self {
        let mut chunks = bytes.chunks_exact(T::SIZE.max(1));
        std::array::from_fn(|_| T::decode::<BIG>(chunks.next().unwrap_or_default()))
    }

    #[inline]
    fn encode<const BIG: bool>(&self, bytes: &mut [u8]) {
        T::encode_list::<BIG>(self, bytes);
    }
}

/// Implements the bulk methods of [`Record`] for a [`Flat`] type. Used by the derive.
#[doc(hidden)]
#[macro_export]
macro_rules! flat_lists {
    () => {
        #[inline]
        fn read_list(
            reader: &mut $crate::Reader<'_>,
            count: usize,
            _context: (),
        ) -> $crate::Result<::std::vec::Vec<Self>> {
            reader.flat_list(count)
        }

        #[inline]
        fn write_list(list: &[Self], writer: &mut $crate::Writer, _context: ()) -> $crate::Result<()> {
            writer.flat_list(list);
            Ok(())
        }

        #[inline]
        fn read_array<const N: usize>(
            reader: &mut $crate::Reader<'_>,
            _context: (),
        ) -> $crate::Result<[Self; N]> {
            reader.flat_array()
        }

        #[inline]
        fn read_arrays<const N: usize>(
            reader: &mut $crate::Reader<'_>,
            count: usize,
            _context: (),
        ) -> $crate::Result<::std::vec::Vec<[Self; N]>> {
            reader.flat_list(count)
        }

        #[inline]
        fn write_arrays<const N: usize>(
            list: &[[Self; N]],
            writer: &mut $crate::Writer,
            _context: (),
        ) -> $crate::Result<()> {
            writer.flat_list(list);
            Ok(())
        }
    };
}

macro_rules! number {
    ($($number:ty: $schema:expr),*) => {$(
        impl Flat for $number {
            const SIZE: usize = size_of::<$number>();

            #[inline]
            fn decode<const BIG: bool>(bytes: &[u8]) -> Self {
                let bytes = bytes.first_chunk().copied().unwrap_or_default();
                if BIG { Self::from_be_bytes(bytes) } else { Self::from_le_bytes(bytes) }
            }

            #[inline]
            fn encode<const BIG: bool>(&self, bytes: &mut [u8]) {
                if let Some(bytes) = bytes.first_chunk_mut() {
                    *bytes = if BIG { self.to_be_bytes() } else { self.to_le_bytes() };
                }
            }
        }

        impl Record for $number {
            type Context = ();
            const MIN_SIZE: usize = size_of::<$number>();

            #[inline]
            fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
                let start = reader.offset();
                let bytes = reader.take(Self::MIN_SIZE)?;
                let value = match reader.order() {
                    Order::Little => Self::decode::<false>(bytes),
                    Order::Big => Self::decode::<true>(bytes),
                };
                reader.leaf(start, &value);
                Ok(value)
            }

            #[inline]
            fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
                writer.flat(self);
                Ok(())
            }

            fn schema() -> Schema {
                Schema::Number($schema)
            }

            flat_lists!();
        }
    )*};
}

number!(
    i8: Number::Signed(1),
    u16: Number::Unsigned(2),
    i16: Number::Signed(2),
    u32: Number::Unsigned(4),
    i32: Number::Signed(4),
    u64: Number::Unsigned(8),
    i64: Number::Signed(8),
    f32: Number::Float(4),
    f64: Number::Float(8)
);

impl Flat for u8 {
    const SIZE: usize = 1;

    #[inline]
    fn decode<const BIG: bool>(bytes: &[u8]) -> Self {
        bytes.first().copied().unwrap_or_default()
    }

    #[inline]
    fn encode<const BIG: bool>(&self, bytes: &mut [u8]) {
        if let Some(byte) = bytes.first_mut() {
            *byte = *self;
        }
    }

    fn decode_list<const BIG: bool>(bytes: &[u8]) -> Vec<Self> {
        bytes.to_vec()
    }

    fn encode_list<const BIG: bool>(list: &[Self], bytes: &mut [u8]) {
        if let Some(bytes) = bytes.get_mut(..list.len()) {
            bytes.copy_from_slice(list);
        }
    }
}

/// A list of bytes is a single span, not one span per byte.
impl Record for u8 {
    type Context = ();
    const MIN_SIZE: usize = 1;

    #[inline]
    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let start = reader.offset();
        let value = Self::decode::<false>(reader.take(1)?);
        reader.leaf(start, &value);
        Ok(value)
    }

    #[inline]
    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(&[*self]);
        Ok(())
    }

    fn schema() -> Schema {
        Schema::Number(Number::Unsigned(1))
    }

    fn read_list(reader: &mut Reader<'_>, count: usize, _context: ()) -> Result<Vec<Self>> {
        let start = reader.offset();
        let bytes = reader.take(count)?;
        reader.leaf(start, &crate::bytes::Preview(bytes));
        Ok(bytes.to_vec())
    }

    fn write_list(list: &[Self], writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(list);
        Ok(())
    }

    #[inline]
    fn read_array<const N: usize>(reader: &mut Reader<'_>, _context: ()) -> Result<[Self; N]> {
        let start = reader.offset();
        let bytes = reader.take(N)?;
        reader.leaf(start, &crate::bytes::Preview(bytes));
        bytes.first_chunk().copied().ok_or_else(|| Error::malformed("array length mismatch").at(start))
    }

    fn read_arrays<const N: usize>(
        reader: &mut Reader<'_>,
        count: usize,
        _context: (),
    ) -> Result<Vec<[Self; N]>> {
        reader.flat_list(count)
    }

    fn write_arrays<const N: usize>(list: &[[Self; N]], writer: &mut Writer, _context: ()) -> Result<()> {
        writer.flat_list(list);
        Ok(())
    }
}

/// An integer type that stores a count, a length or an offset.
pub trait Count: Record<Context = ()> + Copy + std::fmt::Display {
    /// Converts to `usize`. Returns `None` if the number is negative or too large.
    fn to_usize(self) -> Option<usize>;

    /// Converts from `usize`. Returns `None` if the value does not fit.
    fn from_usize(value: usize) -> Option<Self>;
}

macro_rules! count {
    ($($number:ty),*) => {$(
        impl Count for $number {
            #[inline]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            #[inline]
            fn from_usize(value: usize) -> Option<Self> {
                Self::try_from(value).ok()
            }
        }
    )*};
}

count!(u8, i8, u16, i16, u32, i32, u64, i64);
