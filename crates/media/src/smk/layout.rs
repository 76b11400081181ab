//! The start of a Smacker video: a header of 104 bytes, little-endian, then tables, Huffman trees and frame data.
//!
//! Sources: the public description of the format (MultimediaWiki, "Smacker"); the eleven videos on the disc of a game.

use std::time::Duration;

use record::Record;
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// The first 104 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// `SMK2` or `SMK4`.
    pub version: FixedText<4>,
    /// Width in pixels.
    pub width: u32,
    /// Height of the stored rows in pixels.
    pub height: u32,
    /// Frames, without the one that leads back to the first.
    pub frames: u32,
    /// Positive: milliseconds per frame; negative: hundredths of a millisecond per frame; 0: ten frames per second.
    pub timing: i32,
    /// See [`flag`].
    pub flags: u32,
    /// The size of the largest audio chunk of each track, unpacked, in bytes.
    pub audio_sizes: [u32; 7],
    /// Size of the Huffman trees in bytes.
    pub trees_size: u32,
    /// Unpacked size of each of the four trees in bytes.
    pub tree_sizes: [u32; 4],
    /// Sample rate and format of each track: see [`Track`].
    pub audio_rates: [u32; 7],
    /// 0.
    pub unknown_0x64: u32,
}

/// Bits of [`Header::flags`].
pub mod flag {
    /// An extra frame leads back to the first.
    pub const RING: u32 = 1;
    /// Each row is displayed twice.
    pub const DOUBLED: u32 = 2;
    /// Each row is followed by an empty one.
    pub const INTERLACED: u32 = 4;
}

/// An audio track.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Track {
    /// Index of the track.
    pub track: usize,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Bits per sample.
    pub bits: u8,
    /// Number of channels: 1 or 2.
    pub channels: u8,
    /// Whether it is compressed.
    pub packed: bool,
}

impl Header {
    /// Size in bytes.
    pub const SIZE: u64 = 104;

    /// Number of stored frames, including the ring frame.
    #[must_use]
    pub fn stored_frames(&self) -> u64 {
        u64::from(self.frames).saturating_add(u64::from(self.flags & flag::RING))
    }

    /// Exact time per frame.
    #[must_use]
    pub fn frame_time(&self) -> Duration {
        match u64::try_from(self.timing) {
            Ok(0) => Duration::from_millis(100),
            Ok(milliseconds) => Duration::from_millis(milliseconds),
            Err(_) => Duration::from_micros(u64::from(self.timing.unsigned_abs()).saturating_mul(10)),
        }
    }

    /// Frame rate.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        match self.timing {
            0 => 10.0,
            milliseconds @ 1.. => 1000.0 / f64::from(milliseconds),
            hundredths => 100_000.0 / f64::from(hundredths).abs(),
        }
    }

    /// The audio tracks that are present.
    pub fn tracks(&self) -> impl Iterator<Item = Track> {
        self.audio_rates.iter().enumerate().filter(|(_, rate)| **rate & 0x4000_0000 != 0).map(
            |(track, rate)| Track {
                track,
                rate: rate & 0x00ff_ffff,
                bits: if rate & 0x2000_0000 != 0 { 16 } else { 8 },
                channels: if rate & 0x1000_0000 != 0 { 2 } else { 1 },
                packed: rate & 0x8000_0000 != 0,
            },
        )
    }
}
