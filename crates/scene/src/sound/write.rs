//! Writing of WAV files: PCM or floating-point samples, with a `smpl` chunk for loops.

use super::{Depth, SampleFormat, SampleLoop, Sound, length};
use crate::Error;
use crate::error::{file_too_long, forbidden};

/// Number of bytes before the samples: the RIFF header, the `fmt ` chunk and the header of the `data` chunk.
const HEAD: u64 = 44;

/// Length of a chunk header in bytes.
const CHUNK: u64 = 8;

/// Length of a `smpl` chunk without loops in bytes.
const SAMPLER: u64 = 36;

/// Length of a loop in the chunk in bytes.
const LOOP: u64 = 24;

/// WAV's format number for PCM.
pub(super) const PCM: u16 = 1;

/// WAV's format number for floating-point samples.
pub(super) const FLOAT: u16 = 3;

/// The note that a sampler plays unchanged: middle C.
const MIDDLE_C: u32 = 60;

/// Returns the length of a WAV file whose samples have `data` bytes; `loops` is the length of [`Sound::loops`].
#[must_use]
pub fn wav_length(data: u64, loops: Option<usize>) -> u64 {
    let sampler = loops.map_or(0, |loops| CHUNK.saturating_add(sampler_length(loops)));
    HEAD.saturating_add(data).saturating_add(data % 2).saturating_add(sampler)
}

fn sampler_length(loops: usize) -> u64 {
    SAMPLER.saturating_add(LOOP.saturating_mul(u64::try_from(loops).unwrap_or(u64::MAX)))
}

/// Writes a sound as a WAV file.
///
/// # Errors
/// If the samples are not complete frames, a loop is empty or out of range, or the file would be too long.
pub fn encode_wav(sound: &Sound) -> Result<Vec<u8>, Error> {
    let (form, data) = (sound.form, length(&sound.data));
    let forbidden = |problem: String| forbidden("sound", problem);
    if form.frame() == 0 || !data.is_multiple_of(form.frame()) {
        return Err(forbidden(format!(
            "the data length {data} is not a multiple of the frame size {}",
            form.frame()
        )));
    }
    let loops = sound.loops.as_deref();
    if let Some(wrong) = loops.unwrap_or_default().iter().find(|it| !lies_within(it, sound.frames())) {
        let frames = sound.frames();
        return Err(forbidden(format!(
            "the loop {}..{} is outside the {frames} frames",
            wrong.start, wrong.end
        )));
    }
    let total = wav_length(data, loops.map(<[SampleLoop]>::len));
    let too_long = || file_too_long(total);
    let riff = u32::try_from(total.saturating_sub(CHUNK)).map_err(|_| too_long())?;
    let mut out = Vec::with_capacity(usize::try_from(total).map_err(|_| too_long())?);
    out.extend_from_slice(b"RIFF");
    put32(&mut out, riff);
    out.extend_from_slice(b"WAVE");
    put_form(&mut out, form)?;
    out.extend_from_slice(b"data");
    put32(&mut out, u32::try_from(data).map_err(|_| too_long())?);
    out.extend_from_slice(&sound.data);
    if !data.is_multiple_of(2) {
        out.push(0);
    }
    if let Some(loops) = loops {
        put_loops(&mut out, form, loops);
    }
    Ok(out)
}

fn lies_within(it: &SampleLoop, frames: u64) -> bool {
    it.start < it.end && u64::from(it.end) <= frames
}

fn put_form(out: &mut Vec<u8>, form: SampleFormat) -> Result<(), Error> {
    let frame = u16::try_from(form.frame())
        .map_err(|_| forbidden("sound", format!("{} channels are more than WAV supports", form.channels)))?;
    out.extend_from_slice(b"fmt ");
    put32(out, 16);
    let kind = if form.depth == Depth::Float { FLOAT } else { PCM };
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&form.channels.to_le_bytes());
    put32(out, form.rate);
    put32(out, form.rate.saturating_mul(frame.into()));
    out.extend_from_slice(&frame.to_le_bytes());
    out.extend_from_slice(&form.depth.bits().to_le_bytes());
    Ok(())
}

fn put_loops(out: &mut Vec<u8>, form: SampleFormat, loops: &[SampleLoop]) {
    let count = u32::try_from(loops.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(b"smpl");
    put32(out, u32::try_from(sampler_length(loops.len())).unwrap_or(u32::MAX));
    // Manufacturer, product, nanoseconds per frame, note, fraction of a note, two SMPTE fields, number of loops, bytes
    // after the loops.
    let nanoseconds = 1_000_000_000_u32.checked_div(form.rate).unwrap_or(0);
    [0, 0, nanoseconds, MIDDLE_C, 0, 0, 0, count, 0].into_iter().for_each(|value| put32(out, value));
    for (number, it) in (0_u32..).zip(loops) {
        // Name, direction (forward), first and last frame, fraction of a frame, number of repetitions.
        let last = it.end.saturating_sub(1);
        [number, 0, it.start, last, 0, it.times].into_iter().for_each(|value| put32(out, value));
    }
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}
