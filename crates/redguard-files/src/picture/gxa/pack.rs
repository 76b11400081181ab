//! Encodes and decodes the pixels of a frame: run lengths and LZHUF.

use record::{Bytes, Error, Result};

use super::layout::{Frame, Pixels};
use super::lzhuf;

/// The maximum number of pixels per byte that any compression produces.
const BEST_RATIO: usize = 64;

/// Control bytes from this value on repeat one pixel.
const REPEAT: u8 = 0x80;

/// The maximum length of a run.
const MAX_RUN: usize = 128;

/// Decoded pixels, and the number of unused bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// One index per pixel.
    pub indices: Vec<u8>,
    /// Unused compressed bytes.
    pub trailing: usize,
}

impl Frame {
    /// Returns the number of pixels.
    fn count(&self) -> usize {
        usize::from(self.width).saturating_mul(self.height.into())
    }

    /// Decodes the pixels: one index each, rows from the top. `base` is the offset of the stored pixels in the file.
    ///
    /// # Errors
    /// Returns an error if the data does not match the size or is malformed.
    pub fn unpack(&self, base: u64) -> Result<Unpacked> {
        let (count, stored) = (self.count(), self.pixels.stored());
        if !matches!(self.pixels, Pixels::Raw(_)) && count > stored.len().saturating_mul(BEST_RATIO) {
            let message = format!(
                "{} x {} pixels cannot be encoded in {} bytes",
                self.width,
                self.height,
                stored.len()
            );
            return Err(Error::malformed(message).at(base));
        }
        match &self.pixels {
            Pixels::Raw(bytes) if bytes.len() == count => {
                Ok(Unpacked { indices: bytes.to_vec(), trailing: 0 })
            }
            Pixels::Raw(bytes) => {
                Err(Error::malformed(format!("{count} pixels expected, found {} bytes", bytes.len()))
                    .at(base))
            }
            Pixels::Rle(data) => unpack_runs(data, count, base),
            Pixels::Lzhuf { data, .. } => unpack_lzhuf(data, count, base),
        }
    }

    /// Replaces the pixels. Raw frames stay raw, so that nothing else changes; compressed frames are stored as run lengths, or
    /// raw if that is shorter. LZHUF compression is not supported.
    pub fn repack(&mut self, indices: Vec<u8>) {
        self.pixels = match &self.pixels {
            Pixels::Raw(_) => Pixels::Raw(Bytes(indices)),
            Pixels::Rle(_) | Pixels::Lzhuf { .. } => {
                let runs = pack_runs(&indices);
                if runs.len() < indices.len() {
                    Pixels::Rle(Bytes(runs))
                } else {
                    Pixels::Raw(Bytes(indices))
                }
            }
        };
    }
}

/// Decodes run lengths. A control byte `n` below 128 is followed by `n + 1` literal pixels, any other control byte by one pixel
/// to repeat.
///
/// # Errors
/// Returns an error if the data does not decode to exactly `count` pixels.
pub fn unpack_runs(data: &[u8], count: usize, base: u64) -> Result<Unpacked> {
    let mut out = Vec::with_capacity(count.min(data.len().saturating_mul(BEST_RATIO)));
    let mut rest = data;
    let at = |rest: &[u8]| {
        let offset = data.len().saturating_sub(rest.len());
        base.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX))
    };
    let truncated = |rest: &[u8], found: usize| {
        Error::malformed(format!("the run lengths end after {found} of {count} pixels")).at(at(rest))
    };
    while out.len() < count {
        let Some((control, following)) = rest.split_first() else { return Err(truncated(rest, out.len())) };
        let length = usize::from(control & !REPEAT).saturating_add(1);
        if out.len().saturating_add(length) > count {
            let message = format!(
                "a run of {length} pixels exceeds the image by {} pixels ({count} expected)",
                out.len().saturating_add(length).saturating_sub(count)
            );
            return Err(Error::malformed(message).at(at(rest)));
        }
        if *control >= REPEAT {
            let Some((pixel, following)) = following.split_first() else {
                return Err(truncated(rest, out.len()));
            };
            out.resize(out.len().saturating_add(length), *pixel);
            rest = following;
        } else {
            let Some((pixels, following)) = following.split_at_checked(length) else {
                return Err(truncated(rest, out.len()));
            };
            out.extend_from_slice(pixels);
            rest = following;
        }
    }
    Ok(Unpacked { indices: out, trailing: rest.len() })
}

/// Encodes run lengths: three or more equal pixels are stored as a run, other pixels as literals.
#[must_use]
pub fn pack_runs(pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut literals: &[u8] = &[];
    let mut rest = pixels;
    while let Some((first, _)) = rest.split_first() {
        let equal = rest.iter().take(MAX_RUN).take_while(|pixel| *pixel == first).count();
        if equal >= 3 {
            write_literals(&mut out, literals);
            out.extend([REPEAT | run_byte(equal), *first]);
            rest = rest.get(equal..).unwrap_or_default();
            literals = &[];
            continue;
        }
        let start = pixels.len().saturating_sub(rest.len()).saturating_sub(literals.len());
        let end = start.saturating_add(literals.len()).saturating_add(1);
        literals = pixels.get(start..end).unwrap_or_default();
        rest = rest.get(1..).unwrap_or_default();
    }
    write_literals(&mut out, literals);
    out
}

fn write_literals(out: &mut Vec<u8>, literals: &[u8]) {
    for run in literals.chunks(MAX_RUN) {
        out.push(run_byte(run.len()));
        out.extend_from_slice(run);
    }
}

/// Returns the length bits of a control byte.
fn run_byte(length: usize) -> u8 {
    u8::try_from(length.saturating_sub(1)).unwrap_or(REPEAT - 1) & !REPEAT
}

fn unpack_lzhuf(data: &[u8], count: usize, base: u64) -> Result<Unpacked> {
    let indices = lzhuf::unpack(data, count).map_err(|found| {
        Error::malformed(format!("the LZHUF data ends after {found} of {count} pixels")).at(base)
    })?;
    // The padding after the last code is unknown, so unused bytes are not counted.
    Ok(Unpacked { indices, trailing: 0 })
}
