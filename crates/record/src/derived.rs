//! What derived code calls.

use crate::number::Count;
use crate::{Error, Reader, Record, Result, Writer};

impl Reader<'_> {
    /// Reads bytes that must be these.
    ///
    /// # Errors
    /// [`Kind::Malformed`](crate::Kind::Malformed) when they are others.
    pub fn magic(&mut self, magic: &[u8]) -> Result<()> {
        self.field("magic", |reader| {
            let start = reader.offset();
            let found = reader.take(magic.len())?;
            if found != magic {
                let (found, wanted) = (crate::bytes::Preview(found), crate::bytes::Preview(magic));
                return Err(Error::malformed(format!("{found} stand here instead of {wanted}")).at(start));
            }
            reader.leaf(start, &crate::bytes::Preview(magic));
            Ok(())
        })
    }

    /// Refuses a count above a documented limit. `start` is where the field starts.
    ///
    /// # Errors
    /// [`Kind::Limit`](crate::Kind::Limit).
    pub fn check_limit(&self, count: usize, limit: usize, start: u64) -> Result<()> {
        if count > limit {
            return Err(
                Error::limit(format!("{count} are more than the {limit} this program reads")).at(start)
            );
        }
        Ok(())
    }
}

/// An offset or a size from a field of any number type.
#[doc(hidden)]
pub fn to_offset<C: Count>(value: C) -> Result<u64> {
    value
        .to_usize()
        .and_then(|value| u64::try_from(value).ok())
        .ok_or_else(|| Error::malformed(format!("{value} cannot be an offset or a size")))
}

/// An offset or a size as the number type of a field.
#[doc(hidden)]
pub fn from_offset<C: Count>(value: u64) -> Result<C> {
    usize::try_from(value).ok().and_then(C::from_usize).ok_or_else(|| {
        let number = std::any::type_name::<C>();
        Error::usage(format!(
            "the file grows beyond what its offsets can say: {value:#x} does not fit a {number}"
        ))
    })
}

/// Where the last `size` bytes of the file start.
#[doc(hidden)]
pub fn from_end(reader: &Reader<'_>, size: u64) -> Result<u64> {
    reader.file_len().checked_sub(size).ok_or_else(|| {
        let length = reader.file_len();
        Error::malformed(format!("{size} bytes are needed at the end of a file of {length}"))
            .at(reader.offset())
    })
}

/// Refuses to write a list whose length another field says otherwise.
#[doc(hidden)]
pub fn same_count<C: Count>(count: C, length: usize) -> Result<()> {
    if count.to_usize() == Some(length) {
        return Ok(());
    }
    Err(Error::usage(format!("it holds {length} items where the fields it depends on ask for {count}")))
}

/// A field is absent that this version has.
#[doc(hidden)]
#[must_use]
pub fn missing() -> Error {
    Error::usage("it is absent, but this version of the format has it")
}

/// A field is there that this version does not have.
#[doc(hidden)]
#[must_use]
pub fn no_room() -> Error {
    Error::usage("this version of the format has no room for it")
}

/// Everything that is left, as bytes.
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
}
