//! The pixels of a record in its forms: a solid colour, a page, runs with gaps, rows of run lengths.

use record::{Error, Result};

use super::layout::{DESCRIPTOR, Descriptor, TextureSet, flag};
use crate::picture::delay_of;
use asset::picture::{Frames, MOST_PIXELS};
use scene::image::Delay;

/// How a record is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A colour without a descriptor.
    Solid,
    /// It only keeps its place.
    Empty,
    /// One frame, row after row, this many bytes apart.
    Single {
        /// From the start of a row to the start of the next.
        stride: usize,
    },
    /// Frames of runs, with gaps that are seen through.
    Multi,
    /// Frames of rows of run lengths, or plain rows.
    Runs,
}

impl Form {
    /// A word for it.
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

/// Where a record's picture stands, and its size, once they were compared with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How it is stored.
    pub form: Form,
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// How many pictures.
    pub frames: usize,
    /// Where the descriptor stands in the file.
    pub descriptor_at: usize,
    /// Where the pixels start in the file.
    pub data_at: usize,
}

/// A page has so many columns.
pub(super) const PAGE: usize = 256;

/// A solid colour is shown as a square of so many pixels.
pub(super) const SWATCH: usize = 32;

/// In a table of rows: the row is packed.
pub(super) const PACKED_ROW: u16 = 0x8000;

fn offset(position: usize) -> u64 {
    u64::try_from(position).unwrap_or(u64::MAX)
}

fn malformed(message: impl Into<String>, position: usize) -> Error {
    Error::malformed(message).at(offset(position))
}

impl Descriptor {
    fn says_runs(&self) -> bool {
        self.flags & !flag::UNKNOWN_0X1000 == flag::RUNS | flag::CLEAR
    }

    /// Whether index 0 is seen through.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.flags & flag::CLEAR != 0
    }

    /// How long a frame is shown.
    #[must_use]
    pub fn delay(&self) -> Delay {
        if self.frame_delay == 0 { delay_of(1) } else { Delay::milliseconds(self.frame_delay) }
    }
}

impl TextureSet {
    /// The form and size of a record; `None` when there is no such record.
    ///
    /// # Errors
    /// When its entry leads nowhere, its size cannot be, or its pixels do not lie within the file.
    pub fn shape(&self, index: usize) -> Option<Result<Shape>> {
        let record = self.records.get(index)?;
        Some(match (&record.descriptor, record.entry.position) {
            (Some(descriptor), _) => {
                self.shape_of(descriptor, usize::try_from(record.entry.position).unwrap_or(usize::MAX))
            }
            (None, 0) => Ok(Shape {
                form: Form::Solid,
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
                        "its descriptor at {position} does not lie behind the directory and within the {} bytes of the file",
                        self.len()
                    ),
                    entry_at,
                )
                .in_field("position")
                .in_item(index)
                .in_field("directory"))
            }
        })
    }

    fn shape_of(&self, descriptor: &Descriptor, at: usize) -> Result<Shape> {
        let side = |number: i16, place: usize, name: &'static str| {
            usize::try_from(number).map_err(|_| {
                malformed(format!("{number} pixels cannot be"), at.saturating_add(place))
                    .in_field(name)
                    .in_field("descriptor")
            })
        };
        let (width, height) = (side(descriptor.width, 4, "width")?, side(descriptor.height, 6, "height")?);
        let frames = usize::from(descriptor.frame_count);
        let empty = frames == 0 || width == 0 || height == 0;
        let shape = Shape { form: Form::Empty, width, height, frames, descriptor_at: at, data_at: at };
        if empty {
            return Ok(Shape { frames: 0, ..shape });
        }
        let data_offset = usize::try_from(descriptor.data_offset).unwrap_or(usize::MAX);
        let data_at = at.saturating_add(data_offset);
        if data_offset < DESCRIPTOR || data_at >= self.len() {
            let message = format!(
                "pixels {data_offset} bytes from the descriptor do not lie behind it and within the file"
            );
            return Err(malformed(message, at.saturating_add(14))
                .in_field("data_offset")
                .in_field("descriptor"));
        }
        let form = match frames {
            _ if descriptor.says_runs() => Form::Runs,
            1 => self.single(descriptor, &Shape { data_at, ..shape })?,
            _ => Form::Multi,
        };
        let shape = Shape { form, data_at, ..shape };
        let table = match form {
            Form::Multi => frames.saturating_mul(4),
            Form::Runs => frames.saturating_mul(height).saturating_mul(4),
            _ => 0,
        };
        if self.bytes_at(data_at, table).is_none() {
            let message = format!(
                "the table of {frames} frames of {width} x {height} pixels needs {table} bytes, but the file ends before"
            );
            return Err(malformed(message, data_at));
        }
        Ok(shape)
    }

    /// How the rows of a record with one frame stand. A page of 256 columns is the rule; where nothing speaks for it, packed rows are tried, then a
    /// page, then runs.
    fn single(&self, descriptor: &Descriptor, shape: &Shape) -> Result<Form> {
        let fits = |stride: usize| {
            let needed = stride.saturating_mul(shape.height.saturating_sub(1)).saturating_add(shape.width);
            self.bytes_at(shape.data_at, needed).is_some()
        };
        let gap = PAGE.checked_sub(shape.width).and_then(|gap| i16::try_from(gap).ok());
        let in_page = descriptor.flags & flag::PAGE != 0 || gap == Some(descriptor.row_gap);
        let strides = if in_page { [PAGE, PAGE] } else { [shape.width, PAGE] };
        if let Some(stride) = strides.into_iter().find(|stride| fits(*stride)) {
            return Ok(Form::Single { stride });
        }
        let as_runs = Shape { form: Form::Multi, ..*shape };
        if self.bytes_at(shape.data_at, 4).is_some() && self.frame(&as_runs, 0).is_ok() {
            return Ok(Form::Multi);
        }
        let Shape { width, height, data_at, .. } = shape;
        let message = format!(
            "{width} x {height} pixels do not fit behind {data_at:#x} into the {} bytes of the file",
            self.len()
        );
        Err(malformed(message, *data_at))
    }

    /// One frame of a record with a picture, one index a pixel.
    ///
    /// # Errors
    /// When its bytes do not give the pixels.
    pub fn frame(&self, shape: &Shape, frame: usize) -> Result<Vec<u8>> {
        let pixels = u64::try_from(shape.width.saturating_mul(shape.height)).unwrap_or(u64::MAX);
        if pixels > MOST_PIXELS {
            let Shape { width, height, descriptor_at, .. } = *shape;
            let message = format!(
                "{width} x {height} are more than the {MOST_PIXELS} pixels that are read of one picture"
            );
            return Err(Error::limit(message).at(offset(descriptor_at)));
        }
        match shape.form {
            Form::Solid | Form::Empty => Ok(Vec::new()),
            Form::Single { stride } => self.page(shape, stride),
            Form::Multi => self.runs_with_gaps(shape, frame),
            Form::Runs => self.rows_of_runs(shape, frame),
        }
    }

    /// All frames of a record with a picture. Callers bound how many pixels that may be.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    pub fn frames(&self, shape: &Shape, delay: Delay) -> Result<Frames> {
        let frames = (0..shape.frames).map(|frame| self.frame(shape, frame)).collect::<Result<_>>()?;
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        Ok(Frames { width: side(shape.width), height: side(shape.height), frames, delay })
    }

    fn page(&self, shape: &Shape, stride: usize) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(shape.width.saturating_mul(shape.height));
        for row in 0..shape.height {
            let at = shape.data_at.saturating_add(row.saturating_mul(stride));
            let bytes = self.bytes_at(at, shape.width);
            out.extend_from_slice(
                bytes.ok_or_else(|| malformed(format!("row {row} does not lie within the file"), at))?,
            );
        }
        Ok(out)
    }

    fn number<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let bytes = self.bytes_at(at, N).and_then(|bytes| bytes.first_chunk().copied());
        bytes
            .ok_or_else(|| malformed(format!("{N} bytes are needed where the file ends"), at.min(self.len())))
    }

    /// A frame of pairs: how many pixels are seen through, how many follow.
    fn runs_with_gaps(&self, shape: &Shape, frame: usize) -> Result<Vec<u8>> {
        let table_at = shape.data_at.saturating_add(frame.saturating_mul(4));
        let place = i32::from_le_bytes(self.number(table_at)?);
        let start = usize::try_from(place).ok().and_then(|place| shape.data_at.checked_add(place));
        let outside =
            || malformed(format!("frame {frame} at {place} does not lie within the file"), table_at);
        let start = start.filter(|start| *start < self.len()).ok_or_else(outside)?;
        let side = |at: usize, most: usize| {
            let number = i16::from_le_bytes(self.number(at)?);
            usize::try_from(number).ok().filter(|number| *number <= most).ok_or_else(|| {
                malformed(
                    format!("frame {frame} has a side of {number} pixels, the record one of {most}"),
                    at,
                )
            })
        };
        let across = side(start, shape.width)?;
        let down = side(start.saturating_add(2), shape.height)?;
        let mut at = start.saturating_add(4);
        let mut out = vec![0; shape.width.saturating_mul(shape.height)];
        for row in out.chunks_exact_mut(shape.width.max(1)).take(down) {
            let mut x = 0_usize;
            while x < across {
                let [skip, count] = self.number::<2>(at)?;
                let (skip, count) = (usize::from(skip), usize::from(count));
                let from = x.saturating_add(skip);
                let to = from.saturating_add(count);
                if to > across || (skip, count) == (0, 0) {
                    let message = format!(
                        "a run of {skip} clear and {count} other pixels at column {x} does not lead to the end of a row of {across}"
                    );
                    return Err(malformed(message, at));
                }
                at = at.saturating_add(2);
                let pixels = self
                    .bytes_at(at, count)
                    .ok_or_else(|| malformed(format!("{count} pixels are needed where the file ends"), at))?;
                if let Some(place) = row.get_mut(from..to) {
                    place.copy_from_slice(pixels);
                }
                at = at.saturating_add(count);
                x = to;
            }
        }
        Ok(out)
    }

    /// A frame of rows, each with its place from the descriptor and its coding.
    fn rows_of_runs(&self, shape: &Shape, frame: usize) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(shape.width.saturating_mul(shape.height).min(1 << 20));
        for row in 0..shape.height {
            let index = frame.saturating_mul(shape.height).saturating_add(row);
            let table_at = shape.data_at.saturating_add(index.saturating_mul(4));
            let place = i16::from_le_bytes(self.number(table_at)?);
            let coding = u16::from_le_bytes(self.number(table_at.saturating_add(2))?);
            let start = usize::try_from(place).ok().filter(|place| *place >= DESCRIPTOR);
            let start = start.ok_or_else(|| {
                malformed(format!("row {row} at {place} stands within or before the descriptor"), table_at)
            })?;
            let start = shape.descriptor_at.saturating_add(start);
            if coding == PACKED_ROW {
                self.row_of_runs(shape.width, start, &mut out)?;
            } else {
                let bytes = self.bytes_at(start, shape.width);
                out.extend_from_slice(bytes.ok_or_else(|| {
                    malformed(
                        format!("row {row} of {} pixels runs past the end of the file", shape.width),
                        table_at,
                    )
                })?);
            }
        }
        Ok(out)
    }

    /// A row: its width, then runs of one index or of several until it is full.
    fn row_of_runs(&self, width: usize, start: usize, out: &mut Vec<u8>) -> Result<()> {
        let told = usize::from(u16::from_le_bytes(self.number(start)?));
        if told != width {
            return Err(malformed(format!("a row of {told} pixels in a record of {width}"), start));
        }
        let mut at = start.saturating_add(2);
        let mut left = width;
        while left > 0 {
            let number = i16::from_le_bytes(self.number(at)?);
            let length = usize::from(number.unsigned_abs());
            if length == 0 || length > left {
                return Err(malformed(
                    format!("a run of {number} where {left} pixels of the row are left"),
                    at,
                ));
            }
            at = at.saturating_add(2);
            let stored = if number < 0 { 1 } else { length };
            let bytes = self
                .bytes_at(at, stored)
                .ok_or_else(|| malformed(format!("{stored} pixels are needed where the file ends"), at))?;
            match bytes {
                [pixel] => out.resize(out.len().saturating_add(length), *pixel),
                pixels => out.extend_from_slice(pixels),
            }
            at = at.saturating_add(stored);
            left = left.saturating_sub(length);
        }
        Ok(())
    }

    /// The colour of a solid record of the sets 0 and 1: its number, and 128 more in set 1.
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
