//! WAV: RIFF chunks of samples. Only the format and the headers of the chunks are read.
//!
//! Source: Microsoft's description of RIFF WAVE files.

#[cfg(test)]
mod tests;
mod warning;

use asset::{Asset, Context, Description, Detail, Format, NameKind, Names, Products, Report, Score, Target};
use json::json;
use record::{Error, Result, Source};
use serde::Serialize;

pub use warning::CODES;

use crate::sound::{SoundProperties, array, seconds};

/// WAV sounds.
pub static FORMAT: Format = Format::new("audio.wav", "WAV sound", open)
    .extensions(&["wav"])
    // Mods use this extension for other sounds, too, and players accept that.
    .probe(|file| {
        // A file that is truncated within its header is recognized by its extension.
        let is_named = file.has_extension(&["wav"]) && file.length >= HEADER;
        match file.starts_with(b"RIFF") && file.has_at(8, b"WAVE") {
            true => Some(Score::CERTAIN),
            false => is_named.then_some(Score::NEVER),
        }
    })
    .names(Names::of_file(NameKind::Sound))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Wav::read(source)?))
}

/// Size of the file header: `RIFF`, the length, and `WAVE`.
const HEADER: u64 = 12;

/// Size of a chunk header: the name and the length.
const CHUNK: u64 = 8;

/// Maximum number of bytes of a chunk that are read.
const BODY: u64 = 40;

/// Maximum number of chunks before the samples.
const MOST_CHUNKS: usize = 256;

/// The encoding is specified later in the chunk.
const EXTENSIBLE: u16 = 0xfffe;

/// The contents of a WAV file's headers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wav {
    /// Id of the encoding: 1 is PCM, 3 is floating point.
    pub encoding: u16,
    /// Number of channels: 1 for mono, 2 for stereo.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Bits per sample; 0 or another number if the samples are compressed.
    pub bits: u16,
    /// Duration; `None` if it is unknown.
    pub seconds: Option<f64>,
    /// Number of missing bytes of samples, according to the chunk length.
    pub missing: u64,
}

/// The contents of the chunk `fmt `.
#[derive(Debug, Clone, Copy)]
struct SampleFormat {
    encoding: u16,
    channels: u16,
    rate: u32,
    bytes_per_second: u32,
    block: u16,
    bits: u16,
}

impl SampleFormat {
    fn of(body: &[u8]) -> Option<Self> {
        let short = |offset| array(body, offset).map(u16::from_le_bytes);
        let long = |offset| array(body, offset).map(u32::from_le_bytes);
        let encoding = short(0)?;
        Some(Self {
            encoding: if encoding == EXTENSIBLE { short(24).unwrap_or(encoding) } else { encoding },
            channels: short(2)?,
            rate: long(4)?,
            bytes_per_second: long(8)?,
            block: short(12)?,
            bits: short(14).unwrap_or_default(),
        })
    }

    /// Returns the duration of a number of bytes of samples. `frames` is the number of frames that the file specifies for
    /// compressed samples.
    fn seconds(&self, bytes: u64, frames: Option<u32>) -> Option<f64> {
        match (self.encoding, frames) {
            (1 | 3, _) => seconds(bytes.checked_div(self.block.into())?, self.rate),
            (_, Some(frames)) => seconds(frames.into(), self.rate),
            _ => seconds(bytes, self.bytes_per_second),
        }
    }
}

impl Wav {
    /// Reads the headers of the chunks up to the samples.
    ///
    /// # Errors
    /// When the file is not a RIFF WAVE file, has no format before the samples, or has no samples.
    pub fn read(source: &Source) -> Result<Self> {
        let head = source.head(HEADER)?;
        if !head.starts_with(b"RIFF") || array(&head, 8) != Some(*b"WAVE") {
            return Err(Error::malformed("expected a RIFF WAVE file").at(0));
        }
        let (mut form, mut frames) = (None, None);
        let mut at = HEADER;
        for _ in 0..MOST_CHUNKS {
            let body_at = at.saturating_add(CHUNK);
            if body_at > source.len() {
                break;
            }
            let end = body_at.saturating_add(BODY).min(source.len());
            let bytes = source.read(at..end)?;
            let (Some(name), Some(length)) = (array::<4>(&bytes, 0), array(&bytes, 4)) else { break };
            let length = u64::from(u32::from_le_bytes(length));
            let body = bytes.get(8..).unwrap_or_default();
            let body = body.get(..usize::try_from(length).unwrap_or(usize::MAX)).unwrap_or(body);
            match &name {
                b"fmt " => form = SampleFormat::of(body),
                b"fact" => frames = array(body, 0).map(u32::from_le_bytes),
                b"data" => {
                    let form = form.ok_or_else(|| Error::malformed("no format before the samples").at(at))?;
                    let there = length.min(source.len().saturating_sub(body_at));
                    return Ok(Self {
                        encoding: form.encoding,
                        channels: form.channels,
                        rate: form.rate,
                        bits: form.bits,
                        seconds: form.seconds(there, frames),
                        missing: length.saturating_sub(there),
                    });
                }
                _ => {}
            }
            // Chunks are padded to an even length.
            at = body_at.saturating_add(length.next_multiple_of(2));
        }
        Err(Error::malformed("no samples").at(at.min(source.len())))
    }

    /// Returns the name of the encoding.
    fn encoding_name(&self) -> String {
        match self.encoding {
            1 => format!("{}-bit PCM", self.bits),
            2 => "Microsoft ADPCM".to_owned(),
            3 => format!("{}-bit float", self.bits),
            6 => "A-law".to_owned(),
            7 => "\u{3bc}-law".to_owned(),
            0x11 => "IMA ADPCM".to_owned(),
            0x55 => "MP3".to_owned(),
            other => format!("encoding {other:#06x}"),
        }
    }
}

impl Asset for Wav {
    fn describe(&self, _detail: Detail) -> Description {
        let encoding = self.encoding_name();
        let sound = SoundProperties {
            encoding: &encoding,
            channels: self.channels,
            rate: self.rate,
            seconds: self.seconds,
        };
        sound.describe(json!(self))
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if self.channels == 0 || self.rate == 0 {
            let message = format!("{} channels at {} Hz are not a sound", self.channels, self.rate);
            report.warn(&warning::SILENT, message);
        }
        if self.missing > 0 {
            let message = format!("{} bytes of samples are missing at the end", self.missing);
            report.warn(&warning::CUT, message);
        }
    }

    fn products<'a>(&'a self, _context: &Context<'a>, _target: Target<'a>) -> Result<Products<'a>> {
        Err(Error::unsupported("`audio.wav` files cannot be converted; any player plays them"))
    }
}
