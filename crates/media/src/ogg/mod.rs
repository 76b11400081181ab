//! OGG: a stream of Vorbis or Opus in pages. Only the first page, which contains rate and channels, and the last page, from which
//! the duration follows, are read.
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

use crate::sound::{SoundProperties, array, seconds};

/// Ogg sounds.
pub static FORMAT: Format = Format::new("audio.ogg", "Ogg sound", open)
    .extensions(&["ogg"])
    // Mods use this extension for other sounds, too, and players accept that.
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

/// Size of a page header without its list of lengths.
const PAGE: usize = 27;

/// Maximum length of the first page: the header, one length, and a short packet.
const FIRST: u64 = 1024;

/// Minimum length of a file with a complete first page. Shorter files are recognized by their extension as truncated ones.
const FIRST_LEAST: u64 = 64;

/// Maximum length of a page, and so the maximum distance of the last page's start from the end of the file.
const LAST: u64 = 65_307;

/// Opus counts frames at this rate, regardless of the rate of the original sound.
const OPUS_RATE: u32 = 48_000;

/// The encoding of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Codec {
    /// Vorbis.
    Vorbis,
    /// Opus.
    Opus,
}

impl Codec {
    /// Name of the codec.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vorbis => "Vorbis",
            Self::Opus => "Opus",
        }
    }
}

/// The contents of an Ogg file's headers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ogg {
    /// Encoding of the stream.
    pub codec: Codec,
    /// Number of channels: 1 for mono, 2 for stereo.
    pub channels: u8,
    /// Frames per second; for Opus, the rate of the original sound.
    pub rate: u32,
    /// Duration; `None` if the last page was not found.
    pub seconds: Option<f64>,
    /// Whether the last page is marked as the last.
    pub is_complete: bool,
    /// Length of the file in bytes.
    #[serde(skip)]
    length: u64,
}

/// The contents of the first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct First {
    serial: [u8; 4],
    codec: Codec,
    channels: u8,
    rate: u32,
    /// Number of Opus frames that are not played.
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

    /// Finds the last page of the stream in the end of a file. Returns the number of frames up to its end, and whether it is
    /// marked as the last.
    fn last_page(&self, tail: &[u8]) -> Option<(u64, bool)> {
        let pages = tail.windows(PAGE).rev();
        pages.filter(|page| page.starts_with(b"OggS\0") && array(page, 14) == Some(self.serial)).find_map(
            |page| {
                let granule = u64::from_le_bytes(array(page, 6)?);
                let is_last = page.get(5)? & 4 != 0;
                // If all bits are set, no packet ends on the page.
                (granule != u64::MAX).then_some((granule, is_last))
            },
        )
    }
}

impl Ogg {
    /// Reads the first and the last page.
    ///
    /// # Errors
    /// When the file does not start with a page of Vorbis or Opus, has no channels, or has no rate.
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
        let sound = SoundProperties {
            encoding,
            channels: self.channels.into(),
            rate: self.rate,
            seconds: self.seconds,
        };
        sound.describe(json!(self))
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
