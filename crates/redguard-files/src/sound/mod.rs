//! Code shared by effects and voices: their header of 27 bytes, and the conversion to and from WAV.
//!
//! Sources: UESP, "Mod:SFX File Format" and "Mod:RTX File Format"; redguard-preservation's documentation; third-party
//! measurements of the game's files.

pub mod rtx;
pub mod sfx;
#[cfg(test)]
mod tests;
pub mod timbre;
mod wav;

use asset::{Code, Report};
use json::{Map, Value, json};
use record::Record;
use scene::sound::{Depth, SampleFormat, SampleLoop};
use serde::{Deserialize, Serialize};

pub(crate) use wav::{ChannelLimit, apply_wav, fit, length, named, read_wav, sound_of, wav_bytes, wav_of};

/// The header of an effect or a voice: 27 bytes, little-endian.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundHeader {
    /// 0 for 8-bit mono, 1 for 16-bit mono, 2 for 8-bit stereo, 3 for 16-bit stereo. Determines the channels.
    pub type_id: u32,
    /// 0 for 8 bits, 1 for 16 bits. Determines the bit depth.
    pub bit_depth: u32,
    /// Sample rate in Hz: 11025 or 22050 in the game.
    pub sample_rate: u32,
    /// Base volume, 0 to 127. Sources disagree about the value in the game's effects (64 or 100), so no value is assumed.
    pub volume: u8,
    /// 0 plays the sound once, 255 loops it forever, any other value is the number of repetitions.
    pub loop_flag: u8,
    /// Loop start, in bytes from the first sample; 0 in the game.
    pub loop_offset: u32,
    /// Loop end, in frames; 4294967295 is the end of the sound.
    pub loop_end: u32,
    /// Size of the samples in bytes. Recomputed on writing.
    pub data_length: u32,
    /// Zero.
    pub unknown_0x1a: u8,
}

/// The size of the header in bytes.
pub(crate) const HEADER: u64 = 27;

/// The `loop_flag` of a sound that loops forever.
pub(crate) const FOREVER: u8 = 255;

/// The `loop_end` value for the end of the sound.
pub(crate) const END_OF_SOUND: u32 = u32::MAX;

/// The header fields that are updated when a WAV replaces the sound.
pub(crate) const WAV_FIELDS: [&str; 6] =
    ["type_id", "bit_depth", "sample_rate", "loop_flag", "loop_offset", "loop_end"];

/// The sample rates of the game's own sounds.
const USUAL_RATES: [u32; 2] = [11025, HIGHEST_RATE];

/// The higher of the two usual rates.
const HIGHEST_RATE: u32 = 22050;

/// The warning codes for sounds; they differ between effects and voices.
#[derive(Debug)]
pub(crate) struct SoundCodes {
    pub(crate) unplayable: &'static Code,
    pub(crate) depth: &'static Code,
    pub(crate) partial: &'static Code,
    pub(crate) rate: &'static Code,
    pub(crate) loops: &'static Code,
    pub(crate) inexact: &'static Code,
    pub(crate) fitted: &'static Code,
}

impl SoundHeader {
    /// Creates the header of a sound in this format, played once.
    #[must_use]
    pub fn new(form: SampleFormat, volume: u8) -> Self {
        let (type_id, bit_depth) = type_of(form);
        Self {
            type_id,
            bit_depth,
            sample_rate: form.rate,
            volume,
            loop_flag: 0,
            loop_offset: 0,
            loop_end: END_OF_SOUND,
            data_length: 0,
            unknown_0x1a: 0,
        }
    }

    /// Returns the sample format, or the reason why the sound cannot be played.
    pub(crate) fn playable(&self) -> Result<SampleFormat, String> {
        let (channels, of_type) = match self.type_id {
            0 => (1, Depth::Eight),
            1 => (1, Depth::Sixteen),
            2 => (2, Depth::Eight),
            3 => (2, Depth::Sixteen),
            other => return Err(format!("unknown type {other} (known: 0 to 3)")),
        };
        let depth = match self.bit_depth {
            0 => Depth::Eight,
            1 => Depth::Sixteen,
            _ => of_type,
        };
        match self.sample_rate {
            0 => Err("the sample rate is 0".to_owned()),
            rate => Ok(SampleFormat { rate, channels, depth }),
        }
    }

    /// Returns the sample format; `None` if the type is unknown or the sample rate is 0.
    #[must_use]
    pub fn form(&self) -> Option<SampleFormat> {
        self.playable().ok()
    }

    /// Returns the loop of a sound with this number of bytes of samples; `None` if it has no loop.
    #[must_use]
    pub fn repeats(&self, bytes: u64) -> Option<SampleLoop> {
        let form = self.form().filter(|_| self.loop_flag != 0)?;
        let frames = u32::try_from(form.frames(bytes)).unwrap_or(u32::MAX);
        let start = u32::try_from(form.frames(self.loop_offset.into())).unwrap_or(u32::MAX);
        let end = self.loop_end.min(frames);
        let times = if self.loop_flag == FOREVER { 0 } else { self.loop_flag.into() };
        (start < end).then_some(SampleLoop { start, end, times })
    }

    /// The volume at which the game starts a spoken line, 0 to 127. It then falls off with the distance to the speaker. \[E\]
    #[must_use]
    pub fn speech_volume(&self) -> u8 {
        self.volume.min(127)
    }

    /// The duration in seconds of samples of this size in bytes; 0 if they cannot be played.
    #[must_use]
    pub fn seconds(&self, bytes: u64) -> f64 {
        self.form().map_or(0.0, |form| form.seconds(bytes))
    }

    /// Reports all defects of the header and its `bytes` of samples. `field` is the path of the header.
    pub(crate) fn check(&self, bytes: u64, field: &str, codes: &SoundCodes, report: &mut Report) {
        let part = |name: &str| format!("{field}.{name}");
        let form = match self.playable() {
            Ok(form) => form,
            Err(why) => {
                let name = if self.type_id > 3 { "type_id" } else { "sample_rate" };
                report.warn(codes.unplayable, why).in_field(part(name));
                return;
            }
        };
        if (self.type_id, self.bit_depth) != type_of(form) {
            let message = format!(
                "type {} and depth {} disagree; assuming {}",
                self.type_id,
                self.bit_depth,
                describe_form(form, RateDisplay::Hidden)
            );
            report.warn(codes.depth, message).in_field(part("bit_depth"));
        }
        if !USUAL_RATES.contains(&self.sample_rate) {
            let message = format!(
                "the sample rate is {} Hz; the game's own sounds have 11025 or 22050 Hz",
                self.sample_rate
            );
            report.warn(codes.rate, message).in_field(part("sample_rate"));
        }
        if !bytes.is_multiple_of(form.frame()) {
            let message = format!("{bytes} bytes are not a multiple of the frame size {}", form.frame());
            report.warn(codes.partial, message).in_field(part("data_length"));
        }
        let outside = u64::from(self.loop_offset) > bytes
            || (self.loop_end != END_OF_SOUND && u64::from(self.loop_end) > form.frames(bytes));
        if outside || (self.loop_flag != 0 && self.repeats(bytes).is_none()) {
            let message = format!(
                "the loop from byte {} to frame {} is outside of the {} frames",
                self.loop_offset,
                self.loop_end,
                form.frames(bytes)
            );
            report.warn(codes.loops, message).in_field(part("loop_offset"));
        }
    }

    /// Returns the metadata that a WAV of these `bytes` of samples cannot store.
    pub(crate) fn facts(&self, bytes: u64) -> Map<String, Value> {
        let mut facts = Map::new();
        let mut put = |name: &str, value: Value| {
            facts.insert(name.to_owned(), value);
        };
        let form = self.form();
        put("type", self.type_id.into());
        put("channels", json!(form.map(|form| form.channels)));
        put("bits", json!(form.map(|form| form.depth.bits())));
        put("rate", self.sample_rate.into());
        put("volume", self.volume.into());
        put("loop", self.loop_text().into());
        put("loop_flag", self.loop_flag.into());
        put("loop_offset", self.loop_offset.into());
        put("loop_end", self.loop_end.into());
        put("unknown_0x1a", self.unknown_0x1a.into());
        put("bytes", bytes.into());
        put("frames", json!(form.map(|form| form.frames(bytes))));
        put("seconds", json!(form.map(|form| form.seconds(bytes))));
        facts
    }

    /// Returns the header field that a fact reports unchanged; `None` for derived facts.
    pub(crate) fn member_of(fact: &str) -> Option<&'static str> {
        match fact {
            "type" => Some("type_id"),
            "rate" => Some("sample_rate"),
            "volume" => Some("volume"),
            "loop_flag" => Some("loop_flag"),
            "loop_offset" => Some("loop_offset"),
            "loop_end" => Some("loop_end"),
            "unknown_0x1a" => Some("unknown_0x1a"),
            _ => None,
        }
    }

    fn loop_text(&self) -> String {
        match self.loop_flag {
            0 => "once".to_owned(),
            FOREVER => "for ever".to_owned(),
            times => format!("{times} times"),
        }
    }

    /// Describes the sound: `22050 Hz, 16 bits, mono, 1.25 s, for ever`.
    pub(crate) fn note(&self, bytes: u64) -> String {
        let Ok(form) = self.playable() else {
            return format!("unplayable (type {}, {} Hz)", self.type_id, self.sample_rate);
        };
        let once = if self.loop_flag == 0 { String::new() } else { format!(", {}", self.loop_text()) };
        format!("{}, {}{once}", describe_form(form, RateDisplay::Shown), clock(form.seconds(bytes)))
    }
}

/// Returns the type and depth fields for a sample format.
fn type_of(form: SampleFormat) -> (u32, u32) {
    match (form.channels, form.depth) {
        (2, Depth::Eight) => (2, 0),
        (2, _) => (3, 1),
        (_, Depth::Eight) => (0, 0),
        (_, _) => (1, 1),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RateDisplay {
    Shown,
    Hidden,
}

/// Describes a sample format.
fn describe_form(form: SampleFormat, with: RateDisplay) -> String {
    let rate = if with == RateDisplay::Shown { format!("{} Hz, ", form.rate) } else { String::new() };
    let channels = match form.channels {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        more => format!("{more} channels"),
    };
    format!("{rate}{} bits, {channels}", form.depth.bits())
}

/// Formats a duration: `1.25 s`, `3:07`, `1:22:05`.
pub(crate) fn clock(seconds: f64) -> String {
    // // An empty sum is -0.
    let seconds = seconds + 0.0;
    if seconds < 59.995 {
        return format!("{seconds:.2} s");
    }
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole seconds"
    )]
    let rounded = seconds.round() as u64;
    let (hours, minutes, seconds) = (rounded / 3600, rounded / 60 % 60, rounded % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
