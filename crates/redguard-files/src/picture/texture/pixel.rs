//! Decodes the pixels of a record: a solid color, a page, runs with gaps, or rows of run lengths.

use record::{Error, Result};

use super::layout::{DESCRIPTOR, Descriptor, TextureSet, flag};
use crate::picture::delay_of;
use media::picture::{Frames, MOST_PIXELS};
use scene::image::Delay;

/// The encoding of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelEncoding {
    /// A solid color without a descriptor.
    Solid,
    /// A placeholder without pixels.
    Empty,
    /// One frame with rows at a fixed distance.
    Single {
        /// The distance between the starts of rows in bytes.
        stride: usize,
    },
    /// Frames of runs with transparent gaps.
    Multi,
    /// Frames of run-length encoded rows or plain rows.
    Runs,
}

impl PixelEncoding {
    /// Returns the name of the encoding.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Empty => "empty",
            Self::Single { .. } => "single",
            Self::Multi => "multi",
            Self::Runs => "rle",
        }
    }
}

/// The validated location and size of a record's pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureLayout {
    /// The pixel encoding.
    pub encoding: PixelEncoding,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// The number of frames.
    pub frames: usize,
    /// Offset of the descriptor in the file.
    pub descriptor_at: usize,
    /// Offset of the pixels in the file.
    pub data_at: usize,
}

/// The number of columns of a page.
pub(super) const PAGE: usize = 256;

/// The side length in pixels of the square that a solid color is converted to.
pub(super) const SWATCH: usize = 32;

/// The flag of run-length encoded rows in a row table.
pub(super) const PACKED_ROW: u16 = 0x8000;

fn offset(position: usize) -> u64 {
    u64::try_from(position).unwrap_or(u64::MAX)
}

fn malformed(message: impl Into<String>, position: usize) -> Error {
    Error::malformed(message).at(offset(position))
}

impl Descriptor {
    fn has_runs(&self) -> bool {
        self.flags & !flag::UNKNOWN_0X1000 == flag::RUNS | flag::CLEAR
    }

    /// Whether index 0 is transparent.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.flags & flag::CLEAR != 0
    }

    /// Returns the duration of a frame.
    #[must_use]
    pub fn delay(&self) -> Delay {
        if self.frame_delay == 0 { delay_of(1) } else { Delay::milliseconds(self.frame_delay) }
    }
}

impl TextureSet {
    /// Returns the encoding and size of a record; `None` if the index is out of range.
    ///
    /// # Errors
    /// Returns an error if the position or the size of the record is invalid, or its pixels are out of bounds.
    pub fn layout(&self, index: usize) -> Option<Result<PictureLayout>> {
        let record = self.records.get(index)?;
        Some(match (&record.descriptor, record.entry.position) {
            (Some(descriptor), _) => {
                self.layout_of(descriptor, usize::try_from(record.entry.position).unwrap_or(usize::MAX))
            }
            (None, 0) => Ok(PictureLayout {
                encoding: PixelEncoding::Solid,
                width: SWATCH,
                height: SWATCH,
                frames: 1,
                descriptor_at: 0,
                data_at: 0,
            }),
            (None, position) => {
                let entry_at = 26_usize.saturating_add(index.saturating_mul(20)).saturating_add(2);
                Err(malformed(
                    format!(
                        "position {position} is out of bounds (after the directory, file size {})",
                        self.len()
                    ),
                    entry_at,
                )
                .in_field("position")
                .in_field("entry")
                .in_item(index)
                .in_field("records"))
            }
        })
    }

    fn layout_of(&self, descriptor: &Descriptor, at: usize) -> Result<PictureLayout> {
        let side = |number: i16, field_offset: usize, name: &'static str| {
            usize::try_from(number).map_err(|_| {
                malformed(format!("{number} is not a valid size"), at.saturating_add(field_offset))
                    .in_field(name)
                    .in_field("descriptor")
            })
        };
        let (width, height) = (side(descriptor.width, 4, "width")?, side(descriptor.height, 6, "height")?);
        let frames = usize::from(descriptor.frame_count);
        let empty = frames == 0 || width == 0 || height == 0;
        let layout = PictureLayout {
            encoding: PixelEncoding::Empty,
            width,
            height,
            frames,
            descriptor_at: at,
            data_at: at,
        };
        if empty {
            return Ok(PictureLayout { frames: 0, ..layout });
        }
        let data_offset = usize::try_from(descriptor.data_offset).unwrap_or(usize::MAX);
        let data_at = at.saturating_add(data_offset);
        if data_offset < DESCRIPTOR || data_at >= self.len() {
            let message = format!("data_offset {data_offset} is out of bounds");
            return Err(malformed(message, at.saturating_add(14))
                .in_field("data_offset")
                .in_field("descriptor"));
        }
        let encoding = match frames {
            _ if descriptor.has_runs() => PixelEncoding::Runs,
            1 => self.single(descriptor, &PictureLayout { data_at, ..layout })?,
            _ => PixelEncoding::Multi,
        };
        let layout = PictureLayout { encoding, data_at, ..layout };
        let table = match encoding {
            PixelEncoding::Multi => frames.saturating_mul(4),
            PixelEncoding::Runs => frames.saturating_mul(height).saturating_mul(4),
            _ => 0,
        };
        if self.bytes_at(data_at, table).is_none() {
            let message = format!(
                "the table for {frames} frames of {width} x {height} pixels needs {table} bytes, but the file ends early"
            );
            return Err(malformed(message, data_at));
        }
        Ok(layout)
    }

    /// Determines the row distance of a record with one frame. Usually the record is in a page of 256 columns; otherwise
    /// consecutive rows are tried first, then a page, then runs.
    fn single(&self, descriptor: &Descriptor, layout: &PictureLayout) -> Result<PixelEncoding> {
        let fits = |stride: usize| {
            let needed = stride.saturating_mul(layout.height.saturating_sub(1)).saturating_add(layout.width);
            self.bytes_at(layout.data_at, needed).is_some()
        };
        let gap = PAGE.checked_sub(layout.width).and_then(|gap| i16::try_from(gap).ok());
        let in_page = descriptor.flags & flag::PAGE != 0 || gap == Some(descriptor.row_gap);
        let strides = if in_page { [PAGE, PAGE] } else { [layout.width, PAGE] };
        if let Some(stride) = strides.into_iter().find(|stride| fits(*stride)) {
            return Ok(PixelEncoding::Single { stride });
        }
        let as_runs = PictureLayout { encoding: PixelEncoding::Multi, ..*layout };
        if self.bytes_at(layout.data_at, 4).is_some() && self.frame(&as_runs, 0).is_ok() {
            return Ok(PixelEncoding::Multi);
        }
        let PictureLayout { width, height, data_at, .. } = layout;
        let message =
            format!("{width} x {height} pixels at {data_at:#x} exceed the file of {} bytes", self.len());
        Err(malformed(message, *data_at))
    }

    /// Decodes one frame of a record with a picture, one index per pixel.
    ///
    /// # Errors
    /// Returns an error if the data is malformed.
    pub fn frame(&self, layout: &PictureLayout, frame: usize) -> Result<Vec<u8>> {
        let pixels = u64::try_from(layout.width.saturating_mul(layout.height)).unwrap_or(u64::MAX);
        if pixels > MOST_PIXELS {
            let PictureLayout { width, height, descriptor_at, .. } = *layout;
            let message =
                format!("{width} x {height} pixels are too many for a picture (limit: {MOST_PIXELS})");
            return Err(Error::limit(message).at(offset(descriptor_at)));
        }
        match layout.encoding {
            PixelEncoding::Solid | PixelEncoding::Empty => Ok(Vec::new()),
            PixelEncoding::Single { stride } => self.page(layout, stride),
            PixelEncoding::Multi => self.runs_with_gaps(layout, frame),
            PixelEncoding::Runs => self.rows_of_runs(layout, frame),
        }
    }

    /// Decodes all frames of a record with a picture. The caller must limit the number of pixels.
    ///
    /// # Errors
    /// Returns the same errors as [`frame`](Self::frame).
    pub fn frames(&self, layout: &PictureLayout, delay: Delay) -> Result<Frames> {
        let frames = (0..layout.frames).map(|frame| self.frame(layout, frame)).collect::<Result<_>>()?;
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        Ok(Frames { width: side(layout.width), height: side(layout.height), frames, delay })
    }

    fn page(&self, layout: &PictureLayout, stride: usize) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(layout.width.saturating_mul(layout.height));
        for row in 0..layout.height {
            let at = layout.data_at.saturating_add(row.saturating_mul(stride));
            let bytes = self.bytes_at(at, layout.width);
            out.extend_from_slice(bytes.ok_or_else(|| malformed(format!("row {row} is out of bounds"), at))?);
        }
        Ok(out)
    }

    fn number<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let bytes = self.bytes_at(at, N).and_then(|bytes| bytes.first_chunk().copied());
        bytes.ok_or_else(|| {
            malformed(format!("unexpected end of file; {N} more bytes are needed"), at.min(self.len()))
        })
    }

    /// Decodes a frame stored as pairs of transparent and opaque run lengths.
    fn runs_with_gaps(&self, layout: &PictureLayout, frame: usize) -> Result<Vec<u8>> {
        let table_at = layout.data_at.saturating_add(frame.saturating_mul(4));
        let start_offset = i32::from_le_bytes(self.number(table_at)?);
        let start = usize::try_from(start_offset)
            .ok()
            .and_then(|start_offset| layout.data_at.checked_add(start_offset));
        let outside = || malformed(format!("frame {frame} at {start_offset} is out of bounds"), table_at);
        let start = start.filter(|start| *start < self.len()).ok_or_else(outside)?;
        let side = |at: usize, max_side: usize| {
            let number = i16::from_le_bytes(self.number(at)?);
            usize::try_from(number).ok().filter(|number| *number <= max_side).ok_or_else(|| {
                malformed(
                    format!("frame {frame} has a side of {number} pixels, but the record has {max_side}"),
                    at,
                )
            })
        };
        let across = side(start, layout.width)?;
        let down = side(start.saturating_add(2), layout.height)?;
        let mut at = start.saturating_add(4);
        let mut out = vec![0; layout.width.saturating_mul(layout.height)];
        for row in out.chunks_exact_mut(layout.width.max(1)).take(down) {
            let mut x = 0_usize;
            while x < across {
                let [skip, count] = self.number::<2>(at)?;
                let (skip, count) = (usize::from(skip), usize::from(count));
                let from = x.saturating_add(skip);
                let to = from.saturating_add(count);
                if to > across || (skip, count) == (0, 0) {
                    let message = format!(
                        "a run of {skip} transparent and {count} opaque pixels at column {x} does not fit a row of {across} pixels"
                    );
                    return Err(malformed(message, at));
                }
                at = at.saturating_add(2);
                let pixels = self.bytes_at(at, count).ok_or_else(|| {
                    malformed(format!("unexpected end of file; {count} more pixels are needed"), at)
                })?;
                if let Some(slot) = row.get_mut(from..to) {
                    slot.copy_from_slice(pixels);
                }
                at = at.saturating_add(count);
                x = to;
            }
        }
        Ok(out)
    }

    /// Decodes a frame stored as rows, each with its offset from the descriptor and its encoding.
    fn rows_of_runs(&self, layout: &PictureLayout, frame: usize) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(layout.width.saturating_mul(layout.height).min(1 << 20));
        for row in 0..layout.height {
            let index = frame.saturating_mul(layout.height).saturating_add(row);
            let table_at = layout.data_at.saturating_add(index.saturating_mul(4));
            let start_offset = i16::from_le_bytes(self.number(table_at)?);
            let coding = u16::from_le_bytes(self.number(table_at.saturating_add(2))?);
            let start = usize::try_from(start_offset).ok().filter(|start_offset| *start_offset >= DESCRIPTOR);
            let start = start.ok_or_else(|| {
                malformed(
                    format!("row {row} at {start_offset} overlaps or precedes the descriptor"),
                    table_at,
                )
            })?;
            let start = layout.descriptor_at.saturating_add(start);
            if coding == PACKED_ROW {
                self.row_of_runs(layout.width, start, &mut out)?;
            } else {
                let bytes = self.bytes_at(start, layout.width);
                out.extend_from_slice(bytes.ok_or_else(|| {
                    malformed(format!("row {row} of {} pixels exceeds the file", layout.width), table_at)
                })?);
            }
        }
        Ok(out)
    }

    /// Decodes a row: its width, then runs and literals until the row is complete.
    fn row_of_runs(&self, width: usize, start: usize, out: &mut Vec<u8>) -> Result<()> {
        let row_width = usize::from(u16::from_le_bytes(self.number(start)?));
        if row_width != width {
            return Err(malformed(
                format!("the row has {row_width} pixels, but the record has {width}"),
                start,
            ));
        }
        let mut at = start.saturating_add(2);
        let mut left = width;
        while left > 0 {
            let number = i16::from_le_bytes(self.number(at)?);
            let length = usize::from(number.unsigned_abs());
            if length == 0 || length > left {
                return Err(malformed(
                    format!("a run of {number} pixels, but only {left} are left in the row"),
                    at,
                ));
            }
            at = at.saturating_add(2);
            let stored = if number < 0 { 1 } else { length };
            let bytes = self.bytes_at(at, stored).ok_or_else(|| {
                malformed(format!("unexpected end of file; {stored} more pixels are needed"), at)
            })?;
            match bytes {
                [pixel] => out.resize(out.len().saturating_add(length), *pixel),
                pixels => out.extend_from_slice(pixels),
            }
            at = at.saturating_add(stored);
            left = left.saturating_sub(length);
        }
        Ok(())
    }

    /// Returns the color of a solid record of sets 0 and 1: its index, plus 128 in set 1.
    #[must_use]
    pub fn solid_color(set: Option<u16>, index: usize) -> Option<u8> {
        let first = match set? {
            0 => 0_usize,
            1 => 128,
            _ => return None,
        };
        u8::try_from(first.checked_add(index)?).ok()
    }
}
