//! Pixels of one byte each, for records that store the size first: `#[record(by = pixels(width, height))]`.

use record::{Bytes, Error, Reader, Record, Result, Writer};

pub(crate) fn read(reader: &mut Reader<'_>, width: u16, height: u16) -> Result<Bytes> {
    let count = u32::from(width).saturating_mul(height.into());
    let left = reader.remaining();
    if usize::try_from(count).map_or(true, |count| count > left) {
        let message = format!("{width} x {height} pixels need {count} bytes, but only {left} are left");
        return Err(Error::malformed(message).at(reader.offset()));
    }
    reader.within(count, |reader| Bytes::read(reader, ()))
}

pub(crate) fn write(pixels: &Bytes, writer: &mut Writer, width: u16, height: u16) -> Result<()> {
    let (found, count) = (pixels.len(), usize::from(width).saturating_mul(height.into()));
    if found != count {
        let message = format!("{width} x {height} pixels need {count} bytes, but there are {found}");
        return Err(Error::usage(message));
    }
    pixels.write(writer, ())
}
