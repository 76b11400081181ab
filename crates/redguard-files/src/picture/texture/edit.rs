//! Applies edited frames to a set: in place if no other record changes, otherwise by appending to the file.

use asset::FixedText;
use media::picture::{Edited, Frames};
use record::{Bytes, Error, Result};

use super::layout::{DESCRIPTOR, Descriptor, DirectoryEntry, TextureRecord, TextureSet, flag};
use super::pixel::{PACKED_ROW, PAGE, PictureLayout, PixelEncoding};

impl TextureSet {
    /// Creates a set with these images: images with one frame are stored in pages, others as runs with gaps. Images that use
    /// index 0 are flagged as transparent.
    ///
    /// # Errors
    /// Returns an error if the name, an image or the number of images is too large.
    pub fn new(name: &str, pictures: &[Frames]) -> Result<Self> {
        let record = |picture: &Frames| {
            let clear = picture.frames.iter().flatten().any(|index| *index == 0);
            let one = picture.frames.len() == 1;
            let flags = if clear { flag::CLEAR } else { 0 } | if one { flag::PAGE } else { 0 };
            let frame_count = u16::try_from(picture.frames.len()).map_err(|_| {
                Error::usage(format!(
                    "{} frames are too many for a record (limit: 65535)",
                    picture.frames.len()
                ))
            })?;
            let descriptor = Descriptor {
                flags,
                frame_count,
                frame_delay: picture.delay.in_milliseconds(),
                ..Descriptor::default()
            };
            Ok(TextureRecord { entry: DirectoryEntry::default(), descriptor: Some(descriptor) })
        };
        let records = pictures.iter().map(record).collect::<Result<_>>()?;
        let mut set = Self { name: FixedText::new(name)?, records, body: Bytes::default() };
        for (index, picture) in pictures.iter().enumerate() {
            let encoding = if picture.frames.len() == 1 {
                PixelEncoding::Single { stride: PAGE }
            } else {
                PixelEncoding::Multi
            };
            let edited = |indices: &Vec<u8>| Edited {
                width: picture.width,
                height: picture.height,
                indices: indices.clone(),
            };
            let frames: Vec<Edited> = picture.frames.iter().map(edited).collect();
            set.append_record(index, encoding, &frames)?;
        }
        Ok(set)
    }

    /// Replaces the frames of a record. All frames must have the same size.
    pub(super) fn set_frames(
        &mut self,
        index: usize,
        layout: &PictureLayout,
        frames: &[Edited],
    ) -> Result<()> {
        let same_size = frames
            .iter()
            .all(|frame| (size(frame.width), size(frame.height)) == (layout.width, layout.height));
        if let (PixelEncoding::Single { stride }, [frame], true) = (layout.encoding, frames, same_size)
            && self.paint(index, layout, stride, &frame.indices)
        {
            return Ok(());
        }
        self.append_record(index, layout.encoding, frames)
    }

    /// Overwrites the pixels of a record with one frame. Returns `false` without any change if another record or a descriptor
    /// would change.
    fn paint(&mut self, index: usize, layout: &PictureLayout, stride: usize, indices: &[u8]) -> bool {
        let rows = || indices.chunks_exact(layout.width.max(1)).enumerate();
        let row_start = |row: usize| layout.data_at.saturating_add(row.saturating_mul(stride));
        let changed: Vec<usize> = rows()
            .flat_map(|(row, new)| {
                let old = self.bytes_at(row_start(row), layout.width).unwrap_or_default();
                let differ = |column: &usize| old.get(*column) != new.get(*column);
                (0..layout.width)
                    .filter(differ)
                    .map(move |column| row_start(row).saturating_add(column))
                    .collect::<Vec<_>>()
            })
            .collect();
        let in_descriptor = |record: &TextureRecord| {
            let at = usize::try_from(record.entry.position).unwrap_or(usize::MAX);
            record.descriptor.is_some()
                && changed.iter().any(|byte| (at..at.saturating_add(DESCRIPTOR)).contains(byte))
        };
        if self.records.iter().any(in_descriptor) {
            return false;
        }
        let mut painted = self.clone();
        for (row, new) in rows() {
            match painted.bytes_at_mut(row_start(row), layout.width) {
                Some(bytes) => bytes.copy_from_slice(new),
                None => return false,
            }
        }
        let others = (0..self.records.len()).filter(|other| *other != index);
        for other in others {
            if self.decoded(other) != painted.decoded(other) {
                return false;
            }
        }
        *self = painted;
        true
    }

    /// Returns all frames of a record; `None` if they cannot be decoded.
    fn decoded(&self, index: usize) -> Option<Vec<Vec<u8>>> {
        let layout = self.layout(index)?.ok()?;
        (0..layout.frames).map(|frame| self.frame(&layout, frame).ok()).collect()
    }

    /// Appends a record to the file. The old bytes are kept, because other records may use them.
    pub(super) fn append_record(
        &mut self,
        index: usize,
        encoding: PixelEncoding,
        frames: &[Edited],
    ) -> Result<()> {
        let position = self.len();
        let too_large =
            |what: &str| Error::usage(format!("the edited record {index} is too large for {what}"));
        let record = self.records.get_mut(index).ok_or_else(|| Error::usage("record index out of range"))?;
        let (Some(descriptor), Some(first)) = (&mut record.descriptor, frames.first()) else {
            return Err(Error::usage(format!("record {index} has no picture")));
        };
        let side = |pixels: u32| i16::try_from(pixels).map_err(|_| too_large("its descriptor"));
        (descriptor.width, descriptor.height) = (side(first.width)?, side(first.height)?);
        let (width, pixels) = (size(first.width), size(first.width).saturating_mul(size(first.height)));
        let data = match encoding {
            PixelEncoding::Single { .. } => page(descriptor, first, width)?,
            PixelEncoding::Multi => runs_with_gaps(frames, width)?,
            PixelEncoding::Runs => {
                rows_of_runs(frames, width).ok_or_else(|| too_large("rows of run lengths"))?
            }
            PixelEncoding::Solid | PixelEncoding::Empty => Vec::new(),
        };
        let own = if matches!(encoding, PixelEncoding::Single { .. }) { pixels } else { data.len() };
        descriptor.size =
            u32::try_from(own.saturating_add(DESCRIPTOR)).map_err(|_| too_large("its descriptor"))?;
        descriptor.data_offset = u32::try_from(DESCRIPTOR).unwrap_or(u32::MAX);
        record.entry.position = i32::try_from(position).map_err(|_| too_large("the directory"))?;
        // Space for the descriptor, which is filled in on writing.
        self.body.0.resize(self.body.len().saturating_add(DESCRIPTOR), 0);
        self.body.0.extend_from_slice(&data);
        Ok(())
    }
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Encodes a page of 256 columns that ends with the last pixel of the frame.
fn page(descriptor: &mut Descriptor, frame: &Edited, width: usize) -> Result<Vec<u8>> {
    let gap = PAGE.checked_sub(width).and_then(|gap| i16::try_from(gap).ok());
    descriptor.row_gap = gap.ok_or_else(|| {
        Error::usage(format!("a record {width} pixels wide does not fit into a page of {PAGE}"))
    })?;
    descriptor.flags &= flag::ALL;
    let mut out = Vec::new();
    for (row, pixels) in frame.indices.chunks_exact(width.max(1)).enumerate() {
        out.resize(row.saturating_mul(PAGE), 0);
        out.extend_from_slice(pixels);
    }
    Ok(out)
}

/// Encodes a frame table followed by the frames; equal frames are stored only once.
fn runs_with_gaps(frames: &[Edited], width: usize) -> Result<Vec<u8>> {
    let table = frames.len().saturating_mul(4);
    let mut out = vec![0; table];
    let mut known: Vec<(&[u8], usize)> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let found = known.iter().find(|(indices, _)| *indices == frame.indices).map(|(_, offset)| *offset);
        let offset = found.unwrap_or(out.len());
        if found.is_none() {
            known.push((&frame.indices, offset));
            for side in [frame.width, frame.height] {
                out.extend_from_slice(&u16::try_from(side).unwrap_or(u16::MAX).to_le_bytes());
            }
            frame.indices.chunks_exact(width.max(1)).for_each(|row| write_gaps(&mut out, row));
        }
        let number = i32::try_from(offset)
            .map_err(|_| Error::usage("the frames of the record take more than 2 GB"))?;
        let at = index.saturating_mul(4);
        if let Some(bytes) = out.get_mut(at..at.saturating_add(4)) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
    }
    Ok(out)
}

/// Encodes a row as pairs of transparent and opaque run lengths.
fn write_gaps(out: &mut Vec<u8>, row: &[u8]) {
    const MOST: usize = 255;
    let mut rest = row;
    while !rest.is_empty() {
        let clear = rest.iter().take(MOST).take_while(|pixel| **pixel == 0).count();
        let behind = rest.get(clear..).unwrap_or_default();
        let count = behind.iter().take(MOST).take_while(|pixel| **pixel != 0).count();
        let (pixels, behind) = behind.split_at_checked(count).unwrap_or((behind, &[]));
        out.extend([clear, count].map(|number| u8::try_from(number).unwrap_or(u8::MAX)));
        out.extend_from_slice(pixels);
        rest = behind;
    }
}

/// Encodes a row table followed by the run-length encoded rows; `None` if a row is too far from the descriptor.
fn rows_of_runs(frames: &[Edited], width: usize) -> Option<Vec<u8>> {
    let rows: Vec<&[u8]> = frames.iter().flat_map(|frame| frame.indices.chunks_exact(width.max(1))).collect();
    let mut out = vec![0; rows.len().checked_mul(4)?];
    for (index, row) in rows.into_iter().enumerate() {
        let offset = i16::try_from(out.len().checked_add(DESCRIPTOR)?).ok()?;
        let [low, high] = offset.to_le_bytes();
        let [coding_low, coding_high] = PACKED_ROW.to_le_bytes();
        let at = index.checked_mul(4)?;
        out.get_mut(at..at.checked_add(4)?)?.copy_from_slice(&[low, high, coding_low, coding_high]);
        out.extend_from_slice(&u16::try_from(width).ok()?.to_le_bytes());
        write_runs(&mut out, row)?;
    }
    Some(out)
}

/// Encodes a row as runs: a negative count and the index to repeat, or a count and that many indices.
fn write_runs(out: &mut Vec<u8>, row: &[u8]) -> Option<()> {
    let mut rest = row;
    while let Some((first, _)) = rest.split_first() {
        let equal = rest.iter().take_while(|pixel| *pixel == first).count();
        if equal >= 4 {
            out.extend_from_slice(&i16::try_from(equal).ok()?.checked_neg()?.to_le_bytes());
            out.push(*first);
            rest = rest.get(equal..)?;
            continue;
        }
        let mut length = 1_usize;
        while let Some([a, b, c, d]) = rest.get(length..length.checked_add(4)?) {
            if a == b && b == c && c == d {
                break;
            }
            length = length.checked_add(1)?;
        }
        if rest.len() < length.checked_add(4)? {
            length = rest.len();
        }
        let (pixels, behind) = rest.split_at_checked(length)?;
        out.extend_from_slice(&i16::try_from(length).ok()?.to_le_bytes());
        out.extend_from_slice(pixels);
        rest = behind;
    }
    Some(())
}
