//! A set as an archive: each record is a file `NNN.tex`, a set with only that record.
//!
//! Pixels of several records interleave in the file, so an extracted record is written with a new layout: one frame as plain
//! rows, several frames as uncompressed runs. The other fields of its descriptor are kept.

use std::io::Write;

use asset::archive::{Content, Entry};
use asset::{Archive, Context, Report};
use media::picture::{Budget, Edited, MOST_PIXELS, decode_picture, indices_of, is_colored, matched};
use record::{Bytes, Error, Result, Source};
use scene::image::{Format, Limits, decode_gif, sniff};

use super::layout::{DESCRIPTOR, DirectoryEntry, TextureRecord, TextureSet, flag};
use super::pixel::{PAGE, PictureLayout, PixelEncoding};
use super::{set_at, warning};
use crate::picture::Renderer;
use crate::picture::matching::{MatchCodes, report_matched_palette};
use crate::picture::palette::PaletteChoices;

/// The warning codes of matched colors.
const CODES: MatchCodes = MatchCodes { matched: &warning::MATCHED, guessed: &warning::MATCHED_WITH_GUESS };

/// The maximum number of pixels in a run.
const MAX_RUN: usize = 255;

/// The size in bytes of the header and directory of a set with one record.
const SINGLE_DIRECTORY_SIZE: usize = 26 + 20;
const SINGLE_HEADER_SIZE: usize = SINGLE_DIRECTORY_SIZE + DESCRIPTOR;

impl TextureSet {
    /// Returns the size in bytes of a record as a separate file; `None` if the record is damaged.
    fn extracted_size(&self, index: usize) -> Option<u64> {
        let PictureLayout { encoding, width, height, frames, .. } = self.layout(index)?.ok()?;
        let pixels = match encoding {
            PixelEncoding::Solid => return u64::try_from(SINGLE_DIRECTORY_SIZE).ok(),
            PixelEncoding::Empty => 0,
            _ if frames == 1 => {
                extracted_stride(width).checked_mul(height.saturating_sub(1))?.checked_add(width)?
            }
            _ => {
                let row = width.checked_add(width.div_ceil(MAX_RUN).checked_mul(2)?)?;
                row.checked_mul(height)?.checked_add(8)?.checked_mul(frames)?
            }
        };
        u64::try_from(pixels.checked_add(SINGLE_HEADER_SIZE)?).ok()
    }

    /// Returns a set with only this record.
    fn extract(&self, index: usize) -> Result<Self> {
        let missing = || Error::usage("record index out of range");
        let record = self.records.get(index).ok_or_else(missing)?;
        let layout = self.layout(index).ok_or_else(missing)??;
        let mut extracted = Self { name: self.name, records: vec![record.clone()], body: Bytes::default() };
        let Some(mut descriptor) = record.descriptor else { return Ok(extracted) };
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        Budget::default().take(side(layout.width), side(layout.height), side(layout.frames))?;
        let frames = self.frames(&layout, descriptor.delay())?.frames;
        descriptor.flags &= flag::CLEAR;
        descriptor.row_gap = 0;
        let data = match frames.as_slice() {
            [] => Vec::new(),
            [frame] => {
                if let Some(gap) = PAGE.checked_sub(layout.width) {
                    descriptor.flags |= flag::PAGE;
                    descriptor.row_gap = i16::try_from(gap).unwrap_or(i16::MAX);
                }
                encode_rows(frame, layout.width)
            }
            several => encode_runs(several, layout.width, layout.height)?,
        };
        let too_large = || Error::limit("the record is too large to be a file");
        let size = data.len().checked_add(DESCRIPTOR).ok_or_else(too_large)?;
        descriptor.size = u32::try_from(size).map_err(|_| too_large())?;
        descriptor.data_offset = u32::try_from(DESCRIPTOR).unwrap_or(u32::MAX);
        let mut body = vec![0; DESCRIPTOR];
        body.extend(data);
        let position = i32::try_from(SINGLE_DIRECTORY_SIZE).unwrap_or(i32::MAX);
        let entry = DirectoryEntry { position, ..record.entry };
        (extracted.records, extracted.body) =
            (vec![TextureRecord { entry, descriptor: Some(descriptor) }], Bytes::from(body));
        Ok(extracted)
    }

    /// Replaces the frames of a record with pictures, which are matched with its palette, or with another record.
    fn with_record(
        &self,
        context: &Context<'_>,
        index: usize,
        (name, content): (&str, &[u8]),
        report: &mut Report,
    ) -> Result<Self> {
        let mut set = self.clone();
        let layout = set.layout(index).ok_or_else(|| Error::usage("record index out of range"))??;
        if layout.encoding == PixelEncoding::Solid {
            return Err(Error::usage("the record is a solid color, which has no pixels"));
        }
        let limits = Limits { max_pixels: MOST_PIXELS };
        let frames = match sniff(content) {
            Some(Format::Gif) => {
                let (pictures, delay) = decode_gif(content, &limits).map_err(|error| error.in_file(name))?;
                let (palette, old) =
                    set.palette_and_frames(context, index, &layout, name, report, &|| {
                        pictures.iter().any(is_colored)
                    })?;
                if let Some(descriptor) = set.records.get_mut(index).and_then(|it| it.descriptor.as_mut())
                    && pictures.len() > 1
                {
                    descriptor.frame_delay = delay;
                }
                let frame = |(number, picture)| {
                    let path = format!("frame {number} of {name}");
                    let old = old.get(number).filter(|_| old.len() == pictures.len());
                    matched(&path, picture, &palette, old, &warning::INEXACT, report)
                };
                pictures.iter().enumerate().map(frame).collect()
            }
            Some(_) => {
                let picture = decode_picture(name, content)?;
                let (palette, old) =
                    set.palette_and_frames(context, index, &layout, name, report, &|| {
                        is_colored(&picture.to_rgba8())
                    })?;
                let old = old.first().filter(|_| old.len() == 1);
                vec![indices_of(name, &picture, &palette, old, &warning::INEXACT, report)]
            }
            None => set.read_record_file(index, content)?,
        };
        set.replace_frames(index, &layout, &frames)?;
        Ok(set)
    }

    /// Returns the palette that a new picture is matched with, and the current frames of the record.
    fn palette_and_frames(
        &self,
        context: &Context<'_>,
        index: usize,
        layout: &PictureLayout,
        name: &str,
        report: &mut Report,
        is_colored: &dyn Fn() -> bool,
    ) -> Result<(Vec<[u8; 4]>, Vec<Edited>)> {
        let palettes = PaletteChoices::new(context, Renderer::Software)?;
        let chosen = palettes.choose(None);
        let origin = (!palettes.is_gray_requested()).then_some(&chosen.origin);
        report_matched_palette(name, origin, is_colored, &CODES, report)?;
        let before = self.picture(index, set_at(context), &mut Budget::default(), &mut Report::new());
        let old = before.filter(|_| layout.frames > 0).map_or_else(Vec::new, |frames| {
            let (width, height) = (frames.width, frames.height);
            let one = |indices| Edited { width, height, indices };
            frames.frames.into_iter().map(one).collect()
        });
        Ok((self.key(index, context).apply(&chosen.colors), old))
    }

    /// Copies the drawing settings from the descriptor of a record file, and returns its frames.
    fn read_record_file(&mut self, index: usize, content: &[u8]) -> Result<Vec<Edited>> {
        let what = "not a record of a texture set (.tex) or an image (PNG, JPEG, BMP, TGA, GIF)";
        let wrong = |why: &str| Error::unsupported(format!("{what}: {why}"));
        let new = Self::read(content).map_err(|error| wrong(error.message()))?;
        let ([record], Some(Ok(layout))) = (new.records.as_slice(), new.layout(0)) else {
            return Err(wrong("it has several records instead of one"));
        };
        let Some(descriptor) = record.descriptor else {
            return Err(wrong("it is a solid color without pixels"));
        };
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        let (width, height) = (side(layout.width), side(layout.height));
        Budget::default().take(width, height, side(layout.frames))?;
        if let Some(own) = self.records.get_mut(index).and_then(|record| record.descriptor.as_mut()) {
            (own.x_offset, own.y_offset) = (descriptor.x_offset, descriptor.y_offset);
            (own.x_scale, own.y_scale) = (descriptor.x_scale, descriptor.y_scale);
            own.frame_delay = descriptor.frame_delay;
            own.flags = (own.flags & !flag::CLEAR) | (descriptor.flags & flag::CLEAR);
        }
        let frames = new.frames(&layout, descriptor.delay())?.frames;
        Ok(frames.into_iter().map(|indices| Edited { width, height, indices }).collect())
    }

    /// Sets the frames of a record, which may have had a different number of frames.
    fn replace_frames(&mut self, index: usize, layout: &PictureLayout, frames: &[Edited]) -> Result<()> {
        let first = frames.first().map(|frame| (frame.width, frame.height));
        if frames.iter().any(|frame| Some((frame.width, frame.height)) != first) {
            return Err(Error::usage("the frames have different sizes"));
        }
        // Run-length encoded rows are only used for pictures with transparent pixels.
        let is_clear = self.records.get(index).and_then(|it| it.descriptor).is_some_and(|it| it.is_clear());
        let keeps_encoding = is_clear || layout.encoding != PixelEncoding::Runs;
        if frames.len() == layout.frames && keeps_encoding {
            return if frames.is_empty() { Ok(()) } else { self.set_frames(index, layout, frames) };
        }
        let count = u16::try_from(frames.len());
        let count = count.map_err(|_| Error::usage("a record has at most 65,535 frames"))?;
        let Some(descriptor) = self.records.get_mut(index).and_then(|record| record.descriptor.as_mut())
        else {
            return Err(Error::usage("the record is a solid color, which has no pixels"));
        };
        descriptor.frame_count = count;
        descriptor.flags &= flag::CLEAR;
        descriptor.row_gap = 0;
        let encoding = match count {
            0 => return Ok(()),
            1 => {
                descriptor.flags |= flag::PAGE;
                PixelEncoding::Single { stride: PAGE }
            }
            _ => PixelEncoding::Multi,
        };
        self.append_record(index, encoding, frames)
    }
}

/// Returns the row distance of an extracted record.
fn extracted_stride(width: usize) -> usize {
    PAGE.max(width)
}

/// Places rows in a page, or consecutively if they are wider than a page.
fn encode_rows(frame: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for (row, pixels) in frame.chunks_exact(width.max(1)).enumerate() {
        out.resize(row.saturating_mul(extracted_stride(width)), 0);
        out.extend_from_slice(pixels);
    }
    out
}

/// Encodes a frame table followed by the frames, as runs of opaque pixels.
fn encode_runs(frames: &[Vec<u8>], width: usize, height: usize) -> Result<Vec<u8>> {
    let too_large = || Error::limit("the record is too large to be a file");
    let sides = [width, height].map(u16::try_from);
    let [Ok(across), Ok(down)] = sides else { return Err(too_large()) };
    let mut out = vec![0; frames.len().saturating_mul(4)];
    for (number, frame) in frames.iter().enumerate() {
        let offset = i32::try_from(out.len()).map_err(|_| too_large())?;
        let at = number.saturating_mul(4);
        if let Some(bytes) = out.get_mut(at..at.saturating_add(4)) {
            bytes.copy_from_slice(&offset.to_le_bytes());
        }
        out.extend(across.to_le_bytes());
        out.extend(down.to_le_bytes());
        for run in frame.chunks_exact(width.max(1)).flat_map(|row| row.chunks(MAX_RUN)) {
            out.extend([0, u8::try_from(run.len()).unwrap_or(u8::MAX)]);
            out.extend_from_slice(run);
        }
    }
    Ok(out)
}

impl Archive for TextureSet {
    fn count(&self) -> usize {
        self.records.len()
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let record = self.records.get(index)?;
        let length = self.extracted_size(index);
        let note = match (&record.descriptor, length) {
            (None, _) if record.entry.position == 0 => "solid color".to_owned(),
            (Some(descriptor), Some(_)) => {
                let frames = match descriptor.frame_count {
                    1 => String::new(),
                    count => format!(", {count} frames"),
                };
                format!("{} x {}{frames}", descriptor.width, descriptor.height)
            }
            _ => "damaged".to_owned(),
        };
        Some(Entry {
            name: format!("{index:03}.tex").into(),
            length: length.unwrap_or(0),
            stored: record.descriptor.map_or(0, |descriptor| descriptor.size.into()),
            content: if length.is_some() { Content::File } else { Content::Unreadable },
            note: note.into(),
        })
    }

    fn open(&self, index: usize) -> Result<Source> {
        self.extract(index)?.write().map(Source::from)
    }

    fn replace(
        &self,
        context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<()> {
        let set = self.with_record(context, index, (name, &content.read_all()?), report)?;
        Ok(out.write_all(&set.write()?)?)
    }
}
