//! Conversion of sample rates, and downmixing.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use rubato::audioadapter_buffers::number_to_float::{InterleavedNumbers, PlainBytes};
use rubato::audioadapter_buffers::sample::{I16_LE, RawSample, U8};
use rubato::{Async, FixedAsync, Resampler, SincInterpolationParameters};

use super::{Depth, SampleFormat, SampleLoop, Sound};
use crate::Error;

/// Number of frames that are resampled at once.
const CHUNK: usize = 1024;

/// Maximum ratio between two sample rates.
const MAX_RATIO: f64 = 256.0;

impl Sound {
    /// Mixes all channels to mono by averaging, with at most 16 bits.
    #[must_use]
    pub fn to_mono(&self) -> Self {
        let narrowed = self.narrowed().sound;
        narrowed.mixed()
    }

    fn mixed(&self) -> Self {
        let channels = usize::from(self.form.channels.max(1));
        let form = SampleFormat { channels: 1, ..self.form };
        let frames = self.data.chunks_exact(channels.saturating_mul(self.form.depth.bytes().into()));
        let mean = |sum: i64| sum.checked_div(i64::from(self.form.channels)).unwrap_or_default();
        let data = match self.form.depth {
            Depth::Eight => frames
                .map(|frame| {
                    let sum = frame.iter().map(|sample| i64::from(*sample).saturating_sub(0x80)).sum();
                    u8::try_from(mean(sum).saturating_add(0x80)).unwrap_or(u8::MAX)
                })
                .collect(),
            _ => frames
                .flat_map(|frame| {
                    let (samples, _) = frame.as_chunks::<2>();
                    let sum = samples.iter().map(|sample| i64::from(i16::from_le_bytes(*sample))).sum();
                    i16::try_from(mean(sum)).unwrap_or_default().to_le_bytes()
                })
                .collect(),
        };
        Self { form, data, loops: self.loops.clone() }
    }

    /// Resamples the sound, with at most 16 bits; the duration changes by less than one frame. Loops keep their
    /// position in time.
    ///
    /// # Errors
    /// [`Kind::Unsupported`](record::Kind::Unsupported) if one of the rates is 0, or more than 256 times the other;
    /// [`Kind::Limit`](record::Kind::Limit) if the sound would be too long.
    pub fn resampled(&self, rate: u32) -> Result<Self, Error> {
        if rate == self.form.rate {
            return Ok(self.clone());
        }
        let ratio = f64::from(rate) / f64::from(self.form.rate);
        if rate == 0 || !(1.0 / MAX_RATIO..=MAX_RATIO).contains(&ratio) {
            return Err(Error::unsupported(format!(
                "a sound of {} Hz cannot be resampled to {rate} Hz",
                self.form.rate
            )));
        }
        let narrowed = self.narrowed().sound;
        let data = match narrowed.form.depth {
            Depth::Eight => narrowed.samples_at::<U8>(ratio),
            _ => narrowed.samples_at::<I16_LE>(ratio),
        };
        let data =
            data.ok_or_else(|| Error::limit(format!("the sound is too long to be resampled to {rate} Hz")))?;
        let frames = narrowed.form.frames(u64::try_from(data.len()).unwrap_or(u64::MAX));
        let moved = |at: u32| u32::try_from(scaled(at, rate, self.form.rate).min(frames)).unwrap_or(u32::MAX);
        let loops = self.loops.as_ref().map(|loops| {
            let moved =
                loops.iter().map(|it| SampleLoop { start: moved(it.start), end: moved(it.end), ..*it });
            moved.filter(|it| it.start < it.end).collect()
        });
        Ok(Self { form: SampleFormat { rate, ..narrowed.form }, data, loops })
    }

    /// Returns the samples at another rate; `None` if there would be too many.
    fn samples_at<S: RawSample + PlainBytes + Copy + 'static>(&self, ratio: f64) -> Option<Vec<u8>> {
        let channels = usize::from(self.form.channels);
        let frame = usize::try_from(self.form.frame()).ok()?;
        let frames = usize::try_from(self.frames()).ok()?;
        let parameters = SincInterpolationParameters::default();
        let mut resampler =
            Async::<f64>::new_sinc(ratio, 1.0, &parameters, CHUNK, channels, FixedAsync::Input).ok()?;
        let room = resampler.process_all_needed_output_len(frames);
        let mut out = vec![0; room.checked_mul(frame)?];
        let from = InterleavedNumbers::<&[S], f64>::new_from_bytes(&self.data, channels, frames).ok()?;
        let mut to =
            InterleavedNumbers::<&mut [S], f64>::new_from_bytes_mut(&mut out, channels, room).ok()?;
        let (_, made) = resampler.process_all_into_buffer(&from, &mut to, frames, None).ok()?;
        out.truncate(made.checked_mul(frame)?);
        Some(out)
    }
}

/// Converts a frame position to the nearest one at another rate.
fn scaled(at: u32, to: u32, from: u32) -> u64 {
    let (at, to, from) = (u64::from(at), u64::from(to), u64::from(from));
    at.saturating_mul(to).saturating_add(from / 2).checked_div(from).unwrap_or_default()
}
