//! What stands in an `.LBM` file: chunks of the Interchange File Format with big-endian numbers, in the dialect PBM of Deluxe Paint for the PC:
//! one byte a pixel.
//!
//! Sources: Electronic Arts, "EA IFF 85" and "ILBM"; redguard-preservation's reader of the game's `system/gui.lbm` (640 x 480, 16 cycles).

use record::{Bytes, Error, Order, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use asset::FixedText;
use asset::picture::Colors;

/// A picture of Deluxe Paint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lbm {
    /// By how many bytes the file says to be longer than it is: 0 in sound files, and left out then.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: u32,
    /// The chunks, in their order.
    pub chunks: Vec<Chunk>,
    /// Too few bytes for a chunk behind the last: nothing in sound files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub tail: Bytes,
    /// What stands behind the picture: nothing in sound files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A chunk.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// What stands in it.
    #[record(inline)]
    pub content: Content,
    /// The byte that pads a chunk of odd length, usually 0. The last chunk may lack it.
    #[record(by = pad(content.len()))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pad: Option<u8>,
}

/// What stands in a chunk.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big, body = "content")]
pub enum Content {
    /// BMHD: size and packing.
    #[record(tag = *b"BMHD")]
    Header(Header),
    /// CMAP: 256 colours, 8 bits a channel. One of another length is an `Other`.
    #[record(tag = *b"CMAP", when = length == 768)]
    Palette(Colors),
    /// CRNG: a part of the palette that turns.
    #[record(tag = *b"CRNG", when = length == 8)]
    Cycle(Cycle),
    /// BODY: the pixels as they are stored.
    #[record(tag = *b"BODY")]
    Body(Bytes),
    /// Any other chunk.
    #[record(unknown)]
    Other {
        /// Its four letters.
        tag: FixedText<4>,
        /// Its bytes.
        data: Bytes,
    },
}

/// Size and packing: 20 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(order = big)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Pixels across.
    pub width: u16,
    /// Pixels down.
    pub height: u16,
    /// Where it stands on the page.
    pub x: i16,
    /// As `x`.
    pub y: i16,
    /// Bits of an index: 8.
    pub depth: u8,
    /// See [`masking`].
    pub masking: u8,
    /// 0: as they are; 1: ByteRun1.
    pub compression: u8,
    /// 0.
    pub unknown_0x0b: u8,
    /// The index that is seen through where `masking` is 2.
    pub transparent: u16,
    /// The shape of a pixel, width over height.
    pub aspect: [u8; 2],
    /// Pixels of the page.
    pub page: [i16; 2],
    /// What stands behind: nothing in usual files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// What is seen through.
pub mod masking {
    /// Nothing.
    pub const NONE: u8 = 0;
    /// One index.
    pub const INDEX: u8 = 2;
}

/// A part of the palette that turns: its colours move on by one place.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(order = big)]
#[serde(deny_unknown_fields)]
pub struct Cycle {
    /// 0.
    pub unknown_0x00: u16,
    /// How fast: 16384 are 60 steps a second.
    pub rate: u16,
    /// Bit 0: it turns; bit 1: the other way round.
    pub flags: u16,
    /// The first colour.
    pub low: u8,
    /// The last colour.
    pub high: u8,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

const FORM: [u8; 4] = *b"FORM";
const PBM: [u8; 4] = *b"PBM ";

/// How many bytes stand in front of a chunk's content.
const CHUNK_HEAD: usize = 8;

/// A length, stored the other way round than most numbers of the game.
fn length(reader: &mut Reader<'_>) -> Result<u32> {
    reader.field("length", |reader| reader.ordered(Order::Big, |reader| u32::read(reader, ())))
}

/// By hand: the length may promise more than there is, and which chunk needs a pad depends on its place.
impl Record for Lbm {
    type Context = ();
    const MIN_SIZE: usize = 12;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let (said, at) = reader.field("form", |reader| {
            let start = reader.offset();
            let tag = reader.field("tag", |reader| FixedText::<4>::read(reader, ()))?;
            if tag.0 != FORM {
                let message = format!("\"{tag}\" stands where \"FORM\" must");
                return Err(Error::malformed(message).at(start).in_field("tag"));
            }
            let at = reader.offset();
            Ok((length(reader)?, at))
        })?;
        let left = u32::try_from(reader.remaining()).unwrap_or(u32::MAX);
        if said < 4 {
            let message = format!("{said} bytes are too few for a picture");
            return Err(Error::malformed(message).at(at).in_field("length").in_field("form"));
        }
        let (chunks, tail) = reader.within(said.min(left), |reader| {
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
        Ok(Self { missing: said.saturating_sub(left), chunks, tail, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(&FORM);
        let place = writer.reserve(4);
        let start = writer.offset();
        writer.put(&PBM);
        for (index, chunk) in self.chunks.iter().enumerate() {
            let is_last =
                index.saturating_add(1) == self.chunks.len() && self.tail.is_empty() && self.rest.is_empty();
            chunk
                .check_pad(is_last)
                .and_then(|()| chunk.write(writer, ()))
                .map_err(|error| error.in_item(index).in_field("chunks"))?;
        }
        writer.put(&self.tail);
        let size = writer.offset().saturating_sub(start).saturating_add(self.missing.into());
        let size = u32::try_from(size).map_err(|_| Error::usage("the chunks take more than 4 GB"))?;
        writer.patch(place, &size.swap_bytes(), ())?;
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
            let message = "this is an ILBM, a picture of bit planes as on the Amiga; only PBM, one byte a pixel, is read: save it \
                           as PBM (Deluxe Paint for the PC) or as PNG";
            Err(Error::unsupported(message).at(start))
        }
        _ => Err(Error::unsupported(format!("\"{kind}\" is no picture that is read: \"PBM \" is")).at(start)),
    }
}

/// The byte that pads a chunk.
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
    /// A chunk, padded where its length is odd.
    #[must_use]
    pub fn new(content: Content) -> Self {
        let pad = (content.len() % 2 == 1).then_some(0);
        Self { content, pad }
    }

    /// A byte pads a chunk of odd length, and no other; the last may lack it.
    fn check_pad(&self, is_last: bool) -> Result<()> {
        let is_odd = self.content.len() % 2 == 1;
        match (is_odd, self.pad) {
            (false, Some(_)) => {
                Err(Error::usage("a chunk of even length has no byte that pads it").in_field("pad"))
            }
            (true, None) if !is_last => {
                Err(Error::usage("a chunk of odd length needs a byte that pads it").in_field("pad"))
            }
            _ => Ok(()),
        }
    }
}

impl Content {
    /// The four letters in front of it.
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

    /// How many bytes it takes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Header(header) => header.rest.len().saturating_add(20),
            Self::Palette(_) => 768,
            Self::Cycle(_) => 8,
            Self::Body(bytes) | Self::Other { data: bytes, .. } => bytes.len(),
        }
    }

    /// Whether it takes none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
