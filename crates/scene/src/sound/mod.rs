//! Sounds: samples with loop points, and reading and writing of WAV files.

mod depth;
mod fit;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use depth::Narrowed;
pub use read::{decode_wav, is_wav};
pub use write::{encode_wav, wav_length};

/// The format of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Depth {
    /// Unsigned 8 bits: silence is 0x80.
    Eight,
    /// Signed 16 bits, little-endian: silence is 0.
    Sixteen,
    /// Signed 24 bits, little-endian. Games do not use it; [`Sound::narrowed`] converts it to 16.
    TwentyFour,
    /// Signed 32 bits, little-endian.
    ThirtyTwo,
    /// 32-bit floating-point numbers from -1 to 1.
    Float,
}

impl Depth {
    /// Bits per sample.
    #[must_use]
    pub const fn bits(self) -> u16 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::TwentyFour => 24,
            Self::ThirtyTwo | Self::Float => 32,
        }
    }

    /// Bytes per sample.
    #[must_use]
    pub const fn bytes(self) -> u16 {
        match self {
            Self::Eight => 1,
            Self::Sixteen => 2,
            Self::TwentyFour => 3,
            Self::ThirtyTwo | Self::Float => 4,
        }
    }

    /// Returns the name in messages, such as `24 bits`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Float => "floating-point samples".to_owned(),
            depth => format!("{} bits", depth.bits()),
        }
    }
}

/// The format of a sound's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SampleFormat {
    /// Sample rate in frames per second.
    pub rate: u32,
    /// Number of channels: 1 for mono, 2 for stereo (left first).
    pub channels: u16,
    /// Format of each sample.
    pub depth: Depth,
}

impl SampleFormat {
    /// Bytes per frame, which has one sample per channel.
    #[must_use]
    pub fn frame(self) -> u64 {
        u64::from(self.channels).saturating_mul(self.depth.bytes().into())
    }

    /// Returns the number of complete frames in a number of bytes.
    #[must_use]
    pub fn frames(self, bytes: u64) -> u64 {
        bytes.checked_div(self.frame()).unwrap_or(0)
    }

    /// Returns the duration of a number of bytes in seconds; 0 for a rate of 0.
    #[must_use]
    pub fn seconds(self, bytes: u64) -> f64 {
        if self.rate == 0 { 0.0 } else { self.frames(bytes) as f64 / f64::from(self.rate) }
    }
}

/// A section of a sound that is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SampleLoop {
    /// The first frame.
    pub start: u32,
    /// The frame after the last one.
    pub end: u32,
    /// Number of times it is played; 0 is infinite.
    pub times: u32,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    /// Format of its samples.
    pub form: SampleFormat,
    /// The samples, frame after frame; complete frames only.
    pub data: Vec<u8>,
    /// The loops. `None` if the source does not specify loops, empty if it specifies that there are none.
    pub loops: Option<Vec<SampleLoop>>,
}

impl Sound {
    /// Returns the number of frames.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.form.frames(length(&self.data))
    }

    /// Returns the duration in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.form.seconds(length(&self.data))
    }
}

fn length(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}
