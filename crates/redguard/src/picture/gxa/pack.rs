//! Run lengths and LZHUF: how the pixels of a frame are packed.

use record::{Bytes, Error, Result};

use super::layout::{Frame, Pixels};
use super::lzhuf;

/// Neither way of packing makes more than this many pixels of one byte.
const BEST_RATIO: usize = 64;

/// From this byte on a run repeats one pixel.
const REPEAT: u8 = 0x80;

/// The longest run.
const LONGEST: usize = 128;

/// Unpacked pixels, and how many packed bytes were not needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// One index a pixel.
    pub indices: Vec<u8>,
    /// Packed bytes left over.
    pub left: usize,
}

impl Frame {
    /// How many pixels there are.
    fn count(&self) -> usize {
        usize::from(self.width).saturating_mul(self.height.into())
    }

    /// The pixels, one index each, rows from the top. `base` is where the stored ones start in the file.
    ///
    /// # Errors
    /// When the packed bytes are too few or too many for the size, or no sound codes.
    pub fn unpack(&self, base: u64) -> Result<Unpacked> {
        let (count, stored) = (self.count(), self.pixels.stored());
        if !matches!(self.pixels, Pixels::Raw(_)) && count > stored.len().saturating_mul(BEST_RATIO) {
            let message = format!(
                "{} x {} pixels cannot come out of {} packed bytes",
                self.width,
                self.height,
                stored.len()
            );
            return Err(Error::malformed(message).at(base));
        }
        match &self.pixels {
            Pixels::Raw(bytes) if bytes.len() == count => Ok(Unpacked { indices: bytes.to_vec(), left: 0 }),
            Pixels::Raw(bytes) => {
                Err(Error::malformed(format!("{} bytes for {count} pixels", bytes.len())).at(base))
            }
            Pixels::Rle(data) => unpack_runs(data, count, base),
            Pixels::Lzhuf { data, .. } => unpack_lzhuf(data, count, base),
        }
    }

    /// Takes other pixels. Raw ones stay raw, so that nothing else changes; packed ones become run lengths, or raw where that is shorter.
    /// LZHUF is not written.
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

/// Unpacks run lengths: a byte below 128 and so many pixels plus one, or a byte from 128 and the pixel to repeat.
///
/// # Errors
/// When they do not give exactly `count` pixels.
pub fn unpack_runs(data: &[u8], count: usize, base: u64) -> Result<Unpacked> {
    let mut out = Vec::with_capacity(count.min(data.len().saturating_mul(BEST_RATIO)));
    let mut rest = data;
    let at = |rest: &[u8]| {
        let offset = data.len().saturating_sub(rest.len());
        base.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX))
    };
    let cut = |rest: &[u8], found: usize| {
        Error::malformed(format!("the runs end after {found} of {count} pixels")).at(at(rest))
    };
    while out.len() < count {
        let Some((control, behind)) = rest.split_first() else { return Err(cut(rest, out.len())) };
        let length = usize::from(control & !REPEAT).saturating_add(1);
        if out.len().saturating_add(length) > count {
            let message = format!(
                "a run of {length} pixels goes {} past the last of {count}",
                out.len().saturating_add(length).saturating_sub(count)
            );
            return Err(Error::malformed(message).at(at(rest)));
        }
        if *control >= REPEAT {
            let Some((pixel, behind)) = behind.split_first() else { return Err(cut(rest, out.len())) };
            out.resize(out.len().saturating_add(length), *pixel);
            rest = behind;
        } else {
            let Some((pixels, behind)) = behind.split_at_checked(length) else {
                return Err(cut(rest, out.len()));
            };
            out.extend_from_slice(pixels);
            rest = behind;
        }
    }
    Ok(Unpacked { indices: out, left: rest.len() })
}

/// Packs run lengths: three equal pixels or more are repeated, the others written as they are.
#[must_use]
pub fn pack_runs(pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut literals: &[u8] = &[];
    let mut rest = pixels;
    while let Some((first, _)) = rest.split_first() {
        let equal = rest.iter().take(LONGEST).take_while(|pixel| *pixel == first).count();
        if equal >= 3 {
            put_literals(&mut out, literals);
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
    put_literals(&mut out, literals);
    out
}

fn put_literals(out: &mut Vec<u8>, literals: &[u8]) {
    for run in literals.chunks(LONGEST) {
        out.push(run_byte(run.len()));
        out.extend_from_slice(run);
    }
}

/// The length of a run as its first byte says it, without the highest bit.
fn run_byte(length: usize) -> u8 {
    u8::try_from(length.saturating_sub(1)).unwrap_or(REPEAT - 1) & !REPEAT
}

fn unpack_lzhuf(data: &[u8], count: usize, base: u64) -> Result<Unpacked> {
    let indices = lzhuf::unpack(data, count).map_err(|found| {
        Error::malformed(format!("the LZHUF data ends after {found} of {count} pixels")).at(base)
    })?;
    // How packers pad behind the last code is not known: bytes left over are not counted.
    Ok(Unpacked { indices, left: 0 })
}
