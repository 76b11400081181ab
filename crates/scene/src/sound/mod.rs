//! Sounds: samples with the places where they start again, and the WAV files they become and come from.

mod depth;
mod fit;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use depth::Narrowed;
pub use read::{decode_wav, is_wav};
pub use write::{encode_wav, wav_length};

/// How many bits a sample has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Depth {
    /// 8 bits without a sign: silence is 0x80.
    Eight,
    /// 16 bits with a sign, the low byte first: silence is 0.
    Sixteen,
    /// 24 bits with a sign, the low byte first. Games have none; [`Sound::narrowed`] makes them 16.
    TwentyFour,
    /// 32 bits with a sign, the low byte first.
    ThirtyTwo,
    /// Floating-point numbers of 32 bits, from -1 to 1.
    Float,
}

impl Depth {
    /// Bits a sample.
    #[must_use]
    pub const fn bits(self) -> u16 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::TwentyFour => 24,
            Self::ThirtyTwo | Self::Float => 32,
        }
    }

    /// Bytes a sample.
    #[must_use]
    pub const fn bytes(self) -> u16 {
        match self {
            Self::Eight => 1,
            Self::Sixteen => 2,
            Self::TwentyFour => 3,
            Self::ThirtyTwo | Self::Float => 4,
        }
    }

    /// As messages call it: `24 bits`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Float => "floating-point samples".to_owned(),
            depth => format!("{} bits", depth.bits()),
        }
    }
}

/// What a sound's samples are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SampleFormat {
    /// Frames a second.
    pub rate: u32,
    /// 1 for mono, 2 for stereo (left first).
    pub channels: u16,
    /// Bits a sample.
    pub depth: Depth,
}

impl SampleFormat {
    /// Bytes a frame: one sample for each channel.
    #[must_use]
    pub fn frame(self) -> u64 {
        u64::from(self.channels).saturating_mul(self.depth.bytes().into())
    }

    /// How many whole frames some bytes hold.
    #[must_use]
    pub fn frames(self, bytes: u64) -> u64 {
        bytes.checked_div(self.frame()).unwrap_or(0)
    }

    /// How long some bytes sound, in seconds; 0 for a rate of 0.
    #[must_use]
    pub fn seconds(self, bytes: u64) -> f64 {
        if self.rate == 0 { 0.0 } else { self.frames(bytes) as f64 / f64::from(self.rate) }
    }
}

/// A part of a sound that is played again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SampleLoop {
    /// Its first frame.
    pub start: u32,
    /// The frame behind its last.
    pub end: u32,
    /// How often it is played; 0 is for ever.
    pub times: u32,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    /// What its samples are like.
    pub form: SampleFormat,
    /// The samples, frame after frame; whole frames only.
    pub data: Vec<u8>,
    /// What is played again. `None` where nothing is said about it, an empty list where it is said that nothing is.
    pub loops: Option<Vec<SampleLoop>>,
}

impl Sound {
    /// How many frames it has.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.form.frames(length(&self.data))
    }

    /// How long it is, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.form.seconds(length(&self.data))
    }
}

fn length(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}
