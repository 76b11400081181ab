//! Conversion of sounds with more than 16 bits to 16 bits.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::borrow::Cow;

use super::{Depth, SampleFormat, Sound};

/// A sound of at most 16 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Narrowed<'a> {
    /// The sound.
    pub sound: Cow<'a, Sound>,
    /// Number of floating-point samples that were outside of -1 to 1 or NaN.
    pub clipped: usize,
}

impl Sound {
    /// Converts the sound to 16 bits if it has more. Each sample is rounded to the nearest one.
    #[must_use]
    pub fn narrowed(&self) -> Narrowed<'_> {
        let mut clipped = 0_usize;
        let data: Vec<u8> = match self.form.depth {
            Depth::Eight | Depth::Sixteen => return Narrowed { sound: Cow::Borrowed(self), clipped },
            Depth::TwentyFour => {
                let (samples, _) = self.data.as_chunks::<3>();
                samples.iter().flat_map(|[low, middle, high]| nearest([0, *low, *middle, *high])).collect()
            }
            Depth::ThirtyTwo => {
                let (samples, _) = self.data.as_chunks::<4>();
                samples.iter().flat_map(|sample| nearest(*sample)).collect()
            }
            Depth::Float => {
                let (samples, _) = self.data.as_chunks::<4>();
                let samples = samples.iter().map(|sample| f32::from_le_bytes(*sample));
                samples.flat_map(|level| nearest_to_float(level, &mut clipped)).collect()
            }
        };
        let form = SampleFormat { depth: Depth::Sixteen, ..self.form };
        Narrowed { sound: Cow::Owned(Self { form, data, loops: self.loops.clone() }), clipped }
    }
}

/// Rounds a 32-bit sample to the nearest 16-bit sample.
fn nearest(sample: [u8; 4]) -> [u8; 2] {
    let rounded = i32::from_le_bytes(sample).saturating_add(1 << 15) >> 16;
    i16::try_from(rounded).unwrap_or(i16::MAX).to_le_bytes()
}

/// Rounds a level from -1 to 1 to the nearest 16-bit sample. NaN becomes silence.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "clamped to 16 bits first")]
fn nearest_to_float(level: f32, clipped: &mut usize) -> [u8; 2] {
    // 1.0 has no exact 16-bit sample, but does not count as clipped.
    if !(-1.0..=1.0).contains(&level) {
        *clipped = clipped.saturating_add(1);
    }
    let level = if level.is_nan() { 0.0 } else { level };
    let scaled = (f64::from(level) * 32768.0).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX));
    (scaled as i16).to_le_bytes()
}
