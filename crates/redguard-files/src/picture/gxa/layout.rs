//! The layout of a `.GXA` file: chunks with big-endian lengths in a fixed order, and an `END ` tag without a length.
//!
//! Numbers within a chunk are little-endian. Sources: redguard-preservation's documentation of the format; third-party
//! measurements of all 65 files of the game (450 frames: 320 raw, 128 run lengths, 2 LZHUF). `system/pointers.bmp` is also such a
//! file, without a banner.

use crate::picture::pixels;
use record::{Bytes, Declared, Error, Order, Reader, Record, Result, Writer, by_hand};
use serde::{Deserialize, Serialize};

use asset::FixedText;
use media::picture::Colors;

/// A bitmap file of the menus.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gxa {
    /// The banner: `GXlib image conversion`, or empty.
    #[record(by = chunks)]
    pub banner: FixedText<32>,
    /// 256 colors with 6 bits per channel. The first is transparent.
    pub palette: Colors,
    /// The meaning of the length field of the frames.
    pub length: FramesLength,
    /// The frames.
    pub frames: Vec<Frame>,
    /// Bytes after the last frame, within the length of the frames; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub frames_rest: Bytes,
    /// Whether the file ends with `END `, as all but two do.
    pub end: bool,
    /// Bytes after the end tag; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The meaning of the length field of the frames (the chunk BBMP).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FramesLength {
    /// The size of the frames.
    Bytes,
    /// The size of the file without its last four bytes, which is the offset of `END `; used in GXICONS.GXA and GUI.GXA.
    FileWithoutEnd,
}

/// A frame: a header of 18 bytes, then its pixels.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// 1.
    pub unknown_0x00: u16,
    /// Width in pixels.
    #[record(check = not_empty)]
    pub width: u16,
    /// Height in pixels.
    #[record(check = not_empty)]
    pub height: u16,
    /// A horizontal drawing offset in pixels that some screens apply.
    pub x_offset: i16,
    /// A vertical drawing offset in pixels that some screens apply.
    pub y_offset: i16,
    /// Zero.
    #[record(before(compression: Compression = pixels.compression()))]
    pub unknown_0x0c: [u8; 6],
    /// The pixels, rows from the top.
    #[record(with = PixelContext { compression, width, height })]
    pub pixels: Pixels,
}

/// The encoding of the pixels. The variant's number is the value of the `compression` field.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(context = PixelContext)]
pub enum Pixels {
    /// 0: one byte per pixel.
    #[record(when = context.compression == Compression::Raw)]
    Raw(#[record(by = pixels(context.width, context.height))] Bytes),
    /// 1: run lengths.
    #[record(when = context.compression == Compression::Rle)]
    Rle(#[record(count = u32)] Bytes),
    /// 2: LZSS with adaptive Huffman codes, LHA's method lh1.
    #[record(when = context.compression == Compression::Lzhuf)]
    Lzhuf {
        /// The decompressed size.
        #[record(before(count: u32 = data.len()))]
        raw_size: u32,
        /// The compressed bytes.
        #[record(count = count, inline)]
        data: Bytes,
    },
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// The tag of the first chunk, which identifies the format.
pub(super) const FIRST: [u8; 4] = *b"BMHD";

const PALETTE: [u8; 4] = *b"BPAL";
const FRAMES: [u8; 4] = *b"BBMP";
const END: [u8; 4] = *b"END ";

/// The size in bytes of the first chunk: the banner and the number of frames.
const HEADER_SIZE: u32 = 34;
const PALETTE_SIZE: u32 = 768;

/// The size in bytes of a frame header, without the size fields of compressed pixels.
const FRAME_HEAD: usize = 18;

/// Reads a chunk header with the expected tag. Returns the length of the chunk.
fn chunk(reader: &mut Reader<'_>, tag: [u8; 4]) -> Result<(u32, u64)> {
    reader.field("tag", |reader| {
        let start = reader.offset();
        let found = <[u8; 4]>::read(reader, ())?;
        if found == tag {
            return Ok(());
        }
        let message =
            format!("expected the chunk \"{}\", found \"{}\"", tag.escape_ascii(), found.escape_ascii());
        Err(Error::malformed(message).at(start))
    })?;
    let start = reader.offset();
    let length =
        reader.field("length", |reader| reader.with_order(Order::Big, |reader| u32::read(reader, ())))?;
    Ok((length, start))
}

fn sized_chunk(reader: &mut Reader<'_>, tag: [u8; 4], size: u32) -> Result<()> {
    let (length, start) = chunk(reader, tag)?;
    if length == size {
        return Ok(());
    }
    let message = format!("length is {length}, but this chunk always has {size} bytes");
    Err(Error::malformed(message).at(start).in_field("length"))
}

fn write_chunk(writer: &mut Writer, tag: [u8; 4], length: u32) {
    writer.put(&tag);
    writer.put(&length.to_be_bytes());
}

/// Implemented by hand: the length field of the frames has two meanings, one of which depends on the bytes after the frames.
#[by_hand(Frame)]
impl Record for Gxa {
    type Context = ();
    const MIN_SIZE: usize = 42;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        reader.field("header", |reader| sized_chunk(reader, FIRST, HEADER_SIZE))?;
        let banner = reader.field("banner", |reader| FixedText::read(reader, ()))?;
        let count_at = reader.offset();
        let count = reader.field("frame_count", |reader| u16::read(reader, ()))?;
        let palette = reader.field("palette", |reader| {
            sized_chunk(reader, PALETTE, PALETTE_SIZE)?;
            Colors::read(reader, ())
        })?;
        if count == 0 {
            return Err(Error::malformed("there are no frames").at(count_at).in_field("frame_count"));
        }
        let (length, size) = reader.field("frames", read_frames_length)?;
        let (frames, frames_rest) = reader.within(size, |reader| {
            let frames = reader.field("frames", |reader| {
                let count = reader.check_count(count, FRAME_HEAD, count_at)?;
                Frame::read_list(reader, count, ())
            })?;
            Ok((frames, reader.field("frames_rest", |reader| Bytes::read(reader, ()))?))
        })?;
        let end = reader.rest().starts_with(&END);
        if end {
            reader.field("end", |reader| <[u8; 4]>::read(reader, ()))?;
        }
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { banner, palette, length, frames, frames_rest, end, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let count: u16 = writer.field("frames", |writer| writer.count(self.frames.len()))?;
        if count == 0 {
            return Err(Error::usage("a file has at least one frame").in_field("frames"));
        }
        write_chunk(writer, FIRST, HEADER_SIZE);
        self.banner.write(writer, ())?;
        count.write(writer, ())?;
        write_chunk(writer, PALETTE, PALETTE_SIZE);
        self.palette.write(writer, ())?;
        writer.put(&FRAMES);
        let reserved = writer.reserve(4);
        let start = writer.offset();
        writer.field("frames", |writer| Frame::write_list(&self.frames, writer, ()))?;
        writer.put(&self.frames_rest);
        let frames_end = writer.offset();
        if self.end {
            writer.put(&END);
        }
        writer.put(&self.rest);
        let length = match self.length {
            FramesLength::Bytes => frames_end.saturating_sub(start),
            FramesLength::FileWithoutEnd => writer.offset().saturating_sub(4),
        };
        let length = u32::try_from(length)
            .map_err(|_| Error::usage("the frames take more than 4 GB").in_field("frames"))?;
        // Big-endian, unlike the other fields.
        writer.patch(reserved, &length.swap_bytes(), ())
    }
}

/// Reads the header of the frames. Returns the meaning of their length field, and their size in bytes.
fn read_frames_length(reader: &mut Reader<'_>) -> Result<(FramesLength, u64)> {
    let (length, at) = chunk(reader, FRAMES)?;
    let without_end = reader.file_len().checked_sub(4);
    if usize::try_from(length).is_ok_and(|length| length <= reader.remaining()) {
        return Ok((FramesLength::Bytes, u64::from(length)));
    }
    if without_end == Some(u64::from(length)) {
        return Ok((FramesLength::FileWithoutEnd, u64::from(length).saturating_sub(reader.offset())));
    }
    let message = format!("length is {length}, but only {} bytes are left", reader.remaining());
    Err(Error::malformed(message).at(at).in_field("length"))
}

/// The compression field.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(tag = u16, unknown = unknown_compression)]
enum Compression {
    #[record(tag = 0_u16)]
    Raw,
    #[record(tag = 1_u16)]
    Rle,
    #[record(tag = 2_u16)]
    Lzhuf,
}

fn unknown_compression(found: &u16) -> Error {
    Error::malformed(format!("unknown compression {found} (known: 0, 1, 2)"))
}

/// The context of the pixels: compression and size.
#[derive(Debug, Clone, Copy)]
pub struct PixelContext {
    compression: Compression,
    width: u16,
    height: u16,
}

fn not_empty(side: &u16) -> Result<()> {
    if *side == 0 { Err(Error::malformed("0 is not a valid size")) } else { Ok(()) }
}

impl Pixels {
    fn compression(&self) -> Compression {
        match self {
            Self::Raw(_) => Compression::Raw,
            Self::Rle(_) => Compression::Rle,
            Self::Lzhuf { .. } => Compression::Lzhuf,
        }
    }

    /// Returns the stored bytes.
    #[must_use]
    pub fn stored(&self) -> &[u8] {
        match self {
            Self::Raw(bytes) | Self::Rle(bytes) | Self::Lzhuf { data: bytes, .. } => bytes,
        }
    }
}

impl Frame {
    /// Returns the size of the header before the stored pixels.
    pub(super) fn head(&self) -> u64 {
        match self.pixels {
            Pixels::Raw(_) => 18,
            Pixels::Rle(_) => 22,
            Pixels::Lzhuf { .. } => 26,
        }
    }
}

/// A frame with its offset in the file and the offset of its stored pixels.
pub(super) type Located<'a> = (u64, u64, &'a Frame);

impl Gxa {
    /// Returns the frames with their offsets.
    pub(super) fn located(&self) -> impl Iterator<Item = Located<'_>> {
        // The frames follow three chunk headers, the header and the palette.
        let mut at = u64::from(HEADER_SIZE).saturating_add(PALETTE_SIZE.into()).saturating_add(24);
        self.frames.iter().map(move |frame| {
            let (start, pixels) = (at, at.saturating_add(frame.head()));
            at = pixels.saturating_add(u64::try_from(frame.pixels.stored().len()).unwrap_or(u64::MAX));
            (start, pixels, frame)
        })
    }
}
