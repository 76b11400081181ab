//! Descriptions of sound files from their headers.

use asset::{Counts, Description, counted, thousands};
use json::Value;

/// The properties of a sound that its header contains.
pub(crate) struct SoundProperties<'a> {
    /// Name of the encoding.
    pub(crate) encoding: &'a str,
    pub(crate) channels: u16,
    /// Frames per second.
    pub(crate) rate: u32,
    /// Duration, if it is known.
    pub(crate) seconds: Option<f64>,
}

impl SoundProperties<'_> {
    pub(crate) fn describe(&self, fields: Value) -> Description {
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
            counts: Counts::new().with("sounds", 1).with("seconds", rounded(seconds.unwrap_or_default())),
            fields: fields.into(),
            ..Description::default()
        }
    }
}

/// Rounds to full seconds.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float beyond the limits becomes the nearest limit"
)]
fn rounded(seconds: f64) -> u64 {
    seconds.round() as u64
}

/// Returns the duration of a number of frames; `None` for a rate of 0.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "seconds need not be exact")]
pub(crate) fn seconds(frames: u64, rate: u32) -> Option<f64> {
    (rate > 0).then(|| frames as f64 / f64::from(rate))
}

/// Returns the bytes at an offset.
pub(crate) fn array<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk::<N>().copied()
}
