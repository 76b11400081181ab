//! The pixels of an image: plain, or as rows that are shared between frames.

use media::picture::Colors;
use media::picture::Frames;
use record::{Bytes, Error, Result};

use super::layout::{End, Header, Image, Section};
use crate::picture::{delay_of, ticks};

/// The encoding of the pixels of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelEncoding {
    /// One frame, row by row.
    Plain,
    /// A table of row offsets for all frames, then the rows. Equal rows are stored only once.
    Rows,
}

/// The validated size and pixel encoding of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLayout {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The number of frames, at least 1.
    pub frames: u32,
    /// The pixel encoding.
    pub encoding: PixelEncoding,
    /// The offset of the pixels in the file.
    data_at: u64,
}

/// The size of a row table entry in bytes.
const ROW_OFFSET_SIZE: usize = 4;

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl ImageLayout {
    fn row_count(&self) -> usize {
        size(self.frames).saturating_mul(size(self.height))
    }

    /// Returns the size of the row table in bytes.
    pub(super) fn table_size(&self) -> usize {
        match self.encoding {
            PixelEncoding::Plain => 0,
            PixelEncoding::Rows => self.row_count().saturating_mul(ROW_OFFSET_SIZE),
        }
    }

    fn pixels(&self) -> usize {
        size(self.width).saturating_mul(size(self.height))
    }
}

impl Image {
    /// Creates an image from these frames, which must all have this size. `anim_delay` is in milliseconds; a palette has 6 bits
    /// per channel.
    ///
    /// # Errors
    /// Returns an error if the size or the number of frames is too large.
    pub fn new(
        width: u32,
        height: u32,
        frames: &[Vec<u8>],
        anim_delay: i16,
        palette: Option<Colors>,
    ) -> Result<Self> {
        let moves = frames.len() > 1;
        let mut marker = vec![0; MARKER_SIZE];
        if let Some(first) = marker.first_mut() {
            *first = 1;
        }
        let has_cmap = u8::from(palette.is_some());
        let marker = if moves { Section::Animated(Bytes(marker)) } else { Section::Static(Bytes::default()) };
        let mut sections = vec![
            marker,
            Section::Header(Header { has_cmap, anim_delay, tex_scale: NEUTRAL_SCALE, ..Header::default() }),
        ];
        sections.extend(palette.map(Section::Palette));
        sections.push(Section::Data(Bytes::default()));
        let mut image = Self { sections, end: End::WithLength };
        image.rebuild(width, height, frames)?;
        Ok(image)
    }

    /// Validates the header against the data. `base` is the offset of the image in the file.
    ///
    /// # Errors
    /// Returns an error if the header is invalid or the data is too short.
    pub fn layout(&self, base: u64) -> Result<ImageLayout> {
        self.check_complete(base)?;
        let (header_at, header) = self.header().ok_or_else(|| Error::malformed("no header").at(base))?;
        let (data_at, data) = self.data().ok_or_else(|| Error::malformed("no data").at(base))?;
        let header_at = base.saturating_add(header_at);
        let header_number = self.section_of(|section| matches!(section, Section::Header(_)));
        let number = |number: i16, least: u32, at: u64, name: &'static str| {
            u32::try_from(number).ok().filter(|number| *number >= least).ok_or_else(|| {
                Error::malformed(format!("{number} is too small (minimum: {least})"))
                    .at(header_at.saturating_add(at))
                    .in_field(name)
                    .in_item(header_number)
                    .in_field("sections")
            })
        };
        let width = number(header.width, 0, 4, "width")?;
        let height = number(header.height, 0, 6, "height")?;
        let frames = number(header.frame_count, 1, 14, "frame_count")?;
        let encoding = if frames > 1 { PixelEncoding::Rows } else { PixelEncoding::Plain };
        let data_at = base.saturating_add(data_at);
        let layout = ImageLayout { width, height, frames, encoding, data_at };
        let (needed, what) = match encoding {
            PixelEncoding::Plain => (layout.pixels(), "pixels"),
            PixelEncoding::Rows => (layout.table_size(), "row offsets"),
        };
        if needed > data.len() {
            let message = format!(
                "{what} of {frames} x {width} x {height} need {needed} bytes, but there are only {}",
                data.len()
            );
            return Err(self.in_data(Error::malformed(message).at(data_at)));
        }
        Ok(layout)
    }

    /// Adds the path of the pixel section to an error.
    fn in_data(&self, error: Error) -> Error {
        let number = self.section_of(|section| matches!(section, Section::Data(_)));
        error.in_item(number).in_field("sections")
    }

    /// Returns the validated offset of every row of every frame.
    ///
    /// # Errors
    /// Returns an error if a row is out of bounds.
    pub(super) fn rows(&self, layout: &ImageLayout) -> Result<Vec<usize>> {
        let data = self.pixel_bytes();
        let width = size(layout.width);
        if layout.encoding == PixelEncoding::Plain {
            return Ok((0..size(layout.height)).map(|row| row.saturating_mul(width)).collect());
        }
        let last = data.len().checked_sub(width);
        let (places, _) = data.get(..layout.table_size()).unwrap_or_default().as_chunks::<ROW_OFFSET_SIZE>();
        let row = |(index, offset): (usize, &[u8; ROW_OFFSET_SIZE])| {
            let offset = u32::from_le_bytes(*offset);
            let start = size(offset);
            if last.is_some_and(|last| start <= last) {
                return Ok(start);
            }
            let (frame, row) =
                (index.checked_div(size(layout.height)), index.checked_rem(size(layout.height)));
            let message = format!(
                "row {} of frame {} is out of bounds: {width} bytes at {offset:#x}, but the data has {} bytes",
                row.unwrap_or_default(),
                frame.unwrap_or_default(),
                data.len()
            );
            let at = u64::try_from(index.saturating_mul(ROW_OFFSET_SIZE)).unwrap_or(u64::MAX);
            Err(self.in_data(Error::malformed(message).at(layout.data_at.saturating_add(at))))
        };
        places.iter().enumerate().map(row).collect()
    }

    fn pixel_bytes(&self) -> &[u8] {
        self.data().map_or(&[], |(_, data)| data)
    }

    /// Returns one frame, one index per pixel. `rows` are the row offsets of all frames.
    pub(super) fn frame(&self, layout: &ImageLayout, rows: &[usize], frame: usize) -> Vec<u8> {
        let (data, height) = (self.pixel_bytes(), size(layout.height));
        let first = frame.saturating_mul(height);
        let rows = rows.get(first..first.saturating_add(height)).unwrap_or_default();
        let row =
            |start: &usize| data.get(*start..start.saturating_add(size(layout.width))).unwrap_or_default();
        let mut out = Vec::with_capacity(layout.pixels());
        rows.iter().for_each(|start| out.extend_from_slice(row(start)));
        out
    }

    /// Returns all frames. The caller must limit the number of pixels.
    ///
    /// # Errors
    /// Returns an error if a row is out of bounds.
    pub fn frames(&self, layout: &ImageLayout) -> Result<Frames> {
        let rows = self.rows(layout)?;
        Ok(Frames {
            width: layout.width,
            height: layout.height,
            frames: (0..size(layout.frames)).map(|frame| self.frame(layout, &rows, frame)).collect(),
            delay: delay_of(self.ticks()),
        })
    }

    /// Returns the frame duration in engine ticks.
    #[must_use]
    pub fn ticks(&self) -> u16 {
        self.header().map_or(1, |(_, header)| ticks(header.anim_delay))
    }

    /// Replaces the pixels of the given frames with minimal changes: a changed row keeps its offset unless other rows
    /// share its bytes; otherwise it refers to an equal row, or is appended.
    ///
    /// # Errors
    /// Returns an error if the image or the frames are invalid.
    pub(super) fn set_frames(&mut self, layout: &ImageLayout, changed: &[(usize, Vec<u8>)]) -> Result<()> {
        let mut rows = self.rows(layout)?;
        let (width, height) = (size(layout.width), size(layout.height));
        let before = rows.clone();
        let mut data = self.pixel_bytes().to_vec();
        for (frame, indices) in changed {
            for (row, new) in indices.chunks_exact(width.max(1)).enumerate() {
                let index = frame.saturating_mul(height).saturating_add(row);
                let Some(start) = rows.get(index).copied() else { continue };
                let range = start..start.saturating_add(width);
                if data.get(range.clone()) == Some(new) {
                    continue;
                }
                let shares = |other: usize| other.abs_diff(start) < width;
                let in_table = start < layout.table_size();
                let is_unshared =
                    !in_table && rows.iter().enumerate().all(|(other, at)| other == index || !shares(*at));
                let target = if is_unshared {
                    start
                } else {
                    let equal =
                        rows.iter().copied().find(|at| data.get(*at..at.saturating_add(width)) == Some(new));
                    equal.unwrap_or_else(|| {
                        let end = data.len();
                        data.extend_from_slice(new);
                        end
                    })
                };
                if let Some(slot) = data.get_mut(target..target.saturating_add(width)) {
                    slot.copy_from_slice(new);
                }
                if let Some(row) = rows.get_mut(index) {
                    *row = target;
                }
            }
        }
        if layout.encoding == PixelEncoding::Rows {
            for (index, (old, new)) in
                before.iter().zip(&rows).enumerate().filter(|(_, (old, new))| old != new)
            {
                let _ = old;
                write_row_offset(&mut data, index, *new)?;
            }
        }
        self.set_data(data)
    }

    /// Rebuilds the image from frames of any size.
    ///
    /// # Errors
    /// Returns an error if the size or the number of frames is too large.
    pub fn rebuild(&mut self, width: u32, height: u32, frames: &[Vec<u8>]) -> Result<()> {
        let too_large = || {
            Error::usage(format!(
                "{} frames of {width} x {height} are too large for an image (limit: 32767 each)",
                frames.len()
            ))
        };
        let (columns, lines) =
            (i16::try_from(width).map_err(|_| too_large())?, i16::try_from(height).map_err(|_| too_large())?);
        let count = i16::try_from(frames.len()).map_err(|_| too_large())?;
        let data = if let [frame] = frames {
            frame.clone()
        } else {
            shared_rows(size(width), size(height), frames)?
        };
        if let Some(header) = self.header_mut() {
            *header = Header {
                width: columns,
                height: lines,
                frame_count: count,
                data_encoding: if frames.len() > 1 { ROWS_ENCODING } else { PLAIN_ENCODING },
                ..*header
            };
        }
        self.set_data(data)
    }

    fn set_data(&mut self, data: Vec<u8>) -> Result<()> {
        let slot = self.data_mut().ok_or_else(|| Error::malformed("the DATA section is missing"))?;
        *slot = Bytes(data);
        Ok(())
    }
}

/// The size in bytes of the marker of an animated image.
const MARKER_SIZE: usize = 44;

/// The `tex_scale` of an unscaled image.
const NEUTRAL_SCALE: u16 = 256;

/// The `data_encoding` of plain pixels.
pub(super) const PLAIN_ENCODING: i16 = 0;

/// The `data_encoding` of a row table.
pub(super) const ROWS_ENCODING: i16 = 4;

fn write_row_offset(data: &mut [u8], index: usize, offset: usize) -> Result<()> {
    let number = u32::try_from(offset).map_err(|_| Error::usage("the pixels take more than 4 GB"))?;
    let at = index.saturating_mul(ROW_OFFSET_SIZE);
    if let Some(bytes) = data.get_mut(at..at.saturating_add(ROW_OFFSET_SIZE)) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    Ok(())
}

/// Builds a row table followed by the rows, each stored once, in order of first occurrence.
fn shared_rows(width: usize, height: usize, frames: &[Vec<u8>]) -> Result<Vec<u8>> {
    let table = frames.len().saturating_mul(height).saturating_mul(ROW_OFFSET_SIZE);
    let mut data = vec![0; table];
    let mut known = std::collections::HashMap::new();
    let rows = frames.iter().flat_map(|frame| frame.chunks_exact(width.max(1)));
    for (index, row) in rows.enumerate() {
        let offset = *known.entry(row).or_insert_with(|| {
            let end = data.len();
            data.extend_from_slice(row);
            end
        });
        write_row_offset(&mut data, index, offset)?;
    }
    Ok(data)
}
