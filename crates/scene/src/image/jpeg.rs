//! JPEG: parsing of markers, and removal of those that only affect how viewers show the image (ITU-T T.81, JFIF 1.02).
//!
//! Kept: tables, frame, scans, the JFIF header, and Adobe's APP14 marker, which specifies whether the colors are RGB,
//! YCbCr, CMYK or YCCK. Removed: color profiles, EXIF (these games ignore its orientation), XMP, thumbnails,
//! comments, and data after the end marker.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::borrow::Cow;

use super::{Format, Integrity};
use crate::Error;

/// A block of 8x8 pixels needs at least one bit.
const MAX_PIXELS_PER_BYTE: u64 = 512;

/// The frame header (SOF).
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Identifiers of the components in order: 1 for grayscale, 3 for color, 4 for print colors.
    pub(super) components: Vec<u8>,
}

mod marker {
    pub(super) const START_OF_IMAGE: u8 = 0xd8;
    pub(super) const END_OF_IMAGE: u8 = 0xd9;
    pub(super) const START_OF_SCAN: u8 = 0xda;
    pub(super) const PROGRESSIVE_FRAME: u8 = 0xc2;
    pub(super) const QUANTIZATION: u8 = 0xdb;
    pub(super) const RESTART_INTERVAL: u8 = 0xdd;
    pub(super) const HUFFMAN: u8 = 0xc4;
    pub(super) const JFIF: u8 = 0xe0;
    pub(super) const ADOBE: u8 = 0xee;
}

/// A marker with its data.
struct Segment<'a> {
    offset: usize,
    marker: u8,
    /// Data without marker and length; empty for standalone markers.
    data: &'a [u8],
    /// Offset of the next segment.
    end: usize,
}

fn bad(offset: usize, problem: impl Into<String>) -> Error {
    Format::Jpeg.bad(offset, problem)
}

/// Reads the marker at an offset. Additional 0xff bytes before it are allowed.
fn next_segment(bytes: &[u8], offset: usize) -> Result<Segment<'_>, Error> {
    let cut = || bad(offset, "the file ends in the middle of a header");
    let rest = bytes.get(offset..).ok_or_else(cut)?;
    if rest.first().is_some_and(|first| *first != 0xff) {
        return Err(bad(offset, "there is no marker"));
    }
    let fill = rest.iter().take_while(|byte| **byte == 0xff).count();
    let (_, rest) = rest.split_at_checked(fill).ok_or_else(cut)?;
    let (&marker, rest) = rest.split_first().ok_or_else(cut)?;
    let start = offset.saturating_add(fill).saturating_add(1);
    if matches!(marker, marker::START_OF_IMAGE | marker::END_OF_IMAGE | 0x01 | 0xd0..=0xd7) {
        return Ok(Segment { offset, marker, data: &[], end: start });
    }
    let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
    let length = usize::from(u16::from_be_bytes(*length));
    let data = length.checked_sub(2).and_then(|length| rest.get(..length)).ok_or_else(|| {
        bad(offset, format!("marker {marker:#x} of {length} bytes runs past the end of the file"))
    })?;
    Ok(Segment { offset, marker, data, end: start.saturating_add(length) })
}

/// Reads the file up to the frame header.
pub(super) fn read_frame(bytes: &[u8]) -> Result<Frame, Error> {
    let mut offset = 0;
    loop {
        let segment = next_segment(bytes, offset)?;
        offset = segment.end;
        match segment.marker {
            0xc0..=0xcf
                if segment.marker != marker::HUFFMAN && segment.marker != 0xc8 && segment.marker != 0xcc =>
            {
                return parse_frame(&segment);
            }
            marker::START_OF_SCAN | marker::END_OF_IMAGE => {
                return Err(bad(segment.offset, "there is no frame header"));
            }
            _ => {}
        }
    }
}

fn parse_frame(segment: &Segment<'_>) -> Result<Frame, Error> {
    let kind = match segment.marker {
        0xc0..=0xc2 => None,
        0xc3 | 0xc7 | 0xcb | 0xcf => Some("lossless coding"),
        0xc5 | 0xc6 | 0xcd | 0xce => Some("hierarchical coding"),
        _ => Some("arithmetic coding"),
    };
    if let Some(kind) = kind {
        return Err(Format::Jpeg.unsupported(kind));
    }
    let short = || bad(segment.offset, "the frame header is cut short");
    let (&[precision, h0, h1, w0, w1, count], rest) =
        segment.data.split_first_chunk::<6>().ok_or_else(short)?;
    let (width, height) = (u32::from(u16::from_be_bytes([w0, w1])), u32::from(u16::from_be_bytes([h0, h1])));
    if precision != 8 {
        return Err(Format::Jpeg.unsupported(format!("a sample precision of {precision} bits")));
    }
    if width == 0 || height == 0 {
        return Err(bad(segment.offset, format!("{width} x {height} is not a valid size")));
    }
    let (components, rest) = rest.as_chunks::<3>();
    if components.len() != usize::from(count) || !rest.is_empty() || !matches!(count, 1 | 3 | 4) {
        return Err(bad(segment.offset, format!("{count} color components")));
    }
    for [_, sampling, table] in components {
        if !matches!(sampling >> 4, 1..=4) || !matches!(sampling & 15, 1..=4) || *table > 3 {
            return Err(bad(segment.offset, "invalid component sampling factors"));
        }
    }
    Ok(Frame { width, height, components: components.iter().map(|[name, ..]| *name).collect() })
}

const BITS_IN_BYTE: u64 = 8;

/// Returns the part of a progressive JPEG that is needed for a copy of reduced size: its first scans, up to those
/// with the coefficients up to `last` of all components. The last bit of each coefficient is not needed; the one
/// before it is needed only if there are few bits per pixel, so that coefficients are coarse. Other files are
/// returned unchanged.
pub(super) fn first_scans(bytes: &[u8], last: u8) -> Cow<'_, [u8]> {
    let needed = length_needed(bytes, last).and_then(|length| bytes.get(..length));
    match needed {
        Some(needed) => Cow::Owned([needed, &[0xff, marker::END_OF_IMAGE]].concat()),
        None => Cow::Borrowed(bytes),
    }
}

/// Returns the number of bytes that are needed; `None` if it is unknown.
fn length_needed(bytes: &[u8], last: u8) -> Option<usize> {
    let bits_of_file = u64::try_from(bytes.len()).ok()?.checked_mul(BITS_IN_BYTE)?;
    let (mut offset, mut needed, mut is_progressive, mut pixels) = (0, None, false, 0);
    loop {
        let segment = next_segment(bytes, offset).ok()?;
        offset = segment.end;
        match segment.marker {
            marker::PROGRESSIVE_FRAME => {
                let frame = parse_frame(&segment).ok()?;
                pixels = u64::from(frame.width).saturating_mul(u64::from(frame.height));
                is_progressive = true;
            }
            marker::END_OF_IMAGE => return needed.filter(|_| is_progressive),
            marker::START_OF_SCAN => {
                let &[.., first, _, bits] = segment.data else { return None };
                offset = offset.saturating_add(scan_length(bytes.get(offset..)?));
                let (before, after) = (bits >> 4, bits & 15);
                if first <= last && (before == 0 || (after > 0 && bits_of_file < pixels)) {
                    needed = Some(offset);
                }
            }
            _ => {}
        }
    }
}

/// A JPEG whose markers are valid, without its metadata.
pub(super) struct Stripped {
    pub(super) frame: Frame,
    pub(super) bytes: Vec<u8>,
    pub(super) integrity: Integrity,
}

/// Checks all markers and keeps those that are needed to decode the image.
pub(super) fn strip(bytes: &[u8]) -> Result<Stripped, Error> {
    let mut walk = Walk {
        bytes,
        kept: Vec::with_capacity(bytes.len()),
        frame: None,
        tables: Tables::default(),
        scanned: 0,
    };
    walk.kept.extend_from_slice(&[0xff, marker::START_OF_IMAGE]);
    let first = next_segment(bytes, 0)?;
    if first.marker != marker::START_OF_IMAGE {
        return Err(bad(0, "there is no start marker"));
    }
    let mut offset = first.end;
    let integrity = loop {
        match walk.step(offset)? {
            Step::On(next) => offset = next,
            Step::End(integrity) => break integrity,
        }
    };
    walk.kept.extend_from_slice(&[0xff, marker::END_OF_IMAGE]);
    walk.kept.shrink_to_fit();
    let Some(frame) = walk.frame else {
        return Err(bad(offset, "there is no frame header"));
    };
    let pixels = u64::from(frame.width).saturating_mul(u64::from(frame.height));
    let scanned = u64::try_from(walk.scanned).unwrap_or(u64::MAX);
    if pixels > scanned.saturating_mul(MAX_PIXELS_PER_BYTE) {
        let problem =
            format!("{} x {} pixels are too many for {scanned} compressed bytes", frame.width, frame.height);
        return Err(bad(offset, problem));
    }
    Ok(Stripped { frame, bytes: walk.kept, integrity })
}

struct Walk<'a> {
    bytes: &'a [u8],
    kept: Vec<u8>,
    frame: Option<Frame>,
    tables: Tables,
    /// Total length of the scan data so far in bytes.
    scanned: usize,
}

#[derive(Default)]
struct Tables {
    quantization: bool,
    huffman: bool,
}

enum Step {
    On(usize),
    End(Integrity),
}

impl Walk<'_> {
    fn step(&mut self, offset: usize) -> Result<Step, Error> {
        // A file that ends after a scan's data has lost its end marker, or a later scan of a progressive image.
        if self.scanned > 0
            && self.bytes.get(offset..).is_none_or(|rest| rest.iter().all(|byte| *byte == 0xff))
        {
            return Ok(Step::End(Integrity::Truncated));
        }
        let segment = match next_segment(self.bytes, offset) {
            Err(_) if self.scanned > 0 => return Ok(Step::End(Integrity::Truncated)),
            segment => segment?,
        };
        match segment.marker {
            marker::END_OF_IMAGE if self.scanned > 0 => return Ok(Step::End(Integrity::Complete)),
            marker::END_OF_IMAGE => return Err(bad(offset, "the file ends before the image data")),
            marker::START_OF_SCAN => return self.scan(&segment).map(Step::On),
            marker::QUANTIZATION => self.tables.quantization = true,
            marker::HUFFMAN => self.tables.huffman = true,
            marker::RESTART_INTERVAL => {}
            marker::JFIF if segment.data.starts_with(b"JFIF\0") => return self.jfif(&segment).map(Step::On),
            marker::ADOBE if segment.data.starts_with(b"Adobe") => {}
            // Application data and comments.
            0xe0..=0xef | 0xfe => return Ok(Step::On(segment.end)),
            0xc0..=0xcf if self.frame.is_some() => return Err(bad(offset, "a second frame header")),
            0xc0..=0xcf if segment.marker != 0xc8 && segment.marker != 0xcc => {
                self.frame = Some(parse_frame(&segment)?);
            }
            marker => return Err(bad(offset, format!("unexpected marker {marker:#x}"))),
        }
        self.keep(segment.marker, segment.data);
        Ok(Step::On(segment.end))
    }

    fn keep(&mut self, marker: u8, data: &[u8]) {
        // A segment read from a file has a 16-bit length.
        let length = u16::try_from(data.len().saturating_add(2)).unwrap_or(u16::MAX);
        self.kept.extend_from_slice(&[0xff, marker]);
        self.kept.extend_from_slice(&length.to_be_bytes());
        self.kept.extend_from_slice(data);
    }

    /// Keeps the JFIF header (version, density) without the thumbnail that may follow it.
    fn jfif(&mut self, segment: &Segment<'_>) -> Result<usize, Error> {
        let Some((header, _)) = segment.data.split_first_chunk::<12>() else {
            return Err(bad(segment.offset, "the JFIF header is cut short"));
        };
        let mut header = header.to_vec();
        header.extend_from_slice(&[0, 0]);
        self.keep(segment.marker, &header);
        Ok(segment.end)
    }

    /// Keeps a scan: its header and the data up to the next marker. Returns the offset of that marker.
    fn scan(&mut self, segment: &Segment<'_>) -> Result<usize, Error> {
        let wrong = |problem: &str| bad(segment.offset, problem);
        let Some(frame) = &self.frame else {
            return Err(wrong("a scan before the frame header"));
        };
        if !self.tables.quantization || !self.tables.huffman {
            return Err(wrong("a scan before its tables"));
        }
        // The number of components, two bytes for each, then the first and last coefficient and the bits.
        let (&count, rest) = segment.data.split_first().ok_or_else(|| wrong("an empty scan header"))?;
        let (components, tail) =
            rest.split_at_checked(usize::from(count).saturating_mul(2)).unwrap_or_default();
        let (components, _) = components.as_chunks::<2>();
        let known = components.iter().all(|[name, _]| frame.components.contains(name));
        if tail.len() != 3 || !known || !matches!(count, 1..=4) {
            return Err(wrong("the scan header does not match the frame"));
        }
        let data = self.bytes.get(segment.end..).unwrap_or_default();
        let length = scan_length(data);
        self.keep(marker::START_OF_SCAN, segment.data);
        self.kept.extend_from_slice(data.get(..length).unwrap_or_default());
        self.scanned = self.scanned.saturating_add(length);
        Ok(segment.end.saturating_add(length))
    }
}

/// Returns the length of the entropy-coded data before the next marker. Stuffed zeros and restart markers belong to
/// the data.
fn scan_length(data: &[u8]) -> usize {
    let mut from = 0;
    while let Some(found) = data.get(from..).and_then(|rest| rest.iter().position(|byte| *byte == 0xff)) {
        let at = from.saturating_add(found);
        match data.get(at.saturating_add(1)) {
            Some(0x00 | 0xd0..=0xd7) => from = at.saturating_add(2),
            Some(0xff) => from = at.saturating_add(1),
            _ => return at,
        }
    }
    data.len()
}
