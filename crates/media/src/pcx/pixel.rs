//! The pixels of a picture: raw rows or run lengths.

use record::{Bytes, Error, Result};

use super::layout::{Header, Pcx};
use crate::picture::Colors;
use crate::picture::single::{Lines, Rows, Run, unpack_rows};
use crate::picture::{Budget, Edited};
use record::Raw;

/// Bytes from this value on contain the repeat count of the next byte in their lower six bits.
const REPEAT: u8 = 0xc0;

/// Maximum length of a run.
const LONGEST: usize = 63;

impl Pcx {
    /// Creates a picture from pixels, one index each, with rows from the top.
    ///
    /// # Errors
    /// When the number of pixels does not match the size.
    pub fn new((width, height): (u16, u16), palette: Colors, indices: Vec<u8>) -> Result<Self> {
        let picture = Edited { width: width.into(), height: height.into(), indices };
        let count = usize::from(width).saturating_mul(height.into());
        if count == 0 || picture.indices.len() != count {
            let message = format!("{width} x {height} pixels expected, found {}", picture.indices.len());
            return Err(Error::usage(message));
        }
        let header = Header {
            manufacturer: 10,
            version: 5,
            encoding: 1,
            bits: 8,
            x_min: 0,
            y_min: 0,
            x_max: width.saturating_sub(1),
            y_max: height.saturating_sub(1),
            dpi: [72, 72],
            colors_16: Raw::default(),
            unknown_0x40: 0,
            planes: 1,
            bytes_per_line: stride(picture.width)?,
            palette_kind: 1,
            screen: [0, 0],
            unknown_0x4a: Raw::default(),
        };
        let lines = Lines { stride: 0, bytes: Vec::new() }.with(&picture, header.bytes_per_line.into());
        Ok(Self { header, body: Bytes(pack_lines(&lines)), palette: Some(palette) })
    }

    /// Returns the size and the rows of the picture.
    pub(super) fn rows(&self) -> Result<((u32, u32), Rows)> {
        let header = &self.header;
        let field = |error: Error, name: &'static str| error.in_field(name).in_field("header");
        let size = header.size().ok_or_else(|| {
            let message = format!(
                "columns {} to {} and rows {} to {} are not a valid area",
                header.x_min, header.x_max, header.y_min, header.y_max
            );
            field(Error::malformed(message), "x_min")
        })?;
        let (width, height) = size;
        let stride = usize::from(header.bytes_per_line);
        if u32::from(header.bytes_per_line) < width {
            let message = format!("bytes_per_line is {stride}, too small for {width} pixels");
            return Err(field(Error::malformed(message), "bytes_per_line"));
        }
        Budget::default()
            .take(header.bytes_per_line.into(), height, 1)
            .map_err(|error| field(error, "bytes_per_line"))?;
        let count = usize::try_from(height).unwrap_or(usize::MAX);
        match header.encoding {
            0 => {
                let all = stride.saturating_mul(count);
                let bytes = self.body.get(..all).ok_or_else(|| {
                    let message = format!(
                        "{count} rows of {stride} bytes need {all} bytes, but there are {}",
                        self.body.len()
                    );
                    Error::malformed(message).in_field("body")
                })?;
                let lines = Lines { stride, bytes: bytes.to_vec() };
                Ok((size, Rows { lines, left: self.body.len().saturating_sub(all), crossing: 0 }))
            }
            1 => unpack_rows(&self.body, (stride, count), Header::SIZE, next_run)
                .map(|rows| (size, rows))
                .map_err(|error| error.in_field("body")),
            other => {
                let message = format!("unknown encoding {other} (known: 0, 1)");
                Err(field(Error::unsupported(message), "encoding"))
            }
        }
    }

    /// Returns the pixels, one index each, with rows from the top and without padding.
    ///
    /// # Errors
    /// When the size is invalid or the rows do not match it.
    pub fn picture(&self) -> Result<Vec<u8>> {
        self.edited().map(|picture| picture.indices)
    }

    pub(super) fn edited(&self) -> Result<Edited> {
        let ((width, height), rows) = self.rows()?;
        let indices = rows.lines.without_padding(usize::try_from(width).unwrap_or(usize::MAX));
        Ok(Edited { width, height, indices })
    }

    /// Replaces the pixels, and keeps the encoding.
    pub(super) fn set(&mut self, picture: &Edited) -> Result<()> {
        let (size, rows) = self.rows()?;
        let mut header = self.header.clone();
        if size != (picture.width, picture.height) {
            let last = |least: u16, side: u32| {
                let last = u32::from(least).saturating_add(side).saturating_sub(1);
                let message = format!("a side of {side} pixels is too long (limit: 65535)");
                u16::try_from(last).map_err(|_| Error::usage(message))
            };
            header.x_max = last(header.x_min, picture.width)?;
            header.y_max = last(header.y_min, picture.height)?;
            header.bytes_per_line = stride(picture.width)?;
        }
        let lines = rows.lines.with(picture, header.bytes_per_line.into());
        let mut bytes = if header.encoding == 0 { lines.bytes } else { pack_lines(&lines) };
        let left = self.body.len().saturating_sub(rows.left);
        bytes.extend_from_slice(self.body.get(left..).unwrap_or_default());
        (self.header, self.body) = (header, Bytes(bytes));
        Ok(())
    }
}

/// Returns the number of bytes per row, which is even.
fn stride(width: u32) -> Result<u16> {
    let message = format!("a side of {width} pixels is too long (limit: 65535)");
    u16::try_from(width.next_multiple_of(2)).map_err(|_| Error::usage(message))
}

fn next_run<'a>(rest: &mut &'a [u8]) -> Option<Run<'a>> {
    let (control, following) = rest.split_first()?;
    if *control < REPEAT {
        let (pixel, following) = rest.split_at_checked(1)?;
        *rest = following;
        return Some(Run::Pixels(pixel));
    }
    let (pixel, following) = following.split_first()?;
    *rest = following;
    Some(Run::Repeat(usize::from(*control & !REPEAT), *pixel))
}

/// Encodes each row separately. Two or more equal bytes become a run, and so does every byte that would be read as a run marker.
fn pack_lines(lines: &Lines) -> Vec<u8> {
    let mut out = Vec::new();
    for row in lines.bytes.chunks_exact(lines.stride.max(1)) {
        let mut rest = row;
        while let Some(first) = rest.first() {
            let equal = rest.iter().take(LONGEST).take_while(|byte| *byte == first).count();
            if equal > 1 || *first >= REPEAT {
                out.push(u8::try_from(equal).unwrap_or_default() | REPEAT);
            }
            out.push(*first);
            rest = rest.get(equal..).unwrap_or_default();
        }
    }
    out
}
