//! What effects and voices have in common: the 27 bytes in front of their samples, and the WAV files they become and come from.
//!
//! Sources: UESP, "Mod:SFX File Format" and "Mod:RTX File Format"; redguard-preservation's documentation; measurements by others on
//! the game's files.

pub mod rtx;
pub mod sfx;
#[cfg(test)]
mod tests;
mod wav;

use asset::{Code, Report};
use record::Record;
use scene::sound::{Depth, Form, Loop};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub(crate) use wav::{Room, length, read_wav, sound_of, take_wav, wav_bytes, wav_of};

/// What stands in front of the samples of an effect or a voice: 27 bytes, all numbers with the low byte first.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundHeader {
    /// 0 for 8 bits mono, 1 for 16 bits mono, 2 for 8 bits stereo, 3 for 16 bits stereo. It decides the channels.
    pub type_id: u32,
    /// 0 for 8 bits, 1 for 16 bits. It decides the depth.
    pub bit_depth: u32,
    /// Frames a second: 11025 or 22050 in the game.
    pub sample_rate: u32,
    /// How loud it is, 0 to 127. What stands there in the game's own files is told in two ways (64 or 100), so nothing is assumed.
    pub volume: u8,
    /// 0: played once. 255: played for ever. Else: played so many times.
    pub loop_flag: u8,
    /// Where it starts again, in bytes from the first sample; 0 in the game.
    pub loop_offset: u32,
    /// Behind which frame it starts again; 4294967295 is its end.
    pub loop_end: u32,
    /// How many bytes the samples take. Writing sets it.
    pub data_length: u32,
    /// Zero.
    pub unknown_0x1a: u8,
}

/// How many bytes the header takes.
pub(crate) const HEADER: u64 = 27;

/// The value of `loop_flag` for a sound that is played for ever.
pub(crate) const FOR_EVER: u8 = 255;

/// The value of `loop_end` for the end of the sound.
pub(crate) const TO_THE_END: u32 = u32::MAX;

/// The fields of a header that follow a WAV that takes the place of the sound.
pub(crate) const FOLLOWING: [&str; 6] =
    ["type_id", "bit_depth", "sample_rate", "loop_flag", "loop_offset", "loop_end"];

/// The rates that the game's own sounds have.
const USUAL_RATES: [u32; 2] = [11025, 22050];

/// The warnings that a sound raises, wherever it stands.
#[derive(Debug)]
pub(crate) struct SoundCodes {
    pub(crate) unplayable: &'static Code,
    pub(crate) depth: &'static Code,
    pub(crate) partial: &'static Code,
    pub(crate) rate: &'static Code,
    pub(crate) loops: &'static Code,
    pub(crate) inexact: &'static Code,
}

impl SoundHeader {
    /// The header of a sound of this form, played once. The volume is a byte of the game's own files that nobody can derive.
    #[must_use]
    pub fn new(form: Form, volume: u8) -> Self {
        let (type_id, bit_depth) = type_of(form);
        Self {
            type_id,
            bit_depth,
            sample_rate: form.rate,
            volume,
            loop_flag: 0,
            loop_offset: 0,
            loop_end: TO_THE_END,
            data_length: 0,
            unknown_0x1a: 0,
        }
    }

    /// What its samples are like; the reason why not, when it cannot be played.
    pub(crate) fn playable(&self) -> Result<Form, String> {
        let (channels, of_type) = match self.type_id {
            0 => (1, Depth::Eight),
            1 => (1, Depth::Sixteen),
            2 => (2, Depth::Eight),
            3 => (2, Depth::Sixteen),
            other => return Err(format!("type {other} is not known; 0 to 3 are")),
        };
        let depth = match self.bit_depth {
            0 => Depth::Eight,
            1 => Depth::Sixteen,
            _ => of_type,
        };
        match self.sample_rate {
            0 => Err("a rate of 0 cannot be played".to_owned()),
            rate => Ok(Form { rate, channels, depth }),
        }
    }

    /// What its samples are like; `None` when its type is not known or its rate is 0.
    #[must_use]
    pub fn form(&self) -> Option<Form> {
        self.playable().ok()
    }

    /// What is played again of so many bytes of samples; `None` when nothing is.
    #[must_use]
    pub fn repeats(&self, bytes: u64) -> Option<Loop> {
        let form = self.form().filter(|_| self.loop_flag != 0)?;
        let frames = u32::try_from(form.frames(bytes)).unwrap_or(u32::MAX);
        let start = u32::try_from(form.frames(self.loop_offset.into())).unwrap_or(u32::MAX);
        let end = self.loop_end.min(frames);
        let times = if self.loop_flag == FOR_EVER { 0 } else { self.loop_flag.into() };
        (start < end).then_some(Loop { start, end, times })
    }

    /// How long so many bytes of samples sound, in seconds; 0 when they cannot be played.
    #[must_use]
    pub fn seconds(&self, bytes: u64) -> f64 {
        self.form().map_or(0.0, |form| form.seconds(bytes))
    }

    /// Everything amiss with it and its `bytes` of samples. The header is the field `field`.
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
                "type {} with depth {}: taken as {}",
                self.type_id,
                self.bit_depth,
                words(form, Words::WithoutRate)
            );
            report.warn(codes.depth, message).in_field(part("bit_depth"));
        }
        if !USUAL_RATES.contains(&self.sample_rate) {
            let message = format!("{} Hz; the game's own sounds have 11025 or 22050", self.sample_rate);
            report.warn(codes.rate, message).in_field(part("sample_rate"));
        }
        if !bytes.is_multiple_of(form.frame()) {
            let message = format!("{bytes} bytes are not whole frames of {}", form.frame());
            report.warn(codes.partial, message).in_field(part("data_length"));
        }
        let outside = u64::from(self.loop_offset) > bytes
            || (self.loop_end != TO_THE_END && u64::from(self.loop_end) > form.frames(bytes));
        if outside || (self.loop_flag != 0 && self.repeats(bytes).is_none()) {
            let message = format!(
                "byte {} to frame {} is not a part of {} frames",
                self.loop_offset,
                self.loop_end,
                form.frames(bytes)
            );
            report.warn(codes.loops, message).in_field(part("loop_offset"));
        }
    }

    /// What is to be said of it and its `bytes` of samples beside its WAV.
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
        put("loop", self.loop_words().into());
        put("loop_flag", self.loop_flag.into());
        put("loop_offset", self.loop_offset.into());
        put("loop_end", self.loop_end.into());
        put("unknown_0x1a", self.unknown_0x1a.into());
        put("bytes", bytes.into());
        put("frames", json!(form.map(|form| form.frames(bytes))));
        put("seconds", json!(form.map(|form| form.seconds(bytes))));
        facts
    }

    fn loop_words(&self) -> String {
        match self.loop_flag {
            0 => "once".to_owned(),
            FOR_EVER => "for ever".to_owned(),
            times => format!("{times} times"),
        }
    }

    /// `22050 Hz, 16 bits, mono, 1.25 s, for ever`.
    pub(crate) fn note(&self, bytes: u64) -> String {
        let Ok(form) = self.playable() else {
            return format!("type {}, {} Hz: cannot be played", self.type_id, self.sample_rate);
        };
        let once = if self.loop_flag == 0 { String::new() } else { format!(", {}", self.loop_words()) };
        format!("{}, {}{once}", words(form, Words::WithRate), clock(form.seconds(bytes)))
    }
}

/// The type and the depth of a form.
fn type_of(form: Form) -> (u32, u32) {
    match (form.channels, form.depth) {
        (2, Depth::Sixteen) => (3, 1),
        (2, Depth::Eight) => (2, 0),
        (_, Depth::Sixteen) => (1, 1),
        (_, Depth::Eight) => (0, 0),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    WithRate,
    WithoutRate,
}

/// A form in words.
fn words(form: Form, with: Words) -> String {
    let rate = if with == Words::WithRate { format!("{} Hz, ", form.rate) } else { String::new() };
    let channels = match form.channels {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        more => format!("{more} channels"),
    };
    format!("{rate}{} bits, {channels}", form.depth.bits())
}

/// A time in words: `1.25 s`, `3:07`, `1:22:05`.
pub(crate) fn clock(seconds: f64) -> String {
    if seconds < 59.995 {
        return format!("{seconds:.2} s");
    }
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole seconds"
    )]
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
