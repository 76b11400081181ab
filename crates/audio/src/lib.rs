//! Sound files that several games use unchanged. Their headers are read; any player plays them.
//!
//! - [`ogg`] reads Ogg files with Vorbis or Opus (`.OGG`);
//! - [`wav`] reads RIFF WAVE files (`.WAV`).
//!
//! # Glossary
//!
//! | format's word | meaning |
//! | --- | --- |
//! | page (Ogg) | a piece of up to 65,307 bytes of a stream, with a header of its own |
//! | granule position (Ogg) | how many frames the stream has up to the end of a page |
//! | serial (Ogg) | the number of a stream: several may take turns in one file |
//! | block align (WAV) | bytes of a frame, or of a block of compressed frames |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

pub(crate) use asset::codes;

pub mod ogg;
mod specimen;
pub mod wav;

pub use specimen::specimens;

use asset::{Counts, Description, Format, counted, thousands};
use json::Value;

/// The formats; they belong to no particular game.
pub static FORMATS: &[&Format] = &[&ogg::FORMAT, &wav::FORMAT];

/// What a header says of the sound.
struct Heard<'a> {
    /// How it is encoded.
    encoding: &'a str,
    channels: u16,
    /// Frames a second.
    rate: u32,
    /// How long it is, where that is known.
    seconds: Option<f64>,
}

impl Heard<'_> {
    fn describe(&self, fields: Value) -> Description {
        let Self { encoding, channels, rate, seconds } = *self;
        let channels = match channels {
            1 => "mono".to_owned(),
            2 => "stereo".to_owned(),
            many => counted(many, "channel", "channels"),
        };
        let length =
            seconds.map_or_else(|| "unknown length".to_owned(), |length| format!("{length:.2} seconds"));
        Description {
            summary: format!("sound, {encoding}, {channels}, {} Hz, {length}", thousands(rate.into())),
            dialect: encoding.to_owned(),
            counts: Counts::new().with("sounds", 1).with("seconds", whole(seconds.unwrap_or_default())),
            fields: fields.into(),
            ..Description::default()
        }
    }
}

/// Whole seconds.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float beyond the limits becomes the nearest limit"
)]
fn whole(seconds: f64) -> u64 {
    seconds.round() as u64
}

/// How long so many frames sound; `None` for a rate of 0.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "seconds need not be exact")]
fn seconds(frames: u64, rate: u32) -> Option<f64> {
    (rate > 0).then(|| frames as f64 / f64::from(rate))
}

/// The bytes at an offset.
fn array<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk::<N>().copied()
}
