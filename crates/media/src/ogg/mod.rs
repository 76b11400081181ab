//! OGG: a stream of Vorbis or Opus in pages. The first page says rate and channels, the last one the length; what is between is not read.
//!
//! Sources: RFC 3533 (Ogg), the Vorbis I specification, RFC 7845 (Opus in Ogg).

#[cfg(test)]
mod tests;
mod warning;

use asset::{Asset, Context, Description, Detail, Format, NameKind, Names, Products, Report, Score, Target};
use json::json;
use record::{Error, Result, Source};
use serde::Serialize;

pub use warning::CODES;

use crate::sound::{Heard, array, seconds};

/// Ogg sounds.
pub static FORMAT: Format = Format::new("audio.ogg", "Ogg sound", open)
    .extensions(&["ogg"])
    // Mods call other sounds so, too; players do not mind.
    .probe(|file| {
        let is_named = file.has_extension(&["ogg"]) && file.length >= FIRST_LEAST;
        match First::of(file.head) {
            Some(_) => Some(Score::CERTAIN),
            None => is_named.then_some(Score::NEVER),
        }
    })
    .names(Names::of_file(NameKind::Sound))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Ogg::read(source)?))
}

/// The header of a page without its list of lengths.
const PAGE: usize = 27;

/// The first page is short: the header, one length, and a packet of at most so many bytes.
const FIRST: u64 = 1024;

/// A file of fewer bytes has no whole first page: it is a cut one, if it is called so.
const FIRST_LEAST: u64 = 64;

/// The last page begins within so many bytes from the end: no page is longer.
const LAST: u64 = 65_307;

/// Opus counts frames at this rate, whatever the rate of the sound was.
const OPUS_RATE: u32 = 48_000;

/// How a stream is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Codec {
    /// Vorbis.
    Vorbis,
    /// Opus.
    Opus,
}

impl Codec {
    /// As it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vorbis => "Vorbis",
            Self::Opus => "Opus",
        }
    }
}

/// What the headers of an Ogg file say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ogg {
    /// How it is encoded.
    pub codec: Codec,
    /// 1 for mono, 2 for stereo.
    pub channels: u8,
    /// Frames a second; of Opus, those of the sound that was encoded.
    pub rate: u32,
    /// How long it is; `None` when its last page was not found.
    pub seconds: Option<f64>,
    /// Whether the last page says that it is the last.
    pub is_complete: bool,
    /// The length of the file in bytes.
    #[serde(skip)]
    length: u64,
}

/// What the first page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct First {
    serial: [u8; 4],
    codec: Codec,
    channels: u8,
    rate: u32,
    /// Frames of Opus that are not played.
    skipped: u16,
}

impl First {
    fn of(head: &[u8]) -> Option<Self> {
        if !head.starts_with(b"OggS\0") {
            return None;
        }
        let serial = array(head, 14)?;
        let lengths = usize::from(*head.get(26)?);
        let packet = head.get(PAGE.checked_add(lengths)?..)?;
        let number = |offset| array(packet, offset).map(u32::from_le_bytes);
        if packet.starts_with(b"\x01vorbis") {
            let (channels, rate) = (*packet.get(11)?, number(12)?);
            return Some(Self { serial, codec: Codec::Vorbis, channels, rate, skipped: 0 });
        }
        let (channels, rate) = (*packet.get(9)?, number(12)?);
        let skipped = array(packet, 10).map(u16::from_le_bytes)?;
        packet.starts_with(b"OpusHead").then_some(Self {
            serial,
            codec: Codec::Opus,
            channels,
            rate,
            skipped,
        })
    }

    /// The last page of the stream in the end of a file: how many frames there are up to its end, and whether it is the last.
    fn last_page(&self, tail: &[u8]) -> Option<(u64, bool)> {
        let pages = tail.windows(PAGE).rev();
        pages.filter(|page| page.starts_with(b"OggS\0") && array(page, 14) == Some(self.serial)).find_map(
            |page| {
                let granule = u64::from_le_bytes(array(page, 6)?);
                let is_last = page.get(5)? & 4 != 0;
                // All bits stand for a page on which no packet ends.
                (granule != u64::MAX).then_some((granule, is_last))
            },
        )
    }
}

impl Ogg {
    /// Reads the first and the last page.
    ///
    /// # Errors
    /// When the file does not begin with a page of Vorbis or Opus, or has neither channels nor a rate.
    pub fn read(source: &Source) -> Result<Self> {
        let head = source.head(FIRST)?;
        let first = First::of(&head)
            .ok_or_else(|| Error::malformed("expected the first page of a Vorbis or Opus stream").at(0))?;
        if first.channels == 0 || first.rate == 0 {
            let message = format!("{} channels at {} Hz are not a sound", first.channels, first.rate);
            return Err(Error::malformed(message).at(0));
        }
        let tail = source.read(source.len().saturating_sub(LAST)..source.len())?;
        let last = first.last_page(&tail);
        let of_frames = |frames: u64| match first.codec {
            Codec::Vorbis => seconds(frames, first.rate),
            Codec::Opus => seconds(frames.saturating_sub(first.skipped.into()), OPUS_RATE),
        };
        Ok(Self {
            codec: first.codec,
            channels: first.channels,
            rate: first.rate,
            seconds: last.and_then(|(frames, _)| of_frames(frames)),
            is_complete: last.is_some_and(|(_, is_last)| is_last),
            length: source.len(),
        })
    }
}

impl Asset for Ogg {
    fn describe(&self, _detail: Detail) -> Description {
        let encoding = self.codec.name();
        let heard =
            Heard { encoding, channels: self.channels.into(), rate: self.rate, seconds: self.seconds };
        heard.describe(json!(self))
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if self.seconds.is_none() {
            report.warn(&warning::NO_END, "the last page of the stream was not found").at(self.length);
        } else if !self.is_complete {
            report.warn(&warning::CUT, "the last page does not end the stream").at(self.length);
        }
    }

    fn products<'a>(&'a self, _context: &Context<'a>, _target: Target<'a>) -> Result<Products<'a>> {
        Err(Error::unsupported("`audio.ogg` files cannot be converted; any player plays them"))
    }
}
