//! The layout of an `.LBM` file: Interchange File Format chunks with big-endian numbers, in the PBM variant of Deluxe Paint for the PC:
//! one byte per pixel.
//!
//! Sources: Electronic Arts, "EA IFF 85" and "ILBM"; the reader of a preservation project for the menu of a game (640 x 480, 16 cycles).

use asset::FixedText;
use record::{Bytes, Declared, Error, Order, Reader, Record, Result, Writer, by_hand};
use serde::{Deserialize, Serialize};

use crate::picture::Colors;

/// A Deluxe Paint picture.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lbm {
    /// Number of bytes by which the file is shorter than its length field specifies; omitted if 0, as in valid files.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[record(by = form)]
    pub missing: u32,
    /// The chunks, in their order.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk, too few for another chunk; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tail: Bytes,
    /// Bytes after the picture; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A chunk.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// Contents of the chunk.
    #[record(inline)]
    pub content: Content,
    /// The byte that pads a chunk of odd length, usually 0. The last chunk may lack it.
    #[record(by = pad(content.len()))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pad: Option<u8>,
}

/// The content of a chunk.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big, body = "content")]
pub enum Content {
    /// BMHD: size and compression.
    #[record(tag = *b"BMHD")]
    Header(Header),
    /// CMAP: 256 colors, 8 bits per channel. Palettes of other lengths are `Other`.
    #[record(tag = *b"CMAP", when = length == 768)]
    Palette(Colors),
    /// CRNG: a color cycle.
    #[record(tag = *b"CRNG", when = length == 8)]
    Cycle(Cycle),
    /// BODY: the stored pixel data.
    #[record(tag = *b"BODY")]
    Body(Bytes),
    /// Any other chunk.
    #[record(unknown)]
    Other {
        /// Four-letter tag.
        tag: FixedText<4>,
        /// Contents.
        data: Bytes,
    },
}

/// Size and compression: 20 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(order = big)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Horizontal position on the page.
    pub x: i16,
    /// Vertical position on the page.
    pub y: i16,
    /// Bits per index: 8.
    pub depth: u8,
    /// See [`masking`].
    pub masking: u8,
    /// 0: uncompressed; 1: ByteRun1.
    pub compression: u8,
    /// 0.
    pub unknown_0x0b: u8,
    /// Transparent index, if `masking` is 2.
    pub transparent: u16,
    /// The pixel aspect ratio, width over height.
    pub aspect: [u8; 2],
    /// Width and height of the page in pixels.
    pub page: [i16; 2],
    /// Extra bytes; usually none.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// Values of [`Header::masking`].
pub mod masking {
    /// Opaque.
    pub const NONE: u8 = 0;
    /// One transparent index.
    pub const INDEX: u8 = 2;
}

/// A color cycle: a range of the palette that is rotated by one entry per step.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(order = big)]
#[serde(deny_unknown_fields)]
pub struct Cycle {
    /// 0.
    pub unknown_0x00: u16,
    /// Speed: 16384 is 60 steps per second.
    pub rate: u16,
    /// Bit 0: active; bit 1: reversed.
    pub flags: u16,
    /// First palette index.
    pub low: u8,
    /// Last palette index.
    pub high: u8,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

const FORM: [u8; 4] = *b"FORM";
const PBM: [u8; 4] = *b"PBM ";

/// Size of a chunk's tag and length in bytes.
const CHUNK_HEAD: usize = 8;

/// Reads a big-endian length.
fn length(reader: &mut Reader<'_>) -> Result<u32> {
    reader.field("length", |reader| reader.with_order(Order::Big, |reader| u32::read(reader, ())))
}

/// Implemented by hand: the length may exceed the file, and whether a chunk needs a pad byte depends on its position.
#[by_hand(Chunk)]
impl Record for Lbm {
    type Context = ();
    const MIN_SIZE: usize = 12;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let (declared, at) = reader.field("form", |reader| {
            let start = reader.offset();
            let tag = reader.field("tag", |reader| FixedText::<4>::read(reader, ()))?;
            if tag.0 != FORM {
                let message = format!("expected \"FORM\", found \"{tag}\"");
                return Err(Error::malformed(message).at(start).in_field("tag"));
            }
            let at = reader.offset();
            Ok((length(reader)?, at))
        })?;
        let left = u32::try_from(reader.remaining()).unwrap_or(u32::MAX);
        if declared < 4 {
            let message = format!("length is {declared}, too short for a picture");
            return Err(Error::malformed(message).at(at).in_field("length").in_field("form"));
        }
        let (chunks, tail) = reader.within(declared.min(left), |reader| {
            reader.field("kind", read_kind)?;
            let chunks = reader.field("chunks", |reader| {
                let mut chunks = Vec::new();
                while reader.remaining() >= CHUNK_HEAD {
                    chunks.push(reader.item(chunks.len(), |reader| Chunk::read(reader, ()))?);
                }
                Ok(chunks)
            })?;
            Ok((chunks, reader.field("tail", |reader| Bytes::read(reader, ()))?))
        })?;
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { missing: declared.saturating_sub(left), chunks, tail, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(&FORM);
        let length_field = writer.reserve(4);
        let start = writer.offset();
        writer.put(&PBM);
        for (index, chunk) in self.chunks.iter().enumerate() {
            // Bytes after the form do not belong to it.
            let is_last = index.saturating_add(1) == self.chunks.len() && self.tail.is_empty();
            chunk
                .check_pad(is_last)
                .and_then(|()| chunk.write(writer, ()))
                .map_err(|error| error.in_item(index).in_field("chunks"))?;
        }
        writer.put(&self.tail);
        let size = writer.offset().saturating_sub(start).saturating_add(self.missing.into());
        let size = u32::try_from(size).map_err(|_| Error::usage("the chunks take more than 4 GB"))?;
        writer.patch(length_field, &size.swap_bytes(), ())?;
        writer.put(&self.rest);
        Ok(())
    }
}

fn read_kind(reader: &mut Reader<'_>) -> Result<()> {
    let start = reader.offset();
    let kind = FixedText::<4>::read(reader, ())?;
    match &kind.0 {
        b"PBM " => Ok(()),
        b"ILBM" => {
            let message = "this is an ILBM, an Amiga picture of bit planes; only PBM (one byte per pixel) is supported: save it \
                           as PBM with Deluxe Paint for the PC, or as PNG";
            Err(Error::unsupported(message).at(start))
        }
        _ => Err(Error::unsupported(format!("unknown picture type \"{kind}\" (known: \"PBM \")")).at(start)),
    }
}

/// The pad byte of a chunk.
mod pad {
    use record::{Reader, Record, Result, Writer};

    pub(super) fn read(reader: &mut Reader<'_>, length: usize) -> Result<Option<u8>> {
        if length % 2 == 1 && !reader.is_at_end() { u8::read(reader, ()).map(Some) } else { Ok(None) }
    }

    pub(super) fn write(pad: &Option<u8>, writer: &mut Writer, _length: usize) -> Result<()> {
        pad.iter().for_each(|pad| writer.put(&[*pad]));
        Ok(())
    }
}

impl Chunk {
    /// Creates a chunk, padded if its length is odd.
    #[must_use]
    pub fn new(content: Content) -> Self {
        let pad = (content.len() % 2 == 1).then_some(0);
        Self { content, pad }
    }

    /// Checks that chunks of odd length, and only those, have a pad byte; the last chunk may lack it.
    fn check_pad(&self, is_last: bool) -> Result<()> {
        let is_odd = self.content.len() % 2 == 1;
        match (is_odd, self.pad) {
            (false, Some(_)) => {
                Err(Error::usage("a chunk of even length must not have a pad byte").in_field("pad"))
            }
            (true, None) if !is_last => {
                Err(Error::usage("a chunk of odd length needs a pad byte").in_field("pad"))
            }
            _ => Ok(()),
        }
    }
}

impl Content {
    /// Returns the tag.
    #[must_use]
    pub fn tag(&self) -> [u8; 4] {
        match self {
            Self::Header(_) => *b"BMHD",
            Self::Palette(_) => *b"CMAP",
            Self::Cycle(_) => *b"CRNG",
            Self::Body(_) => *b"BODY",
            Self::Other { tag, .. } => tag.0,
        }
    }

    /// Size in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Header(header) => header.rest.len().saturating_add(20),
            Self::Palette(_) => 768,
            Self::Cycle(_) => 8,
            Self::Body(bytes) | Self::Other { data: bytes, .. } => bytes.len(),
        }
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
