//! The pixels of a picture: raw rows or ByteRun1 run lengths.

use record::{Bytes, Error, Result};

use super::layout::{Chunk, Content, Cycle, Header, Lbm, masking};
use crate::picture::Colors;
use crate::picture::single::{Lines, Rows, Run, unpack_rows};
use crate::picture::{Budget, Edited};

/// Maximum length of a run.
const LONGEST: usize = 128;

impl Lbm {
    /// Creates a picture from pixels, one index each, with rows from the top.
    ///
    /// # Errors
    /// When the number of pixels does not match the size.
    pub fn new((width, height): (u16, u16), palette: Colors, indices: Vec<u8>) -> Result<Self> {
        let picture = Edited { width: width.into(), height: height.into(), indices };
        if picture.indices.len() != usize::from(width).saturating_mul(height.into()) {
            let message = format!("{width} x {height} pixels expected, found {}", picture.indices.len());
            return Err(Error::usage(message));
        }
        let side = |length: u16| i16::try_from(length).unwrap_or(i16::MAX);
        let header = Header {
            width,
            height,
            x: 0,
            y: 0,
            depth: 8,
            masking: masking::NONE,
            compression: 1,
            unknown_0x0b: 0,
            transparent: 0,
            aspect: [1, 1],
            page: [side(width), side(height)],
            rest: Bytes::default(),
        };
        let lines = Lines { stride: 0, bytes: Vec::new() }.with(&picture, stride(width));
        let contents =
            [Content::Header(header), Content::Palette(palette), Content::Body(Bytes(pack_lines(&lines)))];
        let chunks = contents.into_iter().map(Chunk::new).collect();
        Ok(Self { missing: 0, chunks, tail: Bytes::default(), rest: Bytes::default() })
    }

    /// Returns the size and compression.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.chunks.iter().find_map(|chunk| match &chunk.content {
            Content::Header(header) => Some(header),
            _ => None,
        })
    }

    /// Returns the palette; missing colors are black, and without a palette it is grayscale.
    #[must_use]
    pub fn palette(&self) -> Colors {
        let stored = |chunk: &Chunk| match &chunk.content {
            Content::Palette(colors) => Some(colors.clone()),
            Content::Other { tag, data } if &tag.0 == b"CMAP" => {
                let mut out = Colors::default();
                let (colors, _) = data.as_chunks::<3>();
                out.0.iter_mut().zip(colors).for_each(|(entry, color)| *entry = *color);
                Some(out)
            }
            _ => None,
        };
        self.chunks.iter().find_map(stored).unwrap_or_else(Colors::grey)
    }

    /// Iterates over the color cycles.
    pub fn cycles(&self) -> impl Iterator<Item = &Cycle> {
        self.chunks.iter().filter_map(|chunk| match &chunk.content {
            Content::Cycle(cycle) => Some(cycle),
            _ => None,
        })
    }

    /// Returns the chunk index, the offset in the file and the bytes of the pixel data.
    pub(super) fn body(&self) -> Option<(usize, u64, &Bytes)> {
        let mut at = 12_u64;
        for (index, chunk) in self.chunks.iter().enumerate() {
            let start = at.saturating_add(8);
            if let Content::Body(bytes) = &chunk.content {
                return Some((index, start, bytes));
            }
            let length = chunk.content.len().saturating_add(usize::from(chunk.pad.is_some()));
            at = start.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        }
        None
    }

    /// Returns the header and the rows of the picture.
    pub(super) fn rows(&self) -> Result<(&Header, Rows)> {
        let missing = |name| Error::malformed(format!("the {name} chunk is missing")).at(12);
        let header = self.header().ok_or_else(|| missing("BMHD"))?;
        let (index, base, body) = self.body().ok_or_else(|| missing("BODY"))?;
        let rows = rows(header, body, base);
        rows.map(|rows| (header, rows)).map_err(|error| error.in_item(index).in_field("chunks"))
    }

    /// Returns the pixels, one index each, with rows from the top.
    ///
    /// # Errors
    /// When the header or the body is missing, or the body does not match the size in the header.
    pub fn picture(&self) -> Result<Vec<u8>> {
        self.rows().map(|(header, rows)| rows.lines.without_padding(header.width.into()))
    }

    /// Replaces the pixels, and keeps the compression.
    pub(super) fn set(&mut self, picture: &Edited) -> Result<()> {
        let side = |length: u32| {
            let message = format!("a side of {length} pixels is too long (limit: 65535)");
            u16::try_from(length).map_err(|_| Error::usage(message))
        };
        let (width, height) = (side(picture.width)?, side(picture.height)?);
        let (header, rows) = self.rows()?;
        let lines = rows.lines.with(picture, stride(width));
        let mut bytes = if header.compression == 0 { lines.bytes } else { pack_lines(&lines) };
        let (index, _, body) = self.body().unwrap_or((0, 0, &self.rest));
        let left = body.len().saturating_sub(rows.left);
        bytes.extend_from_slice(body.get(left..).unwrap_or_default());
        if let Some(chunk) = self.chunks.get_mut(index) {
            *chunk = Chunk::new(Content::Body(Bytes(bytes)));
        }
        for chunk in &mut self.chunks {
            if let Content::Header(header) = &mut chunk.content {
                (header.width, header.height) = (width, height);
                break;
            }
        }
        Ok(())
    }
}

/// Returns the number of bytes per row, which is even.
fn stride(width: u16) -> usize {
    usize::from(width).next_multiple_of(2)
}

fn rows(header: &Header, body: &[u8], base: u64) -> Result<Rows> {
    if header.width == 0 || header.height == 0 {
        return Err(
            Error::malformed(format!("{} x {} is not a valid size", header.width, header.height)).at(base)
        );
    }
    if header.depth != 8 {
        return Err(Error::unsupported(format!(
            "{} bits per pixel are not supported (supported: 8)",
            header.depth
        ))
        .at(base));
    }
    let (stride, count) = (stride(header.width), usize::from(header.height));
    Budget::default().take(header.width.into(), header.height.into(), 1).map_err(|error| error.at(base))?;
    match header.compression {
        0 => {
            let all = stride.saturating_mul(count);
            let bytes = body.get(..all).ok_or_else(|| {
                let message =
                    format!("{count} rows of {stride} bytes need {all} bytes, but there are {}", body.len());
                Error::malformed(message).at(base)
            })?;
            let lines = Lines { stride, bytes: bytes.to_vec() };
            Ok(Rows { lines, left: body.len().saturating_sub(all), crossing: 0 })
        }
        1 => unpack_rows(body, (stride, count), base, next_run),
        other => Err(Error::unsupported(format!("unknown compression {other} (known: 0, 1)")).at(base)),
    }
}

/// Takes a run. A control byte up to 127 is followed by that number of literal bytes plus one; from 129 on, the next byte is
/// repeated 257 minus the control byte times; 128 does nothing.
fn next_run<'a>(rest: &mut &'a [u8]) -> Option<Run<'a>> {
    let (control, following) = rest.split_first()?;
    match control {
        0x80 => {
            *rest = following;
            Some(Run::Pixels(&[]))
        }
        copy @ ..0x80 => {
            let (pixels, following) = following.split_at_checked(usize::from(*copy).saturating_add(1))?;
            *rest = following;
            Some(Run::Pixels(pixels))
        }
        repeat => {
            let (pixel, following) = following.split_first()?;
            *rest = following;
            Some(Run::Repeat(257_usize.saturating_sub((*repeat).into()), *pixel))
        }
    }
}

/// Compresses each row separately. Three or more equal bytes become a run.
fn pack_lines(lines: &Lines) -> Vec<u8> {
    let mut out = Vec::new();
    for row in lines.bytes.chunks_exact(lines.stride.max(1)) {
        let mut rest = row;
        let mut literals = 0..0;
        while let Some(first) = rest.first() {
            let at = row.len().saturating_sub(rest.len());
            let equal = rest.iter().take(LONGEST).take_while(|byte| *byte == first).count();
            if equal >= 3 {
                put_literals(&mut out, row.get(literals).unwrap_or_default());
                out.extend([u8::try_from(257_usize.saturating_sub(equal)).unwrap_or(u8::MAX), *first]);
                literals = 0..0;
                rest = rest.get(equal..).unwrap_or_default();
            } else {
                literals = if literals.is_empty() { at } else { literals.start }..at.saturating_add(1);
                rest = rest.get(1..).unwrap_or_default();
            }
        }
        put_literals(&mut out, row.get(literals).unwrap_or_default());
    }
    out
}

fn put_literals(out: &mut Vec<u8>, literals: &[u8]) {
    for run in literals.chunks(LONGEST) {
        out.push(u8::try_from(run.len().saturating_sub(1)).unwrap_or(0x7f));
        out.extend_from_slice(run);
    }
}
