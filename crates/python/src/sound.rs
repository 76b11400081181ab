//! Sounds.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use antiquary::scene::sound::{Depth, encode_wav};
use antiquary::{Named, scene};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::array;
use crate::error::Result;

/// A sound of a file.
#[pyclass(frozen, module = "antiquary")]
pub(crate) struct Sound {
    name: String,
    sound: scene::Sound,
}

impl Sound {
    pub(crate) fn new(named: Named<scene::Sound>) -> Self {
        Self { name: named.name(), sound: named.into_value() }
    }

    /// Reads all samples with a function, and returns an array with the shape (frames, channels).
    fn read<T: numpy::Element, const N: usize>(
        &self,
        py: Python<'_>,
        read: impl Fn([u8; N]) -> T + Sync,
    ) -> Result<Py<PyAny>> {
        let channels = usize::from(self.sound.form.channels);
        let frames = usize::try_from(self.sound.frames()).unwrap_or_default();
        let (samples, _) = self.sound.data.as_chunks::<N>();
        let samples: Vec<T> =
            samples.iter().take(frames.saturating_mul(channels)).map(|bytes| read(*bytes)).collect();
        Ok(array::table(py, frames, channels, samples)?.into_any())
    }
}

/// A sample of 24 bits as a number.
fn twenty_four([a, b, c]: [u8; 3]) -> i32 {
    i32::from_le_bytes([0, a, b, c]) >> 8
}

#[allow(clippy::as_conversions, reason = "rounds to the nearest number")]
const fn single(value: f64) -> f32 {
    value as f32
}

#[pymethods]
impl Sound {
    /// Path of the file, followed by the name in the file if the file has several sounds.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Frames per second.
    #[getter]
    fn rate(&self) -> u32 {
        self.sound.form.rate
    }

    /// Number of channels: 1 for mono, 2 for stereo (left first).
    #[getter]
    fn channels(&self) -> u16 {
        self.sound.form.channels
    }

    /// Number of frames, each with one sample per channel.
    #[getter]
    fn frames(&self) -> u64 {
        self.sound.frames()
    }

    /// Duration in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.sound.seconds()
    }

    /// Loops as (first frame, frame after the last, number of repetitions, 0 for infinite), or None if the file does not
    /// specify loops.
    #[getter]
    fn loops(&self) -> Option<Vec<(u32, u32, u32)>> {
        let loops = self.sound.loops.as_ref()?;
        Some(loops.iter().map(|it| (it.start, it.end, it.times)).collect())
    }

    /// Returns the samples as stored: a new array with the shape (frames, channels) of uint8 (silence is 128), int16, int32
    /// (also for 24 bits, within -8388608..8388607) or float32 (-1..1).
    fn samples(&self, py: Python<'_>) -> Result<Py<PyAny>> {
        match self.sound.form.depth {
            Depth::Eight => self.read(py, u8::from_le_bytes),
            Depth::Sixteen => self.read(py, i16::from_le_bytes),
            Depth::TwentyFour => self.read(py, twenty_four),
            Depth::Float => self.read(py, f32::from_le_bytes),
            _ => self.read(py, i32::from_le_bytes),
        }
    }

    /// Returns the samples as floating-point numbers from -1 to 1: a new array with the shape (frames, channels) of float32.
    fn to_float(&self, py: Python<'_>) -> Result<Py<PyArray2<f32>>> {
        let array = match self.sound.form.depth {
            Depth::Eight => self.read(py, |[byte]| (f32::from(byte) - 128.0) / 128.0),
            Depth::Sixteen => self.read(py, |bytes| f32::from(i16::from_le_bytes(bytes)) / 32768.0),
            Depth::TwentyFour => self.read(py, |bytes| single(f64::from(twenty_four(bytes)) / 8_388_608.0)),
            Depth::Float => self.read(py, f32::from_le_bytes),
            _ => self.read(py, |bytes| single(f64::from(i32::from_le_bytes(bytes)) / 2_147_483_648.0)),
        }?;
        Ok(array.into_bound(py).cast_into().map_err(PyErr::from)?.unbind())
    }

    /// Returns the sound as a WAV file, with its loops.
    fn to_wav<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &encode_wav(&self.sound)?))
    }

    fn __repr__(&self) -> String {
        let form = self.sound.form;
        format!(
            "<Sound {:?}, {} Hz, {} channels, {:.2} s>",
            self.name,
            form.rate,
            form.channels,
            self.seconds()
        )
    }
}
