//! What stands at the start of a Smacker film: 104 bytes, little-endian, then tables, trees and packets.
//!
//! Sources: the public description of the format (MultimediaWiki, "Smacker"); the game's eleven films, which are on its disc.

use record::Record;
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// The first 104 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// `SMK2` or `SMK4`.
    pub version: FixedText<4>,
    /// Pixels across.
    pub width: u32,
    /// Pixels down, as stored.
    pub height: u32,
    /// Frames, without the one that leads back to the first.
    pub frames: u32,
    /// Above 0: milliseconds a frame; below 0: hundredths of them; 0: ten frames a second.
    pub timing: i32,
    /// See [`flag`].
    pub flags: u32,
    /// For each track, the bytes that its largest piece of sound takes.
    pub audio_sizes: [u32; 7],
    /// Bytes of the trees.
    pub trees_size: u32,
    /// Bytes of each of the four trees when they are unpacked.
    pub tree_sizes: [u32; 4],
    /// Rate and kind of each track: see [`Track`].
    pub audio_rates: [u32; 7],
    /// 0.
    pub unknown_0x64: u32,
}

/// Bits of [`Header::flags`].
pub mod flag {
    /// A frame more leads back to the first.
    pub const RING: u32 = 1;
    /// Each row is shown twice.
    pub const DOUBLED: u32 = 2;
    /// Each row is shown with an empty one.
    pub const INTERLACED: u32 = 4;
}

/// A track of sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Track {
    /// Its number.
    pub track: usize,
    /// Samples a second.
    pub rate: u32,
    /// Bits of a sample.
    pub bits: u8,
    /// One or two.
    pub channels: u8,
    /// Whether it is packed.
    pub packed: bool,
}

impl Header {
    /// How long it is.
    pub const SIZE: u64 = 104;

    /// How many frames are stored.
    #[must_use]
    pub fn stored_frames(&self) -> u64 {
        u64::from(self.frames).saturating_add(u64::from(self.flags & flag::RING))
    }

    /// Frames a second.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        match self.timing {
            0 => 10.0,
            milliseconds @ 1.. => 1000.0 / f64::from(milliseconds),
            hundredths => 100_000.0 / f64::from(hundredths).abs(),
        }
    }

    /// The tracks of sound that are there.
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
